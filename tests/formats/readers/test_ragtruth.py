"""RAGTruth's two files, joined by `source_id`: beside each other, or named."""

import json
from pathlib import Path

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.errors import UnreadableFile
from faithview.services.dataset_files import Dataset, open_dataset
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import FILES, read_file

ANSWERS, SOURCES = FILES / "ragtruth" / "response.jsonl", FILES / "ragtruth" / "source_info.jsonl"


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _answers(dataset: Dataset) -> list[tuple[str, int]]:
    return [(item.sample.answer, item.label) for item in dataset.read_labelled()[0]]


def test_answers_are_joined_with_their_sources() -> None:
    read = read_file("ragtruth/response.jsonl")
    assert (read.detection.reader.name, read.judge) == ("ragtruth", "RAGTruth's annotators")
    qa, record, summary, _ = read.samples
    assert (qa.question, texts(qa)) == (
        "how tall is the tower",
        ["The tower is 330 m tall.", "It opened in 1889. It is made of wrought iron."],
    )
    assert json.loads(texts(record)[0])["attributes"] == {"Pool": True, "Parking": None}
    assert (summary.question, summary.segment, len(summary.chunks)) == (None, "Summary", 1)
    assert summary.extra["quality"] == "truncated"
    assert set(qa.extra) == {"labels", "model", "prompt", "quality", "source", "source_id", "split", "temperature"}


def test_the_labels_are_what_people_marked() -> None:
    read = read_file("ragtruth/response.jsonl")
    assert [result.faithfulness for result in read.results] == [0.0, 0.0, 1.0, 1.0]
    wrong, added = read.judged[0].annotations
    answer = read.samples[0].answer
    assert [(item.verdict, answer[slice(*item.span)]) for item in (wrong, added) if item.span] == [
        (Verdict.CONTRADICTED, "1887"),
        (Verdict.NOT_MENTIONED, "has three lifts"),
    ]
    assert added.note == "Subtle Baseless Info: Not mentioned. (true, but not in the source)"
    assert read.results[0].claims == ()


def test_judges_are_measured_by_them() -> None:
    rows, report = open_dataset(ANSWERS).read_labelled()
    assert [(row.label, row.task, row.doc) for row in rows] == [
        (0, "QA", "ragtruth-100"),
        (0, "Data2txt", "ragtruth-101"),
        (1, "Summary", "ragtruth-102"),
        (1, "QA", "ragtruth-100"),
    ]
    assert [len(row.spans or ()) for row in rows] == [2, 1, 0, 0]
    assert [str(problem) for problem in report.problems] == ["line 5: there is no source '999'"]


def test_the_other_file_can_be_named_or_is_asked_for(tmp_path: Path) -> None:
    alone, sources = tmp_path / "answers.jsonl", tmp_path / "other.jsonl"
    alone.write_bytes(ANSWERS.read_bytes())
    sources.write_bytes(SOURCES.read_bytes())
    assert len(_answers(open_dataset(alone, others=[sources]))) == 4
    with pytest.raises(UnreadableFile, match=r"source_info\.jsonl, which is not next to answers\.jsonl.*--with FILE"):
        open_dataset(alone)
    with pytest.raises(UnreadableFile, match=r"answers\.jsonl is not RAGTruth's source_info\.jsonl"):
        open_dataset(alone, others=[alone])
    # Standard input is spooled to a folder with files of others.
    with pytest.raises(UnreadableFile, match="which is not next to standard input"):
        open_dataset(ANSWERS, name="standard input")


def test_both_in_one_table_need_no_other_file() -> None:
    sources = {row["source_id"]: row for row in _rows(SOURCES)}
    joined = [{**sources[row["source_id"]], **row} for row in _rows(ANSWERS)[:4]]
    dataset = open_dataset(as_jsonl(joined), name="x")
    assert _answers(dataset) == _answers(open_dataset(ANSWERS))


def test_a_span_outside_the_answer_refuses_the_label_and_one_that_is_off_is_found_by_its_words() -> None:
    row = {"source_id": "1", "source_info": "A.", "task_type": "Summary", "response": "The tower opened in 1887."}
    off = [{"start": 0, "end": 4, "text": "1887", "label_type": "Evident Conflict"}]
    outside = [{"start": 20, "end": 99, "text": "nowhere", "label_type": "Evident Conflict"}]
    rows, report = open_dataset(
        as_jsonl([{**row, "labels": off}, {**row, "labels": outside}, {**row, "labels": None}]), name="x"
    ).read_labelled()
    assert rows[0].spans is not None
    assert (rows[0].spans[0].start, rows[0].spans[0].end) == (20, 24)
    assert [problem.reason for problem in report.problems] == [
        "the span [20, 99) is not within the text's 25 characters",
        "no label",
    ]
