"""A value in a statement, with its meaning: the thing that it counts, its period, a lower or an upper limit."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from faithview.judges.lexical.comparing.edits import bound_of
from faithview.judges.lexical.disagreement.documents import PERIODS, Clause, Statement
from faithview.judges.lexical.passages.equality import can_differ
from faithview.judges.lexical.passages.values import Kind, Value
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token
from faithview.judges.text.units import MONEY

_BE = word_set("be is are was were")
_RATES = word_set("a an per each every")
_BETWEEN_LISTED = re.compile(r"\s?(?:,|,? and|,? or|to|[-–—])\s?")
_BESIDE = 4
_MOST_COUNTED = 3
_BEFORE_LIMIT = 4
_LONGEST_RATE = 5

# The words next to a list of three values are about the whole list.
_MOST_LISTED = 2

# Periods in different units that differ more than this are about different things: "28 days" and "ten years".
_MOST_TIMES = 20.0

_ROLES = {"after": "after", "from": "after", "since": "after", "every": "every", "each": "every", "until": "until",
          "before": "before"}  # fmt: skip
_ROLES_BEHIND = {"before": "before", "ahead": "before", "notice": "before", "after": "after"}
_NOTICE = "notice"


class Slot(NamedTuple):
    """A value with what it is a value of.

    `counted` are the stems of the words after it; `rate` is the period after "a" or "per". `role` tells "after 3 days"
    from "every 3 days", and `bound` is 1 for a lower limit, -1 for an upper one. `listed` is how many values are in its
    list, `periods` are the periods that its clause names otherwise, and `beside` the stems of the nearest words.
    """

    value: Value
    clause: Clause
    counted: frozenset[str]
    rate: str
    role: str
    bound: int
    listed: int
    periods: frozenset[str]
    beside: frozenset[str]


def slots_of(statement: Statement) -> list[Slot]:
    """Return the values of a statement that say something: no models, ages or names such as "two-factor"."""
    if statement.slots is None:
        slots = [_slot(value, statement) for value in statement.values if not _is_name(value, statement)]
        if not statement.place.is_cell:
            slots += [_slot_of_times(token, statement) for token in statement.tokens if token.word.lower in TIMES]
        statement.slots = slots
    return statement.slots


def _slot_of_times(token: Token, statement: Statement) -> Slot:
    """Return "twice" as two times."""
    value = Value(kind=Kind.NUMBER, start=token.start, end=token.end, number=TIMES[token.word.lower])
    slot = _slot(value, statement)
    return slot._replace(counted=frozenset({"time"}))


def are_comparable(one: Slot, other: Slot) -> bool:
    """Return whether two values could be values of the same thing, by the words directly next to them."""
    mine, theirs = one.value, other.value
    if not can_differ(mine, theirs) or mine.unit != theirs.unit:
        return False
    if mine.kind is Kind.NUMBER and not _count_the_same(one, other):
        return False
    if one.rate != other.rate and not _may_leave_rate_out(one, other):
        return False
    if one.periods and other.periods and one.periods.isdisjoint(other.periods):
        return False
    if one.listed != other.listed and max(one.listed, other.listed) > _MOST_LISTED:
        return False
    return one.role == other.role and one.bound * other.bound >= 0 and not _are_far_apart(mine, theirs)


def _may_leave_rate_out(one: Slot, other: Slot) -> bool:
    """Return whether two values can be of one period although only one says "a month" after it."""
    if one.value.kind is Kind.NUMBER:
        return False
    return bool(one.periods & other.periods) or (one.value.unit in MONEY and not (one.periods and other.periods))


def _count_the_same(one: Slot, other: Slot) -> bool:
    if one.counted and other.counted:
        return not one.counted.isdisjoint(other.counted)
    return True


def _are_far_apart(one: Value, other: Value) -> bool:
    low, high = sorted((one.number, other.number))
    return one.kind is Kind.QUANTITY and one.written != other.written and high > _MOST_TIMES * low


def _slot(value: Value, statement: Statement) -> Slot:
    listed = _listed_with(value, statement)
    clause = statement.clause_of(value)
    first, end = statement.place.ranges[-1]
    tokens = [t for t in statement.tokens if first <= t.start < end]
    before = [t for t in tokens if t.end <= listed[0].start]
    after = [t for t in tokens if t.start >= listed[-1].end]
    near = [t for t in tokens if t.end <= value.start][-_BEFORE_LIMIT:]
    behind = [t for t in tokens if t.start >= value.end]
    counted = statement.own_stems if statement.place.is_cell else _counted(value, statement)
    return Slot(
        value=value,
        clause=clause,
        counted=counted,
        rate=_rate(statement.tokens if statement.place.is_cell else behind[:_LONGEST_RATE]),
        role=_role(before, after, listed[-1].end, statement.text),
        bound=bound_of([t for t in (*near, *behind[:2]) if t.word.lower not in _BE]),
        listed=len(listed),
        periods=frozenset(t.word.stem for t in clause.words if t.word.stem in PERIODS and statement.is_telling(t)),
        beside=_beside(value, statement),
    )


def count_lists(slot: Slot, statement: Statement) -> int:
    """Return how many values of a value's kind its statement has, lists counted once."""
    alike = [v for v in statement.values if v.kind is slot.value.kind and v.unit == slot.value.unit]
    return len({_listed_with(value, statement)[0].start for value in alike})


