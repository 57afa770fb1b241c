"""promptfoo's results as JSON and JSON Lines."""

import json
from typing import Any

import pytest

from faithview.domain.result import State
from faithview.formats.read import detect, open_table
from tests.formats.made_files import as_jsonl, read, texts
from tests.formats.readers.reading import FILES, read_file

JSON, LINES = "promptfoo-0.121.json", "promptfoo-0.121.jsonl"


@pytest.mark.parametrize("name", [JSON, LINES])
def test_assertions_are_scores_and_a_failed_grader_is_no_zero(name: str) -> None:
    found = read_file(name)
    assert (found.detection.reader.name, found.judge) == ("promptfoo", "promptfoo")
    assert [sample.question for sample in found.samples] == [
        "How tall is the tower?",
        "When did it open?",
        "Who designed it?",
    ]
    assert texts(found.samples[0]) == ["The tower is 330 m tall.", "It has three levels."]
    assert [result.faithfulness for result in found.results] == [1.0, 0.0, None]
    assert found.results[1].suggestions == ("promptfoo: Faithfulness 0.00 is < 0.8",)
    assert (found.results[2].state, found.results[2].error) == (State.FAILED, "the model is down")
    assert found.results[0].metrics == {"length": 0.85}
    assert found.samples[1].extra["vars"] == {
        "query": "When did it open?",
        "context": ["It opened in 1889."],
        "reply": "It opened in 1887.",
    }


def results(**more: Any) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (FILES / LINES).read_text(encoding="utf-8").splitlines()]
    return [{**dict(reversed(row.items())), **more} for row in rows]


def test_a_model_that_failed_gave_no_answer() -> None:
    rows = results()
    rows[1] |= {"response": {"error": "429"}, "error": "429"}
    found, _ = read(as_jsonl(rows))
    assert str(found[1]) == "line 2: there is no answer: the run ended in the error '429'"


def test_results_without_assertions_have_named_scores_and_ask() -> None:
    rows = results(gradingResult=None, namedScores={"Grounded": 0.5, "faithful": 1})
    (question,) = detect(open_table(as_jsonl(rows), name="x")).questions
    assert question.options == ("--map score=metric.Grounded", "--map score=metric.faithful")
    found = read_file(as_jsonl(rows), "score=metric.Grounded")
    assert [result.faithfulness for result in found.results] == [0.5, 0.5, 0.5]
    # What the grader was given is not there, so the chunks are those of the test.
    assert texts(found.samples[1]) == ["It opened in 1889."]
