"""InspectorRAGet's file: tasks, documents and results are joined, and people's scores are theirs."""

import json

from faithview.domain.claim import Verdict
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import texts
from tests.formats.readers.reading import FILES, read_file


def test_results_are_joined_with_their_tasks_and_documents() -> None:
    read = read_file("inspectorraget-2.json")
    first, second = read.samples
    assert (first.key, first.question, first.answer, first.reference, first.segment) == (
        "t1 a", "How tall is it?", "It is 330 m tall.", "330 m", "Model A",
    )  # fmt: skip
    assert texts(second) == ["The tower is 330 m tall.", "It opened in 1889."]
    assert first.chunks[0].metadata["title"] == "Tower"
    assert first.extra["task"]["category"] == "facts"  # type: ignore[index,call-overload]  # JSON of any shape
    assert first.extra["score: detail"] == "fine"


def test_a_machines_score_is_the_result_and_peoples_are_annotations() -> None:
    read = read_file("inspectorraget-2.json")
    assert [result.faithfulness for result in read.results] == [0.9, 0.1]
    assert read.judge == "InspectorRAGet"
    assert [(item.verdict, item.reviewer, item.note) for item in read.judged[0].annotations] == [
        (Verdict.SUPPORTED, "ann", ""),
        (Verdict.PARTIALLY_SUPPORTED, "ben", "Which tower?"),
    ]
    # 50 of 0 to 200 characters
    assert read.results[0].metrics["length"] == 0.25


def test_the_first_version_is_read_too_and_a_scale_is_moved_to_0_to_1() -> None:
    read = read_file("inspectorraget-1.json")
    assert (read.samples[0].answer, read.samples[0].question) == ("It is 330 m tall.", "How tall is it?")
    # "Mostly yes" is 3 of 1 to 4.
    assert read.results[0].faithfulness == 2 / 3
    assert (read.judge, read.judged[0].annotations) == ("ann", ())


def test_metrics_that_are_not_named_after_faithfulness_are_asked_about() -> None:
    document = json.loads((FILES / "inspectorraget-1.json").read_text())
    document["metrics"][0]["name"] = "quality"
    document["evaluations"][0]["annotations"] = {"quality": {"ann": {"value": "Yes"}}}
    content = json.dumps(document).encode()
    (question,) = open_dataset(content, name="x").detection.questions
    assert question.candidates == ("score: quality",)
    assert read_file(content, "score=score: quality").results[0].faithfulness == 1.0


def test_a_file_that_faithview_wrote_in_this_shape_is_its_own_without_a_question() -> None:
    document = json.loads((FILES / "inspectorraget-2.json").read_text())
    for result in document["results"]:
        result["metadata"] = {"faithview_key": "1", "faithview_state": "judged", "faithview_faithfulness": 1.0}
    found = open_dataset(json.dumps(document).encode(), name="x").detection
    assert (found.schema, found.questions) == ("faithview", ())
