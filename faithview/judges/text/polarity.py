"""Statements and denials: negations with the words they deny, and opposites."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
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

# After an article these are nouns and do not say what is allowed.
_THINGS = word_set("permit allowance limit stop ban")
_ARTICLES = word_set("a an the this that each every your")

# These cannot be between a negation and the denied word: "no, it is open".
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
    """A sentence's statements and denials, computed on first use because sentences are compared often."""

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
        """The statement on each concept, with its sign."""
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
    """Return whether the words deny it of all: "no one was hurt"."""
    return any(token.word.lower in _NOBODY for token in tokens)


# Ends the reach of a negation over the fields that a sentence lists: "no delivery, but it has a terrace".
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
        return True  # "nobody was hurt" speaks of all
    subject = {word.stem for word in here if word.is_content}
    other = {t.word.stem for t in passage if t.start < theirs.start and t.word.is_content}
    if not subject:
        return not other or any(word.lower in _PRONOUNS for word in here)
    return bool(subject & other)


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


_JOINS = word_set("and or nor but though although while whereas yet however except rather")
_CLAUSE_TURNS = word_set("but though although while whereas yet however except rather")
_LISTS = word_set("and or nor")
_MARKS = frozenset(",;:()—–")
_VERBS = word_set(
    """is are was were be been has have had does do did can could will would may might must should offer offers offering
    accept accepts provide provides include includes allow allows feature features serve serves take takes deliver
    delivers cater caters welcome welcomes permit permits there isn't aren't wasn't weren't doesn't don't didn't can't
    won't couldn't cannot boasts has hasn't haven't comes come requires require supports support"""
)
_INFINITIVES = word_set(
    """be have do offer accept provide include allow feature serve take deliver cater welcome permit come require
    support"""
)
_DENIES = NEGATIONS | word_set(
    "unavailable unsupported unsuitable excluded excludes except prohibited forbidden absent rather"
)
_GOES_ON = word_set("only just merely")
# "Debug is off", "caching is disabled by default"; but "20% off" and "disabled guests".
_SWITCHED_OFF = word_set("off disabled")
_BEFORE_SWITCH = word_set("is are was were be been being isn't aren't wasn't weren't not stays remains turned switched")
_AFTER_SWITCH = word_set("by in for and or unless until while")


@dataclass(slots=True)
class _Part:
    words: list[str]
    denies: bool
    has_verb: bool
    begins_with_verb: bool


@dataclass(frozen=True, slots=True)
class Place:
    """The part of a sentence that a word is in, and whether that part denies."""

    part: int
    is_denied: bool


def places_in_clauses(text: str, tokens: Sequence[Token]) -> list[Place]:
    """Return for each word of a sentence its part, and whether that part is a denial.

    A part ends at a comma and before "and", "but" and the like. One with a verb or a negation speaks for itself; one
    without, an element of a list, belongs to the verb after it if it is one of its subjects, else to the part
    before it; and so does one that begins with a verb and has no subject ("it does not deliver or take cards").

    Args:
        text: what the tokens point into.
        tokens: the words of one sentence.
    """
    parts = _split_clauses(text, tokens)
    places: list[Place] = []
    is_denied = False
    for number, part in enumerate(parts):
        goes_on = number > 0 and part.words[0] not in _CLAUSE_TURNS and part.words[0] not in _GOES_ON
        if part.denies:
            is_denied = True
        elif part.has_verb:
            is_denied = is_denied and goes_on and part.begins_with_verb
        else:
            following = _verb_of_subjects(parts, number)
            is_denied = following.denies if following is not None else is_denied and goes_on
        places += [Place(number, is_denied)] * len(part.words)
    return places


def _split_clauses(text: str, tokens: Sequence[Token]) -> list[_Part]:
    if not tokens:
        return []
    starts = [0]
    for number, (token, following) in enumerate(pairwise(tokens), start=1):
        gap = text[token.end : following.start]
        joins = following.word.lower in _JOINS and not _is_somewhat(tokens, number)
        if joins or not _MARKS.isdisjoint(gap):
            starts.append(number)
    parts = []
    for first, end in pairwise([*starts, len(tokens)]):
        words = [token.word.lower for token in tokens[first:end]]
        denies = _denies(words) != _is_switched_off(words)
        lead = words[1] if len(words) > 1 and words[0] in _LISTS else words[0]
        parts.append(_Part(words, denies, not _VERBS.isdisjoint(words), lead in _INFINITIVES))
    return parts


def _is_somewhat(tokens: Sequence[Token], number: int) -> bool:
    """Return whether a word is the "rather" of "rather expensive", and not that of "rather than"."""
    lowers = [token.word.lower for token in tokens[number : number + 2]]
    return lowers[0] == "rather" and lowers[1:] != ["than"]


def _denies(words: Sequence[str]) -> bool:
    if "without" in words and not NEGATIONS.isdisjoint(words[: words.index("without")]):
        return False  # "you cannot visit without an appointment"
    for word, after in pairwise([*words, ""]):
        is_other = (word == "not" and after in _GOES_ON) or (word == "rather" and after != "than")
        if word in _DENIES and not is_other:
            return True
    return False


def _is_switched_off(words: Sequence[str]) -> bool:
    return any(
        word in _SWITCHED_OFF and before in _BEFORE_SWITCH and (not after or after in _AFTER_SWITCH)
        for before, word, after in zip(["", *words[:-1]], words, [*words[1:], ""], strict=True)
    )


def _verb_of_subjects(parts: Sequence[_Part], number: int) -> _Part | None:
    """Return the part with the verb whose subjects this one and those up to it are: "takeout, TVs and WiFi are not"."""
    for part in parts[number + 1 :]:
        if not (part.has_verb or part.denies):
            continue
        if part.words[0] not in _LISTS or len(part.words) < _FEWEST_WITH_SUBJECT:
            return None
        return None if part.words[1] in _VERBS or part.words[1] in _DENIES else part
    return None


# "and X is": a conjunction, a subject and a verb.
_FEWEST_WITH_SUBJECT = 3
