"""The sentence on one answer is no surer than the judge was of its claims."""

from collections import Counter

import pytest

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.wording.run_findings import result_finding, unsupported_words


@pytest.mark.parametrize(
    ("confidences", "sentence"),
    [
        ((0.9, None), "**Faithful:** every claim (2) is supported by the chunks."),
        ((0.9, 0.72), "**Probably faithful:** every claim (2) is supported by the chunks, 1 of them only probably."),
    ],
)
def test_a_faithful_answer_with_an_unsure_claim_is_only_probably_so(
    confidences: tuple[float | None, ...], sentence: str
) -> None:
    claims = tuple(Claim(text="c", verdict=Verdict.SUPPORTED, confidence=confidence) for confidence in confidences)
    assert result_finding(Result(state=State.JUDGED, judge="j", claims=claims)) == sentence


S, P, N, C = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([S, S, S, S, N], "1 of 5 claims is not supported"),
        ([S, C, N], "2 of 3 claims are not supported"),
        ([C], "1 of 1 claim is not supported"),
        ([S, P, N], "2 of 3 claims are not fully supported"),
        ([S, S], "all 2 claims are supported"),
        ([S], "its one claim is supported"),
        ([], "no claims"),
    ],
)
def test_claims_that_are_not_supported_are_counted_in_words(verdicts: list[Verdict], words: str) -> None:
    assert unsupported_words(Counter(verdicts)) == words


def test_the_count_is_beside_the_score_of_an_answer_that_is_not_faithful() -> None:
    claims = tuple(Claim(text="c", verdict=verdict) for verdict in [*[S] * 8, P, N])
    assert result_finding(Result(state=State.JUDGED, judge="j", claims=claims)) == (
        "**Not faithful:** 2 of 10 claims are not fully supported (1 partially supported and 1 not mentioned). "
        "Faithfulness 0.80."
    )
