"""The contexts of one answer: all forms of cells with chunks, and separators between chunks."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from faithview.domain.sample import Chunk, Json
from faithview.formats.files.tables import RawRow
from faithview.formats.limits import load_json
from faithview.formats.rows.cells import (
    MOST_CHARACTERS,
    BadCell,
    as_json,
    as_number,
    as_text,
    is_missing,
    json_text,
    read_literal,
)

_TEXT_KEYS = ("text", "content", "page_content", "passage", "context", "chunk", "body", "document", "snippet")
# Keys of the chunk's own id; then keys that can serve as its id but also stay in the metadata.
_ID_KEYS = ("chunk_id", "id", "id_", "passage_id", "node_id")
_ORIGIN_KEYS = ("doc_id", "document_id", "doc_uri", "source")
# A smaller distance is better, so it stays in the metadata under its own name.
_SCORE_KEYS = ("score", "similarity", "relevance_score")
_METADATA_KEYS = ("metadata", "meta")
_LIST_KEYS = ("contexts", "chunks", "passages", "documents", "docs", "results", "nodes", "retrieved_contexts")
# A chunk inside a wrapper: LlamaIndex, Phoenix, LangChain.
_WRAPPER_KEYS = ("node", "document", "kwargs")
# The first characters of a text that may be a list or an object.
_LIST_STARTS = "[{(\"'"
_ARRAY = "array(["
# The range of whole numbers in a database.
_MOST_RANK = 2**31
_NOTHING_WORDS = frozenset({"nan", "none", "null", "n/a", "<na>"})

NOT_A_LIST = "A context starts like a list but cannot be read as one; it was read as a single chunk."
AS_JSON = "A context is an object without a text field; its JSON was used as the chunk's text."
ONE_CHUNK = "A context that is one plain text with blank lines or '|' in it was read as one chunk."
NUMPY_PRINT = "Contexts printed by NumPy (no commas between the texts) were read as lists."


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReader:
    """Reads context cells.

    `separator` splits plain texts into chunks; it is None unless the user asked for it. `warn` and `note` are called
    with ambiguities.
    """

    warn: Callable[[str], None]
    note: Callable[[str], None]
    separator: str | None = None

    def read(self, cells: Sequence[object], *, ids: object = None) -> tuple[Chunk, ...]:
        """Return the chunks in the cells of one row, in order.

        Args:
            cells: the context cell, or the cells of several context columns.
            ids: a cell with the chunks' ids, in the same order; None if there is none.

        Raises:
            BadCell: a cell does not contain a context, or the number of ids differs from the number of chunks.
        """
        items = [item for cell in cells for item in self._items(cell)]
        names = [as_text(item, what="context id") or "" for item in self._id_items(ids, chunks=len(items))]
        if names and len(names) != len(items):
            raise BadCell(f"there are {len(names)} context ids for {len(items)} contexts")
        chunks = [
            self._chunk(item, name)
            for item, name in zip(items, names or [""] * len(items), strict=True)
            if not is_missing(item)
        ]
        return _with_usable_ranks(chunk for chunk in chunks if chunk is not None)

    def _items(self, value: object) -> list[object]:
        """Return the chunks in a cell; missing ones are included, so ids keep their positions."""
        value = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(value, str):
            return self._items_of_text(value)
        if is_missing(value):
            return []
        if isinstance(value, Mapping):
            inner = next((value[key] for key in _LIST_KEYS if isinstance(value.get(key), list)), None)
            return self._items(inner) if inner is not None and _text_key(value) is None else [value]
        if isinstance(value, list | tuple):
            return [
                part
                for item in value
                for part in (self._items(item) if isinstance(item, list | tuple) or hasattr(item, "tolist") else [item])
            ]
        return [value]

    def _items_of_text(self, text: str) -> list[object]:
        stripped = text.strip()
        if not stripped or stripped.lower() in _NOTHING_WORDS:
            return []
        if stripped[0] in _LIST_STARTS or stripped.startswith(_ARRAY):
            parsed = self.parse(stripped)
            if isinstance(parsed, list | tuple):
                return self._items(parsed)
            if isinstance(parsed, Mapping) and (_text_key(parsed) or any(key in parsed for key in _LIST_KEYS)):
                return self._items(parsed)
            if parsed is None and stripped.startswith(("['", '["', "[{")):
                self.warn(NOT_A_LIST)
        if self.separator is not None:
            return list(split_chunks(text, self.separator))
        if "\n\n" in stripped or "|" in stripped:
            self.note(ONE_CHUNK)
        return [text]

    def parse(self, text: str) -> object:
        """Return the value of a text that is JSON or a printed Python value, None if it is neither."""
        try:
            return load_json(text)
        except ValueError:
            pass
        if len(text) > MOST_CHARACTERS:
            return None
        printed = _strings_without_commas(text)
        if printed is not None:
            self.note(NUMPY_PRINT)
            return printed
        try:
            parsed = read_literal(text)
        except ValueError:
            return None
        return parsed if isinstance(parsed, list | dict) else None

    def _id_items(self, ids: object, *, chunks: int) -> list[object]:
        ids = ids.tolist() if hasattr(ids, "tolist") else ids
        if is_missing(ids):
            return []
        if isinstance(ids, str):
            parsed = self.parse(ids.strip()) if ids.strip()[0] in "[(" else None
            # The id of a single chunk may contain commas.
            parts = [part.strip() for part in (ids.split(",") if chunks > 1 else [ids])]
            ids = parts if parsed is None else parsed
        return list(ids) if isinstance(ids, list | tuple) else [ids]

    def _chunk(self, item: object, name: str) -> Chunk | None:
        if not isinstance(item, Mapping):
            text = as_text(item, what="context")
            return None if text is None else Chunk(text=text, chunk_id=name)
        item = _unwrapped(item)
        text_key = _text_key(item)
        if text_key is None:
            self.warn(AS_JSON)
            return Chunk(text=json_text(item), chunk_id=name)
        text = as_text(item[text_key], what="context")
        if text is None:
            return None
        rest = {str(key): value for key, value in item.items() if key != text_key}
        score = _take_number(rest, _SCORE_KEYS)
        rank = _take_rank(rest)
        own_id = _take_id(rest)
        metadata = _take_metadata(rest)
        chunk_id = name or own_id or _origin(rest) or _origin(metadata)
        if name and own_id and own_id != name:
            metadata.setdefault("id", own_id)
        metadata.update({key: as_json(value) for key, value in rest.items()})
        return Chunk(text=text, chunk_id=chunk_id, rank=rank, score=score, metadata=metadata)


def split_chunks(text: str, separator: str) -> list[str]:
    """Return the parts of a text between separators, without whitespace around them; empty parts are left out."""
    return [part.strip() for part in text.split(separator) if part.strip()]


def is_plain_text(cell: str) -> bool:
    """Return whether a cell is a text that a separator can split: not a list, an object or a word for nothing."""
    stripped = cell.strip()
    if not stripped or stripped.lower() in _NOTHING_WORDS:
        return False
    if stripped[0] not in _LIST_STARTS:
        return True
    parsed = ContextReader(warn=_ignore, note=_ignore).parse(stripped)
    return not isinstance(parsed, list | tuple | Mapping)


def _ignore(_text: str) -> None:
    """Ignore it: oddities of cells are reported when the rows are read."""


def has_text(item: Mapping[object, object]) -> bool:
    """Return whether an object has the text of a chunk, itself or in its wrapped object."""
    return _text_key(_unwrapped({str(key): value for key, value in item.items()})) is not None


def _text_key(item: Mapping[str, object]) -> str | None:
    return next((key for key in _TEXT_KEYS if isinstance(item.get(key), str)), None)


def _unwrapped(item: Mapping[str, object]) -> Mapping[str, object]:
    for key in _WRAPPER_KEYS:
        inner = item.get(key)
        if isinstance(inner, Mapping) and _text_key(inner) is not None:
            return {**{name: value for name, value in item.items() if name != key}, **inner}
    return item


def _take_number(rest: dict[str, object], keys: Sequence[str]) -> float | None:
    for key in keys:
        value = rest.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return None if is_missing(rest.pop(key)) else as_number(value)
    return None


def _take_rank(rest: dict[str, object]) -> int:
    value = rest.get("rank")
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _MOST_RANK:
        del rest["rank"]
        return value
    return 0


def _take_id(rest: dict[str, object]) -> str:
    for key in _ID_KEYS:
        value = rest.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(rest.pop(key))
    return ""


def _take_metadata(rest: dict[str, object]) -> dict[str, Json]:
    for key in _METADATA_KEYS:
        value = rest.get(key)
        if isinstance(value, Mapping):
            del rest[key]
            return {str(name): as_json(item) for name, item in value.items()}
    return {}


def _origin(values: Mapping[str, object]) -> str:
    for key in (*_ID_KEYS, *_ORIGIN_KEYS):
        value = values.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
    return ""


def _with_usable_ranks(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """Return the chunks with the file's ranks if every chunk has its own; otherwise they are ranked in order."""
    listed = tuple(chunks)
    ranks = {chunk.rank for chunk in listed}
    if 0 not in ranks and len(ranks) == len(listed):
        return listed
    return tuple(replace(chunk, rank=0) for chunk in listed)


