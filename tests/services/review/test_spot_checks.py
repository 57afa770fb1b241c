"""Draws: chances that add up, strata that are whole, and seeds that give the same again."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

import numpy as np
import pytest

from faithview import Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.spot_check import DrawnClaim
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_summary
from faithview.services.review import carry_over
from faithview.services.review.spot_checks import DrawOrder, Strata, draw, drawn_first, labels_for
from faithview.stats.sampling import FIRST, MIX
from faithview.stats.spot_check import Floats, Unit
from faithview.store import spot_check_claims, spot_checks
from tests.factories import C, S, make_claim, make_row, say, store_rows

VERDICTS = list(Verdict)


def _store(services: Store, run_id: str = "r", *, rows: int = 40, week: int = 0) -> None:
    made = [
        make_row(
            {"c": f"chunk {n}"},
            *(
                make_claim(f"claim {n}.{m}", VERDICTS[(n + m) % 4 if n % 3 == 0 else 0], "c", support=(n % 10) / 10)
                for m in range(n % 3 + 1)
            ),
            question=f"q{n}",
        )
        for n in range(rows)
    ]
    store_rows(services, run_id, made, week=week)


def _items(services: Store, check: int) -> list[DrawnClaim]:
    count = spot_checks.get_queue_progress(services.db, check).items
    return [spot_checks.get_item(services.db, check, position).drawn for position in range(1, count + 1)]


def _design(services: Store, check: int) -> dict[str, Any]:
    return dict(spot_checks.get_spot_check(services.db, check).design)


def _order(**more: Any) -> DrawOrder:
    return DrawOrder(**{"name": "n", "run_ids": ["r"], "size": 20, "seed": 7, **more})


def _chances(services: Store, order: DrawOrder) -> Floats:
    """Return every claim's chance under an order, in the order of the file, from as many draws as show them all."""
    found: dict[tuple[int, int], float] = {}
    seeds = count(1)
    facts = spot_check_claims.list_claim_columns(services.db, "r")
    while len(found) < len(facts):
        drawn = draw(services, replace(order, seed=next(seeds)), created_by="ann")
        found |= {(item.row, item.claim_number): item.inclusion_probability for item in _items(services, drawn)}
    return np.array([found[fact.row, fact.number] for fact in facts])


def _answers(items: Sequence[DrawnClaim]) -> dict[int, float]:
    return {item.row: item.inclusion_probability for item in items}


@pytest.mark.parametrize("strata", list(Strata))
@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("uncertain", [False, True])
def test_frames_cover_the_run_and_chances_fit_the_draw(
    services: Store, strata: Strata, unit: Unit, uncertain: bool
) -> None:
    _store(services)
    check = draw(services, _order(strata=strata, unit=unit, prefers_uncertain=uncertain), created_by="ann")
    frame = _design(services, check)["runs"]["r"]
    claims = sum(get_summary(services, "r").claims.values())
    units = 40 if unit is Unit.ANSWER else claims
    assert sum(stratum["units"] for stratum in frame["strata"]) == units
    assert sum(stratum["weight"] for stratum in frame["strata"]) == pytest.approx(1.0)
    assert sum(stratum["judged"] for stratum in frame["strata"]) == pytest.approx(get_summary(services, "r").score.mean)
    items = _items(services, check)
    assert all(0 < item.inclusion_probability <= 1 for item in items)
    assert {item.stratum for item in items} <= {stratum["name"] for stratum in frame["strata"]}
    if unit is Unit.ANSWER:  # all claims of an answer that is drawn
        drawn = _answers(items)
        whole = sum(len(get_answer_at(services, "r", row).result.claims) for row in drawn)
        assert len(items) == whole


def test_the_same_seed_gives_the_same_draw_and_a_chosen_one_is_stored(services: Store) -> None:
    _store(services)
    first, second, other = (
        draw(services, _order(seed=seed, strata=Strata.SCORE), created_by="ann") for seed in (7, 7, 8)
    )
    assert _items(services, first) == _items(services, second) != _items(services, other)
    chosen = draw(services, _order(seed=None), created_by="ann")
    again = draw(services, _order(seed=_design(services, chosen)["seed"]), created_by="ann")
    assert _items(services, chosen) == _items(services, again)


