"""Finds the rows in a JSON document: a list, an object around one, or columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.aliases import is_known_column

# If an object has several lists of objects, the first of these names holds the rows.
_WRAPPERS = (
    "data",
    "rows",
    "results",
    "samples",
    "records",
    "items",
    "examples",
    "goldens",
    "testCases",
    "test_cases",
    "dataset",
    "evaluation",
    "answers",
)
_MAX_DEPTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedRows:
    """The rows of a document; `is_wrapped` if they were inside an object, `note` if the user should know."""

    rows: Sequence[object]
    is_wrapped: bool
    note: str = ""


def find_rows(value: object, *, name: str) -> LocatedRows:
    """Return the rows of a JSON document.

    A single object without a list of rows is one row.

    Raises:
        UnreadableFile: the document is a text, a number, or an empty list or object.
    """
    if isinstance(value, list) and value:
        return LocatedRows(rows=value, is_wrapped=False)
    if isinstance(value, Mapping) and value:
        by_column = _transpose(value)
        if by_column is not None:
            return LocatedRows(rows=by_column, is_wrapped=True, note="The file lists its columns instead of its rows.")
        path, rows = _unwrap(value, ())
        if rows is not None:
            return LocatedRows(rows=rows, is_wrapped=True, note=f"The rows were read from {'.'.join(path)!r}.")
        by_key = _rows_by_key(value)
        if by_key is not None:
            return LocatedRows(
                rows=by_key, is_wrapped=True, note="The rows were read from an object with a name for each."
            )
        return LocatedRows(rows=[value], is_wrapped=False)
    if isinstance(value, list | Mapping):
        raise UnreadableFile(f"{name} holds an empty JSON {'list' if isinstance(value, list) else 'object'}.")
    raise UnreadableFile(f"{name} holds a single JSON {type(value).__name__} and no rows.")


def _unwrap(value: Mapping[str, object], path: tuple[str, ...]) -> tuple[tuple[str, ...], Sequence[object] | None]:
    if is_row(value):
        return path, None
    candidates = [key for key, item in value.items() if _is_list_of_objects(item)]
    named = [key for key in _WRAPPERS if key in candidates]
    if named or len(candidates) == 1:
        key = (named or candidates)[0]
        rows = value[key]
        return (*path, key), rows if isinstance(rows, list) else None
    if len(path) < _MAX_DEPTH:
        inner = [_unwrap(item, (*path, key)) for key, item in value.items() if isinstance(item, Mapping)]
        found = [(inner_path, rows) for inner_path, rows in inner if rows is not None]
        if found:
            # By their names, for keys have no order: a file's settings may hold lists, too.
            return min(found, key=lambda pair: (pair[0][-1] not in _WRAPPERS, pair[0][len(path)] not in _WRAPPERS))
    return path, None


def is_row(value: Mapping[str, object]) -> bool:
    """Return whether an object is itself a row: it has a text as its answer, and a question or contexts."""
    has_answer = any(isinstance(item, str) and is_known_column(key, only="answer") for key, item in value.items())
    return has_answer and any(
        is_known_column(key, only="question") or is_known_column(key, only="contexts") for key in value
    )


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _transpose(value: Mapping[str, object]) -> Sequence[object] | None:
    """Turn {"question": [...], "answer": [...]}, also with {"0": ..., "1": ...} for lists, into rows."""
    split_columns, split_rows = value.get("columns"), value.get("data")
    if isinstance(split_columns, list) and isinstance(split_rows, list):
        names = [str(column) for column in split_columns]
        return [_split_row(names, row) if isinstance(row, list) else row for row in split_rows]
    if not any(is_known_column(key, only="answer") for key in value):
        return None
    columns: dict[str, Mapping[object, object]] = {}
    for key, item in value.items():
        if isinstance(item, list):
            columns[key] = dict(enumerate(item))
        elif isinstance(item, Mapping):
            columns[key] = dict(item)
        else:
            return None
    lengths = {len(column) for column in columns.values()}
    if len(columns) < 2 or len(lengths) != 1 or lengths == {0}:
        return None
    order = next(iter(columns.values()))
    return [{key: column.get(index) for key, column in columns.items()} for index in order]


def _split_row(names: Sequence[str], values: Sequence[object]) -> object:
    """Return a row of values under the names of their columns; one with more values is an error in its place."""
    if len(values) > len(names):
        return ValueError(f"the row has {len(values)} values and the file {len(names)} columns")
    return dict(zip(names, values, strict=False))


def _rows_by_key(value: Mapping[str, object]) -> Sequence[object] | None:
    """Turn {"id-1": {"question": ...}, ...} into rows; the name becomes the "key" of a row without one."""
    rows = [item for item in value.values() if isinstance(item, Mapping)]
    if len(rows) != len(value) or not all(is_row(row) for row in rows):
        return None
    return [{"key": key, **row} for key, row in zip(value, rows, strict=True)]
