"""Two names for one thing: "enter the dates in Tally" and "enter the dates in Rotaboard"."""

from collections.abc import Sequence
from typing import NamedTuple

from faithview.judges.lexical.comparing.edits import Edit, align
from faithview.judges.lexical.disagreement.documents import Clause, Statement
from faithview.judges.lexical.disagreement.likeness import Likeness, compare_clauses
from faithview.judges.lexical.disagreement.scopes import are_about_others
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import Token

# What joins the words of a name or of a path through menus: "Settings > Billing".
_JOINTS = frozenset({"", "-", ">", "→", "›"})

# Words in a row before the names that are alike, and how many of them must have meaning.
_LEAST_BEFORE = 2
_LEAST_TELLING = 2
_LEAST_WEIGHT = 5.0
_LEAST_SHARE = 0.3


class OtherName(NamedTuple):
    """Two names in one place, as places in each text."""

    one: Range
    other: Range
    likeness: Likeness


def find_other_name(one: Statement, other: Statement, vocabulary: Vocabulary) -> OtherName | None:
    """Return the two names that the statements give to what seems to be one thing, or None.

    The names are of one thing if no passage lists them with others, and neither passage has both.
    """
    for statement in (one, other):
        if statement.place.is_heading or statement.place.is_cell or statement.is_question:
            return None
    if not _has_name(one) or not _has_name(other):
        return None
    for edit in align(one.tokens, other.tokens, other.text).edits:
        mine, theirs = _leading_name(one, edit.mine), _leading_name(other, edit.theirs)
        if mine and theirs and _is_in_one_place(edit, one) and _are_apart((one, mine), (other, theirs), vocabulary):
            found = _compare(one, other, (mine, theirs), vocabulary)
            if found is not None:
                return found
    return None


def _compare(
    one: Statement, other: Statement, names: tuple[Sequence[Token], Sequence[Token]], vocabulary: Vocabulary
) -> OtherName | None:
    clauses = _whole(one.tokens), _whole(other.tokens)
    likeness = compare_clauses(one, other, clauses, vocabulary, without=[*names[0], *names[1]])
    if likeness.words < _LEAST_TELLING or likeness.weight < _LEAST_WEIGHT or likeness.least < _LEAST_SHARE:
        return None
    nameless = tuple(_whole([t for t in c.words if t not in n]) for c, n in zip(clauses, names, strict=True))
    if are_about_others(one, other, (nameless[0], nameless[1]), vocabulary, is_strict=False):
        return None
    places = [(name[0].start, name[-1].end) for name in names]
    return OtherName(places[0], places[1], likeness)


def _whole(tokens: Sequence[Token]) -> Clause:
    return Clause(tokens, tokens, tokens)


def _has_name(statement: Statement) -> bool:
    return any(token.word.is_capitalised for token in statement.tokens[1:])


def _leading_name(statement: Statement, tokens: Sequence[Token]) -> list[Token]:
    """Return the name that some words begin with; empty if they begin with another word or within a name."""
    name: list[Token] = []
    for token in tokens:
        if name and statement.between(name[-1], token).strip(" *_`") not in _JOINTS:
            break
        is_part = token.word.is_capitalised and token.start > statement.span[0]
        if not (is_part or (name and token.word.is_number)):
            break
        name.append(token)
    if not name or statement.text[name[0].start - 1] == "-":
        return []
    return name if any(token.word.is_content or token.word.is_number for token in name) else []


def _is_in_one_place(edit: Edit, one: Statement) -> bool:
    """Return whether enough words in a row before the two names are alike, those of a path through menus apart."""
    before = one.tokens[max(0, edit.at - edit.before) : edit.at]
    telling = [
        t
        for t in before
        if one.is_telling(t)
        and t.word.lower not in _OF_SCREENS
        and one.text[t.end : t.end + 2].strip(" *_") not in _PATH_SIGNS
    ]
    return edit.before >= _LEAST_BEFORE and len(telling) >= _LEAST_TELLING


# What one does on a screen says nothing about which button is meant.
_OF_SCREENS = word_set("tap press click choose select pick open go menu button tab dots settings icon switch under")
_PATH_SIGNS = frozenset({">", "→", "›"})


def _are_apart(
    one: tuple[Statement, Sequence[Token]], other: tuple[Statement, Sequence[Token]], vocabulary: Vocabulary
) -> bool:
    """Return whether neither passage has the other's name, and neither is one of several."""
    for (_, name), (against, _) in ((one, other), (other, one)):
        if any(vocabulary.is_one_of_several(token.word.stem) for token in name):
            return False
        telling = [token.word.stem for token in name if token.word.is_content or token.word.is_number]
        if all(stem in against.source.stems for stem in telling):
            return False
    return True
