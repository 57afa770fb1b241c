"""New words for known things: what new documents call by another name than older documents and people's questions.

A word is shown if it is frequent in new and edited passages and occurs in no older passage and no question, and if an
older word is used in the same contexts: older passages and questions about the same have it, its neighbours are the
same, and the two hardly occur together. It is a suggestion, and no error.
"""

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np
from scipy import sparse

from faithview.domain.content_hashes import chunk_hash
from faithview.domain.contradiction import KnownWord, NewTerm
from faithview.domain.knowledge import document_name, document_title
from faithview.domain.sample import Chunk
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import split_sentences_quickly
from faithview.judges.text.tokens import Token, tokenize

# A new word is frequent if it has this many uses, in this many passages.
_LEAST_USES, _LEAST_PASSAGES = 4, 2
_SHORTEST = 3

# A word is the name of a thing if this share of its uses follows an article or a number and ends the noun phrase, or if
# this share of its uses within sentences is capitalised.
_LEAST_AS_THING = 0.25
_LEAST_CAPITALISED = 0.7
_BEFORE_THINGS = word_set(
    "a an the this that these those each every your our their its no one another any which of more"
)

# A known word has this many uses in older passages and questions, and this many in all texts.
_LEAST_KNOWN, _LEAST_USES_OF_KNOWN = 2, 3

# How many words on each side are the context of a use, and how many older passages are compared with each new one.
_REACH = 8
_MOST_SIMILAR = 5
# How many new passages with a word are compared, and with how many older ones at a time.
_MOST_COMPARED = 40
_TEXTS_AT_ONCE = 1_000

# On two updates of the sample and on 84 renamed words in documents of 21 invented organisations.
_LEAST_LIKENESS = 0.2
_RARE_ENOUGH = 3.0
_MOST_CANDIDATES = 40
_MOST_TERMS = 8
_MOST_KNOWN = 3
_MOST_DOCUMENTS = 5


def find_terms(old: Sequence[Chunk], new: Sequence[Chunk], questions: Sequence[str]) -> list[NewTerm]:
    """Return words that new passages seem to use for known things, the most frequent first, at most eight.

    Args:
        old: the chunks of the older version; without any there is nothing to compare with.
        new: those of the newer one.
        questions: what people asked.
    """
    known = {chunk_hash(chunk.text) for chunk in old}
    fresh = [chunk for chunk in new if chunk_hash(chunk.text) not in known]
    if not old or not fresh:
        return []
    search = _Search(old, fresh, questions)
    found = [term for stem in search.candidates if (term := search.describe(stem)) is not None]
    return sorted(found, key=lambda term: (-term.uses, term.word))[:_MOST_TERMS]


@dataclass(slots=True)
class _Uses:
    """How a word is used: how often, in how many passages, in which forms, as a thing, and as a name."""

    count: int = 0
    passages: int = 0
    things: int = 0
    within: int = 0
    capitalised: int = 0
    forms: Counter[str] = field(default_factory=Counter)

    @property
    def is_thing(self) -> bool:
        is_name = self.within > 0 and self.capitalised >= _LEAST_CAPITALISED * self.within
        return is_name or self.things >= _LEAST_AS_THING * self.count

    @property
    def word(self) -> str:
        """Its most frequent form, with its capital if that is part of it."""
        form, _ = min(self.forms.items(), key=lambda item: (-item[1], item[0]))
        is_name = self.within > 0 and self.capitalised >= _LEAST_CAPITALISED * self.within
        return form if is_name else form.lower()


