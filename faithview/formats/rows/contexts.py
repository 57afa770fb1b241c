"""The contexts of one answer: all forms of cells with chunks, and separators between chunks."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType, UnionType
from typing import Any

from faithview.domain.sample import Chunk, Json
from faithview.formats.files.tables import RawRow
from faithview.formats.rows.cells import MOST_CHARACTERS, BadCell, as_json, as_number, as_text, is_missing, parsed

CHUNK_TEXT_KEYS = ("text", "content", "page_content", "passage", "context", "chunk", "body", "document", "snippet")
# Keys of the chunk's own id; then keys that can serve as its id but also stay in the metadata.
_ID_KEYS = ("chunk_id", "id", "id_", "passage_id", "node_id")
_ORIGIN_KEYS = ("doc_id", "document_id", "doc_uri", "source")
# A smaller distance is better, so it stays in the metadata under its own name.
_SCORE_KEYS = ("score", "similarity", "relevance_score")
_METADATA_KEYS = ("metadata", "meta")
_LIST_KEYS = ("contexts", "chunks", "passages", "documents", "docs", "results", "nodes", "retrieved_contexts")
# A chunk inside a wrapper: LlamaIndex, Phoenix, LangChain.
_WRAPPER_KEYS = ("node", "document", "kwargs")
# Whole numbers that a database can hold.
_RANKS = range(1, 2**31)
_NOTHING_WORDS = frozenset({"nan", "none", "null", "n/a", "<na>"})

NOT_A_LIST = "A context starts like a list but cannot be read as one; it was read as a single chunk."
AS_JSON = "A context is an object without a text field; its JSON was used as the chunk's text."
ONE_CHUNK = "A context that is one plain text with blank lines or '|' in it was read as one chunk."
# Texts as Python prints them; NumPy prints a list of them without commas: "['a' 'b']".
_PRINTED_TEXT = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")
_NUMPY_PRINT = re.compile(rf"\[\s*(?:(?:{_PRINTED_TEXT.pattern})\s*){{2,}}\]")
NUMPY_PRINT = "Contexts printed by NumPy (no commas between the texts) were read as lists."


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReader:
    """Reads context cells.

    `separator` splits plain texts into chunks; it is None unless the user asked for it. `warn` and `note` are called
    with ambiguities.
    """

    warn: Callable[[str], None] = lambda _: None
    note: Callable[[str], None] = lambda _: None
    separator: str | None = None

    def read(self, cells: Sequence[object], *, ids: object = None) -> tuple[Chunk, ...]:
        """Return the chunks in the cells of one row, in order.

        Args:
            cells: the context cell, or the cells of several context columns.
            ids: a cell with the chunks' ids, in the same order; None if there is none.

        Raises:
            BadCell: a cell does not contain a context, or the number of ids differs from the number of chunks.
        """
        items = [item for cell in cells for item in self.items(cell)]
        names = [as_text(item, what="context id") or "" for item in self._id_items(ids, chunks=len(items))]
        if names and len(names) != len(items):
            raise BadCell(f"there are {len(names)} context ids for {len(items)} contexts")
        chunks = [
            self._chunk(item, name)
            for item, name in zip(items, names or [""] * len(items), strict=True)
            if not is_missing(item)
        ]
        return _with_usable_ranks(chunk for chunk in chunks if chunk is not None)

    def items(self, value: object) -> list[object]:
        """Return the chunks in a cell; missing ones are included, so ids keep their positions."""
        value = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(value, str):
            return self._items_of_text(value)
        if is_missing(value):
            return []
        if isinstance(value, Mapping):
            inner = next((value[key] for key in _LIST_KEYS if isinstance(value.get(key), list)), None)
            return self.items(inner) if inner is not None and _text_key(value) is None else [value]
        if isinstance(value, list | tuple):
            return [
                part
                for item in value
                for part in (self.items(item) if isinstance(item, list | tuple) or hasattr(item, "tolist") else [item])
            ]
        return [value]

    def _items_of_text(self, text: str) -> list[object]:
        stripped = text.strip()
        if not stripped or stripped.lower() in _NOTHING_WORDS:
            return []
        value = self._parse(stripped)
        is_chunk = isinstance(value, Mapping) and (_text_key(value) or any(key in value for key in _LIST_KEYS))
        if isinstance(value, list) or is_chunk:
            return self.items(value)
        if value is None and stripped.startswith(("['", '["', "[{")):
            self.warn(NOT_A_LIST)
        if self.separator is not None:
            return list(split_chunks(text, self.separator))
        if "\n\n" in stripped or "|" in stripped:
            self.note(ONE_CHUNK)
        return [text]

    def _parse(self, text: str) -> object:
        """Return the list or object that a text is: JSON, or printed by NumPy or Python; None if it is none."""
        if len(text) <= MOST_CHARACTERS and _NUMPY_PRINT.fullmatch(text):
            self.note(NUMPY_PRINT)
            text = f"[{', '.join(_PRINTED_TEXT.findall(text))}]"
        value = parsed(text)
        return value if isinstance(value, list | dict) else None

    def _id_items(self, ids: object, *, chunks: int) -> list[object]:
        ids = ids.tolist() if hasattr(ids, "tolist") else ids
        if is_missing(ids):
            return []
        if isinstance(ids, str):
            # The id of a single chunk may contain commas.
            parts = [part.strip() for part in ids.split(",")] if chunks > 1 else [ids.strip()]
            listed = self._parse(ids.strip())
            ids = parts if listed is None else listed
        return list(ids) if isinstance(ids, list | tuple) else [ids]

    def _chunk(self, item: object, name: str) -> Chunk | None:
        if not isinstance(item, Mapping):
            text = as_text(item, what="context")
            return None if text is None else Chunk(text=text, chunk_id=name)
        item = _unwrapped(item)
        text_key = _text_key(item)
        if text_key is None:
            self.warn(AS_JSON)
            return Chunk(text=json.dumps(as_json(item), ensure_ascii=False), chunk_id=name)
        text = as_text(item[text_key], what="context")
        if text is None:
            return None
        rest = {str(key): as_json(value) for key, value in item.items() if key != text_key}
        score = _take(rest, _SCORE_KEYS, int | float)
        # A rank from 0 says no more than the order.
        rank = _take(rest, ("rank",), int) or 0
        own_id = _take_id(rest, _ID_KEYS)
        metadata = {**(_take(rest, _METADATA_KEYS, dict) or {}), **rest}
        chunk_id = name or own_id or _take_id(dict(metadata), (*_ID_KEYS, *_ORIGIN_KEYS))
        if name and own_id and own_id != name:
            metadata.setdefault("id", own_id)
        return Chunk(
            text=text,
            chunk_id=chunk_id,
            rank=rank if rank in _RANKS else 0,
            score=None if score is None else as_number(score),
            metadata=metadata,
        )


def _take(values: dict[str, Json], keys: Iterable[str], kind: type | UnionType) -> Any:
    """Remove and return the value of this type, but no flag and no empty text, under the first of the keys with one."""
    for key in keys:
        value = values.get(key)
        if isinstance(value, kind) and not isinstance(value, bool) and value != "":
            return values.pop(key)
    return None


def _take_id(values: dict[str, Json], keys: Iterable[str]) -> str:
    found = _take(values, keys, str | int)
    return "" if found is None else str(found)


def split_chunks(text: str, separator: str) -> list[str]:
    """Return the parts of a text between separators, without whitespace around them; empty parts are left out."""
    return [part.strip() for part in text.split(separator) if part.strip()]


def is_plain_text(cell: str) -> bool:
    """Return whether a cell is a text that a separator can split: not a list, an object or a word for nothing."""
    return ContextReader().items(cell) == [cell] and not isinstance(parsed(cell), Mapping)


def has_text(item: Mapping[object, object]) -> bool:
    """Return whether an object has the text of a chunk, itself or in its wrapped object."""
    return _text_key(_unwrapped({str(key): value for key, value in item.items()})) is not None


def _text_key(item: Mapping[str, object]) -> str | None:
    return next((key for key in CHUNK_TEXT_KEYS if isinstance(item.get(key), str)), None)


def _unwrapped(item: Mapping[str, object]) -> Mapping[str, object]:
    for key in _WRAPPER_KEYS:
        inner = item.get(key)
        if isinstance(inner, Mapping) and _text_key(inner) is not None:
            return {**{name: value for name, value in item.items() if name != key}, **inner}
    return item


def _with_usable_ranks(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """Return the chunks with the file's ranks if every chunk has its own; otherwise they are ranked in order."""
    listed = tuple(chunks)
    ranks = {chunk.rank for chunk in listed}
    if 0 not in ranks and len(ranks) == len(listed):
        return listed
    return tuple(replace(chunk, rank=0) for chunk in listed)


