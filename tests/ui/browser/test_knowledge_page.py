"""From an event to the documents that it changed, from a document to its claims, and from a claim to both answers."""

import re

import pytest
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.knowledge.changes import compare_knowledge
from faithview.services.knowledge.versions import KnowledgeStep, list_steps
from faithview.services.results import list_runs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture
def october(services: Store) -> KnowledgeStep:
    """The update of 14 October, which added eight articles."""
    steps = list_steps(services, series=list_runs(services)[0].series)
    return next(step for step in steps if step.event.kb_version == "2026-10")


def test_the_story_of_14_october_takes_four_clicks_from_overview(
    screen: Screen, services: Store, october: KnowledgeStep
) -> None:
    changes = compare_knowledge(services, october.baseline.run_id, october.candidate.run_id)
    screen.visit("/")
    entries = screen.page.evaluate("history.length")
    # 1. Why it fell.
    screen.widget("overview.change.1").get_by_role("button").click()
    screen.until_page("/changes")
    # 2. Which articles.
    screen.press("Changed documents")
    screen.until_page("/changes")
    screen.sees("8 documents added, none edited, none removed")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Changes")
    expect(screen.page).to_have_title(re.compile("Changed documents"))
    # 2. An article, with its text and its claims.
    second = changes.changed[1].document
    screen.click_row(screen.main().get_by_test_id("stDataFrame").first, 2, x=40)
    screen.until_address(document=second.key)
    screen.settle()
    rows = screen.page.locator("[data-faithview-hits]").first.locator(".hit")
    expect(rows).to_have_count(len(changes.changed[1].claims.claims))
    expect(rows.first.locator(".outcome b")).to_have_text("Broke: a new claim that is not supported")
    # 4. A claim, in both answers.
    rows.first.locator(".said").first.click()
    screen.until_page("/changes")
    assert screen.parameters()["baseline"] == october.baseline.run_id
    assert screen.parameters()["candidate"] == october.candidate.run_id
    first = changes.changed[1].claims.claims[0]
    screen.until_address(pair=f"{first.baseline_row}-{first.candidate_row}")
    assert screen.page.evaluate("history.length") <= entries + 6


def test_an_edited_document_shows_its_words_before_and_now(screen: Screen, services: Store) -> None:
    newest = list_steps(services, series=list_runs(services)[0].series)[0]
    changes = compare_knowledge(services, newest.baseline.run_id, newest.candidate.run_id)
    edited = changes.changed[0]
    screen.visit("/changes", tab="documents", document=edited.document.key)
    screen.sees("10 documents edited")
    for side in ("Before", "Now"):  # most of its words changed
        expect(screen.main().get_by_text(side, exact=True).first).to_be_visible()


def test_a_triangle_on_the_trend_leads_to_the_documents(screen: Screen, october: KnowledgeStep) -> None:
    screen.visit("/trends")
    triangles = screen.main().locator(".js-plotly-plot").first.locator("path.point")
    screen.middle_of(triangles.first)
    screen.page.mouse.click(*_topmost(screen, triangles.count()))
    screen.until_page("/changes")
    assert screen.parameters()["baseline"] == october.baseline.run_id


def _topmost(screen: Screen, points: int) -> tuple[float, float]:
    """Return the centre of the leftmost of the highest points of the first chart."""
    boxes = [
        box
        for at in range(points)
        if (box := screen.main().locator(".js-plotly-plot").first.locator("path.point").nth(at).bounding_box())
    ]
    top = min(box["y"] for box in boxes)
    box = min((box for box in boxes if box["y"] - top < 3), key=lambda box: box["x"])
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
