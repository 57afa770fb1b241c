"""Scores of other tools: on which scale, which way round, and which of several counts."""

import json
from decimal import Decimal
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.formats.readers.by_name import SCHEMA
from faithview.formats.reading.score_columns import is_more_worse, score_of_hallucination
from faithview.formats.reading.values import as_score, as_verdict
from faithview.formats.rows.cells import BadCell
from faithview.services.dataset_files import Dataset, open_dataset
from faithview.services.weak_spots.slices import is_tool_score
from tests.formats.made_files import as_delimited, as_jsonl
from tests.formats.readers.reading import read_file


def scored(*cells: object, name: str = "faithfulness") -> list[dict[str, Any]]:
    return [{"question": "q", "answer": "a", "contexts": ["c"], name: cell} for cell in cells]


def opened(rows: list[dict[str, Any]], *maps: str) -> Dataset:
    return open_dataset(as_jsonl(rows), name="x").remap(list(maps))


def options(dataset: Dataset) -> list[str]:
    return [option for question in dataset.open_questions(for_results=True) for option in question.options]


@pytest.mark.parametrize(
    ("cells", "scales"),
    [
        ((5, 4, 1, 3), ["1-5", "0-5", "1-10", "0-10", "0-100", "0-1"]),
        ((85, 1, 92), ["0-100", "0-1"]),
        (("7,5", 1), ["1-10", "0-10", "0-100", "0-1"]),
        ((0, 1, 0.5, "NaN", "85%", True, "pass"), []),
    ],
)
def test_scores_above_1_are_asked_about(cells: tuple[object, ...], scales: list[str]) -> None:
    dataset = opened(scored(*cells))
    assert options(dataset) == [f"--map score_range={scale}" for scale in scales]
    assert dataset.open_questions(for_results=False) == ()
    assert options(dataset.remap(["score_range=0-100"])) == []


def test_the_worst_score_of_a_scale_is_no_1_out_of_1() -> None:
    rows = as_delimited(scored(5, 4, 1, 3))
    with pytest.raises(InvalidInput, match=r"'faithfulness' holds 5, so its scale is not 0 to 1"):
        read_file(rows)
    assert [r.faithfulness for r in read_file(rows, "score_range=1-5").results] == [1.0, 0.75, 0.0, 0.5]


def test_a_row_far_down_that_is_on_another_scale_is_refused_before_a_1_is_taken_for_the_best() -> None:
    rows = as_delimited(scored(*[1] * 30, 4, 5))
    assert options(open_dataset(rows, name="x")) == []
    with pytest.raises(
        InvalidInput, match=r"x: 'faithfulness' holds 5 in row '32', so its scale is not 0 to 1"
    ) as error:
        read_file(rows)
    assert "--map score_range=1-5" in str(error.value)
    assert [r.faithfulness for r in read_file(rows, "score_range=1-5").results][29:] == [0.0, 0.75, 1.0]
    assert [r.state for r in read_file(rows, "score_range=0-1").results][29:] == [State.JUDGED, *[State.FAILED] * 2]
    assert open_dataset(rows, name="x").survey().questions[0].field == "score_range"


def test_a_number_far_down_among_words_for_what_was_found_is_asked_about() -> None:
    words: list[dict[str, Any]] = [{"label": "hallucinated" if n % 2 else "factual", "score": n % 2} for n in range(30)]
    details = {"hallucination_execution_details": {"status": "COMPLETED"}}
    rows = [
        {"output": "a", "context": "c", "span_id": str(n), "hallucination_score": {**result, "name": "x"}, **details}
        for n, result in enumerate([*words, {"label": None, "score": 1}])
    ]
    assert opened(rows).open_questions(for_results=True) == ()
    with pytest.raises(InvalidInput, match=r"say what was found, but row '30' holds 1"):
        read_file(as_jsonl(rows))
    for field, faithfulness in (("hallucination", 0.0), ("score", 1.0)):
        read = read_file(as_jsonl(rows), f"{field}=eval.hallucination")
        assert [result.faithfulness for result in read.results[-3:]] == [1.0, 0.0, faithfulness]


def test_a_column_that_a_person_named_is_asked_about_too() -> None:
    assert "--map score_range=1-5" in options(opened(scored(5, 1, name="quality"), "score=quality"))


@pytest.mark.parametrize(
    ("word", "score"),
    [
        *[(word, 0.0) for word in ("unfaithful", "Unsupported", "inconsistent", "ungrounded", "incorrect", "bad")],
        *[(word, 1.0) for word in ("grounded", "supported", "consistent", "Correct", "ok", "not hallucinated")],
        *[("yes", 0.0), ("no", 1.0), ("true", 0.0), (False, 1.0), ("0.25", 0.75), (1, 0.0)],
    ],
)
def test_words_in_a_column_of_hallucinations_say_what_was_found(word: object, score: float) -> None:
    assert score_of_hallucination(word) == score


