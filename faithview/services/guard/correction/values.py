"""Where a claim has a wrong value and a chunk the right one: which words can take its place in the same sentence."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.claim import Claim, Mismatch
from faithview.judges.lexical.edits.aligning import Alignment, Edit, align
from faithview.judges.lexical.edits.contrasts import differs_in_class
from faithview.judges.lexical.opening_hours.schedule import clock_like
from faithview.judges.lexical.values.equality import can_differ, is_same
from faithview.judges.lexical.values.extract import find_values
from faithview.judges.lexical.values.model import Kind, Value
from faithview.judges.text.sentences import Range, split_sentences_quickly
from faithview.judges.text.tokens import Token, tokenize

# Of the claim's other words so many must be the sentence's, in its order; and so many must stand right beside.
_REPEATED = 0.6
_BESIDE = 3
# A chunk's sentence that no one would quote in full: matching words takes time by the square of their number.
_MOST_TOKENS = 400
_LONGEST_NAME = 4
_LONGEST_PARTICLE = 3

# A record has no sentences to compare: the judge found the value by its field.
_RECORD_MARKS = frozenset('{}|[]"')


class Replacement(NamedTuple):
    """`[start, end)` of the answer, the words of a chunk that take its place, and the chunk."""

    start: int
    end: int
    text: str
    chunk_id: str


class _Sides(NamedTuple):
    """A claim in the answer beside the sentence of a chunk that stands against it."""

    answer: str
    claim: Range
    chunk: str
    sentence: Range
    mismatch: Mismatch


def find_replacements(answer: str, claim: Claim, chunks: Mapping[str, str]) -> tuple[Replacement, ...]:
    """Return the values and names of chunks that make a claim right, in order; none unless every fault has one.

    A value is taken where it is surely what the chunk says in that very place: claim and sentence are alike around it,
    or each has one value of that kind. Then other values that differ in the same way between the two are taken as
    well, for the judge names one difference where there may be two ("24 months on Team and 36 on Scale").

    Args:
        answer: the answer.
        claim: a claim with mismatches.
        chunks: the chunks' texts by their ids.
    """
    found: dict[Range, Replacement] = {}
    for mismatch in claim.mismatches:
        replacements = list(_of_mismatch(answer, claim, mismatch, chunks))
        if not any(r.start < mismatch.end and mismatch.start < r.end for r in replacements):
            return ()
        found |= {(r.start, r.end): r for r in replacements}
    ordered = sorted(found.values())
    is_apart = all(one.end <= other.start for one, other in pairwise(ordered))
    return tuple(ordered) if is_apart else ()


def _of_mismatch(answer: str, claim: Claim, mismatch: Mismatch, chunks: Mapping[str, str]) -> Iterator[Replacement]:
    span = next((s for s in claim.spans if s.start <= mismatch.start and mismatch.end <= s.end), None)
    if mismatch.chunk_id is None or mismatch.chunk_id not in chunks or span is None:
        return
    chunk = chunks[mismatch.chunk_id]
    sentence = _sentence_with(chunk, mismatch.chunk_start, mismatch.chunk_end)
    sides = _Sides(answer, (span.start, span.end), chunk, sentence, mismatch)
    mine, theirs = tokenize(answer, *sides.claim), tokenize(chunk, *sentence)
    if len(theirs) <= _MOST_TOKENS:
        alignment = align(mine, theirs, chunk)
        pairs = [pair for edit in alignment.edits if (pair := _pair(sides, edit, alignment, mine)) is not None]
        if any(a < mismatch.end and mismatch.start < b for (a, b), _ in pairs):
            for (a, b), text in pairs:
                yield Replacement(a, b, text, mismatch.chunk_id)
            return
    lone = _lone_value(sides)
    if lone is not None:
        yield Replacement(*lone, mismatch.chunk_id)


def _sentence_with(chunk: str, start: int, end: int) -> Range:
    sentences = split_sentences_quickly(chunk, 0, len(chunk))
    return next(((a, b) for a, b in sentences if a <= start and end <= b), (start, end))


def _pair(sides: _Sides, edit: Edit, alignment: Alignment, tokens: Sequence[Token]) -> tuple[Range, str] | None:
    """Return the words of the claim in which it differs here, and the chunk's; None where they are no value or name."""
    repeated = alignment.matched / max(1, len(tokens) - len(edit.mine))
    if not edit.mine or not edit.theirs or edit.before + edit.after < _BESIDE or repeated < _REPEATED:
        return None
    mine = (edit.mine[0].start, edit.mine[-1].end)
    theirs = (edit.theirs[0].start, edit.theirs[-1].end)
    value, other = _value_of(sides.answer, sides.claim, mine), _value_of(sides.chunk, sides.sentence, theirs)
    if value is not None and other is not None:
        return _exchange(sides, value, other)
    return _word_pair(sides, edit, mine, theirs)