def _strings_without_commas(text: str) -> list[object] | None:
    """Return the texts in "['a' 'b']", which Python would join to 'ab'; None for anything else.

    Only one pair of brackets around everything makes a list: a text may begin or end with its own quotation marks.
    """
    inner = text.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        return None
    inner = inner[1:-1]
    strings: list[object] = []
    commas = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(f"({inner})").readline):
            if token.type == tokenize.STRING:
                strings.append(ast.literal_eval(token.string))
            elif token.string == ",":
                commas += 1
            elif token.type not in (tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER) and token.string not in "()":
                return None
    except (tokenize.TokenError, SyntaxError, ValueError, IndentationError):
        return None
    return strings if len(strings) > 1 and not commas and all(isinstance(item, str) for item in strings) else None


# Separators between chunks that hardly ever occur in chunks, longer ones first; they are guessed if present.
_MARKS = ("<|endofchunk|>", "[SEP]", "<SEP>", "<sep>", "|||", "||", "-----", "---", "=====", "===", "***", "~~~")
# Dashes within a chunk: the rule below the head of a table, and the front matter of a Markdown document.
_LAYOUT = re.compile(r"\A\s*---|\|[ :]*-{3,}")
# Separators that also occur within chunks: offered with their counts, never guessed.
OFFERED: Mapping[str, str] = MappingProxyType({"\n\n": "Blank line", "\n": "Line break", "|": "|", ";": ";"})
# The share of cells that a separator must split to be offered or guessed.
_OFTEN = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Separator:
    """A separator with the chunks per cell that it makes: the fewest and the most."""

    text: str
    fewest: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Separators:
    """The separators that split at least half of the cells; `guessed` is almost certainly one."""

    offered: tuple[Separator, ...]
    guessed: str | None


