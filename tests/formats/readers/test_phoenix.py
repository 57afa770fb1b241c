"""Phoenix's evaluations, annotations, experiments and spans."""

import json
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.formats.files.report import RowProblem
from faithview.formats.read import detect, open_table
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import FILES, read_file

EVALS = ["phoenix-evals-3.9.csv", "phoenix-experiment.json"]
SPANS = ["phoenix-spans-rest.json", "phoenix-spans.jsonl", "phoenix-spans.parquet"]


@pytest.mark.parametrize("name", EVALS)
def test_evaluations_come_with_their_explanations_and_errors(name: str) -> None:
    read = read_file(name)
    assert (read.detection.reader.name, read.judge) == ("phoenix", "Phoenix (our-own-model)")
    assert [sample.question for sample in read.samples] == [
        "How tall is the tower?",
        "When did it open?",
        "Who designed it?",
    ]
    assert texts(read.samples[1]) == ["It opened in 1889."]
    good, bad, failed = read.results
    assert (good.faithfulness, bad.faithfulness, failed.state) == (1.0, 0.0, State.FAILED)
    assert "1889" in bad.suggestions[0]
    assert failed.error is not None
    assert "the model is down" in failed.error


def test_other_evaluations_are_metrics_and_nothing_is_lost() -> None:
    read = read_file(EVALS[0])
    assert read.results[0].metrics == {"length": 0.85}
    assert read.samples[2].extra["faithfulness_execution_details"] is not None
    extra = read_file(EVALS[1]).samples[0].extra
    assert (extra["latency_ms"], extra["reference_output"]) == (12.5, {"answer": "-"})


@pytest.mark.parametrize("name", SPANS)
def test_spans_are_joined_to_answers_with_what_was_found_about_them(name: str) -> None:
    read = read_file(name)
    assert read.detection.reader.name == "phoenix-spans"
    by_question = {sample.question: at for at, sample in enumerate(read.samples)}
    tall, opened = by_question["How tall is the tower?"], by_question["When did it open?"]
    # The retriever is three levels below the answer.
    assert texts(read.samples[tall]) == ["The tower is 330 m tall.", "It has three levels."]
    assert [chunk.chunk_id for chunk in read.samples[tall].chunks] == ["d1", "d2"]
    assert (read.results[tall].faithfulness, read.results[opened].faithfulness) == (1.0, 0.0)
    assert "1889" in read.results[opened].suggestions[0]


def test_what_a_person_said_is_an_annotation_and_the_rest_is_kept() -> None:
    read = read_file(SPANS[0])
    assert read.judge == "Phoenix (our-own-model)"
    assert read.results[0].metrics == {"helpfulness": 0.5}
    (annotation,) = read.judged[1].annotations
    assert (annotation.verdict, annotation.reviewer, annotation.note) == (Verdict.NOT_MENTIONED, "ann", "Wrong year.")
    assert annotation.at is not None
    assert "spans" not in read.samples[0].extra
    kept = read_file(SPANS[0], "ignore=").samples[0].extra["spans"]
    assert isinstance(kept, list)
    assert len(kept) == 5


@pytest.mark.parametrize("is_first", [True, False])
def test_annotations_among_the_spans_are_about_their_answers(is_first: bool) -> None:
    spans = [json.loads(line) for line in (FILES / SPANS[1]).read_text(encoding="utf-8").splitlines()]
    spans = [{name: value for name, value in span.items() if name != "annotations"} for span in spans]
    model = next(span["context"]["span_id"] for span in spans if span["name"] == "chat")
    kinds = {"annotation_name": "faithfulness", "annotator_kind": "LLM", "explanation": "It says 1889."}
    apart = [{"span_id": model, **kinds, "score": 0.0}, {"span_id": "gone", **kinds, "score": 1.0}]
    rows = [*apart, *spans] if is_first else [*spans, *apart]
    read = read_file(as_jsonl(rows))
    assert read.detection.reader.name == "phoenix-spans"
    opened = next(at for at, sample in enumerate(read.samples) if sample.question == "When did it open?")
    assert read.results[opened].faithfulness == 0.0
    assert read.results[opened].suggestions == ("Phoenix: It says 1889.",)


def test_annotations_in_another_file_are_joined_to_the_spans(tmp_path: Path) -> None:
    spans = [json.loads(line) for line in (FILES / SPANS[1]).read_text(encoding="utf-8").splitlines()]
    model = next(span["context"]["span_id"] for span in spans if span["name"] == "chat")
    more = {"span_id": model, "name": "groundedness", "annotator_kind": "LLM", "result": {"score": 0.5}}
    (tmp_path / "notes.jsonl").write_bytes(as_jsonl([more]))
    read = read_file(SPANS[1], "score=eval.groundedness", others=[tmp_path / "notes.jsonl"])
    assert [result.faithfulness for result in read.results if result.faithfulness is not None] == [0.5]


