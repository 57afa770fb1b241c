"""What is said and what is denied: negations with what they deny, and opposites."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from faithview.judges.text.lexicon import CONDITIONS, NEARLY_NEGATIONS, NEGATIONS, OPPOSITES, word_set
from faithview.judges.text.tokens import Token

# stem -> (concept, +1 or -1)
_CONCEPTS: dict[str, tuple[str, int]] = {}
for _positive, _negative in OPPOSITES:
    _concept = _positive.split()[0] + "/" + _negative.split()[0]
    for _sign, _stems in ((1, _positive), (-1, _negative)):
        for _stem in _stems.split():
            _CONCEPTS.setdefault(_stem, (_concept, _sign))

# How many words with meaning a negation reaches over: "does not support export" denies "support".
_REACH = 1

# "no longer supports", "not yet available", "not automatically renewed".
_NEGATION_GOES_ON = word_set("longer yet always automatically currently usually necessarily fully directly ever")

# After an article these name a thing and say nothing of what is allowed.
_THINGS = word_set("permit allowance limit stop ban")
_ARTICLES = word_set("a an the this that each every your")

# Between a negation and what it denies these do not stand: "no, it is open".
_STOPS = frozenset(",;:.()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposition:
    """A concept that the claim affirms and the passage denies, or the other way round, with the words on both sides."""

    claim_token: Token
    passage_token: Token
    is_negation: bool


class _Stated(NamedTuple):
    token: Token
    sign: int
    is_denied: bool


class Polarity:
    """What a sentence says and denies, worked out when it is asked for the first time: sentences are compared often."""

    __slots__ = ("_signs", "_text", "denies", "has_opposite", "is_conditional", "nearly_denies", "tokens")

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        """Read a sentence; `text` is what its tokens point into."""
        self._text = text
        self.tokens = tokens
        self._signs: dict[str, list[_Stated]] | None = None
        lowers = {token.word.lower for token in tokens}
        self.is_conditional = not CONDITIONS.isdisjoint(lowers)
        self.denies = not NEGATIONS.isdisjoint(lowers)
        self.nearly_denies = not NEARLY_NEGATIONS.isdisjoint(lowers)
        concepts = _CONCEPTS.keys()
        stems = {token.word.stem for token in tokens}
        self.has_opposite = not (concepts.isdisjoint(stems) and concepts.isdisjoint(lowers))

    @property
    def signs(self) -> dict[str, list[_Stated]]:
        """What is said of each concept, with its sign."""
        if self._signs is None:
            self._signs = _signs(self._text, self.tokens)
        return self._signs


def find_opposition(claim: Polarity, passage: Polarity) -> Opposition | None:
    """Return what the claim and the passage say with opposite signs, or None."""
    if claim.is_conditional or passage.is_conditional:
        return None
    if not (claim.denies or claim.has_opposite or passage.denies):
        return None  # most pairs hold neither a negation nor an opposite; they need no closer look
    claim_tokens, passage_tokens = claim.tokens, passage.tokens
    claim_signs, passage_signs = claim.signs, passage.signs
    if _both_deny(claim, passage):
        return None
    for concept, here in claim_signs.items():
        there = passage_signs.get(concept)
        # Said both ways on one side, it is about two things: no opposition.
        if there is None or {s.sign for s in here} & {s.sign for s in there}:
            continue
        mine, theirs = here[0].token, there[0].token
        if _have_same_subject(claim_tokens, mine, passage_tokens, theirs):
            is_negation = mine.word.stem == theirs.word.stem or here[0].is_denied or there[0].is_denied
            return Opposition(claim_token=mine, passage_token=theirs, is_negation=is_negation)
    return None


def says_nobody(tokens: Sequence[Token]) -> bool:
    """Return whether the words deny it of everybody or everything: "nobody was hurt"."""
    return _has_any(_NOBODY, tokens)


# What ends the reach of a negation over the fields that a sentence lists: "no delivery, but it has a terrace".
_TURNS = word_set("but however though although while yet has have offers provides")
_LINKS = word_set("is are was were be been does do currently also")


def denies(tokens: Sequence[Token], token: Token) -> bool:
    """Return whether the sentence denies what the token names, or the token denies itself.

    "It does not offer takeout", "takeout is not available"; but not "no delivery, but it has takeout".
    """
    is_denied = False
    following = [t for t in tokens if t.start > token.start]
    for other in tokens:
        if other.start >= token.start:
            break
        if other.word.lower in NEGATIONS:
            is_denied = True
        elif other.word.lower in _TURNS:
            is_denied = False
    for other in following:
        if other.word.lower in NEGATIONS:
            is_denied = True
            break
        if other.word.lower not in _LINKS:
            break
    return is_denied or _CONCEPTS.get(token.word.stem, ("", 1))[1] < 0


def _both_deny(claim: Polarity, passage: Polarity) -> bool:
    claim_denies = any(s.is_denied for stated in claim.signs.values() for s in stated)
    passage_denies = any(s.is_denied for stated in passage.signs.values() for s in stated)
    return (claim_denies and (passage_denies or passage.nearly_denies)) or (passage_denies and claim.nearly_denies)


_NOBODY = word_set("nobody nothing none")
_PRONOUNS = word_set("it they he she this these those we you i")


def _have_same_subject(claim: Sequence[Token], mine: Token, passage: Sequence[Token], theirs: Token) -> bool:
    """Return whether the words before the two have one with meaning in common, or there are none on both sides."""
    here = [t.word for t in claim if t.start < mine.start]
    if says_nobody(claim) != says_nobody(passage):
        return True  # "nobody was hurt" speaks of everybody
    subject = {word.stem for word in here if word.is_content}
    other = {t.word.stem for t in passage if t.start < theirs.start and t.word.is_content}
    if not subject:
        return not other or any(word.lower in _PRONOUNS for word in here)
    return bool(subject & other)


def _has_any(words: frozenset[str], tokens: Iterable[Token]) -> bool:
    return any(token.word.lower in words for token in tokens)


def _signs(text: str, tokens: Sequence[Token]) -> dict[str, list[_Stated]]:
    signs: dict[str, list[_Stated]] = {}
    reach, reached_from = 0, 0
    for position, token in enumerate(tokens):
        lower = token.word.lower
        if lower in NEGATIONS:
            if not (lower in ("no", "not") and _is_no_denial(tokens, position)):
                reach, reached_from = _REACH, token.end
            continue
        if reach and lower in _NEGATION_GOES_ON:
            continue
        if reach and any(mark in _STOPS for mark in text[reached_from : token.start]):
            reach = 0
        is_thing = lower in _THINGS and position > 0 and tokens[position - 1].word.lower in _ARTICLES
        concept, sign = ("", 0) if is_thing else _CONCEPTS.get(token.word.stem, ("", 0))
        if not concept and not is_thing and lower != token.word.stem:
            concept, sign = _CONCEPTS.get(lower, ("", 0))
        if not concept:
            if not token.word.is_content:
                continue
            concept, sign = token.word.stem, 1
        signs.setdefault(concept, []).append(
            _Stated(token=token, sign=sign * (-1 if reach else 1), is_denied=bool(reach))
        )
        if reach and token.word.is_content:
            reach -= 1
            reached_from = token.end
    return signs


def _is_no_denial(tokens: Sequence[Token], position: int) -> bool:
    # "not only ... but", "no more than", "No. 5", "no later than", "whether or not".
    following = tokens[position + 1].word.lower if position + 1 < len(tokens) else ""
    return following in ("only", "just", "more", "less", "fewer", "later", "doubt", "matter") or following[:1].isdigit()