def test_other_words_in_a_column_of_hallucinations_are_refused() -> None:
    with pytest.raises(BadCell, match="is not a number"):
        score_of_hallucination("severe")


@pytest.mark.parametrize("value", [-1, "-1", " -1.0", -0.5, "\N{MINUS SIGN}1"])
def test_a_negative_number_is_no_verdict(value: object) -> None:
    with pytest.raises(BadCell, match="is not known"):
        as_verdict(value)


def test_numbers_and_words_with_a_dash_are_verdicts() -> None:
    assert [as_verdict(value) for value in (1, "1.0", 0, True, "not-supported")] == [
        Verdict.SUPPORTED,
        Verdict.SUPPORTED,
        Verdict.NOT_MENTIONED,
        Verdict.SUPPORTED,
        Verdict.NOT_MENTIONED,
    ]


def test_decimals_of_parquet_are_scores() -> None:
    assert as_score(Decimal("0.75")) == 0.75


@pytest.mark.parametrize(
    ("name", "is_worse"),
    [
        *[(name, True) for name in ("not_faithful", "Unfaithful", "ungrounded", "factual_inconsistency")],
        *[(name, True) for name in ("hallucination_rate", "non-grounded", "groundedness_errors")],
        *[(name, False) for name in ("faithfulness", "groundedness", "not_hallucinated", "no_hallucinations")],
        *[(name, False) for name in ("faithfulness_without_citations", "annotator_faithful", "nonstop_grounded")],
    ],
)
def test_names_say_whether_more_is_worse(name: str, is_worse: bool) -> None:
    assert is_more_worse(name) is is_worse


@pytest.mark.parametrize("name", ["not_faithful", "unfaithful", "ungrounded", "not_hallucinated"])
def test_a_score_with_a_negated_name_is_asked_about(name: str) -> None:
    dataset = opened(scored(1, 0, name=name))
    assert dataset.detection.reader.name == SCHEMA
    assert options(dataset) == [f"--map hallucination={name}", f"--map score={name}"]


def langfuse(*scores: dict[str, Any]) -> bytes:
    trace = {"id": "t", "timestamp": "2026-03-02", "userId": "u", "sessionId": "s", "tags": [], "observations": []}
    named = [{"dataType": "NUMERIC", "traceId": "t", **score} for score in scores]
    return as_jsonl([trace | {"input": {"question": "q", "context": "c"}, "output": "a", "scores": named}])


def by_machine(name: str, value: object) -> dict[str, Any]:
    return {"name": name, "value": value, "source": "EVAL"}


def by_person(name: str, value: object) -> dict[str, Any]:
    return {"name": name, "value": value, "source": "ANNOTATION", "authorUserId": "ann"}


def test_a_mapped_score_is_the_same_way_round_for_people_and_machines() -> None:
    source = langfuse(by_machine("Hallucination", 1), by_person("Hallucination", 1))
    for maps, faithfulness, verdict in (
        ("score=scores.Hallucination", 1.0, Verdict.SUPPORTED),
        ("hallucination=scores.Hallucination", 0.0, Verdict.NOT_MENTIONED),
    ):
        read = read_file(source, maps)
        assert read.results[0].faithfulness == faithfulness
        assert [annotation.verdict for annotation in read.judged[0].annotations] == [verdict]


def test_peoples_scores_are_on_the_scale_that_was_named() -> None:
    source = langfuse(by_machine("faithfulness", 4), by_person("faithfulness", 1))
    with pytest.raises(InvalidInput, match="score_range=1-5"):
        read_file(source)
    read = read_file(source, "score_range=1-5")
    assert read.results[0].faithfulness == 0.75
    assert [annotation.verdict for annotation in read.judged[0].annotations] == [Verdict.NOT_MENTIONED]


def test_what_a_person_calls_unfaithful_is_not_supported() -> None:
    read = read_file(langfuse(by_machine("faithfulness", 1), by_person("unfaithful", 1)))
    assert [annotation.verdict for annotation in read.judged[0].annotations] == [Verdict.NOT_MENTIONED]


def test_a_machine_without_a_score_does_not_take_the_persons() -> None:
    without = langfuse(by_machine("faithfulness", None), by_person("faithfulness", 0.2))
    read = read_file(without + langfuse(by_machine("faithfulness", 0.5)).replace(b'"t"', b'"u"'))
    assert [(result.state, result.faithfulness) for result in read.results] == [
        (State.FAILED, None),
        (State.JUDGED, 0.5),
    ]
    assert [annotation.reviewer for annotation in read.judged[0].annotations] == ["ann"]


