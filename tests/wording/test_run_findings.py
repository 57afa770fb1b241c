"""The sentence on one answer is no surer than the judge was of its claims."""

import pytest

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.wording.run_findings import result_finding


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
