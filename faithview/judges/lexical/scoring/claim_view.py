"""A claim compared with the chunks and in its answer, and its figures by name."""

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log1p
from typing import NamedTuple

from faithview.judges.lexical.comparing.comparison import Comparison
from faithview.judges.lexical.passages.index import Context
from faithview.judges.lexical.splitting.claims import Cited
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token

# The weight of a number in a claim, compared with words' inverse document frequencies.
_NUMBER_WEIGHT = 3.0

_CITES = word_set("passage passages according stated mentioned states mentions provided based context text article")

_SHORTEST = 3


class ChunkShares(NamedTuple):
    """`shares`: how much of a claim's weight each chunk contains, in thousandths; `known`: the same for all together.

    `weights` and `chunks_with` are the weight of each stem and the chunks that hold it; `total` is never 0.
    """

    weights: dict[str, int]
    chunks_with: dict[str, frozenset[int]]
    shares: list[int]
    known: int
    total: int


class ClaimView:
    """One claim compared with the chunks. Figures are computed on first use."""

    def __init__(self, comparison: Comparison, context: Context, text: str, cited: Cited, *, is_item: bool) -> None:
        """Look at a claim.

        Args:
            comparison: the claim compared with the chunks.
            context: the chunks and the question.
            text: the claim itself.
            cited: the chunks that the claim cites.
            is_item: the claim is in a list.
        """
        self.comparison = comparison
        self.context = context
        self.text = text
        self.cited = cited
        self.is_item = is_item
        self.tokens = comparison.tokens
        self.missing = comparison.missing
        self.windows = comparison.windows

    @cached_property
    def content(self) -> list[Token]:
        """The words with meaning."""
        return [t for t in self.tokens if t.word.is_content]

    @cached_property
    def size(self) -> int:
        """How many words with meaning there are, at least 1."""
        return len(self.content) or 1

    @cached_property
    def weight(self) -> float:
        """The total weight of the words with meaning, never 0."""
        return sum([t.word.weight for t in self.content]) or 1.0

    @cached_property
    def window_stems(self) -> frozenset[str]:
        """The stems of the claim that the best window holds."""
        return self.windows[0].stems if self.windows else frozenset()

    @cached_property
    def unlike(self) -> list[Token]:
        """The missing words without another form in any chunk."""
        return [t for t in self.missing if not self.context.resembles(t.word.stem)]

    @cached_property
    def rarest(self) -> list[float]:
        """The weights of the missing words, the rarest first; at least two figures."""
        return [*sorted((t.word.weight for t in self.missing), reverse=True)[:2], 0.0, 0.0]

    @cached_property
    def positions(self) -> dict[int, int]:
        """The number of each word by its offset."""
        return {t.start: number for number, t in enumerate(self.tokens)}

    @cached_property
    def is_missing(self) -> list[bool]:
        """Whether each word with meaning is missing."""
        missing = {token.start for token in self.missing}
        return [token.start in missing for token in self.content]

    @cached_property
    def telling(self) -> list[str]:
        """The stems of the words with meaning and of the numbers."""
        return [t.word.stem for t in self.tokens if t.word.is_content or t.word.is_number]

    @cached_property
    def linked(self) -> list[bool]:
        """Whether a sentence of the chunks holds both of each two neighbours in `telling`."""
        return [self.context.share_a_passage(a, b) for a, b in pairwise(self.telling)]

    @cached_property
    def stems(self) -> list[str]:
        """The stems of all words."""
        return [t.word.stem for t in self.tokens]

    @cached_property
    def known_pairs(self) -> list[bool]:
        """Whether each two neighbouring words are also neighbours in a chunk."""
        return list(map(self.context.word_pairs.__contains__, pairwise(self.stems)))

    @cached_property
    def copied(self) -> tuple[int, int]:
        """The longest run of word pairs that a chunk holds, and how many runs there are."""
        longest = run = pieces = 0
        for is_known in self.known_pairs:
            if is_known:
                pieces += not run
                run += 1
                longest = max(longest, run)
            else:
                run = 0
        return longest, pieces

    @cached_property
    def lowers(self) -> set[str]:
        """The words in small letters."""
        return {t.word.lower for t in self.tokens}

    @cached_property
    def citing_words(self) -> int:
        """How many words point at a source: "according", "passage"."""
        return len(self.lowers & _CITES)

    @cached_property
    def chunk_shares(self) -> ChunkShares:
        """How much each chunk says of the claim, its citations left out."""
        ranges = self.cited.ranges
        weights = {
            t.word.stem: round(1000 * (t.word.weight or _NUMBER_WEIGHT))
            for t in self.tokens
            if (t.word.is_content or t.word.is_number) and not (ranges and any(a <= t.start < b for a, b in ranges))
        }
        chunks_with = {stem: self.context.chunks_with(stem) for stem in weights}
        shares = [0] * len(self.context.texts)
        known = 0
        for stem, weight in weights.items():
            chunks = chunks_with[stem]
            known += weight if chunks else 0
            for chunk in chunks:
                shares[chunk] += weight
        return ChunkShares(weights, chunks_with, shares, known, sum(weights.values()) or 1)

    # Figures that those of the whole answer are made of too.

    @cached_property
    def window_recall(self) -> float:
        """The share of the claim's weight that the best window or the question holds."""
        held = [
            t.word.weight
            for t in self.content
            if t.word.stem in self.window_stems or t.word.stem in self.context.question_stems
        ]
        return sum(held) / self.weight

    @cached_property
    def missing_weight(self) -> float:
        """The logarithm of what the missing words weigh."""
        return log1p(sum([t.word.weight for t in self.missing]))

    @cached_property
    def unlike_words(self) -> float:
        """The logarithm of how many missing words have no other form in the chunks."""
        return log1p(len(self.unlike))

    @cached_property
    def word_pair_recall(self) -> float:
        """The share of neighbouring words that are also neighbours in a chunk."""
        return sum(self.known_pairs) / (len(self.known_pairs) or 1)


