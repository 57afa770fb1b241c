"""Fields of records against claims: where something is, and when it is open."""

from collections.abc import Sequence

from faithview.judges.lexical.alignment import Aligned
from faithview.judges.lexical.comparison import Comparison, Conflict
from faithview.judges.lexical.equality import is_same
from faithview.judges.lexical.retrieve import Context, Passage
from faithview.judges.lexical.value import Kind, Value
from faithview.judges.lexical.words import word_of


def find_field_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[Aligned]
) -> Conflict | None:
    """Return a field of a record that says otherwise than the claim: another place, or other hours."""
    if not context.is_record:
        return None
    place = _place_conflict(comparison, context)
    if place is not None:
        return place
    for aligned in passages:
        conflict = _hours_conflict(comparison, context, aligned.passage)
        if conflict is not None:
            return conflict
    return None


# Fields that say where something is, in one name.
_PLACES = frozenset({word_of(word).stem for word in ("city", "town", "state", "country")})
_LIES = frozenset({word_of(word).stem for word in ("located", "lies", "situated", "based", "city", "town")})
_IN = frozenset({"in", "at", "near"})


def _place_conflict(comparison: Comparison, context: Context) -> Conflict | None:
    """Return the field that names another place than the claim, which says of nothing but a place where it is."""
    if len(comparison.missing_names) != 1:
        return None
    name = comparison.missing_names[0]
    before = [t.word for t in comparison.tokens if t.end <= name.start]
    says_where = any(word.stem in _LIES for word in before) and before[-1].lower in _IN
    fields = [p for p in context.passages if any(form <= _PLACES for form in p.key_forms) and not p.is_unknown]
    if not says_where or len(fields) != 1:
        return None
    return Conflict(
        kind="field",
        passage=fields[0],
        claim_span=(name.start, name.end),
        passage_span=(fields[0].start, fields[0].end),
    )


def _hours_conflict(comparison: Comparison, context: Context, passage: Passage) -> Conflict | None:
    """Return the hours of the one day that the claim is about, where the claim has a time that is none of them."""
    days = [value for value in comparison.values if value.kind is Kind.WEEKDAY]
    times = [value for value in comparison.values if value.kind is Kind.TIME]
    if len(days) != 1 or not times or not passage.key_forms:
        return None
    there = context.values_of(passage)
    theirs = [value for value in there if value.kind is Kind.TIME]
    if not theirs or not any(is_same(days[0], value) for value in there if value.kind is Kind.WEEKDAY):
        return None
    for place, mine in enumerate(times):
        if not any(is_same(mine, value) for value in theirs):
            other: Value = theirs[min(place, len(theirs) - 1)]
            return Conflict(
                kind="value",
                passage=passage,
                claim_span=(mine.start, mine.end),
                passage_span=(other.start, other.end),
            )
    return None