def test_several_runs_share_the_labels(services: Store) -> None:
    _store(services)
    _store(services, "s", rows=20, week=1)
    check = draw(services, _order(run_ids=["r", "s", "r"], unit=Unit.CLAIM, size=24), created_by="ann")
    items = _items(services, check)
    assert len(items) == pytest.approx(24, abs=1)
    assert len([item for item in items if item.run_id == "r"]) == pytest.approx(16, abs=2)


@pytest.mark.parametrize("unit", [Unit.ANSWER, Unit.CLAIM])
def test_the_queue_of_several_runs_goes_from_run_to_run_and_keeps_units_together(services: Store, unit: Unit) -> None:
    for week, run_id in enumerate(["r", "s"]):
        _store(services, run_id, week=week)
    items = _items(services, draw(services, _order(run_ids=["r", "s"], size=80, unit=unit), created_by="ann"))
    half = Counter(item.run_id for item in items[: len(items) // 2])
    assert min(half.values()) >= len(items) / 8  # a fourth of the half, where chance gives about half of it
    answers = [(item.run_id, item.row) for item in items]
    if unit is Unit.ANSWER:
        changes = 1 + sum(one != other for one, other in pairwise(answers))
        assert changes == len(set(answers))


def test_claims_whose_label_became_stale_come_first(services: Store) -> None:
    store_rows(services, "r", [make_row({"c": f"old {n}"}, make_claim(f"x {n}", VERDICTS[0], "c"), question=f"q{n}")
                               for n in range(12)])  # fmt: skip
    say(services, "r", 5, 1, "supported")
    rows = [
        make_row({"c": f"{'new' if n == 4 else 'old'} {n}"}, make_claim(f"x {n}", VERDICTS[0], "c"), question=f"q{n}")
        for n in range(12)
    ]
    store_rows(services, "s", rows, week=1)
    assert carry_over.carry_labels(services.db, "s").stale == 1
    items = _items(services, draw(services, _order(run_ids=["s"], size=6, regressed_first=True), created_by="ann"))
    assert (items[0].row, items[0].stratum, items[0].inclusion_probability) == (5, FIRST, 1.0)
    assert FIRST not in {item.stratum for item in items[1:]}


def test_where_another_judge_says_otherwise_claims_are_likelier_and_chances_still_add_up(services: Store) -> None:
    _store(services)
    plain = _chances(services, _order(unit=Unit.CLAIM, prefers_uncertain=True))
    rows = [
        make_row(
            {"c": f"chunk {n}"},
            # Of rows 1 to 10 the other judge says otherwise, of all the rest the same.
            *(
                make_claim(f"claim {n}.{m}", VERDICTS[(n + m) % 4 if n % 3 == 0 else 0] if n >= 10 else C, "c")
                for m in range(n % 3 + 1)
            ),
            question=f"q{n}",
        )
        for n in range(40)
    ]
    store_rows(services, "other", rows, week=-1, fingerprint="other/1")
    order = _order(unit=Unit.CLAIM, prefers_uncertain=True)
    check = draw(services, order, created_by="ann")
    assert _design(services, check)["runs"]["r"]["judged_by_another"] == 40
    disputed = _chances(services, order)
    facts = spot_check_claims.list_claim_columns(services.db, "r")
    different = [fact.row <= 10 and fact.verdict != C for fact in facts]
    ratio = disputed / plain
    assert min(r for r, d in zip(ratio, different, strict=True) if d) > 1.1
    assert max(r for r, d in zip(ratio, different, strict=True) if not d) < 1
    assert sum(disputed) == pytest.approx(sum(plain)) == pytest.approx(20)
    # No claim becomes so rare that its label would weigh more than half as much again as in a plain draw.
    weight = [1 / 40 / sum(other.row == fact.row for other in facts) for fact in facts]
    assert all(p >= 20 * w * (1 - MIX) / 1.0001 for p, w in zip(disputed, weight, strict=True))


def test_claims_that_got_worse_come_first_also_where_the_answer_says_it_in_other_words(services: Store) -> None:
    before = [make_row({"c": "x"}, make_claim(f"old words {n}", S, "c"), question=f"q{n}") for n in range(12)]
    store_rows(services, "r", before)
    store_rows(services, "unrelated", [make_row({"c": "x"}, make_claim("z", S, "c"), question="other")], week=1)
    now = [
        make_row(
            {"c": "x"},
            make_claim("old words 3", C, "c") if n == 3 else make_claim(f"new words {n}", C if n in (3, 7) else S, "c"),
            question=f"q{n}",
        )
        for n in range(12)
    ]
    store_rows(services, "s", now, week=2)
    order = _order(run_ids=["s"], size=6, regressed_first=True)
    items = _items(services, draw(services, order, created_by="ann"))
    assert {item.row for item in items if item.stratum == FIRST} == {4, 8}
    assert {item.row for item in items[:2]} == {4, 8}
    assert {item.inclusion_probability for item in items[:2]} == {1.0}
    assert [item.inclusion_probability for item in items[2:]] == pytest.approx([4 / 10] * 4)
    against = _order(run_ids=["s"], size=6, regressed_first=True, regressed_against="unrelated")
    assert FIRST not in {item.stratum for item in _items(services, draw(services, against, created_by="ann"))}
    with pytest.raises(InvalidInput, match="compared with itself"):
        draw(services, _order(run_ids=["s"], regressed_first=True, regressed_against="s"), created_by="ann")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"run_ids": []}, "at least one run"),
        ({"size": 0}, "at least 1 label"),
        ({"reviewers_per_item": 0}, "reviewers can label"),
        ({"reviewers_per_item": 21}, "reviewers can label"),
        ({"run_ids": ["empty"]}, "no claims to draw"),
        ({"strata": Strata.VERDICT, "size": 2}, "too few"),
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


