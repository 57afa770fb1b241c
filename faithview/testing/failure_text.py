"""Why an answer fails, as a difference is shown: a line for each claim, with what the chunks say against it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.wording import numbers as fmt
from faithview.wording.terminal_text import one_line
from faithview.wording.verdicts import claim_verdict_words, count_words

__all__ = ["SIGNS", "failure_text"]

SIGNS: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.SUPPORTED: "+",
        Verdict.PARTIALLY_SUPPORTED: "?",
        Verdict.NOT_MENTIONED: "-",
        Verdict.CONTRADICTED: "!",
    }
)
_MOST_CLAIMS = 20
_MOST_CHARACTERS = 240
_MOST_MISMATCHES = 3
_WIDTH = max(len(f"probably {verdict.value}") for verdict in Verdict) + 1
_INDENT = " " * (_WIDTH + 2)


def failure_text(sample: Sample, result: Result, reason: str) -> str:
    """Return the text of a failure.

    Args:
        sample: the answer with its chunks.
        result: the judge's result; its threshold is the least score.
        reason: why the answer does not pass, as a guard says it.
    """
    lines = [one_line(reason)]
    if result.faithfulness is not None:
        score = f"faithfulness {fmt.share(result.faithfulness)}, required: {fmt.share(result.threshold)}"
        lines.append(
            f"{score}; no claim may be contradicted or not mentioned. Judge: {result.judge}, which makes mistakes."
        )
    if sample.question:
        lines.append(f"question: {one_line(sample.question, most=_MOST_CHARACTERS)}")
    shown, left_out = _choose(result.claims)
    for claim in shown:
        lines += _claim_lines(claim, sample)
    if left_out:
        counts = {verdict: sum(claim.verdict is verdict for claim in left_out) for verdict in Verdict}
        lines.append(f"… {fmt.plural(len(left_out), 'more claim')}: {count_words(counts)}")
    if not result.claims:
        lines.append(f"answer: {one_line(sample.answer, most=_MOST_CHARACTERS)}")
    return "\n".join(lines)


def _choose(claims: Sequence[Claim]) -> tuple[list[Claim], list[Claim]]:
    """Return the claims to show, in their order, and the others; those at fault are shown before the others."""
    ranked = sorted(range(len(claims)), key=lambda at: (claims[at].verdict is Verdict.SUPPORTED, at))
    shown = set(ranked[:_MOST_CLAIMS])
    return [claims[at] for at in sorted(shown)], [claims[at] for at in ranked[_MOST_CLAIMS:]]


def _claim_lines(claim: Claim, sample: Sample) -> Iterator[str]:
    words = claim_verdict_words(claim.verdict, claim.confidence)
    yield f"{SIGNS[claim.verdict]} {words:<{_WIDTH}}{one_line(claim.text, most=_MOST_CHARACTERS)}"
    if claim.verdict is Verdict.SUPPORTED:
        return
    chunks = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    alone = [_quoted(sample.answer[item.start : item.end]) for item in claim.mismatches if item.chunk_id is None]
    if alone:
        yield f"{_INDENT}answer: {fmt.listed(alone[:_MOST_MISMATCHES])}, in no chunk"
    for item in [item for item in claim.mismatches if item.chunk_id is not None][:_MOST_MISMATCHES]:
        said, chunk_id = _quoted(sample.answer[item.start : item.end]), item.chunk_id or ""
        instead = _quoted(chunks[chunk_id][item.chunk_start : item.chunk_end])
        yield f"{_INDENT}answer: {said}, chunk {one_line(chunk_id)}: {instead}"
    for evidence in claim.evidence[:_MOST_MISMATCHES]:
        mark = "" if evidence.is_verified else " (not found in the chunk)"
        yield f"{_INDENT}chunk {one_line(evidence.chunk_id)}: {_quoted(evidence.quote)}{mark}"
    if claim.explanation:
        yield f"{_INDENT}because: {one_line(claim.explanation, most=_MOST_CHARACTERS)}"


def _quoted(text: str) -> str:
    return f'"{one_line(text, most=_MOST_CHARACTERS)}"'
