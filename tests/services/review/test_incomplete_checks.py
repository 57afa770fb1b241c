"""The corrected score when people skip, disagree, label elsewhere, take claims out, or go on after a draw."""

import pytest

from faithview import Verdict
from faithview.domain.answer import View
from faithview.services.container import Store
from faithview.services.results import get_summary
from faithview.services.review import labels, queue
from faithview.services.review.corrected_score import Correction, correct_run
from faithview.services.review.disagreements import adjudicate
from faithview.services.review.labels import LabelProvenance
from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.spot_check import Unit
from faithview.store import results, runs
from faithview.ui.widgets.corrected_score import basis_text, corrected_text
from tests.factories import (
    NOW,
    C,
    S,
    draw_check,
    label_check,
    make_claim,
    make_result,
    make_row,
    make_rows,
    make_run,
    say,
    store_rows,
)

# The arithmetic is the same on every engine; test_corrected_score.py and tests/store ask both.
pytestmark = pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)


_ANSWERS = 24
_CLAIMS = 3


def _store(services: Store, *, answers: int = _ANSWERS) -> None:
    """Store a run of which the judge supports every claim."""
    store_rows(services, "r", make_rows([[S] * _CLAIMS] * answers))


def _draw(services: Store, size: int, *, unit: Unit = Unit.ANSWER, reviewers: int = 1) -> int:
    return draw_check(services, "r", size=size, unit=unit, seed=4, reviewers_per_item=reviewers)


def _label(services: Store, check: int, said: dict[int, str], *, by: str = "ann") -> None:
    """Label every place of the queue: as `said` has it, "" to skip the place, else "supported"."""
    label_check(services, check, lambda item: said.get(item.position, "supported"), by=by)


def _corrected(services: Store) -> tuple[Correction, CorrectedScore]:
    correction = correct_run(services, "r")
    assert correction is not None
    assert isinstance(correction.score, CorrectedScore)
    return correction, correction.score


def test_a_second_opinion_from_outside_the_spot_check_does_not_move_the_estimate(services: Store) -> None:
    _store(services)
    check = _draw(services, 36)
    _label(services, check, dict.fromkeys(range(1, 10), "contradicted"))
    correction, before = _corrected(services)
    for position in range(1, 10):
        place = queue.get_claim(services, check, position, reviewer="ann").item.drawn
        for reviewer in ("bob", "cleo"):
            say(services, "r", place.row, place.claim_number, "supported", by=reviewer)
    after, score = _corrected(services)
    assert score == before
    assert (after.labels, after.disagreements) == (correction.labels, 0)


def test_an_adjudication_of_labels_of_the_spot_check_does_move_it(services: Store) -> None:
    _store(services)
    check = _draw(services, 36, reviewers=2)
    _label(services, check, {})
    _label(services, check, {1: "contradicted"}, by="bob")
    tied, before = _corrected(services)
    assert tied.disagreements == 1
    place = queue.get_claim(services, check, 1, reviewer="ann").item.drawn
    adjudicate(services, "r", place.row, place.claim_number, "contradicted", reviewer="eve")
    settled, after = _corrected(services)
    assert settled.disagreements == 0
    assert after.corrected.score < before.corrected.score


def test_an_answer_with_a_skipped_claim_still_counts_and_the_interval_allows_for_the_claim(services: Store) -> None:
    _store(services)
    check = _draw(services, 36)
    _label(services, check, {2: "", 5: "", 7: "contradicted"})
    correction, score = _corrected(services)
    assert (correction.skipped, correction.labels, correction.labelled_rows) == (2, 34, 12)
    assert score.unknown is not None
    assert score.unknown.if_wrong < score.corrected.score <= score.unknown.if_right
    assert score.corrected.interval.low < score.unknown.sampling.low
    # 34 labels, one of them a wrong claim; the skipped ones would be 2 of 36 claims of 12 equal answers.
    assert score.labels_only.score == pytest.approx((12 - 1 / 3) / 12, abs=0.02)


def test_a_tied_claim_is_unknown_and_not_left_out(services: Store) -> None:
    _store(services)
    check = _draw(services, 36, unit=Unit.CLAIM, reviewers=2)
    _label(services, check, {})
    _label(services, check, {3: "contradicted"}, by="bob")
    correction, score = _corrected(services)
    assert (correction.disagreements, correction.skipped, correction.labels) == (1, 0, 35)
    assert score.unknown is not None
    assert score.unknown.if_wrong < score.unknown.if_right


def test_skipped_claims_come_first_when_the_check_is_taken_up_again(services: Store) -> None:
    _store(services)
    check = _draw(services, 36)
    _label(services, check, dict.fromkeys((2, 5, *range(9, 37)), ""))
    claim = queue.next_claim(services, check, reviewer="ann")
    assert claim is not None
    assert claim.item.position == 2


