"""A judge held against people's labels, on tables small enough to check by hand."""

from dataclasses import replace

import pytest

from faithview.stats.intervals import student_quantile, wilson_interval
from faithview.stats.judge_quality import (
    MISSED,
    Basis,
    JudgedLabel,
    calibration,
    confusion,
    error_rates,
    judge_figures,
)
from faithview.stats.shares import paired_difference, share

S, P, N, C = "supported", "partially_supported", "not_mentioned", "contradicted"


def labels(*rows: tuple[str, str, int], weight: float = 1.0, start: int = 0) -> list[JudgedLabel]:
    """So many claims with this verdict of the judge and that of people, each of its own answer."""
    pairs = [(judge, people) for judge, people, number in rows for _ in range(number)]
    return [
        JudgedLabel(answer=f"a{at}", judge=judge, people=people, weight=weight)
        for at, (judge, people) in enumerate(pairs, start=start)
    ]


def test_rates_of_a_table_worked_by_hand() -> None:
    # Unsupported by people: 20, of which the judge flags 15. Supported: 80, of which it flags 8.
    rates = error_rates(labels((N, N, 10), (C, N, 5), (S, P, 5), (N, S, 8), (S, S, 72)))
    assert rates.sensitivity.value == pytest.approx(15 / 20)
    assert rates.specificity.value == pytest.approx(72 / 80)
    assert rates.accuracy.value == pytest.approx(82 / 100)
    assert (rates.sensitivity.labels, rates.specificity.labels) == (20, 80)


def test_the_interval_of_plain_labels_is_wilsons() -> None:
    found = share([True] * 15 + [False] * 5, answers=range(20))
    # The variance of a share with each claim a cluster is p (1 - p) / (n - 1).
    assert found.effective == pytest.approx(19)
    assert found.interval == wilson_interval(0.75, found.effective, z=student_quantile(0.95, 19))


def test_labels_of_a_spot_check_stand_for_as_many_as_their_chance_says() -> None:
    # Sure claims were drawn one in ten, doubtful ones one in two; the judge misses 1 of 10 and 5 of 10.
    sure = labels((N, N, 9), (S, N, 1), weight=10.0)
    doubtful = labels((N, N, 5), (S, N, 5), weight=2.0, start=10)
    rates = error_rates(sure + doubtful)
    assert rates.sensitivity.value == pytest.approx((90 + 10) / 120)
    assert rates.sensitivity.effective < 20


