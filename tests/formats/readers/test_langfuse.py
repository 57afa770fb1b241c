"""Langfuse's traces, observations and scores, its table of traces, its data sets and experiments."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.errors import UnreadableFile
from faithview.domain.result import State
from faithview.formats.read import detect, open_table
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_delimited, as_jsonl, texts
from tests.formats.readers.reading import FILES, Read, read_file

TRACES, OBSERVATIONS, TABLE = "langfuse-3.15-traces.jsonl", "langfuse-5.0-observations.jsonl", "langfuse-traces.csv"


def at(found: Read, question: str) -> int:
    return [sample.question for sample in found.samples].index(question)


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FILES / name).read_text(encoding="utf-8").splitlines()]


def apart() -> tuple[bytes, bytes]:
    """Return the observations and the scores of the file that has both, as two files."""
    rows = lines(OBSERVATIONS)
    return as_jsonl([row for row in rows if "traceId" in row]), as_jsonl([row for row in rows if "dataType" in row])


@pytest.mark.parametrize("name", [TRACES, OBSERVATIONS])
def test_a_trace_is_an_answer_with_its_chunks_and_its_score(name: str) -> None:
    found = read_file(name)
    assert (found.detection.reader.name, found.judge) == ("langfuse", "Langfuse (our-own-model)")
    tall, opened, designed = (at(found, q) for q in ("How tall is the tower?", "When did it open?", "Who designed it?"))
    # The retriever is three levels below the answer.
    assert [(chunk.chunk_id, chunk.text) for chunk in found.samples[tall].chunks] == [
        ("d1", "The tower is 330 m tall."),
        ("d2", "It has three levels."),
    ]
    assert found.samples[opened].answer == "It opened in 1887."
    assert (found.results[tall].faithfulness, found.results[opened].faithfulness) == (1.0, 0.0)
    assert found.results[opened].suggestions == ("Langfuse (our-own-model): The document says 1889.",)
    assert found.results[designed].state is State.FAILED
    assert found.samples[tall].key == "trace-1"
    assert found.samples[tall].timestamp is not None


def test_annotations_corrections_and_scores_of_a_step_are_told_apart() -> None:
    found = read_file(TRACES)
    tall, opened = at(found, "How tall is the tower?"), at(found, "When did it open?")
    assert found.results[tall].metrics == {"helpfulness": 0.85}
    (annotation,) = found.judged[opened].annotations
    assert (annotation.verdict, annotation.reviewer, annotation.note) == (Verdict.NOT_MENTIONED, "ann", "Wrong year.")
    assert found.samples[opened].reference == "It opened in 1889."


def test_nothing_is_lost_and_steps_are_kept_if_asked_for() -> None:
    extra = read_file(TRACES).samples[0].extra
    assert (extra["sessionId"], extra["scores.tone"], extra["tags"]) == ("session-2", "kind", ["demo"])
    assert "observations" not in extra
    kept = read_file(TRACES, "ignore=").samples[0].extra["observations"]
    assert isinstance(kept, list)
    assert len(kept) == 5


def test_a_table_has_a_column_for_each_score_in_any_order() -> None:
    found = read_file(TABLE)
    assert texts(found.samples[0]) == ["The tower is 330 m tall.", "It has three levels."]
    assert [result.faithfulness for result in found.results] == [1.0, 0.25, None]
    assert found.results[0].metrics == {"helpfulness": 0.85}
    assert found.results[1].suggestions == ("Langfuse: The mean of 2 scores: 0, 0.5.",)
    rows = [
        dict(reversed(row.items()))
        for row in (
            {"id": "t", "timestamp": "2026-03-02T09:00:00Z", "user_id": "u", "session_id": "s", "release": "1"}
            | {"input": "q?", "output": "a.", "metadata": {"context": "c"}, "groundedness": [1]},
        )
    ]
    shuffled = read_file(as_jsonl(rows))
    assert (shuffled.detection.reader.name, texts(shuffled.samples[0])) == ("langfuse", ["c"])
    assert shuffled.results[0].faithfulness == 1.0


def test_the_page_of_a_trace_is_one_answer() -> None:
    trace = lines(TRACES)[2]
    page = {"observations": trace["observations"], "scores": trace["scores"]}
    for document in (page, {"trace": {"id": "trace-1", "input": None}, **page}):
        found = read_file(json.dumps(document, indent=1).encode())
        assert found.samples[0].answer == "The tower is 330 m tall."
        assert len(found.samples[0].chunks) == 2
        assert found.results[0].faithfulness == 1.0


def test_scores_in_another_file_are_joined_to_the_observations(tmp_path: Path) -> None:
    observations, scores = apart()
    (tmp_path / "their.jsonl").write_bytes(scores)
    found = read_file(observations, others=[tmp_path / "their.jsonl"])
    assert sorted(str(result.faithfulness) for result in found.results) == ["0.0", "1.0", "None"]


def test_scores_alone_have_no_answers() -> None:
    with pytest.raises(UnreadableFile, match="the score is about a trace that is not in the file"):
        open_dataset(apart()[1], name="x")


def test_chunks_in_two_places_are_asked_about() -> None:
    values = {"id": "t", "timestamp": "2026-03-02", "userId": "u", "sessionId": "s", "tags": [], "scores": []}
    rows = [values | {"input": {"question": "q", "context": "a"}, "output": {"answer": "x", "contexts": ["b"]}}]
    (question,) = detect(open_table(json.dumps(rows).encode(), name="x")).questions
    assert question.options == ("--map contexts=input.context", "--map contexts=output.contexts")


def test_scores_that_lie_beside_the_observations_are_named_and_those_of_other_traces_left_out(tmp_path: Path) -> None:
    path, beside = tmp_path / "observations.jsonl", tmp_path / "scores.jsonl"
    observations, scores = apart()
    path.write_bytes(observations)
    score = {"name": "faithfulness", "value": 1, "source": "EVAL", "dataType": "NUMERIC", "traceId": "of another file"}
    beside.write_bytes(scores + as_jsonl([score]))
    dataset = open_dataset(path)
    assert dataset.table.notes == ("Langfuse's scores were read from scores.jsonl.",)
    samples, report = dataset.read()
    assert (len(samples), report.problem_count) == (3, 0)


def test_scores_beside_the_observations_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path, beside = tmp_path / "observations.jsonl", tmp_path / "scores.jsonl"
    observations, scores = apart()
    path.write_bytes(observations)
    for damaged in (gzip.compress(scores)[:-20], b"[{\x00\x00", b""):
        beside.write_bytes(damaged)
        with pytest.raises(UnreadableFile, match=r"scores\.jsonl (is|has|contains) "):
            open_dataset(path)


def trimmed(scores: object, *left_out: str) -> list[dict[str, Any]]:
    """Traces with few columns: the answer is also in the observations, beside what the retriever found."""
    said = {"How tall is it?": "The tower is 330 m tall.", "When did it open?": "It opened in the year 1887."}
    rows = [
        {
            "id": f"t{n}", "name": "rag", "input": asked, "output": answer, "scores": scores,
            "observations": [
                {"name": "retriever", "type": "SPAN", "input": asked, "output": [{"page_content": f"Chunk {n}."}]},
                {"name": "llm", "type": "GENERATION", "input": asked, "output": answer},
            ],
        }
        for n, (asked, answer) in enumerate(said.items())
    ]  # fmt: skip
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]


@pytest.mark.parametrize("write", [as_jsonl, as_delimited])
@pytest.mark.parametrize(
    "scores", [{"faithfulness": [0.0]}, {"faithfulness": 0}, [{"name": "faithfulness", "value": 0}]]
)
def test_a_trimmed_export_has_its_chunks_in_the_observations(
    write: Callable[[list[dict[str, Any]]], bytes], scores: object
) -> None:
    found = read_file(write(trimmed(scores)))
    assert found.detection.reader.name == "langfuse"
    assert [texts(sample) for sample in found.samples] == [["Chunk 0."], ["Chunk 1."]]
    assert [result.faithfulness for result in found.results] == [0.0, 0.0]


@pytest.mark.parametrize("left_out", [("scores",), ("id", "name"), ("id", "name", "scores")])
def test_observations_tell_langfuse_whatever_else_is_trimmed(left_out: tuple[str, ...]) -> None:
    dataset = open_dataset(as_jsonl(trimmed({"faithfulness": [1]}, *left_out)), name="x")
    assert [texts(sample) for sample in dataset.read()[0]] == [["Chunk 0."], ["Chunk 1."]]
