"""Two things that changed places around a word: "A before B" and "B before A", "A beat B" and "B beat A"."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from faithview.judges.lexical.operators.words import say_the_same
from faithview.judges.lexical.prose.roles import MUTUAL
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token

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
    """What is before and behind a `word`, in the order of its active form; `pivot` is what the word says."""

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
    a, b = _own(mine.first, mine.second), _own(mine.second, mine.first)
    c, d = _own(theirs.first, theirs.second), _own(theirs.second, theirs.first)
    there, back = _common(a, d), _common(b, c)
    direct = _common(a, c) + _common(b, d)
    return there > 0 and back > 0 and (_common(b, d) == 0 or there + back > 2 * direct)


def _own(tokens: Sequence[Token], others: Sequence[Token]) -> list[str]:
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
    """Return the next words with meaning, up to a word that is neither one of them nor stands between them."""
    found: list[Token] = []
    for token in tokens[:_MOST_BETWEEN]:
        if token.word.is_content:
            found.append(token)
        elif token.word.lower not in (between if not found else _WITHIN):
            break
    return tuple(found)


def _relation(pivot: str, word: Token, first: Sequence[Token], second: Sequence[Token]) -> _Relation | None:
    one, other = (tuple(token for token in side if _tells(token)) for side in (first, second))
    return _Relation(pivot, word, one, other) if one and other else None


def _tells(token: Token) -> bool:
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
