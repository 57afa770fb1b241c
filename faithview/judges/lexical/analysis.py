"""Compare the claims of an answer with its chunks: what is there, what is missing, and what contradicts them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.comparing.comparison import (
    ALIGNED_FOR_AGREEMENT,
    ALIGNED_FOR_NAME,
    ALIGNED_FOR_NEGATION,
    FEWEST_ALIGNED_WORDS,
    Aligned,
    Comparison,
    Conflict,
    ConflictKind,
    EditKind,
    FieldCounts,
    OperatorDifference,
    aligned_passages,
    content_stems,
    share_found,
)
from faithview.judges.lexical.comparing.edits import find_edit
from faithview.judges.lexical.comparing.names import (
    find_names,
    find_subject_conflict,
    find_swap,
    missing_names,
    name_in_its_place,
)
from faithview.judges.lexical.comparing.value_conflicts import find_value_conflict, is_within_range
from faithview.judges.lexical.operators.arithmetic import PERIODS, is_worked_out
from faithview.judges.lexical.operators.differences import find_near_sentence, sentences_beside
from faithview.judges.lexical.passages.equality import can_differ, is_same, is_weaker
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.lexical.passages.values import Kind, Value, find_values, values_among
from faithview.judges.lexical.records.cells import find_cell_conflict, find_place_conflict
from faithview.judges.lexical.records.grids import RecordView
from faithview.judges.lexical.records.opening_hours import check_hours
from faithview.judges.lexical.records.yes_no import FlagCheck, check_flags
from faithview.judges.lexical.scoring.claim_view import AnswerView, ClaimView, share_of_words_found
from faithview.judges.lexical.scoring.model import denial_figures
from faithview.judges.lexical.splitting.claims import SplitAnswer, find_citations, split_answer
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.polarity import Opposition, Polarity, find_opposition, says_nobody
from faithview.judges.text.tokens import Token, tokenize, word_of
from faithview.judges.text.units import WEEKDAYS, days_of


def find_conflict(answer: str, comparison: Comparison, records: RecordView) -> Conflict | None:
    """Return the conflict between the claim and a passage that says nearly the same, or None.

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
    """Return whether the claim or the near sentence has words that reverse a statement; both sides were compared."""
    return comparison.near is not None and comparison.near.is_turned


def _is_compared(comparison: Comparison) -> bool:
    """Return whether negations were already compared with the near sentence, the only candidate in a short text."""
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


# Edits of other kinds are not conflicts: other words can mean the same, and additions contradict nothing.
_KIND_OF_EDIT = {
    EditKind.VALUE: ConflictKind.VALUE,
    EditKind.LIMIT: ConflictKind.WORDS,
    EditKind.NEGATION: ConflictKind.WORDS,
    EditKind.CLASS: ConflictKind.WORDS,
    EditKind.NAME: ConflictKind.NAME,
    EditKind.DROPPED: ConflictKind.DROPPED,
}


# Conflicts that the operators of a near sentence detect better.
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
    """Return the conflict with a passage that says the same of another name, and of that name only."""
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
            break  # sorted by shared words, most first
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
    """Return whether a passage with that opposition contradicts the claim; `is_whole`: it has the whole claim."""
    passage = aligned.passage
    if context.texts[passage.chunk][passage.start : passage.end].rstrip().endswith("?"):
        return False  # "Are dogs allowed?" does not deny "dogs are not allowed"
    mine, theirs = opposition.claim_token, opposition.passage_token
    if theirs.word.is_capitalised and opposition.is_negation and theirs.start > passage.start:
        return False  # "without Wayne" denies no name
    if opposition.is_negation and (mine.word.lower in _ALL or theirs.word.lower in _ALL):
        return False  # "not everyone has it" does not deny it for any person
    if not _is_said_of_the_same(theirs, passage, comparison, is_whole=is_whole):
        return False
    spared = [(mine.start, mine.end)]
    if says_nobody(passage.tokens):  # "nobody was hurt" against "several people were hurt"
        spared += [(t.start, t.end) for t in comparison.tokens if t.word.stem in _ANYBODY]
    share, count = share_found(comparison.tokens, aligned.stems, spared)
    # If the same word is denied ("Exports are not deleted"), all other words must agree, but a single one is enough.
    # If two words oppose ("The beach is private"), the sentence must say nothing else: "The beach is public."
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

# Conditions and purposes do not deny anything: "if you cannot ...", "so that it won't freeze".
_SUPPOSING = word_set("if unlike")


def _is_said_of_the_same(theirs: Token, passage: Passage, comparison: Comparison, *, is_whole: bool) -> bool:
    """Return whether the opposed word is not in a condition, and most words around it are in the claim too.

    The second is skipped if the passage has the whole claim (`is_whole`).
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
    """Return whether another passage about the same uses the claim's word, although this one uses its opposite."""
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


