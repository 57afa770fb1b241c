"""Substitutions of a claim for words of a sentence, and conditions that only one of them has."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.lexical.operators.clauses import Part, PartKind, Words, clause_family, say_the_same
from faithview.judges.lexical.operators.denials import agents, exclude_each_other
from faithview.judges.lexical.operators.pair import Difference, Pair, Side, around, is_short
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token
from faithview.judges.text.units import ORDINALS, days_of

# A claim repeats a sentence if this share of all words is alike and in the same order.
_REPEATED = 0.7
_MOST_NEW = 2
_SAME_SPELLING = 0.8
_FEWEST_LISTED = 2
_OF_TWO = word_set("two both")


def substitutions(pair: Pair) -> Iterator[Difference]:
    """Yield the claim's substitutions."""
    yield from _other_agents(pair)
    yield from _other_rank(pair)
    if is_short(pair.context):
        yield from _other_word(pair)
        yield from _other_elements(pair)


def _other_agents(pair: Pair) -> Iterator[Difference]:
    """Yield the doer of an action that the sentence gives to another person: "composed by A" and "by B"."""
    theirs = list(agents(pair.sentence.tokens, pair.sentence.text))
    for mine in agents(pair.claim.tokens, pair.claim.text):
        same = [other for other in theirs if say_the_same(mine.verb, other.verb)]
        if same and not any(Words(mine.words).share_in(Words(other.words))[1] for other in same):
            yield Difference("agent", Verdict.CONTRADICTED, around(mine.words), around(same[0].words))


def _other_rank(pair: Pair) -> Iterator[Difference]:
    """Yield "the highest" against "the second highest" or "one of the highest"."""
    here, there = _superlative(pair.claim.tokens), _superlative(pair.sentence.tokens)
    if here is None:
        return
    at = pair.claim.span(here.first, here.end)
    if there is not None and here.rank != there.rank:
        verdict = Verdict.PARTIALLY_SUPPORTED if there.rank == _AMONG else Verdict.CONTRADICTED
        if here.rank != _AMONG:
            yield Difference("rank", verdict, at, pair.sentence.span(there.first, there.end))
    elif there is None:
        lowers = {t.word.lower for t in pair.sentence.tokens}
        if "than" in lowers and _OF_TWO.isdisjoint(lowers):
            yield Difference("rank", Verdict.PARTIALLY_SUPPORTED, at, None)


def _other_elements(pair: Pair) -> Iterator[Difference]:
    """Yield an element of the claim's list without a word in any chunk, if others are in the sentence's list."""
    items = _listed(pair.claim.tokens, pair.claim.text)
    if not any(t.word.lower in ("and", "or") for t in pair.claim.tokens):
        return
    known = [item for item in items if all(pair.sentence.words.has(t) for t in item if _is_telling(t))]
    if not known or len(_listed(pair.sentence.tokens, pair.sentence.text)) < _FEWEST_LISTED:
        return
    for item in items[1:]:
        telling = [t for t in item if t.word.is_content]
        if telling and len(pair.new_words(telling)) == len(telling):
            yield Difference("list", Verdict.PARTIALLY_SUPPORTED, around(telling), None)


def _other_word(pair: Pair) -> Iterator[Difference]:
    """Yield the one word that a claim puts in another's place in a sentence that it repeats, or adds to a list."""
    mine, theirs = pair.claim.tokens, pair.sentence.tokens
    keys = [t.word.stem for t in mine], [t.word.stem for t in theirs]
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    told = [(op, mine[a:b], theirs[c:d]) for op, a, b, c, d in changed]
    told = [(op, ours, other) for op, ours, other in told if pair.new_words(ours)]
    if matcher.ratio() < _REPEATED or len(told) != 1:
        return
    _, ours, other = told[0]
    new = pair.new_words(ours)
    gone = [t for t in other if t.word.is_content and not pair.claim.words.has(t) and not pair.sentence.is_value(t)]
    operators = {pair.sentence.tokens[n].start for o in pair.sentence.operators for n in range(o.first, o.end)}
    if any(pair.claim.is_value(t) for t in new) or len(new) > _MOST_NEW or any(t.start in operators for t in gone):
        return
    at = new[0].start, new[-1].end
    if any(exclude_each_other(one, two) for one in new for two in gone):
        return  # negations are the stronger evidence
    if gone and not _are_spellings(new, gone):
        yield Difference("word", Verdict.PARTIALLY_SUPPORTED, at, (gone[0].start, gone[-1].end))


def _are_spellings(one: Sequence[Token], other: Sequence[Token]) -> bool:
    """Return whether words are written in nearly the same letters: "centre" and "center", "Ph.D." and "PhD"."""
    letters = ["".join([token.word.lower for token in tokens]) for tokens in (one, other)]
    return (
        letters[1].startswith(letters[0])
        or letters[0].startswith(letters[1])
        or (SequenceMatcher(None, letters[0], letters[1], autojunk=False).ratio() >= _SAME_SPELLING)
    )


