"""Two runs compared in a browser: a click on a cause or a segment lists its answers, each opens side by side."""

import re
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.answer import View
from faithview.domain.comparison import Cause, PairRule
from faithview.services.comparison.compare import compare_runs, get_pair
from faithview.services.comparison.compared_runs import CauseSide, ChangeFilter, Comparison, Shown, filter_changes
from faithview.services.container import Store
from faithview.services.results import delete_run, list_runs
from faithview.ui.changes.pair_view import order_claims
from faithview.wording.causes import CAUSE_WORDS
from tests.factories import C, N, S, make_claim, make_row, store_rows
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_PAGE = 20
_BAD = "<img src=x onerror='window.pwned=1'> $x$ **b**"


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture(scope="module")
def found(services: Store) -> Comparison:
    """The demo's drop: the second run against the first."""
    runs = sorted(list_runs(services), key=lambda run: run.as_of)
    return compare_runs(services, runs[0].run_id, runs[1].run_id)


@pytest.fixture(scope="module")
def odd(services: Store) -> Iterator[dict[str, str]]:
    """Two further runs, one of whose answers have no partner yet, named and asked in markup."""
    park = {"park": "Parking is free."}
    asked = f"Who may park at the house {_BAD}?"
    old = [
        make_row({"open": "It opens at 9."}, make_claim("It opens at 9.", S, "open"), question="Open?", key="a"),
        make_row(park, make_claim("Guests park.", S, "park"), make_claim("Pay.", S, "park"), question=asked, key="b"),
    ]
    new = [
        make_row(
            {"open": f"At 10. {_BAD}"}, make_claim(f"It opens at 9. {_BAD}", C, "open"), question="Open?", key="a"
        ),
        make_row(park, make_claim("Guests may park.", N), question=asked.replace("Who", "Please, who"), key="z"),
    ]
    store_rows(services, "odd-old", old)
    store_rows(services, "odd-new", new, week=1)
    yield {"baseline": "odd-old", "candidate": "odd-new"}
    for run_id in ("odd-old", "odd-new"):
        delete_run(services, run_id)


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
    side = CauseSide(cause=Cause.EVIDENCE_ADDED, is_won=False)
    screen.visit("/changes", **_address(found))
    label = CAUSE_WORDS[side.cause].lost
    _click_row(screen, "waterfall", label)
    screen.until_address(cause="evidence_added.lost", changes="all")
    screen.settle()
    _shows(screen, _listed(found, ChangeFilter(shown=Shown.ALL, side=side)))
    _click_row(screen, "waterfall", label)
    screen.until_address(cause=None)
    screen.settle()
    _shows(screen, _listed(found, ChangeFilter(shown=Shown.ALL)))


def test_a_click_on_a_segment_lists_its_answers(screen: Screen, found: Comparison) -> None:
    screen.visit("/changes", **_address(found))
    _click_row(screen, "segments", "Handovers")
    screen.until_address(within="Handovers")
    screen.settle()
    _shows(screen, _listed(found, ChangeFilter(segment="Handovers")))


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


def test_a_claim_is_highlighted_in_both_answers_and_changed_words_can_be_shown(
    screen: Screen, found: Comparison
) -> None:
    screen.visit("/changes", **_address(found))
    pair = screen.page.locator("[data-faithview-pair]")
    _unfold(screen)
    number = pair.locator('.side[data-side="after"] .mark').first.get_attribute("data-claim")
    pair.locator(f'.claim[data-claim="{number}"]').click()
    expect(pair.locator('.side[data-side="after"] .mark.lit').first).to_be_visible()
    expect(pair.locator(f'.claim[data-claim="{number}"]')).to_have_attribute("aria-selected", "true")
    screen.page.get_by_role("button", name="Show the word difference").click()
    expect(pair.locator("ins.added").first).to_be_visible()
    expect(pair.locator("del.removed").first).to_be_visible()


def test_the_answers_begin_on_the_first_screen(screen: Screen, found: Comparison) -> None:
    screen.page.set_viewport_size({"width": 1440, "height": 900})
    screen.visit("/changes", **_address(found))
    _shows(screen, _listed(found, ChangeFilter()))
    screen.settle()
    screen.until(lambda: screen.middle_of(screen.opened_row())[1] < 740, "the first answer begins above 700 px")
    screen.until(lambda: screen.main().evaluate("e => e.scrollHeight") <= 2500, "the page is at most 2,500 px high")


