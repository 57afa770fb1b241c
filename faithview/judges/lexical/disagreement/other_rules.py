"""A rule and its opposite: "can be carried over" and "cannot be carried over"."""

from collections.abc import Sequence
from typing import NamedTuple

from faithview.judges.lexical.disagreement.denials import DENIALS_OF_RULES, find_denials
from faithview.judges.lexical.disagreement.documents import AUXILIARIES, Clause, Statement
from faithview.judges.lexical.disagreement.likeness import (
    Likeness,
    compare_clauses,
    fit_as_fragments,
    share_of_passage,
)
from faithview.judges.lexical.disagreement.scopes import are_about_others
from faithview.judges.lexical.disagreement.slots import slots_of
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary
from faithview.judges.lexical.operators.clauses import has_stem
from faithview.judges.lexical.passages.values import Kind
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import Token

# With one of these a clause says more than a rule.
_RESTRICTIONS = word_set("nobody nothing none only unless except until neither nor hardly rather instead")
_REACH = 5
_LETTERS = 5

# "You do not have to" is no opposite of "you can", but of "you must".
_OBLIGATIONS = word_set("have need has needs must require requires required necessary obliged mandatory compulsory")

# "Not by phone" denies only a part of what is said.
_PREPOSITIONS = word_set("about after at before by for from in of on over to under via with")
_LEAST_SHARED_OF_PART = 3

_LEAST_SHARED = 2
_LEAST_WEIGHT = 5.0
_LEAST_SHARE = 0.5
_WHOLE = 0.9
_LEAST_SHARE_OF_TWO = 0.4
_LEAST_SHARE_ON_TOPIC = 0.4
_LEAST_OF_PASSAGE = 0.28


class OtherRule(NamedTuple):
    """A denial with what it denies in one statement, and that word in the other, as places in each text."""

    one: Range
    other: Range
    likeness: Likeness


def find_other_rule(one: Statement, other: Statement, vocabulary: Vocabulary) -> OtherRule | None:
    """Return the words by which one statement denies what the other says, or None."""
    for statement in (one, other):
        if statement.place.is_heading or statement.place.is_cell or statement.is_question:
            return None
    if DENIALS_OF_RULES.isdisjoint(one.lowers) and DENIALS_OF_RULES.isdisjoint(other.lowers):
        return None
    found = [
        rule
        for mine in one.clauses
        for theirs in other.clauses
        if (rule := _compare(one, other, (mine, theirs), vocabulary)) is not None
    ]
    return max(found, key=lambda rule: rule.likeness.weight, default=None)


def _compare(
    one: Statement, other: Statement, clauses: tuple[Clause, Clause], vocabulary: Vocabulary
) -> OtherRule | None:
    if any(token.word.lower in _RESTRICTIONS for clause in clauses for token in clause.core):
        return None
    if any(token.word.lower == "without" for clause in clauses for token in clause.main):
        return None
    if any(_has_number(statement, clause) for statement, clause in zip((one, other), clauses, strict=True)):
        return None
    mine, theirs = (find_denials(clause.main, of_rules=True) for clause in clauses)
    if bool(mine) == bool(theirs):
        return None
    if mine:
        places = _denied(one, clauses[0], mine, clauses[1].core)
    else:
        places = _denied(other, clauses[1], theirs, clauses[0].core)
        places = places and places[::-1]
    if places is None:
        return None
    if _count_shared(one, other, clauses) < _LEAST_SHARED:
        return None
    # A condition does not make a rule another one: "not refunded", "refunded if you bring them".
    unlimited = clauses[0]._replace(words=clauses[0].core), clauses[1]._replace(words=clauses[1].core)
    likeness = compare_clauses(one, other, unlimited, vocabulary)
    if not _is_alike(likeness, one, other, vocabulary) or (
        likeness.words == _LEAST_SHARED and compare_clauses(one, other, clauses, vocabulary).least < _LEAST_SHARE_OF_TWO
    ):
        return None
    if are_about_others(one, other, clauses, vocabulary):
        return None
    return OtherRule(places[0], places[1], likeness)


def _has_number(statement: Statement, clause: Clause) -> bool:
    """Return whether a clause has a value, so it says more than a rule: "a member of up to 10 queues"."""
    numbers = [
        slot.value
        for slot in slots_of(statement)
        if slot.value.kind is Kind.NUMBER and statement.text[slot.value.end : slot.value.end + 1] != "`"
    ]
    return any(v.start <= token.start < v.end for v in numbers for token in clause.core)


def _count_shared(one: Statement, other: Statement, clauses: tuple[Clause, Clause]) -> int:
    """Return how many words with meaning the two sentences themselves share in these clauses."""
    mine, theirs = (
        {t.word.stem for t in clause.words if t.start >= statement.span[0] and statement.is_telling(t)}
        for statement, clause in zip((one, other), clauses, strict=True)
    )
    return sum(has_stem(stem, theirs) for stem in mine)


def _denied(
    statement: Statement, clause: Clause, denials: Sequence[int], other: Sequence[Token]
) -> tuple[Range, Range] | None:
    """Return the place of a denial with the word that it denies, and of that word in the other clause."""
    stems = {token.word.stem for token in other}
    for at in denials:
        following = clause.main[at + 1 : at + 1 + _REACH]
        first = following[0].word.lower if following else ""
        if first in _OBLIGATIONS and not any(token.word.lower in _OBLIGATIONS for token in other):
            continue
        telling = [t for t in clause.core if statement.is_telling(t)]
        shared = sum(has_stem(t.word.stem, stems) for t in telling)
        if first in _PREPOSITIONS and shared < min(_LEAST_SHARED_OF_PART, max(len(telling), _LEAST_SHARED)):
            continue
        word = next((t for t in following if statement.is_telling(t)), None)
        if word is None and any(token.word.lower in AUXILIARIES for token in other):
            # "Food is not": what the clause before says comes last.
            word = next((t for t in clause.core[::-1] if statement.is_telling(t)), None)
        same = word and next((t for t in other if _is_same_word(t.word.stem, word.word.stem)), None)
        before = [t for t in clause.core if t.start < clause.main[at].start and statement.is_telling(t)]
        if word is not None and same is not None and (not before or any(has_stem(t.word.stem, stems) for t in before)):
            denial = clause.main[at]
            return (denial.start, max(denial.end, word.end)), (same.start, same.end)
    return None


def _is_same_word(one: str, other: str) -> bool:
    return one == other or (len(one) >= _LETTERS and one[:_LETTERS] == other[:_LETTERS])


def _is_alike(likeness: Likeness, one: Statement, other: Statement, vocabulary: Vocabulary) -> bool:
    if likeness.words < _LEAST_SHARED or likeness.weight < _LEAST_WEIGHT:
        return False
    if (one.is_fragment or other.is_fragment) and not fit_as_fragments(likeness, one, other):
        return False
    if likeness.words == _LEAST_SHARED:
        return likeness.least >= _WHOLE or (
            likeness.most >= _WHOLE
            and likeness.least >= _LEAST_SHARE_ON_TOPIC
            and share_of_passage(one, other, vocabulary) >= _LEAST_OF_PASSAGE
        )
    return likeness.least >= _LEAST_SHARE and (
        likeness.most >= _WHOLE or (likeness.words >= 4 and likeness.least >= 0.65)
    )
