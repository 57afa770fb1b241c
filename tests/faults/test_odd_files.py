"""One odd value costs its row, and a bomb one sentence; `python -m tests.performance.odd_files` tries all of them."""

import gzip
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.sample import Chunk, Sample
from faithview.formats import limits
from faithview.formats.limits import load_json
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.splitting.claims import first_claims, split_answer
from faithview.judges.text.tokens import within_reach
from faithview.services.dataset_files import open_dataset
from tests.faults import bombs, odd_values, reading

# Those that ended the whole file, or whose place was lost, before they were row problems.
_TELLING = ("9" * 400, "9" * 5000, "[" * 990 + "]" * 990, '{"a":' * 500 + "1" + "}" * 500, "NaN", r'"\ud800"', "1e999")


@pytest.mark.parametrize("kind", odd_values.KINDS)
def test_an_odd_value_costs_its_row_and_no_other(kind: str) -> None:
    files = [file for file in reading.odd_files() if file.kind.endswith(kind)]
    telling = [file for file in files if any(file.name.endswith(f": {value[:40]}") for value in _TELLING)]
    chosen = random.Random(kind).sample(telling, 12) + random.Random(kind).sample(files, 8)
    assert {file.name: why for file in chosen if (why := reading.failure_of(file))} == {}


@pytest.mark.parametrize(
    ("make", "name", "sentence"),
    [
        (bombs.far_row, "a.xlsx", "a.xlsx numbers its rows or cells beyond the size of a sheet"),
        (bombs.far_cells, "a.xlsx", "a.xlsx numbers its rows or cells beyond the size of a sheet"),
        (bombs.parquet_zeros, "a.parquet", "a.parquet is a damaged or truncated parquet file"),
        (bombs.parquet_footer, "a.parquet", "a.parquet is a parquet file with a footer of 2,147,483,632 bytes"),
        (bombs.equal_columns, "a.csv", "a.csv has more than 20,000 columns"),
        (lambda path: bombs.nested_zip(path, levels=20), "a.zip", "a.zip looks like a ZIP archive"),
        (lambda path: bombs.zip_members(path, members=200_001), "a.zip", "a.zip is a ZIP archive that lists more than"),
        (lambda path: bombs.gzip_bomb(path, size=100 << 20), "a.csv.gz", "a.csv.gz unpacks to over"),
    ],
)
def test_a_bomb_ends_in_one_sentence(
    make: Callable[[Path], None], name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The bomb of gzip is a small one, for a small limit.
    monkeypatch.setenv(limits.VARIABLE, "small=16MB")
    path = tmp_path / name
    make(path)
    with pytest.raises(UnreadableFile, match=r"^[^\n]*\.$") as caught:
        open_dataset(path)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda path: bombs.repeated_text(path, rows=5_000), "a.parquet"),
        (bombs.repeated_in_a_list, "a.parquet"),
        (bombs.understated_list, "a.parquet"),
        (lambda path: bombs.shared_text(path, cells=1_000), "a.xlsx"),
    ],
)
def test_a_text_that_is_written_once_counts_as_often_as_it_is_meant(
    make: Callable[[Path], None], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    make(path)
    assert path.stat().st_size < 100_000
    monkeypatch.setenv(limits.VARIABLE, "small=16MB")
    with pytest.raises(UnreadableFile, match="unpacks to over 100 times its size; it was not read"):
        open_dataset(path).survey()
    monkeypatch.setenv(limits.VARIABLE, "small=16MB, ratio=10000000, unpacked=20MB")
    with pytest.raises(UnreadableFile, match="unpacks to over 20,971,520 bytes"):
        open_dataset(path).survey()


@pytest.mark.parametrize("nested", [False, True])
def test_one_long_text_among_many_repeated_ones_is_no_bomb(nested: bool, tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    # The longest text times the rows would be 300 MB; what they mean is 0.3 MB.
    texts = ["It opens at nine. " * 6_000, *["It opens at nine."] * 2_999]
    columns = {"answer": texts, "contexts": [[text] for text in texts] if nested else texts}
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet", compression="zstd")
    assert open_dataset(tmp_path / "a.parquet").survey().answers == 3_000


def test_quotes_that_are_never_closed_are_not_read_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    bombs.open_quotes(path, lines=30_000)
    report = open_dataset(path).survey().report
    assert (report.usable, report.problem_count) == (0, 30_000)


def test_ceilings_are_set_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = '{"answer": "At nine.", "contexts": ["It opens at nine."]}\n'
    path = tmp_path / "a.jsonl"
    path.write_text(rows + '{"answer": "' + "x" * 3_000 + '", "contexts": ["a"]}\n' + rows)
    assert open_dataset(path).survey().answers == 3
    monkeypatch.setenv(limits.VARIABLE, "line=2KB, levels=3")
    report = open_dataset(path).survey().report
    assert [str(problem) for problem in report.problems] == [
        "line 2: the line has more than 2,048 characters; FAITHVIEW_LIMITS=line=… sets another limit"
    ]
    with pytest.raises(ValueError, match="nests more than 3 levels"):
        load_json("[[[[[]]]]]")


@pytest.mark.parametrize("text", ["lines=5", "line=", "line=0", "line=-1", "line=5 apples"])
def test_a_ceiling_that_there_is_not_is_named(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"FAITHVIEW_LIMITS sets .?line"):
        limits.parse_limits(text)


def test_a_line_that_is_too_long_is_not_the_end_of_a_csv_file(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"answer,contexts\nAt nine.,It opens at nine.\n" + b"x" * 5_000 + b",y\nAt ten.,It opens at ten.\n"
    monkeypatch.setenv(limits.VARIABLE, "line=1KB")
    samples, report = open_dataset(content, name="a.csv").read()
    assert [sample.answer for sample in samples] == ["At nine.", "At ten."]
    assert [problem.line for problem in report.problems] == [3]


def test_a_file_of_normal_size_packs_as_well_as_it_likes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"answer,contexts\n" + b"At nine.,It opens at nine.\n" * 20_000))
    assert open_dataset(path).survey().answers == 20_000


def test_a_workbook_with_a_text_longer_than_a_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, "line=1MB")
    path = tmp_path / "a.xlsx"
    bombs.long_cell(path, size=2 << 20)
    with zipfile.ZipFile(path) as archive:
        assert len(archive.namelist()) == 5
    with pytest.raises(UnreadableFile, match=r"a\.xlsx has a cell of more than 1,048,576 bytes"):
        open_dataset(path)


