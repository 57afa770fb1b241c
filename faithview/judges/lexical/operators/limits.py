"""Conditions, exceptions, restrictions and reasons that only the claim has, or only the sentence."""

from collections.abc import Iterator

from faithview.domain.claim import Verdict
from faithview.judges.lexical.operators.clauses import Part, PartKind, clause_family
from faithview.judges.lexical.operators.pair import Difference, Pair, Side, is_short
from faithview.judges.lexical.operators.words import Words
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.units import days_of

_UNCONDITIONAL = "unconditional"
_LIMITS = frozenset({PartKind.CONDITION, PartKind.EXCEPTION, PartKind.RESTRICTION})

# Parts that add something; a restriction takes something away.
_ADDING = frozenset({PartKind.MAIN, PartKind.REASON, PartKind.TIME})

# Fewer new words than these make no statement of their own.
_FEWEST_ADDED = 2

# A condition is kept if the claim or the question has this share of its words.
_KEPT = 0.5

# Conditions that limit nothing: "if needed".
_TRIVIAL = word_set("need necessari desir possibl wish want like choos select pick prefer prompt appropri applic appli")
_NO_CONDITION = word_set("even also as what")


def limits_that_differ(pair: Pair) -> Iterator[Difference]:
    """Yield the parts that limit or explain what is said and that the other side lacks."""
    for part in pair.sentence.parts:
        if part.kind is PartKind.MAIN or not _is_of_meant(pair, part):
            continue
        verdict = clause_family(part.kind).dropped
        if verdict is not None and not _is_kept(pair, part):
            yield Difference(part.kind, verdict, None, pair.sentence.span(part.first, part.end))
    anyhow = next((o for o in pair.claim.operators if o.family == _UNCONDITIONAL), None)
    limits = [p for p in pair.sentence.parts if p.kind in _LIMITS and _is_of_meant(pair, p)]
    if anyhow is not None and limits:
        place = pair.sentence.span(limits[0].first, limits[0].end)
        yield Difference(_UNCONDITIONAL, Verdict.CONTRADICTED, pair.claim.span(anyhow.first, anyhow.end), place)
    for part in pair.claim.parts:
        verdict = clause_family(part.kind).added if part.kind is not PartKind.MAIN else None
        if verdict is not None and not _has(pair, part):
            yield Difference(part.kind, verdict, pair.claim.span(part.first, part.end), None)
    if is_short(pair.context):
        yield from _added_statements(pair)


def _added_statements(pair: Pair) -> Iterator[Difference]:
    """Yield the parts of the claim of which no chunk has a word, as a reason or an event that it adds."""
    for part in pair.claim.parts if len(pair.claim.parts) > 1 else ():
        telling = [t for t in pair.claim.of(part) if t.word.is_content and not pair.claim.is_value(t)]
        fewest = _FEWEST_ADDED if part.kind is PartKind.MAIN else 1
        if part.kind in _ADDING and len(telling) >= fewest and len(pair.new_words(telling)) == len(telling):
            yield Difference("added", Verdict.PARTIALLY_SUPPORTED, pair.claim.span(part.first, part.end), None)
    tokens = pair.claim.tokens
    for at, token in enumerate(tokens):
        if at == 0 or token.word.lower != "to":
            continue
        telling = [t for t in tokens[at:] if t.word.is_content and not pair.claim.is_value(t)]
        if len(telling) >= _FEWEST_ADDED and len(pair.new_words(telling)) == len(telling):
            yield Difference("added", Verdict.PARTIALLY_SUPPORTED, pair.claim.span(at, len(tokens)), None)


def _is_of_meant(pair: Pair, part: Part) -> bool:
    """Return whether a part belongs to a statement that the claim is about: the one before it, or after it."""
    parts = pair.sentence.parts
    at = parts.index(part)
    main = [other for other in parts[:at][::-1] if other.kind is PartKind.MAIN] or [
        other for other in parts[at:] if other.kind is PartKind.MAIN
    ]
    return bool(main) and main[0] in pair.meant and not _is_trivial(pair.sentence, part)


def _is_kept(pair: Pair, part: Part) -> bool:
    """Return whether the claim or the question says what a part of the sentence says."""
    inside = Words(pair.sentence.tokens[part.first + part.marker : part.end])
    if not inside.count:
        inside = Words(pair.sentence.of(part))
    if part.kind is PartKind.RESTRICTION and _begins_otherwise(pair, part):
        return False
    if _names_one_of_its_days(pair, part):
        return True
    share, _ = inside.share_in(pair.claim.words, also=pair.context.question_stems)
    return not inside.count or share >= _KEPT or _has_kind(pair.claim, part)


def _names_one_of_its_days(pair: Pair, part: Part) -> bool:
    """Return whether the claim speaks of a day of those that a part names: of Mondays, beside "on weekdays"."""
    days = {day for token in pair.sentence.of(part) for day in days_of(token.word.lower)}
    named = {day for token in pair.claim.tokens for day in days_of(token.word.lower)}
    return bool(named) and named <= days


def _begins_otherwise(pair: Pair, part: Part) -> bool:
    """Return whether the claim has the end of a relative clause and not its beginning: "members who … get a badge"."""
    inside = [t for t in pair.sentence.of(part)[part.marker :] if t.word.is_content or t.word.is_number]
    known = [pair.claim.words.has(t) or t.word.stem in pair.context.question_stems for t in inside]
    return any(known) and not known[0]


def _has(pair: Pair, part: Part) -> bool:
    """Return whether the sentence has a part of that kind, or says in other words what the claim's part says.

    What stands elsewhere in the chunks is no reason: two things said side by side do not explain each other.
    """
    if _is_trivial(pair.claim, part) or _has_kind(pair.sentence, part):
        return True
    inside = Words(pair.claim.tokens[part.first + part.marker : part.end])
    known = pair.context.question_stems
    return not inside.count or inside.share_in(pair.sentence.words, also=known)[0] >= _KEPT


def _is_trivial(side: Side, part: Part) -> bool:
    """Return whether a condition limits nothing ("if needed"), or a relative clause only adds something."""
    before = side.tokens[part.first - 1] if part.first else None
    if part.kind is PartKind.CONDITION:
        inside = Words(side.tokens[part.first + part.marker : part.end])
        if inside.count <= 2 and not inside.stems - _TRIVIAL:
            return True
        return before is not None and before.word.lower in _NO_CONDITION
    if part.kind is PartKind.RESTRICTION and before is not None:
        return "," in side.text[before.end : side.tokens[part.first].start]
    return False


# A time may be said as a condition, and a condition as a time.
_ALIKE = {PartKind.CONDITION: (PartKind.CONDITION, PartKind.TIME), PartKind.TIME: (PartKind.CONDITION, PartKind.TIME)}


def _has_kind(side: Side, part: Part) -> bool:
    kinds = _ALIKE.get(part.kind, (part.kind,))
    return any(other.kind in kinds for other in side.parts)