class _Search:
    """One comparison of new passages with older ones and with questions."""

    def __init__(self, old: Sequence[Chunk], fresh: Sequence[Chunk], questions: Sequence[str]) -> None:
        self._fresh = fresh
        self._old = [*(_with_title(chunk) for chunk in old), *questions]
        self._in_documents = Counter(stem for text in self._old[: len(old)] for stem in _stems(text))
        self._in_questions = Counter(stem for text in questions for stem in _stems(text))
        self._texts = [chunk.text for chunk in fresh]
        self._fresh_stems = [frozenset(_stems(text)) for text in self._texts]
        self._passages = Counter(stem for stems in self._fresh_stems for stem in stems)
        self._passages.update(stem for text in self._old for stem in frozenset(_stems(text)))
        self._total = len(self._texts) + len(self._old)
        uses = _count_uses(self._texts, self._unknown())
        self.candidates = [stem for stem in uses if uses[stem].is_thing]
        self._uses = uses
        self._similar = self._find_similar()
        self._known = self._find_known()
        self._contexts = self._count_contexts()

    def _unknown(self) -> list[str]:
        """Return the frequent words of new passages that no older passage and no question has."""
        counts = Counter(stem for text in self._texts for stem in _stems(text))
        passages = Counter(stem for stems in self._fresh_stems for stem in stems)
        frequent = [
            stem
            for stem, count in counts.items()
            if count >= _LEAST_USES
            and passages[stem] >= _LEAST_PASSAGES
            and len(stem) >= _SHORTEST
            and not self._in_documents[stem]
            and not self._in_questions[stem]
        ]
        return sorted(frequent, key=lambda stem: (-counts[stem], stem))[:_MOST_CANDIDATES]

    def _rarity(self, stem: str) -> float:
        return math.log((self._total + 1) / max(1, self._passages[stem]))

    def _find_similar(self) -> dict[str, list[tuple[float, frozenset[str]]]]:
        """Return, for each new word, the likeness and words of older passages and questions most like those with it."""
        wanted: list[tuple[str, frozenset[str]]] = []
        for stem in self.candidates:
            with_it = (stems - {stem} for stems in self._fresh_stems if stem in stems)
            wanted += [(stem, stems) for stems in islice(with_it, _MOST_COMPARED)]
        numbers = {stem: at for at, stem in enumerate(sorted({stem for _, stems in wanted for stem in stems}))}
        rarities = np.asarray([self._rarity(stem) for stem in numbers])
        mine = _matrix((stems for _, stems in wanted), numbers).multiply(rarities).tocsr()
        best: list[list[tuple[float, int]]] = [[] for _ in wanted]
        for first in range(0, len(self._old) if wanted else 0, _TEXTS_AT_ONCE):
            older = [frozenset(_stems(text)) for text in self._old[first : first + _TEXTS_AT_ONCE]]
            sizes = np.sqrt([1 + math.fsum(map(self._rarity, stems)) for stems in older])
            scores = (mine @ _matrix(older, numbers).T).toarray() / sizes
            for row, found in enumerate(scores):
                closest = np.argsort(-found, kind="stable")[:_MOST_SIMILAR]
                pairs = ((float(found[at]), -first - int(at)) for at in closest if found[at] > 0)
                best[row] = heapq.nlargest(_MOST_SIMILAR, (*best[row], *pairs))
        similar: dict[str, list[tuple[float, frozenset[str]]]] = {stem: [] for stem in self.candidates}
        for (stem, _), closest_of in zip(wanted, best, strict=True):
            similar[stem] += [(score, frozenset(_stems(self._old[-number]))) for score, number in closest_of]
        return similar

    def _find_known(self) -> dict[str, _Uses]:
        """Return the known words of similar passages that name things."""
        wanted = {
            stem
            for similar in self._similar.values()
            for _, stems in similar
            for stem in stems
            if self._in_documents[stem] + self._in_questions[stem] >= _LEAST_KNOWN
        }
        uses = _count_uses([*self._texts, *self._old], wanted)
        return {stem: one for stem, one in uses.items() if one.is_thing and one.count >= _LEAST_USES_OF_KNOWN}

    def _count_contexts(self) -> dict[str, Counter[str]]:
        """Return the words next to each use of the candidates and of the known words."""
        contexts: dict[str, Counter[str]] = {stem: Counter() for stem in (*self.candidates, *self._known)}
        for text in (*self._texts, *self._old):
            for sentence in _sentences(text):
                stems = [token.word.stem for token in sentence if token.word.is_content]
                for at, stem in enumerate(stems):
                    if stem in contexts:
                        beside = (*stems[max(0, at - _REACH) : at], *stems[at + 1 : at + 1 + _REACH])
                        contexts[stem].update(other for other in beside if other != stem)
        return contexts

    def describe(self, stem: str) -> NewTerm | None:
        """Return a new word with the known words that are most like it; None if none is alike enough."""
        with_it = [(chunk, stems) for chunk, stems in zip(self._fresh, self._fresh_stems, strict=True) if stem in stems]
        together = Counter(other for _, stems in with_it for other in stems)
        context = self._weigh_context(stem)
        scored = [(self._liken(stem, other, context, together[other] / len(with_it)), other) for other in self._known]
        best = sorted((pair for pair in scored if pair[0] >= _LEAST_LIKENESS / 2), key=lambda pair: (-pair[0], pair[1]))
        if not best or best[0][0] < _LEAST_LIKENESS:
            return None
        uses = self._uses[stem]
        names = dict.fromkeys(document_name(chunk.metadata) or chunk.chunk_id for chunk, _ in with_it)
        return NewTerm(
            word=uses.word,
            uses=uses.count,
            passages=uses.passages,
            documents=tuple(names)[:_MOST_DOCUMENTS],
            known=tuple(
                KnownWord(
                    word=self._known[other].word,
                    likeness=round(min(1.0, score), 4),
                    is_in_documents=self._in_documents[other] > 0,
                    is_in_questions=self._in_questions[other] > 0,
                )
                for score, other in best[:_MOST_KNOWN]
            ),
            example=_find_example(with_it[0][0].text, stem),
        )

    def _liken(self, stem: str, other: str, context: Mapping[str, float], together: float) -> float:
        """Return how alike the contexts of a new and a known word are; `together` is the share of passages with both.

        It is the geometric mean of the share of similar older passages that have the known word, and of the cosine of
        the words' neighbours. Both are lowered by the share of passages in which the two occur together: two names for
        one thing hardly do.
        """
        weight = math.fsum(score for score, _ in self._similar[stem])
        in_similar = math.fsum(score for score, stems in self._similar[stem] if other in stems)
        topic = in_similar / weight if weight else 0.0
        topic *= (1 - together) * min(1.0, self._rarity(other) / _RARE_ENOUGH)
        uses = self._uses[stem].passages
        apart = 1 - together * uses / min(uses, max(1, self._passages[other]))
        if topic <= 0 or apart <= 0:
            return 0.0
        return math.sqrt(topic * apart * _cosine(context, self._weigh_context(other), without={stem, other}))

    def _weigh_context(self, stem: str) -> dict[str, float]:
        contexts = self._contexts[stem]
        return {word: (1 + math.log(count)) * self._rarity(word) for word, count in contexts.items()}


