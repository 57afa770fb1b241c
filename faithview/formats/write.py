"""Rows written as CSV or JSON Lines: of runs and of labels."""

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from faithview.domain.hidden_characters import escape_in_json
from faithview.domain.private_file import private

# A spreadsheet runs a cell that begins with one of these as a formula; full-width ones count as well.
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_FORMULA_START = re.compile(rf"[\t\r]|\s*[{_SIGNS}]")
# A text that already has apostrophes gets one more, so removing one restores it.
_GUARDED_START = re.compile(rf"'*(?:{_FORMULA_START.pattern})")
# With semicolons or tabs as cell separators (in half of Europe, or after pasting), a cell may begin inside a text, and
# quotation marks do not protect it. A minus or plus also begins list items, so it counts only with a call or a
# reference after it.
_INSIDE = r"'*(?:[=@\uff1d\uff20]|[+\-\uff0b\uff0d][^;\t\r\n]*[(|!])"
_FORMULA_INSIDE = re.compile(rf"([;\t\r\n|][ \t]*)(?={_INSIDE})")
_GUARDED_INSIDE = re.compile(rf"([;\t\r\n|][ \t]*)'(?={_INSIDE})")


def open_new(path: Path) -> BinaryIO:
    """Open a new file that only its owner may read; raises FileExistsError if there is one."""
    return open(path, "xb", opener=private)


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]], path: Path) -> int:
    """Write a header and rows to a new file, with formulas made safe, and return the number of rows."""
    count = 0
    # Without a byte order mark Excel reads UTF-8 as the system's legacy encoding.
    with open(path, "x", opener=private, encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        for row in rows:
            count += 1
            cells = [flat_cell(row.get(name)) for name in columns]
            writer.writerow([as_safe_cell(cell) if isinstance(cell, str) else cell for cell in cells])
    return count


def flat_cell(value: object) -> object:
    """Return a value as one cell: lists and mappings as JSON text."""
    return _json(value) if isinstance(value, list | dict) else value


def write_json_lines(rows: Iterable[Mapping[str, object]], path: Path) -> int:
    """Write one JSON object per line to a new file, with hidden characters escaped; return the number of rows."""
    count = 0
    with open_new(path) as stream:
        for row in rows:
            count += 1
            stream.write(f"{escape_in_json(_json(row))}\n".encode())
    return count


def as_safe_cell(text: str) -> str:
    """Return a CSV cell with this text that no spreadsheet runs as a formula: with an apostrophe before each sign."""
    safe = _FORMULA_INSIDE.sub(r"\1'", text)
    return f"'{safe}" if _GUARDED_START.match(text) else safe


def from_safe_cell(cell: str) -> str:
    """Return the text from which `as_safe_cell` made this cell."""
    # Inner ones first: the one at the start was decided on the text without them.
    text = _GUARDED_INSIDE.sub(r"\1", cell)
    return text[1:] if text.startswith("'") and _GUARDED_START.match(text[1:]) else text


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
