"""Which column means what: detected from the file, corrected by a person."""

from collections.abc import Mapping as MappingABC
from collections.abc import Sequence
from dataclasses import dataclass, replace

from faithview.domain.errors import InvalidInput
from faithview.formats.files.aliases import FIELDS
from faithview.formats.rows.timestamps import DATE_ORDERS

SEPARATOR = "context_separator"
DATE_ORDER = "date_order"
IGNORED = "ignore"
_NAMED_SEPARATORS = {"blank": "\n\n", "line": "\n", "newline": "\n", "tab": "\t"}
_LISTED_COLUMNS = 30
# The fields that several columns can be mapped to.
_SEVERAL = ("contexts", IGNORED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """The column of each field, None if the file has none.

    `contexts` are one column or several, empty if no column is known to hold the retrieved chunks. If a row's `claim`
    column has a value, that is judged instead of the answer. `context_separator` splits plain context texts into
    chunks; it is None unless a person asked for it. `unmapped_contexts` says why a column that looks like the contexts
    was not used, "" if there is no such column. `date_order` says which day 05/06/2026 is ("day-first" or
    "month-first"); None leaves such dates unread. `ignore` are columns that are not even stored beside the answer.
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
    unmapped_contexts: str = ""
    date_order: str | None = None
    ignore: tuple[str, ...] = ()

    @property
    def columns(self) -> frozenset[str]:
        """All columns that are mapped to something."""
        single = (getattr(self, field) for field in FIELDS if field != "contexts")
        return frozenset({*self.contexts, *(column for column in single if column is not None)})

    def override(self, overrides: MappingABC[str, tuple[str, ...]]) -> "Mapping":
        """Return the mapping with the fields a person named (see `parse_mapping`) in place of the detected ones."""
        changes: dict[str, object] = {}
        for field, columns in overrides.items():
            changes[field] = columns if field in _SEVERAL else next(iter(columns), None)
        taken = {column for columns in overrides.values() for column in columns}
        for field in FIELDS:
            if field not in overrides and field != "contexts" and getattr(self, field) in taken:
                changes[field] = None
        for field in _SEVERAL:
            if field not in overrides and taken.intersection(getattr(self, field)):
                changes[field] = tuple(column for column in getattr(self, field) if column not in taken)
        return replace(self, **changes)  # type: ignore[arg-type]  # names out of FIELDS, built above


def parse_mapping(items: Sequence[str], *, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the columns that `--map field=column` options name, by field.

    `contexts=a,b` names several columns; a column whose own name contains a comma can be named as it is. `field=` says
    that the file has no such column. `context_separator=` takes `blank` (an empty line), `line`, `tab` or the
    characters themselves, `date_order=` day-first or month-first, and `ignore=a,b` the columns not to store.

    Raises:
        InvalidInput: no "=", an unknown field or column (the text lists those that exist), or a field named twice.
    """
    overrides: dict[str, tuple[str, ...]] = {}
    for item in items:
        field, equals, wanted = item.partition("=")
        field = field.strip()
        if not equals:
            raise InvalidInput(f"The mapping {item!r} has no '='; write field=column, as in answer=response.")
        if field not in (*FIELDS, SEPARATOR, DATE_ORDER, IGNORED):
            raise InvalidInput(
                f"There is no field {field!r} to map; the fields are {', '.join(FIELDS)}, {SEPARATOR}, {DATE_ORDER} "
                f"and {IGNORED}."
            )
        if field in overrides:
            raise InvalidInput(f"The field {field!r} is mapped twice; name it once.")
        if field == SEPARATOR:
            overrides[field] = (_NAMED_SEPARATORS.get(wanted, wanted),) if wanted else ()
        elif field == DATE_ORDER:
            if wanted and wanted not in DATE_ORDERS:
                raise InvalidInput(f"The order of a date is {' or '.join(DATE_ORDERS)}, not {wanted!r}.")
            overrides[field] = (wanted,) if wanted else ()
        else:
            overrides[field] = _find_columns(field, wanted, columns)
    return overrides


def list_columns(columns: Sequence[str]) -> str:
    """Return the names of the columns for a message, at most thirty of them."""
    listed = ", ".join(_short(column) for column in columns[:_LISTED_COLUMNS])
    more = len(columns) - _LISTED_COLUMNS
    return f"{listed} and {more} more" if more > 0 else listed


def _find_columns(field: str, wanted: str, columns: Sequence[str]) -> tuple[str, ...]:
    if not wanted.strip():
        return ()
    if wanted in columns:
        return (wanted,)
    names = [name.strip() for name in wanted.split(",")] if field in _SEVERAL else [wanted.strip()]
    for name in names:
        if name not in columns:
            raise InvalidInput(f"There is no column {name!r} for {field}; the columns are {list_columns(columns)}.")
    return tuple(dict.fromkeys(names))


def _short(name: str) -> str:
    return name if len(name) <= 60 else name[:59] + "…"
