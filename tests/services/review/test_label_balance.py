"""Whether two runs are labelled alike; labels on one of them are no change of the runs."""

from collections.abc import Sequence

import pytest

from faithview import Result, Sample
from faithview.domain.alert import AlertKind
from faithview.services.alerts import add_rule, evaluate_alerts
from faithview.services.container import Store
from faithview.services.gates import Gates, check_gates
from faithview.services.results import get_run, get_summary
from faithview.services.review.carry_over import carry_labels
from faithview.services.review.label_balance import find_balance
from faithview.services.review.labels import LabelProvenance, label_missed_claim
from tests.factories import N, S, make_claim, make_row, say, store_rows

CHUNK = {"doc": "The office opens at nine on weekdays."}
ANSWERS = 12


def _rows(*, prefix: str = "") -> list[tuple[Sample, Result]]:
    """Twelve answers of two claims, the second of which the judge does not find."""
    return [
        make_row(
            CHUNK,
            make_claim(f"{prefix}It opens at nine, case {number}.", S, "doc"),
            make_claim(f"{prefix}It is blue, case {number}.", N),
            question=f"What of case {number}?",
            key=f"q{number}",
        )
        for number in range(ANSWERS)
    ]


def _store(services: Store, *, prefix: str = "") -> None:
    store_rows(services, "old", _rows(), series="s")
    store_rows(services, "new", _rows(prefix=prefix), week=1, series="s")


def _label(services: Store, run_id: str, *, claims: Sequence[int] = (2,), verdict: str = "supported") -> None:
    for row in range(1, ANSWERS + 1):
        for claim in claims:
            say(services, run_id, row, claim, verdict)


def test_no_gate_and_no_alert_fires_on_labels(services: Store) -> None:
    _store(services)
    _label(services, "new", claims=(1,), verdict="not_mentioned")
    add_rule(services, AlertKind.FELL, 0.0)
    assert evaluate_alerts(services, get_run(services, "new")) == []
    gates = Gates(fail_on_regression=True)
    assert not check_gates(services, get_summary(services, "new"), gates, baseline=get_run(services, "old")).failures


@pytest.mark.parametrize("claims", [(2,), (1, 2)], ids=["the flagged ones", "all of them"])
def test_runs_that_are_labelled_alike_are_balanced(services: Store, claims: tuple[int, ...]) -> None:
    # The claims' words differ, so no claim of the one run is one of the other.
    _store(services, prefix="Indeed: ")
    _label(services, "old", claims=claims, verdict="not_mentioned")
    _label(services, "new", claims=claims)
    assert find_balance(services, "old", "new").is_balanced


def test_labels_that_were_carried_over_are_balanced(services: Store) -> None:
    store_rows(services, "old", _rows(), series="s")
    _label(services, "old", claims=(2,))
    store_rows(services, "new", _rows(), week=1, series="s")
    carry_labels(services.db, "new")
    found = find_balance(services, "old", "new")
    assert (found.baseline, found.candidate, found.is_balanced) == (12, 12, True)


def test_a_label_that_agrees_with_the_judge_changes_no_score(services: Store) -> None:
    _store(services)
    _label(services, "new", verdict="not_mentioned")
    assert find_balance(services, "old", "new").is_balanced


def test_one_label_of_the_same_answer_on_another_claim_is_not_balance(services: Store) -> None:
    _store(services)
    say(services, "new", 1, 2, "supported")
    say(services, "old", 1, 1, "not_mentioned")
    labels = find_balance(services, "old", "new")
    assert (labels.baseline_alone, labels.candidate_alone) == (1, 1)


def test_a_claim_that_people_added_on_one_side_is_not_balanced(services: Store) -> None:
    _store(services)
    label_missed_claim(
        services, "new", 1, start=0, end=6, verdict="not_mentioned", provenance=LabelProvenance(reviewer="ann")
    )
    labels = find_balance(services, "old", "new")
    assert (labels.baseline, labels.candidate, labels.candidate_alone) == (0, 1, 1)


def test_whole_runs_are_paired_by_key_and_question(services: Store) -> None:
    store_rows(services, "old", _rows(), series="s")
    store_rows(services, "new", _rows()[::-1], week=1, series="s")
    runs = ["old", "new"]
    assert find_balance(services, *runs).is_balanced
    say(services, "old", 1, 2, "supported")
    assert not find_balance(services, *runs).is_balanced
    say(services, "new", ANSWERS, 2, "supported")
    assert find_balance(services, *runs).is_balanced
