"""A claim and the sentence that says nearly the same."""

from collections.abc import Sequence, Set
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.lexical.operators.clauses import Part, PartKind, Words, parts_of
from faithview.judges.lexical.operators.families import Operator, read_operators
from faithview.judges.lexical.passages.index import Context
from faithview.judges.text.tokens import Token


class Difference(NamedTuple):
    """A difference of a claim and a sentence, as in `OperatorDifference`."""

    family: str
    verdict: Verdict
    claim_span: tuple[int, int] | None
    passage_span: tuple[int, int] | None


class _Near(NamedTuple):
    """How near claim and sentence must be for a difference to count.

    `of_claim` and `of_sentence` are the shares by weight of the words of each that the other has, `alike` the share of
    all words that are the same and in the same order.
    """

    of_claim: float
    of_sentence: float
    alike: float


# In a long text other sentences may support the claim, so the nearest one must be closer than in a short text.
_NEAR = _Near(0.85, 0.8, 0.75)
_NEAR_IN_SHORT_TEXT = _Near(0.5, 0.3, 0.2)
_SHORT_TEXT = 90

_PRICE = "price"

# The claim is about a part of a sentence if that part adds at least this share of the claim's words.
_LEAST_OF_PART = 0.15


def is_short(context: Context) -> bool:
    """Return whether the chunks are so short that a claim near to a sentence of theirs is about that sentence."""
    return context.size <= _SHORT_TEXT


class Side:
    """A claim or a sentence: its words, its parts, its operators, and where its values are."""

    def __init__(self, tokens: Sequence[Token], text: str, values: Sequence[tuple[int, int]]) -> None:
        self.tokens, self.text, self.values = tokens, text, values
        self.words = Words(tokens)

    # Computed on demand: only sentences near to the claim need these, and most are not near.

    @cached_property
    def parts(self) -> list[Part]:
        """The statements of the text, and what limits or explains them."""
        return parts_of(self.tokens, self.text)

    @cached_property
    def operators(self) -> list[Operator]:
        """The words that decide what the text says."""
        return [o for o in read_operators(self.tokens, self.text) if not self._is_value(o)]

    def _is_value(self, operator: Operator) -> bool:
        """Return whether an operator is part of a value, as "may" in "3 May 2021" and "half" in "half a million"."""
        words = self.tokens[operator.first : operator.end]
        return operator.family != _PRICE and all(self.is_value(token) for token in words)

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Return where the words `tokens[first:end]` are in the text."""
        return self.tokens[first].start, self.tokens[end - 1].end

    def of(self, part: Part) -> Sequence[Token]:
        """Return the words of a part."""
        return self.tokens[part.first : part.end]

    def is_value(self, token: Token) -> bool:
        """Return whether a word belongs to a value."""
        return any(start <= token.start < end for start, end in self.values)


class Pair:
    """A claim and a sentence."""

    def __init__(self, claim: Side, sentence: Side, context: Context) -> None:
        self.claim, self.sentence, self.context = claim, sentence, context

    @cached_property
    def closeness(self) -> float:
        """The share by weight of the claim's words that the sentence has."""
        plain = Words([t for t in self.claim.tokens if t.word.is_content and not self.claim.is_value(t)])
        return (plain if plain.count else self.claim.words).share_in(self.sentence.words)[0]

    def is_near(self) -> bool:
        """Return whether the two say nearly the same."""
        least = _NEAR_IN_SHORT_TEXT if is_short(self.context) else _NEAR
        if self.closeness < least.of_claim or not self.meant:
            return False
        meant = [t for part in self.meant for t in self.sentence.of(part)]
        if Words(meant).share_in(self.claim.words, also=self.context.question_stems)[0] < least.of_sentence:
            return False
        return max(self._share_in_order(meant), self._share_in_order(self.sentence.tokens)) >= least.alike

    def new_words(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the words with meaning that neither the sentence, nor the question, nor another sentence has."""
        return [
            t
            for t in tokens
            if t.word.is_content
            and not self.sentence.words.has(t)
            and not self.context.knows(t.word.stem)
            and not self.context.resembles(t.word.stem)
        ]

    def _share_in_order(self, tokens: Sequence[Token]) -> float:
        """Return the share of all words that are the same and in the same order in the claim and among the tokens."""
        mine, theirs = [t.word.stem for t in self.claim.tokens], [t.word.stem for t in tokens]
        return SequenceMatcher(None, mine, theirs, autojunk=False).ratio()

    @cached_property
    def meant(self) -> list[Part]:
        """The parts of the sentence that the claim is about: each adds claim words that better parts lack."""
        shares = []
        for part in self.sentence.parts:
            if part.kind is PartKind.MAIN:
                words = Words(self.sentence.of(part))
                shares.append((self.claim.words.share_in(words)[0], part, words))
        shares.sort(key=lambda item: (-item[0], item[1].first))
        meant: list[Part] = []
        held = Words(())
        for share, part, words in shares:
            more = self.claim.words.share_in(held.with_those_of(words))[0]
            if share and more - self.claim.words.share_in(held)[0] >= _LEAST_OF_PART:
                meant.append(part)
                held = held.with_those_of(words)
        return sorted(meant, key=lambda part: part.first)

    @cached_property
    def _paired(self) -> dict[int, int]:
        """For each word of the claim that the sentence has in the same order, the number of that word there."""
        mine = [t.word.stem for t in self.claim.tokens]
        theirs = [t.word.stem for t in self.sentence.tokens]
        blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
        return {block.a + n: block.b + n for block in blocks for n in range(block.size)}

    @cached_property
    def left_over(self) -> tuple[list[Operator], list[Operator]]:
        """The operators of the claim and of the sentence that the other side does not have in the same place."""
        theirs = list(self.sentence.operators)
        mine = []
        for operator in self.claim.operators:
            there = [self._paired.get(n) for n in range(operator.first, operator.end)]
            twin = next(
                (o for o in theirs if o[:2] == operator[:2] and there == list(range(o.first, o.end))),
                None,
            )
            if twin is None:
                mine.append(operator)
            else:
                theirs.remove(twin)
        return mine, theirs


_MAIN = frozenset({PartKind.MAIN})


def is_in(operator: Operator, parts: Sequence[Part], kinds: Set[PartKind] = _MAIN) -> bool:
    """Return whether an operator is in one of the parts of these kinds."""
    return any(part.kind in kinds and part.first <= operator.first < part.end for part in parts)


def around(tokens: Sequence[Token]) -> tuple[int, int]:
    """Return where words are, from the first to the last."""
    return tokens[0].start, tokens[-1].end
