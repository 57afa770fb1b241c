"""MLflow's traces, tables of traces and evaluation results, and the tables of its older evaluations."""

import csv
import io
import json
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.formats.read import detect, open_any
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import FILES, read_file

RESULTS = ["mlflow-3.17-results.csv", "mlflow-3.17-results.json"]
TRACES = ["mlflow-3.17-traces.jsonl", "mlflow-3.17-search.json"]


@pytest.mark.parametrize("name", [*RESULTS, *TRACES])
def test_assessments_come_with_their_rationales_chunks_and_errors(name: str) -> None:
    read = read_file(name)
    assert (read.detection.schema, read.judge) == ("mlflow", "MLflow (our-own-model)")
    at = {sample.question: position for position, sample in enumerate(read.samples)}
    tall, opened, failed = at["How tall is the tower?"], at["When did it open?"], at["Who designed it?"]
    assert [(chunk.chunk_id, chunk.text) for chunk in read.samples[opened].chunks] == [("d0", "It opened in 1889.")]
    assert read.samples[opened].answer == "It opened in 1887."
    assert (read.results[tall].faithfulness, read.results[opened].faithfulness) == (1.0, 0.0)
    assert read.results[opened].suggestions == ("MLflow (our-own-model): The document says 1889.",)
    assert read.results[tall].metrics == {"length": 0.85}
    assert (read.results[failed].state, read.results[failed].error) == (State.FAILED, "the model is down")
    assert read.samples[tall].reference == "It is 330 m tall."
    assert read.samples[tall].timestamp is not None


@pytest.mark.parametrize("name", TRACES)
def test_what_people_said_is_an_annotation(name: str) -> None:
    judged = read_file(name).judged
    found = [annotation for item in judged for annotation in item.annotations]
    assert {(item.verdict, item.reviewer, item.note) for item in found} == {
        (Verdict.NOT_MENTIONED, "ann", "Checked by hand.")
    }


def test_spans_are_kept_if_asked_for_and_the_rest_always() -> None:
    extra = read_file(TRACES[0]).samples[0].extra
    assert ("data" in extra, extra["state"]) == (False, "OK")
    assert "data" in read_file(TRACES[0], "ignore=").samples[0].extra


def test_a_table_without_assessments_is_read_by_its_columns_in_any_order() -> None:
    lines = list(csv.DictReader(io.StringIO((FILES / RESULTS[0]).read_text(encoding="utf-8"), newline="")))
    for line in lines:
        del line["assessments"], line["trace"]
    read = read_file(as_jsonl([dict(reversed(line.items())) for line in lines]))
    assert sorted(str(result.faithfulness) for result in read.results) == ["0.0", "1.0", "None"]
    assert read.detection.schema == "mlflow"


LEGACY: dict[str, Any] = {
    "inputs": "How tall?",
    "outputs": "It is 330 m tall.",
    "context": "The tower is 330 m tall.",
    "faithfulness/v1/score": 4,
    "faithfulness/v1/justification": "Nearly all of it is there.",
    "relevance/v1/score": 5,
}


def test_older_tables_are_on_a_scale_from_one_to_five() -> None:
    read = read_file(as_jsonl([LEGACY, {**LEGACY, "faithfulness/v1/score": None}]))
    assert (read.detection.schema, texts(read.samples[0])) == ("mlflow-2", ["The tower is 330 m tall."])
    assert (read.results[0].faithfulness, read.results[0].metrics) == (0.75, {"relevance": 1.0})
    assert read.results[0].suggestions == ("MLflow: Nearly all of it is there.",)
    assert read.results[1].state is State.FAILED


def test_two_scores_that_could_be_faithfulness_are_asked_about() -> None:
    values = {**LEGACY, "groundedness/v1/score": 3}
    (question,) = detect(open_any(json.dumps([values]).encode(), name="x")).questions
    assert question.options == ("--map score=faithfulness/v1/score", "--map score=groundedness/v1/score")
