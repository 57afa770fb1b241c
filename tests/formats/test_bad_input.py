"""Bad files get one clear sentence; bad rows are reported with their line, and the rest is kept."""

import gzip
import io
import json
import random
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.errors import UnreadableFile
from faithview.domain.sample import Sample
from faithview.formats import limits
from faithview.formats.files.report import MAX_PROBLEMS, ReadReport, RowProblem
from faithview.formats.read import detect, open_table
from tests.formats.made_files import (
    WRITERS,
    as_delimited,
    as_json,
    as_jsonl,
    as_parquet,
    as_xlsx,
    read,
    read_samples,
    texts,
    zipped,
)

ROW: dict[str, Any] = {"question": "q", "answer": "a", "contexts": ["c"]}
NOISE = random.Random(7).randbytes(5000)


def zip_of(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (zipped(b""), "empty"),
        (b" \n\t\n", "no header line"),
        (b"\xef\xbb\xbf\n", "no header line"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary data"),
        (zip_of("a.csv"), "ZIP archive; unpack it"),
        (b"PK\x03\x04 and then nothing", "damaged or truncated"),
        (b"SQLite format 3\x00", "SQLite database"),
        (b"<!DOCTYPE html><p>question,answer", "web page"),
        (zipped(b"%PDF-1.7"), "PDF document"),
        (zipped(zipped(b"question,answer\n")), "gzipped twice"),
        (NOISE, "binary data"),
        (b"\x00" * 100, "binary data"),
        (zipped(as_delimited([ROW] * 100))[:40] + b"\x00" * 40, "gzip file"),
        (as_parquet([ROW])[:20], "damaged or truncated parquet file"),
        (as_xlsx([ROW])[:-100], "damaged or truncated xlsx or ZIP file"),
        (zip_of("xl/workbook.xml"), "damaged Excel workbook"),
        (as_xlsx([{}]), "empty sheets only"),
        (b"[]", "no rows"),
        (b"{}", "empty JSON object"),
        (b"[1, 2]", "no row that can be read"),
        (b'{"rows": [{"answer": "a"}, {"answer"', "truncated JSON"),
        (b'[{"answer": "a"}\n,{"answer": "b"}\n', "at line 3"),
        (b'[{"answer": "a"}, {"answer": tru}]', "Expecting value at line 1"),
        (b'[{"answer": "a"}] []', "Extra data at line 1"),
        (b'{"rows": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", "100 levels"),
        (b"question,answer,contexts\n\x81\x8d,a,c\n", "not UTF-8"),
        ("question,answer,contexts\ncafé €,ü,".encode() + "é\n".encode("cp1252"), "not UTF-8"),
        ("question,answer\n".encode("utf-16") + b"\x00", "not UTF-16"),
        ("question,answer\n".encode("utf-16-le"), "binary data"),
        ("question,answer\n".encode("utf-32"), "binary data"),
    ],
    ids=lambda value: value[:28] if isinstance(value, str) else "",
)
def test_an_unreadable_file_gets_one_clear_sentence(content: bytes, fault: str) -> None:
    with pytest.raises(UnreadableFile, match=r"^data [^\n]*[.?]$") as error:
        open_table(content, name="data")
    assert fault in str(error.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"x\.csv cannot be read"):
        open_table(tmp_path / "x.csv", name="x.csv")
    with pytest.raises(UnreadableFile, match=r"here cannot be read"):
        open_table(tmp_path, name="here")


def test_a_file_that_unpacks_too_far_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SMALL", 1_000_000)
    monkeypatch.setattr(limits, "RATIO", 5)
    rows = [{**ROW, "answer": f"{number} " * 2_000} for number in range(500)]
    for content in (zipped(as_delimited(rows)), as_xlsx(rows), zipped(as_jsonl(rows)), as_parquet(rows)):
        with pytest.raises(UnreadableFile, match="unpacks to over"):
            list(open_table(content, name="data").rows())


def test_rows_and_columns_beyond_any_table_are_refused() -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["answer", "contexts"])
    book.active.cell(row=1_048_576, column=1, value="a")
    stream, far = io.BytesIO(), io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as source, zipfile.ZipFile(far, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"1048576", b"9999999999"))
    with pytest.raises(UnreadableFile, match="numbers its rows beyond"):
        open_table(far.getvalue(), name="data")
    with pytest.raises(UnreadableFile, match="more than 20,000 columns"):
        open_table(b",".join([b"a"] * 20_001) + b"\n", name="data")


def test_windows_text_is_read_with_a_warning_where_nothing_else_is_possible() -> None:
    content = "question;answer;contexts\nCafé – „gut“?;Çà, c’est 5 €;Señor Müller\n".encode("cp1252")
    (sample,), report = read(content)
    assert isinstance(sample, Sample)
    assert (sample.question, sample.answer, texts(sample)) == ("Café – „gut“?", "Çà, c’est 5 €", ["Señor Müller"])
    assert [text for text in report.warnings if "Windows-1252" in text]


