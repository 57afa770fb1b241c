"""Texts as words: each word's place, stem and weight."""

import re
import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import log
from threading import Lock
from typing import Any, NamedTuple
from unicodedata import combining, normalize

from Stemmer import Stemmer

from faithview.domain.sample import Chunk, Sample
from faithview.judges.text.lexicon import FUNCTION_WORDS, IRREGULAR, SAME_MEANING, word_set
from faithview.judges.text.units import CALENDAR_WORDS, VALUE_WORDS

# Scripts written without spaces: every character is a word, and word pairs do the rest.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f"
_WORD = re.compile(rf"\d+(?:[.,:/]\d+)*|[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’][^\W\d_]+)*")
# The same for text in plain ASCII, most of what is read, in half the time.
_PLAIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:'[A-Za-z]+)*|[0-9]+(?:[.,:/][0-9]+)*")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:[.,:/]\d+)*|[^\W_A-Za-z\d]+")

# The cache holds the vocabulary of a few thousand documents, about 30 MB at most.
_CACHED_WORDS = 1 << 16

# A number with fewer characters is not a year.
_SHORTEST_DATE = 4

# A word longer than this is data (a hash, a URL without marks); stemming it would only cost time.
_LONGEST_STEMMED = 40

_stemmer = Stemmer("english", 0)  # without a cache of its own: `stem_of` has one
_stemmer_lock = Lock()  # the stemmer keeps the word it works on in itself


@dataclass(frozen=True, slots=True)
class Word:
    """The properties of a word by itself; `weight` is its inverse document frequency, 0 for a function word.

    `may_be_value`: a number, a month or another word that a value can begin with. `may_be_date`: a month, a weekday, a
    time of day or a number as long as a year, also in the possessive.
    """

    lower: str
    stem: str
    weight: float
    is_content: bool
    is_number: bool
    is_capitalised: bool
    is_acronym: bool
    may_be_value: bool
    may_be_date: bool


class Token(NamedTuple):
    """A word at its place: `text[start:end]`."""

    word: Word
    start: int
    end: int


_new_token = tuple.__new__


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """Return the words of `text[start:end]`, with offsets into the whole text."""
    stop = len(text) if end is None else end
    # Straight to the tuple, and to the words known already: this runs for every word of every chunk.
    known = _known_words
    pattern = _PLAIN_WORD if text.isascii() or text[start:stop].isascii() else _WORD
    return [_new_token(Token, (known[m[0]], m.start(), m.end())) for m in pattern.finditer(text, start, stop)]


def tokenize_key(text: str, start: int, end: int) -> list[Token]:
    """Return the words of a key such as "RestaurantsTakeOut" or "take_out", split where its case changes."""
    parts = [Token(word_of(m[0].lower()), m.start(), m.end()) for m in _CAMEL.finditer(text, start, end)]
    # "TakeOut" is written "takeout" too, and "WiFi" always is.
    joined = [Token(word_of(text[a.start : b.end].lower()), a.start, b.end) for a, b in pairwise(parts)]
    implied = [Token(word_of(w), t.start, t.end) for t in parts for w in _IMPLIED_BY_KEY.get(t.word.lower, ())]
    return [*parts, *joined, *implied]


# Words that people use for a field although its name does not have them.
_IMPLIED_BY_KEY = {
    "hours": ("open", "close"),
    "stars": ("rated", "rating"),
    "city": ("located",),
    "address": ("located",),
    "categories": ("offers", "serves"),
}

# Words of a key that name the kind of record and not what the field says of it.
_TELLS_NOTHING = frozenset({"restaur", "busi", "accept", "attribut", "good", "has", "is"})


def key_forms(text: str, start: int, end: int) -> tuple[frozenset[str], ...]:
    """Return the ways to say a key: all its words that tell something, or those joined ("take out", "takeout")."""
    parts = [word_of(m[0].lower()) for m in _CAMEL.finditer(text, start, end)]
    telling = [word for word in parts if word.stem not in _TELLS_NOTHING]
    if not any(word.is_content for word in telling):
        return ()
    joined = word_of("".join(word.lower for word in telling))
    return frozenset(word.stem for word in telling), frozenset({joined.stem})


class _Words(dict[str, Word]):
    """A cache of words as written; it is emptied when it has too many."""

    def __missing__(self, raw: str) -> Word:
        if len(self) >= _CACHED_WORDS:
            self.clear()
        word = self[raw] = _look_up(raw)
        return word


_known_words = _Words()


def word_of(raw: str) -> Word:
    """Look a word up as written."""
    return _known_words[raw]


