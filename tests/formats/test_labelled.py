"""Labelled benchmark files, as labels and as samples."""

from pathlib import Path
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport
from faithview.formats.labelled import LabelledSample
from faithview.formats.read import detect, open_table
from faithview.formats.reading.reader import LabelledSpan
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_delimited, as_jsonl, read, read_samples

pytestmark = pytest.mark.process  # takes long

BENCH = Path(__file__).parents[3] / "shared" / "bench"
ROW: dict[str, Any] = {
    "id": "set/1",
    "source": "set",
    "task": "QA",
    "question": "How tall?",
    "chunks": ["It is 330 m tall."],
    "answer": "It is 300 m tall.",
    "claim": None,
    "label": 0,
    "spans": [{"start": 6, "end": 11, "type": "conflict"}],
    "doc": "d1",
}


def labelled(*rows: dict[str, Any]) -> tuple[list[LabelledSample], ReadReport]:
    return open_dataset(as_jsonl(rows), name="bench.jsonl").read_labelled()


def test_a_labelled_row_keeps_its_label_spans_and_document() -> None:
    (item,), report = labelled(ROW)
    assert item.sample.answer == "It is 300 m tall."
    assert (item.label, item.claim, item.task, item.doc) == (0, None, "QA", "d1")
    assert item.spans == (LabelledSpan(start=6, end=11, kind="conflict", verdict=Verdict.CONTRADICTED),)
    assert (item.sample.key, item.sample.segment) == ("set/1", "QA")
    assert (report.rows, report.usable) == (1, 1)


def test_where_there_is_a_claim_it_is_judged_in_the_place_of_the_answer() -> None:
    row = {**ROW, "claim": "The tower is 300 m tall.", "spans": None}
    (item,), _ = labelled(row)
    assert (item.sample.answer, item.claim, item.spans) == (
        "The tower is 300 m tall.",
        "The tower is 300 m tall.",
        None,
    )
    (sample,), _ = read(as_jsonl([row]))
    assert isinstance(sample, Sample)
    assert sample.answer == "The tower is 300 m tall."
    assert sample.extra["answer"] == "It is 300 m tall."


def test_a_labelled_file_is_read_as_samples_too() -> None:
    table = open_table(as_jsonl([ROW]), name="bench.jsonl")
    detection = detect(table)
    assert detection.reader.name == "labelled"
    (sample,) = read_samples(table, detection.mapping)
    assert isinstance(sample, Sample)
    assert (sample.key, sample.segment, sample.question, sample.answer) == (
        "set/1", "QA", "How tall?", "It is 300 m tall.",
    )  # fmt: skip
    assert sample.extra == {"source": "set", "label": 0, "spans": ROW["spans"], "doc": "d1"}


def test_no_span_and_no_word_about_spans_are_told_apart() -> None:
    items, _ = labelled({**ROW, "label": 1, "spans": []}, {**ROW, "id": "2", "spans": None})
    assert [item.spans for item in items] == [(), None]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"label": 2}, "the label is 2; it must be 1 (faithful) or 0 (not)"),
        ({"label": None}, "the label is None; it must be 1 (faithful) or 0 (not)"),
        ({"spans": [{"start": 3, "end": 99}]}, "the span [3, 99) is not within the text's 17 characters"),
        ({"spans": [{"start": 3, "end": 3}]}, "the span [3, 3) is not within the text's 17 characters"),
        ({"spans": ["x"]}, "a span has no start and end"),
        ({"spans": "6 to 11"}, "the spans are not a list"),
        ({"spans": {"start": 1}}, "the spans are not a list"),
        ({"answer": None}, "no answer"),
    ],
)
def test_a_bad_labelled_row_is_reported_and_the_rest_is_kept(change: dict[str, Any], reason: str) -> None:
    items, report = labelled(ROW, {**ROW, "id": "2", **change}, {**ROW, "id": "3"})
    assert [item.sample.key for item in items] == ["set/1", "3"]
    assert [str(problem) for problem in report.problems] == [f"line 2: {reason}"]
    assert (report.rows, report.usable, report.problem_count) == (3, 2, 1)


def test_spans_and_labels_are_read_from_csv_too() -> None:
    ((item,), _) = open_dataset(as_delimited([ROW]), name="bench.csv").read_labelled()
    assert (item.label, item.spans) == (
        0,
        (LabelledSpan(start=6, end=11, kind="conflict", verdict=Verdict.CONTRADICTED),),
    )


def test_a_file_without_labels_is_refused_naming_what_is_missing() -> None:
    dataset = open_dataset(as_jsonl([{"question": "q", "answer": "a", "contexts": ["c"]}]), name="x.jsonl")
    with pytest.raises(InvalidInput, match=r"x\.jsonl is not a labelled file.*chunks, answer, label.*question, answer"):
        dataset.read_labelled()


@pytest.mark.skipif(not BENCH.is_dir(), reason="the labelled benchmark files (../shared/bench) are not on this machine")
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("begin", 601), ("bump", 428), ("factcheck_stance", 503), ("ragtruth", 3000), ("refchecker_dolly", 844),
        ("summedits", 1624), ("wice", 330), ("wice_tokens", 400),
    ],
)  # fmt: skip
def test_every_row_of_every_benchmark_file_is_read(name: str, rows: int) -> None:
    table = open_table(BENCH / f"{name}.jsonl.gz", name=name)
    detection = detect(table)
    assert (detection.reader.name, table.format) == ("labelled", "jsonl.gz")
    report = ReadReport()
    samples = list(read_samples(table, detection.mapping, report=report))
    items, labels = open_dataset(BENCH / f"{name}.jsonl.gz").read_labelled()
    assert (report.rows, report.usable, report.problem_count, report.warnings) == (rows, rows, 0, {})
    assert (labels.rows, labels.usable, labels.problem_count) == (rows, rows, 0)
    assert [item.sample for item in items] == samples
    assert all(isinstance(sample, Sample) and sample.has_context for sample in samples)
