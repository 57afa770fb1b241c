"""Results written to files: whole or not at all, streamed, and harmless in a spreadsheet."""

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Json, Sample
from faithview.formats.exporters import COLUMNS, EXPORTERS, exporter_named
from faithview.formats.write import as_safe_cell, from_safe_cell
from tests.formats.made_files import read, texts

OWN_FORMATS = [exporter.name for exporter in EXPORTERS if exporter.is_own]
ROW: dict[str, Json] = {
    "key": "q1",
    "question": "How tall? 👩‍👩‍👧",
    "answer": 'It is 330 m <b>tall</b>,\r\n"truly" $x_1$.',
    "segment": None,
    "state": "judged",
    "error": None,
    "faithfulness": 0.5,
    "chunks": [{"id": "kb-1", "text": "שלום\u2028x", "rank": 1, "metadata": {"page": 3}}],
    "claims": [{"text": "It is 330 m tall", "verdict": "supported", "answer_spans": [[0, 11]]}],
    "extra": {"model": "m"},
    "suggestions": ["Name the source."],
    "metrics": {"answer_relevance": 0.25},
    "warnings": [],
    "raw_reply": None,
}


def test_json_lines_hold_the_rows_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    assert exporter_named("jsonl").write([ROW, ROW], path) == 2
    assert [json.loads(line) for line in path.read_bytes().decode().rstrip("\n").split("\n")] == [ROW, ROW]


def test_csv_holds_lists_as_json_and_texts_verbatim(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    exporter_named("csv").write([ROW], path)
    (row,) = csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline=""))
    assert tuple(row) == COLUMNS
    assert (row["answer"], row["question"], row["segment"], row["faithfulness"]) == (
        ROW["answer"], ROW["question"], "", "0.5",
    )  # fmt: skip
    assert [json.loads(row[name]) for name in ("chunks", "claims", "extra", "suggestions", "metrics")] == [
        ROW["chunks"], ROW["claims"], ROW["extra"], ROW["suggestions"], ROW["metrics"],
    ]  # fmt: skip


def test_parquet_has_the_same_columns_whatever_the_rows_hold(tmp_path: Path) -> None:
    empty: dict[str, Json] = dict.fromkeys(COLUMNS)
    for name, rows in (("full", [ROW]), ("empty", [{**empty, "key": "x"}]), ("none", [])):
        assert exporter_named("parquet").write(rows, tmp_path / name) == len(rows)
    schemas = [pyarrow.parquet.read_schema(tmp_path / name) for name in ("full", "empty", "none")]
    assert schemas[0] == schemas[1] == schemas[2]
    (row,) = pyarrow.parquet.read_table(tmp_path / "full").to_pylist()
    assert (json.loads(row["metrics"]), row["raw_reply"]) == (ROW["metrics"], None)
    assert (row["answer"], row["faithfulness"], json.loads(row["claims"])) == (
        ROW["answer"], 0.5, ROW["claims"],
    )  # fmt: skip


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", "\n=", " =", "\u00a0="], ids=repr
)
def test_a_cell_that_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path: Path, start: str) -> None:
    text = f"{start}HYPERLINK(1)"
    path = tmp_path / "out.csv"
    exporter_named("csv").write([{**ROW, "answer": text, "key": text}], path)
    (row,) = csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline=""))
    # A line inside a text may become a cell of its own, so that a sign at its beginning gets one too.
    cell = f"'{text}".replace("\n=", "\n'=")
    assert (row["answer"], row["key"]) == (cell, cell)
    assert as_safe_cell("5 = 3 + 2") == "5 = 3 + 2"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("Fees;=1+1", "Fees;'=1+1"),
        ("Fees; =HYPERLINK(1)", "Fees; '=HYPERLINK(1)"),
        ("Fees\n=1+1", "Fees\n'=1+1"),
        ("Fees\t@SUM(A1)", "Fees\t'@SUM(A1)"),
        ("Fees\n＝1+1", "Fees\n'＝1+1"),
        ("Fees;-1+cmd|' /C calc'!A0", "Fees;'-1+cmd|' /C calc'!A0"),
        ("=1;=2", "'=1;'=2"),
        ("Opening hours:\n- Monday 9 to 5\n- Sunday closed", "Opening hours:\n- Monday 9 to 5\n- Sunday closed"),
        ("a = b; c - d", "a = b; c - d"),
    ],
)
def test_a_cell_inside_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str, cell: str) -> None:
    assert as_safe_cell(text) == cell


@given(st.text(alphabet="'=+-@|;(\t\r\n ab\uff1d", max_size=30))
@example("Steps:\n- one (a)\n- two")
@example("'=1")
@example("; '=1")
@example("'\n=")
@example(" \n=1")
def test_the_text_of_a_cell_comes_back(text: str) -> None:
    assert from_safe_cell(as_safe_cell(text)) == text


def test_json_lines_hold_no_character_that_a_terminal_obeys(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    exporter_named("jsonl").write([{**ROW, "answer": "a\x9b31m\u202ecba\u2066"}], path)
    text = path.read_text(encoding="utf-8")
    assert not set(text) & set("\x9b\u202e\u2066")
    assert json.loads(text)["answer"] == "a\x9b31m\u202ecba\u2066"


@pytest.mark.parametrize("file_format", OWN_FORMATS)
def test_an_export_can_be_read_as_a_data_set_again(tmp_path: Path, file_format: str) -> None:
    path = tmp_path / "out"
    exporter_named(file_format).write([ROW], path)
    (sample,), _ = read(path.read_bytes())
    assert isinstance(sample, Sample)
    assert (sample.key, sample.question, sample.answer, texts(sample)) == (
        "q1", ROW["question"], ROW["answer"], ["שלום\u2028x"],
    )  # fmt: skip
    assert (sample.chunks[0].chunk_id, sample.chunks[0].metadata) == ("kb-1", {"page": 3})


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"There is no export format 'xlsx'; known are jsonl, csv, parquet, "):
        exporter_named("xlsx")


@pytest.mark.parametrize("file_format", OWN_FORMATS)
def test_rows_are_written_as_they_come_and_not_collected(tmp_path: Path, file_format: str) -> None:
    def rows() -> Iterator[dict[str, Any]]:
        for number in range(3000):
            yield {**ROW, "key": str(number), "answer": f"{number} " + "x" * 4000}

    exporter_named(file_format).write([ROW], tmp_path / "warm-up")
    tracemalloc.start()
    try:
        assert exporter_named(file_format).write(rows(), tmp_path / "out") == 3000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20, f"{peak >> 20} MB for 12 MB of rows"
