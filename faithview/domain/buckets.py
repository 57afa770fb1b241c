"""Days, weeks and months of a time zone's own calendar as spans of absolute time, and which times are plausible.

A day begins at local midnight, so it has 23 or 25 hours when the clocks change; weeks begin on Monday (ISO 8601).
"""

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
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


def bounds(day: date, step: Step, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return when the day, week or month that begins on this day begins and ends, in UTC.

    Where the clocks skip midnight, the day begins at that moment.
    """
    following = day + timedelta(days=7 if step is Step.WEEK else 1)
    if step is Step.MONTH:
        following = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    start, end = (datetime(one.year, one.month, one.day, tzinfo=zone).astimezone(UTC) for one in (day, following))
    return start, end
