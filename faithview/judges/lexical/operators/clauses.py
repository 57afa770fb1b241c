"""A sentence in parts: what it says, and its conditions, exceptions, restrictions and reasons."""

import tomllib
from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token, stem_of

# Words that begin another statement after a comma, and those that do so without one.
_AFTER_COMMA = word_set("and but or so while whereas although though however yet nor then which where")
_ALONE = word_set("but while whereas although though however")
# Not an exception if a verb follows: "every worker other than contractors is insured".
_VERBS = word_set("is are was were has have had can may must will would shall should do does did")
_ALL = word_set("all every everyone everybody everything any anyone anything each")
_JOINS = word_set("and or")
_SUBJECTS = word_set("you it they we he she i")
_ENDS = frozenset(";:.!?()–—\n")


class PartKind(StrEnum):
    """The function of a part of a sentence: a statement, or its limit, exception or explanation."""

    MAIN = "main"
    CONDITION = "condition"
    EXCEPTION = "exception"
    REASON = "reason"
    RESTRICTION = "restriction"
    TIME = "time"
    CONTRAST = "contrast"


# Parts that come before what depends on them.
_LEADING = frozenset({PartKind.CONDITION, PartKind.TIME})


class Part(NamedTuple):
    """Words `tokens[first:end]` of a sentence; `marker` is how many of them are the phrase that begins the part."""

    kind: PartKind
    first: int
    end: int
    marker: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseFamily:
    """The verdict of a claim that leaves such a part out, and of one that has it where the sentence does not."""

    dropped: Verdict | None
    added: Verdict | None


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, list[tuple[tuple[str, ...], PartKind]]], dict[PartKind, ClauseFamily]]:
    content = tomllib.loads(files(__package__).joinpath("clauses.toml").read_text(encoding="utf-8"))
    markers: dict[str, list[tuple[tuple[str, ...], PartKind]]] = {}
    families = {}
    for name, table in content.items():
        kind = PartKind(name)
        for phrase in table["markers"]:
            words = tuple(phrase.split())
            markers.setdefault(words[0], []).append((words, kind))
        verdicts = {key: Verdict(table[key]) if key in table else None for key in ("dropped", "added")}
        families[kind] = ClauseFamily(**verdicts)
    return markers, families


def clause_family(kind: PartKind) -> ClauseFamily:
    """Return the verdict for leaving out or adding a part of that kind."""
    return _tables()[1][kind]


def parts_of(tokens: Sequence[Token], text: str) -> list[Part]:
    """Cut a sentence into parts, in its order; every word is in one of them."""
    parts: list[Part] = []
    kind, first, marker = PartKind.MAIN, 0, 0
    for at, token in enumerate(tokens):
        begun = _marker_at(tokens, at) or _but_at(tokens, at, text) or _contrast_at(tokens, at, text)
        between = text[tokens[at - 1].end : token.start] if at else ""
        ends = at > 0 and (
            (first == 0 and kind in _LEADING and _is_second_subject(tokens, at))
            or not _ENDS.isdisjoint(between)
            or (token.word.lower in _ALONE and begun is None)
            or (kind is PartKind.EXCEPTION and token.word.lower in _VERBS and tokens[first].word.lower != "unless")
            or (token.word.lower in _JOINS and at + 1 < len(tokens) and tokens[at + 1].word.lower in _VERBS)
            or ("," in between and (token.word.lower in _AFTER_COMMA or kind is not PartKind.MAIN))
        )
        if begun is None and not ends:
            continue
        if at < first + marker:
            continue  # "only if": the marker's own words
        if at > first:
            parts.append(Part(kind, first, at, marker))
        kind, first, marker = (begun[0], at, begun[1]) if begun else (PartKind.MAIN, at, 0)
    parts.append(Part(kind, first, len(tokens), marker))
    if all(part.kind is not PartKind.MAIN for part in parts):
        # No comma separates the condition from the statement.
        parts[0] = Part(PartKind.MAIN, parts[0].first, parts[0].end, 0)
    return parts


