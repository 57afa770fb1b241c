"""Similarity of texts, and the best pairing of the texts of two sides.

Implements the protocols of `domain.pairing`, which has the thresholds and the rules. The pairs
are an assignment with the largest sum of similarities (Kuhn 1955, "The Hungarian method").
"""

import re
from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np
from rapidfuzz import fuzz, process, utils
from rapidfuzz.distance import Indel, LCSseq

from faithview.domain.pairing import TextPair

FloatArray: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def pair_chunk_texts(
    before: Sequence[str], after: Sequence[str], *, floor: float, certain: Collection[tuple[int, int]] = ()
) -> list[TextPair]:
    """Pair chunks by their words; see `domain.pairing.PairChunkTexts`.

    Similarity is 2 * (words in both texts, in the same order) / (words of both), case ignored. Words, not characters:
    two unrelated paragraphs of one help centre share 60% of their characters but only 20% of their words.
    """
    similarities = process.cdist(
        [text.casefold().split() for text in before],
        [text.casefold().split() for text in after],
        scorer=Indel.normalized_similarity,
        score_cutoff=floor,
        dtype=np.float64,
    )
    return _assign(similarities, floor=floor, certain=certain)


def pair_claim_texts(
    before: Sequence[str], after: Sequence[str], *, floor: float, refused: Collection[tuple[int, int]] = ()
) -> list[TextPair]:
    """Pair claims by their characters, with each claim's words sorted; see `domain.pairing.PairClaimTexts`."""
    similarities = process.cdist(
        before, after, scorer=fuzz.token_sort_ratio, processor=utils.default_process, dtype=np.float64
    )
    return _assign(similarities / 100, floor=floor, refused=refused)


# Runs of this many words that two texts share make it possible that one contains the other; words in more texts than
# the limit, such as those of a footer, do not.
_SHINGLE = 3
_WORD = re.compile(r"\w+")
_MOST_SHARING = 30


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


class TokenSortSimilarity:
    """Compares questions by their characters, with each question's words sorted; see `QuestionSimilarity`."""

    def compare(self, first: str, second: str) -> float:
        """Return the similarity of two questions, in [0, 1]."""
        return fuzz.token_sort_ratio(first, second, processor=utils.default_process) / 100

    def find_similar(self, before: Sequence[str], after: Sequence[str], *, floor: float, best: int) -> list[TextPair]:
        """Return the most similar questions, at most `best` for each question of `before`."""
        similarities = process.cdist(
            before, after, scorer=fuzz.token_sort_ratio, processor=utils.default_process, score_cutoff=100 * floor
        )
        # Templated questions are all alike: without this limit nine million pairs would be compared.
        best = min(best, similarities.shape[1])
        columns = np.argpartition(-similarities, best - 1, axis=1)[:, :best]
        return [
            TextPair(before=i, after=int(j), similarity=float(similarities[i, j]) / 100)
            for i in range(len(before))
            for j in columns[i]
            if similarities[i, j] > 0
        ]


def _assign(
    similarities: FloatArray,
    *,
    floor: float,
    certain: Collection[tuple[int, int]] = (),
    refused: Collection[tuple[int, int]] = (),
) -> list[TextPair]:
    from scipy.optimize import linear_sum_assignment  # here, because most commands do not pair texts

    worth = np.where(similarities >= floor, similarities, 0.0)
    for i, j in certain:
        worth[i, j] = 2.0  # above every sum of two similarities that choosing this pair could cost
    for i, j in refused:
        worth[i, j] = 0.0
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [
        TextPair(before=int(i), after=int(j), similarity=float(similarities[i, j]))
        for i, j in zip(rows, columns, strict=True)
        if worth[i, j] > 0
    ]
