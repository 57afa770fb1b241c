"""Content hashes: when two texts count as the same chunk, the same claim, the same question.

Stored data depends on these: a reviewer's label is carried over to another run when the claim and the chunks it was
based on are the same, a knowledge-base update is the difference of two sets of chunk hashes, and they are the keys of
the verdict cache. Changing one of these functions orphans every stored label, so they never change; a new definition
gets a new name.

All hashes are lower-case hexadecimal SHA-256 of UTF-8.
"""

import hashlib
import unicodedata
from collections.abc import Iterable

# Separates the parts of a compound hash. It cannot occur in a part: hashes are hexadecimal and folded text has no
# control characters other than those `str.split` removes.
_SEPARATOR = "\x1e"


def fold(text: str) -> str:
    """Return the text in NFC with every run of whitespace replaced by one space and none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def text_hash(text: str) -> str:
    """Hash the exact text. Two chunks share storage only if it is equal, so offsets stay correct."""
    return _sha256(text)


def chunk_hash(text: str) -> str:
    """Hash a chunk's identity: differences in whitespace and Unicode composition do not count."""
    return _sha256(fold(text))


def question_hash(text: str) -> str:
    """Hash a question's identity: folded, and without regard to case."""
    return _sha256(fold(text).casefold())


def claim_hash(text: str) -> str:
    """Hash a claim's identity: folded, and without regard to case."""
    return _sha256(fold(text).casefold())


def context_hash(chunk_hashes: Iterable[str]) -> str:
    """Hash a context as a set of chunks: order and repetition do not count."""
    return _sha256(_SEPARATOR.join(sorted(set(chunk_hashes))))


def sample_hash(*, question: str | None, answer: str, chunk_hashes: Iterable[str]) -> str:
    """Hash a judge's input: question, answer, and the chunks in their order."""
    parts = [fold(question or ""), fold(answer), *chunk_hashes]
    return _sha256(_SEPARATOR.join(parts))


def content_hash(*, question: str | None, answer: str, chunk_texts: Iterable[str]) -> str:
    """Hash a judge's exact input: equal inputs have the same verdicts at the same offsets."""
    return content_hash_of(question=question, answer=answer, text_hashes=map(text_hash, chunk_texts))


def content_hash_of(*, question: str | None, answer: str, text_hashes: Iterable[str]) -> str:
    """Return the `content_hash` of an answer whose chunks have these hashes of their texts."""
    return _sha256(_SEPARATOR.join([text_hash(question or ""), text_hash(answer), *text_hashes]))


def row_hash(sample_hash: str, reference: str | None) -> str:
    """Hash a row of a file: a sample with its reference answer; without one it is the sample's hash."""
    folded = fold(reference or "")
    return _sha256(_SEPARATOR.join([sample_hash, folded])) if folded else sample_hash


def rows_hash(row_hashes: Iterable[str]) -> str:
    """Hash a set of rows by their hashes: order does not count, repetition does."""
    return _sha256(_SEPARATOR.join(sorted(row_hashes)))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def position_hash(position: int) -> str:
    """Return the identity of a row without a question; `position` counts from 1."""
    return text_hash(f"row {position}")
