"""Tables in a chunk, Markdown's and those with separators (CSV), as rows whose cells know their headers."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faithview.judges.lexical.structure.field import FLAGS, UNKNOWN, Field, Place

# A header longer than this is a sentence.
_LONGEST_HEADER = 60

# A table has a header and at least so many rows.
_FEWEST_ROWS = 2


class _Line(NamedTuple):
    start: int
    end: int


class _Table(NamedTuple):
    """The lines `[first, last)` of a table; `rows` hold the places of their cells, those of the header first."""

    first: int
    last: int
    rows: list[list[Place]]


def find_rows(text: str) -> list[Field]:
    """Return the rows of the tables of a text and, without a key, the lines between them; nothing without a table.

    The time is linear in the text; without two line breaks and a separator it is hardly any.
    """
    has_bars = text.count("|") > _FEWEST_ROWS and _MAY_BE_RULE.search(text) is not None
    if text.count("\n") < _FEWEST_ROWS or not (has_bars or any(mark in text for mark in _SEPARATORS)):
        return []
    lines = [_Line(m.start(), m.end()) for m in _LINE.finditer(text)]
    tables = list(_markdown_tables(text, lines)) if has_bars else []
    tables = tables or list(_separated_tables(text, lines))
    if not tables:
        return []
    fields: list[Field] = []
    at = 0
    for table in tables:
        fields += (_plain_line(line) for line in lines[at : table.first])
        fields += _rows(text, table.rows, lines[table.first + 1 : table.last])
        at = table.last
    return [*fields, *(_plain_line(line) for line in lines[at:])]


# Lines without the space around them; empty ones are left out.
_LINE = re.compile(r"[^\s][^\n\r]*")
_MAY_BE_RULE = re.compile(r"[|\n][ \t]*:?-+:?[ \t]*[|\n\r]")
_RULE_MARKS = frozenset("|:- \t")
_BAR = re.compile(r"(?<!\\)\|")


def _plain_line(line: _Line) -> Field:
    return Field(start=line.start, end=line.end, keys=(), value_start=line.start, value_end=line.end)


def _markdown_tables(text: str, lines: Sequence[_Line]) -> Iterator[_Table]:
    at = 1
    while at < len(lines):
        if not _is_rule(text[slice(*lines[at])]) or "|" not in text[slice(*lines[at - 1])]:
            at += 1
            continue
        header = _bar_cells(text, lines[at - 1])
        last = at + 1
        while last < len(lines) and "|" in text[slice(*lines[last])]:
            last += 1
        rows = [_bar_cells(text, line) for line in lines[at + 1 : last]]
        if len(header) > 1 and rows:
            yield _Table(at - 1, last, [header, *rows])
        at = last + 1


def _is_rule(line: str) -> bool:
    return line[0] in "|:-" and "-" in line and "|" in line and _RULE_MARKS.issuperset(line)


def _bar_cells(text: str, line: _Line) -> list[Place]:
    bars = [m.start() for m in _BAR.finditer(text, line.start, line.end)]
    ends = [*bars, line.end]
    starts = [line.start, *(bar + 1 for bar in bars)]
    places = [_trimmed(text, start, end) for start, end in zip(starts, ends, strict=True)]
    if bars and bars[0] == line.start:
        places = places[1:]
    if len(places) > 1 and places[-1][0] == places[-1][1] and text[line.start : line.end].rstrip().endswith("|"):
        places = places[:-1]
    return places


def _trimmed(text: str, start: int, end: int) -> Place:
    """Leave out spaces, quotes around the whole, and Markdown's marks of emphasis."""
    while start < end and text[start] in _AROUND_CELL:
        start += 1
    while end > start and text[end - 1] in _AROUND_CELL:
        end -= 1
    return start, end


_AROUND_CELL = " \t\r\n\v\f\xa0*`\"'"

_SEPARATORS = "\t;,"
_QUOTED = {
    mark: re.compile(rf'(?:[ \t]*"(?:[^"\n]|"")*"[ \t]*(?={mark}|\Z)|[^{mark}\n]*)(?:{mark}|\Z)')
    for mark in _SEPARATORS
}

# With fewer columns a comma is punctuation.
_FEWEST_COLUMNS = {"\t": 2, ";": 2, ",": 3}

_SENTENCE_MARK = re.compile(r"[.!?:](?:\s|\Z)")


def _separated_tables(text: str, lines: Sequence[_Line]) -> Iterator[_Table]:
    at = 0
    while at + _FEWEST_ROWS < len(lines):
        header, mark = _header(text, lines[at])
        rows = list(_rows_after(text, lines, at, len(header), mark)) if header else []
        if len(rows) >= _FEWEST_ROWS and _is_data(text, header, rows, mark):
            yield _Table(at, at + 1 + len(rows), [header, *rows])
        # Lines that were looked at as rows are none of another table: the time stays linear.
        at += 1 + len(rows)