def test_an_experiment_whose_chunks_lie_in_two_places_asks() -> None:
    runs = json.loads((FILES / EVALS[1]).read_text(encoding="utf-8"))
    for run in runs:
        run["input"]["context"] = "given"
    shuffled = json.dumps([dict(reversed(run.items())) for run in runs]).encode()
    (question,) = detect(open_table(shuffled, name="x")).questions
    assert question.options == ("--map contexts=output.contexts", "--map contexts=input.context")


def test_of_a_hallucination_the_label_counts_and_not_the_number() -> None:
    spans = [json.loads(line) for line in (FILES / SPANS[1]).read_text(encoding="utf-8").splitlines()]
    spans = [{name: value for name, value in span.items() if name != "annotations"} for span in spans]
    model = next(span["context"]["span_id"] for span in spans if span["name"] == "chat")
    about = {"span_id": model, "annotation_name": "Hallucination"}
    found = [
        {**about, "annotator_kind": "LLM", "label": "hallucinated", "score": 0},
        {**about, "annotator_kind": "HUMAN", "label": "factual", "score": 1},
    ]
    read = read_file(as_jsonl([*spans, *found]))
    at = [sample.question for sample in read.samples].index("When did it open?")
    assert read.results[at].faithfulness == 0.0
    assert [annotation.verdict for annotation in read.judged[at].annotations] == [Verdict.SUPPORTED]


def test_annotations_that_lie_beside_the_spans_are_named_and_those_of_other_spans_left_out(tmp_path: Path) -> None:
    spans, beside = tmp_path / "spans.jsonl", tmp_path / "annotations.jsonl"
    spans.write_bytes((FILES / SPANS[1]).read_bytes())
    kinds = {"name": "groundedness", "annotator_kind": "LLM", "result": {"score": 0.5}}
    beside.write_bytes(as_jsonl([{"span_id": "of another file", **kinds}]))
    table = detect(open_table(spans, name="spans.jsonl")).table
    assert table.notes == ("Phoenix's scores were read from annotations.jsonl.",)
    assert not [row for row in table.rows() if isinstance(row, RowProblem)]
    beside.write_bytes(as_jsonl([{"note": "buy milk"}]))
    table = detect(open_table(spans, name="spans.jsonl")).table
    assert table.notes == ("annotations.jsonl next to spans.jsonl was not read: it has no scores of Phoenix.",)


def spans_at(trace: str, *, documents: bool, same_time: bool = False) -> list[dict[str, Any]]:
    """A trace in which a model replies, with a retriever if there are documents."""
    asked: dict[str, Any] = {"openinference.span.kind": "RETRIEVER", "input.value": "When?"}
    asked |= {"retrieval.documents.0.document.content": "It opened in 1889."} if documents else {}
    said = {"openinference.span.kind": "LLM", "llm.output_messages.0.message.content": "In 1889."}
    times = ("10:00:01", "10:00:02"), (("10:00:01", "10:00:02") if same_time else ("10:00:03", "10:00:04"))
    return [
        {
            "name": name,
            "context": {"trace_id": trace, "span_id": f"{trace}-{name}"},
            "parent_id": None,
            "start_time": f"2026-11-22T{start}+00:00",
            "end_time": f"2026-11-22T{end}+00:00",
            "attributes": attributes,
        }
        for name, attributes, (start, end) in zip(("search", "reply"), (asked, said), times, strict=True)
    ]


def test_spans_that_begin_and_end_together_are_an_answer_with_its_documents() -> None:
    rows = [span for n in range(3) for span in spans_at(f"t{n}", documents=True, same_time=True)]
    samples, _ = open_dataset(as_jsonl(rows), name="x").read()
    assert [(sample.answer, texts(sample)) for sample in samples] == [("In 1889.", ["It opened in 1889."])] * 3


def test_an_answer_without_documents_is_read_beside_those_with_some() -> None:
    rows = [*spans_at("bare", documents=False), *spans_at("t", documents=True)]
    samples, _ = open_dataset(as_jsonl(rows), name="x").read()
    assert {sample.key: (sample.answer, texts(sample)) for sample in samples} == {
        "bare": ("In 1889.", []),
        "t": ("In 1889.", ["It opened in 1889."]),
    }
