"""The sentence on one answer is no surer than the judge was of its claims."""

from collections import Counter

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.run import RunSummary, SegmentSummary
from faithview.domain.sample import Sample
from faithview.stats.run_score import Cluster, run_score
from faithview.wording.findings import answer_lines, coverage_words, result_finding, unsupported_words, weakest_segment
from tests.factories import make_claim, make_result, make_summary


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
    claims = tuple(make_claim("c", Verdict.SUPPORTED, confidence=confidence) for confidence in confidences)
    assert result_finding(make_result(*claims)) == sentence


def test_a_faithful_answer_says_how_many_of_its_claims_are_near_the_cut() -> None:
    near, sure = (make_claim("c", Verdict.SUPPORTED, confidence=confidence) for confidence in (0.78, 0.9))
    assert result_finding(make_result(sure, near, near, judge="embedded")) == (
        "**Probably faithful:** every claim (3) is supported by the chunks, 2 of them only just: check them."
    )
    wrong = make_result(*[sure] * 3, near, make_claim("c", Verdict.NOT_MENTIONED), judge="embedded")
    assert result_finding(wrong) == (
        "**Not faithful:** 1 of 5 claims is not supported (1 not mentioned). Faithfulness 0.80. "
        "1 more is only just supported: check it."
    )
    assert answer_lines(wrong, Sample(answer="So."))[0].endswith("1 of 5 claims is not supported, 1 to check")


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
    claims = tuple(make_claim("c", verdict) for verdict in [*[S] * 8, P, N])
    assert result_finding(make_result(*claims)) == (
        "**Not faithful:** 2 of 10 claims are not fully supported (1 partially supported and 1 not mentioned). "
        "Faithfulness 0.80."
    )


def _summary(*segments: tuple[int, int], **states: int) -> RunSummary:
    """A run of answers right or wrong as a whole, with (right, answers) of each segment."""

    def clusters(right: int, answers: int) -> list[Cluster]:
        return [Cluster(answers=1, total=1.0, count=right), Cluster(answers=1, total=0.0, count=answers - right)]

    parts = tuple(
        SegmentSummary(segment=f"s{at}", rows=answers, score=run_score(clusters(right, answers), unscored=0))
        for at, (right, answers) in enumerate(segments)
    )
    whole = run_score([c for right, answers in segments for c in clusters(right, answers)], unscored=0)
    rows = sum(answers for _, answers in segments)
    return make_summary(rows=rows, states=states, score=whole, segments=parts)


def test_a_segment_is_called_weakest_only_if_the_lowest_of_so_many_would_not_be_as_low_by_chance() -> None:
    # 18 of 25 beside 9 of 10: of two segments that is more than chance, the lowest of forty is often as low.
    few = weakest_segment(_summary((18, 25), (230, 250)))
    assert few is not None
    assert few.segment == "s0"
    assert weakest_segment(_summary((18, 25), *[(23, 25)] * 39)) is None
    low = weakest_segment(_summary((10, 25), *[(23, 25)] * 39))
    assert low is not None
    assert low.segment == "s0"


def test_coverage_is_of_the_answers_that_should_have_a_verdict() -> None:
    summary = _summary((30, 30), judged=30, empty_context=10, abstained=5)
    assert coverage_words(summary) == "75% (30 of 40 answers)"
    assert coverage_words(_summary((1, 1), abstained=3)) == "– (no answer needs a verdict)"