def _listed_with(value: Value, statement: Statement) -> list[Value]:
    """Return the values of a list or a range that has this one: "3, 7 and 14 days"."""
    values = [v for v in statement.values if v.kind is value.kind or {v.kind, value.kind} <= _NUMBERS]
    if value not in values:
        return [value]
    first = last = values.index(value)
    while first and _BETWEEN_LISTED.fullmatch(statement.text[values[first - 1].end : values[first].start]):
        first -= 1
    while last + 1 < len(values) and _BETWEEN_LISTED.fullmatch(
        statement.text[values[last].end : values[last + 1].start]
    ):
        last += 1
    return values[first : last + 1]


TIMES = {"twice": 2.0, "thrice": 3.0}
_NUMBERS = frozenset({Kind.NUMBER, Kind.QUANTITY})


def _counted(value: Value, statement: Statement) -> frozenset[str]:
    """Return what a value counts; a value without a word after it counts what the one before it does."""
    earlier = [v for v in statement.values if v.start <= value.start and v.kind is value.kind]
    for one in earlier[::-1][:_MOST_COUNTED]:
        words = _words_after(one, statement)
        if words:
            return words
    return frozenset()


def _words_after(value: Value, statement: Statement) -> frozenset[str]:
    found: list[str] = []
    end = value.end
    for token in statement.tokens:
        if token.start < value.end:
            continue
        if statement.text[end : token.start].strip(" *_") or not token.word.is_content or len(found) == _MOST_COUNTED:
            break
        found.append(token.word.stem)
        end = token.end
    return frozenset(found)


def _rate(after: Sequence[Token]) -> str:
    for at, token in enumerate(after[:-1]):
        if token.word.lower in _RATES and after[at + 1].word.stem in PERIODS:
            return after[at + 1].word.stem
    return ""


def _role(before: Sequence[Token], after: Sequence[Token], end: int, text: str) -> str:
    role = _ROLES.get(before[-1].word.lower, "") if before else ""
    if role or not after or text[end : after[0].start].strip(" '’"):
        return role
    is_notice = any(token.word.lower == _NOTICE for token in after[:2])
    return "before" if is_notice else _ROLES_BEHIND.get(after[0].word.lower, "")


def _beside(value: Value, statement: Statement) -> frozenset[str]:
    if statement.place.is_cell:
        return statement.own_stems
    telling = [t for t in statement.tokens if statement.is_telling(t)]
    before = [t.word.stem for t in telling if t.end <= value.start][-_BESIDE:]
    after = [t.word.stem for t in telling if t.start >= value.end][:_BESIDE]
    return frozenset([*before, *after])


def count_in_a_row(one: Slot, mine: Statement, other: Slot, theirs: Statement) -> int:
    """Return how many words in a row, of all kinds, are alike directly before and after two values."""
    if mine.place.is_cell or theirs.place.is_cell:
        return 0
    sides = [
        ([t.word.stem for t in s.tokens if t.end <= v.start][::-1], [t.word.stem for t in s.tokens if t.start >= v.end])
        for s, v in ((mine, one.value), (theirs, other.value))
    ]
    return sum(
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))
        for here, there in zip(*sides, strict=True)
    )


def _is_name(value: Value, statement: Statement) -> bool:
    """Return whether a value is part of a name or says of whom: "Nook 2", "form C-7", "two-factor", "12-year-olds"."""
    if statement.place.is_cell:
        return False
    text = statement.text
    if text[value.end : value.end + 1] == "-" and text[value.end + 1 : value.end + 2].isalpha():
        return True
    if text[value.start - 1 : value.start] == "-" and text[value.start - 2 : value.start - 1].isalnum():
        return True
    following = next((t for t in statement.tokens if t.start >= value.end), None)
    if following is not None and following.word.lower in _OF_AGE:
        return True
    before = next((t for t in reversed(statement.tokens) if t.end <= value.start), None)
    if before is not None and before.word.lower in _NUMBERED and value.kind is Kind.NUMBER:
        return True
    return (
        value.kind is Kind.NUMBER
        and before is not None
        and before.word.is_capitalised
        and before.word.is_content
        and before.start > statement.span[0]
        and text[before.end : value.start] == " "
        and not _words_after(value, statement)
    )


# What is numbered: "version 5.2", "zone 3".
_NUMBERED = word_set(
    "version versions level levels zone zones grade grades step chapter line lines page section article form phase "
    "tier week day"
)
_OF_AGE = word_set("old olds")
