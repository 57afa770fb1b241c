"""The edit in which a claim departs from a sentence that it otherwise repeats, and whether it changes what is said."""

from collections.abc import Sequence
from typing import NamedTuple

from faithview.judges.lexical.comparison.alignment import aligned_passages
from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.comparison.edit import EditKind, FoundEdit
from faithview.judges.lexical.edits.aligning import Alignment, Edit, align, is_count
from faithview.judges.lexical.edits.contrasts import (
    are_opposites,
    bound_of,
    denies,
    differs_in_class,
    has_negation,
    is_of_class,
    nearly_denies,
)
from faithview.judges.lexical.prose.values import says_whose
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.lexical.values.equality import can_differ, is_same
from faithview.judges.lexical.values.model import Value
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token

# Passages that share most words come first; a claim repeats one of the first.
_LOOKED_AT = 3

# A claim that shares fewer of its words with a sentence repeats none; looking closer costs time.
_LEAST_SHARED = 0.6


class _Need(NamedTuple):
    """What makes an edit sure.

    `repeated` is the share of the claim's other words that are the sentence's, in its order, and `beside` how many of
    them stand right beside the edit; `mine` and `theirs` are how many words it has on each side at most.
    """

    repeated: float
    beside: int
    mine: int
    theirs: int


# Set on the parts fit and tune of the help-desk answers, so that nine of ten sure edits are errors.
_NEEDS = {
    EditKind.VALUE: _Need(0.6, 6, 3, 3),
    EditKind.LIMIT: _Need(0.6, 4, 3, 3),
    EditKind.NEGATION: _Need(0.8, 5, 3, 3),
    EditKind.CLASS: _Need(0.8, 4, 2, 2),
    EditKind.NAME: _Need(0.8, 5, 2, 2),
    EditKind.DROPPED: _Need(0.7, 5, 0, 2),
}
# A word of a class among plain ones ("at least one of the", "both") needs more beside it.
_LONGER = {EditKind.CLASS: _Need(0.7, 9, 5, 5)}

# Words that change nothing by being there or not.
_PLAIN = word_set(
    """a an the this that these those is are was were be been being do does did has have had to of it its they their
    them he she his her which who there here so then also too very just will would shall i as such"""
)

_JOINS = word_set("and or nor")
_BESIDE_OF_JOINS = 12

# Where the sentence has the claim's value too, more words must be alike before another one counts.
_BESIDE_OF_SAME_VALUE = 8

# Left out, these change how much or how often is meant.
_COUNT = word_set("half single never not")


def find_edit(comparison: Comparison, context: Context) -> FoundEdit | None:
    """Return the edit that matters most in a claim that nearly repeats a passage, or None.

    A claim that a passage says word for word has no edit, whatever other passages say. Fields of records and rows of
    tables are no sentences.
    """
    best = _nearest(comparison, context)
    if best is None:
        return None
    alignment, passage = best
    found = [
        edit for edit in (_judged(edit, alignment, comparison, context, passage) for edit in alignment.edits) if edit
    ]
    return max(found, key=lambda edit: (edit.is_sure, edit.beside), default=None)


def _nearest(comparison: Comparison, context: Context) -> tuple[Alignment, Passage] | None:
    claimed = {t.word.stem for t in comparison.tokens if t.word.is_content}
    whose = [value for value in comparison.values if says_whose(value, comparison)]
    best: tuple[Alignment, Passage] | None = None
    for aligned in aligned_passages(comparison, context)[:_LOOKED_AT]:
        passage = aligned.passage
        if passage.field is not None or passage.path:
            continue
        if len(claimed & aligned.stems) < _LEAST_SHARED * len(claimed):
            break  # they come with the most words first
        text = context.texts[passage.chunk]
        if text[passage.start : passage.end].rstrip().endswith("?"):
            continue
        there = context.values_of(passage) if whose else []
        if not all(any(is_same(value, other) for other in there) for value in whose):
            continue  # it speaks of others: of eight-year-olds
        alignment = align(comparison.tokens, passage.tokens, text)
        if best is None or alignment.matched > best[0].matched:
            best = alignment, passage
    return best


def _judged(
    edit: Edit, alignment: Alignment, comparison: Comparison, context: Context, passage: Passage
) -> FoundEdit | None:
    if edit.before == 0:
        return None  # how a claim begins depends on what stands before it
    kind = _kind_of(edit, comparison, context, passage)
    if kind is None:
        return None
    repeated = alignment.matched / max(1, len(comparison.tokens) - len(edit.mine))
    needs = [needs[kind] for needs in (_NEEDS, _LONGER) if kind in needs]
    return FoundEdit(
        kind=kind,
        passage=passage,
        claim_span=_place(edit.mine, edit.at, comparison.tokens),
        passage_span=_place(edit.theirs, edit.there, passage.tokens),
        is_sure=any(_meets(edit, repeated, need) for need in needs)
        and not _is_said_there_too(edit, kind, comparison, context, passage),
        beside=edit.before + edit.after,
    )


def _meets(edit: Edit, repeated: float, need: _Need) -> bool:
    return (
        repeated >= need.repeated
        and edit.before + edit.after >= need.beside
        and len(edit.mine) <= need.mine
        and len(edit.theirs) <= need.theirs
    )


