"""What is affirmed and what is denied: whether a claim says the opposite of a sentence.

Two sentences about the same thing say the opposite if they differ in an odd number of things that turn a statement
round: a "not", a word for its opposite, an exception, or two things in exchanged places.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.lexical.edits.contrasts import are_opposites, differs_in_class
from faithview.judges.lexical.operators.clauses import Part, PartKind
from faithview.judges.lexical.operators.order import exchanged
from faithview.judges.lexical.operators.pair import Difference, Pair, Side, is_in
from faithview.judges.lexical.operators.reading import Operator
from faithview.judges.lexical.operators.words import Words
from faithview.judges.text.lexicon import word_list, word_set
from faithview.judges.text.tokens import Token, stem_of

POLARITY = "polarity"
_ONLY = "only"
_MOST_UNMENTIONED = 0.5
_Place = tuple[int, int]

_EXCEPTING = frozenset({PartKind.EXCEPTION, PartKind.CONTRAST})
_DENYING = frozenset({("modal", "must_not"), ("modal", "optional"), ("quantifier", "none")})
_DENIALS = word_set("not no never nothing isn't don't doesn't")
_NO_DENIAL = word_set("only just until unless more less fewer later earlier doubt matter sooner least than but")
_PREFIXES = ("un", "in", "im", "non", "dis")
_SHORTEST_DENIED = 4
_LEAST_AFTER_REPLY = 3
# Of classes that exclude each other, these have other uses more often.
_SAY_LITTLE = word_set("you your yours yourself we us our ours ourselves new old")
_SWITCHED = word_set("on off")
_BEHIND_SWITCHED = word_set("after before until when at during by and or automatically all if again once")

_TRADE = frozenset(map(stem_of, word_list("buy bought sell sold purchase lend borrow give receive")))


# Parts of a claim in which a denial denies what it states.
_STATED = frozenset({PartKind.MAIN, PartKind.RESTRICTION, PartKind.EXCEPTION})


def denies(operator: Operator) -> bool:
    """Return whether an operator turns what is said into its opposite."""
    return operator.family == POLARITY or (operator.family, operator.meaning) in _DENYING


class Turned(NamedTuple):
    """Whether words that turn a statement round are on either side, and the one that makes the claim the opposite."""

    is_turned: bool
    difference: Difference | None


def turned(pair: Pair) -> Turned:
    """Return what turns the claim or the sentence round, beside the other one."""
    if _is_undecided(pair):
        return Turned(is_turned=True, difference=_excepted_only(pair))
    mine, theirs = pair.left_over
    mine = [o for o in mine if denies(o) and is_in(o, pair.claim.parts, _STATED) and not _is_reply(pair, o)]
    theirs = [o for o in theirs if denies(o) and is_in(o, pair.meant)]
    swap = exchanged(pair.claim.tokens, pair.sentence.tokens)
    found = [
        *(Difference("opposite", Verdict.CONTRADICTED, *places) for places in _opposites(pair)),
        *(Difference("order", Verdict.CONTRADICTED, *places) for places in (swap,) if places is not None),
        *(Difference(PartKind.EXCEPTION, Verdict.CONTRADICTED, *places) for places in _excepted(pair)),
        *(Difference(POLARITY, Verdict.CONTRADICTED, *places) for places in _denying_prefixes(pair)),
        *(Difference(POLARITY, Verdict.CONTRADICTED, pair.claim.span(o.first, o.end), None) for o in mine),
        *(Difference(POLARITY, Verdict.CONTRADICTED, None, pair.sentence.span(o.first, o.end)) for o in theirs),
    ]
    return Turned(is_turned=bool(found), difference=found[0] if len(found) % 2 else None)


def _excepted_only(pair: Pair) -> Difference | None:
    """Return the "only" of one side that the other excepts: "only on market days" and "except on market days"."""
    sides = pair.claim, pair.sentence
    if any(denies(operator) for side in sides for operator in side.operators):
        return None
    for one, other in (sides, sides[::-1]):
        only = next((o for o in one.operators if o.family == _ONLY), None)
        excepted = next((part for part in other.parts if part.kind is PartKind.EXCEPTION), None)
        if only is None or excepted is None:
            continue
        inside = Words(other.tokens[excepted.first + excepted.marker : excepted.end])
        if inside.count and inside.share_in(one.words)[0] > _MOST_UNMENTIONED:
            places = one.span(only.first, only.end), other.span(excepted.first, excepted.end)
            return Difference(_ONLY, Verdict.CONTRADICTED, *(places if one is pair.claim else places[::-1]))
    return None


def _excepted(pair: Pair) -> list[tuple[_Place | None, _Place | None]]:
    """Return what only one side excepts, though the other one speaks of it too."""
    found: list[tuple[_Place | None, _Place | None]] = []
    for one, other in ((pair.claim, pair.sentence), (pair.sentence, pair.claim)):
        if any(part.kind in _EXCEPTING for part in other.parts):
            continue
        for part in one.parts:
            inside = Words(one.tokens[part.first + part.marker : part.end])
            if part.kind in _EXCEPTING and inside.count and inside.share_in(other.words)[0] > _MOST_UNMENTIONED:
                place = one.span(part.first, part.end)
                found.append((place, None) if one is pair.claim else (None, place))
    return found


def _is_reply(pair: Pair, operator: Operator) -> bool:
    """Return whether a word is the "No," that a reply begins with."""
    if operator.first or operator.end != 1 or len(pair.claim.tokens) < _LEAST_AFTER_REPLY:
        return False
    one, other = pair.claim.tokens[:2]
    return "," in pair.claim.text[one.end : other.start]


def _denying_prefixes(pair: Pair) -> list[tuple[_Place | None, _Place | None]]:
    """Return the words of one side that deny a word of the other: "unsold" and "sold"."""
    found: list[tuple[_Place | None, _Place | None]] = []
    for one, other in ((pair.claim, pair.sentence), (pair.sentence, pair.claim)):
        lowers = {token.word.lower for token in other.tokens}
        stems = {token.word.stem for token in other.tokens}
        for token in one.tokens:
            rest = next((token.word.lower[len(p) :] for p in _PREFIXES if token.word.lower.startswith(p)), "")
            is_denied = len(rest) >= _SHORTEST_DENIED and (rest in lowers or stem_of(rest) in stems)
            if is_denied and not one.is_value(token) and not _is_in_operator(token, one):
                place = token.start, token.end
                found.append((place, None) if one is pair.claim else (None, place))
    return found


def _is_in_operator(token: Token, side: Side) -> bool:
    return any(side.tokens[n].start == token.start for o in side.operators for n in range(o.first, o.end))


def _is_undecided(pair: Pair) -> bool:
    """Return whether a "not" does not simply deny on one side: "not until", "no more than", "only" for "not"."""
    sides = pair.claim, pair.sentence
    has_only = [any(o.family == _ONLY for o in side.operators) for side in sides]
    has_exception = [any(part.kind is PartKind.EXCEPTION for part in side.parts) for side in sides]
    has_condition = any(part.kind in (PartKind.CONDITION, PartKind.TIME) for part in pair.claim.parts)
    if has_only[0] != has_only[1] or (has_exception[1] and not has_exception[0] and has_condition):
        return True
    return any(
        one.word.lower in _DENIALS and other.word.lower in _NO_DENIAL
        for side in sides
        for one, other in pairwise(side.tokens)
    )


def _opposites(pair: Pair) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the words of claim and sentence that exclude each other, each pair once."""
    mine = _plain_words(pair.claim, pair.claim.parts, pair.sentence.words)
    theirs = _plain_words(pair.sentence, pair.meant, pair.claim.words)
    pairs = []
    for one in mine:
        other = next((t for t in theirs if exclude_each_other(one, t)), None)
        if other is not None:
            pairs.append(((one.start, one.end), (other.start, other.end)))
            theirs = [t for t in theirs if t is not other]
    return pairs


def _plain_words(side: Side, parts: Sequence[Part], other: Words) -> list[Token]:
    """Return the words in these parts that are in no operator and no value, and that the other side has not."""
    taken = {n for o in side.operators for n in range(o.first, o.end)}
    return [
        side.tokens[n]
        for part in parts
        for n in range(part.first, part.end)
        if n not in taken
        and not other.has(side.tokens[n])
        and not side.is_value(side.tokens[n])
        and side.tokens[n].word.lower not in _SAY_LITTLE
        and (side.tokens[n].word.lower not in _SWITCHED or _is_switched(side.tokens, n))
    ]


def exclude_each_other(one: Token, other: Token) -> bool:
    """Return whether two words exclude each other; buying and selling are one event, told from either side."""
    if {one.word.stem, other.word.stem} <= _TRADE:
        return False
    return differs_in_class([one], [other]) or are_opposites([one], [other])


def _is_switched(tokens: Sequence[Token], at: int) -> bool:
    """Return whether "on" or "off" says what something is, and does not begin a phrase such as "on Monday"."""
    return at + 1 == len(tokens) or tokens[at + 1].word.lower in _BEHIND_SWITCHED
