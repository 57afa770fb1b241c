"""The chunks of one answer cut into passages, and indexed: which of them say most of a claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.sample import Chunk
from faithview.judges.lexical.passages.equality import ValueIndex
from faithview.judges.lexical.passages.fields import Field, find_records
from faithview.judges.lexical.passages.values import Value, values_among, values_in_cell
from faithview.judges.text.lexicon import PLACES, synonyms_of
from faithview.judges.text.polarity import Polarity
from faithview.judges.text.sentences import split_sentences_quickly
from faithview.judges.text.tokens import Token, Word, key_forms, tokenize, tokenize_key, word_of


@dataclass(slots=True, eq=False)
class Passage:
    """A sentence of a chunk, or a field of a record in it ("wifi: false").

    `is_flag` marks a field whose value is true or false, `is_denied` one that is false, `is_unknown` one that is null.
    `key_forms` are the sets of stems that say its key; `path` holds the keys that lead to it as they are written, its
    own last. A passage that is a row of a table has neither; `field` is what it was read from, None for prose.
    """

    chunk: int
    start: int
    end: int
    tokens: list[Token]
    is_denied: bool = False
    is_unknown: bool = False
    is_flag: bool = False
    key_forms: tuple[frozenset[str], ...] = ()
    path: tuple[str, ...] = ()
    field: Field | None = None
    values: list[Value] | None = None
    content: frozenset[str] | None = None
    polarity: Polarity | None = None


class Window(NamedTuple):
    """One to three passages `[first, last]` in a row.

    `recall` is the share of the claim's weight that they hold, `stems` are the words of the claim that they hold.
    """

    first: int
    last: int
    recall: float
    stems: frozenset[str]


# How many best-matching sentences to build windows around; more change no verdict and cost time.
_BEST_SENTENCES = 8
_LONGEST_WINDOW = 3

# Each further sentence must add this share of the claim's weight to a window.
_WINDOW_COST = 0.03

# A number shows where to look, but it also occurs in other places.
_NUMBER_WEIGHT = 3000

# A word in more passages than this does not show where to look; each claim would go through all of them.
_MOST_PASSAGES = 1000

# Chunks are a record if more than this share of their words is in its fields.
_RECORD_SHARE = 0.25

# Steps in which the weight of a word is counted.
_WEIGHT_STEPS = 1000


class Context:
    """The passages of all chunks, with an index from stems to them. Building it is linear in the chunks."""

    def __init__(self, chunks: Sequence[Chunk], question: str | None) -> None:
        self.texts = [chunk.text for chunk in chunks]
        self.passages: list[Passage] = []
        for number, text in enumerate(self.texts):
            self.passages += _passages(number, text)
        self.postings: dict[str, list[int]] = {}
        self.bigrams: set[tuple[str, str]] = set()
        self.trigrams: set[tuple[str, str, str]] = set()
        self.word_pairs: set[tuple[str, str]] = set()
        self.word_fours: set[tuple[str, str, str, str]] = set()
        self.stems: set[str] = set()
        self.lowers: set[str] = set()
        self.names: set[str] = set()
        for position, passage in enumerate(self.passages):
            self._index(position, passage)
        self.size = sum(len(passage.tokens) for passage in self.passages)
        # An example of a request in a page of documentation does not make a record of it.
        in_fields = sum(len(passage.tokens) for passage in self.passages if passage.key_forms or passage.path)
        self.is_record = in_fields > _RECORD_SHARE * self.size
        self.question = question or ""
        self.question_words = tokenize(question) if question else []
        self.question_stems = {token.word.stem for token in self.question_words}
        self._within: dict[str, frozenset[int]] = {}
        self._chunks_with: dict[str, frozenset[int]] = {}
        self._fuzzy: dict[str, set[str]] | None = None
        self._all_values: ValueIndex | None = None

    def knows(self, stem: str) -> bool:
        """Return whether a chunk or the question holds the stem."""
        return stem in self.postings or stem in self.question_stems

    def chunks_with(self, stem: str) -> frozenset[int]:
        """Return the numbers of the chunks that hold the stem, from 0."""
        if stem not in self._chunks_with:
            positions = self.postings.get(stem, ())
            self._chunks_with[stem] = frozenset([self.passages[position].chunk for position in positions])
        return self._chunks_with[stem]

    def share_a_passage(self, one: str, other: str) -> bool:
        """Return whether some passage holds both stems."""
        if one not in self.postings or other not in self.postings:
            return False
        here, there = sorted((self._passages_with(one), self._passages_with(other)), key=len)
        return not here.isdisjoint(there)

    def resembles(self, stem: str) -> bool:
        """Return whether a chunk holds another form of a word: the same first five letters, one in the other."""
        if len(stem) < 5:
            return False
        if self._fuzzy is None:
            self._fuzzy = {}
            for known in self.postings:
                self._fuzzy.setdefault(known[:5], set()).add(known)
        return any(
            abs(len(known) - len(stem)) <= 4 and (known.startswith(stem[:-1]) or stem.startswith(known[:-1]))
            for known in self._fuzzy.get(stem[:5], ())
        )

    def values_of(self, passage: Passage) -> list[Value]:
        """Return the values in a passage; they are looked up once."""
        if passage.values is None:
            passage.values = _values_of(passage, self.texts[passage.chunk])
        return passage.values

    def polarity_of(self, passage: Passage) -> Polarity:
        """Return what a passage says and denies; it is worked out once."""
        if passage.polarity is None:
            passage.polarity = Polarity(self.texts[passage.chunk], passage.tokens)
        return passage.polarity

    def all_values(self) -> ValueIndex:
        """Return the values of all passages, looked up once."""
        if self._all_values is None:
            self._all_values = ValueIndex(value for passage in self.passages for value in self.values_of(passage))
        return self._all_values

    def best_windows(self, words: Sequence[Word], limit: int = 3) -> list[Window]:
        """Return the windows that say most of the words, best first; empty if no word is found."""
        # Whole numbers add up to the same in any order.
        weights = {
            word.stem: _NUMBER_WEIGHT if word.is_number else round(word.weight * _WEIGHT_STEPS)
            for word in words
            if word.weight or word.is_number
        }
        total = sum(weights.values())
        if total <= 0:
            return []
        bits: dict[int, int] = {}
        masks: dict[int, int] = {}
        scores: dict[int, int] = {}
        frequent: list[tuple[str, int, int]] = []
        for number, (stem, weight) in enumerate(weights.items()):
            bit = 1 << number
            bits[bit] = weight
            positions = self.postings.get(stem, ())
            if len(positions) > _MOST_PASSAGES:
                frequent.append((stem, bit, weight))
                continue
            for position in positions:
                masks[position] = masks.get(position, 0) | bit
                scores[position] = scores.get(position, 0) + weight
        for stem, bit, weight in frequent:
            for position in self._passages_of_frequent(stem, masks):
                masks[position] = masks.get(position, 0) | bit
                scores[position] = scores.get(position, 0) + weight
        # Sorting keeps the order of equals, reversed or not: of two passages that say as much the first comes first.
        best = sorted(sorted(scores), key=scores.__getitem__, reverse=True)[:_BEST_SENTENCES]
        by_ends = self._windows_around(best, masks, scores, bits)
        cost = _WINDOW_COST * total
        ranked = sorted([(cost * (last - first) - score, first, last) for (first, last), (_, score) in by_ends.items()])
        windows = []
        for _, first, last in ranked[:limit]:
            mask, score = by_ends[first, last]
            stems = frozenset([stem for stem, bit in zip(weights, bits, strict=True) if mask & bit])
            windows.append(Window(first=first, last=last, recall=score / total, stems=stems))
        return windows

    def _passages_with(self, stem: str) -> frozenset[int]:
        if stem not in self._within:
            self._within[stem] = frozenset(self.postings[stem])
        return self._within[stem]

    def _passages_of_frequent(self, stem: str, found: dict[int, int]) -> list[int]:
        """Return the passages with a word that is nearly everywhere: those found by other words, else the first."""
        if not found:
            return self.postings[stem][:_MOST_PASSAGES]
        within = self._passages_with(stem)
        return [position for position in found if position in within]

    def _windows_around(
        self, best: Sequence[int], masks: dict[int, int], scores: dict[int, int], bits: dict[int, int]
    ) -> dict[tuple[int, int], tuple[int, int]]:
        """Return the windows around the best passages by their ends: the claim's words there as bits, and their weight.

        A window begins and ends with a passage that holds a word of the claim.
        """
        windows: dict[tuple[int, int], tuple[int, int]] = {}
        passages = self.passages
        stop = len(passages)
        for position in best:
            chunk = passages[position].chunk
            for first in range(max(0, position - _LONGEST_WINDOW + 1), position + 1):
                if first not in masks or passages[first].chunk != chunk:
                    continue
                mask, score = masks[first], scores[first]
                if first == position:
                    windows[first, first] = mask, score
                for last in range(first + 1, min(first + _LONGEST_WINDOW, stop)):
                    if passages[last].chunk != chunk:
                        break
                    if last not in masks:
                        continue
                    more = masks[last] & ~mask
                    mask |= more
                    while more:
                        bit = more & -more
                        score += bits[bit]
                        more ^= bit
                    if last >= position:
                        windows[first, last] = mask, score
        return windows

    def _index(self, position: int, passage: Passage) -> None:
        words = [token.word for token in passage.tokens]
        self.lowers.update([word.lower for word in words if not word.is_capitalised])
        self.names.update([word.lower for word in words[1:] if word.is_capitalised])
        if passage.is_unknown:
            return
        stems = [word.stem for word in words]
        telling = [word.stem for word in words if word.is_content or word.is_number]
        self.stems.update(stems)
        in_full = [stem for word in words if word.is_capitalised for stem in _other_place_names(word)]
        for stem in {*telling, *in_full}:
            self.postings.setdefault(stem, []).append(position)
        # A passage's first word has a pair and a triple of its own, with nothing before it.
        self.bigrams.update(zip(("", *telling), telling, strict=False))
        self.trigrams.update(zip(("", "", *telling), ("", *telling), telling, strict=False))
        self.word_pairs.update(pairwise(stems))
        self.word_fours.update(zip(stems, stems[1:], stems[2:], stems[3:], strict=False))


def _values_of(passage: Passage, text: str) -> list[Value]:
    field = passage.field
    if field is None or field.group < 0:
        return values_among(passage.tokens, text, passage.start, passage.end)
    if field.cells:
        return [value for place in _cells(field) for value in values_in_cell(text, *place)]
    # The name of the field's subject is elsewhere.
    tokens = [token for token in passage.tokens if token.start >= passage.start]
    return values_among(tokens, text, passage.start, passage.end)


def _cells(row: Field) -> list[tuple[int, int]]:
    first = [row.subject] if row.subject is not None else []
    return [*first, *((cell.start, cell.end) for cell in row.cells)]


_ABBREVIATIONS = {words[0]: abbreviation for abbreviation, words in PLACES.items() if len(words) == 1}


def _other_place_names(word: Word) -> list[str]:
    """Return the stems of a place's name in full, or of its abbreviation: "CA" says "California", and it "CA"."""
    if word.is_acronym:
        return [word_of(part).stem for part in PLACES.get(word.lower, ())]
    return [word_of(_ABBREVIATIONS[word.lower]).stem] if word.lower in _ABBREVIATIONS else []


