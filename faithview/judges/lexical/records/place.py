"""Fields of records against claims: where something is."""

from faithview.judges.lexical.comparison.comparison import Comparison, Conflict, ConflictKind
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.text.tokens import word_of

# Fields that say where something is, in one name.
_PLACES = frozenset({word_of(word).stem for word in ("city", "town", "state", "country")})
_LIES = frozenset({word_of(word).stem for word in ("located", "lies", "situated", "based", "city", "town")})
_IN = frozenset({"in", "at", "near"})


def find_place_conflict(comparison: Comparison, context: Context) -> Conflict | None:
    """Return the field that names another place than the claim, which says of nothing but a place where it is."""
    if not context.is_record or len(comparison.missing_names) != 1:
        return None
    name = comparison.missing_names[0]
    before = [t.word for t in comparison.tokens if t.end <= name.start]
    says_where = any(word.stem in _LIES for word in before) and before[-1].lower in _IN
    fields = [p for p in context.passages if any(form <= _PLACES for form in p.key_forms) and not p.is_unknown]
    if not says_where or len(fields) != 1:
        return None
    return Conflict(
        kind=ConflictKind.FIELD,
        passage=fields[0],
        claim_span=(name.start, name.end),
        passage_span=(fields[0].start, fields[0].end),
    )
