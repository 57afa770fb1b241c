"""A value that another statement puts in the same place: 14 days for 30 days."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from faithview.judges.lexical.disagreement.denials import find_denials
from faithview.judges.lexical.disagreement.documents import PERIODS, Statement
from faithview.judges.lexical.disagreement.likeness import (
    Likeness,
    compare_clauses,
    fit_as_fragments,
    share_of_passage,
)
from faithview.judges.lexical.disagreement.scopes import are_about_others
from faithview.judges.lexical.disagreement.slots import Slot, are_comparable, count_in_a_row, count_lists, slots_of
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary
from faithview.judges.lexical.operators.clauses import say_the_same
from faithview.judges.lexical.passages.equality import is_same
from faithview.judges.lexical.passages.values import Kind
from faithview.judges.text.tokens import Token


class _Need(NamedTuple):
    """How many words in a row must be alike, how much of both clauses, and how much of the smaller passage."""

    in_a_row: int
    both: float
    passages: float


# A statement with more values is a table.
_MOST_VALUES = 24

# If the same value is beside at least this many of the same words, it is said.
_FEW_ALIKE = 2

# All limits were set on passages of 21 invented organisations that do not contradict each other, and on half of the
# passages that were written to contradict some of them (tests/data/knowledge_check).
_LEAST_SHARED = 2
_LEAST_WEIGHT = 5.0
_LEAST_SHARE = 0.45
_LEAST_BOTH = 1.15
# If both count the same thing, a little less is enough.
_LEAST_SHARE_COUNTED, _LEAST_BOTH_COUNTED = 0.5, 1.1
# If one clause is in the other as a whole, the other may say much more.
_LEAST_SHARE_OF_WHOLE = 0.3
# Two shared words are enough only if there are hardly others, and the headings agree.
_LEAST_BOTH_OF_TWO = 1.7
# Or the passages share this much of the smaller one; with both words next to the values a little less.
_LEAST_OF_PASSAGES = 0.4
_LEAST_BOTH_BESIDE, _LEAST_OF_PASSAGES_OF_TWO = 1.3, 0.35
# If neither passage says what the other's headings do, one clause must be in the other as a whole.
_LEAST_OF_HEADINGS = 0.5
_LEAST_OF_HEADINGS_COUNTED = 0.3
# Passages with this in common are about the same, whatever their headings say.
_SAME_TOPIC = 0.5
_WHOLE = 0.9
_NEARLY_WHOLE = 1.5
# If words in a row next to the values are alike, one shared word is enough in passages that share this much.
_REPEATED = (_Need(in_a_row=6, both=1.0, passages=0.1), _Need(5, 0.9, 0.3), _Need(4, 1.0, 0.2), _Need(3, 1.15, 0.28))
_LEAST_IN_A_ROW = 3
_LEAST_SHARE_OF_REPEATED = 0.25
_LEAST_OF_HEADINGS_FOR_REPEATED = 0.7
_WITH_HEADING = 0.7
# Clauses with this in common are the same but for the value.
_MANY_WORDS, _BOTH_REPEATED = 4, 1.8
# If both clauses have several values, most of their words must be alike.
_LEAST_SHARE_OF_SEVERAL = 0.8
_LEAST_SHARE_OF_CELL = 0.7


class OtherValue(NamedTuple):
    """Two values in one place, and how alike their clauses are."""

    one: Slot
    other: Slot
    likeness: Likeness


def find_other_value(one: Statement, other: Statement, vocabulary: Vocabulary) -> OtherValue | None:
    """Return the two values by which the statements contradict each other, or None."""
    if (one.place.is_heading and other.place.is_heading) or (one.place.is_cell and other.place.is_cell):
        return None
    if len(one.values) > _MOST_VALUES or len(other.values) > _MOST_VALUES or one.is_question or other.is_question:
        return None
    slots = slots_of(one), slots_of(other)
    if not slots[0] or not slots[1]:
        return None
    found = [
        OtherValue(mine, theirs, compare_clauses(one, other, (mine.clause, theirs.clause), vocabulary))
        for mine in slots[0]
        for theirs in slots[1]
        if are_comparable(mine, theirs)
        and (_count_something(mine, theirs) or count_in_a_row(mine, one, theirs, other) >= _LEAST_IN_A_ROW)
        and not is_same(mine.value, theirs.value)
        and not _is_said(mine, theirs, slots[1])
        and not _is_said(theirs, mine, slots[0])
        and _says_of_the_same(mine, one, other)
        and _says_of_the_same(theirs, other, one)
    ]
    if not found:
        return None
    best = max(found, key=lambda pair: (_count_alike(pair.one, pair.other), pair.likeness.least))
    return best if _is_sure(best, one, other, vocabulary) else None


def _count_something(one: Slot, other: Slot) -> bool:
    """Return whether two numbers have a word after them: "12 files", but not "from the age of 12"."""
    return one.value.kind is not Kind.NUMBER or bool(one.counted and other.counted)


def _is_said(slot: Slot, rival: Slot, others: list[Slot]) -> bool:
    """Return whether the other statement says a value too, in a place that fits it as well as the rival's."""
    alike = _count_alike(slot, rival)
    return any(
        is_same(slot.value, other.value) and _count_alike(slot, other) >= min(alike, _FEW_ALIKE) for other in others
    )


def _count_alike(one: Slot, other: Slot) -> int:
    return len(one.beside & other.beside) + 2 * len(one.counted & other.counted)


def _says_of_the_same(slot: Slot, statement: Statement, other: Statement) -> bool:
    """Return whether a value before a noun, as in "a five-day week", is of a noun that the other statement has."""
    if statement.place.is_cell or "-" not in statement.text[slot.value.start : slot.value.end]:
        return True
    following = next((t for t in statement.tokens if t.start >= slot.value.end), None)
    return following is not None and following.word.stem in other.own


