"""Compare one claim with the chunks."""

import re
from dataclasses import replace
from itertools import pairwise

from faithview.judges.lexical.analysis.find_conflict import find_conflict
from faithview.judges.lexical.comparison.comparison import Comparison, FieldCounts, OperatorDifference
from faithview.judges.lexical.edits.find_edit import find_edit
from faithview.judges.lexical.opening_hours.check import check_hours
from faithview.judges.lexical.operators.arithmetic import PERIODS, is_worked_out
from faithview.judges.lexical.operators.differences import find_near_sentence, sentences_beside
from faithview.judges.lexical.prose.names import find_names, missing_names
from faithview.judges.lexical.prose.value_places import is_within_range
from faithview.judges.lexical.records.view import RecordView
from faithview.judges.lexical.records.yes_no import FlagCheck, check_flags
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.lexical.values.equality import can_differ, is_same, is_weaker
from faithview.judges.lexical.values.extract import find_values, values_among
from faithview.judges.lexical.values.model import Kind, Value
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import tokenize
from faithview.judges.text.units import WEEKDAYS, days_of


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


# Of these, what lies between two that are named is said too: July is between May and September.
_ORDERED = frozenset({Kind.DATE, Kind.TIME, Kind.WEEKDAY})


def _with_worked_out(comparison: Comparison, context: Context) -> Comparison:
    """Return the comparison without the values that the claim worked out of those beside it: they are not missing."""
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

# A record lists its reviews; how many of them say something, no field tells.
_COUNTED = word_set("review reviews reviewer reviewers customer customers guest guests")
_MOST_COUNTED = 10


def _with_fields(answer: str, comparison: Comparison, records: RecordView, flags: FlagCheck) -> Comparison:
    """Return the comparison with what the claim says of a record's fields: opening hours, flags, and what is open."""
    hours = check_hours(answer, comparison, records.context, records.schedule)
    named = {
        t.start
        for t in comparison.tokens
        if t.start in flags.named or (hours is not None and not hours.wrong and t.word.lower in _WORDS_OF_HOURS)
    }
    # The schedule as a whole tells of times and days, and no single field of it does.
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
    """Leave out a value that says the one before it again in another unit: "500 °F (260 °C)"."""
    return values[:1] + [value for before, value in pairwise(values) if not _is_conversion(before, value, answer)]


def _is_conversion(before: Value, value: Value, answer: str) -> bool:
    if before.unit == value.unit or not is_same(before, value):
        return False
    # "Plan 9 costs 9 euros": equal numbers with words between them count two things where one has no unit.
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
    # A small ordinal orders the answer's own points ("first, ..."); a number may be a word of a name ("Apollo 11").
    if value.kind is Kind.ORDINAL and value.number <= 3:
        return True
    return value.kind is Kind.NUMBER and value.number.is_integer() and str(int(value.number)) in context.lowers