class AnswerView:
    """An answer's claims (at least one) in order; `refusals` counts statements that the context lacks something."""

    def __init__(self, claims: Sequence[ClaimView], context: Context, *, refusals: int) -> None:
        self.claims = claims
        self.context = context
        self.refusals = refusals
        self.count = len(claims)
        self.words = sum(len(claim.tokens) for claim in claims)

    @cached_property
    def missing(self) -> list[float]:
        """The weight of what each claim misses."""
        return [claim.missing_weight for claim in self.claims]

    @cached_property
    def recall(self) -> list[float]:
        """The share of each claim that its best window holds."""
        return [claim.window_recall for claim in self.claims]

    @cached_property
    def missing_ranks(self) -> dict[float, int]:
        """For each weight in `missing` how many claims miss more."""
        return {value: sum(other > value for other in self.missing) for value in set(self.missing)}

    @cached_property
    def missing_again(self) -> list[float]:
        """For each claim the share of its missing words that an earlier claim misses too."""
        earlier: set[str] = set()
        shares = []
        for claim in self.claims:
            stems = {t.word.stem for t in claim.missing}
            shares.append(len(stems & earlier) / (len(stems) or 1))
            earlier |= stems
        return shares

    @cached_property
    def window_starts(self) -> list[int]:
        """The first passage of each claim's best window, -1 where it has none."""
        return [claim.windows[0].first if claim.windows else -1 for claim in self.claims]

    @cached_property
    def passages(self) -> int:
        """How many passages the chunks have, at least 1."""
        return len(self.context.passages) or 1

    @cached_property
    def covered(self) -> int:
        """The number of passages in the best window of a claim."""
        return len({p for c in self.claims for w in c.windows[:1] for p in range(w.first, w.last + 1)})


@dataclass(frozen=True, slots=True)
class ClaimInAnswer:
    """A claim by its number in the answer, from 0."""

    answer: AnswerView
    number: int

    @property
    def before(self) -> int | None:
        """The number of the claim before it, None for the first."""
        return self.number - 1 if self.number else None

    @property
    def after(self) -> int | None:
        """The number of the claim after it, None for the last."""
        return self.number + 1 if self.number + 1 < self.answer.count else None


def share_of_words_found(tokens: Iterable[Token], context: Context, also: Set[str] = frozenset()) -> float:
    """Return the share of all words of three letters and more, plain ones too, that a chunk or `also` holds."""
    words = [t.word.stem for t in tokens if t.end - t.start >= _SHORTEST]
    return sum([stem in context.stems or stem in also for stem in words]) / len(words) if words else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A figure of a claim; `column` computes it for all claims of an answer.

    `is_of_claim`: the claim by itself tells it, without the rest of its answer. `version` is raised when its meaning
    changes, which gives it another name, so models fitted to the old meaning do not use the new one.
    """

    function: str
    version: int
    is_of_claim: bool
    column: Callable[[AnswerView], list[float]]

    @property
    def name(self) -> str:
        """Its name in a model: "missing_words", and "missing_words/2" in its second version."""
        return self.function if self.version == 1 else f"{self.function}/{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Features that belong together, in the order in which a fit reads them."""

    name: str
    features: tuple[Feature, ...]


def claim_feature(*, cap: int | None = None, version: int = 1) -> Callable[[Callable[[ClaimView], float]], Feature]:
    """Make a function of a claim by itself a feature with the function's name.

    Args:
        cap: what is more counts as this much.
        version: the figure's version, from 1.
    """

    def make(function: Callable[[ClaimView], float]) -> Feature:
        def column(answer: AnswerView) -> list[float]:
            return _capped([function(claim) for claim in answer.claims], cap)

        return Feature(function=function.__name__, version=version, is_of_claim=True, column=column)

    return make


def place_feature(*, cap: int | None = None, version: int = 1) -> Callable[[Callable[[ClaimInAnswer], float]], Feature]:
    """Make a function of a claim in its answer a feature with the function's name (see `claim_feature`)."""

    def make(function: Callable[[ClaimInAnswer], float]) -> Feature:
        def column(answer: AnswerView) -> list[float]:
            return _capped([function(ClaimInAnswer(answer, number)) for number in range(answer.count)], cap)

        return Feature(function=function.__name__, version=version, is_of_claim=False, column=column)

    return make


def answer_feature(*, cap: int | None = None, version: int = 1) -> Callable[[Callable[[AnswerView], float]], Feature]:
    """Make a function of a whole answer, alike for all its claims, a feature (see `claim_feature`)."""

    def make(function: Callable[[AnswerView], float]) -> Feature:
        def column(answer: AnswerView) -> list[float]:
            return _capped([function(answer)], cap) * answer.count

        return Feature(function=function.__name__, version=version, is_of_claim=False, column=column)

    return make


def _capped(values: Iterable[float], cap: int | None) -> list[float]:
    return [float(value if cap is None else min(cap, value)) for value in values]


def by_name(families: Iterable[Family]) -> dict[str, Feature]:
    """Return the features of all families by name, in their order.

    Raises:
        ValueError: two of them have the same name.
    """
    features: dict[str, Feature] = {}
    for family in families:
        for feature in family.features:
            if feature.name in features:
                raise ValueError(f"two features are called {feature.name!r}; one is of the family {family.name!r}")
            features[feature.name] = feature
    return features
