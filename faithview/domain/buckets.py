"""Days, weeks and months of a time zone's own calendar as spans of absolute time, and which times are plausible.

A day begins at local midnight, so it has 23 or 25 hours when the clocks change; weeks begin on Monday (ISO 8601). If
the clocks skip midnight, the day begins at that moment.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import assert_never
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from faithview.domain.errors import InvalidInput

# Dates outside are placeholders, such as 9999-12-31 and year 1, and would always be the newest or the oldest.
FIRST_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
END_OF_TIME = datetime(2200, 1, 1, tzinfo=UTC)


class Step(StrEnum):
    """How time is cut: a point for each run, or one for each day, week or month of the rows' own timestamps."""

    RUN = "run"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A day, a week or a month: `day` is its first day, and it contains the moments with `start` <= moment < `end`."""

    day: date
    start: datetime
    end: datetime


def get_zone(name: str) -> ZoneInfo:
    """Return the time zone with that name ("Europe/Berlin"); raises InvalidInput if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"There is no time zone {name!r}; name one such as 'UTC' or 'Europe/Berlin'.") from None


def is_plausible(moment: datetime) -> bool:
    """Return whether an aware moment can be when something happened: in the years 1970 to 2199 of UTC."""
    return FIRST_MOMENT <= moment < END_OF_TIME


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment in the zone's local time; unchanged at the ends of the calendar, where that overflows."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def first_day(moment: datetime, step: Step, zone: ZoneInfo) -> date:
    """Return the first day of the day, week or month that the moment falls in, by the zone's calendar."""
    day = moment.astimezone(zone).date()
    match step:
        case Step.DAY:
            return day
        case Step.WEEK:
            return day - timedelta(days=day.weekday())
        case Step.MONTH:
            return day.replace(day=1)
        case Step.RUN:
            raise ValueError("Runs are not divided into periods; only days, weeks and months are.")
        case _:
            assert_never(step)


def bucket_of(moment: datetime, step: Step, zone: ZoneInfo) -> Bucket:
    """Return the day, week or month that contains the moment, which must be plausible."""
    day = first_day(moment, step, zone)
    return Bucket(day=day, start=day_start(day, zone), end=day_start(_following(day, step), zone))


def day_start(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment, in UTC, at which a day begins in that zone."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def _following(day: date, step: Step) -> date:
    if step is Step.MONTH:
        return date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return day + timedelta(days=1 if step is Step.DAY else 7)
