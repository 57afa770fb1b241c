"""Labels on one of two runs are not a change of the runs: no test, no finding, no gate."""

from collections.abc import Sequence

import pytest

from faithview import Result, Sample
from faithview.domain.alert import AlertKind
from faithview.domain.answer import View
from faithview.services.alerts import add_rule, evaluate_alerts
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.comparison_document import compare_document
from faithview.services.container import Store
from faithview.services.gates import Gates, check_gates
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.results import get_run, get_summary
from faithview.services.review.carry_over import carry_labels
from faithview.services.review.label_balance import find_balance
from faithview.services.review.labels import LabelProvenance, label_missed_claim
from faithview.ui.changes.comparison_finding import compare_finding
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


def _compare(services: Store, baseline: str = "old", candidate: str = "new", *, view: View) -> Comparison:
    return compare_runs(services, baseline, candidate, view=view)


def _is_withheld(found: Comparison) -> bool:
    figures = (found.difference.interval, found.difference.p_value, found.difference.detectable, found.faithful.p_value)
    parts = [(s.interval, s.p_value, s.p_value_adjusted) for s in found.segments]
    return not found.is_significant and not found.is_regression and {*figures, *sum(parts, ())} == {None}


@pytest.mark.parametrize("view", [View.REVIEWED, View.CORRECTED])
@pytest.mark.parametrize("pair", [("old", "new"), ("new", "old")])
def test_labels_on_one_of_two_identical_runs_are_no_finding(services: Store, view: View, pair: tuple[str, str]) -> None:
    _store(services)
    _label(services, "new")
    found = _compare(services, *pair, view=view)
    assert abs(found.difference.mean or 0) == pytest.approx(0.5)
    assert _is_withheld(found)
    (caution,) = found.cautions
    assert caution.code == "unbalanced_labels"
    counts = {"new": 12, "old": 0}
    assert caution.text.startswith(
        f"{counts[pair[1]]} claims of the candidate have labels, {counts[pair[0]]} of the baseline, "
        "and 12 labels change a verdict in one run only."
    )
    assert compare_finding(found).startswith("**No finding:** the reviewed scores are ")
    document = compare_document(services, found).to_dict()
    assert (document["p_value"], document["delta_ci"], document["is_significant"]) == (None, None, False)
    assert document["labels"] == {"baseline": counts[pair[0]], "candidate": counts[pair[1]], "balanced": False}
    report = report_comparison(services, *pair, view=view)
    assert "may have changed by labelling alone" in report
    assert caution.text in report
    assert "McNemar" not in report


def test_the_judges_view_does_not_depend_on_labels(services: Store) -> None:
    _store(services)
    _label(services, "new")
    found = _compare(services, view=View.JUDGE)
    assert (found.labels, found.cautions, found.difference.p_value) == (None, (), 1.0)


def test_no_gate_and_no_alert_fires_on_labels(services: Store) -> None:
    _store(services)
    _label(services, "new", claims=(1,), verdict="not_mentioned")
    add_rule(services, AlertKind.FELL, 0.0)
    assert evaluate_alerts(services, get_run(services, "new")) == []
    gates = Gates(fail_on_regression=True)
    assert not check_gates(services, get_summary(services, "new"), gates, baseline=get_run(services, "old")).failures


@pytest.mark.parametrize("claims", [(2,), (1, 2)], ids=["the flagged ones", "all of them"])
def test_runs_that_are_labelled_alike_are_tested(services: Store, claims: tuple[int, ...]) -> None:
    # The claims' words differ, so no claim of the one run is one of the other.
    _store(services, prefix="Indeed: ")
    _label(services, "old", claims=claims, verdict="not_mentioned")
    _label(services, "new", claims=claims)
    found = _compare(services, view=View.REVIEWED)
    assert found.has_balanced_labels
    assert found.is_significant
    assert found.cautions == ()


def test_labels_that_were_carried_over_are_balanced(services: Store) -> None:
    store_rows(services, "old", _rows(), series="s")
    _label(services, "old", claims=(2,))
    store_rows(services, "new", _rows(), week=1, series="s")
    carry_labels(services.db, "new")
    found = _compare(services, view=View.REVIEWED)
    assert (found.difference.mean, found.difference.p_value) == (0.0, 1.0)
    assert found.labels is not None
    assert (found.labels.baseline, found.labels.candidate, found.labels.is_balanced) == (12, 12, True)


def test_a_label_that_agrees_with_the_judge_changes_no_score(services: Store) -> None:
    _store(services)
    _label(services, "new", verdict="not_mentioned")
    assert _compare(services, view=View.REVIEWED).has_balanced_labels


def test_one_label_of_the_same_answer_on_another_claim_is_not_balance(services: Store) -> None:
    _store(services)
    say(services, "new", 1, 2, "supported")
    say(services, "old", 1, 1, "not_mentioned")
    labels = _compare(services, view=View.REVIEWED).labels
    assert labels is not None
    assert (labels.baseline_alone, labels.candidate_alone) == (1, 1)


def test_a_claim_that_people_added_on_one_side_is_not_balanced(services: Store) -> None:
    _store(services)
    label_missed_claim(
        services, "new", 1, start=0, end=6, verdict="not_mentioned", provenance=LabelProvenance(reviewer="ann")
    )
    labels = _compare(services, view=View.REVIEWED).labels
    assert labels is not None
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
