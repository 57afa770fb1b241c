"""Whether two values say the same, and which passages state a value."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from faithview.judges.lexical.passages.values import Bound, Kind, Value
from faithview.judges.text.units import MONEY


def is_same(one: Value, other: Value) -> bool:
    """Return whether the two say the same, as far as both say anything: "May 2021" is in "3 May 2021"."""
    if Kind.DATE in (one.kind, other.kind):
        return _is_same_date(one, other)
    if one.kind is not other.kind and not ({one.kind, other.kind} <= {Kind.NUMBER, Kind.QUANTITY}):
        return False
    if one.unit and other.unit and one.unit != other.unit:
        return _is_same_temperature(one, other)
    if one.unit != other.unit:  # "24" and "24 hours": one of them leaves its unit out
        return _is_near(one.number / one.written, other.number / other.written, 1e-6)
    tolerance = 1e-6
    if one.written != other.written and one.unit not in MONEY:
        tolerance = 0.04  # converted and rounded: 12 mi is 20 km for a writer
    if one.unit == "percent" and (_is_within(one, other) or _is_within(other, one)):
        return True  # 60% is "more than half"
    if one.is_rough or other.is_rough or _is_within(one, other) or _is_within(other, one):
        tolerance = max(tolerance, _ROUGHLY)
    return _is_near(one.number, other.number, tolerance)


# 21 can be called "about 20" or "over 20".
_ROUGHLY = 0.05


def _is_within(limit: Value, other: Value) -> bool:
    """Return whether a plain value keeps the limit that the other one states; two limits are alike or differ."""
    if other.bound is not Bound.NONE:
        return False
    if limit.bound is Bound.AT_LEAST:
        return other.number >= limit.number
    return limit.bound is Bound.AT_MOST and other.number <= limit.number


def is_weaker(limit: Value, other: Value) -> bool:
    """Return whether a limit follows from a plain value: 38 metres are "more than 30 metres"."""
    differs = can_differ(limit, other) and limit.unit == other.unit and limit.number != other.number
    return differs and _is_within(limit, other)


def can_differ(one: Value, other: Value) -> bool:
    """Return whether the two are of the same kind, so one would contradict the other in the same place."""
    if Kind.DATE in (one.kind, other.kind):
        return one.kind is other.kind and any(a and b for a, b in zip(one.date, other.date, strict=True))
    temperatures = {"celsius", "fahrenheit", "degree"}
    units = {one.unit, other.unit}
    return one.kind is other.kind and (one.unit == other.unit or units <= temperatures or units <= MONEY)


def _is_near(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def _is_same_temperature(one: Value, other: Value) -> bool:
    units = {one.unit, other.unit}
    if units == {"celsius", "fahrenheit"}:
        celsius, fahrenheit = (one, other) if one.unit == "celsius" else (other, one)
        return abs(celsius.number * 9 / 5 + 32 - fahrenheit.number) <= 6  # 350 °F is 175 °C for a cook
    return "degree" in units and units <= {"celsius", "fahrenheit", "degree"} and one.number == other.number


def _is_same_date(one: Value, other: Value) -> bool:
    if one.kind is not other.kind:
        # A bare number may be the year of a date.
        number, date = (one, other) if other.kind is Kind.DATE else (other, one)
        return number.kind is Kind.NUMBER and date.date[0] != 0 and number.number == date.date[0]
    pairs = list(zip(one.date, other.date, strict=True))
    shared = [a == b for a, b in pairs if a and b]
    return bool(shared) and all(shared)


# `is_same` allows at most this share of the larger number, plus what rounding takes.
_WIDEST, _NARROWEST = 0.051, 1.1e-6
# Limit for all chunks of an answer together; a long book has a tenth of it.
_MOST_VALUES = 100_000
_TEMPERATURES = frozenset({"celsius", "fahrenheit", "degree"})


class ValueIndex:
    """Values by their meaning, regardless of their place. Finds the same as `is_same` for each pair."""

    def __init__(self, values: Iterable[Value]) -> None:
        distinct = dict.fromkeys(_placeless(value) for value in islice(values, _MOST_VALUES))
        # Within a group, the allowed difference of two numbers depends only on the other value.
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
        """Return the units of all values here that say the same as this one; empty if none does."""
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
            # A value without its unit is compared as written: "24" and "24 hours".
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