# A line of dashes hardly ever occurs in a chunk, so it is taken for the separator; the others are only offered.
DASHES = "\n---\n"
OFFERED: Mapping[str, str] = MappingProxyType(
    {DASHES: "Line of dashes", "\n\n": "Blank line", "\n": "Line break", "|": "|", ";": ";"}
)
# The share of cells that a separator must split to be offered.
_OFTEN = 0.5


def find_separators(columns: Sequence[str], head: Sequence[RawRow]) -> dict[str, tuple[int, int]] | None:
    """Return the separators that split at least half of the cells, with the fewest and the most chunks per cell.

    Args:
        columns: the columns with the chunks.
        head: the first rows.

    Returns:
        Some of `OFFERED`, in its order; None if no cell is a plain text.
    """
    cells = [row.values.get(column) for row in head for column in columns]
    texts = [cell for cell in cells if isinstance(cell, str) and is_plain_text(cell)]
    if not texts:
        return None
    found = {}
    for separator in OFFERED:
        # A Markdown document may begin with lines between dashes.
        split = [text for text in texts if separator != DASHES or not text.startswith("---")]
        counts = [len(split_chunks(text, separator)) for text in split]
        if sum(count > 1 for count in counts) >= _OFTEN * len(texts):
            found[separator] = (min(counts), max(counts))
    return found
