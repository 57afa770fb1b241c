"""The readers of all formats, plug-ins included, and the choice of the one that fits a file best."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from faithview.domain.errors import FaithViewError, InvalidInput, UnreadableFile
from faithview.formats import labelled
from faithview.formats.files.source import READABLE
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.plugins import load_plugins, pick_named
from faithview.formats.readers import (
    by_name,
    contexttrace,
    deepeval,
    faithview_export,
    giskard,
    inspect_ai,
    inspectorraget,
    langfuse,
    langsmith,
    mlflow,
    open_rag_eval,
    opik,
    otel_genai,
    phoenix,
    promptfoo,
    ragas,
    ragchecker,
    refchecker,
    trulens,
    uptrain,
)
from faithview.formats.readers.labelled_sets import ares, faithbench, halueval, lettucedetect, llm_aggrefact, ragtruth
from faithview.formats.reading.reader import Match, Question, Reader, Row
from faithview.formats.rows.cells import BadCell

_Found = TypeVar("_Found")

_log = logging.getLogger(__name__)


def name_failures(reader: Reader) -> Reader:
    """Return a plug-in's reader whose errors become an UnreadableFile for a file and a BadCell for a row."""
    return replace(
        reader,
        open=_opening(reader.name, reader.open),
        judged=_reading(reader.name, reader.judged),
        label=_reading(reader.name, reader.label),
    )


def _opening(name: str, ask: Callable[[Table], Table] | None) -> Callable[[Table], Table] | None:
    if ask is None:
        return None

    def opened(table: Table) -> Table:
        try:
            return ask(table)
        except FaithViewError:
            raise
        except Exception as error:  # a plug-in may fail in any way; the error names it
            _log.exception("The format plug-in %s cannot open %s", name, table.name)
            raise UnreadableFile(f"The format plug-in {name!r} cannot open {table.name}: {_words(error)}.") from error

    return opened


def _reading(name: str, ask: Callable[[Row], _Found] | None) -> Callable[[Row], _Found] | None:
    if ask is None:
        return None

    def read(row: Row) -> _Found:
        try:
            return ask(row)
        except (BadCell, FaithViewError):
            raise
        except Exception as error:  # a plug-in may fail in any way; the error names it
            raise BadCell(f"the format plug-in {name!r} fails on this row: {_words(error)}") from error

    return read


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


# Entry points of this group add formats: name -> "package.module:READER".
ENTRY_POINTS = "faithview.formats"
# Scores closer than this are equally likely: if the formats read a file differently, the user is asked.
_TIE = 0.03

_BUILTIN: tuple[Reader, ...] = (
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
    lettucedetect.READER,
    halueval.READER,
    faithbench.READER,
    ares.READER,
    llm_aggrefact.READER,
    refchecker.READER,
    ragchecker.READER,
    contexttrace.READER,
    uptrain.READER,
    giskard.READER,
    inspectorraget.READER,
    open_rag_eval.READER,
    opik.READER,
    promptfoo.READER,
    by_name.READER,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """The usable readers, and a sentence about each broken plug-in."""

    usable: tuple[Reader, ...]
    broken: tuple[str, ...] = ()

    def named(self, name: str) -> Reader:
        """Return the reader with that name.

        Raises:
            InvalidInput: there is none; the text lists the known ones and the broken plug-ins.
        """
        return pick_named(self.usable, name, kind="format", broken=self.broken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """A reader with its match for a file; the table may be one row if the file is one JSON object."""

    reader: Reader
    match: Match
    table: Table


@lru_cache(maxsize=1)
def list_readers() -> Readers:
    """Return the built-in readers, then those of installed plug-ins by name; a broken plug-in is named."""
    usable, broken = load_plugins(ENTRY_POINTS, kind="format", wanted=Reader, builtin=_BUILTIN)
    return Readers(usable=tuple(r if r in _BUILTIN else name_failures(r) for r in usable), broken=broken)


def recognise(table: Table, *, format_name: str | None = None) -> tuple[list[Recognised], tuple[str, ...]]:
    """Return the formats that a file may be in, the most likely first, and warnings about plug-ins.

    Args:
        table: the file.
        format_name: the format that the user named; then only its reader is asked.

    Raises:
        InvalidInput: there is no such format, or the file is not in it.
        UnreadableFile: no format recognises the file.
    """
    readers = list_readers()
    warnings = list(readers.broken)
    asked = readers.usable if format_name is None else (readers.named(format_name),)
    found = [item for reader in asked for item in _recognise(reader, table, warnings)]
    # The rows of one JSON object are a list in it, unless the object is the only line of a JSON Lines file.
    best = max((item.match.score for item in found), default=0.0)
    if table.document is not None and table.first != table.document:
        document = table.document
        whole = table.with_rows(lambda: iter([RawRow(1, document)]))
        found += [
            item
            for reader in asked
            for item in _recognise(reader, whole, warnings)
            if item.match.score > best and item.reader is not by_name.READER
        ]
    if not found and format_name is not None:
        raise InvalidInput(f"{table.name} is not a file of {asked[0].title}. {'; '.join(warnings)}".strip())
    if not found:
        raise UnreadableFile(_unknown(table))
    return sorted(found, key=lambda item: -item.match.score), tuple(warnings)


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


def _recognise(reader: Reader, table: Table, warnings: list[str]) -> Iterator[Recognised]:
    try:
        match = reader.recognise(table)
        if match is not None and not isinstance(match, Match):
            raise TypeError(f"recognise returned a {type(match).__name__}, not a Match")
    except Exception as error:
        if reader in _BUILTIN:
            raise
        # A plug-in may fail in any way; it is reported, and the rest works.
        _log.exception("The format plug-in %s fails on %s", reader.name, table.name)
        warnings.append(f"The format plug-in {reader.name!r} fails on this file: {type(error).__name__}: {error}.")
        return
    if match is not None:
        named = replace(match, schema=match.schema or reader.name, title=match.title or reader.title)
        yield Recognised(reader=reader, match=named, table=table)


def _unknown(table: Table) -> str:
    if table.database is not None:
        tables = ", ".join(list(table.database.tables)[:10]) or "none"
        return f"{table.name} is an SQLite database of an unknown tool (tables: {tables}); FaithView reads {READABLE}."
    return f"{table.name} looks like a ZIP archive; unpack it; FaithView reads {READABLE}."
