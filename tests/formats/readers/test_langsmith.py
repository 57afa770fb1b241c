"""LangSmith's runs with feedback, the results of its experiments, and the examples of its data sets."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.result import State
from faithview.formats.read import detect, open_table
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_delimited, as_jsonl, read, texts
from tests.formats.readers.reading import FILES, Read, read_file

RUNS, NESTED = "langsmith-0.15-runs.jsonl", "langsmith-0.15-nested.json"
FRAME, EXPERIMENT = "langsmith-0.15-frame.csv", "langsmith-0.15-experiment.json"


def at(found: Read, question: str) -> int:
    return [sample.question for sample in found.samples].index(question)


@pytest.mark.parametrize("name", [RUNS, NESTED, FRAME, EXPERIMENT])
def test_an_answer_comes_with_its_chunks_and_its_score(name: str) -> None:
    found = read_file(name)
    assert found.detection.reader.name == "langsmith"
    tall, opened, designed = (at(found, q) for q in ("How tall is the tower?", "When did it open?", "Who designed it?"))
    # In the runs the retriever is three levels below the answer.
    assert [(chunk.chunk_id, chunk.text) for chunk in found.samples[tall].chunks] == [
        ("d1", "The tower is 330 m tall."),
        ("d2", "It has three levels."),
    ]
    assert found.samples[opened].answer == "It opened in 1887."
    assert (found.results[tall].faithfulness, found.results[opened].faithfulness) == (1.0, 0.0)
    assert found.results[designed].state is State.FAILED


@pytest.mark.parametrize("name", [RUNS, EXPERIMENT])
def test_comments_are_reasons_and_a_failed_evaluator_says_why(name: str) -> None:
    found = read_file(name)
    assert found.results[at(found, "When did it open?")].suggestions == (f"{found.judge}: The document says 1889.",)
    assert found.results[at(found, "Who designed it?")].error == "ValueError('the model is down')"


def test_what_a_person_said_is_an_annotation_and_the_rest_is_kept() -> None:
    found = read_file(RUNS)
    assert found.judge == "LangSmith (our-own-model)"
    (annotation,) = found.judged[at(found, "When did it open?")].annotations
    assert (annotation.verdict, annotation.reviewer, annotation.note) == (Verdict.NOT_MENTIONED, "ann", "Wrong year.")
    tall = at(found, "How tall is the tower?")
    assert found.results[tall].metrics == {"helpfulness": 0.85}
    assert found.samples[tall].extra["extra"] == {"metadata": {"app": "tower"}}
    kept = read_file(RUNS, "ignore=").samples[tall].extra["runs"]
    assert isinstance(kept, list)
    assert len(kept) == 5


@pytest.mark.parametrize("name", [FRAME, EXPERIMENT])
def test_an_experiment_has_references_and_other_scores(name: str) -> None:
    found = read_file(name)
    assert found.samples[0].reference == "It is 330 m tall."
    assert found.results[0].metrics == {"length": 0.85}


def test_a_frame_is_read_in_any_order_and_asks_where_chunks_lie_in_two_places() -> None:
    rows = list(csv.DictReader(io.StringIO((FILES / FRAME).read_text(encoding="utf-8"), newline="")))
    shuffled = read_file(as_delimited([dict(reversed(row.items())) for row in rows]))
    assert (shuffled.detection.reader.name, shuffled.results[0].faithfulness) == ("langsmith", 1.0)
    two = as_delimited([{**row, "inputs.context": "given"} for row in rows])
    (question,) = detect(open_table(two, name="x")).questions
    assert question.options == ("--map contexts=outputs.contexts", "--map contexts=inputs.context")


def test_a_run_that_ended_in_an_error_has_no_answer_and_says_so() -> None:
    rows = list(csv.DictReader(io.StringIO((FILES / FRAME).read_text(encoding="utf-8"), newline="")))
    rows[1] |= {"outputs.answer": "", "outputs.contexts": "", "error": "TimeoutError()"}
    found, _ = read(as_delimited(rows))
    assert str(found[1]) == "line 3: there is no answer: the run ended in the error 'TimeoutError()'"


def test_conversations_and_replies_of_langchain_are_read() -> None:
    human = {"type": "human", "content": "When?"}
    ai = {"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": "1887", "type": "ai"}}
    run = {"id": "1", "trace_id": "1", "run_type": "chain", "inputs": {"messages": [human]}}
    rows = [
        {**run, "outputs": {"messages": [human, ai]}},
        {**run, "id": "2", "trace_id": "2", "outputs": {"generations": [[{"text": "", "message": ai}]]}},
    ]
    found = read_file(as_jsonl([{**row, "feedback_stats": {"faithfulness": {"avg": 1}}} for row in rows]))
    assert [(sample.question, sample.answer) for sample in found.samples] == [("When?", "1887")] * 2


def test_right_answers_of_a_data_set_and_feedback_alone_are_no_answers() -> None:
    example = {
        "id": "e",
        "dataset_id": "d",
        "created_at": "2026-03-02",
        "inputs": {"question": "When?"},
        "outputs": {"answer": "1889"},
    }
    feedback = {"run_id": "r", "key": "faithfulness", "score": 1, "comment": "Fine."}
    for row, why in ((example, "are the right answers"), (feedback, "about a trace that is not in the file")):
        with pytest.raises(UnreadableFile, match=why):
            open_dataset(as_jsonl([row]), name="x")


def test_a_chain_that_is_named_after_its_retriever_has_the_answer() -> None:
    root = {"id": "1", "trace_id": "1", "run_type": "chain", "name": "RetrievalQA", "start_time": "2026-03-02"}
    root |= {"inputs": {"query": "When?"}, "outputs": {"result": "1887", "source_documents": ["In 1889."]}}
    model = {"id": "2", "trace_id": "1", "parent_run_id": "1", "run_type": "llm", "outputs": {"output": "1888"}}
    (sample,) = open_dataset(as_jsonl([root, model]), name="x").read()[0]
    assert (sample.question, sample.answer, texts(sample)) == ("When?", "1887", ["In 1889."])


def test_feedback_on_a_run_inside_a_trace_belongs_to_its_answer() -> None:
    root = {"id": "1", "trace_id": "1", "run_type": "chain", "inputs": {"input": "q"}, "outputs": {"output": "a"}}
    inner = {**root, "id": "2", "parent_run_id": "1"}
    feedback = {"run_id": "2", "key": "faithfulness", "score": 0.5, "comment": ""}
    (result,) = read_file(as_jsonl([feedback, inner, root])).results
    assert result.faithfulness == 0.5


@pytest.mark.parametrize("more", [{"feedback.faithfulness": 0.5}, {"example_id": "e"}, {"feedback_stats": {}}, {}])
@pytest.mark.parametrize("write", [as_jsonl, as_delimited])
def test_a_table_with_objects_in_inputs_and_outputs_is_read_inside_them(
    write: Callable[[list[dict[str, Any]]], bytes], more: dict[str, Any]
) -> None:
    row = {"inputs": {"question": "When?"}, "outputs": {"answer": "1887", "documents": [{"page_content": "In 1889."}]}}
    dataset = open_dataset(write([{**row, **more}] * 2), name="x")
    assert dataset.detection.reader.name == ("langsmith" if more else "canonical")
    for sample in dataset.read()[0]:
        assert (sample.question, sample.answer, texts(sample)) == ("When?", "1887", ["In 1889."])
    if "feedback.faithfulness" in more:
        assert [result.faithfulness for result in read_file(write([{**row, **more}])).results] == [0.5]


def test_a_table_of_runs_has_the_averages_of_its_feedback() -> None:
    row = {"inputs": {"question": "q"}, "outputs": {"output": "a", "context": "c"}, "dotted_order": "1"}
    stats = {"faithfulness": {"n": 2, "avg": 0.25}}
    found = read_file(as_delimited([{**row, "id": "r", "feedback_stats": stats}]))
    assert [(sample.answer, texts(sample)) for sample in found.samples] == [("a", ["c"])]
    assert [result.faithfulness for result in found.results] == [0.25]


def test_an_object_without_a_known_answer_is_never_the_answer() -> None:
    rows = [{"question": "When?", "output": json.dumps({"verdict": "ok", "code": 7}), "contexts": ["In 1889."]}]
    with pytest.raises(InvalidInput, match="'output' are objects in which no key is known to be the answer"):
        open_dataset(as_jsonl(rows), name="x").read()


def test_texts_among_objects_with_answers_are_asked_about() -> None:
    rows = [{"question": "When?", "output": cell, "contexts": ["In 1889."]} for cell in ("1889", '{"answer": "1887"}')]
    with pytest.raises(
        InvalidInput, match="Some cells of 'output' are texts and others objects with an answer in them"
    ):
        open_dataset(as_jsonl(rows), name="x").read()
