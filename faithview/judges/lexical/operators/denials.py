"""Whether a claim says the opposite of a sentence: denied for affirmed, or two things that changed places."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.lexical.comparing.edits import are_opposites, differs_in_class
from faithview.judges.lexical.comparing.names import MUTUAL
from faithview.judges.lexical.operators.clauses import Part, PartKind, Words, say_the_same
from faithview.judges.lexical.operators.families import Operator
from faithview.judges.lexical.operators.pair import Difference, Pair, Side, is_in
from faithview.judges.text.lexicon import word_list, word_set
from faithview.judges.text.tokens import Token, stem_of

# Words between two things, with which side comes first; a comparison has its own two sides.
_AFTER = word_set("after following once")
_BEFORE = word_set("before until then")
_AHEAD = word_set("ahead above")
_BEHIND = word_set("behind below")
_BE = word_set("is are was were be been being got get gets")
_MOST_BETWEEN = 6
_WITHIN = word_set("the a an of his her its their our your")
_BEFORE_VERB = word_set("is are was were be been being has have had will would must may can also who that then")
_AFTER_VERB = word_set("the a an by his her its their our your to this that against over on about for from of")


class _Relation(NamedTuple):
    """The words before and after a `word`, in the order of its active form; `pivot` is its meaning."""

    pivot: str
    word: Token
    first: tuple[Token, ...]
    second: tuple[Token, ...]


def exchanged(claim: Sequence[Token], sentence: Sequence[Token]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return where claim and sentence have two things in exchanged places around one word, or None."""
    for mine in _relations(claim):
        for theirs in _relations(sentence):
            if mine.pivot == theirs.pivot and _are_crossed(mine, theirs):
                if mine.word.word.lower != theirs.word.word.lower:
                    return (mine.word.start, mine.word.end), (theirs.word.start, theirs.word.end)
                return (
                    (min(mine.first[0].start, mine.second[0].start), max(mine.first[-1].end, mine.second[-1].end)),
                    (
                        min(theirs.first[0].start, theirs.second[0].start),
                        max(theirs.first[-1].end, theirs.second[-1].end),
                    ),
                )
    return None


def _are_crossed(mine: _Relation, theirs: _Relation) -> bool:
    a, b = _stems_missing_in(mine.first, mine.second), _stems_missing_in(mine.second, mine.first)
    c, d = _stems_missing_in(theirs.first, theirs.second), _stems_missing_in(theirs.second, theirs.first)
    there, back = _common(a, d), _common(b, c)
    direct = _common(a, c) + _common(b, d)
    return there > 0 and back > 0 and (_common(b, d) == 0 or there + back > 2 * direct)


def _stems_missing_in(tokens: Sequence[Token], others: Sequence[Token]) -> list[str]:
    there = {token.word.stem for token in others}
    return [token.word.stem for token in tokens if token.word.stem not in there]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(any(say_the_same(a, b) for b in other) for a in one)


def _relations(tokens: Sequence[Token]) -> list[_Relation]:
    relations = []
    for at, token in enumerate(tokens):
        lower = token.word.lower
        if lower == "than" or (lower in ("of", "not") and at and tokens[at - 1].word.lower in ("instead", "but")):
            relations.append(_relation("than", token, tokens[:at], tokens[at + 1 :]))
        elif lower in _AFTER or lower in _BEFORE:
            sides = (tokens[:at], tokens[at + 1 :]) if at else _of_leading(tokens)
            first, second = sides if lower in _BEFORE else sides[::-1]
            relations.append(_relation("before", token, first, second))
        elif lower in _AHEAD or lower in _BEHIND:
            first, second = (tokens[:at], tokens[at + 1 :]) if lower in _AHEAD else (tokens[at + 1 :], tokens[:at])
            relations.append(_relation("ahead", token, first, second))
        elif lower == "from":
            relations.append(_from_to(tokens, at))
        elif token.word.is_content and 0 < at < len(tokens) - 1:
            relations.append(_of_verb(tokens, at))
    return [r for r in relations if r is not None]


def _from_to(tokens: Sequence[Token], at: int) -> _Relation | None:
    """Return both ends of "from A to B"."""
    to = next((n for n in range(at + 2, min(at + 6, len(tokens))) if tokens[n].word.lower in ("to", "into")), None)
    return None if to is None else _relation("from", tokens[at], tokens[at + 1 : to], tokens[to + 1 : to + 3])


