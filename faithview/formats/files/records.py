"""Rows in memory as a table: a data frame, a dataset, dictionaries."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.tables import RawRow, RawRows, Table, unique_names

_NAME = "the data"
_KINDS = "a data frame, a dataset, a list of dictionaries or samples"


def open_records(data: object) -> Table:
    """Return rows in memory as a table. Types are recognised by their methods, so no library is imported for them.

    A data frame of pandas also brings its index if it has a name. An iterator is copied into memory.

    Raises:
        InvalidInput: there are no rows, the type is not supported, or it is a dataset of several splits.
    """
    rows, columns = _start_rows(data)
    try:
        return Table(name=_NAME, format="rows").with_rows(lambda: _numbered(rows()), columns=columns)
    except UnreadableFile as error:
        text = str(error)
        raise InvalidInput(f"{text[:1].upper()}{text[1:]}") from error


def _start_rows(data: object) -> tuple[Callable[[], Iterable[object]], Sequence[str] | None]:
    frame: Any = data
    names = getattr(data, "column_names", None)
    if isinstance(names, Mapping):
        raise InvalidInput(f"The dataset has the splits {', '.join(map(repr, names))}; give one of them.")
    if isinstance(names, Sequence):
        to_rows = getattr(data, "to_pylist", None)  # a table of Arrow, which iterates over its columns
        return to_rows if callable(to_rows) else lambda: frame, tuple(names)
    if isinstance(data, str | bytes) or not isinstance(data, Iterable):
        raise InvalidInput(
            f"The answers are a {type(data).__name__}; give {_KINDS}. To read a file, use `faithview evaluate FILE`."
        )
    if hasattr(data, "itertuples") and hasattr(data, "columns"):
        return _pandas_rows(frame)
    if hasattr(data, "iter_rows") and hasattr(data, "columns"):
        columns = unique_names(frame.columns)
        return lambda: (dict(zip(columns, row, strict=True)) for row in frame.iter_rows()), columns
    if isinstance(data, Mapping):
        raise InvalidInput(f"The answers are one dictionary; give {_KINDS}.")
    kept = data if isinstance(data, Sequence) else list(data)
    return lambda: kept, None


def _pandas_rows(frame: Any) -> tuple[Callable[[], Iterable[object]], Sequence[str]]:
    named = [name for name in frame.index.names if name is not None and name not in frame.columns]
    whole = frame.reset_index(named) if named else frame
    columns = unique_names(str(name) for name in whole.columns)
    return lambda: (dict(zip(columns, row, strict=True)) for row in whole.itertuples(index=False, name=None)), columns


def _numbered(rows: Iterable[object]) -> RawRows:
    for number, row in enumerate(rows, start=1):
        if isinstance(row, Mapping):
            yield RawRow(number, {str(name): value for name, value in row.items()})
        else:
            reason = f"it is of type {type(row).__name__}, not a dictionary"
            yield RowProblem(line=number, reason=reason, preview=preview_of(row))
