"""What in the chunks stands against a claim: another value, another name, a negation, an opposite, swapped roles."""

from collections.abc import Sequence
from itertools import pairwise

from faithview.domain.claim import Verdict
from faithview.judges.lexical.comparison.alignment import (
    ALIGNED_FOR_AGREEMENT,
    ALIGNED_FOR_NAME,
    ALIGNED_FOR_NEGATION,
    FEWEST_ALIGNED_WORDS,
    Aligned,
    aligned_passages,
    content_stems,
    share_found,
)
from faithview.judges.lexical.comparison.comparison import Comparison, Conflict, ConflictKind
from faithview.judges.lexical.comparison.edit import EditKind
from faithview.judges.lexical.prose.definitions import find_subject_conflict
from faithview.judges.lexical.prose.names import name_in_its_place
from faithview.judges.lexical.prose.roles import find_swap
from faithview.judges.lexical.prose.values import find_value_conflict
from faithview.judges.lexical.records.cells import find_cell_conflict
from faithview.judges.lexical.records.place import find_place_conflict
from faithview.judges.lexical.records.view import RecordView
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.polarity import Opposition, Polarity, find_opposition, says_nobody
from faithview.judges.text.tokens import Token, word_of


def find_conflict(answer: str, comparison: Comparison, records: RecordView) -> Conflict | None:
    """Return what stands against the claim in a passage that says nearly the same, or None.

    In tables and records the cell decides that the claim is about; a flag in one is a value too. A word that was put in
    another's place, or left out, is asked for last: the other rules know better what it means.
    """
    if not comparison.windows:
        return None
    context = records.context
    passages = aligned_passages(comparison, context)
    return (
        find_cell_conflict(comparison, records)
        or find_value_conflict(answer, comparison, context, passages)
        or _name_conflict(comparison, context, passages)
        or _exclusion_conflict(comparison, context, passages)
        or find_place_conflict(comparison, context)
        or find_subject_conflict(comparison, context)
        or _operator_conflict(comparison)
        or (None if _is_compared(comparison) else _negation_conflict(answer, comparison, context, passages))
        or _role_conflict(answer, comparison, context, passages)
        or _edit_conflict(comparison)
    )


def _is_turned(comparison: Comparison) -> bool:
    """Return whether words of the claim or of the near sentence turn a statement round; they were counted."""
    return comparison.near is not None and comparison.near.is_turned


def _is_compared(comparison: Comparison) -> bool:
    """Return whether what claim and near sentence affirm and deny was compared: in a short text no other says it."""
    return _is_turned(comparison) or comparison.is_near_in_short_text


def _operator_conflict(comparison: Comparison) -> Conflict | None:
    """Return the operator of a near sentence that makes it say the opposite, or something else."""
    near = comparison.near
    if near is None or near.difference is None or not comparison.has_other_operator:
        return None
    if near.difference.verdict is not Verdict.CONTRADICTED:
        return None
    difference = near.difference
    return Conflict(
        kind=ConflictKind.OPERATOR,
        passage=near.passage,
        claim_span=difference.claim_span or (comparison.start, comparison.end),
        passage_span=difference.passage_span or (near.passage.start, near.passage.end),
    )


# Other words may say the same, and what is added stands against nothing that the chunks say.
_KIND_OF_EDIT = {
    EditKind.VALUE: ConflictKind.VALUE,
    EditKind.LIMIT: ConflictKind.WORDS,
    EditKind.NEGATION: ConflictKind.WORDS,
    EditKind.CLASS: ConflictKind.WORDS,
    EditKind.NAME: ConflictKind.NAME,
    EditKind.DROPPED: ConflictKind.DROPPED,
}


# What the operators of a near sentence tell better.
_OF_OPERATORS = frozenset({EditKind.NEGATION, EditKind.CLASS, EditKind.DROPPED})