def _is_sure(pair: OtherValue, one: Statement, other: Statement, vocabulary: Vocabulary) -> bool:
    likeness = pair.likeness
    counts_the_same = any(not vocabulary.is_unit(stem) for stem in pair.one.counted & pair.other.counted)
    beside = (pair.one.beside & pair.other.beside) - PERIODS
    passages = share_of_passage(one, other, vocabulary)
    is_alike = (
        likeness.words >= _LEAST_SHARED
        and likeness.weight >= _LEAST_WEIGHT
        and bool(beside or counts_the_same)
        and (
            _is_alike(likeness, passages, counts_the_same=counts_the_same)
            or _is_of_two_words(likeness, len(beside), passages)
        )
    )
    if not (is_alike or _repeats(pair, one, other, vocabulary)) or not _fit_as_items(likeness, one, other, vocabulary):
        return False
    mine, theirs = pair.one.clause, pair.other.clause
    if _denies(mine.words) != _denies(theirs.words):
        return False
    if _differ_in_a_word(pair, vocabulary):
        return False
    has_several = count_lists(pair.one, one) > 1 and count_lists(pair.other, other) > 1
    if has_several and likeness.least < _LEAST_SHARE_OF_SEVERAL:
        return False
    are_repeated = likeness.words >= _MANY_WORDS and likeness.both >= _BOTH_REPEATED
    return not are_about_others(one, other, (mine, theirs), vocabulary, are_repeated=are_repeated)


def _repeats(pair: OtherValue, one: Statement, other: Statement, vocabulary: Vocabulary) -> bool:
    """Return whether the words next to the values are the same, in passages that are about the same."""
    in_a_row = count_in_a_row(pair.one, one, pair.other, other)
    has_heading = max(pair.likeness.headings) >= _LEAST_OF_HEADINGS_FOR_REPEATED
    needed = next((need for need in _REPEATED if in_a_row >= need.in_a_row), None)
    return (
        needed is not None
        and pair.likeness.words > 0
        and pair.likeness.both >= needed.both
        and pair.likeness.least >= _LEAST_SHARE_OF_REPEATED
        and share_of_passage(one, other, vocabulary) >= needed.passages * (_WITH_HEADING if has_heading else 1.0)
    )


def _denies(words: Sequence[Token]) -> bool:
    """Return whether words deny something; "without asking" goes on with what is said."""
    return any(words[at].word.lower != "without" for at in find_denials(words))


def _differ_in_a_word(pair: OtherValue, vocabulary: Vocabulary) -> bool:
    """Return whether the clauses name different things in one place: "deleted tasks" and "deleted boards"."""
    mine, theirs = ([t for t in slot.clause.words if t.word.is_content] for slot in (pair.one, pair.other))
    stems, others = [t.word.stem for t in mine], [t.word.stem for t in theirs]
    for op, a, b, c, d in SequenceMatcher(None, stems, others, autojunk=False).get_opcodes():
        is_one_word = op == "replace" and b - a == d - c == 1 and not say_the_same(stems[a], others[c])
        if is_one_word and vocabulary.is_thing(stems[a]) and vocabulary.is_thing(others[c]):
            return True
    return False


def _is_alike(likeness: Likeness, passages: float, *, counts_the_same: bool) -> bool:
    headings = max(likeness.headings) if passages < _SAME_TOPIC else 1.0
    if likeness.most >= _WHOLE and likeness.words > _LEAST_SHARED:
        return likeness.least >= _LEAST_SHARE_OF_WHOLE
    if headings < _LEAST_OF_HEADINGS and likeness.most < _WHOLE and likeness.both < _NEARLY_WHOLE:
        return False
    if counts_the_same:
        is_enough = likeness.least >= _LEAST_SHARE_COUNTED and likeness.both >= _LEAST_BOTH_COUNTED
        return is_enough and headings >= _LEAST_OF_HEADINGS_COUNTED
    if likeness.words == _LEAST_SHARED:
        return likeness.both >= _LEAST_BOTH_OF_TWO and headings >= _LEAST_OF_HEADINGS
    return likeness.least >= _LEAST_SHARE and likeness.both >= _LEAST_BOTH


def _is_of_two_words(likeness: Likeness, beside: int, passages: float) -> bool:
    """Return whether two short clauses in passages about the same thing have little but two words, the same ones."""
    if likeness.words != _LEAST_SHARED or passages < _LEAST_OF_PASSAGES_OF_TWO:
        return False
    if likeness.both >= _LEAST_BOTH_OF_TWO:
        return passages >= _LEAST_OF_PASSAGES
    return beside >= _LEAST_SHARED and likeness.both >= _LEAST_BOTH_BESIDE


def _fit_as_items(likeness: Likeness, one: Statement, other: Statement, vocabulary: Vocabulary) -> bool:
    for cell, against, share in ((one, other, likeness.one), (other, one, likeness.other)):
        if cell.place.is_cell and (
            share.share < _LEAST_SHARE_OF_CELL or not _says_headers_of(cell, against, vocabulary)
        ):
            return False
    if not (one.is_fragment or other.is_fragment):
        return True
    return fit_as_fragments(likeness, one, other)


def _says_headers_of(cell: Statement, other: Statement, vocabulary: Vocabulary) -> bool:
    """Return whether a statement says a word of each header of a cell, and all names in them."""
    for place in cell.place.ranges[:-1]:
        words = [t for t in cell.tokens if place[0] <= t.start < place[1] and t.word.is_content]
        if words and not any(t.word.stem in other.around for t in words):
            return False
        if any(vocabulary.is_name(t) and t.word.stem not in other.around for t in words):
            return False
    return True