@pytest.mark.parametrize("unit", [Unit.ANSWER, Unit.CLAIM])
def test_with_everything_labelled_the_reviewed_and_the_corrected_score_are_the_same(
    services: Store, unit: Unit
) -> None:
    _store(services, answers=6)
    check = _draw(services, 18, unit=unit)
    places = [queue.get_claim(services, check, position, reviewer="ann").item for position in range(1, 19)]
    gone = min(item.drawn.row for item in places)  # an answer without any claim left, and two with fewer claims
    other, third = sorted({item.drawn.row for item in places} - {gone})[:2]
    said = {}
    for item in places:
        if item.drawn.row == gone or (item.drawn.row == other and item.drawn.claim_number == 1):
            said[item.position] = "not_a_claim"
        elif item.drawn.claim_number == 2:
            said[item.position] = "contradicted"
    _label(services, check, said)
    labels.label_missed_claim(
        services, "r", third, start=0, end=5, verdict="not_mentioned", provenance=LabelProvenance(reviewer="ann")
    )
    _, score = _corrected(services)
    reviewed = get_summary(services, "r", view=View.REVIEWED).score.mean
    assert score.corrected.score == pytest.approx(reviewed, abs=1e-8)
    assert score.corrected.half_width == pytest.approx(0, abs=1e-12)


def test_the_interval_holds_at_every_look_until_the_queue_is_through_and_is_the_fixed_one_then(
    services: Store,
) -> None:
    _store(services)
    check = _draw(services, 36)
    for position in range(1, 34):
        queue.label_and_advance(
            services, check, position, "contradicted" if position % 5 == 0 else "supported", reviewer="ann"
        )
    before, early = _corrected(services)
    for position in range(34, 37):
        queue.label_and_advance(services, check, position, "supported", reviewer="ann")
    after, late = _corrected(services)
    assert (before.is_final, after.is_final) == (False, True)
    assert early.corrected.half_width > 1.3 * late.corrected.half_width
    # The interval that holds at every look is too wide for a headline here.
    assert corrected_text(before).startswith("Too few labels for a corrected score")
    assert "while labelling" not in corrected_text(after)
    assert "too few labels" in basis_text(before)
    assert "still labelling" not in basis_text(after)


@pytest.mark.parametrize("unit", [Unit.ANSWER, Unit.CLAIM])
def test_what_is_no_claim_leaves_the_population(services: Store, unit: Unit) -> None:
    _store(services)
    check = _draw(services, 36, unit=unit)
    _label(services, check, dict.fromkeys(range(1, 36, 4), "not_a_claim"))
    _, score = _corrected(services)
    assert score.corrected.score == pytest.approx(1.0)


@pytest.mark.parametrize("unit", [Unit.ANSWER, Unit.CLAIM])
def test_a_draw_belongs_to_the_answers_that_were_judged_when_it_was_made(services: Store, unit: Unit) -> None:
    samples = [make_row({"c": f"{n}"}, make_claim(f"claim {n}", S, "c"), question=f"q{n}")[0] for n in range(30)]
    run = make_run("r", as_of=NOW)
    runs.create_run(services.db, run, samples)
    runs.take_run(services.db, "r", worker="w", now=NOW)

    def judge(rows: range, verdict: Verdict) -> None:
        outcomes = [(n + 1, samples[n], make_result(make_claim(f"claim {n}", verdict, "c"))) for n in rows]
        results.save_results(services.db, "r", outcomes, worker="w", now=NOW, seconds=1.0)

    judge(range(20), S)
    check = _draw(services, 10, unit=unit)
    _label(services, check, {1: "contradicted"})
    before, score = _corrected(services)
    judge(range(20, 30), C)
    after, later = _corrected(services)
    assert later == score
    assert (before.answers, before.answers_since) == (20, 0)
    assert (after.answers, after.answers_since) == (20, 10)


def test_two_spot_checks_of_the_same_answers_give_one_score(services: Store) -> None:
    _store(services)
    first = _draw(services, 36)
    _label(services, first, {4: "contradicted"})
    alone, score = _corrected(services)
    second = draw_check(services, "r", size=30, name="second", unit=Unit.CLAIM, seed=9)
    _label(services, second, {2: "contradicted", 3: "contradicted"})
    both, pooled = _corrected(services)
    assert (alone.checks, both.checks) == (1, 2)
    assert both.check.spot_check_id == first
    assert pooled.corrected.score < score.corrected.score
    assert pooled.corrected.effective > score.corrected.effective
    assert alone.labels < both.labels <= 36 + 30  # claims that both drew count once
