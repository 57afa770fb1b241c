"""What the rest of the answer tells of a claim, and what its claims tell of the answer, as numbers.

A claim between two that stand in the chunks is a safer one than the same words in an answer that strays; the first and
the last claims of an answer, lists and conclusions have ways of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p

from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.scoring.claim_features import FEATURES

# The order of the figures that `surroundings` adds to those of each claim.
SURROUNDINGS = (
    "place",
    "from_end",
    "is_last",
    "claims",
    "refusals",
    "answer_words",
    "context_words",
    "chunks",
    "compression",
    "has_question",
    "question_words",
    "items_share",
    "mean_missing",
    "most_missing",
    "mean_recall",
    "lowest_recall",
    "mean_copy",
    "missing_before",
    "missing_after",
    "recall_before",
    "recall_after",
    "unlike_before",
    "unlike_after",
    "missing_rank",
    "missing_said_before",
    "window_place",
    "window_step",
    "window_chunk",
    "same_window",
    "context_covered",
    "cites_share",
    "is_record",
)

ALL_FEATURES = FEATURES + SURROUNDINGS

_AT = {name: index for index, name in enumerate(FEATURES)}
_MISSING, _UNLIKE, _RECALL = _AT["missing_weight"], _AT["unlike_words"], _AT["window_recall"]
_COPY, _ITEM, _CITES = _AT["word_pair_recall"], _AT["is_item"], _AT["cites"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerShape:
    """What is known of an answer before its claims are looked at: its refusals, and its words."""

    refusals: int
    words: int


def surroundings(
    rows: Sequence[Sequence[float]], comparisons: Sequence[Comparison], context: Context, shape: AnswerShape
) -> list[list[float]]:
    """Return for each claim of an answer its figures with those of `SURROUNDINGS` appended.

    Args:
        rows: the figures of each claim (`claim_features`), in the answer's order; at least one.
        comparisons: the claims beside the chunks, in the same order.
        context: the chunks and the question.
        shape: what is known of the answer as a whole.
    """
    count = len(rows)
    missing = [row[_MISSING] for row in rows]
    recall = [row[_RECALL] for row in rows]
    ranks = {value: sum(other > value for other in missing) for value in set(missing)}
    windows = [c.windows[0].first if c.windows else -1 for c in comparisons]
    passages = len(context.passages) or 1
    covered = {p for c in comparisons for w in c.windows[:1] for p in range(w.first, w.last + 1)}
    common = [
        log1p(count),
        float(min(3, shape.refusals)),
        log1p(shape.words),
        log1p(context.size),
        float(min(20, len(context.texts))),
        log1p(shape.words / (context.size or 1)),
        float(bool(context.question_words)),
        log1p(len(context.question_words)),
        sum(row[_ITEM] for row in rows) / count,
        sum(missing) / count,
        max(missing),
        sum(recall) / count,
        min(recall),
        sum(row[_COPY] for row in rows) / count,
    ]
    of_answer = [
        log1p(len(covered)) - log1p(passages),
        sum(row[_CITES] > 0 for row in rows) / count,
        float(context.is_record),
    ]
    said: set[str] = set()
    full = []
    for number, (row, comparison) in enumerate(zip(rows, comparisons, strict=True)):
        lost = {t.word.stem for t in comparison.missing}
        before, after = max(0, number - 1), min(count - 1, number + 1)
        here, there = windows[number], windows[before]
        figures = [
            number / max(1, count - 1),
            float(min(10, count - 1 - number)),
            float(number == count - 1),
            *common,
            missing[before] if before != number else -1.0,
            missing[after] if after != number else -1.0,
            recall[before] if before != number else -1.0,
            recall[after] if after != number else -1.0,
            rows[before][_UNLIKE] if before != number else -1.0,
            rows[after][_UNLIKE] if after != number else -1.0,
            ranks[missing[number]] / count,
            len(lost & said) / (len(lost) or 1),
            here / passages,
            (here - there) / passages if number and here >= 0 and there >= 0 else 0.0,
            float(min(20, context.passages[here].chunk)) if here >= 0 else -1.0,
            float(here in windows[:number]),
            *of_answer,
        ]
        said |= lost
        full.append([*row, *figures])
    return full
