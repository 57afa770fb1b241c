"""Draws: chances that add up, strata that are whole, seeds that give the same again, and checks that grow."""

from typing import Any

import pytest

from faithview import Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.spot_check import Design, QueueItem
from faithview.services.container import Store
from faithview.services.results import get_summary
from faithview.services.review.corrected_score import correct_run
from faithview.services.review.spot_checks import DrawOrder, draw, draw_more, labels_for
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels
from faithview.store import spot_checks
from tests.factories import S, label_check, make_claim, make_row, store_rows

VERDICTS = list(Verdict)


def _store(services: Store, run_id: str = "r", *, rows: int = 40, week: int = 0) -> None:
    made = [
        make_row(
            {"c": f"chunk {n}"},
            *(make_claim(f"claim {n}.{m}", VERDICTS[(n + m) % 4 if n % 3 == 0 else 0], "c") for m in range(n % 3 + 1)),
            question=f"q{n}",
        )
        for n in range(rows)
    ]
    store_rows(services, run_id, made, week=week)


def _items(services: Store, check: int) -> list[QueueItem]:
    return spot_checks.list_items(services.db, check)


def _drawn(services: Store, check: int) -> list[tuple[object, float]]:
    return [(item.place, item.inclusion_probability) for item in _items(services, check)]


def _design(services: Store, check: int) -> dict[str, Any]:
    return dict(spot_checks.get_spot_check(services.db, check).design)


def _order(**more: Any) -> DrawOrder:
    return DrawOrder(**{"name": "n", "run_ids": ["r"], "size": 20, "seed": 7, **more})


@pytest.mark.parametrize("design", [Design.RANDOM, Design.BALANCED])
def test_frames_cover_the_run_and_chances_fit_the_draw(services: Store, design: Design) -> None:
    _store(services)
    check = draw(services, _order(design=design), created_by="ann")
    strata = _design(services, check)["runs"]["r"]["strata"]
    summary = get_summary(services, "r")
    assert sum(stratum["claims"] for stratum in strata) == sum(summary.claims.values())
    assert sum(stratum["weight"] for stratum in strata) == pytest.approx(1.0)
    assert sum(stratum["judged"] for stratum in strata) == pytest.approx(summary.score.mean)
    items = _items(services, check)
    assert len(items) == 20
    assert all(0 < item.inclusion_probability <= 1 for item in items)


def test_half_of_a_balanced_draw_is_flagged_as_far_as_the_judge_flags_so_many(services: Store) -> None:
    _store(services)
    flagged = sum(get_summary(services, "r").claims.values()) - get_summary(services, "r").claims[S.value]
    verdicts = {(c.row, c.number): c.verdict for c in spot_checks.list_claims_of_run(services.db, "r")}
    for size, wanted in ((10, 5), (70, flagged)):
        check = draw(services, _order(size=size, design=Design.BALANCED), created_by="ann")
        places = [item.place for item in _items(services, check)]
        assert len(places) == size
        assert sum(verdicts[place.row, place.claim_number] != S for place in places) == wanted


def test_the_same_seed_gives_the_same_draw_and_a_chosen_one_is_stored(services: Store) -> None:
    _store(services)
    first, second, other = (draw(services, _order(seed=seed), created_by="ann") for seed in (7, 7, 8))
    assert _drawn(services, first) == _drawn(services, second) != _drawn(services, other)
    chosen = draw(services, _order(seed=None), created_by="ann")
    again = draw(services, _order(seed=_design(services, chosen)["seed"]), created_by="ann")
    assert _drawn(services, chosen) == _drawn(services, again)


def test_several_runs_share_the_labels_in_proportion_to_their_claims(services: Store) -> None:
    _store(services)
    _store(services, "s", rows=20, week=1)
    items = _items(services, draw(services, _order(run_ids=["r", "s", "r"], size=24), created_by="ann"))
    assert len(items) == pytest.approx(24, abs=1)
    assert sum(item.place.run_id == "r" for item in items) == pytest.approx(16, abs=1)


@pytest.mark.parametrize("design", [Design.RANDOM, Design.BALANCED])
def test_a_spot_check_grows_into_the_larger_draw_of_its_seed(services: Store, design: Design) -> None:
    _store(services)
    small = draw(services, _order(size=20, design=design), created_by="ann")
    before = _drawn(services, small)
    large = draw(services, _order(size=32, design=design), created_by="ann")
    draw_more(services, small, 12)
    after = _drawn(services, small)
    assert [place for place, _ in after[:20]] == [place for place, _ in before]
    assert dict(after) == dict(_drawn(services, large))
    assert _design(services, small)["runs"] == _design(services, large)["runs"]


def test_a_spot_check_that_grows_has_no_score_before_its_last_label(services: Store) -> None:
    _store(services)
    check = draw(services, _order(size=20), created_by="ann")
    label_check(services, check, lambda _: "supported")
    first = correct_run(services, "r")
    assert first is not None
    assert isinstance(first.score, CorrectedScore)
    draw_more(services, check, 10)
    waiting = correct_run(services, "r")
    assert waiting is not None
    assert isinstance(waiting.score, NotEnoughLabels)
    assert waiting.score.needed == 10
    label_check(services, check, lambda item: "supported" if item.position > 20 else "")
    last = correct_run(services, "r")
    assert last is not None
    assert isinstance(last.score, CorrectedScore)
    assert last.score.labelled == 30


def test_what_cannot_grow_is_refused(services: Store) -> None:
    _store(services, rows=6)
    check = draw(services, _order(size=100), created_by="ann")
    for number, words in ((0, "at least one"), (5, "already in")):
        with pytest.raises(InvalidInput, match=words):
            draw_more(services, check, number)
    with pytest.raises(NotFound):
        draw_more(services, 99, 1)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"run_ids": []}, "at least one run"),
        ({"size": 0}, "at least 1 label"),
        ({"size": 1}, "too few"),
        ({"reviewers_per_item": 0}, "reviewers can label"),
        ({"reviewers_per_item": 21}, "reviewers can label"),
        ({"run_ids": ["empty"]}, "no claims to draw"),
        ({"design": Design.BALANCED, "size": 2}, "too few"),
        ({"design": Design.EARLIER}, "random or balanced"),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # the rule is the same on every engine
def test_an_order_that_cannot_be_met_says_why_and_stores_nothing(
    services: Store, more: dict[str, Any], words: str
) -> None:
    _store(services)
    store_rows(services, "empty", [make_row({"c": "x"})])
    with pytest.raises(InvalidInput, match=words):
        draw(services, _order(**more), created_by="ann")
    with pytest.raises(NotFound):
        draw(services, _order(run_ids=["nope"]), created_by="ann")
    assert spot_checks.list_spot_checks(services.db) == []


def test_a_tighter_interval_needs_more_labels_and_an_impossible_one_is_refused(services: Store) -> None:
    _store(services)
    needed = [labels_for(services, ["r"], width) for width in (0.2, 0.1, 0.05, 1e-6)]
    assert needed == sorted(needed)
    assert needed[-1] == sum(get_summary(services, "r").claims.values())
    for width in (0.0, 0.5):
        with pytest.raises(InvalidInput, match="half-width"):
            labels_for(services, ["r"], width)
