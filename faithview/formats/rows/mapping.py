"""The mapping of columns to fields: detected from the file, corrected by the user."""

import re
from collections.abc import Mapping as MappingABC
from collections.abc import Sequence
from dataclasses import dataclass, replace

from faithview.domain.errors import InvalidInput
from faithview.domain.mapping import FIELDS, RESULT_FIELDS
from faithview.formats.files.aliases import find_columns, find_numbered_contexts, fold_name
from faithview.formats.rows.cells import column_of
from faithview.formats.rows.timestamps import DATE_ORDERS

SEPARATOR = "context_separator"
DATE_ORDER = "date_order"
DATE_FORMAT = "date_format"
SCORE_RANGE = "score_range"
ONE_ROW_PER = "one_row_per"
IGNORED = "ignore"
_NAMED_SEPARATORS = {"blank": "\n\n", "line": "\n", "newline": "\n", "tab": "\t", "dashes": "\n---\n"}
_LISTED_COLUMNS, _LONGEST_NAME = 30, 60
# Settings of a file besides its columns.
SETTINGS = (SEPARATOR, ONE_ROW_PER, DATE_ORDER, DATE_FORMAT, SCORE_RANGE)
PER_CHUNK, PER_ANSWER = "chunk", "answer"
_CHOICES = {ONE_ROW_PER: (PER_ANSWER, PER_CHUNK), DATE_ORDER: DATE_ORDERS}
# All fields of `--map`.
MAPPED = (*FIELDS, IGNORED, *RESULT_FIELDS, *SETTINGS)
# The fields that several columns can be mapped to.
_SEVERAL = ("contexts", IGNORED)
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """The column of each field, None if the file has none; a path (`outputs.0.text`) if it is inside a column.

    `contexts` are one column or several, empty if no column is known to have the retrieved chunks. If a row's `claim`
    column has a value, that is judged instead of the answer. `context_separator` splits plain context texts into
    chunks; it is None unless the user asked for it. `unmapped_contexts` says why a column that looks like the contexts
    was not used, "" if there is no such column; `unmapped_answer` says why a tool's file has no answers, and where they
    are. `date_order` says which day 05/06/2026 is ("day-first" or "month-first"); with None such dates are not read.
    `date_format` is the format of all times, as for `strptime`. `ignore` are columns that are not stored with the
    answer at all. `one_row_per` is "chunk" for a file with one row per chunk of an answer, which are joined; None is
    one row per answer.

    The rest are results of another tool: `score` is faithfulness, `hallucination` a score in which more is worse,
    `claims` a list with verdicts, `error` why there is no score, `judge` its judge. `score_range` names the lowest and
    the highest score ("1-5"); None is 0 to 1. These columns also stay extra columns.
    """

    question: str | None = None
    answer: str | None = None
    claim: str | None = None
    contexts: tuple[str, ...] = ()
    context_ids: str | None = None
    key: str | None = None
    segment: str | None = None
    reference: str | None = None
    timestamp: str | None = None
    context_separator: str | None = None
    one_row_per: str | None = None
    unmapped_contexts: str = ""
    unmapped_answer: str = ""
    date_order: str | None = None
    date_format: str | None = None
    ignore: tuple[str, ...] = ()
    score: str | None = None
    hallucination: str | None = None
    claims: str | None = None
    error: str | None = None
    judge: str | None = None
    score_range: str | None = None

    @property
    def columns(self) -> frozenset[str]:
        """All columns and paths that are mapped to fields of the answer, without those of results."""
        single = (getattr(self, field) for field in FIELDS if field != "contexts")
        return frozenset({*self.contexts, *(column for column in single if column is not None)})

    @property
    def paths(self) -> frozenset[str]:
        """All columns and paths that are mapped, including those of another tool's results."""
        return self.columns | {name for field in RESULT_FIELDS if (name := getattr(self, field)) is not None}

    def override(self, overrides: MappingABC[str, tuple[str, ...]]) -> "Mapping":
        """Return the mapping with the fields that the user named (see `parse_mapping`) instead of the detected ones."""
        changes: dict[str, object] = {
            field: columns if field in _SEVERAL else next(iter(columns), None) for field, columns in overrides.items()
        }
        # A setting may have the name of a column.
        taken = {column for field, columns in overrides.items() if field not in SETTINGS for column in columns}
        for field in {*FIELDS, *RESULT_FIELDS, IGNORED}.difference(overrides):
            used = getattr(self, field)
            if field in _SEVERAL:
                changes[field] = tuple(column for column in used if column not in taken)
            elif used in taken:
                changes[field] = None
        if "contexts" in overrides:
            changes["unmapped_contexts"] = ""
        return replace(self, **changes)  # type: ignore[arg-type]  # names out of FIELDS, built above


