"""Which parts of a sentence deny what they name: "it offers takeout, but delivery and TVs are not there"."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import Token

_JOINS = word_set("and or nor but though although while whereas yet however except rather")
_TURNS = word_set("but though although while whereas yet however except rather")
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
    """In which part of its sentence a word stands, and whether that part denies."""

    part: int
    is_denied: bool


def places_in_clauses(text: str, tokens: Sequence[Token]) -> list[Place]:
    """Return for each word of a sentence in which part it stands, and whether that part denies what it names.

    A part ends at a comma and before "and", "but" and the like. One with a verb or a negation speaks for itself; one
    without, an element of a list, goes with the verb after it where it is one of its subjects, else with the part
    before it; and so does one that begins with a verb and has no subject ("it does not deliver or take cards").

    Args:
        text: what the tokens point into.
        tokens: the words of one sentence.
    """
    parts = _parts(text, tokens)
    places: list[Place] = []
    is_denied = False
    for number, part in enumerate(parts):
        goes_on = number > 0 and part.words[0] not in _TURNS and part.words[0] not in _GOES_ON
        if part.denies:
            is_denied = True
        elif part.has_verb:
            is_denied = is_denied and goes_on and part.begins_with_verb
        else:
            following = _verb_of_subjects(parts, number)
            is_denied = following.denies if following is not None else is_denied and goes_on
        places += [Place(number, is_denied)] * len(part.words)
    return places


def _parts(text: str, tokens: Sequence[Token]) -> list[_Part]:
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
