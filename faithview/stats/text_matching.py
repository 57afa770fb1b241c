"""Which texts contain others, for a text that was split or joined with another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

# Runs of this many words that two texts share make it possible that one contains the other; words in more texts than
# the limit, such as those of a footer, do not.
_SHINGLE = 3
_WORD = re.compile(r"\w+")
_MOST_SHARING = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPair:
    """Two texts that belong together, as indexes from 0, and their similarity in [0, 1]."""

    before: int
    after: int
    similarity: float


def find_contained(parts: Sequence[str], wholes: Sequence[str], *, floor: float) -> list[TextPair]:
    """Return which texts are contained in which others, for a text that was split or joined with another.

    The similarity of a pair is (words in both, in the same order) / (words of the part), without case and punctuation;
    `before` is the index of the part and `after` that of the whole. Pairs that share no three words in a row are not
    compared.
    """
    split_parts = [_WORD.findall(text.casefold()) for text in parts]
    split_wholes = [_WORD.findall(text.casefold()) for text in wholes]
    places: dict[tuple[str, ...], list[int]] = {}
    for j, words in enumerate(split_wholes):
        for shingle in _shingles(words):
            places.setdefault(shingle, []).append(j)
    found = []
    for i, words in enumerate(split_parts):
        shared = (places.get(shingle, ()) for shingle in _shingles(words))
        for j in sorted({j for sharing in shared if len(sharing) <= _MOST_SHARING for j in sharing}):
            share = LCSseq.similarity(words, split_wholes[j]) / len(words)
            if share >= floor:
                found.append(TextPair(before=i, after=j, similarity=share))
    return found


def _shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + _SHINGLE]) for at in range(len(words) - _SHINGLE + 1)}
