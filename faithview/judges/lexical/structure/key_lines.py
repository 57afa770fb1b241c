"""Lines "key: value" in a chunk that make a record; prose with a colon here and there does not."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from faithview.judges.lexical.structure.field import FALSE, FLAGS, UNKNOWN, Field, Place

# A single line is read as a field where its value is yes, no or nothing.
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

# Values that end like sentences, or are as long, make a dialogue or a list of steps.
_MOST_PROSE = 1 / 3
_LONGEST_VALUE_WORDS = 14


def find_key_lines(text: str) -> list[Field]:
    """Return the "key: value" lines of a text as fields, and the lines between them as fields without a key.

    At least three such lines in a row are a record, whatever their values; one alone is where its value is a flag.
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
    """A line with the number of its record, -1 for none, and the places of what that is about and of what it is in."""

    line: "re.Match[str]"
    element: int = -1
    subject: Place | None = None
    group: int = -1


def _records(text: str) -> list[_Keyed]:
    """Return the lines of records. Where there is but one, its first line alone has the name of what it is about."""
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
    """Return the records of a run: each begins where a key comes again."""
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
        fields += _lines(text, at, text.rfind("\n", 0, match.start("key")) + 1)
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
    return [*fields, *_lines(text, at, len(text))]


def _lines(text: str, start: int, stop: int) -> list[Field]:
    return [
        Field(start=m.start(), end=m.end(), keys=(), value_start=m.start(), value_end=m.end())
        for m in _LINE.finditer(text, start, stop)
    ]
