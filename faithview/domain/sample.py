"""The input of a judge: an answer, the chunks that were retrieved for it, and further columns."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from numbers import Real
from typing import Any, TypeAlias

from faithview.domain import content_hashes
from faithview.domain.errors import InvalidSample

# Keys and segments are indexed, and PostgreSQL's index entries have at most 2,700 bytes.
_MAX_INDEXED_CHARACTERS = 500

# Slightly below the largest number that the store's columns can hold.
_HIGHEST_RANK = 1_000_000_000
# Tools' names for a chunk's text and its id, in a mapping.
_TEXT_NAMES = ("text", "content", "page_content")
_ID_NAMES = ("id", "chunk_id")
_CHUNK_FIELDS = (*_ID_NAMES, "rank", "score", "metadata")

# A JSON value.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One retrieved piece of text.

    `chunk_id` is the source's own id ("kb-012") or "1", "2", ... by rank; it is unique within a sample. `rank` counts
    from 1 in the order of retrieval; `score` is the retriever's, on its own scale, None if it is not known.
    """

    text: str
    chunk_id: str = ""
    rank: int = 0
    score: float | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @property
    def chunk_hash(self) -> str:
        """The chunk's identity (see `content_hashes.chunk_hash`)."""
        return content_hashes.chunk_hash(self.text)