def _edit_conflict(comparison: Comparison) -> Conflict | None:
    edit = comparison.edit
    if edit is None or not edit.is_sure or edit.kind not in _KIND_OF_EDIT:
        return None
    if _is_turned(comparison) and edit.kind in _OF_OPERATORS:
        return None
    return Conflict(
        kind=_KIND_OF_EDIT[edit.kind],
        passage=edit.passage,
        claim_span=edit.claim_span,
        passage_span=edit.passage_span,
    )


def _name_conflict(comparison: Comparison, context: Context, passages: Sequence[Aligned]) -> Conflict | None:
    claimed = {t.word.stem for t in comparison.tokens}
    for name in comparison.missing_names:
        for aligned in passages:
            share, count = share_found(comparison.tokens, aligned.stems, [(name.start, name.end)])
            if share < ALIGNED_FOR_NAME or count < FEWEST_ALIGNED_WORDS:
                continue
            other = name_in_its_place(name, comparison.tokens, context, aligned.passage, claimed)
            if other is not None:
                return Conflict(
                    kind=ConflictKind.NAME,
                    passage=aligned.passage,
                    claim_span=(name.start, name.end),
                    passage_span=(other.start, other.end),
                )
    return None


_EXCLUSIVE = word_set("only exclusively solely")
_EXCLUSIVE_STEMS = frozenset(word_of(word).stem for word in _EXCLUSIVE)


def _exclusion_conflict(comparison: Comparison, context: Context, passages: Sequence[Aligned]) -> Conflict | None:
    """Return a passage that says the same of another name and of that one only."""
    if not comparison.names or _EXCLUSIVE_STEMS.isdisjoint(context.stems):
        return None
    claimed = {t.word.stem for t in comparison.tokens}
    for aligned in passages[:_LOOKED_AT_FOR_NEGATION]:
        if not any(t.word.lower in _EXCLUSIVE for t in aligned.passage.tokens):
            continue
        for name in comparison.names:
            if set(name.stems) & aligned.stems:
                continue
            share, count = share_found(comparison.tokens, aligned.stems, [(name.start, name.end)])
            other = name_in_its_place(name, comparison.tokens, context, aligned.passage, claimed)
            if other is not None and share >= ALIGNED_FOR_NAME and count >= FEWEST_ALIGNED_WORDS:
                return Conflict(
                    kind=ConflictKind.NAME,
                    passage=aligned.passage,
                    claim_span=(name.start, name.end),
                    passage_span=(other.start, other.end),
                )
    return None


def _negation_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[Aligned]
) -> Conflict | None:
    conflict: Conflict | None = None
    claim = Polarity(answer, comparison.tokens)
    for aligned in passages[:_LOOKED_AT_FOR_NEGATION]:
        passage = aligned.passage
        if passage.is_flag:
            continue
        share_of_all, _ = share_found(comparison.tokens, aligned.stems, [])
        if share_of_all < _LEAST_ALIGNED_FOR_NEGATION:
            break  # they come with the most words first
        opposition = find_opposition(claim, context.polarity_of(passage))
        if opposition is None:
            if share_of_all >= ALIGNED_FOR_NEGATION:
                return None  # this one says it as the claim does
            continue
        is_whole = share_of_all == 1
        if conflict is None and _denies(opposition, aligned, comparison, context, is_whole=is_whole):
            mine, theirs = opposition.claim_token, opposition.passage_token
            conflict = Conflict(
                kind=ConflictKind.NEGATION if opposition.is_negation else ConflictKind.OPPOSITE,
                passage=passage,
                claim_span=(mine.start, mine.end),
                passage_span=(theirs.start, theirs.end),
            )
    return conflict


