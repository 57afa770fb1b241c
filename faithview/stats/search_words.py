"""The words of a text as a search compares them: without case and accents, and English ones by their stems.

Characters of scripts without spaces are words of their own.
"""

import re
from functools import lru_cache
from threading import Lock
from unicodedata import combining, normalize

from Stemmer import Stemmer

# Kana, Han, Thai, Lao, Khmer and Burmese.
UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")

_stemmer = Stemmer("english", 0)  # without its own cache: `_stem` has one
_stemmer_lock = Lock()  # the stemmer stores its current word in itself


def stems_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared, in their order."""
    return tuple(map(_stem, _WORD.findall(text)))


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    plain = "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))
    with _stemmer_lock:
        stem: str = _stemmer.stemWord(plain)
    return stem
