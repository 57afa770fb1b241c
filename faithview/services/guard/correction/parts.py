"""The parts of an answer while it is decided which of them go."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.claim import Claim, Verdict
from faithview.services.guard.correction.edits import Edit
from faithview.services.guard.correction.layout import Block


class Why(StrEnum):
    """Why words go that make no unsupported claim themselves."""

    FAULT = ""
    EMPTY_LIST = "Nothing is left of what this announces."
    EMPTY_SECTION = "Nothing is left in this section."
    BELONGS = "It belongs to a sentence that is removed."


@dataclass(frozen=True, slots=True)
class Place:
    """Words `[start, end)` of the answer that a claim is about; `number` is the claim's."""

    start: int
    end: int
    number: int


def places_of(claims: Sequence[Claim]) -> list[Place]:
    """Return where the answer makes its supported claims."""
    return [
        Place(span.start, span.end, number)
        for number, claim in enumerate(claims, start=1)
        if claim.verdict is Verdict.SUPPORTED
        for span in claim.spans
    ]


@dataclass(slots=True)
class Sentence:
    """A sentence `[start, end)` with the places in it that must go (`faults`) and that stay (`kept`)."""

    start: int
    end: int
    faults: list[Place]
    kept: list[Place]
    is_gone: bool = False
    why: Why = Why.FAULT


@dataclass(slots=True)
class Part:
    """A block with its sentences."""

    block: Block
    sentences: list[Sentence]

    @property
    def is_gone(self) -> bool:
        """Whether all of it goes."""
        return all(sentence.is_gone for sentence in self.sentences)

    @property
    def has_kept(self) -> bool:
        """Whether something supported is in it."""
        return any(sentence.kept for sentence in self.sentences)

    @property
    def has_faults(self) -> bool:
        """Whether something unsupported is in it."""
        return any(sentence.faults for sentence in self.sentences)

    def go(self, why: Why = Why.FAULT) -> None:
        """Let all of it go; `why` is for sentences without a fault of their own."""
        for sentence in self.sentences:
            if not sentence.is_gone:
                sentence.is_gone, sentence.why = True, Why.FAULT if sentence.faults else why

    def stay(self) -> None:
        """Keep all of it."""
        for sentence in self.sentences:
            sentence.is_gone = False


def part_of(block: Block, faults: Sequence[Place], kept: Sequence[Place]) -> Part:
    """Return a block with its sentences and the places in them."""
    sentences = []
    for number, (start, end) in enumerate(block.sentences):
        first = start if number else block.start  # an item's marker goes with its first sentence
        sentences.append(
            Sentence(
                start,
                end,
                faults=[place for place in faults if overlaps(place, first, end)],
                kept=[place for place in kept if overlaps(place, first, end)],
            )
        )
    return Part(block, sentences)


def overlaps(place: Place, start: int, end: int) -> bool:
    """Return whether a place has words in `[start, end)`."""
    return place.start < end and start < place.end


def removed(start: int, end: int, numbers: tuple[int, ...], why: Why = Why.FAULT) -> Edit:
    """Return the edit that removes `[start, end)`."""
    return Edit(start=start, end=end, replacement="", claim_numbers=numbers, reason=why.value)


_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»"}
_EVEN = ('"', "**", "__", "`", "~~")


def imbalance(text: str) -> Counter[str]:
    """Return how many brackets and marks a text opens and does not close, or closes and did not open."""
    found: Counter[str] = Counter()
    for opening, closing in _PAIRS.items():
        found[opening] = text.count(opening) - text.count(closing)
    for mark in _EVEN:
        found[mark] = text.count(mark) % 2
    return Counter({mark: count for mark, count in found.items() if count})
