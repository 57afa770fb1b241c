"""Definitions that changed owners: "a customer sells goods", where the chunks say so of a merchant."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.judges.lexical.comparison.comparison import Comparison, Conflict, ConflictKind
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import Token

_VERBS = word_set("is are means refers")

# A subject is short; what is longer has a clause in it.
_LONGEST_SUBJECT = 5
_FEWEST_PREDICATE_WORDS = 2

# Of the claim's predicate, the subject's own sentence says less than this.
_SAYS_OTHERWISE = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class _Definition:
    start: int
    end: int
    subject: frozenset[str]
    predicate: frozenset[str]


def find_subject_conflict(comparison: Comparison, context: Context) -> Conflict | None:
    """Return the sentence that says of another subject what the claim says of its own, which has a sentence itself."""
    claim = _definition(comparison.tokens)
    if claim is None or len(claim.predicate) < _FEWEST_PREDICATE_WORDS:
        return None
    if any(t.word.is_acronym for t in comparison.tokens if t.start < claim.end):
        return None  # it may be short for the other subject
    owner: Conflict | None = None
    has_other_definition = False
    places = {place for stem in claim.predicate | claim.subject for place in context.postings.get(stem, ())}
    for place in sorted(places):
        passage = context.passages[place]
        other = _definition(passage.tokens)
        if other is None:
            if claim.subject | claim.predicate <= {t.word.stem for t in passage.tokens}:
                return None
            continue
        shared = len(claim.predicate & other.predicate) / len(claim.predicate)
        if other.subject == claim.subject:
            if shared >= _SAYS_OTHERWISE:
                return None
            has_other_definition = True
        elif claim.predicate <= other.predicate and not claim.subject & (other.subject | other.predicate):
            owner = owner or Conflict(
                kind=ConflictKind.SUBJECT,
                passage=passage,
                claim_span=(claim.start, claim.end),
                passage_span=(other.start, other.end),
            )
    return owner if has_other_definition else None


def _definition(tokens: Sequence[Token]) -> _Definition | None:
    """Return subject and predicate of "A merchant is a person who sells goods", or None."""
    at = next((n for n, t in enumerate(tokens[: _LONGEST_SUBJECT + 1]) if t.word.lower in _VERBS), 0)
    if at == 0 or any(t.word.lower in NEGATIONS for t in tokens):
        return None
    subject = frozenset(t.word.stem for t in tokens[:at] if t.word.is_content)
    predicate = frozenset(t.word.stem for t in tokens[at + 1 :] if t.word.is_content or t.word.is_number)
    if not subject or not predicate:
        return None
    return _Definition(start=tokens[0].start, end=tokens[at - 1].end, subject=subject, predicate=predicate)
