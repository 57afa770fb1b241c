"""The corrected score through the whole store: it contains the truth, and only a spot-check's labels move it."""

import random

import pytest

from faithview import Verdict
from faithview.domain.answer import View
from faithview.domain.spot_check import Design
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.comparison_document import compare_document
from faithview.services.container import Store
from faithview.services.json_documents import agreement_document
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.reports.run_report import report_run
from faithview.services.results import get_summary
from faithview.services.review import queue
from faithview.services.review.corrected_score import Correction, correct_run
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels
from faithview.store import labels, spot_checks
from tests.factories import C, S, draw_check, make_claim, make_label, make_row, say, store_rows

CLAIMS = 3
Truth = dict[tuple[int, int], Verdict]


def _store(services: Store, run_id: str = "r", *, rows: int = 60, seed: int = 3, week: int = 0) -> Truth:
    """Store a run whose judge is wrong on one claim of seven, and return what is true."""
    source = random.Random(seed)
    truth: Truth = {}
    made = []
    for row in range(1, rows + 1):
        claims = []
        for number in range(1, CLAIMS + 1):
            true = S if source.random() < 0.75 else C
            truth[row, number] = true
            judged = true if source.random() < 6 / 7 else (C if true is S else S)
            claims.append(
                make_claim(f"claim {run_id} {row}.{number}", judged, "c", support=0.9 if judged is S else 0.2)
            )
        made.append(make_row({"c": f"chunk {row}"}, *claims, question=f"q{row}"))
    store_rows(services, run_id, made, week=week)
    return truth


def _label_all(services: Store, check: int, truth: Truth, *, most: int = 10_000) -> None:
    count = min(most, spot_checks.get_queue_progress(services.db, check).items)
    given = []
    for position in range(1, count + 1):
        place = spot_checks.get_item(services.db, check, position).place
        verdict = truth[place.row, place.claim_number]
        label = make_label(verdict, place.claim_number, spot_check_id=check, is_blind=True)
        given.append((place.run_id, place.row, label))
    labels.add_labels(services.db, given)


def _true_mean(truth: Truth) -> float:
    return sum(verdict is S for verdict in truth.values()) / len(truth)  # every answer has as many claims


def _corrected(services: Store, run_id: str = "r") -> tuple[Correction, CorrectedScore]:
    found = correct_run(services, run_id)
    assert found is not None
    assert isinstance(found.score, CorrectedScore)
    return found, found.score


@pytest.mark.parametrize("design", [Design.RANDOM, Design.BALANCED])
def test_intervals_hold_the_truth_and_are_not_wider_than_those_of_labels_alone(services: Store, design: Design) -> None:
    held, errors, draws = 0, [], 3
    for seed in range(draws):
        run_id = f"r{seed}"
        truth = _store(services, run_id, seed=seed)
        check = draw_check(services, run_id, size=75, design=design, seed=seed)
        _label_all(services, check, truth)
        _, score = _corrected(services, run_id)
        interval = score.corrected.interval
        held += interval.low <= _true_mean(truth) <= interval.high
        errors.append(score.corrected.score - _true_mean(truth))
        assert score.corrected.variance <= score.labels_only.variance
        assert score.judge == pytest.approx(get_summary(services, run_id).score.mean)
    assert held >= 2  # the seeds are fixed
    assert abs(sum(errors) / draws) < 0.06


def test_a_run_labelled_wholly_is_known_exactly(services: Store) -> None:
    truth = _store(services, rows=10)
    check = draw_check(services, "r", size=30)
    _label_all(services, check, truth)
    found, score = _corrected(services)
    assert score.corrected.score == pytest.approx(_true_mean(truth))
    assert score.corrected.half_width == 0
    assert (found.labelled_rows, found.labels, found.left_out, found.disagreements, found.skipped) == (10, 30, 0, 0, 0)
    assert score.corrected.score == pytest.approx(get_summary(services, "r", view=View.REVIEWED).score.mean)


