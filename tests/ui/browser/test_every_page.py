"""What holds on every page, over the whole sample: accessible by axe-core, one heading, a title, nothing cut off."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator

from tests.dashboard import Dashboard
from tests.ui.browser.screen import Screen, new_profile, new_screen, stay_open

pytestmark = pytest.mark.browser

# Each page with what its heading begins with.
_PAGES = {
    "/": "Overview",
    "/answers": "Answers",
    "/claims": "Claims",
    "/changes": "Help centre 2026-w",
    "/changes?tab=documents": "Changes",
    "/changes?tab=before": "Changes",
    "/trends": "Trends",
    "/weak-spots": "Weak spots",
    "/weak-spots?tab=sources": "Weak spots",
    "/review": "Review",
    "/judges": "Judges",
    "/try": "Try one answer",
    "/try?tab=correct": "Try one answer",
    "/try?tab=generate": "Try one answer",
    "/upload": "Upload",
    "/settings": "Settings",
    "/settings?tab=audit": "Settings",
}
_SIZES = ((1280, 720), (1440, 900))
_HIGHEST = 2_500  # px: what is further down is not found

# What axe-core finds in Streamlit's own elements: the rule, and what names the element in its selector or its HTML.
_OF_STREAMLIT = (
    ("listitem", "st-emotion-cache"),
    ("presentation-role-conflict", "stFileUploaderDropzone"),
    ("empty-table-header", "glide"),  # the column of check boxes of a table
)


@pytest.fixture(scope="module")
def demo_url(whole_sample_file: Path, folder: Path) -> str:
    """The URL of a store with the whole sample, so that every page has something to show."""
    return f"sqlite:///{shutil.copy(whole_sample_file, folder / 'sample.db')}"


@pytest.fixture(scope="module", params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    """Each of the two themes."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def profile(browser: Browser, dashboard: Dashboard, theme: str) -> Iterator[BrowserContext]:
    """A browser profile in that theme."""
    with new_profile(browser, color_scheme=theme) as context:
        stay_open(context, dashboard.url)
        yield context


@pytest.fixture
def screen(dashboard: Dashboard, profile: BrowserContext) -> Iterator[Screen]:
    """The dashboard in that theme."""
    one = new_screen(profile, dashboard.url)
    yield one
    one.page.close()
    assert one.troubles == []


def _is_of_streamlit(rule: str, node: dict[str, Any]) -> bool:
    text = f"{node['target']} {node['html']}"
    return any(rule == known and mark in text for known, mark in _OF_STREAMLIT)


def _violations(screen: Screen, theme: str, *, pointer_on: Locator | None = None) -> list[str]:
    rules = {} if theme == "light" else {"runOnly": ["color-contrast"]}  # the others ask nothing of colours
    page = screen.hold_still(pointer_on=pointer_on).page
    found = Axe().run(page, options={"resultTypes": ["violations"], **rules}).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['html'][:120]}"
        for violation in found
        for node in violation["nodes"]
        if not _is_of_streamlit(violation["id"], node)
    ]


# How much wider a table is than its place, and how far the page's name is cut.
_CUT_TABLES = """() => Math.max(0, ...[...document.querySelectorAll('[data-testid="stMain"] .dvn-scroller')]
    .filter((grid) => grid.offsetParent).map((grid) => grid.scrollWidth - grid.clientWidth))"""
_CUT_NAME = """() => Math.max(0, ...[...document.querySelectorAll('[data-testid="stMain"] :is(h1, h1 *)')]
    .filter((one) => getComputedStyle(one).overflowX !== 'visible').map((one) => one.scrollWidth - one.clientWidth))"""
_HEIGHT = """() => document.querySelector('[data-testid="stMain"]').scrollHeight"""
_CUT_BUTTONS = """() => [...document.querySelectorAll('[data-testid="stMain"] button p')]
    .filter((p) => p.offsetParent && p.scrollWidth > p.clientWidth + 1).map((p) => p.innerText)"""
_OVERFLOW = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    return Math.max(0, main.scrollWidth - main.clientWidth);
}"""


@pytest.fixture(scope="module")
def titles() -> dict[str, str]:
    """The title of each page that was open so far."""
    return {}


@pytest.mark.parametrize("path", _PAGES)
def test_a_page_is_accessible_has_a_title_of_its_own_and_fits(
    visitor: Screen, theme: str, titles: dict[str, str], path: str
) -> None:
    screen = visitor.visit(path)
    headings = screen.page.get_by_role("heading", level=1)
    (heading,) = headings.all_inner_texts()
    assert heading.startswith(_PAGES[path])
    titles[path] = screen.page.title()
    assert titles[path].endswith(" · FaithView")
    assert list(titles.values()).count(titles[path]) == 1
    assert _violations(screen, theme) == []
    assert screen.main().locator('[data-testid^="stBaseButton-primary"]:visible').count() <= 1
    if theme == "light":  # a theme changes colours and no widths
        _check_sizes(screen, path)


def _check_sizes(screen: Screen, path: str) -> None:
    for width, height in _SIZES:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        # Grids follow a new size of the window a moment later.
        screen.until(lambda: screen.page.evaluate(_OVERFLOW) == 0, f"{path} fits a window of {width} x {height}")
        assert screen.page.evaluate(_CUT_BUTTONS) == [], f"{path} cuts the words of buttons at {width} x {height}"
        screen.until(lambda: screen.page.evaluate(_CUT_TABLES) == 0, f"{path} shows its tables at {width} x {height}")
        assert screen.page.evaluate(_CUT_NAME) == 0, f"{path} cuts its name at {width} x {height}"
        assert screen.page.evaluate(_HEIGHT) <= _HIGHEST, f"{path} is too high at {width} x {height}"
