"""A claim that a calibrated judge finds only just supported is to be checked; nothing else is."""

from dataclasses import replace

import pytest

from faithview.domain.certainty import SURELY_SUPPORTED, Certainty, certainty_of, leans_to_support
from faithview.domain.claim import Verdict
from faithview.judges.cascade.cuts import USUAL
from tests.factories import make_claim, make_result


@pytest.mark.parametrize(
    ("verdict", "confidence", "judge", "is_near_cut"),
    [
        (Verdict.SUPPORTED, SURELY_SUPPORTED, "embedded", True),
        (Verdict.SUPPORTED, 0.64, "embedded", True),
        (Verdict.SUPPORTED, SURELY_SUPPORTED + 0.0001, "embedded", False),
        (Verdict.SUPPORTED, None, "embedded", False),
        (Verdict.NOT_MENTIONED, 0.64, "embedded", False),
        (Verdict.SUPPORTED, 0.64, "lexical", False),
        (Verdict.SUPPORTED, 0.64, "openai:some-model", False),
    ],
)
def test_only_a_just_supported_claim_of_a_calibrated_judge_is_near_the_cut(
    verdict: Verdict, confidence: float | None, judge: str, is_near_cut: bool
) -> None:
    assert certainty_of(verdict, confidence, judge) == Certainty(confidence, is_near_cut)


@pytest.mark.parametrize(
    ("verdict", "support", "judge", "leans"),
    [
        (Verdict.PARTIALLY_SUPPORTED, 0.5, "embedded", True),
        (Verdict.NOT_MENTIONED, 0.49, "embedded", False),
        (Verdict.SUPPORTED, 0.7, "embedded", False),
        (Verdict.NOT_MENTIONED, None, "embedded", False),
        (Verdict.PARTIALLY_SUPPORTED, 0.6, "openai:some-model", False),
    ],
)
def test_only_a_calibrated_judge_can_lean_to_support(
    verdict: Verdict, support: float | None, judge: str, leans: bool
) -> None:
    assert leans_to_support(verdict, support, judge) is leans


def test_a_label_ends_the_check_and_keeps_the_judges_confidence() -> None:
    assert Certainty(0.7, is_near_cut=True).once_labelled() == Certainty(0.7)


def test_of_a_cascade_only_what_the_default_judge_decided_can_be_near_its_cut() -> None:
    claim = make_claim("a", Verdict.SUPPORTED, confidence=0.7)
    claims = (replace(claim, decided_by="embedded"), replace(claim, decided_by="openai:some-model"))
    result = make_result(*claims, judge="cascade:openai:some-model")
    assert [one.is_near_cut for one in result.certainties] == [True, False]


def test_the_usual_cascade_asks_about_what_reads_check_this() -> None:
    assert USUAL.high == SURELY_SUPPORTED


def test_a_result_says_how_sure_its_judge_is_of_each_claim() -> None:
    claims = (make_claim("a", Verdict.SUPPORTED, confidence=0.7), make_claim("b", Verdict.SUPPORTED, confidence=0.9))
    assert [one.is_near_cut for one in make_result(*claims, judge="embedded").certainties] == [True, False]