def _look_up(raw: str) -> Word:
    lower = raw.lower().replace("’", "'")
    is_number = raw[0].isdigit()
    stem = lower if is_number else stem_of(lower)
    is_content = not is_number and lower not in FUNCTION_WORDS and stem not in FUNCTION_WORDS
    return Word(
        lower=lower,
        stem=stem,
        weight=weight_of(stem) if is_content else 0.0,
        is_content=is_content and len(lower) > (1 if raw.isascii() else 0),
        is_number=is_number,
        is_capitalised=raw[0].isupper(),
        is_acronym=len(raw) > 1 and raw.isupper() and not is_number,
        may_be_value=is_number or lower in VALUE_WORDS or any(map(str.isnumeric, raw)),
        may_be_date=not (len(raw) < _SHORTEST_DATE if is_number else CALENDAR_WORDS.isdisjoint(lower.split("'"))),
    )


@lru_cache(maxsize=_CACHED_WORDS)
def stem_of(lower: str) -> str:
    """Return the stem of a lower-case word; words that mean the same for our purpose share one."""
    if not lower.isascii():
        lower = _without_accents(lower)
    bare = lower.removesuffix("'s").removesuffix("s'") if "'" in lower else lower
    bare = IRREGULAR.get(bare, bare)
    if len(bare) > _LONGEST_STEMMED:
        return bare
    with _stemmer_lock:
        stem: str = _stemmer.stemWord(bare)
    return SAME_MEANING.get(stem, stem)


def _without_accents(lower: str) -> str:
    """Return the word with its Latin letters bare: "Noël" is written "Noel" too. Other scripts stay as they are."""
    bare = "".join(character for character in normalize("NFKD", lower) if not combining(character))
    return bare if bare.isascii() else lower


def weight_of(stem: str) -> float:
    """Return the stem's inverse document frequency, from about 1 for a common word to 8 for one never seen."""
    documents, counts = _frequencies()
    # Rounded, because the last bit of a logarithm differs between machines.
    return round(log((documents + 1) / (counts.get(stem, 0) + 1)), 4)


@lru_cache(maxsize=1)
def _frequencies() -> tuple[int, dict[str, int]]:
    """Read the document frequency of each stem in a mixed English collection: a first line with all, then stems."""
    lines = files(__package__).joinpath("frequencies.txt").read_text(encoding="utf-8").split()
    return int(lines[0]), dict(zip(lines[1::2], map(int, lines[2::2]), strict=True))


def read_vocabulary(package: str, name: str) -> dict[str, Any]:
    """Return the tables of a TOML file of a package.

    Args:
        package: the package that contains the file, `__package__` of the caller.
        name: the file's name, "topics.toml".
    """
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def read_word_sets(package: str, name: str) -> dict[str, frozenset[str]]:
    """Return the word lists of a TOML file of a package, each a text of words between spaces, by their keys."""
    return {key: word_set(words) for key, words in read_vocabulary(package, name).items()}


# About forty pages, and a long book. Time grows with both, to a few seconds at most.
MOST_OF_ANSWER = 100_000
MOST_OF_CHUNKS = 1_500_000
# A cut is made at nearby whitespace if there is any, so no word is judged by its half.
_NEAR = 1_000


def within_reach(sample: Sample) -> tuple[Sample, tuple[str, ...]]:
    """Return the part of a sample that is looked at, and a sentence on each part that is not.

    Places in what is left are places in the whole: texts are cut at their ends only, and chunks keep their ids.
    """
    warnings: list[str] = []
    answer = _cut(sample.answer, MOST_OF_ANSWER)
    if len(answer) < len(sample.answer):
        warnings.append(
            f"The answer has {len(sample.answer):,} characters; it was not checked beyond the first {len(answer):,}."
        )
    chunks = _first_chunks(sample.chunks)
    if chunks is not sample.chunks:
        total = sum(len(chunk.text) for chunk in sample.chunks)
        seen = sum(len(chunk.text) for chunk in chunks)
        warnings.append(f"The chunks have {total:,} characters; they were not checked beyond the first {seen:,}.")
    if not warnings:
        return sample, ()
    return replace(sample, answer=answer, chunks=chunks), tuple(warnings)


def _first_chunks(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    if sum(len(chunk.text) for chunk in chunks) <= MOST_OF_CHUNKS:
        return chunks
    left = MOST_OF_CHUNKS
    kept = []
    for chunk in chunks:
        text = _cut(chunk.text, left)
        left -= len(text)
        kept.append(replace(chunk, text=text))
    return tuple(kept)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    end = next((at for at in range(most, max(0, most - _NEAR), -1) if text[at].isspace()), most)
    return text[:end]
