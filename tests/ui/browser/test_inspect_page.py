"""People step through a run's answers claim by claim, and every view has an address that opens it again."""

import re

import pytest
from playwright.sync_api import expect

from faithview.domain.answer import AnswerDetail, AnswerFilter, AnswerPage, Order
from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.store.answers import list_answers
from faithview.store.results import get_answer
from faithview.wording.verdict_styles import VERDICTS
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_PAGE = 50


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture(scope="module")
def run(services: Store) -> Run:
    """The newest of the demo's runs but two: the one with most to see."""
    return list_runs(services)[2]


def _bad_answer(services: Store, run: Run) -> AnswerDetail:
    """The worst answer with several claims, one of which has evidence and is not the first."""
    for row in list_answers(services.db, run.run_id, AnswerFilter(), order=Order.HARM, limit=_PAGE).rows:
        detail = get_answer(services.db, run.run_id, row.key)
        if len(detail.result.claims) > 1 and any(item.span for item in detail.result.claims[1].evidence):
            return detail
    raise AssertionError("The demo has no answer to look at.")


def _keys(page: AnswerPage) -> list[str]:
    return [row.key for row in page.rows]


def _shows(screen: Screen, page: AnswerPage) -> None:
    screen.until(lambda: screen.listed() == _keys(page), f"the list shows {len(page.rows)} answers: {_keys(page)[:3]}…")
    screen.sees(re.compile(rf"–{page.offset + len(page.rows):,} of {page.total:,}$"))


def test_claim_words_and_evidence_are_highlighted_together_by_mouse_and_by_keyboard(
    screen: Screen, services: Store, run: Run
) -> None:
    detail = _bad_answer(services, run)
    screen.visit("/answers", run=run.run_id, row=detail.sample.key)
    second = detail.result.claims[1]
    quotes = {item.quote for item in second.evidence if item.span}
    screen.select_claim(2)
    screen.until_address(claim="2")
    words = "".join(span.of(detail.sample.answer) for span in second.spans)
    screen.until(lambda: "" != "".join(screen.lit("answer")) in words, "the claim's words are lit")
    assert set(screen.lit("chunks")) & quotes or "".join(screen.lit("chunks")) in "".join(quotes)
    screen.key("ArrowUp")
    expect(screen.selected_claim()).to_have_attribute("data-claim", "1")
    screen.until_address(claim="1")
    screen.chunks().locator(".mark[data-claim='2']").first.click()
    expect(screen.selected_claim()).to_have_attribute("data-claim", "2")
    screen.until(lambda: bool(screen.lit("answer")), "the claim's words are lit")
    screen.key("Escape")
    expect(screen.selected_claim()).to_have_count(0)
    screen.until_address(claim="0")  # none, on purpose: the page selects none by itself either


def test_j_and_k_go_through_the_list_and_the_address_follows(screen: Screen, services: Store, run: Run) -> None:
    keys = _keys(list_answers(services.db, run.run_id, AnswerFilter(), order=Order.HARM, limit=_PAGE))
    screen.visit("/answers", run=run.run_id)
    expect(screen.opened_row()).to_have_attribute("data-key", keys[0])
    for key, row in (("j", keys[1]), ("j", keys[2]), ("k", keys[1])):
        screen.key(key)
        screen.until_address(row=row)
        answer = get_answer(services.db, run.run_id, row).sample.answer
        expect(screen.answer()).to_have_js_property("textContent", answer)


@pytest.mark.parametrize("by", ["key", "position"])
def test_a_link_opens_row_claim_and_filters_for_a_colleague(screen: Screen, services: Store, run: Run, by: str) -> None:
    detail = _bad_answer(services, run)
    verdict = next(claim.verdict for claim in detail.result.claims if claim.verdict is not Verdict.SUPPORTED)
    word = VERDICTS[verdict].word  # addresses hold the words that the filters show
    row, claim = (detail.sample.key, "2") if by == "key" else (str(detail.position), detail.claim_ids[1])
    screen.open("/answers", run=run.run_id, row=row, claim=claim, verdict=word, order="file")
    expect(screen.opened_row()).to_have_attribute("data-key", detail.sample.key)
    expect(screen.selected_claim()).to_have_attribute("data-claim", "2")
    filters = AnswerFilter(verdicts=(verdict,))
    _shows(screen, list_answers(services.db, run.run_id, filters, order=Order.FILE, limit=_PAGE))


def test_filters_change_the_list_and_the_address(screen: Screen, services: Store, run: Run) -> None:
    def listed(**wanted: object) -> AnswerPage:
        return list_answers(services.db, run.run_id, AnswerFilter(**wanted), order=Order.HARM, limit=_PAGE)  # type: ignore[arg-type]  # fields of it

    screen.visit("/answers", run=run.run_id)
    steps = [
        ("Answer", "abstained", "state", listed(states=(State.ABSTAINED,))),
        ("Verdict", "contradicted", "verdict", listed(verdicts=(Verdict.CONTRADICTED,))),
        ("Segment", "Handovers", "segment", listed(segments=("Handovers",))),
    ]
    for label, option, parameter, page in steps:
        assert page.total, f"The demo has nothing to show for {option}."
        screen.filter_by(label, option)
        _shows(screen, page)
        screen.until_address(**{parameter: option})
        screen.visit("/answers", run=run.run_id)
    kind = next(type for type in HallucinationType if listed(hallucination_types=(type,)).total)
    screen.filter_by("Hallucination", kind)
    _shows(screen, listed(hallucination_types=(kind,)))
    screen.until_address(type=kind)
    screen.press(kind)  # the chip takes the filter away
    _shows(screen, listed())
    screen.until_address(type=None)


def test_the_list_is_turned_a_page_at_a_time_and_a_link_opens_the_page_of_its_row(
    screen: Screen, services: Store, run: Run
) -> None:
    second = list_answers(services.db, run.run_id, AnswerFilter(), order=Order.HARM, offset=_PAGE, limit=_PAGE)
    screen.open("/answers", run=run.run_id)
    screen.page.get_by_test_id("stPaginationNext").click()
    _shows(screen, second)
    screen.until_address(row=second.rows[0].key)
    third = list_answers(services.db, run.run_id, AnswerFilter(), order=Order.HARM, offset=2 * _PAGE, limit=_PAGE)
    screen.visit("/answers", run=run.run_id, row=third.rows[-1].key)
    _shows(screen, third)
    expect(screen.opened_row()).to_have_attribute("data-key", third.rows[-1].key)
