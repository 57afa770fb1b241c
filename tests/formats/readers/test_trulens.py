"""TruLens' tables: scores, statements, reasons and errors, and the chunks in the calls' arguments."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from faithview.domain.result import State
from faithview.formats.read import detect, open_table
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import read_file

RECORDS, SPANS = "trulens-2.16-records.jsonl", "trulens-2.16-spans.csv"
TOWER = "How tall is the tower?"


@pytest.mark.parametrize("name", [RECORDS, SPANS])
def test_scores_come_with_their_statements_and_chunks(name: str) -> None:
    read = read_file(name)
    assert (read.detection.reader.name, read.detection.mapping.score) == ("trulens", "Groundedness")
    by_question = {sample.question: at for at, sample in enumerate(read.samples)}
    tower = by_question[TOWER]
    assert texts(read.samples[tower]) == ["The tower is 330 metres tall.", "It has three levels."]
    assert read.claims[tower] == [
        ("supported", "The tower is 330 metres tall."),
        ("not_mentioned", "It is painted blue."),
    ]
    result = read.results[tower]
    assert result.faithfulness == 0.5
    assert "NOTHING FOUND" in result.claims[1].explanation
    assert all(claim.is_anchored for claim in result.claims)
    failed = read.results[by_question["Who designed it?"]]
    assert (failed.state, failed.faithfulness) == (State.FAILED, None)
    # Without spans, nothing in the table names the chunks of a metric that failed.
    chunks = ["Maurice Koechlin and Emile Nouguier designed it."] if name == SPANS else []
    assert texts(read.samples[by_question["Who designed it?"]]) == chunks


def test_nothing_of_a_record_is_lost() -> None:
    extra = read_file(RECORDS).samples[1].extra
    assert (extra["app_name"], extra["app_version"]) == ("tower", "v1")
    assert extra["Groundedness_calls"][0]["ret"] == 1.0  # type: ignore[index,call-overload]  # JSON of any shape


def row(**more: Any) -> Mapping[str, Any]:
    return {"record_id": "r", "app_id": "a", "input": "q", "output": "It is red. It is big.", **more}


def call(meta: object, ret: float = 0.5) -> list[dict[str, Any]]:
    return [{"args": {"source": "It is red.", "statement": "It is red. It is big."}, "ret": ret, "meta": meta}]


def read_rows(*rows: Mapping[str, Any]) -> Any:
    return read_file(as_jsonl(rows))


def test_shuffled_columns_and_renamed_metrics_are_recognised() -> None:
    reasons = [{"criteria": "It is big.", "supporting_evidence": "", "score": 0.5}]
    values = row(**{"My groundedness": 0.5, "My groundedness_calls": call({"reasons": reasons})})
    read = read_rows(dict(reversed(list(values.items()))))
    assert read.detection.reader.name == "trulens"
    assert read.claims == [[("partially_supported", "It is big.")]]


def test_statements_in_one_text_are_the_reason_and_the_score_stands() -> None:
    text = "STATEMENT 0:\nCriteria: It is red.\nSupporting Evidence: red\nScore: 3"
    (result,) = read_rows(row(Groundedness=0.5, Groundedness_calls=call({"reasons": text}))).results
    assert (result.faithfulness, result.claims) == (0.5, ())


def test_a_reply_without_a_score_is_a_failed_row_and_not_minus_one() -> None:
    (first, second) = read_rows(
        row(Groundedness=-1.0, Groundedness_calls=call({})),
        row(record_id="s", Groundedness=1.0, Groundedness_calls=call({})),
    ).results
    assert (first.state, first.error) == (State.FAILED, "TruLens could not read a score in its judge's reply.")
    assert second.faithfulness == 1.0


def test_an_answer_without_statements_is_not_a_score_of_zero() -> None:
    meta = {"explanation": "No non-trivial statements to evaluate"}
    (result,) = read_rows(row(Groundedness=0.0, Groundedness_calls=call(meta, 0.0))).results
    assert result.state is State.NO_CLAIMS
    assert "TruLens wrote 0.0" in result.warnings[0]


def test_two_metrics_that_could_be_faithfulness_are_asked_about() -> None:
    values = row(faithfulness=1.0, faithfulness_calls=[], groundedness=0.5, groundedness_calls=[])
    detection = detect(open_table(as_jsonl([values]), name="x"))
    assert [question.options for question in detection.questions] == [
        ("--map score=faithfulness", "--map score=groundedness")
    ]
    other = row(**{"Answer Relevance": 1.0, "Answer Relevance_calls": []})
    (question,) = detect(open_table(as_jsonl([other]), name="x")).questions
    assert str(question) == (
        "None of TruLens's scores is named after faithfulness. Say which with --map 'score=Answer Relevance'."
    )


def test_a_metric_in_which_less_is_better_is_turned_round() -> None:
    values = row(Groundedness=0.25, Groundedness_calls=json.dumps(call({})), **{"Groundedness direction": False})
    assert read_rows(values).results[0].faithfulness == 0.75


@pytest.mark.parametrize(
    ("field", "faithfulness"), [("hallucination", 0.1), ("score", 0.1)], ids=["said to be worse", "by its direction"]
)
def test_a_score_in_which_more_is_worse_is_turned_once(field: str, faithfulness: float) -> None:
    cells = {"Hallucination": 0.9, "Hallucination_calls": call({}, 0.9), "Hallucination direction": False}
    (result,) = read_file(as_jsonl([row(**cells)]), f"{field}=Hallucination").results
    assert result.faithfulness == pytest.approx(faithfulness)


def test_a_statement_that_cannot_be_read_leaves_the_score_alone() -> None:
    statements = [{"criteria": "It is red.", "score": 1.0}, {"criteria": "It is big.", "score": "?"}]
    cells = {"Groundedness": 0.5, "Groundedness_calls": call({"reasons": statements})}
    (result,) = read_file(as_jsonl([row(**cells)])).results
    assert (result.faithfulness, result.claims) == (0.5, ())
    assert "claim 2: the score is ?" in result.warnings[0]
