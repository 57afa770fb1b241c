"""The values of many passages, so that those that say the same as another one are found without comparing all."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from faithview.judges.lexical.values.equality import is_same
from faithview.judges.lexical.values.model import Bound, Kind, Value

# `is_same` allows at most this share of the larger number, plus what rounding takes.
_WIDEST, _NARROWEST = 0.051, 1.1e-6
# Of all chunks of an answer. A long book has a tenth of it.
_MOST_VALUES = 100_000
_TEMPERATURES = frozenset({"celsius", "fahrenheit", "degree"})


class ValueIndex:
    """Values by what they say; where they stand does not count. What it finds is what `is_same` says of each pair."""

    def __init__(self, values: Iterable[Value]) -> None:
        distinct = dict.fromkeys(_placeless(value) for value in islice(values, _MOST_VALUES))
        # Within a group, how far apart two numbers may be depends on the other value alone.
        self._groups: dict[tuple[str, float, bool], list[Value]] = {}
        self._others: list[Value] = []
        for value in distinct:
            if value.kind is Kind.DATE or value.unit in _TEMPERATURES:
                self._others.append(value)
            else:
                self._groups.setdefault((value.unit, value.written, _is_loose(value)), []).append(value)
        for group in self._groups.values():
            group.sort(key=_number)
        self._numbers = {key: [value.number for value in group] for key, group in self._groups.items()}
        self._units: dict[Value, frozenset[str]] = {}

    def units_of_same(self, value: Value) -> frozenset[str]:
        """Return the units of all values here that say the same as this one; none where no value does."""
        placeless = _placeless(value)
        if placeless not in self._units:
            self._units[placeless] = self._look_up(placeless)
        return self._units[placeless]

    def _look_up(self, value: Value) -> frozenset[str]:
        units = {other.unit for other in self._others if is_same(value, other)}
        if value.kind is Kind.DATE or value.unit in _TEMPERATURES:
            for group in self._groups.values():
                units.update(other.unit for other in group if is_same(value, other))
            return frozenset(units)
        for key, group in self._groups.items():
            unit, written, is_loose = key
            if unit in units:
                continue
            # A value without its unit is compared as it is written: "24" and "24 hours".
            number = value.number if unit == value.unit else value.number / value.written * written
            is_exact = unit != value.unit or (written == value.written and not is_loose and not _is_loose(value))
            width = _NARROWEST if is_exact else _WIDEST
            low, high = sorted((number * (1 - width), number * (1 + 2 * width)))
            numbers = self._numbers[key]
            near = group[bisect_left(numbers, low) : bisect_right(numbers, high)]
            if any(is_same(value, other) for other in near):
                units.add(unit)
        return frozenset(units)


def _placeless(value: Value) -> Value:
    return replace(value, start=0, end=0)


def _is_loose(value: Value) -> bool:
    return value.is_rough or value.bound is not Bound.NONE


def _number(value: Value) -> float:
    return value.number
