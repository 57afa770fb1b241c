"""How much of a claim a passage says, and how much is enough for a difference to count."""

from collections.abc import Sequence
from typing import NamedTuple

from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.text.tokens import Token

# Share of the claim's words, besides what differs, that a passage must say before a difference counts as a denial.
ALIGNED_FOR_VALUE = 0.78
ALIGNED_FOR_NAME = 0.8
ALIGNED_FOR_NEGATION = 0.8
FEWEST_ALIGNED_WORDS = 2

# A passage this much aligned that has the value, or shows no opposition, speaks for the claim.
ALIGNED_FOR_AGREEMENT = 0.5

# A passage that has the value and is about the same to this share speaks for the claim: chunks may differ.
ALIGNED_ELSEWHERE = 0.2

# A claim with more values is a table, and comparing each with each would take its time.
MOST_VALUES = 24


class Aligned(NamedTuple):
    """A passage beside a claim, with the stems of its words that have meaning."""

    passage: Passage
    stems: frozenset[str]


def aligned_passages(comparison: Comparison, context: Context) -> list[Aligned]:
    """Return the passages of the best windows, those that share most words with the claim first."""
    positions = dict.fromkeys(
        position for window in comparison.windows for position in range(window.first, window.last + 1)
    )
    claimed = {t.word.stem for t in comparison.tokens if t.word.is_content}
    aligned = []
    for position in positions:
        passage = context.passages[position]
        if passage.is_unknown:
            continue
        stems = content_stems(passage)
        aligned.append((len(claimed & stems), position, Aligned(passage=passage, stems=stems)))
    aligned.sort(key=lambda item: (-item[0], item[1]))
    return [item[2] for item in aligned]


def share_found(tokens: Sequence[Token], stems: frozenset[str], spared: Sequence[tuple[int, int]]) -> tuple[float, int]:
    """Return the share by weight, and the number, of the words outside the spared ranges that are among the stems."""
    total = shared = 0.0
    count = 0
    for word, start, _ in tokens:
        if not word.is_content or (spared and any(a <= start < b for a, b in spared)):
            continue
        total += word.weight
        if word.stem in stems:
            shared += word.weight
            count += 1
    return (shared / total if total else 0.0), count


def content_stems(passage: Passage) -> frozenset[str]:
    """Return the stems of the passage's words that have meaning; they are gathered once."""
    if passage.content is None:
        passage.content = frozenset([word.stem for word, _, _ in passage.tokens if word.is_content])
    return passage.content