def _cosine(mine: Mapping[str, float], theirs: Mapping[str, float], *, without: Set[str]) -> float:
    sizes = [math.sqrt(math.fsum(weight * weight for weight in side.values())) for side in (mine, theirs)]
    shared = math.fsum(weight * theirs[word] for word, weight in mine.items() if word in theirs and word not in without)
    return shared / (sizes[0] * sizes[1]) if all(sizes) else 0.0


def _matrix(texts: Iterable[Set[str]], numbers: Mapping[str, int]) -> sparse.csr_matrix:
    """Return which of the numbered stems each text has."""
    rows = [sorted(numbers[stem] for stem in stems if stem in numbers) for stems in texts]
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(indptr[-1]))
    return sparse.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(rows), len(numbers)))


def _with_title(chunk: Chunk) -> str:
    title = document_title(chunk.metadata)
    return f"{title}\n{chunk.text}" if title else chunk.text


def _stems(text: str) -> Iterator[str]:
    return (token.word.stem for token in tokenize(text) if token.word.is_content)


def _sentences(text: str) -> Iterator[list[Token]]:
    return (tokenize(text, start, end) for start, end in split_sentences_quickly(text, 0, len(text)))


def _count_uses(texts: Iterable[str], wanted: Sequence[str] | Set[str]) -> dict[str, _Uses]:
    """Return how the wanted words are used in some texts; in the order of `wanted`."""
    uses = {stem: _Uses() for stem in wanted}
    if not uses:
        return {}
    for text in texts:
        here: set[str] = set()
        for sentence in _sentences(text):
            for at, token in enumerate(sentence):
                one = uses.get(token.word.stem)
                if one is None or not token.word.is_content:
                    continue
                here.add(token.word.stem)
                one.count += 1
                one.forms[text[token.start : token.end]] += 1
                one.things += _is_used_as_thing(sentence, at, text)
                if at:
                    one.within += 1
                    one.capitalised += token.word.is_capitalised
        for stem in here:
            uses[stem].passages += 1
    return uses


def _is_used_as_thing(sentence: Sequence[Token], at: int, text: str) -> bool:
    """Return whether a word follows an article or a number, and no other word with meaning follows directly."""
    before = [token.word for token in sentence[max(0, at - 2) : at]]
    if not any(word.lower in _BEFORE_THINGS or word.is_number for word in before):
        return False
    following = sentence[at + 1] if at + 1 < len(sentence) else None
    if following is None or text[sentence[at].end : following.start] != " ":
        return True
    return not following.word.is_content


def _find_example(text: str, stem: str) -> str:
    for start, end in split_sentences_quickly(text, 0, len(text)):
        if stem in {token.word.stem for token in tokenize(text, start, end)}:
            return text[start:end]
    return ""
