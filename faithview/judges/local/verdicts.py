"""Turns a model's outputs for a claim and each passage into a claim with verdict, explanation and quotes."""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Evidence, HallucinationType, Verdict
from faithview.domain.sample import Sample
from faithview.domain.spans import Span, span_at
from faithview.judges.companions import relevance
from faithview.judges.local.pair_models import DIGITS, Opinion
from faithview.judges.local.texts import sentences
from faithview.judges.text.sentences import Range

# A model's own middle: above it, it holds the claim for supported (or contradicted) rather than not.
CUT = 0.5

# NLI models call two sentences about different things a contradiction. So a passage contradicts a claim only where it
# has at least a quarter of the claim's words, by weight; `relevance` counts half of them as 1.
_RELATED = 0.5


def judge_claim(sample: Sample, text: str, span: Span, opinions: Sequence[Opinion]) -> Claim:
    """Return the claim with its verdict.

    The chunk that supports it most counts, so a chunk about something else does no harm. It is contradicted
    where a chunk that is about the same contradicts it more surely than any supports it. Where one chunk supports it
    and another contradicts it, both are quoted and named, and the confidence is low.
    """
    best = max(opinions, key=lambda opinion: opinion.supported)
    denial = _denial(sample, text, opinions)
    denied = denial.contradicted or 0.0 if denial is not None else 0.0
    is_supported = best.supported >= CUT and best.supported >= denied
    is_denied = denial is not None and denied >= CUT
    chunk_id = sample.chunks[best.chunk].chunk_id
    if is_supported:
        verdict, confidence, resting = Verdict.SUPPORTED, best.supported, [best]
        explanation = f"Chunk {chunk_id} supports this."
        if denial is not None and is_denied:
            confidence, resting = _share(best.supported, denied), [best, denial]
            explanation = f"Chunk {chunk_id} supports this, but chunk {_id(sample, denial)} contradicts it."
    elif denial is not None and is_denied:
        verdict, confidence, resting = Verdict.CONTRADICTED, denied, [denial]
        explanation = f"Chunk {_id(sample, denial)} contradicts this."
        if best.supported >= CUT:
            confidence, resting = _share(denied, best.supported), [denial, best]
            explanation = f"Chunk {_id(sample, denial)} contradicts this, but chunk {chunk_id} supports it."
    else:
        verdict, confidence, resting = Verdict.NOT_MENTIONED, round(1 - max(best.supported, denied), DIGITS), []
        explanation = "No chunk supports this."
        closest = best_sentence(text, sample.chunks[best.chunk].text, best.start, best.end)
        if closest is not None:
            explanation = f"No chunk supports this; chunk {chunk_id} comes closest."
    return Claim(
        text=text,
        verdict=verdict,
        spans=(span,),
        confidence=confidence,
        support_score=best.supported,
        explanation=explanation,
        hallucination_type=HallucinationType.CONTRADICTION if verdict is Verdict.CONTRADICTED else None,
        supporting_chunk_ids=tuple(dict.fromkeys(_id(sample, opinion) for opinion in resting)),
        evidence=tuple(quoted for opinion in resting for quoted in _evidence(sample, text, opinion)),
    )


def best_sentence(claim: str, text: str, start: int, end: int) -> Range | None:
    """Return the sentence of a passage that has most of a claim's words; None if none has any.

    The models read whole passages and do not say which sentence decided.
    """
    found = [(relevance(claim, text[a:b]), -(b - a), -a, (a, b)) for a, b in sentences(text, start, end)]
    best = max(found, default=None)
    return None if best is None or best[0] == 0 else best[3]


def quote(sample: Sample, chunk: int, place: Range) -> Evidence:
    """Return a part of a chunk as evidence."""
    text = sample.chunks[chunk].text
    return Evidence(chunk_id=sample.chunks[chunk].chunk_id, quote=text[slice(*place)], span=span_at(text, *place))


def _denial(sample: Sample, claim: str, opinions: Sequence[Opinion]) -> Opinion | None:
    """Return the opinion of the passage that contradicts the claim most surely, of those that are about the same."""
    surest = sorted(opinions, key=lambda opinion: -(opinion.contradicted or 0.0))
    for opinion in surest:
        if (opinion.contradicted or 0.0) < CUT:
            return None
        if relevance(claim, sample.chunks[opinion.chunk].text[opinion.start : opinion.end]) >= _RELATED:
            return opinion
    return None


def _evidence(sample: Sample, claim: str, opinion: Opinion) -> list[Evidence]:
    place = best_sentence(claim, sample.chunks[opinion.chunk].text, opinion.start, opinion.end)
    return [] if place is None else [quote(sample, opinion.chunk, place)]


def _share(this: float, other: float) -> float:
    """Return how sure a verdict is against another one that a chunk speaks for: about a half where both are sure."""
    return round(this / (this + other), DIGITS)


def _id(sample: Sample, opinion: Opinion) -> str:
    return sample.chunks[opinion.chunk].chunk_id