def _is_said_there_too(edit: Edit, kind: EditKind, comparison: Comparison, context: Context, passage: Passage) -> bool:
    """Return whether the sentence has the claim's value as well, in another place: "every 12 months (with pets 8)"."""
    if kind is not EditKind.VALUE or edit.before + edit.after >= _BESIDE_OF_SAME_VALUE:
        return False
    mine = _within(comparison.values, edit.mine)
    return any(is_same(value, other) for value in mine for other in context.values_of(passage))


def _kind_of(edit: Edit, comparison: Comparison, context: Context, passage: Passage) -> EditKind | None:
    """Return in what the two sides differ; None where they say the same or the difference tells nothing."""
    shared = {t.word.stem for t in edit.mine} & {t.word.stem for t in edit.theirs}
    mine = [t for t in edit.mine if t.word.stem not in shared and t.word.lower not in _PLAIN]
    theirs = [t for t in edit.theirs if t.word.stem not in shared and t.word.lower not in _PLAIN]
    if _letters(mine) == _letters(theirs):
        return None  # nothing, or written in one word and in two
    if not edit.theirs:
        return EditKind.ADDED if edit.mine[0].word.lower in _JOINS and any(map(_tells, mine)) else None
    if not edit.mine:
        return EditKind.DROPPED if theirs and all(t.word.lower in _COUNT for t in theirs) else None
    values = _within(comparison.values, edit.mine)
    others = _within(context.values_of(passage), edit.theirs)
    if any(is_same(value, other) for value in values for other in others):
        return None
    if _are_numbers(mine) and _are_numbers(theirs):
        return EditKind.VALUE
    if values and others and any(can_differ(value, other) for value in values for other in others):
        return EditKind.VALUE if _covers(values, mine) and _covers(others, theirs) else EditKind.WORDS
    following = comparison.tokens[edit.at + len(edit.mine) :][:1]
    following_there = passage.tokens[edit.there + len(edit.theirs) :][:1]
    limits = bound_of([*edit.mine, *following]), bound_of([*edit.theirs, *following_there])
    if all(limits):
        return EditKind.LIMIT if limits[0] != limits[1] else None
    has_values = bool(values or others)
    return _kind_of_words(edit, mine, theirs, comparison, context, passage, has_values=has_values)


def _kind_of_words(
    edit: Edit,
    mine: Sequence[Token],
    theirs: Sequence[Token],
    comparison: Comparison,
    context: Context,
    passage: Passage,
    *,
    has_values: bool,
) -> EditKind | None:
    """Return in what two sides differ that name no other value and no other limit.

    `mine` and `theirs` are the words of each side that the other lacks; `has_values` says that a value is among them.
    """
    telling, told = [t for t in mine if _tells(t)], [t for t in theirs if _tells(t)]
    if denies(edit.mine) != denies(edit.theirs) and not telling and not told:
        return None if nearly_denies(edit.mine) or nearly_denies(edit.theirs) else EditKind.NEGATION
    if {t.word.lower for t in (*edit.mine, *edit.theirs)} == {"and", "or"}:
        return EditKind.CLASS if edit.before + edit.after >= _BESIDE_OF_JOINS else None
    if not has_values and (differs_in_class(mine, theirs) or are_opposites(mine, theirs)):
        if not _is_denied_alike(edit, comparison.tokens, passage.tokens):
            return None
        if edit.before > 1 and all(is_of_class(token) for token in (*telling, *told)):
            return EditKind.CLASS
    if _are_names(mine, context) and _are_names(theirs, context):
        return EditKind.NAME
    return EditKind.WORDS if telling and told else None


def _is_denied_alike(edit: Edit, claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Return whether no "not" makes the two say the same: "not allowed" is "forbidden"."""
    if has_negation(edit.mine) or has_negation(edit.theirs):
        return False
    here = _around(claim, edit.at, len(edit.mine))
    return has_negation(here) == has_negation(_around(sentence, edit.there, len(edit.theirs)))


def _around(tokens: Sequence[Token], at: int, size: int) -> Sequence[Token]:
    return tokens[max(0, at - _AROUND) : at + size + _AROUND]


_AROUND = 6


def _letters(tokens: Sequence[Token]) -> str:
    return "".join(token.word.lower for token in tokens)


def _are_names(tokens: Sequence[Token], context: Context) -> bool:
    """Return whether all are capitalised words which stand so within a sentence of the chunks, and in no other way."""
    return bool(tokens) and all(
        t.word.is_capitalised and t.word.lower in context.names and t.word.lower not in context.lowers for t in tokens
    )


def _tells(token: Token) -> bool:
    return token.word.is_content or token.word.is_number


def _are_numbers(tokens: Sequence[Token]) -> bool:
    return bool(tokens) and all(is_count(token) and not token.word.is_number for token in tokens)


def _covers(values: Sequence[Value], tokens: Sequence[Token]) -> bool:
    """Return whether all words belong to the values or to what limits and counts them."""
    return all(any(value.start <= token.start < value.end for value in values) or not _tells(token) for token in tokens)


def _within(values: Sequence[Value], tokens: Sequence[Token]) -> list[Value]:
    if not tokens:
        return []
    start, end = tokens[0].start, tokens[-1].end
    return [value for value in values if value.start < end and value.end > start]


def _place(words: Sequence[Token], at: int, tokens: Sequence[Token]) -> tuple[int, int]:
    """Return where the words stand; where there are none, the two words between which they are missing."""
    if words:
        return words[0].start, words[-1].end
    return tokens[max(0, at - 1)].start, tokens[min(at, len(tokens) - 1)].end
