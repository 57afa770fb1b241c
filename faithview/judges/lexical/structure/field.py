"""One field of a record in a chunk: which keys lead to it, what its value says, and of what it says it."""

from dataclasses import dataclass, field

Place = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field `[start, end)` with the places of the keys that lead to it, its own last, and of its value.

    `is_flag`: the value is true or false (or yes or no); `is_denied`: it is false; `is_unknown`: it is null.

    Where a chunk tells of several things alike, `subject` is the place of the name of the one that the field tells of
    (the first cell of a row, the "name" of an object in a list), `element` counts these things, and `group` is where
    the table or list begins, -1 for the fields of a record that stands alone: its name is the first field's `subject`.

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
