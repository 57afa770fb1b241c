"""Compares two statements of documents: whether and where they say different things about the same."""

from dataclasses import dataclass

from faithview.domain.contradiction import ContradictionKind
from faithview.judges.lexical.disagreement.documents import Statement
from faithview.judges.lexical.disagreement.other_names import find_other_name
from faithview.judges.lexical.disagreement.other_rules import find_other_rule
from faithview.judges.lexical.disagreement.other_values import OtherValue, find_other_value
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary
from faithview.judges.lexical.passages.values import Kind
from faithview.judges.text.sentences import Range
from faithview.judges.text.units import MONEY


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """What differs between two statements: `one` and `other` are the words' places in each passage.

    `closeness` is how much of both clauses the other statement has, from 0 to 1.
    """

    kind: ContradictionKind
    one: Range
    other: Range
    closeness: float


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
