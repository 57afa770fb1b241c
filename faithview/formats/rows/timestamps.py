"""When an answer was given: reads the ways in which files write a point in time."""

import email.utils
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from faithview.domain.buckets import is_plausible
from faithview.formats.rows.cells import is_missing

_FORMS = (
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d",
    "%Y-%m-%d %H:%M:%S %Z",
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
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(.*)", re.DOTALL)
_NUMBER = re.compile(r"\d{9,19}(\.\d+)?")
# A smaller number (before 1973) is not a Unix time but a year, a date without dashes or a count.
_FIRST_EPOCH_S = 1e8


@dataclass(frozen=True, slots=True, kw_only=True)
class PointInTime:
    """A parsed timestamp; `is_assumed_utc` if the file names no time zone."""

    at: datetime
    is_assumed_utc: bool


def parse_timestamp(value: object) -> PointInTime | None:
    """Return the point in time in a cell, None if there is none or it is ambiguous.

    Reads ISO 8601, seconds, milli-, micro- and nanoseconds since 1970, RFC 2822 and forms with the English name of the
    month. A date such as 03/04/2025 can mean two days, so it is not read. Dates before 1970 and after 2199, such as
    9999-12-31, are placeholders and not read either.
    """
    if is_missing(value) or isinstance(value, bool):
        return None
    if isinstance(value, datetime):
        return _in_utc(value)
    if isinstance(value, date):
        return _in_utc(datetime.combine(value, time()))
    if isinstance(value, int | float):
        return _from_epoch(float(value))
    return _from_text(value.strip()) if isinstance(value, str) else None


def _from_text(text: str) -> PointInTime | None:
    if _NUMBER.fullmatch(text):
        return _from_epoch(float(text))
    try:
        return _in_utc(datetime.fromisoformat(text))
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return _in_utc(datetime.strptime(text, form))  # noqa: DTZ007 - a missing zone is reported
        except ValueError:
            continue
    if slashed := _SLASHED.fullmatch(text):
        return _from_slashed(slashed)
    try:
        return _in_utc(email.utils.parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError):
        return None


def _from_slashed(parts: re.Match[str]) -> PointInTime | None:
    first, second, year = int(parts[1]), int(parts[2]), parts[3]
    if first <= 12 and second <= 12 and first != second:
        return None
    day, month = (first, second) if second <= 12 else (second, first)
    rest = parts[4].strip()
    try:
        return _in_utc(datetime.fromisoformat(f"{year}-{month:02}-{day:02}" + (f"T{rest}" if rest else "")))
    except ValueError:
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
