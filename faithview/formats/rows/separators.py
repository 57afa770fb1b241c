"""What separates the chunks in cells that hold several of them as one text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from faithview.formats.files.tables import RawRow
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.contexts import is_plain_text, split_chunks

# What people write between chunks and hardly ever in them, the longer first; it is guessed where it occurs.
_MARKS = ("<|endofchunk|>", "[SEP]", "<SEP>", "<sep>", "|||", "||", "-----", "---", "=====", "===", "***", "~~~")
# Dashes that lay out a chunk: the rule below the head of a table, and what encloses the head of a Markdown document.
_LAYOUT = re.compile(r"\A\s*---|\|[ :]*-{3,}")
# What also occurs within a chunk: offered with its count, never guessed.
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
    """The separators that split at least half of the cells; `guessed` is the one that is hardly anything else."""

    offered: tuple[Separator, ...]
    guessed: str | None


def find_separators(columns: Sequence[str], head: Sequence[RawRow]) -> Separators | None:
    """Return what may separate the chunks in these columns; None where no cell is one plain text.

    Args:
        columns: the columns that hold the chunks.
        head: the first rows.
    """
    cells = [row.values.get(column) for row in head for column in columns]
    texts = [cell for cell in cells if isinstance(cell, str) and not is_missing(cell) and is_plain_text(cell)]
    if not texts:
        return None
    marks = [mark for mark in _MARKS if _splits_often(mark, texts)]
    is_layout = sum(bool(_LAYOUT.search(text)) for text in texts) >= _OFTEN * len(texts)
    # Of two that make the same chunks the longer one is meant: "---" is in "-----".
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
