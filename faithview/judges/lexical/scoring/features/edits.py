"""In which words a claim departs from a sentence that it repeats otherwise."""

from math import log1p

from faithview.judges.lexical.comparison.edit import EditKind
from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature

_OF_CLASS = frozenset({EditKind.VALUE, EditKind.LIMIT, EditKind.NEGATION, EditKind.CLASS, EditKind.NAME})


@claim_feature()
def words_swapped(claim: ClaimView) -> float:
    """Whether it has other words than the sentence that it nearly repeats."""
    return _is_edit(claim, frozenset({EditKind.WORDS}))


@claim_feature()
def class_swapped(claim: ClaimView) -> float:
    """Whether it has another value, limit, name or word of a class than that sentence, or denies what it says."""
    return _is_edit(claim, _OF_CLASS)


@claim_feature()
def words_added(claim: ClaimView) -> float:
    """Whether it adds to a list in that sentence."""
    return _is_edit(claim, frozenset({EditKind.ADDED}))


@claim_feature()
def words_dropped(claim: ClaimView) -> float:
    """Whether it leaves out a word that counts or denies."""
    return _is_edit(claim, frozenset({EditKind.DROPPED}))


@claim_feature()
def words_beside_edit(claim: ClaimView) -> float:
    """The logarithm of how many words in a row are alike before and after the edit; 0 without one."""
    edit = claim.comparison.edit
    return log1p(edit.beside) if edit is not None else 0.0


def _is_edit(claim: ClaimView, kinds: frozenset[EditKind]) -> bool:
    return claim.comparison.edit is not None and claim.comparison.edit.kind in kinds


FAMILY = Family(
    name="edits",
    features=(words_swapped, class_swapped, words_added, words_dropped, words_beside_edit),
)
