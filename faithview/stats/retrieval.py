"""How well passages match a question, by its words: an estimate of what a retriever would return.

BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", 3.4), with k1 = 1.2 and
b = 0.75. A retriever with embeddings orders passages differently; the two mostly agree on the best ones.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from faithview.stats.search_words import stems_of

_K1 = 1.2
_B = 0.75
# How many passages the rarity of words is estimated from.
_MOST_COUNTED = 5_000


@dataclass(frozen=True, slots=True)
class CountedText:
    """A text as its words and their number."""

    counts: Mapping[str, int]
    length: int


def count_words(text: str, *, ignored: Collection[str] = ()) -> CountedText:
    """Return the stems of a text, counted, without those that are ignored."""
    stems = [stem for stem in stems_of(text) if stem not in ignored]
    return CountedText(Counter(stems), len(stems))


class QuestionMatcher:
    """Scores passages by a question's words.

    Args:
        corpus: the passages of the knowledge base, for the rarity of words; of more than 5,000 every n-th is counted.
        passages: the passages that `score_passages` scores.
        ignored: words that do not count, such as "the" and "how".
    """

    def __init__(self, corpus: Sequence[str], passages: Sequence[str], *, ignored: Collection[str] = ()) -> None:
        self._ignored = ignored
        step = max(1, -(-len(corpus) // _MOST_COUNTED))
        counted = [self.count(text) for text in corpus[::step]]
        self._size = max(1, len(counted))
        self._mean_length = max(1.0, sum(text.length for text in counted) / self._size)
        self._spread = Counter(stem for text in counted for stem in text.counts)
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for number, passage in enumerate(passages):
            text = self.count(passage)
            for stem, count in text.counts.items():
                self._postings.setdefault(stem, []).append((number, self._saturate(count, text.length)))

    def count(self, text: str) -> CountedText:
        """Return a text as `score` takes it."""
        return count_words(text, ignored=self._ignored)

    def score(self, question: CountedText, text: CountedText) -> float:
        """Return how well a text matches a question; 0 if it has none of its words."""
        return math.fsum(
            self._rarity(stem) * self._saturate(text.counts[stem], text.length)
            for stem in sorted(question.counts)
            if stem in text.counts
        )

    def score_passages(self, question: CountedText) -> dict[int, float]:
        """Return the scores of the passages, by their indexes, that share a word with a question."""
        scores: dict[int, float] = {}
        for stem in sorted(question.counts):
            rarity = self._rarity(stem)
            for number, weight in self._postings.get(stem, ()):
                scores[number] = scores.get(number, 0.0) + rarity * weight
        return scores

    def _rarity(self, stem: str) -> float:
        found_in = min(self._spread[stem], self._size)
        return math.log(1 + (self._size - found_in + 0.5) / (found_in + 0.5))

    def _saturate(self, count: int, length: int) -> float:
        return count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * length / self._mean_length))