def parse_mapping(items: Sequence[str], *, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the columns that `--map field=column` options name, by field.

    `contexts=a,b` names several columns; a column whose own name contains a comma can be named unchanged. `field=` says
    that the file has no such column. `context_separator=` takes `blank` (an empty line), `line`, `tab`, `dashes` (a
    line of three) or the characters themselves, `one_row_per=` answer or chunk, `date_order=` day-first or month-first,
    and `ignore=a,b` the columns not to store. A path with dots leads into a column with nested data:
    `answer=outputs.0.text`.

    Raises:
        InvalidInput: no "=", an unknown field or column (the text lists those that exist), or a field named twice.
    """
    overrides: dict[str, tuple[str, ...]] = {}
    for item in items:
        field, equals, wanted = item.partition("=")
        field = field.strip()
        if not equals:
            raise InvalidInput(f"The mapping {item!r} has no '='; write field=column, as in answer=response.")
        if field not in MAPPED:
            raise InvalidInput(f"There is no field {field!r} to map; the fields are {', '.join(MAPPED)}.")
        if field in overrides:
            raise InvalidInput(f"The field {field!r} is mapped twice; name it once.")
        if field in SETTINGS:
            overrides[field] = (_setting(field, wanted),) if wanted else ()
        else:
            overrides[field] = _find_columns(field, wanted, columns)
    return overrides


def score_range(text: str | None) -> tuple[float, float]:
    """Return the worst and the best score that a range such as "1-5" names; 0 and 1 if there is none."""
    found = _RANGE.fullmatch(text) if text else None
    return (float(found[1]), float(found[2])) if found else (0.0, 1.0)


def separator_name(separator: str) -> str:
    """Return a separator as it is written on the command line: its name, else its characters."""
    return next((name for name, text in _NAMED_SEPARATORS.items() if text == separator), separator)


def _setting(field: str, wanted: str) -> str:
    """Return the value of a setting; raises InvalidInput if it is not valid."""
    if field == SEPARATOR:
        return _NAMED_SEPARATORS.get(wanted, wanted)
    choices = _CHOICES.get(field)
    if choices and wanted not in choices:
        raise InvalidInput(f"Write {field} as {' or '.join(choices)}, not {wanted!r}.")
    if field == DATE_FORMAT and "%" not in wanted:
        raise InvalidInput(f"Write the format of a date as in %d/%m/%Y, not {wanted!r}.")
    if field == SCORE_RANGE:
        low, high = score_range(wanted)
        if not _RANGE.fullmatch(wanted) or low >= high:
            raise InvalidInput(f"Write a range of scores as in 1-5, the worst first, not {wanted!r}.")
    return wanted


def list_columns(columns: Sequence[str]) -> str:
    """Return the names of the columns for a message, at most thirty of them."""
    short = [name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…" for name in columns]
    listed = ", ".join(short[:_LISTED_COLUMNS])
    more = len(columns) - _LISTED_COLUMNS
    return f"{listed} and {more} more" if more > 0 else listed


def _find_columns(field: str, wanted: str, columns: Sequence[str]) -> tuple[str, ...]:
    if not wanted.strip():
        return ()
    if wanted in columns:
        return (wanted,)
    names = [name.strip() for name in wanted.split(",")] if field in _SEVERAL else [wanted.strip()]
    for name in names:
        if column_of(name, columns) is None:
            raise InvalidInput(f"There is no column {name!r} for {field}; the columns are {list_columns(columns)}.")
    return tuple(dict.fromkeys(names))


# Names for a single chunk: together with numbered columns, such a column is not the whole list.
_SINGULAR = (
    "context", "chunk", "passage", "document", "kontext", "textstelle", "abschnitt", "dokument", "contexte", "extrait",
    "contexto", "fragmento", "pasaje", "documento",
)  # fmt: skip


def by_folded_name(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns by folded name; if two have the same one, the first wins."""
    return {fold_name(column): column for column in reversed(columns)}


def map_by_alias(columns: Sequence[str], *, without: frozenset[str] = frozenset()) -> Mapping:
    """Return the mapping that the columns' names alone suggest; each column is used once.

    Args:
        columns: the table's columns.
        without: columns to leave unmapped.
    """
    free = [column for column in columns if column not in without]
    single = {field: found[0] for field in FIELDS if field != "contexts" and (found := find_columns(field, free))}
    listed = find_columns("contexts", free)
    numbered = find_numbered_contexts(free)
    if numbered and (not listed or fold_name(listed[0]) in _SINGULAR):
        contexts = numbered
        # Repeated header names are numbered from 2: "context", "context_2".
        if listed and fold_name(numbered[0]) == f"{fold_name(listed[0])}_2":
            contexts = (listed[0], *numbered)
    else:
        contexts = listed[:1]
    return Mapping(contexts=contexts, **single)  # type: ignore[arg-type]  # fields with one column each