def find_separators(columns: Sequence[str], head: Sequence[RawRow]) -> Separators | None:
    """Return the possible separators of the chunks in these columns; None if no cell is a plain text.

    Args:
        columns: the columns with the chunks.
        head: the first rows.
    """
    cells = [row.values.get(column) for row in head for column in columns]
    texts = [cell for cell in cells if isinstance(cell, str) and not is_missing(cell) and is_plain_text(cell)]
    if not texts:
        return None
    marks = [mark for mark in _MARKS if _splits_often(mark, texts)]
    is_layout = sum(bool(_LAYOUT.search(text)) for text in texts) >= _OFTEN * len(texts)
    # If two give the same chunks, the longer one is meant: "---" is in "-----".
    marks = [mark for at, mark in enumerate(marks) if not any(mark in longer for longer in marks[:at])]
    others = [text for text in OFFERED if _splits_often(text, texts)]
    return Separators(
        offered=tuple(count_chunks(text, texts) for text in (*marks, *others)),
        guessed=marks[0] if len(marks) == 1 and not (is_layout and marks[0].strip("-") == "") else None,
    )


def count_chunks(separator: str, texts: Sequence[str]) -> Separator:
    """Return how many chunks a separator makes of each text."""
    counts = [len(split_chunks(text, separator)) for text in texts]
    return Separator(text=separator, fewest=min(counts), most=max(counts))


def _splits_often(separator: str, texts: Sequence[str]) -> bool:
    split = sum(len(split_chunks(text, separator)) > 1 for text in texts)
    return split >= _OFTEN * len(texts)