def _denies(
    opposition: Opposition, aligned: Aligned, comparison: Comparison, context: Context, *, is_whole: bool
) -> bool:
    """Return whether a passage with that opposition says otherwise of the same; `is_whole`: it has the whole claim."""
    passage = aligned.passage
    if context.texts[passage.chunk][passage.start : passage.end].rstrip().endswith("?"):
        return False  # "Are dogs allowed?" says nothing against "dogs are not allowed"
    mine, theirs = opposition.claim_token, opposition.passage_token
    if theirs.word.is_capitalised and opposition.is_negation and theirs.start > passage.start:
        return False  # "without Wayne" denies no name
    if opposition.is_negation and (mine.word.lower in _ALL or theirs.word.lower in _ALL):
        return False  # "not everyone has it" denies of nobody that they have it
    if not _is_said_of_the_same(theirs, passage, comparison, is_whole=is_whole):
        return False
    spared = [(mine.start, mine.end)]
    if says_nobody(passage.tokens):  # "nobody was hurt" against "several people were hurt"
        spared += [(t.start, t.end) for t in comparison.tokens if t.word.stem in _ANYBODY]
    share, count = share_found(comparison.tokens, aligned.stems, spared)
    # "Exports are not deleted": with the very same word denied, all the others, be it one, are enough.
    # "The beach is private" needs a sentence that says nothing else: "The beach is public."
    is_all = (
        is_whole or (share == 1 and says_nobody(passage.tokens))
        if mine.word.stem == theirs.word.stem
        else share == 1 and len(aligned.stems) <= count + 1
    )
    fewest = 1 if is_all else FEWEST_ALIGNED_WORDS
    is_aligned = share >= ALIGNED_FOR_NEGATION and count >= fewest
    return is_aligned and not _is_word_said_elsewhere(mine, theirs, comparison, context)


_ANYBODY = frozenset({"person", "somebodi", "someon", "anybodi", "anyon"})

_ALL = word_set("everyone everybody everything every all always")

# In a condition or a purpose nothing is denied: "if you cannot ...", "so that it won't freeze".
_SUPPOSING = word_set("if unlike")


def _is_said_of_the_same(theirs: Token, passage: Passage, comparison: Comparison, *, is_whole: bool) -> bool:
    """Return whether nothing is supposed there, and most words around the opposed one are the claim's too.

    The second is not asked where the passage has the claim as a whole (`is_whole`).
    """
    before_it = [t.word.lower for t in passage.tokens if t.start < theirs.start]
    if not _SUPPOSING.isdisjoint(before_it) or ("so", "that") in pairwise(before_it):
        return False
    if is_whole:
        return True
    words = [t for t in passage.tokens if t.word.is_content]
    before = [t.word.stem for t in words if t.end <= theirs.start][-_AROUND:]
    after = [t.word.stem for t in words if t.start >= theirs.end][:_AROUND]
    around = [*before, *after]
    claimed = {t.word.stem for t in comparison.tokens}
    return sum(stem in claimed for stem in around) * 2 > len(around) or not around


_AROUND = 3
_LOOKED_AT_FOR_NEGATION = 4
_LEAST_ALIGNED_FOR_NEGATION = 0.3


def _is_word_said_elsewhere(mine: Token, theirs: Token, comparison: Comparison, context: Context) -> bool:
    """Return whether a passage that is about the same uses the claim's own word where another uses its opposite."""
    if mine.word.stem == theirs.word.stem:
        return False
    return any(
        share_found(comparison.tokens, content_stems(context.passages[position]), [])[0] >= ALIGNED_FOR_AGREEMENT
        for position in context.postings.get(mine.word.stem, ())
    )


def _role_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[Aligned]
) -> Conflict | None:
    if len(comparison.names) < 2:
        return None
    for aligned in passages[:2]:
        passage = aligned.passage
        share, _ = share_found(comparison.tokens, aligned.stems, [])
        if share < ALIGNED_FOR_NAME:
            continue
        swap = find_swap(answer, comparison.tokens, comparison.names, context.texts[passage.chunk], passage.tokens)
        if swap is not None:
            return Conflict(
                kind=ConflictKind.ROLES, passage=passage, claim_span=swap.claim_span, passage_span=swap.passage_span
            )
    return None
