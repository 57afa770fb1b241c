"""Which format a file is in, and what is asked."""

import pytest

from faithview.domain.errors import InvalidInput
from faithview.formats.files.report import RowProblem
from faithview.formats.read import detect, open_table
from faithview.formats.reading.reader import Question
from tests.formats.made_files import as_jsonl
from tests.formats.readers.reading import FILES

ROW = {"question": "q", "answer": "a", "contexts": ["c"]}


def test_a_format_can_be_named_and_must_fit() -> None:
    table = open_table(as_jsonl([ROW]), name="x.jsonl")
    assert detect(table, format_name="canonical").reader.name == "canonical"
    with pytest.raises(InvalidInput, match=r"x\.jsonl is not a file of DeepEval"):
        detect(table, format_name="deepeval")
    with pytest.raises(InvalidInput, match=r"There is no format 'deepval'; known are .* deepeval, "):
        detect(table, format_name="deepval")


@pytest.mark.parametrize(
    ("columns", "asked"),
    [
        (["groundedness"], []),
        (["faithfulness/v1/score"], []),
        (["groundedness", "my_faithfulness", "topic"], ["--map score=groundedness", "--map score=my_faithfulness"]),
        (["hallucination"], ["--map hallucination=hallucination", "--map score=hallucination"]),
        (["relevance"], []),
    ],
)
def test_several_columns_that_could_be_the_score_are_asked_about(columns: list[str], asked: list[str]) -> None:
    detection = detect(open_table(as_jsonl([{**ROW, **dict.fromkeys(columns, 0.5)}]), name="x"))
    assert [option for question in detection.questions for option in question.options] == asked
    expected = columns[0] if not asked and columns != ["relevance"] else None
    assert detection.mapping.score == expected


def test_a_column_name_with_a_space_is_quoted_in_the_answer() -> None:
    question = Question(field="score", candidates=("my score", "other"), why="Two.")
    assert question.options == ("--map 'score=my score'", "--map score=other")


@pytest.mark.parametrize(
    ("name", "schema"), [("mlflow-3.17-traces.jsonl", "mlflow"), ("langsmith-0.15-runs.jsonl", "langsmith")]
)
def test_a_file_of_one_line_is_read_as_one_of_many_lines(name: str, schema: str) -> None:
    line = (FILES / name).read_bytes().splitlines()[0]
    detection = detect(open_table(line, name=name))
    assert detection.reader.name == schema
    assert len([row for row in detection.table.rows() if not isinstance(row, RowProblem)]) == 1