# The types that functions accept for the chunks of an answer (see `read_chunk`).
Context: TypeAlias = "str | Chunk | Mapping[str, Any] | Iterable[str | Chunk | Mapping[str, Any]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answer with its question and chunks, as it is passed to a judge.

    `key` is the row's own id if the file has one, and is unique within a run. `extra` contains the columns that came
    with the row and mean nothing to FaithView; they are exported unchanged. `inclusion_probability`, in (0, 1], is the
    probability with which this answer was drawn from those that the run describes; 1 if all of them were taken.

    Raises:
        InvalidSample: a text is of another type or has a character that no database or UTF-8 file can store, the key or
            the segment is longer than 500 characters, the timestamp has no time zone or is not a valid time in UTC, a
            chunk's score is not a finite number, or the inclusion probability is not in (0, 1].
    """

    answer: str
    chunks: tuple[Chunk, ...] = ()
    question: str | None = None
    key: str = ""
    segment: str | None = None
    reference: str | None = None
    timestamp: datetime | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)
    inclusion_probability: float = 1.0

    def __post_init__(self) -> None:
        _check_types(self)
        object.__setattr__(self, "chunks", number_chunks(self.chunks))
        object.__setattr__(self, "segment", self.segment or None)  # filters use "" for answers without one
        _check_text("answer", self.answer)
        for name in ("question", "key", "segment", "reference"):
            _check_text(name, getattr(self, name), may_be_none=True)
        for name in ("key", "segment"):
            _check_length(name, getattr(self, name))
        for chunk in self.chunks:
            _check_text(f"chunk {chunk.chunk_id!r}", chunk.text)
            _check_text("chunk id", chunk.chunk_id)
            if chunk.score is not None and not _is_finite(chunk.score):
                raise InvalidSample(f"The score of chunk {chunk.chunk_id!r} is {chunk.score!r}; leave it out instead.")
        if not 0 < self.inclusion_probability <= 1:
            raise InvalidSample(
                f"The inclusion probability {self.inclusion_probability} is not more than 0 and at most 1."
            )
        if self.timestamp is not None and self.timestamp.utcoffset() is None:
            raise InvalidSample(f"The timestamp {self.timestamp} has no time zone; add one, for example UTC.")
        if self.timestamp is not None:
            try:
                self.timestamp.astimezone(UTC)
            except OverflowError as error:
                raise InvalidSample(
                    f"The timestamp {self.timestamp} is not a valid time in UTC; leave it out."
                ) from error

    @classmethod
    def of(cls, answer: str, context: "Context", *, question: str | None = None, key: str = "") -> "Sample":
        """Return a sample made of plain texts.

        Args:
            answer: the answer.
            context: the chunks, best first, each a text, a `Chunk` or a dictionary; a text gets its rank as id. A
                single chunk is a context of one.
            question: what the user asked.
            key: pairs the answer with the same question in other runs.

        Raises:
            InvalidSample: as for a sample, or the context is of another type.
        """
        chunks = tuple(read_chunk(item, number) for number, item in enumerate(_context_items(context), start=1))
        return cls(answer=answer, chunks=chunks, question=question, key=key)

    @property
    def sample_hash(self) -> str:
        """Hash of question, answer and ordered chunks."""
        return content_hashes.sample_hash(
            question=self.question, answer=self.answer, chunk_hashes=[c.chunk_hash for c in self.chunks]
        )

    @property
    def content_hash(self) -> str:
        """Hash of the exact texts of question, answer and ordered chunks."""
        return content_hashes.content_hash(
            question=self.question, answer=self.answer, chunk_texts=[chunk.text for chunk in self.chunks]
        )

    @property
    def has_context(self) -> bool:
        """Whether any chunk has text."""
        return any(chunk.text.strip() for chunk in self.chunks)


def _check_types(sample: "Sample") -> None:
    """Raise InvalidSample if a field is of another type, before it fails later in a less clear way."""
    if isinstance(sample.chunks, str) or not isinstance(sample.chunks, Sequence):
        raise InvalidSample(
            f"The chunks of a sample are a sequence of Chunk, not {type_of(sample.chunks)}; Sample.of(answer, context) "
            "takes texts."
        )
    for number, chunk in enumerate(sample.chunks, start=1):
        if not isinstance(chunk, Chunk):
            raise InvalidSample(
                f"Chunk {number} of the sample must be a Chunk, not {type_of(chunk)}; Sample.of(answer, context) takes "
                "texts and mappings."
            )
    if sample.timestamp is not None and not isinstance(sample.timestamp, datetime):
        raise InvalidSample(f"The timestamp must be a datetime, not {type_of(sample.timestamp)}.")
    if not isinstance(sample.inclusion_probability, Real):
        raise InvalidSample(f"The inclusion probability must be a number, not {type_of(sample.inclusion_probability)}.")
    if not isinstance(sample.extra, Mapping):
        raise InvalidSample(f"The extra columns must be a mapping, not {type_of(sample.extra)}.")


def _context_items(context: object) -> Iterable[object]:
    if isinstance(context, str | Chunk | Mapping):
        return (context,)
    # Iterating over bytes would yield numbers.
    if isinstance(context, bytes | bytearray) or not isinstance(context, Iterable):
        raise InvalidSample(
            f"The context must be a string, a Chunk, a mapping with `text`, or a list of these, not {type_of(context)}."
        )
    return context


def read_chunk(item: object, number: int) -> Chunk:
    """Return an item of a context as a chunk; errors name its place, `number`, from 1.

    An item is a text, a `Chunk`, or a mapping with the text under `text`, `content` or `page_content`, and optionally
    `id`, `rank`, `score` and `metadata`.

    Raises:
        InvalidSample: the item or one of its fields is of another type.
    """
    if isinstance(item, str):
        return Chunk(text=item)
    if isinstance(item, Chunk):
        _check_chunk_fields(number, item.rank, item.score, item.metadata)
        return item
    if not isinstance(item, Mapping):
        raise InvalidSample(
            f"Chunk {number} of the context must be a string, a Chunk, or a mapping with `text`, not {type_of(item)}."
        )
    names = [name for name in _TEXT_NAMES if name in item]
    if len(names) != 1:
        found = " and ".join(f"`{name}`" for name in names) or f"only {', '.join(map(repr, item)) or 'nothing'}"
        raise InvalidSample(
            f"Chunk {number} of the context must be a string, a Chunk, or a mapping with `text` (or `content`, or "
            f"`page_content`); it has {found}."
        )
    unknown = [str(name) for name in item if name not in (*names, *_CHUNK_FIELDS)]
    if unknown:
        raise InvalidSample(
            f"Chunk {number} of the context has the unknown field {unknown[0]!r}; put it in `metadata`."
        )
    text, rank, score, metadata = item[names[0]], item.get("rank"), item.get("score"), item.get("metadata")
    _check_text(f"text of chunk {number}", text)
    _check_chunk_fields(number, rank, score, metadata)
    chunk_id = next((item[name] for name in _ID_NAMES if item.get(name) is not None), "")
    return Chunk(
        text=text,
        chunk_id=str(chunk_id),
        rank=rank or 0,
        score=None if score is None else float(score),
        metadata=dict(metadata or {}),
    )


def _check_chunk_fields(number: int, rank: object, score: object, metadata: object) -> None:
    if score is not None and (isinstance(score, bool) or not isinstance(score, Real)):
        raise InvalidSample(f"The score of chunk {number} must be a number, not {type_of(score)}.")
    if rank is not None and (isinstance(rank, bool) or not isinstance(rank, int) or not 0 <= rank <= _HIGHEST_RANK):
        raise InvalidSample(f"The rank of chunk {number} must be a whole number from 1, not {rank!r}.")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidSample(f"The metadata of chunk {number} must be a mapping, not {type_of(metadata)}.")


def type_of(value: object) -> str:
    """Return a value's type, as errors name it."""
    return "None" if value is None else type(value).__name__


