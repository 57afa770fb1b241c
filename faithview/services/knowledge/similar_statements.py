"""Statements of a knowledge base that share rare words: the pairs that are worth comparing.

A statement is compared with the few most similar ones of other passages, so the time grows with the number of
statements and not with its square.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy import sparse

from faithview.judges.lexical.disagreement.comparing import Traits, can_disagree, traits_of
from faithview.judges.lexical.disagreement.documents import Source, Statement
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary

# Each statement is compared with this many others at most, those with the largest share of common words.
_MOST_SIMILAR = 10

# The share of the shorter statement's words, by weight, that the two must have in common.
_LEAST_SHARED = 0.25

# Words in more statements than this, and than this share of all, do not show which are similar.
_MOST_WITH_WORD = 500
_LARGEST_SHARE_WITH_WORD = 0.02

_ROWS_AT_ONCE = 1_000
_PASSAGES_KEPT = 2_000


class StatementIndex:
    """The statements of all passages, by number; only their words are kept, and each is read again when asked for."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self.vocabulary = Vocabulary()
        self._stems: dict[str, int] = {}
        self._words: list[np.ndarray] = []
        self._first: list[int] = [0]
        self._passage_of: list[int] = []
        self._traits: list[Traits] = []
        self._read = lru_cache(maxsize=_PASSAGES_KEPT)(self._read_again)

    def add(self, number: int) -> None:
        """Read the next passage; passages are added in their order."""
        statements = Source.find_statements(self._sources[number])
        self.vocabulary.add(statements)
        for statement in statements:
            stems = {self._stems.setdefault(stem, len(self._stems)) for stem in statement.own}
            self._words.append(np.fromiter(sorted(stems), dtype=np.int32, count=len(stems)))
            self._passage_of.append(number)
            self._traits.append(traits_of(statement))
        self._first.append(len(self._words))

    def __len__(self) -> int:
        return len(self._words)

    def get(self, number: int) -> Statement:
        """Return a statement."""
        passage = self._passage_of[number]
        return self._read(passage)[number - self._first[passage]]

    def passage_of(self, number: int) -> int:
        """Return the number of the passage that a statement is in."""
        return self._passage_of[number]

    def _read_again(self, passage: int) -> list[Statement]:
        return self._sources[passage].find_statements()

    def find_pairs(self) -> Iterator[tuple[int, list[int]]]:
        """Yield every statement with the later ones that it is to be compared with."""
        words, totals = self._weigh_words()
        passages = np.asarray(self._passage_of)
        seen: list[list[int]] = [[] for _ in range(len(self))]
        for first in range(0, len(self), _ROWS_AT_ONCE):
            block = (words[first : first + _ROWS_AT_ONCE] @ words.T).tocsr()
            for row, (start, end) in enumerate(pairwise(block.indptr)):
                number = first + row
                others, shared = block.indices[start:end], block.data[start:end]
                score = shared / np.minimum(totals[others], totals[number])
                is_close = (score >= _LEAST_SHARED) & (passages[others] != passages[number])
                others, score = others[is_close], score[is_close]
                if len(others) > _MOST_SIMILAR:
                    # By number where equal, so that the result does not depend on the order of the computation.
                    others = others[np.lexsort((others, -score))[:_MOST_SIMILAR]]
                for other in others.tolist():
                    if can_disagree(self._traits[number], self._traits[other]):
                        seen[min(number, other)].append(max(number, other))
        for number, others_of in enumerate(seen):
            if others_of:
                yield number, sorted(set(others_of))

    def _weigh_words(self) -> tuple[sparse.csr_matrix, np.ndarray]:
        """Return the statements' words with the square roots of their weights, and each statement's total weight."""
        weights = np.asarray([self.vocabulary.weigh_stem(stem) for stem in self._stems], dtype=np.float64)
        lengths = np.asarray([len(words) for words in self._words])
        indices = np.concatenate(self._words) if self._words else np.zeros(0, dtype=np.int32)
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        matrix = sparse.csr_matrix((weights[indices], indices, indptr), shape=(len(self), len(weights)))
        totals = np.maximum(np.asarray(matrix.sum(axis=1)).ravel(), np.finfo(np.float64).tiny)
        counts = np.bincount(indices, minlength=len(weights))
        frequent = counts > max(_MOST_WITH_WORD, _LARGEST_SHARE_WITH_WORD * len(self))
        kept = np.where(frequent, 0.0, np.sqrt(weights))
        rooted = sparse.csr_matrix((kept[indices], indices, indptr), shape=matrix.shape)
        rooted.eliminate_zeros()
        return rooted, totals