def _of_leading(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    """Return both sides of "Before A, B": what follows the comma comes first."""
    for at in range(1, len(tokens) - 1):
        if tokens[at + 1].start - tokens[at].end > 1:
            return tokens[at + 1 :], tokens[1 : at + 1]
    return (), ()


def _of_verb(tokens: Sequence[Token], at: int) -> _Relation | None:
    """Return who does what to whom, where a verb adjoins both: "A hired B", "B was hired by A"."""
    if tokens[at].word.is_capitalised or tokens[at].word.stem in MUTUAL:
        return None
    before = _nearest(tokens[:at][::-1], _BEFORE_VERB)
    after = _nearest(tokens[at + 1 :], _AFTER_VERB)
    if not before or not after or (not after[0].word.is_capitalised and tokens[at + 1].word.is_content):
        return None
    following = [t.word.lower for t in tokens[at + 1 : at + 3]]
    preceding = [t.word.lower for t in tokens[max(0, at - 3) : at]]
    is_passive = "by" in following and (not _BE.isdisjoint(preceding) or tokens[at].word.lower.endswith(_PARTICIPLES))
    first, second = (after, before) if is_passive else (before, after)
    return _Relation(tokens[at].word.stem, tokens[at], first, second)


def _nearest(tokens: Sequence[Token], between: frozenset[str]) -> tuple[Token, ...]:
    """Return the content words that follow, up to a word that may not be between them."""
    found: list[Token] = []
    for token in tokens[:_MOST_BETWEEN]:
        if token.word.is_content:
            found.append(token)
        elif token.word.lower not in (between if not found else _WITHIN):
            break
    return tuple(found)


def _relation(pivot: str, word: Token, first: Sequence[Token], second: Sequence[Token]) -> _Relation | None:
    one, other = (tuple(token for token in side if _is_telling(token)) for side in (first, second))
    return _Relation(pivot, word, one, other) if one and other else None


def _is_telling(token: Token) -> bool:
    return (token.word.is_content or token.word.is_number) and token.word.lower not in _STAND_INS


_STAND_INS = word_set("one ones")
_PARTICIPLES = ("ed", "en", "wn")


class Agent(NamedTuple):
    """Who does something: the stem of the verb, and the words after its "by"."""

    verb: str
    words: tuple[Token, ...]


def agents(tokens: Sequence[Token], text: str) -> Iterator[Agent]:
    """Yield what "by" names in a sentence: "composed by Lina Hartog"."""
    for at, token in enumerate(tokens):
        if token.word.lower != "by" or at == 0 or not tokens[at - 1].word.is_content:
            continue
        words: list[Token] = []
        for before, word in pairwise(tokens[at : at + _LONGEST_AGENT]):
            is_listed = bool(words) and word.word.is_capitalised and before.word.is_capitalised
            between = text[before.end : word.start]
            if not _MARKS.isdisjoint(between) and not (is_listed and between.strip() == ","):
                break
            if word.word.is_content:
                words.append(word)
            elif words and word.word.lower == "and":
                continue
            elif words or word.word.lower not in _ARTICLES:
                break
        if words:
            yield Agent(tokens[at - 1].word.stem, tuple(words))


_LONGEST_AGENT = 7
_ARTICLES = word_set("the a an his her its their our your")
_MARKS = frozenset(",;:.()–—")


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
# Words of exclusive classes that mostly have other uses.
_SAY_LITTLE = word_set("you your yours yourself we us our ours ourselves new old")
_SWITCHED = word_set("on off")
_BEHIND_SWITCHED = word_set("after before until when at during by and or automatically all if again once")

_TRADE = frozenset(map(stem_of, word_list("buy bought sell sold purchase lend borrow give receive")))


# Parts of a claim in which a denial denies what it states.
_STATED = frozenset({PartKind.MAIN, PartKind.RESTRICTION, PartKind.EXCEPTION})


def denies(operator: Operator) -> bool:
    """Return whether an operator turns a statement into its opposite."""
    return operator.family == POLARITY or (operator.family, operator.meaning) in _DENYING


class Turned(NamedTuple):
    """Whether either side has words that reverse a statement, and the one that reverses the claim."""

    is_turned: bool
    difference: Difference | None


def turned(pair: Pair) -> Turned:
    """Return the words that reverse the claim or the sentence, compared with the other."""
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
    """Return the exceptions that only one side makes for something that both sides mention."""
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
    """Return the words in these parts that are in no operator and no value, and that the other side does not have."""
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
