"""A claim beside the chunks, as numbers: everything the model knows of it."""

from collections.abc import Sequence
from math import log1p

from faithview.judges.lexical.comparison import Comparison
from faithview.judges.lexical.lexicon import word_set
from faithview.judges.lexical.retrieve import Context
from faithview.judges.lexical.words import Token

# The order of the figures that `claim_features` returns.
FEATURES = (
    "window_recall",
    "best_sentence_recall",
    "context_recall",
    "missing_words",
    "missing_share",
    "longest_missing_run",
    "rarest_missing",
    "unlike_words",
    "bigram_recall",
    "trigram_recall",
    "window_bigram_recall",
    "missing_names",
    "missing_values",
    "has_conflict",
    "words",
    "question_share",
    "is_item",
    "place",
    "advises",
    "hedges",
    "claims",
    "is_short",
)

_ADVISES = word_set(
    """important importantly ensure ensuring recommended recommend remember advisable consult always careful crucial
    essential proper properly additional help helps tip avoid make sure should note consider enjoy desired any"""
)
_HEDGES = word_set(
    """may might could possibly perhaps likely suggests suggest imply implies seems appears probably unclear assumed
    assume potentially overall"""
)


def claim_features(
    comparison: Comparison, context: Context, *, is_item: bool, position: int, claims: int
) -> list[float]:
    """Return the figures of one claim, in the order of `FEATURES`.

    Args:
        comparison: the claim beside the chunks.
        context: the chunks and the question.
        is_item: the claim stands in a list.
        position: the claim's number in its answer, from 0.
        claims: how many claims the answer has.
    """
    content = [t for t in comparison.tokens if t.word.is_content]
    weight = sum(t.word.weight for t in content) or 1.0
    known = sum(t.word.weight for t in content if t.start in comparison.known)
    in_question = sum(t.word.weight for t in content if t.word.stem in context.question_stems)
    windows = comparison.windows
    window_stems = windows[0].found if windows else frozenset[str]()
    in_window = sum(
        t.word.weight for t in content if t.word.stem in window_stems or t.word.stem in context.question_stems
    )
    single = max((w.recall for w in windows if w.first == w.last), default=0.0)
    missing = comparison.missing
    unlike = [t for t in missing if not context.resembles(t.word.stem)]
    lowers = [t.word.lower for t in comparison.tokens]
    size = len(content)
    return [
        in_window / weight,
        max(single, windows[0].recall * 0.8 if windows else 0.0),
        known / weight if content else 1.0,
        log1p(len(missing)),
        len(missing) / (size or 1),
        log1p(_longest_run(content, comparison.known)),
        max((t.word.weight for t in missing), default=0.0),
        log1p(len(unlike)),
        _share_of_grams(comparison.tokens, context, 2),
        _share_of_grams(comparison.tokens, context, 3),
        windows[0].recall if windows else 0.0,
        float(len(comparison.missing_names)),
        float(len(comparison.missing_values)),
        float(comparison.conflict is not None),
        log1p(size),
        in_question / weight,
        float(is_item),
        position / max(1, claims - 1),
        float(min(3, sum(lower in _ADVISES for lower in lowers))),
        float(min(2, sum(lower in _HEDGES for lower in lowers))),
        log1p(claims),
        float(size < 3),
    ]


def _longest_run(content: Sequence[Token], known: frozenset[int]) -> int:
    longest = run = 0
    for token in content:
        run = 0 if token.start in known else run + 1
        longest = max(longest, run)
    return longest


def _share_of_grams(tokens: Sequence[Token], context: Context, size: int) -> float:
    stems = [t.word.stem for t in tokens if t.word.is_content or t.word.is_number]
    grams = list(zip(*(stems[k:] for k in range(size)), strict=False))
    if not grams:
        return 1.0 if stems and all(context.knows(stem) for stem in stems) else 0.0
    known = context.bigrams if size == 2 else context.trigrams
    return sum(gram in known for gram in grams) / len(grams)
