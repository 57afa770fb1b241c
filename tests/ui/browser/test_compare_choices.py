"""What Compare opens on, what it keeps, and the labels that are given there."""

import re
from functools import partial
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.comparison import ClaimPair
from faithview.domain.label import LabelKind
from faithview.services.comparison.compare import PairDetail, compare_runs, get_pair
from faithview.services.comparison.compared_runs import ChangeFilter, Comparison, filter_changes
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.labels import claim_history
from faithview.services.run_pairs import find_default_pair
from faithview.ui.changes.pair_view import order_claims
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_CHOICES = ("supported", "partially_supported", "not_mentioned", "contradicted")


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


def _heading(screen: Screen) -> Locator:
    return screen.page.get_by_role("heading", level=1)


def _go(screen: Screen, page: str) -> None:
    screen.page.get_by_test_id("stSidebar").get_by_role("link", name=page, exact=True).click()
    screen.until_page(f"/{page.lower()}")


def _shows(screen: Screen, found: Comparison, wanted: ChangeFilter) -> None:
    names = [change.key for change in filter_changes(found.changes, wanted)][:20]
    screen.until(lambda: screen.listed() == names, f"the list shows {names[:3]}…, not {screen.listed()[:3]}")


def test_the_page_opens_on_the_last_step_that_is_more_than_chance(screen: Screen, services: Store) -> None:
    series = list_runs(services)[0].series
    default = find_default_pair(services, series)
    assert default is not None
    assert default.is_step
    screen.open("/changes")
    expect(_heading(screen)).to_have_count(1)
    expect(_heading(screen)).to_contain_text(f"{default.baseline.name} vs. ")
    assert " vs. " in screen.page.title()
    screen.sees(re.compile("the last significant change in this series"))
    assert "baseline" not in screen.parameters()


def test_pair_and_filters_are_there_again_by_the_sidebar_and_by_the_back_button(
    screen: Screen, found: Comparison
) -> None:
    wanted = ChangeFilter(segment="Handovers")
    screen.visit("/changes", within="Handovers", **_address(found))
    heading = _heading(screen).inner_text()
    _shows(screen, found, wanted)
    _go(screen, "Trends")
    _go(screen, "Changes")
    expect(_heading(screen)).to_have_text(heading)
    _shows(screen, found, wanted)
    screen.page.get_by_role("radio", name=re.compile("^all")).click()
    screen.until_address(changes="all", within="Handovers", **_address(found))
    screen.settle()
    screen.page.get_by_role("link", name="Inspect the answer now").click()
    screen.until_page("/answers")
    screen.page.go_back()
    screen.until_address(changes="all", within="Handovers", **_address(found))
    _shows(screen, found, ChangeFilter(shown=type(wanted.shown).ALL, segment="Handovers"))


def test_one_choice_is_one_step_back(screen: Screen, found: Comparison) -> None:
    screen.open("/changes")
    heading = _heading(screen).inner_text()
    screen.page.get_by_role("radio", name=re.compile("^all")).click()
    screen.until_address(changes="all")
    screen.settle()
    assert screen.parameters()["baseline"]
    screen.page.go_back()
    screen.until_address(changes=None, baseline=None)
    screen.settle()
    expect(_heading(screen)).to_have_text(heading)
    assert found.changes


def test_label_keys_label_the_claim_that_is_marked_on_either_side(
    screen: Screen, services: Store, found: Comparison
) -> None:
    change = next(change for change in found.changes if len(_matched(_detail(services, found, change.key))) > 1)
    screen.review_as("Ada")
    screen.open("/changes", changes="all", pair=change.key, **_address(found))
    view = screen.page.locator("[data-faithview-pair]")
    expect(view.locator(".claim").first).to_be_visible()
    unfold = view.get_by_role("button", name=re.compile("did not move the score"))
    if unfold.count():
        unfold.click()
    rows = _matched(_detail(services, found, change.key))[:2]  # two claims, each on two sides, for four choices
    view.locator(f'.claim[data-claim="{rows[0][0]}"] [data-side-of="after"]').click()
    expected: dict[tuple[str, int | None], str] = {}
    key = 1
    for (number, pair), following in [*pairwise(rows), (rows[-1], None)]:
        for arrow, side, at in (("ArrowRight", "after", pair.candidate), ("ArrowLeft", "before", pair.baseline)):
            screen.key(arrow)
            expect(view.locator(f'.claim[data-claim="{number}"] [data-side-of="{side}"]')).to_have_class(
                re.compile("labelled")
            )
            screen.key(str(key))
            expected[side, at] = _CHOICES[key - 1]
            key = key % len(_CHOICES) + 1
        if following is not None:
            for _ in range(following[0] - number):
                screen.key("ArrowDown")
    keys = screen.page.locator(".keys [role=status]")
    screen.until(lambda: "Storing " not in keys.inner_text(), "every label is answered")
    assert _stored(services, found, change.key) == expected
    screen.settle()
    last = view.locator('.claim[aria-selected="true"]')
    expect(last).to_have_attribute("data-claim", str(rows[-1][0]))
    expect(last.locator('[data-side-of="before"] .people')).to_contain_text("reviewers")


def _matched(detail: PairDetail) -> list[tuple[int, ClaimPair]]:
    """The claims that both answers have, with the numbers of their rows."""
    rows = enumerate(order_claims(detail), start=1)
    return [(number, pair) for number, pair in rows if pair.baseline is not None and pair.candidate is not None]


def _detail(services: Store, found: Comparison, key: str) -> PairDetail:
    change = next(change for change in found.changes if change.key == key)
    return get_pair(services, found, baseline_row=change.baseline_row, candidate_row=change.candidate_row)


def _stored(services: Store, found: Comparison, key: str) -> dict[tuple[str, int | None], str]:
    """What Ada's labels say, by the side and the index of the claim."""
    detail = _detail(services, found, key)
    stored: dict[tuple[str, int | None], str] = {}
    for name, side in (("before", detail.before), ("after", detail.after)):
        for label in claim_history(services, side.run_id, side.position):
            if label.kind is LabelKind.VERDICT and label.reviewer == "Ada" and label.claim_number is not None:
                assert not label.is_blind
                stored[name, label.claim_number - 1] = str(label.verdict)
    return stored


def test_on_a_tablet_both_answers_and_both_charts_can_be_read(screen: Screen, found: Comparison) -> None:
    screen.page.set_viewport_size({"width": 820, "height": 1180})
    screen.visit("/changes", **_address(found))
    for side in ("before", "after"):
        answer = screen.page.locator(f'[data-faithview-pair] .side[data-side="{side}"]')
        expect(answer).to_be_visible()
        is_whole = "e => e.clientHeight > 50 && e.clientHeight >= e.scrollHeight"  # without a scroller of its own
        screen.until(partial(answer.evaluate, is_whole), f"the whole answer {side} is shown")
    for key in ("waterfall", "segments"):
        plot = screen.page.locator(f'[class*="st-key-compare-{key}"] .js-plotly-plot .nsewdrag').first
        expect(plot).to_be_attached()
        is_wide = "e => e.getBoundingClientRect().width > 150"
        screen.until(partial(plot.evaluate, is_wide), f"the chart of {key} is wide enough")
    screen.until(lambda: screen.main().evaluate("e => e.scrollWidth <= 820"), "the page fits the window")