def compare(answer: str, start: int, end: int, records: RecordView) -> Comparison:
    """Compare the claim `answer[start:end]` with the chunks and the records in them."""
    context = records.context
    tokens = tokenize(answer, start, end)
    words = [token.word for token in tokens]
    windows = context.best_windows(words)
    names = find_names(answer, tokens, known_lower=context.lowers, known_names=context.names)
    values = _without_conversions(values_among(tokens, answer, start, end), answer)
    missing_values = [value for value in values if not _is_found(value, context)]
    lost_names = missing_names(names, context)
    lost = {value.start for value in missing_values}
    in_found_values = {at for value in values if value.start not in lost for at in range(value.start, value.end)}
    known = frozenset(t.start for t in tokens if t.start in in_found_values or context.knows(t.word.stem))
    flags = check_flags(answer, tokens, records)
    known |= flags.named
    missing = [t for t in tokens if t.word.is_content and t.start not in known]
    comparison = Comparison(
        start=start,
        end=end,
        tokens=tokens,
        windows=windows,
        missing=missing,
        known=known,
        names=names,
        missing_names=lost_names,
        values=values,
        missing_values=missing_values,
        added_units=sum(_adds_unit(value, context) for value in values if value.start not in lost),
        conflict=None,
    )
    comparison = replace(comparison, edit=find_edit(comparison, context))
    if not context.is_record:
        comparison = _with_worked_out(
            replace(comparison, near=find_near_sentence(answer, comparison, context)), context
        )
        conflict = find_conflict(answer, comparison, records)
        return comparison if conflict is None else replace(comparison, conflict=conflict)
    return _with_fields(answer, comparison, records, flags)


def _are_periods(difference: OperatorDifference, comparison: Comparison, passage: Passage) -> bool:
    """Return whether a difference is that of two periods."""
    places = (comparison.tokens, difference.claim_span), (passage.tokens, difference.passage_span)
    return all(
        span is not None and any(t.start == span[0] and t.word.lower in PERIODS for t in tokens)
        for tokens, span in places
    )


# Two named values of these kinds also state everything between them: May to September includes July.
_ORDERED = frozenset({Kind.DATE, Kind.TIME, Kind.WEEKDAY})


def _with_worked_out(comparison: Comparison, context: Context) -> Comparison:
    """Return the comparison without the values that the claim computed from its others: they are not missing."""
    near = comparison.near
    if near is None or not comparison.values:
        return comparison
    sentences = sentences_beside(near, context)
    there = [value for passage in sentences for value in context.values_of(passage)]
    words = [token for passage in sentences for token in passage.tokens]
    asked = find_values(context.question) if context.question else []
    lost = {value.start for value in comparison.missing_values}
    found = [
        value
        for value in comparison.values
        if (
            value.start in lost
            and (
                is_worked_out(value, comparison.values, comparison.tokens, there, words)
                or any(is_same(value, v) for v in asked)
            )
        )
        or any(is_weaker(value, other) for other in there)
        or (value.kind is Kind.WEEKDAY and any(value.number in days_of(t.word.lower) for t in words))
        or any(
            is_within_range(value, other, context.values_of(passage), context.texts[passage.chunk])
            for passage in sentences
            for other in context.values_of(passage)
            if value.kind in _ORDERED and can_differ(value, other) and not is_same(value, other)
        )
    ]
    if not found:
        return comparison
    if near.difference is not None and _are_periods(near.difference, comparison, near.passage):
        near = replace(near, difference=None)  # "240 euros a year" says what "20 euros a month" does
    starts = {value.start for value in found}
    inside = {at for value in found for at in range(value.start, value.end)}
    return replace(
        comparison,
        near=near,
        edit=None,
        values=[value for value in comparison.values if value.start not in starts],
        missing_values=[value for value in comparison.missing_values if value.start not in starts],
        missing=[token for token in comparison.missing if token.start not in inside],
    )


_OF_HOURS = frozenset({Kind.TIME, Kind.WEEKDAY})
_WORDS_OF_HOURS = word_set("weekday weekdays weekend weekends week day days daily open opens closed closes hours") | {
    f"{day}{plural}" for day in WEEKDAYS for plural in ("", "s")
}

# A record lists reviews, but no field counts how many of them say something.
_COUNTED = word_set("review reviews reviewer reviewers customer customers guest guests")
_MOST_COUNTED = 10


def _with_fields(answer: str, comparison: Comparison, records: RecordView, flags: FlagCheck) -> Comparison:
    """Add the checks of a record's fields to the comparison: opening hours, flags, and open questions."""
    hours = check_hours(answer, comparison, records.context, records.schedule)
    named = {
        t.start
        for t in comparison.tokens
        if t.start in flags.named or (hours is not None and not hours.wrong and t.word.lower in _WORDS_OF_HOURS)
    }
    # Times and days are checked against the whole schedule, not against single fields.
    values = [value for value in comparison.values if hours is None or not _is_of_hours(value, comparison)]
    lost = {value.start for value in comparison.missing_values}
    comparison = replace(
        comparison,
        known=comparison.known | named,
        missing=[t for t in comparison.missing if t.start not in named],
        missing_names=[
            name for name in comparison.missing_names if not all(token.start in named for token in name.tokens)
        ],
        values=values,
        missing_values=[value for value in values if value.start in lost and not _counts_reviews(value, comparison)],
    )
    conflict = (hours.conflict if hours is not None else None) or find_conflict(answer, comparison, records)
    conflict = conflict or flags.conflict
    agreed, wrong = (hours.agreed, hours.wrong) if hours is not None else (0, 0)
    return replace(
        comparison,
        conflict=conflict,
        untold=flags.open if conflict is None else None,
        fields=FieldCounts(flags.agreed + agreed, flags.against + wrong, flags.untold),
    )


