"""Single values: points in time, and columns that are only kept."""

import io
import time as clock
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from faithview.domain.sample import Sample
from faithview.formats.rows.cells import as_json
from faithview.formats.rows.samples import ASSUMED_UTC
from faithview.formats.rows.timestamps import PointInTime, parse_timestamp
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_jsonl, read

NOON = datetime(2025, 3, 31, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2025-03-31T12:00:00Z",
        "2025-03-31T14:00:00+02:00",
        "2025-03-31 12:00:00+00:00",
        "20250331T120000Z",
        1743422400,
        1743422400.0,
        "1743422400",
        1743422400000,
        "1743422400000",
        1743422400000000,
        1743422400000000000,
        "Mon, 31 Mar 2025 12:00:00 +0000",
        "2025-03-31 12:00:00 UTC",
        "2025-03-31 12:00 GMT",
        NOON.astimezone(timezone(timedelta(hours=5))),
    ],
)
def test_a_point_in_time_is_read_from(value: object) -> None:
    assert parse_timestamp(value) == PointInTime(at=NOON, is_assumed_utc=False)


@pytest.mark.parametrize(
    "value",
    [
        "2025-03-31T12:00:00", "2025-03-31 12:00", "2025/03/31 12:00", "31.03.2025 12:00", "31/03/2025 12:00",
        "03/31/2025 12:00:00", "31 Mar 2025 12:00", " 2025-03-31T12 ", datetime(2025, 3, 31, 12),  # noqa: DTZ001 - a file's own has none
    ],
)  # fmt: skip
def test_a_time_without_a_zone_is_taken_as_utc_and_marked(value: object) -> None:
    assert parse_timestamp(value) == PointInTime(at=NOON, is_assumed_utc=True)


@pytest.mark.parametrize("value", ["2025-03-31", date(2025, 3, 31), "March 31, 2025", "20250331"])
def test_a_day_begins_at_midnight(value: object) -> None:
    moment = parse_timestamp(value)
    assert moment is not None
    assert moment.at == datetime(2025, 3, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    "value", ["03/04/2025", "yesterday", "", None, 2025, 17, True, "99/99/2025", "2025-13-01", 1e300, float("inf"), -5,
     "9999-12-31", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "1969-12-31", "2200-01-01", date(9999, 12, 31),
     9_999_999_999, "0001-01-01T00:00:00+05:00"]
)  # fmt: skip
def test_what_is_no_certain_point_in_time_is_not_guessed_at(value: object) -> None:
    assert parse_timestamp(value) is None


def test_the_name_of_a_zone_is_read_alike_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    clock.tzset()
    try:
        assert parse_timestamp("2025-03-31 12:00:00 EST") is None
    finally:
        monkeypatch.undo()
        clock.tzset()


def test_an_uncertain_timestamp_is_kept_as_an_extra_column_with_a_warning() -> None:
    rows = [
        {"answer": "a", "contexts": ["c"], "created_at": value}
        for value in ("03/04/2025", "2025-03-31 12:00:00", None, "2025-03-31T12:00:00Z")
    ]
    items, report = read(as_jsonl(rows))
    samples = [item for item in items if isinstance(item, Sample)]
    assert [sample.timestamp for sample in samples] == [None, NOON, None, NOON]
    assert [dict(sample.extra) for sample in samples] == [{"created_at": "03/04/2025"}, {}, {"created_at": None}, {}]
    assert list(report.warnings.values()) == [1]
    assert report.notes == [ASSUMED_UTC]


def test_a_date_that_can_mean_two_days_is_read_as_others_of_its_column_show() -> None:
    def times(*dates: str) -> list[datetime | None]:
        rows = as_jsonl([{"answer": "a", "contexts": ["c"], "date": text} for text in dates])
        return [sample.timestamp for sample in open_dataset(rows, name="x").read()[0]]

    assert times("05/06/2026", "25/06/2026")[0] == datetime(2026, 6, 5, tzinfo=UTC)
    assert times("05/06/2026", "06/25/2026")[0] == datetime(2026, 5, 6, tzinfo=UTC)
    assert times("05/06/2026", "06/25/2026", "25/06/2026")[0] is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None),
        (float("inf"), "inf"),
        (np.float64("nan"), None),
        (np.float32(0.5), 0.5),
        (np.int64(7), 7),
        (np.bool_(True), True),
        (np.array([1, 2]), [1, 2]),
        (np.array([[1.5, float("nan")]]), [[1.5, None]]),
        (np.datetime64("NaT"), None),
        (np.datetime64("2025-03-31T12:00:00"), "2025-03-31T12:00:00"),
        (Decimal("1.10"), 1.1),
        (Decimal("12345678901234567890.12"), "12345678901234567890.12"),
        (Decimal(3), 3),
        (Decimal("NaN"), None),
        (b"text \xc3\xa9", "text é"),
        (b"\xff\x00", "/wA="),
        (NOON, "2025-03-31T12:00:00+00:00"),
        (date(2025, 3, 31), "2025-03-31"),
        (time(12), "12:00:00"),
        (timedelta(seconds=90), 90.0),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ({1: {"a": (1, float("nan"))}}, {"1": {"a": [1, None]}}),
        ({"x"}, ["x"]),
    ],
    ids=repr,
)
def test_a_value_that_json_does_not_know_becomes_one_that_it_does(value: object, expected: object) -> None:
    found = as_json(value)
    assert found == expected
    assert type(found) is type(expected)


def test_typed_columns_of_parquet_are_kept_as_json() -> None:
    stream = io.BytesIO()
    table = pyarrow.table(
        {
            "answer": ["a"],
            "contexts": [[{"text": "c", "score": 0.5}]],
            "price": pyarrow.array([Decimal("9.99")]),
            "raw": pyarrow.array([b"\xff"]),
            "seen": pyarrow.array([NOON]),
            "score": pyarrow.array([float("nan")]),
            "nested": [{"x": [1, None]}],
        }
    )
    pyarrow.parquet.write_table(table, stream)
    (sample,), _ = read(stream.getvalue())
    assert isinstance(sample, Sample)
    assert sample.chunks[0].score == 0.5
    assert sample.extra == {
        "price": 9.99,
        "raw": "/w==",
        "seen": "2025-03-31T12:00:00+00:00",
        "score": None,
        "nested": {"x": [1, None]},
    }