def _passages(number: int, text: str) -> list[Passage]:
    fields = find_records(text)
    if fields:
        return [passage for field in fields for passage in _field_passages(number, text, field)]
    passages = []
    at = 0
    for line in text.splitlines(keepends=True):
        for start, end in split_sentences_quickly(text, at, at + len(line)):
            passages.append(Passage(number, start, end, tokenize(text, start, end)))
        at += len(line)
    return passages


# A longer value is prose inside a record; a single sentence of it is enough evidence.
_LONGEST_PLAIN_VALUE = 200


def _field_passages(number: int, text: str, field: Field) -> list[Passage]:
    keys = [token for start, end in field.keys for token in tokenize_key(text, start, end)]
    if field.group >= 0:
        keys += [Token(word_of(word), t.start, t.end) for t in keys for word in synonyms_of(t.word.stem)]
    if field.cells:
        tokens = [*keys, *(token for start, end in _cells(field) for token in tokenize(text, start, end))]
        return [Passage(number, field.start, field.end, tokens, is_flag=field.is_flag, field=field)]
    if field.subject is not None and field.group >= 0 and field.subject[0] != field.value_start:
        keys = [*tokenize(text, *field.subject), *keys]
    if field.value_end - field.value_start > _LONGEST_PLAIN_VALUE:
        sentences = split_sentences_quickly(text, field.value_start, field.value_end)
        return [Passage(number, start, end, [*keys, *tokenize(text, start, end)]) for start, end in sentences]
    # The key alone does not state what is true of one of several things.
    forms = key_forms(text, *field.keys[-1]) if field.keys and (field.subject is None or field.group < 0) else ()
    return [
        Passage(
            number,
            field.start,
            field.end,
            [*keys, *tokenize(text, field.value_start, field.value_end)],
            is_denied=field.is_denied,
            is_unknown=field.is_unknown,
            is_flag=field.is_flag,
            key_forms=forms,
            path=tuple(text[start:end] for start, end in field.keys),
            field=field if field.keys else None,
        )
    ]
