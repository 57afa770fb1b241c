"""The figures in the README are those that scripts have printed."""

import re

import pytest

from faithview.judges.judge_limits import measured_errors
from tests.docs.pages import ROOT
from tests.docs.tables import page_table, printed_rows, section

_MEASURED = "tests/performance/README.md"
_TRAINED = "tests/training/README.md"
_README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def judge_rows() -> dict[str, list[str]]:
    """The rows of the README's table about the judge, by the word that names their answers."""
    rows = page_table("README.md", "## How good is the judge?")
    assert len(rows) == 3
    return {name: row for name in ("help-desk", "RAGTruth", "sample") for row in rows if f" {name}" in row[0]}


def test_help_desk_answers_are_those_that_the_product_counts_on(judge_rows: dict[str, list[str]]) -> None:
    counts = measured_errors()["embedded"]
    answers, caught, flagged = judge_rows["help-desk"]
    assert answers.startswith(f"{counts.answers} ")
    assert caught == f"{counts.errors_caught / counts.errors:.0%} of {counts.errors}"
    assert flagged == f"{counts.false_alarms / counts.right_claims:.0%} of {counts.right_claims}"


def test_the_sample_is_that_of_the_measured_table(judge_rows: dict[str, list[str]]) -> None:
    rows = printed_rows(_MEASURED, "## Quality of the default judge")
    (row,) = [row for row in rows if row[:2] == ["bundled sample, five runs", "embedded"]]
    answers, caught, flagged = judge_rows["sample"]
    assert answers.startswith(f"{row[2]} ")
    assert [caught, flagged] == row[7:9]


def test_ragtruth_is_that_of_the_table_of_the_training(judge_rows: dict[str, list[str]]) -> None:
    rows = printed_rows(_TRAINED, "## What it is worth")
    (row,) = [row for row in rows if row[0] == "ragtruth"]
    answers, caught, flagged = judge_rows["RAGTruth"]
    assert answers.startswith(f"{row[1]} ")
    assert [caught, flagged] == row[-3:-1]


def test_the_first_start_takes_as_long_and_as_much_as_was_measured() -> None:
    steps = {row[0]: row[1] for row in printed_rows(_MEASURED, "## The first hour") if len(row) > 1}
    seconds = [float(steps[name]) for name in steps if name.startswith(("install", "judge the sample"))]
    weights = section(_MEASURED, "## What an installation weighs")
    (megabytes,) = re.findall(r"^\| all \| (\d+) \|", weights, re.MULTILINE)
    assert len(seconds) == 2
    assert f"about {sum(seconds) / 60:.0f} minutes and {int(megabytes) / 1000:.0f} GB" in _README


def test_the_comparison_with_other_tools_has_a_date_and_no_row_without_words() -> None:
    assert re.search(r"documentation in \w+ 20\d\d\.", section("README.md", "## How it compares"))
    rows = page_table("README.md", "## How it compares")
    assert {len(row) for row in rows} == {5}
    assert all(row[1] and any(row[2:]) for row in rows)