def _value_of(text: str, within: Range, words: Range) -> Value | None:
    """Return the one value that all these words belong to."""
    for value in find_values(text, *within):
        if value.start <= words[0] and words[1] <= value.end:
            return value
    return None


def _exchange(sides: _Sides, mine: Value, theirs: Value) -> tuple[Range, str] | None:
    if not can_differ(mine, theirs) or is_same(mine, theirs):
        return None
    text = sides.chunk[theirs.start : theirs.end]
    written = sides.answer[mine.start : mine.end]
    if mine.kind is Kind.TIME:
        text = clock_like(text, written)
    is_plural_at_stake = (mine.number == 1) != (theirs.number == 1) and mine.kind in (Kind.NUMBER, Kind.QUANTITY)
    if is_plural_at_stake and _next_word(sides.answer, mine.end) != _next_word(sides.chunk, theirs.end):
        return None
    # Capitals and the like come with the place: "Two weeks" at the beginning of a sentence.
    if written[:1].isupper() and text[:1].islower():
        text = text[:1].upper() + text[1:]
    return (mine.start, mine.end), text


def _next_word(text: str, at: int) -> str:
    tokens = tokenize(text, at, min(len(text), at + 40))
    return tokens[0].word.lower if tokens else ""


def _word_pair(sides: _Sides, edit: Edit, mine: Range, theirs: Range) -> tuple[Range, str] | None:
    is_fault = (mine[0] < sides.mismatch.end and sides.mismatch.start < mine[1]) and (
        theirs[0] < sides.mismatch.chunk_end and sides.mismatch.chunk_start < theirs[1]
    )
    is_name = _is_name(sides.answer, edit.mine) and _is_name(sides.chunk, edit.theirs)
    if not is_fault or not (is_name or _is_of_one_class(edit)):
        return None
    if edit.before == 0 and (mine[0] == sides.claim[0]) != (theirs[0] == sides.sentence[0]):
        return None  # a capital letter at the beginning of a sentence makes no name
    text = sides.chunk[slice(*theirs)]
    if _article(sides.answer, mine[0]) != _article(sides.chunk, theirs[0]):
        return None
    return mine, text


def _is_name(text: str, tokens: Sequence[Token]) -> bool:
    inside = text[tokens[0].start : tokens[-1].end]
    if len(tokens) > _LONGEST_NAME or any(mark in inside for mark in ",;:.\n"):
        return False
    return all(
        text[token.start].isupper() or text[token.start].isdigit() or _is_particle(token, tokens) for token in tokens
    )


def _is_particle(token: Token, name: Sequence[Token]) -> bool:
    """Return whether a word is the "am" of "Frankfurt am Main"."""
    return token not in (name[0], name[-1]) and token.end - token.start <= _LONGEST_PARTICLE


def _is_of_one_class(edit: Edit) -> bool:
    """Return whether the two are single words that exclude each other and fit the same sentence: "weekly", "daily"."""
    if len(edit.mine) != 1 or len(edit.theirs) != 1 or not edit.before or not edit.after:
        return False
    mine, theirs = edit.mine[0].word.lower, edit.theirs[0].word.lower
    return _is_plural(mine) == _is_plural(theirs) and differs_in_class(edit.mine, edit.theirs)


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")


def _article(text: str, at: int) -> str:
    before = text[max(0, at - 4) : at].lower().split()
    return before[-1] if before and before[-1] in ("a", "an") else ""


def _lone_value(sides: _Sides) -> tuple[int, int, str] | None:
    """Return the exchange of the claim's value for the chunk's where each has just one that it could be."""
    mismatch = sides.mismatch
    mine = _value_of(sides.answer, sides.claim, (mismatch.start, mismatch.end))
    theirs = _value_of(sides.chunk, sides.sentence, (mismatch.chunk_start, mismatch.chunk_end))
    if mine is None or theirs is None:
        return None
    if sum(can_differ(mine, value) for value in find_values(sides.answer, *sides.claim)) != 1:
        return None
    is_record = not _RECORD_MARKS.isdisjoint(sides.chunk[slice(*sides.sentence)])
    if not is_record and sum(can_differ(mine, value) for value in find_values(sides.chunk, *sides.sentence)) != 1:
        return None
    exchange = _exchange(sides, mine, theirs)
    return None if exchange is None else (*exchange[0], exchange[1])
