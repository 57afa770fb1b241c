"""Splits texts into the words that a search compares, in the same way for every database and for highlighting.

A word is a run of letters and digits, without case and without accents on Latin, Greek and Cyrillic letters; an English
word is reduced to its stem (Snowball's English stemmer), so "invitations" finds "invited". Scripts written without
spaces are compared character by character. The database gets these words and splits no text itself.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from threading import Lock
from typing import NamedTuple
from unicodedata import category, normalize

from Stemmer import Stemmer

# Scripts written without spaces: kana, Han, Thai, Lao, Khmer and Burmese.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_ACCENTS = re.compile("[\u0300-\u036f]")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_PHRASE = re.compile(r'["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+)')
_LONGEST_STEMMED = 40
# A longer run of letters is data, and PostgreSQL accepts words of at most 2,046 bytes.
_LONGEST_WORD = 200
_MOST_PHRASES = 64
_CACHED_WORDS = 1 << 16
_CACHED_CHARACTERS = 1 << 12

_stemmer = Stemmer("english", 0)  # without its own cache: `_stem` has one
_stemmer_lock = Lock()  # the stemmer stores its current word in itself

Phrases = Sequence[tuple[str, ...]]


class SearchWord(NamedTuple):
    """A word at its place, `text[start:end]`, with the form in which it is compared."""

    start: int
    end: int
    stem: str


def split_words(text: str) -> list[SearchWord]:
    """Return the words of a text in their order, without overlaps."""
    return list(_split(text))


def stems_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as a search compares them, in their order: the stems of `split_words`."""
    # Without the words' places it takes a third of the time, and it runs for every stored claim.
    return tuple(filter(None, map(_stem, text.translate(_parted).split())))


def parse_query(query: str) -> list[tuple[str, ...]]:
    """Return the phrases that a text must have to be found, each as consecutive words.

    Text in quotation marks is one phrase, and every other word is one; a word such as "e-mail" is two consecutive
    words. A query has no operators. Phrases beyond the first 64 are ignored.
    """
    found = (stems_of(quoted or bare) for quoted, bare in _PHRASE.findall(query))
    return [*dict.fromkeys(phrase for phrase in found if phrase)][:_MOST_PHRASES]


def find_phrases(text: str, phrases: Phrases) -> list[tuple[int, int]]:
    """Return where a text has words of a query, as separate character ranges `[start, end)` in order."""
    words = split_words(text)
    stems = [word.stem for word in words]
    found = sorted(
        (words[at].start, words[at + len(phrase) - 1].end)
        for phrase in phrases
        for at in range(len(words) - len(phrase) + 1)
        if tuple(stems[at : at + len(phrase)]) == phrase
    )
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


class _Parted(dict[int, str]):
    """Maps characters so `str.split` separates words; it is emptied when it has too many entries."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if _UNSPACED_CHARACTER.match(character):
            kept = f" {character} "
        else:
            kept = character if category(character)[0] in "LNM" else " "
        if len(self) >= _CACHED_CHARACTERS:
            self.clear()
        self[code] = kept
        return kept


_parted = _Parted()


def _split(text: str) -> Iterator[SearchWord]:
    if text.isascii():
        for match in _ASCII_WORD.finditer(text):
            yield SearchWord(match.start(), match.end(), _stem(match.group()))
        return
    start = None
    for at, character in enumerate(text):
        if _UNSPACED_CHARACTER.match(character):
            if start is not None:
                yield from _word(text, start, at)
                start = None
            yield from _word(text, at, at + 1)
        elif category(character)[0] in "LNM":
            start = at if start is None else start
        elif start is not None:
            yield from _word(text, start, at)
            start = None
    if start is not None:
        yield from _word(text, start, len(text))


def _word(text: str, start: int, end: int) -> Iterator[SearchWord]:
    stem = _stem(text[start:end])
    if stem:
        yield SearchWord(start, end, stem)


@lru_cache(maxsize=_CACHED_WORDS)
def _stem(word: str) -> str:
    if not word.isascii():
        word = normalize("NFC", _ACCENTS.sub("", normalize("NFKD", word)))
        # Decomposing a character may leave one that is not a letter: "½" becomes "1⁄2".
        word = "".join(character for character in word.casefold() if category(character)[0] in "LNM")
    word = word.casefold()[:_LONGEST_WORD]
    if not (word.isascii() and word.isalpha()) or len(word) > _LONGEST_STEMMED:
        return word
    with _stemmer_lock:
        stem: str = _stemmer.stemWord(word)
    return stem
