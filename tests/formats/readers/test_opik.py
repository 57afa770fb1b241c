"""Opik's traces, spans and experiments."""

import json
from typing import Any

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.formats.read import detect, open_table
from tests.formats.made_files import as_jsonl
from tests.formats.readers.reading import FILES, Read, read_file

LINES, ONE, EXPERIMENT = "opik-traces.jsonl", "opik-trace.json", "opik-experiment.json"


def at(found: Read, question: str) -> int:
    return [sample.question for sample in found.samples].index(question)


def test_a_trace_is_an_answer_with_its_chunks_and_its_score() -> None:
    found = read_file(LINES)
    assert (found.detection.reader.name, found.judge) == ("opik", "Opik")
    tall, opened, designed = (at(found, q) for q in ("How tall is the tower?", "When did it open?", "Who designed it?"))
    # The search is three levels below the trace.
    assert [(chunk.chunk_id, chunk.text) for chunk in found.samples[tall].chunks] == [
        ("d1", "The tower is 330 m tall."),
        ("d2", "It has three levels."),
    ]
    assert (found.results[tall].faithfulness, found.results[opened].faithfulness) == (1.0, 0.0)
    assert found.results[opened].suggestions == ("Opik: The document says 1889.",)
    assert found.results[designed].state is State.FAILED
    assert found.results[tall].metrics == {"helpfulness": 0.85}
    (annotation,) = found.judged[opened].annotations
    assert (annotation.verdict, annotation.reviewer, annotation.note) == (Verdict.NOT_MENTIONED, "ann", "Wrong year.")


def test_an_exported_trace_keeps_its_fields_and_its_spans_if_asked_for() -> None:
    (sample,) = read_file(ONE).samples
    assert (sample.key, sample.extra["project_name"], sample.extra["tags"]) == ("trace-2", "tower", ["demo"])
    assert "spans" not in sample.extra
    kept = read_file(ONE, "ignore=").samples[0].extra["spans"]
    assert isinstance(kept, list)
    assert len(kept) == 4


def test_spans_alone_are_put_together() -> None:
    rows = [json.loads(line) for line in (FILES / LINES).read_text(encoding="utf-8").splitlines()]
    spans = [dict(reversed(row.items())) for row in rows if "trace_id" in row]
    spans[-1]["feedback_scores"] = [{"name": "groundedness", "value": 0.5}]
    found = read_file(as_jsonl(spans))
    assert [sample.answer for sample in found.samples][-1] == "The tower is 330 m tall."
    assert [result.faithfulness for result in found.results] == [None, None, 0.5]


def test_an_experiment_has_references_and_opiks_own_score_of_hallucination() -> None:
    found = read_file(EXPERIMENT)
    assert [result.faithfulness for result in found.results] == [1.0, 0.0, None]
    assert [sample.reference for sample in found.samples] == ["It is 330 m tall.", "-", "-"]
    assert found.samples[0].extra["experiment_name"] == "tower"


def test_another_score_of_hallucination_is_asked_about() -> None:
    row: dict[str, Any] = {"id": "t", "project_id": "p", "input": {"question": "q"}, "output": {"answer": "a"}}
    rows = [{**row, "feedback_scores": [{"name": "Hallucination", "value": 1.0, "source": "online_scoring"}]}]
    (question,) = detect(open_table(as_jsonl(rows), name="x")).questions
    assert question.options[0] == "--map hallucination=feedback.Hallucination"
