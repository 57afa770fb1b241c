"""The operators of a sentence, each where it is."""

from collections.abc import Sequence
from typing import NamedTuple

from faithview.judges.lexical.operators.tables import families
from faithview.judges.text.tokens import Token


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
