"""Days, weeks and months are cut by a zone's own calendar, days of 23 and 25 hours included."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from faithview.domain.buckets import Bucket, Step, bucket_of, day_start, first_day, get_zone, in_zone, is_plausible
from faithview.domain.errors import InvalidInput

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def list_buckets(first: datetime, last: datetime, step: Step, zone: ZoneInfo) -> list[Bucket]:
    """Return the buckets from one to another, each beginning where the one before ends."""
    found = [bucket_of(first, step, zone)]
    while found[-1].end <= last:
        found.append(bucket_of(found[-1].end, step, zone))
    return found


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("UTC", "2026-03-01T23:30", "2026-03-01"),
        ("Europe/Berlin", "2026-03-01T23:30", "2026-03-02"),
        ("America/New_York", "2026-03-02T03:30", "2026-03-01"),
        ("Asia/Kathmandu", "2026-03-01T18:15", "2026-03-02"),  # 5:45 ahead: midnight there
        ("Asia/Kathmandu", "2026-03-01T18:14", "2026-03-01"),
        ("Pacific/Kiritimati", "2026-03-01T10:00", "2026-03-02"),  # 14 hours ahead
    ],
)
def test_a_moment_is_of_the_day_that_the_zones_calendar_shows(zone: str, moment: str, day: str) -> None:
    assert first_day(at(moment), Step.DAY, ZoneInfo(zone)) == date.fromisoformat(day)


def test_days_are_23_and_25_hours_long_when_clocks_change() -> None:
    spring = list_buckets(at("2026-03-28T12:00"), at("2026-03-30T12:00"), Step.DAY, BERLIN)
    autumn = list_buckets(at("2026-10-24T12:00"), at("2026-10-26T12:00"), Step.DAY, BERLIN)
    assert [(b.end - b.start) / timedelta(hours=1) for b in spring] == [24, 23, 24]
    assert [(b.end - b.start) / timedelta(hours=1) for b in autumn] == [24, 25, 24]
    assert autumn[1].start == at("2026-10-24T22:00")
    assert autumn[1].end == at("2026-10-25T23:00")


def test_a_day_whose_midnight_is_skipped_begins_when_the_clocks_do() -> None:
    # In Beirut clocks went from 00:00 to 01:00 on 27 March 2022, at 22:00 UTC.
    assert day_start(date(2022, 3, 27), ZoneInfo("Asia/Beirut")) == at("2022-03-26T22:00")
    assert first_day(at("2022-03-26T22:00"), Step.DAY, ZoneInfo("Asia/Beirut")) == date(2022, 3, 27)
    assert first_day(at("2022-03-26T21:59"), Step.DAY, ZoneInfo("Asia/Beirut")) == date(2022, 3, 26)


def test_weeks_begin_on_monday_and_months_on_the_first_across_the_year() -> None:
    weeks = list_buckets(at("2025-12-31T12:00"), at("2026-01-05T12:00"), Step.WEEK, BERLIN)
    assert [b.day for b in weeks] == [date(2025, 12, 29), date(2026, 1, 5)]
    months = list_buckets(at("2025-11-30T23:30"), at("2026-01-31T23:30"), Step.MONTH, BERLIN)
    # Half past eleven in UTC is the next day, and here the next month, in Berlin.
    assert [b.day for b in months] == [date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1)]


@pytest.mark.parametrize("step", [Step.DAY, Step.WEEK, Step.MONTH])
def test_buckets_leave_no_gap_and_hold_both_ends(step: Step) -> None:
    first, last = at("2025-09-10T05:00"), at("2026-05-03T22:30")
    found = list_buckets(first, last, step, BERLIN)
    assert [b.start for b in found[1:]] == [b.end for b in found[:-1]]
    assert found[0].start <= first < found[0].end
    assert found[-1].start <= last < found[-1].end


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


@pytest.mark.parametrize("step", [Step.DAY, Step.WEEK, Step.MONTH])
@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Kiritimati"])
def test_the_first_and_the_last_plausible_moment_are_in_a_bucket(step: Step, zone: str) -> None:
    for moment in (at("1970-01-01T00:00"), at("2199-12-31T23:59")):
        bucket = bucket_of(moment, step, ZoneInfo(zone))
        assert bucket.start <= moment < bucket.end


def test_a_moment_at_the_end_of_the_calendar_is_shown_as_it_is_where_the_zones_clocks_have_none() -> None:
    assert in_zone(at("0001-01-01T00:00"), ZoneInfo("America/New_York")) == at("0001-01-01T00:00")
    assert in_zone(at("2026-03-01T23:30"), BERLIN).day == 2


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd", "Europe"])
def test_a_zone_that_there_is_not_is_refused_with_its_name(name: str) -> None:
    with pytest.raises(InvalidInput, match="There is no time zone"):
        get_zone(name)
