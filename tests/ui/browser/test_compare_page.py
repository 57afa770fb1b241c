"""Two runs compared in a browser: a click on a cause or a segment lists its answers, each opens side by side."""

import re

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.comparison import Cause
from faithview.services.comparison.compare import compare_runs, get_pair
from faithview.services.comparison.compared_runs import CauseSide, ChangeFilter, Comparison, Shown, filter_changes
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.ui.changes.pair_view import order_claims
from faithview.wording.causes import CAUSE_WORDS
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_PAGE = 20


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


def _listed(found: Comparison, wanted: ChangeFilter) -> list[str]:
    return [change.key for change in filter_changes(found.changes, wanted)][:_PAGE]


def _shows(screen: Screen, names: list[str]) -> None:
    screen.until(lambda: screen.listed() == names, f"the list shows {names[:3]}…, not {screen.listed()[:3]}")


def _chart(screen: Screen, key: str) -> Locator:
    return screen.page.locator(f'[class*="st-key-compare-{key}"] .js-plotly-plot')


def _click_row(screen: Screen, key: str, label: str) -> None:
    """Click into the row of a chart that bears the label, right of it."""
    chart = _chart(screen, key)
    tick = chart.locator(".ytick text").filter(has_text=label).first
    chart.scroll_into_view_if_needed()
    _, y = screen.middle_of(tick)
    area = chart.locator(".plot .bars, .nsewdrag").last.bounding_box()
    assert area is not None
    screen.page.mouse.move(area["x"] + 25, y)
    screen.page.mouse.click(area["x"] + 30, y)


def _unfold(screen: Screen) -> None:
    """Show the claims that did not move the score too."""
    expect(screen.page.locator("[data-faithview-pair] .claim").first).to_be_visible()
    fold = screen.page.locator("[data-faithview-pair]").get_by_role("button", name=re.compile("did not move the score"))
    if fold.count():
        fold.click()


def test_the_page_opens_with_the_finding_and_the_worst_answer(screen: Screen, found: Comparison) -> None:
    screen.visit("/changes", **_address(found))
    assert found.difference.mean is not None
    assert found.difference.mean < 0
    screen.sees(re.compile(rf"^Faithfulness fell by {re.escape(f'{-found.difference.mean:.2f}')} .*Handovers"))
    _shows(screen, _listed(found, ChangeFilter()))
    expect(screen.opened_row()).to_have_attribute("data-key", found.changes[0].key)
    pair = screen.page.locator("[data-faithview-pair]")
    expect(pair.locator(".question")).to_have_text(found.changes[0].question or "")
    screen.until_address(pair=None)


def test_a_click_on_a_cause_lists_its_answers_and_another_click_clears_it(screen: Screen, found: Comparison) -> None:
    side = CauseSide(cause=Cause.RETRIEVED, is_won=False)
    screen.visit("/changes", **_address(found))
    label = CAUSE_WORDS[side.cause].lost
    _click_row(screen, "waterfall", label)
    screen.until_address(cause="retrieved.lost", changes="all")
    screen.settle()
    _shows(screen, _listed(found, ChangeFilter(shown=Shown.ALL, side=side)))
    _click_row(screen, "waterfall", label)
    screen.until_address(cause=None)
    screen.settle()
    _shows(screen, _listed(found, ChangeFilter(shown=Shown.ALL)))


def test_j_and_k_go_through_the_changes_and_the_address_opens_the_same_again(
    screen: Screen, services: Store, found: Comparison
) -> None:
    names = _listed(found, ChangeFilter())
    screen.visit("/changes", **_address(found))
    _shows(screen, names)
    for key, name in (("j", names[1]), ("j", names[2]), ("k", names[1])):
        screen.key(key)
        screen.until_address(pair=name)
    screen.open("/changes", pair=names[2], **_address(found))
    expect(screen.opened_row()).to_have_attribute("data-key", names[2])
    change = found.changes[2]
    detail = get_pair(services, found, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
    sides = screen.page.locator("[data-faithview-pair] .side .reading")
    expect(sides).to_have_count(2)
    expect(sides.first).to_have_js_property("textContent", detail.before.sample.answer)
    expect(sides.last).to_have_js_property("textContent", detail.after.sample.answer)
    _unfold(screen)
    rows = screen.page.locator("[data-faithview-pair] .claim")
    expect(rows).to_have_count(len(order_claims(detail)))
    expect(rows.first.locator(".value")).to_be_visible()


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
