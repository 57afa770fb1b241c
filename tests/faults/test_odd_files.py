"""A bomb ends in one sentence, and a text too long to look at is looked at up to a stated limit."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from faithview.domain.errors import UnreadableFile
from faithview.domain.sample import Chunk, Sample
from faithview.formats import limits
from faithview.judges.lexical.splitting.claims import first_claims, split_answer
from faithview.judges.text.tokens import within_reach
from faithview.services.dataset_files import open_dataset
from tests.faults import bombs

pytestmark = pytest.mark.process  # takes long


@pytest.mark.parametrize(
    ("make", "name", "sentence"),
    [
        (bombs.far_row, "a.xlsx", "a.xlsx numbers its rows or cells beyond the size of a sheet"),
        (bombs.equal_columns, "a.csv", "a.csv has more than 20,000 columns"),
        (lambda path: bombs.nested_zip(path, levels=20), "a.zip", "a.zip looks like a ZIP archive"),
        (lambda path: bombs.zip_members(path, members=200_001), "a.zip", "a.zip is a ZIP archive that lists more than"),
        (lambda path: bombs.gzip_bomb(path, size=100 << 20), "a.csv.gz", "a.csv.gz unpacks to over"),
        (lambda path: bombs.repeated_text(path, rows=5_000), "a.parquet", "a.parquet unpacks to over"),
        (lambda path: bombs.shared_text(path, cells=1_000), "a.xlsx", "a.xlsx unpacks to over"),
    ],
)
def test_a_bomb_ends_in_one_sentence(
    make: Callable[[Path], None], name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Small bombs, for a small limit.
    monkeypatch.setenv(limits.VARIABLE, "small=16MB")
    path = tmp_path / name
    make(path)
    with pytest.raises(UnreadableFile, match=r"^[^\n]*\.$") as caught:
        open_dataset(path).survey()
    assert str(caught.value).startswith(sentence)


def test_quotes_that_are_never_closed_are_not_read_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    bombs.open_quotes(path, lines=10_000)
    report = open_dataset(path).survey().report
    assert (report.usable, report.problem_count) == (0, 10_000)


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


def test_a_text_is_looked_at_up_to_a_stated_limit() -> None:
    text = "The sky is blue today. " * 86_956
    sample, warnings = within_reach(Sample.of(text, [Chunk(text="Short.", chunk_id="a"), Chunk(text=text)]))
    assert text.startswith(sample.answer)
    assert len(sample.answer) == 99_996
    assert [chunk.chunk_id for chunk in sample.chunks] == ["a", "2"]
    assert ["99,996" in warnings[0], "1,500,000" in warnings[1]] == [True, True]
    short = Sample.of("Short.", ["Short."])
    assert within_reach(short) == (short, ())


def test_claims_are_looked_at_up_to_a_stated_limit() -> None:
    split, warnings = first_claims(split_answer("It is blue. " * 5_001))
    assert len(split.claims) == 5_000
    assert warnings == ("The answer has 5,001 claims; it was not checked beyond the first 5,000.",)
