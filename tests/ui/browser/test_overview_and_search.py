"""What the overview points to opens, and a claim is found wherever it was made."""

import re

import pytest
from playwright.sync_api import expect

from faithview.domain.claim import Verdict
from faithview.domain.run import RunSummary
from faithview.services.container import Services
from faithview.services.results.answers import search_claims
from faithview.services.results.runs import list_runs, list_summaries
from faithview.services.review.labels import LabelProvenance, label_claim, retract_label
from faithview.wording.verdicts import VERDICTS
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def summaries(services: Services) -> list[RunSummary]:
    return list_summaries(services)


def _opens(screen: Screen, **parameters: str) -> None:
    screen.until(lambda: screen.path() == "/inspect", "a run opens")
    screen.until_address(**parameters)
    screen.settle()
    expect(screen.answer()).to_be_visible()


def test_the_finding_states_the_newest_runs_score(screen: Screen, summaries: list[RunSummary]) -> None:
    screen.open("/")
    newest = summaries[0]
    assert newest.score.mean is not None
    screen.sees(re.compile(rf"Faithfulness is.*{newest.score.mean:.2f}"))


def test_nothing_is_a_notice_that_has_settled_itself(screen: Screen) -> None:
    screen.open("/")
    screen.sees("Nothing needs attention.")
    expect(screen.page.locator("[class*='st-key-overview-notice']")).to_have_count(0)


def test_a_notice_opens_the_place_that_settles_it(screen: Screen, services: Services) -> None:
    run = list_runs(services)[0]
    given = [LabelProvenance(reviewer="ann"), LabelProvenance(reviewer="bob")]
    labels = [
        label_claim(services, run.run_id, 1, 1, said, who)
        for said, who in zip(("contradicted", "supported"), given, strict=True)
    ]
    try:
        screen.open("/")
        screen.sees("1 claim on which reviewers disagree waits")
        screen.widget("overview.notice.0").get_by_role("button").click()
        screen.until(lambda: screen.path() == "/review", "the queue opens")
        screen.until_address(part="Disagreements")
    finally:
        for label, who in zip(labels, given, strict=True):
            retract_label(services, run.run_id, 1, label, who)


def test_a_point_of_the_trend_opens_its_run(screen: Screen, summaries: list[RunSummary]) -> None:
    screen.open("/")
    oldest = min(summaries, key=lambda s: s.run.as_of).run
    point = screen.page.locator(".js-plotly-plot .points path").first
    expect(point).to_be_visible()
    box = point.bounding_box()
    assert box is not None
    screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    _opens(screen, run=oldest.run_id)


def test_a_row_of_the_table_opens_its_run_and_coming_back_stays(screen: Screen, summaries: list[RunSummary]) -> None:
    screen.open("/")
    table = screen.main().get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    expect(screen.grid()).to_contain_text(summaries[1].run.name)
    box = table.bounding_box()
    assert box is not None
    expect(screen.grid().locator("[role=columnheader]").first).to_have_text("Run")  # and no column of boxes before it
    row = 35  # px: how high Streamlit draws a row
    screen.page.mouse.click(box["x"] + 90, box["y"] + 2.5 * row)
    _opens(screen, run=summaries[1].run.run_id)
    screen.page.go_back()
    screen.until(lambda: screen.path() == "/", "the overview is back")
    screen.settle()
    expect(table).to_be_visible()
    assert screen.path() == "/"


def test_a_claim_is_found_marked_and_opened_and_coming_back_stays(screen: Screen, services: Services) -> None:
    hits = search_claims(services, "MEMBERS", limit=25).hits
    assert len(hits) > 2
    screen.open("/search")
    field = screen.widget("search.find").locator("input")
    field.fill("MEMBERS")
    field.press("Enter")
    found = screen.page.locator("[data-faithview-hits] .hit")
    expect(found).to_have_count(len(hits))
    screen.until_address(find="MEMBERS")
    second = found.nth(1)
    assert second.locator(".said").evaluate("e => e.textContent") == hits[1].text
    assert [mark.casefold() for mark in second.locator("mark").all_inner_texts()] == ["members"]
    expect(second).to_contain_text(hits[1].explanation)
    expect(second).to_contain_text(hits[1].run_name)
    second.click()
    _opens(screen, run=hits[1].run_id, row=hits[1].key, claim=str(hits[1].claim_number))
    screen.page.go_back()
    screen.until(lambda: screen.path() == "/search", "the search is back")
    screen.settle()
    expect(field).to_have_value("MEMBERS")
    expect(found).to_have_count(len(hits))


def test_claims_found_are_walked_through_and_opened_by_keyboard(screen: Screen, services: Services) -> None:
    verdict = Verdict.NOT_MENTIONED
    hits = search_claims(services, "", verdict=verdict, limit=25).hits
    screen.open("/search", claim_verdict=VERDICTS[verdict].word)
    found = screen.page.locator("[data-faithview-hits] .hit")
    expect(found).to_have_count(25)
    screen.page.keyboard.press("j")
    expect(found.nth(0)).to_be_focused()
    screen.page.keyboard.press("j")
    screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press("k")
    expect(found.nth(1)).to_be_focused()
    screen.page.keyboard.press("Enter")
    _opens(screen, run=hits[1].run_id, row=hits[1].key, claim=str(hits[1].claim_number))


def test_the_search_turns_pages_and_says_when_nothing_matches(screen: Screen, services: Services) -> None:
    second = search_claims(services, "", offset=25, limit=25).hits
    screen.open("/search")
    screen.page.get_by_test_id("stPaginationNext").click()
    said = screen.page.locator("[data-faithview-hits] .hit .said")
    screen.until(lambda: said.all_inner_texts() == [hit.text for hit in second], "the second page is there")
    field = screen.widget("search.find").locator("input")
    field.fill("no claim holds this")
    field.press("Enter")
    screen.sees("No claim matches.")
