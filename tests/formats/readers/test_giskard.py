"""Giskard's test sets and reports: answers lie in another file, and correct is not the same as faithful."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from faithview.domain.errors import MissingColumn
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import texts
from tests.formats.readers.reading import FILES, Read, read_file

FOLDER = FILES / "giskard"


def _check(read: Read) -> None:
    assert read.detection.schema == "giskard"
    assert [result.faithfulness for result in read.results] == [1.0, 0.0]
    assert [result.metrics for result in read.results] == [{"correctness": 1.0}, {"correctness": 0.0}]
    second = read.samples[1]
    assert (second.question, second.answer, second.reference) == ("And when did it open?", "In 1887.", "1889")
    assert texts(second) == ["It opened in 1889.", "Tickets are sold at the gate."]
    assert second.segment == "Sights"
    assert second.extra["reference_context"] == "Document 5: It opened in 1889."
    assert read.judged[1].reason == "The agent said 1887; it was 1889."


def test_a_report_is_read_from_its_folder() -> None:
    _check(read_file("giskard/testset.jsonl"))


def test_a_report_is_read_from_an_archive() -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in FOLDER.iterdir():
            archive.writestr(f"report/{path.name}", path.read_bytes())
    _check(read_file(packed.getvalue()))


def test_a_test_set_alone_has_no_answers(tmp_path: Path) -> None:
    alone = tmp_path / "testset.jsonl"
    alone.write_bytes((FOLDER / "testset.jsonl").read_bytes())
    dataset = open_dataset(alone)
    assert "without answers" in dataset.detection.warnings[0]
    with pytest.raises(MissingColumn, match="Which column holds the answer"):
        dataset.read()
    named = open_dataset(alone, others=[FOLDER / "agent_answer.json"])
    assert [sample.answer for sample in named.read()[0]] == ["It is 330 m tall.", "In 1887."]


def test_the_context_of_the_question_is_not_what_was_retrieved() -> None:
    dataset = open_dataset(FILES / "giskard-report.csv")
    with pytest.raises(MissingColumn, match="text that the question was written from, not the retrieved text"):
        dataset.read()
    samples, _ = dataset.remap(["contexts=reference_context"]).read()
    assert texts(samples[0]) == ["Document 4: The tower is 330 m tall."]
