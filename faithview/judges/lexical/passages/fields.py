"""Fields of records and rows of tables, found in the text of a chunk.

Records are JSON, a Python dict as text, or lines `key: value`; tables are in Markdown or CSV.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

Place = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field `[start, end)` with the places of the keys that lead to it, its own last, and of its value.

    `is_flag`: the value is true or false (or yes or no); `is_denied`: it is false; `is_unknown`: it is null.

    Where a chunk tells of several things alike, `subject` is the place of the name of the one that the field tells of
    (the first cell of a row, the "name" of an object in a list), `element` counts these things, and `group` is where
    the table or list begins, -1 for the fields of a single record: its name is the first field's `subject`.

    A row of a table is a field without a key of its own: its `cells` are the fields, and `keys` the table's headers.
    """

    start: int
    end: int
    keys: tuple[Place, ...]
    value_start: int
    value_end: int
    is_denied: bool = False
    is_unknown: bool = False
    is_flag: bool = False
    subject: Place | None = None
    element: int = -1
    group: int = -1
    cells: tuple["Field", ...] = field(default=())


FALSE = frozenset({"false", "no"})
FLAGS = FALSE | {"true", "yes"}
UNKNOWN = frozenset({"null", "none", "n/a", "nan"})


# A single line is read as a field if its value is yes, no or empty.
_PLAIN_FIELD = re.compile(
    r"^[ \t]*(?P<key>[A-Za-z][\w ./-]{0,60}?)[ \t]*[:=][ \t]*"
    r"(?P<value>true|false|null|none|yes|no|n/a)[ \t]*[,.;]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ANY_FIELD = re.compile(
    r"(?:[-*•][ \t]+)?(?:\*\*|__)?(?P<key>[^\W\d_](?:[^\n:=*]|:(?=\w)){0,60}?)(?:\*\*|__)?[ \t]*"
    r"(?::(?:\*\*|__)?[ \t]+|[ \t]=[ \t]|=(?=\S))"
    r"(?P<value>\S[^\n]*)"
)
_LINE = re.compile(r"\S[^\n]*")

_FEWEST_LINES = 3
_MOST_KEY_WORDS = 8

# If more values than this end like sentences or are as long, the lines are a dialogue or a list of steps.
_MOST_PROSE = 1 / 3
_LONGEST_VALUE_WORDS = 14


def find_key_lines(text: str) -> list[Field]:
    """Return the "key: value" lines of a text as fields, and the lines between them as fields without a key.

    At least three such lines in a row are a record, with any values; a single one only if its value is a flag.
    """
    matches = _records(text)
    if not matches:
        plain = list(_PLAIN_FIELD.finditer(text))
        return _with_lines_between(text, [_Keyed(match) for match in plain]) if plain else []
    taken = {keyed.line.start("key") for keyed in matches}
    plain = [match for match in _PLAIN_FIELD.finditer(text) if match.start("key") not in taken]
    merged = [*matches, *(_Keyed(match) for match in plain)]
    return _with_lines_between(text, sorted(merged, key=lambda keyed: keyed.line.start("key")))


class _Keyed(NamedTuple):
    """A line with its record's number (-1: none), the place of the record's subject, and its group."""

    line: "re.Match[str]"
    element: int = -1
    subject: Place | None = None
    group: int = -1


def _records(text: str) -> list[_Keyed]:
    """Return the lines of records. If there is only one record, only its first line has the name of its subject."""
    if text.count("\n") < _FEWEST_LINES - 1 or text.count(": ") + text.count("=") < _FEWEST_LINES:
        return []
    records: list[list[re.Match[str]]] = []
    run: list[re.Match[str]] = []
    for line in [*_LINE.finditer(text), None]:
        match = _ANY_FIELD.match(text, line.start(), line.end()) if line is not None else None
        if match is not None and len(match["key"].split()) <= _MOST_KEY_WORDS:
            run.append(match)
            continue
        if _is_record(run):
            records += _split(run)
        run = []
    if len(records) == 1:
        return [_Keyed(records[0][0], 0, _subject(records[0])), *(_Keyed(line, 0) for line in records[0][1:])]
    return [
        _Keyed(line, number, _subject(record), records[0][0].start("key"))
        for number, record in enumerate(records)
        for line in record
    ]


def _is_record(run: Sequence[re.Match[str]]) -> bool:
    if len(run) < _FEWEST_LINES:
        return False
    prose = sum(
        match["value"].rstrip()[-1] in ".!?" or len(match["value"].split()) > _LONGEST_VALUE_WORDS for match in run
    )
    records = _split(run)
    # A dialogue says the same two names over and over.
    return prose <= len(run) * _MOST_PROSE and len(run) >= len(records) * _FEWEST_LINES


