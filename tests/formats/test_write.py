"""Any table as a file: every value comes back as it was, and no spreadsheet runs one."""

import csv
import io
import json
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum

import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.errors import InvalidInput
from faithview.formats.write import TableRow, table_bytes


class _Colour(StrEnum):
    RED = "red"


def _csv(rows: list[TableRow]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table_bytes(rows, format="csv").decode("utf-8-sig"), newline="")))


def _jsonl(rows: list[TableRow]) -> list[dict[str, object]]:
    return [json.loads(line) for line in table_bytes(rows, format="jsonl").decode().removesuffix("\n").split("\n")]


def _parquet(rows: list[TableRow]) -> pyarrow.Table:
    return pyarrow.parquet.read_table(io.BytesIO(table_bytes(rows, format="parquet")))


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        *((text, f"'{text}") for text in ("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "=1\n+2")),
        # Where tabs separate cells, one begins behind it too.
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
    ],
)
def test_a_text_or_a_column_that_a_spreadsheet_would_run_gets_an_apostrophe_in_csv_only(text: str, cell: str) -> None:
    rows: list[TableRow] = [{text: text}]
    assert _csv(rows) == [[cell], [cell]]
    assert _jsonl(rows) == [{text: text}]
    assert _parquet(rows).to_pylist() == [{text: text}]


def test_numbers_stay_numbers() -> None:
    rows: list[TableRow] = [{"change": -0.25, "n": -1, "up": True}, {"change": 1e-9, "n": 3, "up": False}]
    assert _csv(rows)[1:] == [["-0.25", "-1", "True"], ["1e-09", "3", "False"]]
    assert _jsonl(rows) == rows
    found = _parquet(rows)
    assert [str(field.type) for field in found.schema] == ["double", "int64", "bool"]
    assert found.to_pylist() == rows


def test_what_is_missing_is_empty_and_never_a_word_or_a_zero() -> None:
    rows: list[TableRow] = [{"a": None, "b": float("nan"), "c": float("inf")}, {"d": "x"}]
    assert _csv(rows) == [["a", "b", "c", "d"], ["", "", "", ""], ["", "", "", "x"]]
    nothing = {"a": None, "b": None, "c": None}
    assert _jsonl(rows) == [{**nothing, "d": None}, {**nothing, "d": "x"}]
    assert _parquet(rows).to_pylist() == _jsonl(rows)


def test_every_script_comes_back_and_excel_is_told_that_it_is_unicode() -> None:
    rows: list[TableRow] = [{"Größe": 'שלום 👩‍👩‍👧, "so"\r\nand so'}]
    assert table_bytes(rows, format="csv").startswith(b"\xef\xbb\xbf")
    assert _csv(rows) == [["Größe"], ['שלום 👩‍👩‍👧, "so"\r\nand so']]
    assert _jsonl(rows) == _parquet(rows).to_pylist() == rows


def test_times_are_iso_texts_and_in_parquet_times() -> None:
    at = datetime(2026, 11, 3, 10, 30, tzinfo=timezone(timedelta(hours=2)))
    rows: list[TableRow] = [{"at": at, "day": date(2026, 11, 3)}, {"at": None, "day": None}]
    assert _csv(rows)[1] == ["2026-11-03T10:30:00+02:00", "2026-11-03"]
    assert _jsonl(rows)[0] == {"at": "2026-11-03T10:30:00+02:00", "day": "2026-11-03"}
    (first, second) = _parquet(rows).to_pylist()
    assert (first["at"], second["at"]) == (datetime(2026, 11, 3, 8, 30, tzinfo=UTC), None)


def test_lists_and_named_values_are_json_texts_where_a_cell_is_flat() -> None:
    rows: list[TableRow] = [{"ids": ("a", _Colour.RED), "by": {"x": [1, None]}}]
    assert _csv(rows)[1] == ['["a", "red"]', '{"x": [1, null]}']
    assert _jsonl(rows) == [{"ids": ["a", "red"], "by": {"x": [1, None]}}]
    assert _parquet(rows).to_pylist() == [{"ids": '["a", "red"]', "by": '{"x": [1, null]}'}]


def test_a_column_of_several_kinds_is_text_in_parquet() -> None:
    rows: list[TableRow] = [{"v": 1}, {"v": "one"}, {"v": None}, {"v": 2**70}]
    assert [row["v"] for row in _parquet(rows).to_pylist()] == ["1", "one", None, str(2**70)]
    assert [row["v"] for row in _parquet([{"v": 2**70}, {"v": 1}]).to_pylist()] == [str(2**70), "1"]


def test_columns_can_be_chosen_and_an_empty_table_keeps_them() -> None:
    rows: list[TableRow] = [{"a": 1, "b": 2}]
    assert table_bytes(rows, format="csv", columns=["b"]).decode("utf-8-sig") == "b\r\n2\r\n"
    assert table_bytes([], format="csv", columns=["a"]).decode("utf-8-sig") == "a\r\n"
    assert pyarrow.parquet.read_table(io.BytesIO(table_bytes([], format="parquet", columns=["a"]))).column_names == [
        "a"
    ]
    assert table_bytes([], format="jsonl") == b""


def test_an_unknown_format_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="'xls'; known are jsonl, csv, parquet"):
        table_bytes([], format="xls")  # type: ignore[arg-type]  # what a caller without types gives


_VALUES = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | st.text()


@given(st.lists(st.dictionaries(st.sampled_from(["a", "=b", "ç"]), st.text() | st.none(), min_size=1), max_size=5))
def test_texts_survive_every_format(rows: list[dict[str, str | None]]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    texts = [{name: row.get(name) for name in names} for row in rows]
    full: list[TableRow] = [*texts]
    if full:
        assert _jsonl(full) == full
    assert _parquet(full).to_pylist() == full
    for line, row in zip(_csv(full)[1:], texts, strict=False):
        shown = [
            cell.removeprefix("'") if (row[name] or "")[:1] != "'" else cell
            for name, cell in zip(names, line, strict=True)
        ]
        assert [cell or None for cell in shown] == [row[name] or None for name in names]


@given(st.lists(_VALUES, min_size=1, max_size=6))
def test_any_mixture_of_values_can_be_written(values: list[object]) -> None:
    rows: list[TableRow] = [{"v": value} for value in values]
    assert len(_jsonl(rows)) == _parquet(rows).num_rows == len(_csv(rows)) - 1 == len(values)


def test_pandas_missing_values_are_missing() -> None:
    rows: list[TableRow] = [{"at": pd.NaT, "x": pd.Series([1.0, None])[1]}]
    assert _csv(rows)[1] == ["", ""]
    assert _jsonl(rows) == _parquet(rows).to_pylist() == [{"at": None, "x": None}]