def _is_telling(token: Token) -> bool:
    return token.word.is_content or token.word.is_number


_AMONG = 0

_NO_SUPERLATIVES = word_set(
    """rest test west east guest request interest forest contest invest protest suggest honest nest chest vest harvest
    arrest digest manifest latest priest quest breast conquest modest tempest northwest southwest southeast northeast
    midwest budapest everest"""
)
_IRREGULAR = word_set("best worst least most")
_SHORTEST = 5


class _Superlative(NamedTuple):
    """The words `tokens[first:end]`; the rank is 1 for the highest, 2 for the second highest, 0 for one of them."""

    rank: int
    first: int
    end: int


def _superlative(tokens: Sequence[Token]) -> _Superlative | None:
    """Return the first superlative, or None."""
    for at, token in enumerate(tokens):
        lower = token.word.lower
        if (
            not (lower in _IRREGULAR or (lower.endswith("est") and len(lower) >= _SHORTEST))
            or lower in _NO_SUPERLATIVES
        ):
            continue
        if lower in ("most", "least") and not _is_adverb(tokens, at):
            continue
        before = [t.word.lower for t in tokens[max(0, at - 3) : at]]
        ordinal = next((ORDINALS[word] for word in before[::-1] if word in ORDINALS), 1.0)
        if "among" in before or before[:2] == ["one", "of"]:
            return _Superlative(_AMONG, at, at + 1)
        return _Superlative(int(ordinal), at, at + 1)
    return None


def _is_adverb(tokens: Sequence[Token], at: int) -> bool:
    """Return whether "most" is part of a superlative: an article comes before it, as in "the most expensive"."""
    return at > 0 and tokens[at - 1].word.lower in ("the", "second", "third", "its", "our", "their")


_JOINS = frozenset({"and", "or", "nor"})
_LONGEST = 3


def _listed(tokens: Sequence[Token], text: str) -> list[list[Token]]:
    """Return the elements of the lists among the words, each up to three words long; empty if there is no list.

    The first element is as long as the words right before the first comma, at most.
    """
    cuts = [at for at in range(1, len(tokens)) if _separates(tokens, at, text)]
    if not cuts:
        return []
    items = [list(tokens[max(0, cuts[0] - _LONGEST) : cuts[0]])]
    for start, end in pairwise([*cuts, len(tokens)]):
        item = [token for token in tokens[start:end] if token.word.lower not in _JOINS]
        if item:
            items.append(item if len(item) <= _LONGEST or end != len(tokens) else item[:_LONGEST])
    return [item for item in items if len(item) <= _LONGEST]


def _separates(tokens: Sequence[Token], at: int, text: str) -> bool:
    return tokens[at].word.lower in _JOINS or "," in text[tokens[at - 1].end : tokens[at].start]


_UNCONDITIONAL = "unconditional"
_LIMITS = frozenset({PartKind.CONDITION, PartKind.EXCEPTION, PartKind.RESTRICTION})

# Parts that add something; a restriction takes something away.
_ADDING = frozenset({PartKind.MAIN, PartKind.REASON, PartKind.TIME})

# Fewer new words than this are not a separate statement.
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
        if verdict is not None and not _has_part(pair, part):
            yield Difference(part.kind, verdict, pair.claim.span(part.first, part.end), None)
    if is_short(pair.context):
        yield from _added_statements(pair)


def _added_statements(pair: Pair) -> Iterator[Difference]:
    """Yield added parts of the claim, such as a reason or an event, without a word in any chunk."""
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
    """Return whether the claim speaks of a day that a part includes: Mondays, for "on weekdays"."""
    days = {day for token in pair.sentence.of(part) for day in days_of(token.word.lower)}
    named = {day for token in pair.claim.tokens for day in days_of(token.word.lower)}
    return bool(named) and named <= days


def _begins_otherwise(pair: Pair, part: Part) -> bool:
    """Return whether the claim has the end of a relative clause and not its beginning: "members who … get a badge"."""
    inside = [t for t in pair.sentence.of(part)[part.marker :] if t.word.is_content or t.word.is_number]
    known = [pair.claim.words.has(t) or t.word.stem in pair.context.question_stems for t in inside]
    return any(known) and not known[0]


def _has_part(pair: Pair, part: Part) -> bool:
    """Return whether the sentence has a part of that kind, or states the claim's part in other words.

    Other sentences of the chunks do not count: two neighbouring statements do not explain each other.
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


# A time can be worded as a condition, and a condition as a time.
_ALIKE = {PartKind.CONDITION: (PartKind.CONDITION, PartKind.TIME), PartKind.TIME: (PartKind.CONDITION, PartKind.TIME)}


def _has_kind(side: Side, part: Part) -> bool:
    kinds = _ALIKE.get(part.kind, (part.kind,))
    return any(other.kind in kinds for other in side.parts)