def test_the_worst_regression_is_scrolled_into_view(screen: Screen, found: Comparison) -> None:
    screen.visit("/changes", changes="improvements", **_address(found))
    screen.press(f"See the {found.difference.regressed} that got worse")
    screen.settle()
    _shows(screen, _listed(found, ChangeFilter()))
    pair = screen.page.locator("[data-faithview-pair]")
    screen.until(
        lambda: pair.evaluate("e => e.getBoundingClientRect().bottom <= innerHeight + 1"), "the answers are in view"
    )


def test_both_sides_lead_to_inspect(screen: Screen, found: Comparison) -> None:
    screen.visit("/changes", **_address(found))
    screen.page.get_by_role("link", name="Inspect the answer now").click()
    screen.until_page("/answers")
    screen.until_address(run=found.candidate.run_id)


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


def test_a_suggestion_is_confirmed_and_claims_are_paired_by_hand(
    screen: Screen, services: Store, odd: dict[str, str]
) -> None:
    screen.open("/changes", **odd)
    screen.press("Enter your name to decide")
    field = screen.page.get_by_role("dialog").get_by_placeholder("Your name, stored with what you add")
    screen.write(field, "Ann")
    screen.page.get_by_role("dialog").get_by_role("button", name="Save name").click()
    expect(field).to_have_count(0)
    screen.settle()
    confirm = screen.page.get_by_role("button", name="Confirm", exact=True)
    expect(confirm).to_be_enabled()
    confirm.click()
    screen.until(lambda: PairRule.CONFIRMED in _compare(services, odd).pairing.rules, "the pair is stored as confirmed")
    screen.settle()
    row = screen.page.locator('[data-faithview-list] .row[data-key="b"]')
    row.click()
    pair = screen.page.locator("[data-faithview-pair]")
    expect(pair.locator(".question")).to_contain_text("Please, who")
    before = _compare(services, odd)
    detail = get_pair(services, before, baseline_row=2, candidate_row=2)
    lone = next(at for at, one in enumerate(order_claims(detail), start=1) if one.baseline == 0)
    _unfold(screen)
    pair.locator(f'.claim[data-claim="{lone}"]').click()
    is_matched = order_claims(detail)[lone - 1].candidate is not None
    if is_matched:
        screen.page.get_by_role("button", name=f"Unpair claim {lone}").click()
        _until_claims(screen, services, odd, (0, None))
    else:
        screen.page.get_by_role("combobox").last.click()
        screen.page.get_by_role("option").first.click()
        _until_claims(screen, services, odd, (0, 0))


def _compare(services: Store, runs: Mapping[str, str]) -> Comparison:
    return compare_runs(services, runs["baseline"], runs["candidate"])


def _until_claims(screen: Screen, services: Store, odd: dict[str, str], wanted: tuple[int, int | None]) -> None:
    def holds() -> bool:
        detail = get_pair(services, _compare(services, odd), baseline_row=2, candidate_row=2)
        return wanted in [(pair.baseline, pair.candidate) for pair in detail.claims]

    screen.until(holds, f"the claims are paired as {wanted}")


def test_texts_under_judgement_are_shown_as_they_are(screen: Screen, odd: dict[str, str]) -> None:
    screen.visit("/changes", changes="all", pair="1-1", **odd)
    pair = screen.page.locator("[data-faithview-pair]")
    expect(pair.locator('.side[data-side="after"] .reading')).to_contain_text(_BAD)
    expect(pair.locator(".chunk").first).to_contain_text("onerror=")
    assert screen.page.evaluate("window.pwned") is None
    assert screen.page.locator("img[src='x']").count() == 0


def test_no_view_causes_javascript_errors(screen: Screen, found: Comparison) -> None:
    for view in View:
        screen.visit("/changes", view=view.value, **_address(found))
        expect(_chart(screen, "waterfall")).to_be_visible()
        expect(_chart(screen, "segments")).to_be_visible()
