"""`evaluate(data)`: frames, datasets and dictionaries, read with the columns of a file."""

import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from faithview import DataWarning, Evaluation, Sample, evaluate
from faithview.domain.errors import InvalidInput

ANSWER, CHUNK = "Parking is free for guests.", "Parking is free for guests. The office opens at 9 am."
ROW: dict[str, Any] = {"id": "a", "question": "Is it?", "response": ANSWER, "retrieved_contexts": [CHUNK, "Other."]}


class Frame:
    """What `evaluate` needs of a frame of polars."""

    columns = tuple(ROW)

    def __iter__(self) -> Iterator[object]:
        raise AssertionError("a frame of polars yields its columns")

    def iter_rows(self) -> Iterator[tuple[object, ...]]:
        yield tuple(ROW.values())


class HuggingFace:
    """What `evaluate` needs of a dataset of Hugging Face."""

    column_names = list(ROW)  # noqa: RUF012 - as it is there

    def __iter__(self) -> Iterator[dict[str, object]]:
        yield dict(ROW)


class Streamed:
    """A dataset that is read over the network: it does not know its columns, and can be read once."""

    column_names = None

    def __init__(self) -> None:
        self.rows = iter([dict(ROW)])

    def __iter__(self) -> Iterator[dict[str, object]]:
        return self.rows


def lexical(data: Any, **options: Any) -> Evaluation:
    return evaluate(data, judge="lexical", **options)


@pytest.mark.parametrize(
    "data",
    [
        [ROW],
        iter([ROW]),
        pd.DataFrame([ROW]),
        pd.DataFrame([ROW]).set_index("id"),
        Frame(),
        HuggingFace(),
        Streamed(),
        pa.Table.from_pylist([ROW]),
    ],
    ids=["list", "iterator", "pandas", "index", "polars", "dataset", "streamed", "arrow"],
)
def test_the_same_row_is_the_same_sample_wherever_it_comes_from(data: Any) -> None:
    (result,) = lexical(data).results
    assert result.sample == Sample.of(ANSWER, [CHUNK, "Other."], key="a", question="Is it?")
    assert result.faithfulness == 1.0


def test_cells_of_a_frame_are_read_as_those_of_a_file() -> None:
    frame = pd.DataFrame(
        {
            "answer": [ANSWER, ANSWER],
            "contexts": [np.array([CHUNK, "Other."], dtype=object), [{"id": "kb-1", "text": CHUNK, "score": 0.5}]],
            "timestamp": [pd.Timestamp("2026-01-02 03:04", tz="Europe/Berlin"), pd.NaT],
            "segment": pd.array(["billing", pd.NA], dtype="string"),
            "tokens": pd.array([7, pd.NA], dtype="Int64"),
            "cost": [np.float64("nan"), 0.5],
            "meta": [{"user": {"plan": ["pro"]}, "at": pd.Timestamp("2026-01-01")}, None],
            "matrix": [np.array([[1, 2]]), np.nan],
        }
    )
    first, second = (result.sample for result in lexical(frame).results)
    assert [chunk.text for chunk in first.chunks] == [CHUNK, "Other."]
    assert (second.chunks[0].chunk_id, second.chunks[0].score) == ("kb-1", 0.5)
    assert (first.timestamp, second.timestamp) == (datetime(2026, 1, 2, 2, 4, tzinfo=UTC), None)
    assert (first.segment, second.segment) == ("billing", None)
    assert first.extra == {
        "tokens": 7,
        "cost": None,
        "meta": {"user": {"plan": ["pro"]}, "at": "2026-01-01T00:00:00"},
        "matrix": [[1, 2]],
    }
    assert {name: second.extra[name] for name in ("tokens", "cost", "meta", "matrix")} == {
        "tokens": None,
        "cost": 0.5,
        "meta": None,
        "matrix": None,
    }


def test_columns_name_what_is_not_recognised() -> None:
    row = {"what it said": ANSWER, "first, best": CHUNK, "second": "Other.", "bot": "x"}
    with pytest.raises(
        InvalidInput, match=r"Which column holds the answer\? Name it with columns=\{'answer': COLUMN\}"
    ):
        lexical([row])
    named = lexical([row], columns={"answer": "what it said", "contexts": ["first, best", "second"]})
    (result,) = named.results
    assert (result.sample.answer, len(result.sample.chunks), result.sample.extra) == (ANSWER, 2, {"bot": "x"})
    with pytest.raises(InvalidInput, match="There is no column 'nope' for answer; the columns are what it said"):
        lexical([row], columns={"answer": "nope", "contexts": "second"})
    with pytest.raises(InvalidInput, match="There is no field 'reply' to map"):
        lexical([row], columns={"reply": "second"})


def test_rows_that_cannot_be_read_are_named_and_counted() -> None:
    rows = [ROW, {**ROW, "response": None}, 7, {**ROW, "response": "a\x00"}, {**ROW, "response": ["a", "b"]}]
    with pytest.warns(DataWarning) as caught:
        evaluation = lexical(rows)
    assert caught[0].filename == __file__
    assert str(caught[0].message).startswith("4 rows of 5 cannot be read and are left out: row 2: no answer; row 3: ")
    assert [problem.line for problem in evaluation.unread] == [2, 3, 4, 5]
    assert "it is of type int, not a dictionary" in str(evaluation.unread[1])
    assert (evaluation.summary.rows, evaluation.summary.run.rows_left_out) == (1, 4)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("answers.csv", "The answers are a str; .* To read a file, use `faithview evaluate FILE`"),
        (7, "The answers are a int"),
        (ROW, "The answers are one dictionary"),
        ([], "There is no answer to judge"),
        (pd.DataFrame({"answer": [], "contexts": []}), "^The data has a header line and no rows"),
        ([1, 2], "^The data has no row that can be read; the first is row 1: it is of type int"),
        ([{"answer": None, "contexts": ["a"]}], "No row of the data can be used"),
        ([Sample(answer="x"), ROW], "samples and others are not"),
    ],
    ids=["path", "number", "dictionary", "empty", "empty frame", "numbers", "no answer", "mixed"],
)
def test_what_is_no_data_is_refused_with_what_to_give(data: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        lexical(data)


def test_a_dataset_of_several_splits_asks_for_one() -> None:
    class Splits(dict[str, object]):
        column_names = {"train": ["answer"], "test": ["answer"]}  # noqa: RUF012 - as it is there

    with pytest.raises(InvalidInput, match="the splits 'train', 'test'; give one of them"):
        lexical(Splits())


def test_samples_have_no_columns_to_name() -> None:
    with pytest.raises(InvalidInput, match="Samples have no columns"):
        lexical([Sample.of("x", CHUNK)], columns={"answer": "x"})


def test_nothing_is_said_about_data_that_is_read_whole() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lexical([ROW])
