"""MLflow's traces, tables of traces and evaluation results."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from tests.formats.readers.reading import read_file

RESULTS = ["mlflow-3.17-results.csv", "mlflow-3.17-results.json"]
TRACES = ["mlflow-3.17-traces.jsonl", "mlflow-3.17-search.json"]


@pytest.mark.parametrize("name", [*RESULTS, *TRACES])
def test_assessments_come_with_their_rationales_chunks_and_errors(name: str) -> None:
    read = read_file(name)
    assert (read.detection.reader.name, read.judge) == ("mlflow", "MLflow (our-own-model)")
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
    assert ("spans" in extra, extra["state"]) == (False, "OK")
    assert "spans" in read_file(TRACES[0], "ignore=").samples[0].extra