def _split(run: Sequence[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Return the records of a run: a new one begins when a key repeats."""
    records: list[list[re.Match[str]]] = []
    seen: set[str] = set()
    for match in run:
        key = match["key"].lower()
        if not records or key in seen:
            records.append([])
            seen = set()
        records[-1].append(match)
        seen.add(key)
    return records


_NAMES = frozenset({"name", "title", "id", "plan", "model", "product", "item", "type"})


def _subject(record: Sequence[re.Match[str]]) -> Place | None:
    named = next((match for match in record if match["key"].lower().split()[-1] in _NAMES), record[0])
    return named.span("value")


def _with_lines_between(text: str, keyed: Sequence[_Keyed]) -> list[Field]:
    """Return the "key: value" lines as fields and the lines between them as fields without a key."""
    fields: list[Field] = []
    at = 0
    for match, element, subject, group in keyed:
        if match.start("key") < at:
            continue
        fields += _line_fields(text, at, text.rfind("\n", 0, match.start("key")) + 1)
        start, end = match.span("value")
        end = start + len(match["value"].rstrip(" \t\r,;"))
        value = text[start:end].lower().rstrip(".")
        fields.append(
            Field(
                start=match.start("key"),
                end=end,
                keys=(match.span("key"),),
                value_start=start,
                value_end=end,
                is_denied=value in FALSE,
                is_unknown=value in UNKNOWN,
                is_flag=value in FLAGS,
                subject=subject,
                element=element,
                group=group,
            )
        )
        at = match.end()
    return [*fields, *_line_fields(text, at, len(text))]


def _line_fields(text: str, start: int, stop: int) -> list[Field]:
    return [
        Field(start=m.start(), end=m.end(), keys=(), value_start=m.start(), value_end=m.end())
        for m in _LINE.finditer(text, start, stop)
    ]


# A header longer than this is a sentence.
_LONGEST_HEADER = 60

# A table has a header and at least this many rows.
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
    lines = [_Line(m.start(), m.end()) for m in _TABLE_LINE.finditer(text)]
    tables = list(_markdown_tables(text, lines)) if has_bars else []
    tables = tables or list(_separated_tables(text, lines))
    if not tables:
        return []
    fields: list[Field] = []
    at = 0
    for table in tables:
        fields += (_plain_line(line) for line in lines[at : table.first])
        fields += _fields_of_table(text, table.rows, lines[table.first + 1 : table.last])
        at = table.last
    return [*fields, *(_plain_line(line) for line in lines[at:])]


# Lines without the space around them; empty ones are left out.
_TABLE_LINE = re.compile(r"[^\s][^\n\r]*")
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
        # Lines that were tried as rows are not tried for another table, so the time stays linear.
        at += 1 + len(rows)


def _header(text: str, line: _Line) -> tuple[list[Place], str]:
    """Return the cells of a line that may be a table's header, and their separator; empty if it is not a header."""
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


def _fields_of_table(text: str, places: Sequence[Sequence[Place]], lines: Sequence[_Line]) -> list[Field]:
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


_PART = re.compile(
    r"""(?P<key>"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}')\s*:\s*
      | (?P<open>[{\[])
      | (?P<close>[}\]])
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<bare>[^\s,{}\[\]"':][^\s,{}\[\]]*)
    """,
    re.VERBOSE | re.DOTALL,
)


def find_records(text: str) -> list[Field]:
    """Return the fields of a chunk that is a record or holds a table; an empty list for prose."""
    head = text.lstrip()[:1]
    if head in ("{", "["):
        return _nested_fields(text)
    rows = find_rows(text)
    return _with_key_lines(rows, text) if rows else find_key_lines(text)


def _with_key_lines(rows: Sequence[Field], text: str) -> list[Field]:
    """Return the rows of tables with the "key: value" lines between them as fields."""
    keyed = {field.end: field for field in find_key_lines(text) if field.keys}
    return [field if field.cells else keyed.get(field.end, field) for field in rows]


class _Object:
    """An object that is being read: which list it is an element of, and the places of what may name it."""

    __slots__ = ("first_field", "group", "name", "rank", "start")

    def __init__(self, start: int, group: int, first_field: int) -> None:
        self.start = start
        self.group = group
        self.first_field = first_field
        self.name: Place | None = None
        self.rank = len(_NAME_KEYS) + 1


# The keys whose values name an object, the most telling first; else its very first string does.
_NAME_KEYS = ("name", "title", "id", "plan", "model", "product", "label", "sku", "code", "type")


def _nested_fields(text: str) -> list[Field]:
    reading = _Reading(text)
    for part in _PART.finditer(text):
        if part["key"]:
            reading.key = (part.start("key") + 1, part.end("key") - 1)
            reading.key_start = part.start()
        elif part["open"]:
            reading.open(part)
        elif part["close"]:
            reading.close()
        else:
            reading.add_value(part)
    return reading.finish()


class _Reading:
    """The state of a reading: the fields found so far, and the brackets that are open."""

    def __init__(self, text: str) -> None:
        self.key: Place | None = None
        self.key_start = -1
        self._text = text
        self._fields: list[Field] = []
        # For each open bracket, its key; None for an element of a list.
        self._path: list[Place | None] = []
        # For each open bracket, its object (None for a list); and where the brackets of lists are.
        self._objects: list[_Object | None] = []
        self._brackets: list[int] = []
        # Fields outside any list element so far, and the objects that follow each other in the text.
        self._loose: list[int] = []
        self._records: list[tuple[_Object, list[int]]] = []

    def open(self, part: "re.Match[str]") -> None:
        group = self._brackets[-1] if self._brackets else -1
        self._objects.append(_Object(part.start(), group, len(self._fields)) if part["open"] == "{" else None)
        self._brackets.append(part.start())
        self._path.append(self.key)
        self.key = None

    def close(self) -> None:
        self.key = None
        if not self._path:
            return
        self._path.pop()
        self._brackets.pop()
        closed = self._objects.pop()
        if closed is None or (self._objects and self._objects[-1] is not None):
            return
        own = _taken_from(self._loose, closed.first_field)
        if self._objects:
            _name_fields(self._fields, closed, own)
        else:
            self._records.append((closed, own))

    def add_value(self, part: "re.Match[str]") -> None:
        key, text = self.key, self._text
        bare = (part["string"] or part["bare"]).strip("\"'").strip()
        # "none" in quotes is a deliberate value; None and null are not.
        is_unknown = bare.lower() in UNKNOWN and not (part["string"] and bare == "none")
        if key and self._objects and (read := self._objects[-1]) is not None:
            _note_name(read, text[key[0] : key[1]].lower(), part, bare, is_first=len(self._fields))
        bare = bare.lower()
        self._loose.append(len(self._fields))
        self._fields.append(
            Field(
                start=self.key_start if key else part.start(),
                end=part.end(),
                keys=tuple(k for k in (*self._path[-2:], key) if k),
                value_start=part.start(),
                value_end=part.end(),
                is_denied=bare in FALSE or (bare == "none" and not is_unknown),
                is_unknown=is_unknown,
                is_flag=bare in FLAGS or (bare == "none" and not is_unknown),
            )
        )
        if not self._path or text[part.end() : part.end() + 1] == ",":
            self.key = None

    def finish(self) -> list[Field]:
        """Return the fields, with the objects side by side named."""
        fields, records = self._fields, self._records
        if len(records) > 1:
            for read, own in records:
                read.group = records[0][0].start
                _name_fields(fields, read, own)
        elif records and fields:
            # A single record has one subject, which its first field names.
            fields[0] = replace(fields[0], subject=records[0][0].name)
        # Prose that happens to begin with a bracket has no keys.
        return fields if sum(bool(field.keys) for field in fields) >= max(1, len(fields) // 3) else []


def _note_name(read: _Object, key: str, part: "re.Match[str]", bare: str, *, is_first: int) -> None:
    """Store a value that names the object better than earlier ones: a short one that is not a date."""
    if len(bare) > _LONGEST_NAME or not bare:
        return
    rank = _NAME_KEYS.index(key) if key in _NAME_KEYS else len(_NAME_KEYS)
    is_plain_first = (
        rank == len(_NAME_KEYS) and is_first == read.first_field and part["string"] and not bare[0].isdigit()
    )
    if rank < read.rank and (rank < len(_NAME_KEYS) or is_plain_first):
        read.name, read.rank = part.span(), rank


_LONGEST_NAME = 60


def _taken_from(loose: list[int], first: int) -> list[int]:
    own = []
    while loose and loose[-1] >= first:
        own.append(loose.pop())
    return own


def _name_fields(fields: list[Field], read: _Object, own: Sequence[int]) -> None:
    """Give the fields of an object the name of the object, its list element and its group."""
    for number in own:
        fields[number] = replace(fields[number], subject=read.name, element=read.start, group=read.group)
