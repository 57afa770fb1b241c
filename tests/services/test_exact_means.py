"""A run's mean is exact to the last digit, and the same beside every other figure."""

import math

import pytest

from faithview.documents.runs import RunFigures
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.services.results import get_summary, list_troubles
from faithview.services.review.corrected_score import correct_run
from tests.factories import C, S, draw_check, label_check, make_result, make_rows, store_rows, store_run


def test_a_mean_has_no_rounding_of_its_parts(services: Store) -> None:
    # Three answers a question, of three claims each: sums of thirds, which were rounded to nine digits.
    rights = [2] * 90 + [3] * 209 + [1]
    samples = [Sample(answer="So.", question=f"q{n // 3}") for n in range(len(rights))]
    store_run(services.db, samples, [make_result(*[S] * right, *[C] * (3 - right)) for right in rights])
    mean = get_summary(services, "r1").score.mean
    assert mean == math.fsum(right / 3 for right in rights) / len(rights)


def test_the_document_of_a_run_shows_no_noise(services: Store) -> None:
    store_run(
        services.db,
        [Sample(answer="So.", question=f"q{n}") for n in range(10)],
        [make_result(S)] * 9 + [make_result(C)],
    )
    summary = get_summary(services, "r1")
    document = RunFigures.of(summary, troubles=list_troubles(services, "r1"))
    assert (document.faithfulness, document.hallucination_rate) == (0.9, 0.1)


@pytest.mark.parametrize("size", [30, 240])
def test_the_judge_s_score_beside_a_corrected_one_is_the_run_s_own_mean(services: Store, size: int) -> None:
    # 0.625, an exact half of the second digit: a sum of 1 / (N m) is a little less and would read 0.62, not 0.63.
    store_rows(services, "r", make_rows([(S, S, S, C)] * 30 + [(S, S, C, C)] * 30))
    check = draw_check(services, "r", size=size)
    label_check(services, check, lambda _: S)
    correction = correct_run(services, "r")
    assert correction is not None
    assert correction.score.judge == get_summary(services, "r").score.mean == 0.625