@pytest.mark.parametrize("unit", list(Unit))
def test_a_tighter_interval_needs_more_labels_and_an_impossible_one_is_refused(services: Store, unit: Unit) -> None:
    _store(services)
    needed = [labels_for(services, ["r"], width, unit=unit).labels for width in (0.2, 0.1, 0.05)]
    assert needed == sorted(needed)
    for width in (0.0, 0.5):
        with pytest.raises(InvalidInput, match="half-width"):
            labels_for(services, ["r"], width, unit=unit)


def test_single_claims_are_drawn_by_default_because_they_take_fewer_labels(services: Store) -> None:
    _store(services, rows=200)
    claims, answers = (labels_for(services, ["r"], 0.1, unit=unit) for unit in (Unit.CLAIM, Unit.ANSWER))
    assert claims == labels_for(services, ["r"], 0.1)
    assert claims.labels == claims.units < answers.labels
    assert answers.labels == pytest.approx(2 * answers.units, abs=2)  # one to three claims an answer
    assert _design(services, draw(services, _order(), created_by="ann"))["unit"] == "claim"


def test_a_run_too_small_for_the_precision_is_to_be_labelled_wholly(services: Store) -> None:
    _store(services, rows=12)
    for unit in Unit:
        needed = labels_for(services, ["r"], 0.01, unit=unit)
        assert (needed.labels, needed.is_all) == (24, True)


def test_a_spot_check_says_how_many_of_the_claims_that_changed_it_took(services: Store) -> None:
    before = [make_row({"c": "x"}, make_claim(f"old words {n}", S, "c"), question=f"q{n}") for n in range(60)]
    store_rows(services, "r", before)
    now = [
        make_row({"c": "x"}, make_claim(f"new words {n}", C if n < 30 else S, "c"), question=f"q{n}") for n in range(60)
    ]
    store_rows(services, "s", now, week=1)
    order = _order(run_ids=["s"], size=24, regressed_first=True)
    check = spot_checks.get_spot_check(services.db, draw(services, order, created_by="ann"))
    first = drawn_first(check)
    assert first is not None
    assert first.claims == 30
    assert 12 <= first.drawn <= 18  # their share, and not all but two labels
    assert first.drawn == sum(item.stratum == FIRST for item in _items(services, check.spot_check_id))
    plain = draw(services, _order(run_ids=["s"]), created_by="ann")
    assert drawn_first(spot_checks.get_spot_check(services.db, plain)) is None
