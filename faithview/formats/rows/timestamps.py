"""Reads the time of an answer in all formats that files use."""

import email.utils
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from faithview.domain.buckets import is_plausible
from faithview.formats.rows.cells import as_number, is_missing

_FORMS = (
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d",
    "%Y-%m-%d %H:%M:%S %z",
    "%d %b %Y %H:%M:%S",
    "%d %b %Y %H:%M",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y %H:%M:%S",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y",
)
# 05/06/2026, 5-6-26: with dots the day is always first. A year of two digits can also be a day.
_SLASHED = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?:[ T,]+(\S.*))?")
_CLOCK_FORMS = ("%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p", "%H:%M:%S.%f", "%H:%M:%S%z", "%H:%M%z")
_CENTURY = 2000
_FULL_YEAR = 4
DAY_FIRST, MONTH_FIRST = "day-first", "month-first"
DATE_ORDERS = (DAY_FIRST, MONTH_FIRST)
_NUMBER = re.compile(r"\d{9,19}(\.\d+)?")
_DIGIT = re.compile(r"\d")
# No form of a date is longer.
_LONGEST = 60
# Other zone names are not read, because Python's support for them depends on the machine.
_ENDS_IN_UTC = re.compile(r"(?<=\d) (?:UTC|GMT)$")
# A smaller number (before 1973) is a year, a date without dashes or a count instead of a Unix time.
_FIRST_EPOCH_S = 1e8


@dataclass(frozen=True, slots=True, kw_only=True)
class PointInTime:
    """A parsed timestamp; `is_assumed_utc` if the file names no time zone."""

    at: datetime
    is_assumed_utc: bool


def parse_timestamp(
    value: object, *, date_order: str | None = None, date_format: str | None = None
) -> PointInTime | None:
    """Return the point in time in a cell, None if there is none or it is ambiguous.

    Reads ISO 8601, seconds, milli-, micro- and nanoseconds since 1970, RFC 2822 and forms with the English name of the
    month. Dates before 1970 and after 2199, such as 9999-12-31, are placeholders and not read.

    Args:
        value: the cell.
        date_order: which day 03/04/2025 is, one of `DATE_ORDERS`; with None ambiguous dates are not read. A date with a
            two-digit year is always ambiguous; its year is in this century.
        date_format: the format of texts, as for `strptime`; a text in any other format has no time.
    """
    if is_missing(value) or isinstance(value, bool):
        return None
    if isinstance(value, datetime):
        return _in_utc(value)
    if isinstance(value, date):
        return _in_utc(datetime.combine(value, time()))
    if isinstance(value, int | float):
        return _from_epoch(as_number(value))
    if not isinstance(value, str):
        return None
    if date_format is not None:
        try:
            return _in_utc(datetime.strptime(value.strip(), date_format))  # noqa: DTZ007 - a missing zone is reported
        except ValueError:
            return None
    return _from_text(value.strip(), date_order)


def needs_date_order(value: object) -> bool:
    """Return whether a cell is a date that can only be read with a given order of day and month."""
    if not isinstance(value, str) or parse_timestamp(value) is not None:
        return False
    return any(parse_timestamp(value, date_order=order) is not None for order in DATE_ORDERS)


def told_order(value: object) -> str | None:
    """Return the order that a date such as 25/06/2026 shows; None for any other cell."""
    if not isinstance(value, str) or not (slashed := _SLASHED.fullmatch(value.strip())):
        return None
    fits = [order for order in DATE_ORDERS if _from_slashed(slashed, order) is not None]
    return fits[0] if len(fits) == 1 else None


def _from_text(text: str, date_order: str | None) -> PointInTime | None:
    if len(text) > _LONGEST or not _DIGIT.search(text):  # prose, which is most of a file, is not tried in every form
        return None
    if _NUMBER.fullmatch(text):
        return _from_epoch(float(text))
    try:
        return _in_utc(datetime.fromisoformat(_ENDS_IN_UTC.sub("+00:00", text)))
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return _in_utc(datetime.strptime(text, form))  # noqa: DTZ007 - a missing zone is reported
        except ValueError:
            continue
    if slashed := _SLASHED.fullmatch(text):
        return _from_slashed(slashed, date_order)
    try:
        return _in_utc(email.utils.parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError):
        return None


def _from_slashed(parts: re.Match[str], date_order: str | None) -> PointInTime | None:
    first, second = int(parts[1]), int(parts[3])
    year = int(parts[4]) if len(parts[4]) == _FULL_YEAR else _CENTURY + int(parts[4])
    if date_order is None:
        if len(parts[4]) < _FULL_YEAR or (first <= 12 and second <= 12 and first != second):
            return None
        date_order = DAY_FIRST if second <= 12 else MONTH_FIRST
    day, month = (first, second) if date_order == DAY_FIRST else (second, first)
    clock = _read_clock((parts[5] or "").strip())
    if clock is None:
        return None
    try:
        return _in_utc(datetime.combine(date(year, month, day), clock))
    except ValueError:
        return None


def _read_clock(text: str) -> time | None:
    """Return the time of day that follows a date; midnight if there is none, None if it cannot be read."""
    if not text:
        return time()
    try:
        return time.fromisoformat(text)
    except ValueError:
        pass
    for form in _CLOCK_FORMS:
        try:
            return datetime.strptime(text.upper(), form).timetz()  # noqa: DTZ007 - a missing zone is reported
        except ValueError:
            continue
    return None


def _from_epoch(number: float) -> PointInTime | None:
    for unit_s in (1, 1e-3, 1e-6, 1e-9):
        seconds = number * unit_s
        if seconds < _FIRST_EPOCH_S:
            return None
        # 100 times the lower bound is the year 2286, so the units cannot be confused.
        if seconds < 100 * _FIRST_EPOCH_S:
            return _in_utc(datetime.fromtimestamp(seconds, UTC))
    return None


def _in_utc(moment: datetime) -> PointInTime | None:
    is_assumed_utc = moment.tzinfo is None
    at = moment.replace(tzinfo=UTC) if is_assumed_utc else moment
    return PointInTime(at=at, is_assumed_utc=is_assumed_utc) if is_plausible(at) else None