def number_chunks(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Return the chunks with missing ranks filled in from 1 and with ids that are unique within the sample.

    A second chunk with the same id becomes "id#2": evidence must name a single chunk, and no chunk is dropped.
    """
    seen: dict[str, int] = {}
    taken = {chunk.chunk_id for chunk in chunks}
    numbered = []
    for position, chunk in enumerate(chunks, start=1):
        chunk_id = chunk.chunk_id or free_id(str(position), taken)
        seen[chunk_id] = seen.get(chunk_id, 0) + 1
        if seen[chunk_id] > 1:
            chunk_id = free_id(f"{chunk_id}#{seen[chunk_id]}", taken)
        taken.add(chunk_id)
        rank = chunk.rank or position
        if chunk_id != chunk.chunk_id or rank != chunk.rank:
            chunk = replace(chunk, chunk_id=chunk_id, rank=rank)
        numbered.append(chunk)
    return tuple(numbered)


def find_unstorable(text: str) -> int | None:
    """Return the index of the first character that no database or UTF-8 file can store (NUL, half a surrogate pair)."""
    nul = text.find("\x00")
    if text.isascii():
        return nul if nul >= 0 else None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return error.start if nul < 0 else min(nul, error.start)
    return nul if nul >= 0 else None


def has_unstorable(value: object) -> bool:
    """Return whether a text in a JSON value, at any depth or as a key, has a character that `find_unstorable` finds."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            waiting += [*item, *item.values()]
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, str) and find_unstorable(item) is not None:
            return True
    return False


def free_id(wanted: str, taken: set[str], counted: dict[str, int] | None = None) -> str:
    """Return the id if it is not taken, else "id#2", "id#3" and so on.

    `counted` remembers between calls how far each id was counted, so thousands of equal ids take no longer than
    different ones; ids must then never be removed from `taken`.
    """
    if wanted not in taken:
        return wanted
    number = 2 if counted is None else counted.get(wanted, 2)
    candidate = wanted
    while candidate in taken:
        candidate, number = f"{wanted}#{number}", number + 1
    if counted is not None:
        counted[wanted] = number
    return candidate


def _check_length(name: str, text: str | None) -> None:
    if text is not None and len(text) > _MAX_INDEXED_CHARACTERS:
        raise InvalidSample(
            f"The {name} has {len(text):,} characters, at most {_MAX_INDEXED_CHARACTERS} fit; "
            "is the right column mapped to it?"
        )


def _is_finite(score: float) -> bool:
    try:
        return math.isfinite(score)
    except TypeError:
        return False


def _check_text(name: str, text: object, *, may_be_none: bool = False) -> None:
    if text is None and may_be_none:
        return
    if not isinstance(text, str):
        raise InvalidSample(f"The {name} must be a string, not {type_of(text)}.")
    at = find_unstorable(text)
    if at is None:
        return
    if text[at] == "\x00":
        raise InvalidSample(f"The {name} holds a NUL character at position {at}, which cannot be stored; remove it.")
    raise InvalidSample(
        f"The {name} holds an incomplete character (a lone surrogate) at position {at}; write the file again as UTF-8."
    )
