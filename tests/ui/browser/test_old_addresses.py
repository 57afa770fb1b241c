"""Addresses of older versions lead to the same view, without a step of the browser's history that leads on again."""

import shutil
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from faithview.ui import navigation
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

# By the old address, the parameters that it has and those that come along, besides the tab.
_PARAMETERS = {
    "inspect": {"run": "Help centre 2026-w43", "segment": "Handovers", "claim": "1", "verdict": "contradicted"},
    "inbox": {"find": "tray", "verdicts": "contradicted"},
    "compare": {"baseline": "Help centre 2026-w42", "candidate": "Help centre 2026-w43", "changes": "all"},
    "knowledge": {"baseline": "Help centre 2026-w42", "candidate": "Help centre 2026-w43", "document": "kb-054"},
    "slices": {"run": "Help centre 2026-w43", "view": "reviewed"},
    "sources": {"run": "Help centre 2026-w43", "fault": "contradicted", "level": "documents"},
    "check": {"claim": "2"},
    "guard": {"claim": "2"},
    "datasets": {"search": "tray & 100 %", "part": "held_out"},
    "audit": {"kind": "run", "find": "2026-w43"},
}


@pytest.fixture(scope="module")
def demo_url(whole_sample_file: Path, folder: Path) -> str:
    """The URL of a store with the whole sample."""
    return f"sqlite:///{shutil.copy(whole_sample_file, folder / 'sample.db')}"


def test_every_old_address_is_looked_at() -> None:
    assert set(_PARAMETERS) == set(navigation.MOVED)


@pytest.mark.parametrize("old", _PARAMETERS)
def test_an_old_address_goes_on_with_its_parameters_and_back_leaves_it(screen: Screen, old: str) -> None:
    page, tab = navigation.MOVED[old]
    screen.open("/judges")
    screen.page.goto(screen._address(f"/{old}", _PARAMETERS[old]))
    screen.until_page(f"/{navigation.ADDRESSES[page]}")
    screen.settle()
    expected = {**_PARAMETERS[old], **({"tab": tab} if tab else {})}
    named = dict(parse_qsl(urlsplit(screen.page.url).query))
    assert {name: named.get(name) for name in expected} == expected
    if tab is not None:
        chosen = screen.widget("page.tabs").locator('[data-selected="true"]')
        expect(chosen).to_have_count(1)
    screen.page.go_back()
    screen.until_page("/judges")
    screen.settle()
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Judges")


def test_an_address_that_no_page_has_says_so_and_leads_to_the_overview(screen: Screen) -> None:
    screen.open("/nowhere", run="Help centre 2026-w43")
    screen.sees("This page does not exist.")
    expect(screen.page.get_by_role("dialog")).to_have_count(0)
    assert screen.path() == "/nowhere"
    screen.main().get_by_role("link", name="Go to Overview").click()
    screen.until_page("/")
    screen.sees("The claim that could do most harm")
    screen.page.get_by_role("link", name="Claims", exact=True).click()
    screen.until_page("/claims")
    screen.sees("different claims")
