"""Values that differ from the chunk's in the same place: "within 48 hours" where it says "within 24 hours"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from faithview.judges.lexical.comparison.alignment import (
    ALIGNED_ELSEWHERE,
    ALIGNED_FOR_AGREEMENT,
    ALIGNED_FOR_VALUE,
    FEWEST_ALIGNED_WORDS,
    MOST_VALUES,
    Aligned,
    content_stems,
    share_found,
)
from faithview.judges.lexical.comparison.comparison import Comparison, Conflict, ConflictKind
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.lexical.values.equality import can_differ, is_same
from faithview.judges.lexical.values.model import Kind, Value
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token


def find_value_conflict(comparison: Comparison, context: Context, passages: Sequence[Aligned]) -> Conflict | None:
    """Return the first value of the claim that an aligned passage has otherwise, or None."""
    if not 0 < len(comparison.values) <= MOST_VALUES:
        return None
    spared = [(v.start, v.end) for v in comparison.values]
    shares = [share_found(comparison.tokens, aligned.stems, spared) for aligned in passages]
    whose = [value for value in comparison.values if says_whose(value, comparison)]
    for value in comparison.values:
        if value.kind is Kind.ORDINAL and value.start == comparison.start:
            continue  # "Second, ..." counts the answer's own points
        if says_whose(value, comparison):
            continue  # "12-year-olds" says of whom, not what
        for aligned, (share, count) in zip(passages, shares, strict=True):
            there = context.values_of(aligned.passage)
            if not all(any(is_same(one, other) for other in there) for one in whose):
                continue  # it speaks of others: of eight-year-olds
            if share >= ALIGNED_FOR_AGREEMENT and any(is_same(value, other) for other in there):
                if _is_of_several(aligned.passage):
                    break
                conflict = _clause_conflict(value, comparison, aligned.passage, context, spared)
                conflict = conflict or _sentence_conflict(value, comparison, context, passages, spared)
                if conflict is not None:
                    return conflict
                break  # said where it should be
            if share < ALIGNED_FOR_VALUE or count < FEWEST_ALIGNED_WORDS or _is_of_several(aligned.passage):
                continue
            other = _same_slot(value, comparison, there, aligned.passage)
            if other is not None and _is_within_range(value, other, there, context.texts[aligned.passage.chunk]):
                continue
            if other is not None and not _is_said_elsewhere(value, comparison, context, spared):
                return Conflict(
                    kind=ConflictKind.VALUE,
                    passage=aligned.passage,
                    claim_span=(value.start, value.end),
                    passage_span=(other.start, other.end),
                )
    return None


def _is_of_several(passage: Passage) -> bool:
    """Return whether the passage is a row of a table, or a field of one of several things: words tell too little."""
    return passage.field is not None and passage.field.group >= 0 and passage.field.subject is not None


# How much better a clause must fit than the one that has the claim's value, as a share of the claim's words.
_FITS_BETTER = 0.15
_SENTENCE_FITS_BETTER = 0.1
_CLAUSE_MARKS = word_set("and but while whereas versus or")


def _clause_conflict(
    value: Value, comparison: Comparison, passage: Passage, context: Context, spared: Sequence[tuple[int, int]]
) -> Conflict | None:
    """Return a clause that fits the claim and has another value, where the claim's stands in a clause that does not.

    "Basic costs 5 and Pro costs 10" contradicts "Basic costs 10", though both numbers are there.
    """
    there = context.values_of(passage)
    if sum(can_differ(value, other) for other in there) < 2:
        return None
    fits: list[tuple[float, int, Value]] = []
    for start, end in _clauses(passage, context.texts[passage.chunk]):
        inside = [v for v in there if start <= v.start and v.end <= end and can_differ(value, v)]
        stems = frozenset(t.word.stem for t in passage.tokens if start <= t.start and t.end <= end)
        share, count = share_found(comparison.tokens, stems, spared)
        if len(inside) == 1 and count:
            fits.append((share, count, inside[0]))
    if len(fits) < 2:
        return None
    share, count, other = max(fits, key=lambda fit: (fit[0], -fit[2].start))
    share_of_same = max((s for s, _, v in fits if is_same(value, v)), default=1.0)
    if (
        count < FEWEST_ALIGNED_WORDS
        or share < _ALIGNED_FOR_CLAUSE
        or share - share_of_same < _FITS_BETTER
        or any(is_same(mine, other) for mine in comparison.values)
    ):
        return None
    return Conflict(
        kind=ConflictKind.VALUE,
        passage=passage,
        claim_span=(value.start, value.end),
        passage_span=(other.start, other.end),
    )


_ALIGNED_FOR_CLAUSE = 0.9


def _sentence_conflict(
    value: Value,
    comparison: Comparison,
    context: Context,
    passages: Sequence[Aligned],
    spared: Sequence[tuple[int, int]],
) -> Conflict | None:
    """Return a passage that says all of the claim but the value, where those with the value say clearly less of it."""
    best: tuple[float, Passage, Value] | None = None
    for aligned in passages:
        share, count = share_found(comparison.tokens, aligned.stems, spared)
        there = context.values_of(aligned.passage)
        if share < _ALIGNED_FOR_CLAUSE or count <= FEWEST_ALIGNED_WORDS or any(is_same(value, v) for v in there):
            continue
        if _is_of_several(aligned.passage):
            continue
        other = _same_slot(value, comparison, there, aligned.passage)
        if other is not None and (best is None or share > best[0]):
            best = (share, aligned.passage, other)
    if best is None:
        return None
    share, passage, other = best
    for candidate in context.passages:
        if any(is_same(value, v) for v in context.values_of(candidate)):
            same, _ = share_found(comparison.tokens, content_stems(candidate), spared)
            if share - same < _SENTENCE_FITS_BETTER:
                return None
    return Conflict(
        kind=ConflictKind.VALUE,
        passage=passage,
        claim_span=(value.start, value.end),
        passage_span=(other.start, other.end),
    )


def _clauses(passage: Passage, text: str) -> list[tuple[int, int]]:
    starts = [passage.start]
    for token, following in pairwise(passage.tokens):
        if following.word.lower in _CLAUSE_MARKS or any(mark in text[token.end : following.start] for mark in ",;"):
            starts.append(token.end)
    return list(pairwise([*starts, passage.end]))


def _is_said_elsewhere(
    value: Value, comparison: Comparison, context: Context, spared: Sequence[tuple[int, int]]
) -> bool:
    """Return whether some passage has the value and is about the same: chunks may differ among themselves."""
    return any(
        any(is_same(value, other) for other in context.values_of(passage))
        and share_found(comparison.tokens, content_stems(passage), spared)[0] >= ALIGNED_ELSEWHERE
        for passage in context.passages
    )


def _same_slot(value: Value, comparison: Comparison, there: Sequence[Value], passage: Passage) -> Value | None:
    """Return the one value of the passage that could stand in this value's place and that the claim does not say.

    The words beside the two must agree; those of a plain number right beside it, because numbers count anything.
    """
    candidates = [
        other
        for other in there
        if can_differ(value, other) and not any(is_same(mine, other) for mine in comparison.values)
    ]
    if not candidates:
        return None
    reach = _RIGHT_BESIDE if value.kind is Kind.NUMBER and not _is_year(value) else _BESIDE
    beside = _stems_beside(comparison.tokens, value, reach)
    scored = [(len(beside & _stems_beside(passage.tokens, other, reach)), other) for other in candidates]
    top = max(score for score, _ in scored)
    best = [other for score, other in scored if score == top]
    # In a sentence that says much else, one word beside the value may belong to anything.
    content = sum(t.word.is_content for t in comparison.tokens)
    if len(content_stems(passage)) > _MUCH_ELSE * content and top < min(_FEWEST_BESIDE, len(beside)):
        return None
    # Two that fit equally well are two ends of a range; either shows the difference, unless numbers count anything.
    return best[0] if top > 0 and (len(best) == 1 or value.kind is not Kind.NUMBER) else None


def says_whose(value: Value, comparison: Comparison) -> bool:
    """Return whether a value says of whom the claim speaks, and not what: "12-year-olds"."""
    following = next((t for t in comparison.tokens if t.start >= value.end), None)
    return following is not None and following.word.lower in ("old", "olds") and following.start - value.end == 1


_TO = re.compile(r"\s?(?:[-–—]|to|through|until)\s?\Z")
_LONGEST_TO = 9


def _is_within_range(value: Value, other: Value, there: Sequence[Value], text: str) -> bool:
    """Return whether the other value is one end of a range that has this one in it: "50 to 70 minutes" has an hour."""
    for low, high in pairwise(there):
        if other not in (low, high) or high.start - low.end > _LONGEST_TO or low.kind is not high.kind:
            continue
        if value.unit == low.unit == high.unit and _TO.match(text[low.end : high.start]):
            return low.number <= value.number <= high.number
    return False


def _is_year(value: Value) -> bool:
    return value.kind is Kind.NUMBER and 1000 <= value.number <= 2100 and value.end - value.start == _DIGITS_OF_A_YEAR


_DIGITS_OF_A_YEAR = 4

# A passage with so many times the claim's words says much else; then so many words beside the two values must agree.
_MUCH_ELSE = 2.0
_FEWEST_BESIDE = 2

# How many words with meaning on each side of a value tell what it is the value of.
_BESIDE = 3
_RIGHT_BESIDE = 1


def _stems_beside(tokens: Sequence[Token], value: Value, reach: int) -> set[str]:
    words = [t for t in tokens if t.word.is_content]
    before = [t.word.stem for t in words if t.end <= value.start][-reach:]
    after = [t.word.stem for t in words if t.start >= value.end][:reach]
    return {*before, *after}