def test_what_is_no_claim_does_not_count(services: Store) -> None:
    store_rows(services, "r", [make_row({"c": "x"}, make_claim("a b", S, "c"), make_claim("c", C, "c"))])
    check = draw_check(services, "r", size=2)
    for position in (1, 2):
        place = spot_checks.get_item(services.db, check, position).place
        said = "supported" if place.claim_number == 1 else "not_a_claim"
        queue.label_and_advance(services, check, position, said, reviewer="ann")
    assert _corrected(services)[1].corrected.score == 1.0  # of the claim that is one


def test_labels_given_elsewhere_move_the_reviewed_score_and_not_the_corrected_one(services: Store) -> None:
    truth = _store(services)
    check = draw_check(services, "r", size=60)
    _label_all(services, check, truth)
    before = _corrected(services)[1]
    drawn = {item.place.row for item in spot_checks.list_items(services.db, check)}
    others = [row for row in range(1, 61) if row not in drawn][:5]
    reviewed = get_summary(services, "r", view=View.REVIEWED).score.mean
    for row in others:
        for number in range(1, CLAIMS + 1):
            say(services, "r", row, number, "contradicted", by="bob")
    found, after = _corrected(services)
    assert after == before
    assert found.left_out == 15
    assert get_summary(services, "r", view=View.REVIEWED).score.mean != reviewed


def test_without_a_spot_check_there_is_no_corrected_score_and_too_few_labels_say_so(services: Store) -> None:
    truth = _store(services)
    assert correct_run(services, "r") is None
    check = draw_check(services, "r", size=60)
    _label_all(services, check, truth, most=1)
    found = correct_run(services, "r")
    assert found is not None
    assert isinstance(found.score, NotEnoughLabels)
    agreement, _, reason = agreement_document(services, "r")
    assert agreement["human_corrected"]["estimate"] is None
    assert reason == found.score.message


def test_the_spot_check_with_most_labels_is_used(services: Store) -> None:
    truth = _store(services)
    used, unused = (draw_check(services, "r", size=60, seed=seed) for seed in (1, 2))
    _label_all(services, used, truth)
    _label_all(services, unused, truth, most=3)
    assert _corrected(services)[0].check.spot_check_id == used


def test_corrected_scores_of_two_runs_are_compared_and_stand_in_reports(services: Store) -> None:
    truths = {"old": _store(services, "old"), "new": _store(services, "new", seed=9, week=1)}
    assert compare_runs(services, "old", "new").corrected is None
    for run_id, truth in truths.items():
        check = draw_check(services, run_id, size=170, name=run_id)
        _label_all(services, check, truth)
    found = compare_runs(services, "old", "new")
    assert found.corrected is not None
    difference = _true_mean(truths["new"]) - _true_mean(truths["old"])
    assert found.corrected.interval.low <= difference <= found.corrected.interval.high
    assert "Corrected by spot-checks" in report_comparison(services, "old", "new")
    document = compare_document(services, found).to_dict()["corrected_delta"]
    assert document["estimate"] == found.corrected.difference
    assert document["candidate"] - document["baseline"] == found.corrected.difference
    correction = correct_run(services, "old")
    assert correction is not None
    assert isinstance(correction.score, CorrectedScore)
    corrected = f"<strong>{correction.score.corrected.score:.2f}</strong>"
    lead, _, rest = report_run(services, "old").partition("Faithfulness by the judge <strong>")
    assert f"Faithfulness corrected by a spot-check {corrected}" in lead
    assert rest


def test_a_corrected_difference_of_too_few_labels_is_not_shown(services: Store) -> None:
    for run_id, week in (("old", 0), ("new", 1)):
        truth = _store(services, run_id, seed=week + 3, week=week)
        check = draw_check(services, run_id, size=40, name=run_id)
        _label_all(services, check, truth)
    assert compare_runs(services, "old", "new").corrected is None
