"""What is said and what is denied: negations with what they deny, and opposites."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithview.judges.lexical.lexicon import CONDITIONS, NEGATIONS, OPPOSITES
from faithview.judges.lexical.words import Token

# stem -> (concept, +1 or -1)
_CONCEPTS: dict[str, tuple[str, int]] = {}
for _positive, _negative in OPPOSITES:
    _concept = _positive.split()[0] + "/" + _negative.split()[0]
    for _sign, _stems in ((1, _positive), (-1, _negative)):
        for _stem in _stems.split():
            _CONCEPTS.setdefault(_stem, (_concept, _sign))

# How many words with meaning a negation reaches over: "does not support export" denies "support" and "export".
_REACH = 2

# Between a negation and what it denies these do not stand: "no, it is open".
_STOPS = frozenset(",;:.()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposition:
    """A concept that the claim affirms and the passage denies, or the other way round, with the words on both sides."""

    claim_token: Token
    passage_token: Token
    is_negation: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stated:
    token: Token
    sign: int
    is_denied: bool


def find_opposition(
    claim_text: str,
    claim_tokens: Sequence[Token],
    passage_text: str,
    passage_tokens: Sequence[Token],
    *,
    is_denied: bool = False,
) -> Opposition | None:
    """Return what the claim and the passage say with opposite signs, or None.

    Args:
        claim_text: what the claim's tokens point into.
        claim_tokens: the claim's words.
        passage_text: what the passage's tokens point into.
        passage_tokens: the passage's words.
        is_denied: the passage as a whole is denied, as a field with the value false is.
    """
    if _has_condition(claim_tokens) != _has_condition(passage_tokens):
        return None
    said = _signs(claim_text, claim_tokens)
    told = _signs(passage_text, passage_tokens, base=-1 if is_denied else 1)
    found: list[Opposition] = []
    for concept, here in said.items():
        there = told.get(concept)
        if there is None:
            continue
        # Said both ways on one side, it is about two things: no opposition.
        if {s.sign for s in here} & {s.sign for s in there}:
            if _is_denied(here) and _is_denied(there):
                return None  # both deny the same thing, in other words perhaps
            continue
        one, other = here[0], there[0]
        found.append(
            Opposition(
                claim_token=one.token,
                passage_token=other.token,
                is_negation=one.token.word.stem == other.token.word.stem,
            )
        )
    return found[0] if found else None


def has_negation(tokens: Iterable[Token]) -> bool:
    """Return whether a word of the tokens denies something."""
    return any(token.word.lower in NEGATIONS for token in tokens)


def _is_denied(stated: Sequence[_Stated]) -> bool:
    return any(s.is_denied for s in stated)


def _has_condition(tokens: Sequence[Token]) -> bool:
    return any(token.word.lower in CONDITIONS for token in tokens)


def _signs(text: str, tokens: Sequence[Token], *, base: int = 1) -> dict[str, list[_Stated]]:
    signs: dict[str, list[_Stated]] = {}
    reach, reached_from = 0, 0
    for position, token in enumerate(tokens):
        lower = token.word.lower
        if lower in NEGATIONS:
            if not (lower in ("no", "not") and _is_no_denial(tokens, position)):
                reach, reached_from = _REACH, token.end
            continue
        if reach and any(mark in _STOPS for mark in text[reached_from : token.start]):
            reach = 0
        concept, sign = _CONCEPTS.get(token.word.stem, ("", 0))
        if not concept and lower != token.word.stem:
            concept, sign = _CONCEPTS.get(lower, ("", 0))
        if not concept:
            if not token.word.is_content:
                continue
            concept, sign = token.word.stem, 1
        signs.setdefault(concept, []).append(
            _Stated(token=token, sign=sign * base * (-1 if reach else 1), is_denied=bool(reach) or base < 0)
        )
        if reach and token.word.is_content:
            reach -= 1
            reached_from = token.end
    return signs


def _is_no_denial(tokens: Sequence[Token], position: int) -> bool:
    # "not only ... but", "no more than", "No. 5", "no later than", "whether or not".
    following = tokens[position + 1].word.lower if position + 1 < len(tokens) else ""
    return following in ("only", "just", "more", "less", "fewer", "later", "doubt", "matter") or following[:1].isdigit()
