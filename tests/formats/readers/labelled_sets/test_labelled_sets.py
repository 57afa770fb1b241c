"""Labelled data sets: what their labels are, for import and for measuring a judge."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import FILES, Read, read_file


def _labels(name: str) -> list[int]:
    return [row.label for row in open_dataset(FILES / name).read_labelled()[0]]


def _marked(read: Read, row: int) -> list[tuple[str, str, str]]:
    answer = read.samples[row].answer
    return [
        (item.verdict.value, answer[slice(*item.span)], item.reviewer)
        for item in read.judged[row].annotations
        if item.verdict and item.span
    ]


def test_lettucedetect() -> None:
    read = read_file("lettucedetect.json")
    assert (texts(read.samples[0]), read.samples[0].question) == (
        ["passage 1: The lake is 30 m deep."],
        "How deep is the lake?",
    )
    # A span that is supported is none that is wrong.
    assert _marked(read, 0) == [("contradicted", "90 m", ""), ("not_mentioned", "12 km long", "")]
    assert read.samples[0].extra["metadata"] == {"instance_id": "7"}
    assert _labels("lettucedetect.json") == _labels("lettucedetect-first.json") == [0, 1]


def test_lettucedetects_first_files_hold_the_passages_in_the_prompt() -> None:
    read = read_file("lettucedetect-first.json")
    assert texts(read.samples[0])[0].endswith("passage 1: The lake is 30 m deep.")
    assert "each prompt was read as one chunk" in read.detection.warnings[0]
    assert [verdict for verdict, *_ in _marked(read, 0)] == ["contradicted", "not_mentioned"]


def test_a_row_of_halueval_becomes_two_answers() -> None:
    read = read_file("halueval-qa.json")
    assert [(item.key, item.answer, result.faithfulness) for item, result in zip(read.samples, read.results)] == [  # noqa: B905 - equal by construction
        ("1-right", "1889", 1.0),
        ("1-hallucinated", "The tower opened in 1887.", 0.0),
        ("2-right", "90 m", 1.0),
        ("2-hallucinated", "The bridge is 900 m long.", 0.0),
    ]
    assert read.judge == "HaluEval's labels"
    rows, _ = open_dataset(FILES / "halueval-qa.json").read_labelled()
    assert [(row.label, row.task) for row in rows] == [(1, "qa"), (0, "qa")] * 2
    assert rows[0].doc == rows[1].doc != rows[2].doc


def test_halueval_has_dialogues_and_summaries_too() -> None:
    dialogue = read_file("halueval-dialogue.json").samples[1]
    assert dialogue.question is not None
    assert dialogue.question.startswith("[Human]: I like museums.")
    assert (dialogue.answer, texts(dialogue)) == ("No, it is closed on Sundays.", ["The museum is open on Sundays."])
    summary = read_file("halueval-summarization.json").samples[0]
    assert (summary.question, texts(summary)) == (
        None,
        ["The bridge was closed on Monday. Repairs will take two weeks."],
    )
    assert _labels("halueval-samples.jsonl") == [1, 0]


def test_halueval_own_evaluation_is_a_models_verdict_beside_the_label() -> None:
    read = read_file("halueval-evaluated.json")
    assert [(result.state, result.faithfulness) for result in read.results] == [
        (State.JUDGED, 0.0),
        (State.JUDGED, 0.0),
        (State.FAILED, None),
    ]
    assert read.judge == "HaluEval"
    assert [item.annotations[0].verdict for item in read.judged] == [
        Verdict.SUPPORTED,
        Verdict.NOT_MENTIONED,
        Verdict.SUPPORTED,
    ]
    assert _labels("halueval-evaluated.json") == [1, 0, 1]


def test_a_table_with_a_score_named_hallucination_is_not_halueval() -> None:
    row = {"knowledge": "k", "question": "q", "answer": "a", "hallucination": 0.2}
    assert open_dataset(as_jsonl([row]), name="x").detection.schema == "canonical"


def test_faithbench_has_the_marks_of_several_people() -> None:
    read = read_file("faithbench-batch.json")
    assert _marked(read, 0) == [
        ("contradicted", "new harbour", "Ada"),
        ("not_mentioned", "music", "Ben"),
        ("partially_supported", "The music festival", "Ben"),
    ]
    assert read.judged[0].annotations[0].note == "Unwanted.Intrinsic: old (source) vs. new (summary)"
    # What is benign is no mistake.
    assert (_marked(read, 1), read.results[1].faithfulness) == ([], 1.0)
    assert read.results[0].metrics["hhem-2.1"] == 0.5
    assert "raw_sample_id" not in read.results[1].metrics
    assert (read.samples[0].segment, read.samples[0].key) == ("vendor/model-a", "0")
    assert _labels("faithbench-batch.json") == _labels("faithbench-table.csv") == [0, 1, 1]


@pytest.mark.parametrize("name", ["ares-labelled.tsv", "ares-ratio.tsv"])
def test_ares_writes_its_labels_as_words_or_as_numbers(name: str) -> None:
    read = read_file(name)
    assert [result.faithfulness for result in read.results[:2]] == [1.0, 0.0]
    assert read.results[0].metrics == {"context relevance": 1.0, "answer relevance": 1.0}
    assert (read.samples[0].question, texts(read.samples[0])) == ("how tall is the tower", ["The tower is 330 m tall."])
    assert _labels(name) == [1, 0]


def test_a_row_without_a_label_measures_no_judge() -> None:
    _, report = open_dataset(FILES / "ares-labelled.tsv").read_labelled()
    assert [problem.reason for problem in report.problems] == ["no label"]
    assert read_file("ares-labelled.tsv").results[2].error == "The data set has no label for this answer."


def test_ares_answers_without_labels_are_answers_to_judge() -> None:
    row = {"Query": "q", "Document": "d", "Answer": "a"}
    dataset = open_dataset(as_jsonl([row]), name="x")
    assert (dataset.detection.schema, dataset.detection.match.has_results) == ("canonical", False)
    assert dataset.as_format("ares").mapping.contexts == ("Document",)


def test_llm_aggrefact_is_about_claims() -> None:
    rows, _ = open_dataset(FILES / "llm_aggrefact.jsonl").read_labelled()
    assert [(row.claim, row.label, row.task) for row in rows] == [
        ("The tower opened in 1889.", 1, "OURS-QA"),
        ("The tower opened in 1887.", 0, "OURS-QA"),
        ("The bridge was closed.", 1, "OURS-News"),
    ]
    assert rows[0].doc == rows[1].doc != rows[2].doc
    bare = as_jsonl([{"doc": "d", "claim": "c", "label": 1}])
    assert open_dataset(bare, name="x").detection.confidence == 0.8
    assert (
        open_dataset(as_jsonl([{"doc": "d", "claim": "c", "label": "maybe"}]), name="x").detection.schema == "canonical"
    )
