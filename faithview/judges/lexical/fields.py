"""Fields of records against claims: flags that are true or false, and hours."""

from collections.abc import Sequence
from itertools import pairwise

from faithview.judges.lexical.alignment import Aligned
from faithview.judges.lexical.comparison import Comparison, Conflict
from faithview.judges.lexical.equality import is_same
from faithview.judges.lexical.polarity import denies
from faithview.judges.lexical.retrieve import Context, Passage
from faithview.judges.lexical.value import Kind, Value
from faithview.judges.lexical.words import Token, word_of


def find_field_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[Aligned]
) -> Conflict | None:
    """Return a field of a record that says otherwise than the claim: a flag that is set differently, or other hours."""
    if not context.is_record:
        return None
    named = _named(answer, comparison.tokens)
    place = _place_conflict(comparison, context)
    if place is not None:
        return place
    for aligned in passages:
        passage = aligned.passage
        conflict = (
            _flag_conflict(comparison, passage, named)
            if passage.is_flag
            else _hours_conflict(comparison, context, passage)
        )
        if conflict is not None:
            return conflict
    return None


def find_untold(answer: str, comparison: Comparison, context: Context) -> Passage | None:
    """Return the field that the claim is about and that is left open (null), where no other field tells of the same."""
    named = _named(answer, comparison.tokens)
    about = [p for p in context.passages if any(form <= named.keys() for form in p.key_forms)]
    return about[0] if about and all(passage.is_unknown for passage in about) else None


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


def _named(answer: str, tokens: Sequence[Token]) -> dict[str, Token]:
    """Return the claim's words by their stems, "wi-fi" and "take out" as one word too."""
    named = {token.word.stem: token for token in reversed(tokens)}
    for one, other in pairwise(tokens):
        if other.start - one.end == 1 and answer[one.end] in " -":
            named.setdefault(word_of(one.word.lower + other.word.lower).stem, one)
    return named


def _flag_conflict(comparison: Comparison, passage: Passage, named: dict[str, Token]) -> Conflict | None:
    form = next((form for form in passage.key_forms if form <= named.keys()), None)
    if form is None:
        return None
    mine = min((named[stem] for stem in form), key=lambda token: token.start)
    if denies(comparison.tokens, mine) == passage.is_denied:
        return None
    return Conflict(
        kind="field",
        passage=passage,
        claim_span=(mine.start, mine.end),
        passage_span=(passage.start, passage.end),
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
