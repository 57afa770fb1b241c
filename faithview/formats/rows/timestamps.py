"""Reads the time of an answer in all formats that files use."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone

from dateutil.parser import parse

from faithview.domain.buckets import is_plausible
from faithview.formats.rows.cells import as_number, is_missing

DAY_FIRST, MONTH_FIRST = "day-first", "month-first"
DATE_ORDERS = (DAY_FIRST, MONTH_FIRST)
_EPOCH = re.compile(r"\d{9,19}(\.\d+)?")
# A smaller number (before 1973) is a year, a date without dashes or a count instead of a Unix time.
_FIRST_EPOCH_S = 1e8
# A date has a year of four digits. "2024.1.3" is a version.
_YEAR = re.compile(r"(?<!\d)\d{4}(?![\d.])")
_SLASHED = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-]\d{4}")
_ONLY_DAYS = range(13, 32)
# No form of a date is longer.
_LONGEST = 60
# What a text leaves out is taken from one of these days: the readings of an incomplete date differ.
_DEFAULTS = (datetime(2000, 1, 1), datetime(2001, 2, 2))  # noqa: DTZ001 - a missing zone is reported


@dataclass(frozen=True, slots=True, kw_only=True)
class PointInTime:
    """A parsed timestamp; `is_assumed_utc` if the file names no time zone."""

    at: datetime
    is_assumed_utc: bool


def parse_timestamp(
    value: object, *, date_order: str | None = None, date_format: str | None = None
) -> PointInTime | None:
    """Return the point in time in a cell, None if there is none or it is ambiguous.

    Reads ISO 8601, seconds, milli-, micro- and nanoseconds since 1970, RFC 2822, forms with the English name of the
    month and dates in numbers; the year must have four digits, and with dots the day is first. Dates before 1970 and
    after 2199, such as 9999-12-31, are placeholders and not read.

    Args:
        value: the cell.
        date_order: which day 03/04/2025 is, one of `DATE_ORDERS`; with None ambiguous dates are not read.
        date_format: the format of texts, as for `strptime`; a text in any other format has no time.
    """
    if is_missing(value) or isinstance(value, bool):
        return None
    moment: datetime | None = None
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, date):
        moment = datetime.combine(value, time())
    elif isinstance(value, int | float):
        moment = _from_epoch(as_number(value))
    elif isinstance(value, str):
        try:
            moment = _from_text(value.strip(), date_order, date_format)
        except (ValueError, OverflowError):
            return None
    if moment is None:
        return None
    at = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return PointInTime(at=at, is_assumed_utc=moment.tzinfo is None) if is_plausible(at) else None


def needs_date_order(value: object) -> bool:
    """Return whether a cell is a date that can only be read with a given order of day and month."""
    return parse_timestamp(value) is None and parse_timestamp(value, date_order=DAY_FIRST) is not None


def told_order(value: object) -> str | None:
    """Return the order that a date such as 25/06/2026 shows; None for any other cell."""
    slashed = _SLASHED.match(value.strip()) if isinstance(value, str) else None
    first, second = (int(slashed[1]) in _ONLY_DAYS, int(slashed[2]) in _ONLY_DAYS) if slashed else (False, False)
    if first == second:
        return None
    return DAY_FIRST if first else MONTH_FIRST


def _from_epoch(number: float) -> datetime | None:
    for unit_s in (1, 1e-3, 1e-6, 1e-9):
        # 100 times the lower bound is the year 2286, so the units cannot be confused.
        if _FIRST_EPOCH_S <= number * unit_s < 100 * _FIRST_EPOCH_S:
            return datetime.fromtimestamp(number * unit_s, UTC)
    return None


def _from_text(text: str, date_order: str | None, date_format: str | None) -> datetime | None:
    """Return the time in a text; raises ValueError or OverflowError, or returns None, if it is none."""
    if date_format is not None:
        return datetime.strptime(text, date_format)  # noqa: DTZ007 - a missing zone is reported
    if _EPOCH.fullmatch(text):
        return _from_epoch(float(text))
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    year = _YEAR.search(text) if len(text) <= _LONGEST else None
    if year is None:
        return None
    if year.start() == 0:
        date_order = MONTH_FIRST
    elif "." in text[: year.start()]:
        date_order = DAY_FIRST
    # Without an order each is tried once; the readings then agree on a date that can mean one day only.
    first = parse(text, dayfirst=date_order != MONTH_FIRST, default=_DEFAULTS[0], tzinfos=_zone)
    second = parse(text, dayfirst=date_order == DAY_FIRST, default=_DEFAULTS[1], tzinfos=_zone)
    return first if first == second else None


def _zone(name: str | None, offset_s: int | None) -> timezone | None:
    if offset_s is not None:
        return timezone(timedelta(seconds=offset_s))
    if name is not None:  # whether Python knows such a name depends on the machine
        raise ValueError(f"the time zone {name!r} is not an offset from UTC")
    return None