def _is_of_hours(value: Value, comparison: Comparison) -> bool:
    """Return whether a value is a time or a day, or counts the days of a week: "six days a week"."""
    if value.kind in _OF_HOURS:
        return True
    following = [t.word.lower for t in comparison.tokens if t.start >= value.end][:2]
    return value.kind is Kind.QUANTITY and value.unit == _DAY.unit and following in (["a", "week"], ["per", "week"])


_DAY = values_among(tokenize("1 day"), "1 day", 0, 5)[0]


def _counts_reviews(value: Value, comparison: Comparison) -> bool:
    following = [t.word.lower for t in comparison.tokens if t.start >= value.end][:3]
    return value.kind is Kind.NUMBER and value.number <= _MOST_COUNTED and not _COUNTED.isdisjoint(following)


def _without_conversions(values: list[Value], answer: str) -> list[Value]:
    """Leave out a value that repeats the one before it in another unit: "500 °F (260 °C)"."""
    return values[:1] + [value for before, value in pairwise(values) if not _is_conversion(before, value, answer)]


def _is_conversion(before: Value, value: Value, answer: str) -> bool:
    if before.unit == value.unit or not is_same(before, value):
        return False
    # "Plan 9 costs 9 euros": equal numbers with words between them are about two things if one has no unit.
    return bool(before.unit and value.unit) or _WORD.search(answer, before.end, value.start) is None


_WORD = re.compile(r"[^\W\d_]")


def _adds_unit(value: Value, context: Context) -> bool:
    """Return whether the chunks have the value, but never in this unit."""
    if not value.unit:
        return False
    units = context.all_values().units_of_same(value)
    return bool(units) and value.unit not in units


def _is_found(value: Value, context: Context) -> bool:
    if context.all_values().units_of_same(value):
        return True
    # A small ordinal numbers the answer's own points ("first, ..."); a number can be part of a name ("Apollo 11").
    if value.kind is Kind.ORDINAL and value.number <= 3:
        return True
    return value.kind is Kind.NUMBER and value.number.is_integer() and str(int(value.number)) in context.lowers


# Maximum support after a conflict with a well-aligned sentence. On labelled answers only one conflict in three is real,
# so a conflict must not outrank everything else.
_MOST_SUPPORT_IN_CONFLICT = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The claims of an answer; `comparisons` are in the claims' order, and `view` is what a model judges.

    Comparisons point into `split.reading`.

    `beside` has the answer's figures besides its claims' scores, in the order of `scoring.model.BESIDE`.
    """

    split: SplitAnswer
    context: Context
    comparisons: list[Comparison]
    view: AnswerView
    beside: tuple[float, ...]


def read_answer(sample: Sample, split: SplitAnswer | None = None) -> Reading:
    """Compare every claim of an answer with its chunks.

    Args:
        sample: the answer with its chunks.
        split: the answer's claims, at least one, where the caller has them already.
    """
    split = split or split_answer(sample.answer, sample.question)
    context = Context(sample.chunks, sample.question)
    records = RecordView(context)
    comparisons, claims = [], []
    citations = find_citations(sample.answer, split.claims)
    for claim, place, cited in zip(split.claims, split.places(), citations, strict=True):
        comparison = compare(split.reading, *place, records)
        comparisons.append(comparison)
        text = split.reading[slice(*place)]
        claims.append(ClaimView(comparison, context, text, cited, is_item=claim.is_item))
    view = AnswerView(claims, context, refusals=len(split.refusals))
    words_found = share_of_words_found([token for c in comparisons for token in c.tokens], context)
    beside = (words_found, *denial_figures(sample.answer, split.refusals, context))
    return Reading(split=split, context=context, comparisons=comparisons, view=view, beside=beside)


# Maximum score of an answer without claims: neither faithful nor unfaithful.
_MOST_WITHOUT_CLAIMS = 0.5


def score_without_claims(sample: Sample, split: SplitAnswer) -> float:
    """Return the answer score of an answer that has no claims.

    A refusal scores 1. A question or small talk scores by the share of its words that the chunks contain: 0 if none,
    0.5 if all.
    """
    if split.refusals:
        return 1.0
    share = share_of_words_found(tokenize(sample.answer), Context(sample.chunks, sample.question))
    return round(_MOST_WITHOUT_CLAIMS * share, 6)


def is_denied(comparison: Comparison) -> bool:
    """Return whether there is a finding against the claim: a conflict, an open field, or a different operator."""
    return comparison.conflict is not None or comparison.untold is not None or comparison.has_other_operator


def support_of(probability: float, *, in_conflict: bool) -> float:
    """Return a claim's support score: the model's probability, which a conflict reduces to less than half."""
    return round(probability * _MOST_SUPPORT_IN_CONFLICT, 6) if in_conflict else probability
