"""The readers of all formats, and the choice of the one that fits a file best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.formats import labelled
from faithview.formats.files.source import READABLE
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.readers import (
    by_name,
    deepeval,
    faithview_export,
    inspect_ai,
    langfuse,
    langsmith,
    mlflow,
    opik,
    otel_genai,
    phoenix,
    promptfoo,
    ragas,
    trulens,
)
from faithview.formats.readers.labelled_sets import llm_aggrefact, ragtruth
from faithview.formats.reading.reader import Match, Question, Reader

# Scores closer than this are equally likely: if the formats read a file differently, the user is asked.
_TIE = 0.03

READERS: tuple[Reader, ...] = (
    labelled.READER,
    faithview_export.READER,
    ragas.READER,
    deepeval.READER,
    trulens.READER,
    phoenix.READER,
    phoenix.SPANS_READER,
    otel_genai.READER,
    mlflow.READER,
    inspect_ai.READER,
    langfuse.READER,
    langsmith.READER,
    ragtruth.READER,
    llm_aggrefact.READER,
    opik.READER,
    promptfoo.READER,
    by_name.READER,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """A reader with its match for a file; the table may be one row if the file is one JSON object."""

    reader: Reader
    match: Match
    table: Table


def recognise(table: Table, *, format_name: str | None = None) -> list[Recognised]:
    """Return the formats that a file may be in, the most likely first.

    Args:
        table: the file.
        format_name: the format that the user named; then only its reader is asked.

    Raises:
        InvalidInput: there is no such format, or the file is not in it.
        UnreadableFile: no format recognises the file.
    """
    asked = READERS if format_name is None else (_reader_named(format_name),)
    found = [item for reader in asked for item in _recognise(reader, table)]
    # The rows of one JSON object are a list in it, unless the object is the only line of a JSON Lines file.
    best = max((item.match.score for item in found), default=0.0)
    if table.document is not None and table.first != table.document:
        document = table.document
        whole = table.with_rows(lambda: iter([RawRow(1, document)]))
        found += [
            item
            for reader in asked
            for item in _recognise(reader, whole)
            if item.match.score > best and item.reader is not by_name.READER
        ]
    if not found and format_name is not None:
        raise InvalidInput(f"{table.name} is not a file of {asked[0].title}.")
    if not found:
        raise UnreadableFile(_unknown(table))
    return sorted(found, key=lambda item: -item.match.score)


def ask_format(found: Sequence[Recognised]) -> Question | None:
    """Return the question which of two formats it is, if they are equally likely and read it differently."""
    if len(found) < 2:
        return None
    first, second = found[:2]
    if first.match.score - second.match.score >= _TIE or first.match.mapping == second.match.mapping:
        return None
    return Question(
        field="format",
        candidates=(first.reader.name, second.reader.name),
        why=f"The file could be one of {first.match.title} or of {second.match.title}.",
    )


def _reader_named(name: str) -> Reader:
    names = [reader.name for reader in READERS]
    if name in names:
        return READERS[names.index(name)]
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise InvalidInput(f"There is no format {name!r}; known are {', '.join(names)}.{hint}")


def _recognise(reader: Reader, table: Table) -> Iterator[Recognised]:
    match = reader.recognise(table)
    if match is not None:
        named = replace(match, schema=match.schema or reader.name, title=match.title or reader.title)
        yield Recognised(reader=reader, match=named, table=table)


def _unknown(table: Table) -> str:
    if table.database is not None:
        tables = ", ".join(list(table.database.tables)[:10]) or "none"
        return f"{table.name} is an SQLite database of an unknown tool (tables: {tables}); FaithView reads {READABLE}."
    return f"{table.name} looks like a ZIP archive; unpack it; FaithView reads {READABLE}."
