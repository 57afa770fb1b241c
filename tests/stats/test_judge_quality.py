"""How good a judge is by reviewers' labels, and rates on labelled answers, worked out by hand."""

import pytest

from faithview.stats.agreement import Estimate
from faithview.stats.judge_quality import MISSED, JudgedLabel, Rates, auroc, judge_figures, rates

S, P, N, C = "supported", "partially_supported", "not_mentioned", "contradicted"


def _label(
    judge: str, people: str, *, confidence: float | None = None, weight: float = 1.0, is_drawn: bool = True
) -> JudgedLabel:
    name = f"{judge}{people}{confidence}"
    return JudgedLabel(
        cluster=name, judge=judge, people=people, confidence=confidence, weight=weight, is_drawn=is_drawn
    )


def _counts(found: Estimate) -> tuple[int, int]:
    return found.hits, found.labels


def test_recall_and_precision_of_a_judge() -> None:
    said = [(S, S), (S, C), (C, C), (C, N), (P, S), (S, "not_a_claim"), (MISSED, N)]
    found = judge_figures([_label(judge, people) for judge, people in said])
    assert _counts(found.accuracy) == (2, 6)  # an added claim has no verdict of the judge
    assert _counts(found.sensitivity) == (2, 4)  # S/C and the added one are not found
    assert _counts(found.specificity) == (1, 2)  # "not a claim" is neither
    assert _counts(found.precision) == (2, 3)
    assert (found.used, found.missed, found.is_drawn, found.is_weighted) == (6, 1, True, False)
    assert found.confusion[S] == {S: 1, P: 0, N: 0, C: 1, "not_a_claim": 1}
    # 2 of 6 the same; by chance (S 3 x 2 + P 1 x 0 + C 2 x 2 + N 0 x 1) / 36.
    assert found.kappa.value == pytest.approx((2 / 6 - 10 / 36) / (26 / 36))


def test_drawn_labels_count_by_what_they_stand_for_and_leave_others_out() -> None:
    labels = [_label(S, S, weight=9), _label(S, C, weight=2), _label(C, C), _label(C, S, is_drawn=False)]
    found = judge_figures(labels)
    assert (found.used, found.is_weighted) == (3, True)
    assert found.accuracy.value == pytest.approx(10 / 12)
    assert found.sensitivity.value == pytest.approx(1 / 3)
    assert (found.specificity.value, found.precision.value) == (1.0, 1.0)


def test_labels_that_were_not_drawn_say_nothing_of_recall() -> None:
    found = judge_figures([_label(C, C, is_drawn=False), _label(S, S, is_drawn=False), _label(MISSED, N)])
    assert (found.is_drawn, found.sensitivity, found.specificity) == (False, Estimate(), Estimate())
    assert (_counts(found.accuracy), _counts(found.precision), found.missed) == ((2, 2), (1, 1), 0)
    assert judge_figures([]).confusion == {}


def test_calibration_has_a_row_for_each_level_of_confidence_with_labels() -> None:
    labels = [_label(S, S, confidence=0.95), _label(S, C, confidence=1.0), _label(C, C, confidence=0.5), _label(C, C)]
    half, sure = judge_figures(labels).calibration
    assert (half.low, half.high, half.confidence, _counts(half.right)) == (0.4, 0.6, 0.5, (1, 1))
    assert (sure.low, sure.high, _counts(sure.right)) == (0.8, 1.0, (1, 2))
    assert sure.confidence == pytest.approx(0.975)


@pytest.mark.parametrize(
    ("actual", "predicted", "found"),
    [
        ("1100", "1010", Rates(balanced_accuracy=0.5, f1=0.5, precision=0.5, recall=0.5)),
        ("110", "100", Rates(balanced_accuracy=0.75, f1=2 / 3, precision=1.0, recall=0.5)),
        ("00", "00", Rates(balanced_accuracy=None, f1=None, precision=None, recall=None)),
    ],
)
def test_rates(actual: str, predicted: str, found: Rates) -> None:
    assert rates([a == "1" for a in actual], [p == "1" for p in predicted]) == found


@pytest.mark.parametrize(
    ("actual", "scores", "found"),
    [
        ([True, True, False, False], [0.9, 0.4, 0.5, 0.5], 0.5),
        ([True, False, False], [0.5, 0.5, 0.1], 0.75),  # a tie counts half
        ([True, True], [0.5, 0.1], None),
    ],
)
def test_auroc(actual: list[bool], scores: list[float], found: float | None) -> None:
    assert auroc(actual, scores) == found