def _is_second_subject(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a statement begins without a comma after its condition: "once you pay you can enter"."""
    return tokens[at].word.lower in _SUBJECTS and any(t.word.lower in _SUBJECTS for t in tokens[1:at])


def _but_at(tokens: Sequence[Token], at: int, text: str) -> tuple[PartKind, int] | None:
    """Return an exception that a "but" begins: "on all trails but the Heron Loop"."""
    if tokens[at].word.lower != "but" or at == 0 or at + 1 == len(tokens):
        return None
    if "," in text[tokens[at - 1].end : tokens[at].start] or _ALL.isdisjoint(t.word.lower for t in tokens[:at]):
        return None
    return PartKind.EXCEPTION, 1


def _contrast_at(tokens: Sequence[Token], at: int, text: str) -> tuple[PartKind, int] | None:
    """Return what a sentence denies in addition to its statement: "by the board, not by the airline"."""
    is_after_comma = at > 0 and "," in text[tokens[at - 1].end : tokens[at].start]
    return (PartKind.CONTRAST, 1) if is_after_comma and tokens[at].word.lower == "not" else None


def _marker_at(tokens: Sequence[Token], at: int) -> tuple[PartKind, int] | None:
    best: tuple[PartKind, int] | None = None
    for words, kind in _tables()[0].get(tokens[at].word.lower, ()):
        if best is not None and len(words) <= best[1]:
            continue
        if len(words) <= len(tokens) - at and all(
            tokens[at + number].word.lower == word for number, word in enumerate(words)
        ):
            best = kind, len(words)
    return best


_SAME_LETTERS = 5
_MOST_OTHER_LETTERS = 5

# The weight of a number, compared with words' inverse document frequencies.
_NUMBER_WEIGHT = 3.0


class Words:
    """The words of a text that have meaning, numbers among them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.weights: dict[str, float] = {}
        for token in tokens:
            if token.word.is_content or token.word.is_number:
                self.weights[token.word.stem] = token.word.weight if token.word.is_content else _NUMBER_WEIGHT
        self.stems = frozenset(self.weights)
        self.lowers = frozenset(token.word.lower for token in tokens)

    @property
    def count(self) -> int:
        """How many different words there are."""
        return len(self.weights)

    def with_those_of(self, other: "Words") -> "Words":
        """Return the words of both."""
        both = Words(())
        both.weights = self.weights | other.weights
        both.stems = self.stems | other.stems
        both.lowers = self.lowers | other.lowers
        return both

    def has(self, token: Token) -> bool:
        """Return whether the word is here, perhaps in another form."""
        return token.word.lower in self.lowers or has_stem(token.word.stem, self.stems)

    def share_in(self, other: "Words", also: Set[str] = frozenset()) -> tuple[float, int]:
        """Return which share of these words, by weight, the other text or `also` has, and how many words that is."""
        found = [stem for stem in self.weights if stem in also or has_stem(stem, other.stems)]
        total = sum(self.weights.values())
        return (sum(self.weights[stem] for stem in found) / total if total else 0.0), len(found)


def has_stem(stem: str, stems: Set[str]) -> bool:
    """Return whether one of the stems says the same as this one."""
    return stem in stems or any(say_the_same(stem, other) for other in stems)


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, frozenset[str]]:
    """Return the stems that can mean the same as a stem next to the same words, from lines of words."""
    found: dict[str, frozenset[str]] = {}
    for line in files(__package__).joinpath("synonyms.txt").read_text(encoding="utf-8").splitlines():
        stems = frozenset(map(stem_of, line.split()))
        for stem in stems:
            found[stem] = found.get(stem, frozenset()) | stems
    return found


def say_the_same(one: str, other: str) -> bool:
    """Return whether two stems are of one word: "propos" and "proposit"."""
    if one == other or other in _synonyms().get(one, ()):
        return True
    return (
        len(one) >= _SAME_LETTERS
        and len(other) >= _SAME_LETTERS
        and one[:_SAME_LETTERS] == other[:_SAME_LETTERS]
        and abs(len(one) - len(other)) <= _MOST_OTHER_LETTERS
        and not one[0].isdigit()
    )
