"""Which claims come first: contradictions, then by severity times the probability that the verdict is right."""

import pytest

from faithview.domain.claim import Severity, Verdict
from faithview.domain.scoring import SETTLED_CONFIDENCE, expected_harm

S, P, N, C = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("verdict", "severity", "confidence", "harm"),
    [
        (C, Severity.HIGH, 0.8, 1.8),
        (C, Severity.LOW, 0.4, 1.1),
        (N, Severity.HIGH, 0.9, 0.9),
        (N, Severity.MEDIUM, 0.5, 0.25),
        (P, Severity.LOW, 0.2, 0.05),
        (N, None, 0.5, 0.25),  # of medium severity
        (P, Severity.HIGH, None, 0.5),  # as likely right as wrong
        (S, None, 0.99, 0.0),
        (None, Severity.HIGH, 1.0, 0.0),  # not a claim
    ],
)
def test_the_harm_of_a_claim(
    verdict: Verdict | None, severity: Severity | None, confidence: float | None, harm: float
) -> None:
    assert expected_harm(verdict, severity, confidence) == pytest.approx(harm)


def test_the_least_certain_contradiction_ranks_before_the_surest_other_claim() -> None:
    assert expected_harm(C, Severity.LOW, 0.01) > expected_harm(N, Severity.HIGH, 1.0)


def test_a_verdict_that_people_settled_on_is_sure() -> None:
    assert expected_harm(C, Severity.HIGH, SETTLED_CONFIDENCE) == 2.0