def test_a_file_in_columns_keeps_no_row_that_is_too_long() -> None:
    columns = ["question", "answer", "contexts"]
    rows = [["q", "a", ["c"]], ["q", "b", ["c"], 0.5]]
    dataset = open_dataset(json.dumps({"columns": columns, "data": rows}).encode(), name="x")
    samples, report = dataset.read()
    assert [sample.answer for sample in samples] == ["a"]
    assert [str(problem) for problem in report.problems] == [
        "row 2: the row is a list instead of an object with named fields"
    ]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("faithfulness", [0.0, 0.5, 1.0], True),
        ("Answer Relevance", ["0.8", None], True),
        ("score_response_completeness", [0.8], True),
        ("context_entity_recall", [0.2], True),
        ("hallucinated", [True, False], True),
        ("factual_accuracy", [73.0], True),
        ("faithfulness", ["Team A", "Team B"], False),
        ("attributes", ["red"], False),
        ("csat", [0.0, 1.0], False),
        ("precision_tools_owned", [3], False),
        ("response_ms", [120.0], False),
    ],
)
def test_a_column_of_a_tool_s_scores_is_known_by_name_and_values(
    name: str, values: list[object], expected: bool
) -> None:
    assert is_tool_score(name, values) is expected


@pytest.mark.parametrize("name", ["faithfulness (%)", "Faithfulness %", "faithfulness_pct", "groundedness percent"])
def test_a_score_in_percent_by_its_name_and_its_values_is_read_as_one(name: str) -> None:
    dataset = opened(scored(85, "50,5", 0, name=name))
    assert (dataset.mapping.score, dataset.mapping.score_range, options(dataset)) == (name, "0-100", [])
    assert [r.faithfulness for r in read_file(as_jsonl(scored(85, "50,5", 1, name=name))).results] == [
        0.85,
        0.505,
        0.01,
    ]
    assert [r.faithfulness for r in read_file(as_jsonl(scored("85%", "1 %", name=name))).results] == [0.85, 0.01]


def test_percent_by_name_with_nothing_above_1_is_asked_about() -> None:
    asked = ["--map score_range=0-100", "--map score_range=0-1"]
    assert options(opened(scored(1, 0.5, name="faithfulness_pct"))) == asked
    assert options(opened(scored(0, 0, name="faithfulness_pct"))) == []


@pytest.mark.parametrize("cell", [[0.25], "[0.25]", {"value": 0.25}, '{"score": 0.25, "reason": "r"}'])
def test_a_score_in_a_list_of_one_or_in_an_object_is_a_score(cell: object) -> None:
    assert as_score(cell) == 0.25
    assert [r.faithfulness for r in read_file(as_jsonl(scored(cell))).results] == [0.25]


def test_an_empty_list_is_no_score_and_several_are_refused() -> None:
    assert as_score([]) is None
    with pytest.raises(BadCell, match="is not a number"):
        as_score([0.0, 1.0])


@pytest.mark.parametrize("write", [as_jsonl, as_delimited])
def test_scores_by_name_inside_a_column_are_found(write: Any) -> None:
    rows = scored({"faithfulness": [0.0], "tone": 1}, {"faithfulness": [1.0]}, name="scores")
    assert [r.faithfulness for r in read_file(write(rows)).results] == [0.0, 1.0]
    both = scored({"faithfulness": 0, "groundedness": 1}, name="scores")
    assert options(opened(both)) == ["--map score=scores.faithfulness", "--map score=scores.groundedness"]


@pytest.mark.parametrize("name", ["hallucinated", "is_hallucinated", "hallucination", "Hallucination?", "unfaithful"])
@pytest.mark.parametrize("cells", [("yes", "no"), ("Y", "N"), (True, False), ("TRUE", "FALSE"), ("ja", "nein")])
def test_yes_and_no_say_whether_there_is_a_hallucination(name: str, cells: tuple[object, object]) -> None:
    assert options(opened(scored(*cells, name=name))) == []
    assert [r.faithfulness for r in read_file(as_jsonl(scored(*cells, name=name))).results] == [0.0, 1.0]


def test_numbers_for_hallucinations_are_asked_about_also_far_below_yes_and_no() -> None:
    asked = ["--map hallucination=hallucinated", "--map score=hallucinated"]
    assert options(opened(scored(1, 0, name="hallucinated"))) == asked
    assert options(opened(scored("yes", 0.5, name="hallucinated"))) == asked
    with pytest.raises(InvalidInput, match="say what was found, but row '31' holds 1"):
        read_file(as_jsonl(scored(*["yes", "no"] * 15, 1, name="hallucinated")))
