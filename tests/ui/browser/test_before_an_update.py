"""The whole way before an update: a run of September and the version of October, its findings, and the way back."""

import json
from collections.abc import Iterator

import pytest
from faithview.domain.preflight import PreflightRecord
from faithview.services.knowledge.preflight.plan import make_plan
from faithview.services.knowledge.preflight.preflights import judge_preflight, list_preflights, save_plan
from playwright.sync_api import expect

from faithview.domain.run import Run
from faithview.services.container import Store
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


@pytest.fixture(scope="module")
def judged(services: Store, september: Run) -> PreflightRecord:
    """The preflight of October's version on that run."""
    new = load_version(services, "2026-10")
    plan = make_plan(services, september.run_id, new, new_version="2026-10", source="2026-10")
    record = save_plan(services, plan)
    judge_preflight(services, record.preflight_id)
    return record


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
    screen.until(lambda: "preflight" in screen.parameters(), "the preflight is in the address")
    screen.sees("would break.")  # a process of its own has judged it
    hit = screen.page.locator("[data-faithview-hits] .hit").first
    expect(hit.locator(".outcome b")).to_have_text("Would break")
    expect(hit.locator(".passage del").first).to_have_text("9 ")
    expect(hit.locator(".passage ins").first).to_have_text("12 ")
    expect(hit.locator(".passage").last).to_contain_text(_HOSTILE)
    # The claim opens in its answer, and Back leads here again.
    preflight = screen.parameters()["preflight"]
    hit.locator(".said").first.click()
    screen.until_page("/answers")
    assert screen.parameters()["run"] == newest.run_id
    assert screen.parameters()["claim"]
    screen.page.go_back()
    screen.until_address(preflight=preflight)
    screen.sees("would break.")


def test_a_claim_is_reached_and_opened_with_keys(screen: Screen, judged: PreflightRecord) -> None:
    screen.visit("/changes", tab="before", preflight=judged.preflight_id)
    expect(screen.page.locator("[data-faithview-hits] .hit").first).to_be_visible()
    screen.key("j")
    expect(screen.page.locator("[data-faithview-hits] .hit").first).to_be_focused()
    screen.key("Enter")
    screen.until_page("/answers")


def test_a_preflight_is_deleted_and_the_choice_is_back(screen: Screen, services: Store, september: Run) -> None:
    new = load_version(services, "2026-11")
    record = save_plan(services, make_plan(services, september.run_id, new, new_version="2026-11"))
    screen.visit("/changes", tab="before", preflight=record.preflight_id)
    screen.sees("Stopped")
    screen.press("Delete")
    screen.press("Delete the preflight")
    screen.until_address(preflight=None)
    screen.sees("Earlier preflights")
    assert record.preflight_id not in {one.preflight_id for one in list_preflights(services)}