def _header(text: str, line: _Line) -> tuple[list[Place], str]:
    """Return the cells of a line that may be a table's header, and what separates them; none where it is no header."""
    for mark in _SEPARATORS:
        if text.count(mark, line.start, line.end) + 1 < _FEWEST_COLUMNS[mark]:
            continue
        header = _separated_cells(text, line, mark)
        if len(header) >= _FEWEST_COLUMNS[mark]:
            return (header if _is_header(text, header) else []), mark
    return [], ""


def _rows_after(text: str, lines: Sequence[_Line], at: int, columns: int, mark: str) -> Iterator[list[Place]]:
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if text.count(mark, line.start, line.end) + 1 < columns:
            return
        cells = _separated_cells(text, line, mark)
        if len(cells) != columns:
            return
        yield cells


def _separated_cells(text: str, line: _Line, mark: str) -> list[Place]:
    cells = []
    at = line.start
    pattern = _QUOTED[mark]
    while at <= line.end:
        match = pattern.match(text, at, line.end)
        if match is None:
            break
        has_mark = text[match.end() - 1 : match.end()] == mark and match.end() > at
        cells.append(_trimmed(text, at, match.end() - has_mark))
        if not has_mark:
            break
        at = match.end()
    return cells


def _is_header(text: str, cells: Sequence[Place]) -> bool:
    """Return whether the cells are short names that all differ, none of them a sentence or a number."""
    names = [text[start:end].lower() for start, end in cells]
    return len(set(names)) == len(names) and all(
        0 < len(name) <= _LONGEST_HEADER and not name[0].isdigit() and _SENTENCE_MARK.search(name) is None
        for name in names
    )


def _is_data(text: str, header: Sequence[Place], rows: Sequence[Sequence[Place]], mark: str) -> bool:
    """Return whether the rows are data and no prose: commas have no space after them, or a column is all numbers."""
    if mark != ",":
        return True
    spaced = sum(text[start - 1] == " " for row in (header, *rows) for start, _ in row[1:])
    if spaced * 2 < (len(rows) + 1) * (len(header) - 1):
        return True
    return any(all(text[start:end][:1].isdigit() for start, end in column) for column in zip(*rows, strict=True))


_YES = frozenset({"yes", "true", "✓", "✔", "✔️", "☑", "✅", "included", "available", "y"})
_NO = frozenset(
    {"no", "false", "✗", "✘", "✖", "❌", "none", "not included", "not available", "unavailable", "n", "not supported"}
)
_CROSSES = frozenset({"x", "×"})
_DASHES = frozenset({"-", "–", "—", "--"})


def _rows(text: str, places: Sequence[Sequence[Place]], lines: Sequence[_Line]) -> list[Field]:
    """Return the rows of a table (the places of its cells, the header's first) as fields; `lines` are theirs."""
    header, *rows = places
    lowered = [[text[start:end].lower() for start, end in row] for row in rows]
    has_yes = any(word in _YES for row in lowered for word in row)
    columns = [_has_flag([row[n] for row in lowered if n < len(row)]) for n in range(len(header))]
    fields = []
    for number, (row, words, line) in enumerate(zip(rows, lowered, lines[-len(rows) :], strict=True)):
        if not any(words):
            continue
        in_flags = _has_flag(words)
        cells = []
        for column, (place, word) in enumerate(zip(row, words, strict=False)):
            if column == 0 or column >= len(header):
                continue
            is_yes = word in _YES or (word in _CROSSES and not has_yes)
            is_no = word in _NO or (word in _CROSSES and has_yes)
            is_no = is_no or (word in _DASHES and (in_flags or columns[column]))
            is_unknown = not is_no and (not word or word in UNKNOWN or word in _DASHES)
            cells.append(
                Field(
                    start=place[0],
                    end=place[1],
                    keys=(row[0], header[column]),
                    value_start=place[0],
                    value_end=place[1],
                    is_denied=is_no,
                    is_unknown=is_unknown,
                    is_flag=is_yes or is_no,
                    subject=row[0],
                    element=number,
                    group=header[0][0],
                )
            )
        bare = text[line.start : line.end].strip("| \t\r")
        start = text.index(bare, line.start)
        end = start + len(bare)
        fields.append(
            Field(
                start=start,
                end=end,
                keys=tuple(header),
                value_start=start,
                value_end=end,
                is_flag=any(cell.is_flag for cell in cells),
                subject=row[0],
                element=number,
                group=header[0][0],
                cells=tuple(cells),
            )
        )
    return fields


def _has_flag(words: Sequence[str]) -> bool:
    return any(word in _YES or word in FLAGS for word in words)