def test_a_wrong_byte_late_in_a_large_file_is_found_at_its_place() -> None:
    good = as_delimited([{**ROW, "answer": "é"}]) + b"q,a,c\n" * 400_000
    with pytest.raises(UnreadableFile, match=r"line 400003 has the byte 0xFF"):
        open_table(good + b"\xff\x81,a,c\n", name="data")


@pytest.mark.parametrize("file_format", ["csv", "tsv", "json", "jsonl", "parquet", "xlsx"])
def test_a_row_without_an_answer_is_reported_and_the_rest_is_kept(file_format: str) -> None:
    rows = [ROW, {**ROW, "answer": None}, {**ROW, "answer": "  "}, {**ROW, "answer": "b"}]
    items, report = read(WRITERS[file_format](rows))
    assert [item.answer if isinstance(item, Sample) else item.reason for item in items] == [
        "a", "no answer", "no answer", "b",
    ]  # fmt: skip
    assert (report.rows, report.usable, report.problem_count) == (4, 2, 2)
    first = 2 if file_format in {"json", "jsonl", "parquet"} else 3
    assert [problem.line for problem in report.problems] == [first, first + 1]


def test_ragged_rows_are_reported_with_their_line() -> None:
    items, report = read(b'question,answer,contexts\nq,a\nq,"two\nlines",c\nq,a,c,d,e\n\nq,last,c\n')
    assert [str(item) if isinstance(item, RowProblem) else item.answer for item in items] == [
        "line 2: the row has 2 cells, the header has 3",
        "two\nlines",
        "line 5: the row has 5 cells, the header has 3",
        "last",
    ]
    assert report.problems[0].preview == "q,a"


def test_a_spreadsheet_row_wider_than_its_header_is_reported() -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for cells in ([], ["question", "answer", "contexts"], ["q", "a", "c", "more"], [], ["q", 42, "c"]):
        book.active.append(cells)
    stream = io.BytesIO()
    book.save(stream)
    items, report = read(stream.getvalue())
    assert [str(problem) for problem in report.problems] == ["row 3: the row has 4 cells, the header has 3"]
    assert [item.answer for item in items if isinstance(item, Sample)] == ["42"]


def test_a_second_sheet_is_mentioned() -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.create_sheet("Answers").append(["answer", "contexts"])
    book["Answers"].append(["a", "c"])
    book.create_sheet("Notes").append(["not read"])
    stream = io.BytesIO()
    book.save(stream)
    items, report = read(stream.getvalue())
    assert len(items) == 1
    assert report.notes == ["Only the sheet 'Answers' was read, not 'Notes'."]


def test_a_cell_that_excel_has_cut_is_reported() -> None:
    _, report = read(as_xlsx([{**ROW, "answer": "x" * 32_767}]))
    assert ["32,767" in text for text in report.warnings] == [True]


def test_empty_rows_are_passed_over_and_counted() -> None:
    items, report = read(b"question,answer,contexts\n,,\nq,a,c\n , ,\n")
    assert len(items) == 1
    assert (report.rows, report.usable, report.empty) == (3, 1, 2)


def test_a_broken_line_of_json_lines_is_reported_and_the_rest_is_kept() -> None:
    items, report = read(
        as_jsonl([ROW]) + b'{"answer": "b", "conte\n[1]\n"text"\n' + b"9" * 5000 + b"\n" + as_jsonl([ROW])
    )
    assert [type(item) for item in items] == [Sample, RowProblem, RowProblem, RowProblem, RowProblem, Sample]
    assert [problem.line for problem in report.problems] == [2, 3, 4, 5]
    assert "not JSON" in report.problems[0].reason
    assert report.problems[1].reason == "the row is a list instead of an object with named fields"


@pytest.mark.parametrize("field", ["question", "answer", "contexts", "id", "segment", "reference", "notes"])
@pytest.mark.parametrize("character", ["\x00", "\ud800"], ids=["NUL", "surrogate"])
def test_a_character_that_cannot_be_stored_refuses_its_row_only(field: str, character: str) -> None:
    bad = {**ROW, field: f"x{character}y"}
    items, report = read("".join(json.dumps(row) + "\n" for row in (ROW, bad, ROW)).encode())
    assert [type(item) for item in items] == [Sample, RowProblem, Sample]
    (problem,) = report.problems
    assert problem.line == 2
    assert "NUL" in problem.reason or "surrogate" in problem.reason
    assert "\x00" not in problem.preview
    problem.preview.encode("utf-8")


def test_a_nul_in_csv_refuses_its_row_only() -> None:
    items, report = read(b"question,answer,contexts\nq,a\x00b,c\nq,a,c\n")
    assert [type(item) for item in items] == [RowProblem, Sample]
    assert report.problems[0].line == 2


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
@pytest.mark.parametrize("make", [as_jsonl, as_delimited, as_json])
def test_the_bytes_of_half_a_character_refuse_their_row_only(make: Callable[..., bytes], codec: str) -> None:
    rows = make([ROW, {**ROW, "answer": "x@y"}, *[ROW] * 4_000]).decode()
    content = rows.replace("@", "\ud800").encode(codec, "surrogatepass")
    if codec == "utf-8":
        assert b"x\xed\xa0\x80y" in content
    items, report = read(content)
    assert [type(item) for item in items[:3]] == [Sample, RowProblem, Sample]
    assert report.problem_count == 1
    assert "an incomplete character (a lone surrogate)" in report.problems[0].reason
    report.problems[0].preview.encode("utf-8")


