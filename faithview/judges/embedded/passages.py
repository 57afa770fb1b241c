"""The reader's input for one claim: the claim and the most similar passages.

The reader takes a few hundred tokens at a time, and a claim's chunks are often longer. So chunks are cut into lines and
sentences, those that share most words with the claim (and, at less weight, with the question) are taken until the
budget is spent, and they are put back in the order of the chunks, each chunk under its heading.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from faithview.domain.sample import Chunk, Sample
from faithview.judges.text.sentences import Range, split_sentences_quickly
from faithview.judges.text.tokens import tokenize

# About 120 word pieces of English. Twice as much takes twice the time and decides no better on the help-desk answers.
MOST_CHARACTERS = 500

_QUESTION_SHARE = 0.4
_NEIGHBOUR_SHARE = 0.35
_NUMBER_WEIGHT = 3.0
_HEADING_LENGTH = 120

# With more lines and sentences than this, a claim is not compared with all of them.
_MOST_UNITS = 1000


class ReaderInput(NamedTuple):
    """The two sides of a cross-encoder's input; `claim` is the first part of the first side.

    `asked` follows it there. Only some training pairs have one: claims are judged without the question and the text
    before them, which this small network mistakes for what the passages say.
    """

    claim: str
    passages: str
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """A line or sentence `[start, end)` of a chunk; `head` has the places of the chunk's and the table's headings."""

    chunk: int
    start: int
    end: int
    words: dict[str, float]
    head: tuple[Range, ...]

    @classmethod
    def nothing(cls) -> "Unit":
        """Return a unit without words, for chunks that have none."""
        return cls(0, 0, 0, {}, ())

    @property
    def place_of_head(self) -> tuple[int, tuple[Range, ...]]:
        """Where its headings are: the same for units under the same headings."""
        return self.chunk, self.head


class PassageIndex:
    """The lines and sentences of an answer's chunks, ready to be picked for each of its claims."""

    def __init__(self, chunks: Sequence[Chunk], question: str | None) -> None:
        self._texts = [chunk.text for chunk in chunks]
        self.units = [unit for number, text in enumerate(self._texts) for unit in _units(number, text)]
        self._question = weights_of(question or "")
        self._heads: dict[tuple[int, tuple[Range, ...]], frozenset[str]] = {}
        self._positions: dict[str, list[int]] = {}
        if len(self.units) > _MOST_UNITS:
            for at, unit in enumerate(self.units):
                for stem in unit.words:
                    self._positions.setdefault(stem, []).append(at)

    def pick(self, claim: str, *, most: int = MOST_CHARACTERS) -> str:
        """Return the passages most like a claim, at most about `most` characters, chunks apart by an empty line."""
        asked = weights_of(claim)
        near = self.near(asked)
        scores = {at: self._score(self.units[at], asked) for at in near}
        spread = {
            at: score + _NEIGHBOUR_SHARE * max(self._beside(scores, at, -1), self._beside(scores, at, 1))
            for at, score in scores.items()
        }
        chosen: set[tuple[int, int, int]] = set()
        left = most
        for at in sorted(spread, key=lambda number: (-spread[number], number)):
            unit = self.units[at]
            places = {(unit.chunk, *place) for place in (*unit.head, (unit.start, unit.end))} - chosen
            cost = sum(end - start + 1 for _, start, end in places)
            if cost <= left or not chosen:  # take the best one, even if it is too long
                chosen |= places
                left -= cost
        return self._written(sorted(chosen), most)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all units."""
        return frozenset(stem for unit in self.units for stem in unit.words)

    def text_of(self, unit: Unit) -> str:
        """Return a unit's own text."""
        return self._texts[unit.chunk][unit.start : unit.end] if self._texts else ""

    def heading_words(self, unit: Unit) -> frozenset[str]:
        """Return the stems of a unit's headings."""
        place = unit.place_of_head
        if place not in self._heads:
            text = "\n".join(self._texts[unit.chunk][start:end] for start, end in unit.head)
            self._heads[place] = frozenset(weights_of(text))
        return self._heads[place]

    def _score(self, unit: Unit, asked: dict[str, float]) -> float:
        said = sum(weight for stem, weight in asked.items() if stem in unit.words)
        return said + _QUESTION_SHARE * sum(weight for stem, weight in self._question.items() if stem in unit.words)

    def near(self, asked: dict[str, float]) -> Iterable[int]:
        """Return the units to look at: all of them, of very many those with the claim's rarest words."""
        if len(self.units) <= _MOST_UNITS:
            return range(len(self.units))
        found: set[int] = set()
        for positions in sorted((self._positions.get(stem, ()) for stem in asked), key=len):
            found.update(positions[: _MOST_UNITS - len(found)])
        return sorted(found) or range(_MOST_UNITS)

    def _beside(self, scores: Mapping[int, float], at: int, step: int) -> float:
        other = at + step
        if other not in scores or self.units[other].chunk != self.units[at].chunk:
            return 0.0
        return scores[other]

    def _written(self, places: Sequence[tuple[int, int, int]], most: int) -> str:
        parts: dict[int, list[str]] = {}
        for chunk, start, end in places:
            parts.setdefault(chunk, []).append(self._texts[chunk][start:end][:most])
        return "\n\n".join("\n".join(lines) for lines in parts.values())


def reader_input(
    sample: Sample, index: PassageIndex, start: int, end: int, *, most: int = MOST_CHARACTERS
) -> ReaderInput:
    """Return what the reader gets for the claim `[start, end)` of the sample's answer."""
    claim = sample.answer[start:end]
    return ReaderInput(claim=claim, passages=index.pick(claim, most=most))


_LINE = re.compile(r"[^\n]+")
_TABLE_RULE = re.compile(r"[\s|:-]+\Z")
_IS_ROW = re.compile(r"[ \t]*\|")


def _units(number: int, text: str) -> list[Unit]:
    lines = [line.span() for line in _LINE.finditer(text) if not _TABLE_RULE.match(line[0])]
    heading = lines[:1] if len(lines) > 1 and lines[0][1] - lines[0][0] <= _HEADING_LENGTH else []
    units = []
    header: list[Range] = []
    for start, end in lines:
        is_row = _IS_ROW.match(text, start) is not None
        if not is_row:
            header = []
        elif not header:
            header = [(start, end)]
        pieces = [(start, end)] if is_row else split_sentences_quickly(text, start, end)
        units += [Unit(number, a, b, weights_of(text[a:b]), (*heading, *header)) for a, b in pieces]
    return units


def weights_of(text: str) -> dict[str, float]:
    """Return the stems of a text's words with meaning, and of its numbers, with what each weighs."""
    return {
        token.word.stem: _NUMBER_WEIGHT if token.word.is_number else token.word.weight
        for token in tokenize(text)
        if token.word.is_content or token.word.is_number
    }
