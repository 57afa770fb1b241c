"""Compares two statements of documents: whether and where they say different things about the same."""

from dataclasses import dataclass
from typing import NamedTuple

from faithview.domain.contradiction import ContradictionKind
from faithview.judges.lexical.disagreement.denials import DENIALS_OF_RULES
from faithview.judges.lexical.disagreement.documents import Statement
from faithview.judges.lexical.disagreement.other_names import find_other_name
from faithview.judges.lexical.disagreement.other_rules import find_other_rule
from faithview.judges.lexical.disagreement.other_values import OtherValue, find_other_value
from faithview.judges.lexical.disagreement.slots import TIMES
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary
from faithview.judges.lexical.passages.values import Kind
from faithview.judges.text.sentences import Range
from faithview.judges.text.units import MONEY


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A difference between two statements: `one` and `other` are the words' places in each passage.

    `closeness` is how much of both clauses the other statement has, from 0 to 1.
    """

    kind: ContradictionKind
    one: Range
    other: Range
    closeness: float


class Traits(NamedTuple):
    """What a statement must have to disagree with another one: values, denials or names."""

    has_values: bool
    has_denial: bool
    has_name: bool


def traits_of(statement: Statement) -> Traits:
    """Return what a statement has."""
    return Traits(
        has_values=bool(statement.values) or not statement.lowers.isdisjoint(TIMES),
        has_denial=not DENIALS_OF_RULES.isdisjoint(statement.lowers),
        has_name=any(token.word.is_capitalised for token in statement.tokens[1:]),
    )


def can_disagree(one: Traits, other: Traits) -> bool:
    """Return whether it is worth comparing two statements; for one without these, `find_disagreement` finds nothing."""
    return (
        (one.has_values and other.has_values) or one.has_denial or other.has_denial or (one.has_name and other.has_name)
    )


def find_disagreement(one: Statement, other: Statement, vocabulary: Vocabulary) -> Disagreement | None:
    """Return what differs between two statements of different passages, or None if they may both be right."""
    value = find_other_value(one, other, vocabulary)
    if value is not None:
        mine, theirs = value.one.value, value.other.value
        return Disagreement(
            kind=_kind_of(value),
            one=(mine.start, mine.end),
            other=(theirs.start, theirs.end),
            closeness=value.likeness.both / 2,
        )
    rule = find_other_rule(one, other, vocabulary)
    if rule is not None:
        return Disagreement(
            kind=ContradictionKind.RULE, one=rule.one, other=rule.other, closeness=rule.likeness.both / 2
        )
    name = find_other_name(one, other, vocabulary)
    if name is None:
        return None
    return Disagreement(kind=ContradictionKind.NAME, one=name.one, other=name.other, closeness=name.likeness.both / 2)


_DATES = frozenset({Kind.DATE, Kind.TIME, Kind.WEEKDAY, Kind.ORDINAL})


def _kind_of(found: OtherValue) -> ContradictionKind:
    value = found.one.value
    if value.kind in _DATES:
        return ContradictionKind.DATE
    if value.unit in MONEY:
        return ContradictionKind.PRICE
    return ContradictionKind.PERIOD if value.unit == "duration" else ContradictionKind.NUMBER
