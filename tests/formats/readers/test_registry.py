"""Which format a file is in: the likeliest with its reasons, what is asked, and plug-ins."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.sample import Sample
from faithview.formats import plugins
from faithview.formats.files.report import RowProblem
from faithview.formats.read import detect, open_any
from faithview.formats.readers import registry
from faithview.formats.reading.reader import Match, Question, Reader, Row
from faithview.formats.rows.mapping import Mapping
from faithview.services.import_rows import judged_row
from tests.formats.made_files import as_jsonl
from tests.formats.readers.reading import FILES

ROW = {"question": "q", "answer": "a", "contexts": ["c"]}


class _Point:
    """An entry point of a plug-in."""

    def __init__(self, name: str, load: Callable[[], Any]) -> None:
        self.name = name
        self.load = load


@pytest.fixture
def plug_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def install(*points: _Point) -> None:
        monkeypatch.setattr(plugins, "entry_points", lambda group: points)
        registry.list_readers.cache_clear()

    return install


@pytest.fixture(autouse=True)
def forget_plug_ins() -> Any:
    yield
    registry.list_readers.cache_clear()


def _reader(name: str, score: float, **more: Any) -> Reader:
    match = Match(
        score=score, reasons=(f"It is {name}.",), mapping=Mapping(answer="answer", contexts=("contexts",)), **more
    )
    return Reader(name=name, title=name.upper(), recognise=lambda table: match)


def test_a_plug_in_adds_a_format(plug_in: Callable[..., None]) -> None:
    plug_in(_Point("mine", lambda: _reader("mine", 0.99)))
    detection = detect(open_any(as_jsonl([ROW]), name="x"))
    assert (detection.schema, detection.title, detection.why) == ("mine", "MINE", "It is mine.")
    assert detection.runner_up is not None
    assert detection.runner_up.schema == "canonical"


def test_a_broken_plug_in_is_named_and_the_rest_works(plug_in: Callable[..., None]) -> None:
    def fail(table: object) -> Match:
        raise KeyError("columns")

    def missing() -> Reader:
        raise ImportError("No module named 'theirs'")

    plug_in(
        _Point("absent", missing),
        _Point("fails", lambda: Reader(name="fails", title="Fails", recognise=fail)),
        _Point("text", lambda: "no reader"),
        _Point("twice", lambda: _reader("ragas", 1)),
    )
    detection = detect(open_any(as_jsonl([ROW]), name="x"))
    assert detection.schema == "canonical"
    assert detection.warnings == (
        "The format plug-in 'absent' cannot be loaded: ImportError: No module named 'theirs'.",
        "The format plug-in 'text' is of type str instead of Reader.",
        "The format plug-in 'twice' has the name of another format, 'ragas'.",
        "The format plug-in 'fails' fails on this file: KeyError: 'columns'.",
    )


def test_a_plug_in_that_fails_later_is_named_by_the_file_or_by_the_row(plug_in: Callable[..., None]) -> None:
    def fail(_: object) -> Any:
        raise KeyError("claims")

    def no_match(_: object) -> Any:
        return "yes"

    plug_in(
        _Point("judging", lambda: replace(_reader("judging", 1), judged=fail)),
        _Point("no match", lambda: Reader(name="no match", title="X", recognise=no_match)),
    )
    detection = detect(open_any(as_jsonl([ROW]), name="x"))
    assert detection.warnings == (
        "The format plug-in 'no match' fails on this file: TypeError: recognise returned a str, not a Match.",
    )
    row = Row(cells=ROW, sample=Sample(answer="a"), mapping=detection.match.mapping)
    assert judged_row(detection.reader, row).error == (
        "The result cannot be read: the format plug-in 'judging' fails on this row: KeyError: 'claims'."
    )
    plug_in(_Point("opening", lambda: replace(_reader("opening", 1), open=fail)))
    with pytest.raises(UnreadableFile, match="The format plug-in 'opening' cannot open x: KeyError: 'claims'"):
        detect(open_any(as_jsonl([ROW]), name="x"))


def test_two_formats_that_are_equally_likely_are_asked_about(plug_in: Callable[..., None]) -> None:
    other = Mapping(answer="question", contexts=("contexts",))
    second = Match(score=0.98, reasons=("It may be.",), mapping=other)
    plug_in(
        _Point("one", lambda: _reader("one", 0.99)),
        _Point("two", lambda: Reader(name="two", title="Two", recognise=lambda table: second)),
    )
    table = open_any(as_jsonl([ROW]), name="x")
    (question,) = detect(table).questions
    assert str(question) == ("The file could be one of ONE or of Two. Say which with --format one or --format two.")
    assert detect(table, format_name="two").questions == ()


def test_a_format_can_be_named_and_must_fit() -> None:
    table = open_any(as_jsonl([ROW]), name="x.jsonl")
    assert detect(table, format_name="canonical").schema == "canonical"
    with pytest.raises(InvalidInput, match=r"x\.jsonl is not a file of DeepEval"):
        detect(table, format_name="deepeval")
    with pytest.raises(InvalidInput, match=r"There is no format 'deepval'; .* Did you mean 'deepeval'\?"):
        detect(table, format_name="deepval")


def test_a_file_that_no_format_knows_is_named(tmp_path: Any) -> None:
    import sqlite3
    import zipfile

    database = tmp_path / "x.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE dogs (name TEXT)")
    connection.close()
    with pytest.raises(UnreadableFile, match=r"SQLite database of an unknown tool \(tables: dogs\)"):
        detect(open_any(database, name="x.sqlite"))
    assert open_any(database.read_bytes(), name="y").database.tables == {"dogs": ("name",)}  # type: ignore[union-attr]  # it is a database
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("a.txt", "a")
    with pytest.raises(UnreadableFile, match="looks like a ZIP archive; unpack it"):
        detect(open_any(archive, name="x.zip"))


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
    detection = detect(open_any(as_jsonl([{**ROW, **dict.fromkeys(columns, 0.5)}]), name="x"))
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
    detection = detect(open_any(line, name=name))
    assert detection.schema == schema
    assert len([row for row in detection.table.rows() if not isinstance(row, RowProblem)]) == 1
