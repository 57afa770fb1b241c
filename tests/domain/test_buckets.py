"""Days, weeks and months are cut by a zone's own calendar, days of 23 and 25 hours included."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from faithview.domain.buckets import Step, bounds, get_zone, in_zone, is_plausible
from faithview.domain.errors import InvalidInput

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_days_are_23_and_25_hours_long_when_clocks_change() -> None:
    days = [date(2026, 3, 29), date(2026, 3, 30), date(2026, 10, 25)]
    spans = [bounds(day, Step.DAY, BERLIN) for day in days]
    assert [(end - start) / timedelta(hours=1) for start, end in spans] == [23, 24, 25]
    assert spans[2] == (at("2026-10-24T22:00"), at("2026-10-25T23:00"))


def test_a_day_whose_midnight_is_skipped_begins_when_the_clocks_do() -> None:
    # In Beirut clocks went from 00:00 to 01:00 on 27 March 2022, at 22:00 UTC.
    assert bounds(date(2022, 3, 27), Step.DAY, ZoneInfo("Asia/Beirut"))[0] == at("2022-03-26T22:00")


def test_weeks_have_seven_days_and_months_end_across_the_year() -> None:
    assert bounds(date(2025, 12, 29), Step.WEEK, BERLIN) == (at("2025-12-28T23:00"), at("2026-01-04T23:00"))
    assert bounds(date(2025, 12, 1), Step.MONTH, BERLIN) == (at("2025-11-30T23:00"), at("2025-12-31T23:00"))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(1, 1, 1, tzinfo=UTC), False),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))), False),
        (datetime(1969, 12, 31, 23, 59, tzinfo=UTC), False),
        (datetime(1970, 1, 1, tzinfo=UTC), True),
        (datetime(2199, 12, 31, 23, 59, tzinfo=UTC), True),
        (datetime(2200, 1, 1, tzinfo=UTC), False),
        (datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-9))), False),
    ],
)
def test_times_that_stand_for_no_date_are_not_plausible(moment: datetime, expected: bool) -> None:
    assert is_plausible(moment) is expected


def test_a_moment_at_the_end_of_the_calendar_is_shown_as_it_is_where_the_zones_clocks_have_none() -> None:
    assert in_zone(at("0001-01-01T00:00"), ZoneInfo("America/New_York")) == at("0001-01-01T00:00")
    assert in_zone(at("2026-03-01T23:30"), BERLIN).day == 2


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd", "Europe"])
def test_a_zone_that_there_is_not_is_refused_with_its_name(name: str) -> None:
    with pytest.raises(InvalidInput, match="There is no time zone"):
        get_zone(name)
