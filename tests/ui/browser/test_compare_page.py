"""Two runs compared in a browser: the list, both answers and their claims follow each other by click and by key."""

import re

import pytest
from playwright.sync_api import Locator, expect

from faithview.services.comparison.compare import compare_runs, get_pair
from faithview.services.comparison.compared_runs import ChangeFilter, Comparison, filter_changes
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.labels import claim_history
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture(scope="module")
def found(services: Store) -> Comparison:
    """The demo's drop: the second run against the first."""
    runs = sorted(list_runs(services), key=lambda run: run.as_of)
    return compare_runs(services, runs[0].run_id, runs[1].run_id)


def _address(found: Comparison) -> dict[str, str]:
    return {"baseline": found.baseline.run_id, "candidate": found.candidate.run_id}


def _side(screen: Screen, side: str) -> Locator:
    """The reader of the answer before or now."""
    return screen.page.locator(f'[class*="st-key-compare-answer-{side}"]')


def _listed(screen: Screen, found: Comparison) -> list[str]:
    names = [change.key for change in filter_changes(found.changes, ChangeFilter())]
    screen.until(lambda: screen.listed() == names, f"the list shows {names[:3]}…")
    return names


def test_the_page_opens_with_the_finding_and_the_worst_answer_on_both_sides(
    screen: Screen, services: Store, found: Comparison
) -> None:
    screen.visit("/changes", **_address(found))
    assert found.difference.mean is not None
    screen.sees(re.compile(rf"^Faithfulness fell by {re.escape(f'{-found.difference.mean:.2f}')} .*Handovers"))
    assert _listed(screen, found)[0] == found.changes[0].key
    expect(screen.opened_row()).to_have_attribute("data-key", found.changes[0].key)
    change = found.changes[0]
    detail = get_pair(services, found, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
    for side, answer in (("before", detail.before), ("now", detail.after)):
        expect(_side(screen, side).locator(".left .text")).to_have_js_property("textContent", answer.sample.answer)
    screen.until_address(pair=None)


def test_j_and_k_go_through_the_list(screen: Screen, found: Comparison) -> None:
    screen.visit("/changes", **_address(found))
    names = _listed(screen, found)
    for key, name in (("j", names[1]), ("j", names[2]), ("k", names[1])):
        screen.key(key)
        screen.until_address(pair=name)


def test_a_claim_that_is_chosen_on_one_side_is_chosen_on_the_other(
    screen: Screen, services: Store, found: Comparison
) -> None:
    for change in filter_changes(found.changes, ChangeFilter()):
        detail = get_pair(services, found, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
        both = [one for one in detail.claims if one.baseline is not None and one.candidate is not None]
        if both:
            break
    before, now = ((both[0].baseline or 0) + 1, (both[0].candidate or 0) + 1)
    screen.visit("/changes", pair=change.key, **_address(found))
    _side(screen, "before").locator(f'.left .mark[data-claim="{before}"]').first.click()
    screen.until_address(claim=f"before-{before}")
    expect(_side(screen, "now").locator(".claim[aria-current=true]")).to_have_attribute("data-claim", f"{now}")


def test_a_label_key_labels_in_the_reader_that_has_the_focus(
    screen: Screen, services: Store, found: Comparison
) -> None:
    screen.review_as("ada")
    screen.open("/changes", **_address(found))
    _listed(screen, found)
    claim = _side(screen, "now").locator(".claim[aria-current=true]")
    claim.click()
    screen.settle()
    screen.key("1")
    change = found.changes[0]
    row = {"baseline": change.baseline_row, "candidate": change.candidate_row}
    screen.until(lambda: bool(claim_history(services, found.candidate.run_id, row["candidate"])), "the label is stored")
    assert not claim_history(services, found.baseline.run_id, row["baseline"])
    expect(_side(screen, "now").locator(".claim[aria-current=true] .label[aria-pressed=true]")).to_be_visible()


def test_the_report_is_one_file_with_texts_or_without(screen: Screen, found: Comparison) -> None:
    question = found.changes[0].question or ""
    screen.visit("/changes", **_address(found))
    for key, has_texts in (("compare.report.texts.html", True), ("compare.report.figures.html", False)):
        if not has_texts:
            screen.widget("compare.report").get_by_role("button").click()
        with screen.page.expect_download() as download:
            screen.widget(key).get_by_role("button").click()
        assert download.value.suggested_filename.endswith(".html")
        html = download.value.path().read_text(encoding="utf-8")
        assert "Handovers" in html
        assert (question in html) is has_texts
