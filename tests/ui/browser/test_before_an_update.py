"""The whole way before an update: an edited version, the comparison that says what it breaks, and its end."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.knowledge.preflight import begin_preflight, list_preflights, plan_preflight
from faithview.services.knowledge.versions import load_version
from faithview.services.results import list_runs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_HOSTILE = '<script>window.pwned=1</script><img src=x onerror="window.pwned=1"> **b** $x$ [l](http://evil.example)'


@pytest.fixture
def screen(visitor: Screen) -> Iterator[Screen]:
    """One page for all tests of this file, in which nothing of a document is carried out."""
    yield visitor
    assert visitor.page.evaluate("window.pwned") is None
    for made in ("img[src=x]", "a[href*='evil']", ".katex"):
        expect(visitor.main().locator(made)).to_have_count(0)


@pytest.fixture(scope="module")
def september(services: Store) -> Run:
    """The run on the version of September."""
    return next(run for run in list_runs(services) if run.kb_version == "2026-09")


def _rows(services: Store, *, version: str) -> list[dict[str, object]]:
    chunks = load_version(services, version)
    return [{"id": chunk.chunk_id, "text": chunk.text, **chunk.metadata} for chunk in chunks]


def test_an_uploaded_update_is_judged_and_names_what_breaks(screen: Screen, services: Store) -> None:
    newest = list_runs(services)[0]
    rows = _rows(services, version=newest.kb_version or "")
    (seats,) = [row for row in rows if "Starter costs €9 per seat a month" in str(row["text"])]
    seats["text"] = str(seats["text"]).replace("€9 per seat", "€12 per seat") + f" {_HOSTILE}"
    screen.visit("/changes", tab="before")
    field = screen.page.get_by_test_id("stFileUploader").locator("input[type=file]")
    content = "\n".join(map(json.dumps, rows)).encode()
    field.set_input_files({"name": "next.jsonl", "mimeType": "application/jsonl", "buffer": content})
    screen.sees("1 document edited, none added, none removed")
    screen.press("Check the claims")
    screen.until(lambda: "candidate" in screen.parameters(), "the comparison is in the address")
    screen.sees("A preflight")
    screen.sees("Changed answers")  # a process of its own has judged it
    ((before, after),) = list_preflights(services)
    assert (screen.parameters()["baseline"], screen.parameters()["candidate"]) == (before.run_id, after.run_id)
    screen.sees("window.pwned=1")  # the text of the new chunk, beside the old one


def test_a_preflight_is_deleted_and_the_choice_is_back(screen: Screen, services: Store, september: Run) -> None:
    new = [replace(chunk, text=f"{chunk.text} And more.") for chunk in load_version(services, "2026-09")]
    pair = begin_preflight(services, plan_preflight(services, september.run_id, new))
    assert pair is not None
    screen.visit("/changes", baseline=pair[0].run_id, candidate=pair[1].run_id)
    screen.sees("Continue")
    screen.press("Delete")
    screen.press("Delete the preflight")
    screen.until_address(candidate=None)
    screen.sees("Which claims would a new version of the knowledge base break?")
    assert pair[1].run_id not in {after.run_id for _, after in list_preflights(services)}