def test_claims_of_one_answer_widen_the_interval() -> None:
    hits = ([True] * 4 + [False] * 4) * 5
    apart = share(hits, answers=range(40))
    together = share(hits, answers=[at // 4 for at in range(40)])
    assert together.effective == pytest.approx(9)  # ten answers, each right or wrong as a whole
    assert apart.effective == pytest.approx(39)


def test_where_people_found_nothing_unsupported_there_is_no_sensitivity() -> None:
    rates = error_rates(labels((S, S, 5), (N, S, 1)))
    assert (rates.sensitivity.value, rates.sensitivity.interval, rates.sensitivity.labels) == (None, None, 0)


def test_one_answer_gives_a_share_without_an_interval() -> None:
    found = share([True, False], answers=["a", "a"])
    assert (found.value, found.interval) == (0.5, None)


def test_the_confusion_matrix_has_every_verdict_and_counts_weighted_and_plain() -> None:
    matrix = confusion([*labels((S, S, 3), (N, C, 1)), *labels((S, N, 1), weight=4.0)])
    assert matrix.verdicts == (S, P, N, C)
    assert matrix.counts[S] == {S: 3, P: 0, N: 1, C: 0}
    assert matrix.counts[N][C] == 1
    assert matrix.shares[S][N] == pytest.approx(0.5)
    assert sum(sum(row.values()) for row in matrix.shares.values()) == pytest.approx(1)


def test_a_label_that_is_no_verdict_of_the_judge_stands_last() -> None:
    assert confusion(labels((S, "not_a_claim", 1))).verdicts == (S, P, N, C, "not_a_claim")


def confident(confidence: float, *, right: int, wrong: int, start: int) -> list[JudgedLabel]:
    return [
        JudgedLabel(answer=f"a{start + at}", judge=S, people=S if at < right else N, confidence=confidence)
        for at in range(right + wrong)
    ]


def test_calibration_says_how_often_the_judge_is_right_at_each_confidence() -> None:
    found = calibration(
        [*confident(0.95, right=8, wrong=2, start=0), *confident(0.55, right=3, wrong=7, start=10), *labels((S, S, 4))]
    )
    assert [(b.low, b.high, b.right.labels) for b in found.bins] == [(0.5, 0.6, 10), (0.9, 1.0, 10)]
    assert [b.right.value for b in found.bins] == pytest.approx([0.3, 0.8])
    assert found.error == pytest.approx((0.25 + 0.15) / 2)
    assert found.without == 4


def test_a_paired_difference_is_worked_by_hand() -> None:
    # +1, 0, 0, -1, +1, +1 over six answers: mean 1/3, sd sqrt(10/3 / 5), t with 5 degrees of freedom.
    first, second = [1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 0]
    found = paired_difference(first, second, answers=range(6))
    assert found is not None
    assert found.value == pytest.approx(1 / 3)
    assert found.interval is not None
    reach = student_quantile(0.95, 5) * ((10 / 3) / 5 / 6) ** 0.5
    assert (found.interval.low, found.interval.high) == pytest.approx((1 / 3 - reach, min(1.0, 1 / 3 + reach)))


def test_kappa_and_accuracy_of_a_strongly_unequal_draw_are_weighted_as_worked_by_hand() -> None:
    # What the judge supports was drawn one in ten, what it flags was drawn whole. Weighted counts, judge by people:
    # 90 and 10 of the supported, 5 and 5 of the flagged; 110 in all.
    passed = labels((S, S, 9), (S, C, 1), weight=10.0)
    flagged = labels((C, S, 5), (C, C, 5), start=10)
    figures = judge_figures(passed + flagged)
    assert figures.rates is not None
    assert figures.confusion is not None
    assert figures.is_weighted
    assert figures.rates.accuracy.value == pytest.approx(95 / 110)
    assert figures.rates.sensitivity.value == pytest.approx(5 / 15)
    assert figures.rates.specificity.value == pytest.approx(90 / 95)
    assert figures.confusion.shares[S][C] == pytest.approx(10 / 110)
    assert figures.confusion.counts[S][C] == 1
    # Chance: (100 x 95 + 10 x 15) / 110^2, so kappa = (95 x 110 - 9650) / (12100 - 9650); unweighted it would be 0.4.
    assert figures.kappa.value == pytest.approx(16 / 49)
    assert figures.kappa.observed == pytest.approx(95 / 110)
    assert figures.kappa.claims == 20


def test_equal_weights_leave_kappa_and_its_interval_as_they_are() -> None:
    table = ((S, S, 30), (S, C, 6), (C, S, 4), (C, C, 20))
    plain, drawn = judge_figures(labels(*table)), judge_figures(labels(*table, weight=7.0))
    assert not drawn.is_weighted
    assert drawn.kappa.value == pytest.approx(plain.kappa.value)
    assert drawn.kappa.interval == pytest.approx(plain.kappa.interval)


def test_precision_is_the_share_of_flagged_claims_that_people_flag_too() -> None:
    rates = error_rates(labels((N, N, 10), (C, N, 5), (S, P, 5), (N, S, 8), (N, "not_a_claim", 2), (S, S, 72)))
    assert rates.precision.value == pytest.approx(15 / 25)
    assert (rates.precision.hits, rates.precision.labels) == (15, 25)


def test_without_a_draw_recall_and_specificity_are_unknown() -> None:
    chosen = [replace(label, is_drawn=False) for label in labels((N, N, 6), (N, S, 4))]
    found = judge_figures(chosen)
    assert found.rates is not None
    assert (found.basis, found.rates.sensitivity.value, found.rates.specificity.value) == (Basis.FLAGGED, None, None)
    assert [found.rates.precision.value, found.rates.accuracy.value] == pytest.approx([0.6, 0.6])
    more = judge_figures([*chosen, *(replace(label, is_drawn=False) for label in labels((S, S, 1), start=10))])
    assert more.basis is Basis.CHOSEN
    drawn = judge_figures([*chosen, *labels((S, N, 1), (S, S, 3), start=10)])
    assert drawn.rates is not None
    assert (drawn.basis, drawn.used, drawn.rates.sensitivity.value) == (Basis.SPOT_CHECK, 4, 0.0)


def test_a_missed_claim_counts_against_recall_and_nothing_else() -> None:
    found = labels((N, N, 8), (S, S, 20))
    missed = [JudgedLabel(answer="a0", judge=MISSED, people=people, weight=1.0) for people in (N, S)]
    before, after = judge_figures(found), judge_figures([*found, *missed])
    assert before.rates is not None
    assert after.rates is not None
    assert (after.rates.sensitivity.hits, after.rates.sensitivity.labels, after.missed) == (8, 9, 1)
    assert replace(after.rates, sensitivity=before.rates.sensitivity) == before.rates
    assert (after.confusion, after.kappa, after.used) == (before.confusion, before.kappa, 28)
