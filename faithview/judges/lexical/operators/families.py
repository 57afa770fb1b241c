"""The families of operators, read from `operators.toml`, and where a sentence uses them."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.text.tokens import Token

ABSENT = "absent"

# "*" in a phrase is up to this many words.
_MOST_BETWEEN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family of operators: the phrases of each meaning, and the verdicts on pairs of a claim's and a sentence's."""

    name: str
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
    verdicts: Mapping[tuple[str, str], Verdict]

    def verdict(self, claim: str, sentence: str) -> Verdict | None:
        """Return the verdict on a claim with one meaning against a sentence with the other; None if there is none."""
        return self.verdicts.get((claim, sentence))

    def agree(self, claim: str, sentence: str) -> bool:
        """Return whether two meanings exclude each other neither way."""
        return (claim, sentence) not in self.verdicts and (sentence, claim) not in self.verdicts

    def longest_at(self, tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
        """Return the meaning and the end of the longest phrase that begins with that token, or None."""
        best: tuple[str, int] | None = None
        for phrase, meaning in self.phrases.get(tokens[at].word.lower, ()):
            end = _end_of(phrase, tokens, at)
            if end is not None and (best is None or end > best[1]):
                best = meaning, end
        return best


def _end_of(phrase: Sequence[str], tokens: Sequence[Token], at: int) -> int | None:
    """Return the end of a phrase that begins at `at`, or None if the tokens differ."""
    for number, word in enumerate(phrase):
        if word == "*":
            rest = phrase[number + 1 :]
            ends = (_end_of(rest, tokens, at + skipped) for skipped in range(_MOST_BETWEEN + 1))
            return next((end for end in ends if end is not None), None)
        if at >= len(tokens) or tokens[at].word.lower != word:
            return None
        at += 1
    return at


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """Return all families, in the order of the file."""
    content = files(__package__).joinpath("operators.toml").read_text(encoding="utf-8")
    return tuple(_family(name, table) for name, table in tomllib.loads(content).items())


def _family(name: str, table: Mapping[str, Any]) -> Family:
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for meaning, written in table["meanings"].items():
        for words in _phrases(written):
            phrases.setdefault(words[0], []).append((words, meaning))
    verdicts = {
        (claim, sentence): Verdict(verdict)
        for claim, row in table["verdicts"].items()
        for sentence, verdict in row.items()
    }
    return Family(name=name, phrases=phrases, verdicts=verdicts)


def _phrases(written: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for phrase in written:
        yield tuple(phrase.split())


class Operator(NamedTuple):
    """A phrase `tokens[first:end]` that decides what a sentence says, by its family and its meaning there."""

    family: str
    meaning: str
    first: int
    end: int


def read_operators(tokens: Sequence[Token], text: str) -> list[Operator]:
    """Return the operators among the words of a sentence; a word belongs to one of them at most."""
    found = [
        Operator("polarity", "negative", at, at + 1) for at in range(1, len(tokens)) if _is_suffix(tokens, at, text)
    ]
    taken = {operator.first for operator in found}
    for family in families():
        at = 0
        while at < len(tokens):
            is_begun = tokens[at].word.lower in family.phrases and at not in taken and not _is_month(tokens, at)
            longest = family.longest_at(tokens, at) if is_begun else None
            if longest is None or not taken.isdisjoint(range(at, longest[1])):
                at += 1
                continue
            meaning, end = longest
            found.append(Operator(family.name, meaning, at, end))
            taken.update(range(at, end))
            at = end
    return found


def _is_month(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at].word.lower == "may" and tokens[at].word.is_capitalised


def _is_suffix(tokens: Sequence[Token], at: int, text: str) -> bool:
    """Return whether a word denies what it is joined to: "sugar-free"."""
    return tokens[at].word.lower == "free" and text[tokens[at - 1].end : tokens[at].start] == "-"
