"""A value that a text states: a number, a quantity, a date, a time, an ordinal or a weekday."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a value says; values of different kinds never contradict each other."""

    NUMBER = "number"
    QUANTITY = "quantity"
    DATE = "date"
    TIME = "time"
    ORDINAL = "ordinal"
    WEEKDAY = "weekday"


class Bound(StrEnum):
    """Whether a value is a limit: "over 20" says that there are 20 and more, "under 20" that there are fewer."""

    NONE = ""
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value at `[start, end)`.

    `number` is in base units of `unit` (a dimension or a currency, "" for a plain number), minutes after midnight for a
    time, 1-7 for a weekday, and unused for a date, whose `date` is (year, month, day) with 0 for what is not said.
    `written` is the size of the unit as it was written. `is_rough`: "about", "nearly".
    """

    kind: Kind
    start: int
    end: int
    number: float = 0.0
    unit: str = ""
    written: float = 1.0
    date: tuple[int, int, int] = (0, 0, 0)
    is_rough: bool = False
    bound: Bound = Bound.NONE
