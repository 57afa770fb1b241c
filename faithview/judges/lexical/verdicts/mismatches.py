"""The words that a verdict rests on: those of the answer that are at fault, and those of the chunk against them."""

from faithview.domain.claim import Mismatch
from faithview.domain.sample import Sample
from faithview.judges.lexical.comparison.comparison import Comparison, Conflict

# More boxes than this in one claim point at nothing.
_MOST = 5


def find_mismatches(sample: Sample, comparison: Comparison) -> tuple[Mismatch, ...]:
    """Return the words of a claim that is not supported.

    They are both sides of what stands against it; else the values and names that no chunk has; else its other words
    that no chunk has, the rarest first.
    """
    if comparison.conflict is not None:
        return (_sides(sample, comparison.conflict),)
    details = [(name.start, name.end) for name in comparison.missing_names]
    details += [(value.start, value.end) for value in comparison.missing_values]
    ranked = sorted(comparison.missing, key=lambda token: (-token.word.weight, token.start))
    places = details or [(token.start, token.end) for token in ranked]
    return tuple(Mismatch(start, end) for start, end in sorted(set(places[:_MOST])))


def _sides(sample: Sample, conflict: Conflict) -> Mismatch:
    start, end = conflict.claim_span
    chunk_start, chunk_end = conflict.passage_span
    if chunk_start >= chunk_end:
        return Mismatch(start, end)
    return Mismatch(start, end, sample.chunks[conflict.passage.chunk].chunk_id, chunk_start, chunk_end)