def test_a_text_is_looked_at_up_to_a_stated_limit() -> None:
    text = "The sky is blue today. " * 87_000
    sample, warnings = within_reach(Sample.of(text, [Chunk(text="Short.", chunk_id="a"), Chunk(text=text)]))
    assert text.startswith(sample.answer)
    assert len(sample.answer) == 99_996
    assert [chunk.chunk_id for chunk in sample.chunks] == ["a", "2"]
    assert warnings == (
        "The answer has 1,999,988 characters; it was not checked beyond the first 99,996.",
        "The chunks have 1,999,994 characters; they were not checked beyond the first 1,500,000.",
    )
    short = Sample.of("Short.", ["Short."])
    assert within_reach(short) == (short, ())


def test_claims_are_looked_at_up_to_a_stated_limit() -> None:
    split, warnings = first_claims(split_answer("It is blue. " * 5_001))
    assert len(split.claims) == 5_000
    assert warnings == ("The answer has 5,001 claims; it was not checked beyond the first 5,000.",)


@pytest.mark.parametrize("unit", ["1 ", "中", "1. ", "中文。"])
def test_texts_that_took_minutes_are_judged(unit: str) -> None:
    text = unit * max(1, 24_000 // len(unit.encode()))
    assert judge_sample(Sample.of(text, [text])).claims
