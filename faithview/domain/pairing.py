"""What identifies answers and chunks when two runs are paired; `stats.pairing` pairs them."""

from dataclasses import dataclass
from typing import NamedTuple

from faithview.domain.content_hashes import position_hash

# With at least this share of common words, a chunk is an edited form of another; different paragraphs share 0.2.
CHUNK_FLOOR = 0.6


class AnswerIdentity(NamedTuple):
    """What identifies an answer in another run.

    `key` is the row's own id, None if it has none. `question` is the question's hash, None without a question, and
    `text` the question itself. `context` is the hash of its chunks.
    """

    key: str | None
    question: str | None
    text: str
    context: str


def identify(*, row: int, key: str, cluster: str, question: str | None, context_hash: str) -> AnswerIdentity:
    """Return what identifies a stored answer: rows without an id are numbered, and numbers identify nothing.

    Args:
        row: its position from 1.
        key: its id, or its position.
        cluster: the hash of its question, or of its position if it has none.
        question: its question.
        context_hash: the hash of its chunks.
    """
    return AnswerIdentity(
        key=None if key == str(row) else key,
        question=None if cluster == position_hash(row) else cluster,
        text=question or "",
        context=context_hash,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFacts:
    """The facts by which chunks are matched. `chunk_id` is its own id, or its number if it has none."""

    chunk_id: str
    chunk_hash: str
    rank: int

    @property
    def has_own_id(self) -> bool:
        """Whether the id came with the chunk."""
        return is_own_id(self.chunk_id)


def is_own_id(chunk_id: str) -> bool:
    """Return whether an id came with its chunk; chunks without one are numbered, and numbers identify nothing."""
    return not chunk_id.split("#")[0].isdecimal()
