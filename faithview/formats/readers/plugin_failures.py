"""A format plug-in that fails: the file or the row says which plug-in it was, and the rest goes on."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from faithview.domain.errors import FaithViewError, UnreadableFile
from faithview.formats.files.tables import Table
from faithview.formats.reading.reader import Reader, Row
from faithview.formats.rows.cells import BadCell

_Found = TypeVar("_Found")

_log = logging.getLogger(__name__)


def name_failures(reader: Reader) -> Reader:
    """Return the reader of a plug-in: what it raises becomes an UnreadableFile for a file and a BadCell for a row."""
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
        except Exception as error:  # a border: a plug-in may fail in any way, and is named
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
        except Exception as error:  # a border: a plug-in may fail in any way, and is named
            raise BadCell(f"the format plug-in {name!r} fails on this row: {_words(error)}") from error

    return read


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