@pytest.mark.parametrize("character", ["\x00", "\ud800"], ids=["NUL", "surrogate"])
def test_a_character_that_cannot_be_stored_in_the_name_of_a_column_is_replaced(character: str) -> None:
    content = f"question,answer,contexts,no{character}te\nq,a,c,n\n".encode("utf-8", "surrogatepass")
    (sample,), _ = read(content)
    assert isinstance(sample, Sample)
    assert sample.extra == {"no\N{REPLACEMENT CHARACTER}te": "n"}


def test_other_control_characters_are_kept_verbatim() -> None:
    answer = "bell \x07 escape \x1b[31m tab \t unit \x1f delete \x7f c1 \x85"
    for content in (as_jsonl([{**ROW, "answer": answer}]), as_delimited([{**ROW, "answer": answer}])):
        (sample,), _ = read(content)
        assert isinstance(sample, Sample)
        assert sample.answer == answer


@pytest.mark.parametrize("file_format", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_an_answer_of_a_megabyte_is_read_whole(file_format: str) -> None:
    answer = 'Ein Satz, "zitiert" und lang; ü.\n' * 33_000
    (sample,), report = read(WRITERS[file_format]([{**ROW, "answer": answer}]))
    assert isinstance(sample, Sample)
    assert len(answer) > 1_000_000
    assert sample.answer == answer
    assert report.problem_count == 0


def test_ids_that_occur_twice_are_told_apart() -> None:
    rows = [{**ROW, "id": key} for key in ("x", "x", "x#2", "x", None, "5")]
    items, report = read(as_jsonl(rows))
    assert [item.key for item in items if isinstance(item, Sample)] == ["x", "x#2", "x#2#2", "x#3", "5", "5#2"]
    assert list(report.warnings.values()) == [4]


def test_rows_without_ids_are_numbered_counting_those_that_could_not_be_used() -> None:
    items, _ = read(as_jsonl([ROW, {**ROW, "answer": ""}, ROW]))
    assert [item.key for item in items if isinstance(item, Sample)] == ["1", "3"]


def test_ids_that_a_spreadsheet_keeps_as_numbers_lose_their_fraction() -> None:
    items, _ = read(as_parquet([{**ROW, "id": 7.0}, {**ROW, "id": 7.5}]))
    assert [item.key for item in items if isinstance(item, Sample)] == ["7", "7.5"]


def test_only_the_first_hundred_problems_are_kept_and_all_are_counted() -> None:
    _, report = read(as_jsonl([ROW, *[{**ROW, "answer": None}] * 250]))
    assert (len(report.problems), report.problem_count) == (MAX_PROBLEMS, 250)


def test_a_file_that_breaks_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(as_json([ROW]))
    table = open_table(path, name="x.json")
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(UnreadableFile, match="truncated"):
        list(read_samples(table, detect(table).mapping))


@pytest.mark.process
@pytest.mark.parametrize("file_format", ["csv", "csv.gz", "json", "jsonl", "parquet"])
def test_a_large_file_is_read_in_a_fraction_of_its_size(tmp_path: Path, file_format: str) -> None:
    text = "The tower is 330 metres tall, and was “finished” in 1889. " * 60
    rows: list[dict[str, Any]] = [
        {"id": str(n), "question": f"How tall is {n}?", "answer": text, "contexts": [text]} for n in range(3000)
    ]
    path = tmp_path / "large"
    content = WRITERS[file_format.removesuffix(".gz")](rows)
    if file_format == "parquet":
        content = _parquet_of_many_groups(rows)
    size = len(content)
    path.write_bytes(gzip.compress(content, 1) if file_format.endswith(".gz") else content)
    del content, rows
    # Libraries are loaded before the measurement, which is of the file's own memory.
    read(WRITERS[file_format.removesuffix(".gz")]([ROW]))
    report = ReadReport()
    tracemalloc.start()
    try:
        table = open_table(path, name="large")
        for _ in read_samples(table, detect(table).mapping, report=report):
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert report.usable == 3000
    assert size > 18 << 20 or file_format == "parquet"
    assert peak < 0.35 * (20 << 20), f"{peak >> 20} MB for {size >> 20} MB"


def _parquet_of_many_groups(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    stream = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.Table.from_pylist(rows), stream, row_group_size=300, compression="none", use_dictionary=False
    )
    return stream.getvalue()


@pytest.mark.process
def test_reading_csv_needs_neither_pandas_nor_the_libraries_of_other_formats() -> None:
    import subprocess

    code = (
        "import sys\nfrom faithview.formats.read import *\n"
        "t = open_table(b'question,answer,contexts\\nq,a,c\\n', name='x')\n"
        "assert len(list(read_rows(t, detect(t).mapping))) == 1\n"
        "print([m for m in ('pandas', 'numpy', 'pyarrow', 'openpyxl') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
