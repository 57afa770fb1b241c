"""Uploads that are too large to be read to the end while somebody waits."""

from pathlib import Path

import pytest

from faithview import Sample
from faithview.domain.run import JudgeSpec
from faithview.services.dataset_files import Dataset, open_dataset
from faithview.services.results import get_run
from faithview.services.runs import intake
from faithview.services.runs.create import RunRequest, iterate_samples, judge_here
from faithview.ui import opened_store, service_calls
from faithview.ui.upload import start
from faithview.ui.upload.file import survey_words
from tests.factories import open_services
from tests.formats.made_files import as_jsonl

_ROWS = 30


@pytest.fixture
def dataset(monkeypatch: pytest.MonkeyPatch) -> Dataset:
    monkeypatch.setattr(service_calls, "_LARGE_BYTES", 100)
    monkeypatch.setattr(service_calls, "_SURVEYED_ROWS", 10)
    monkeypatch.setattr(intake, "_MOST_ROWS", 4)
    rows = [{"id": f"k{n}", "reply": "It is 330 m.", "contexts": ["It is 330 m."]} for n in range(_ROWS)]
    rows[20].pop("reply")
    return open_dataset(as_jsonl(rows), name="my answers.jsonl").remap(["answer=reply"])


def test_only_the_first_rows_are_surveyed(dataset: Dataset) -> None:
    assert survey_words(service_calls.survey(dataset)) == "First 10 rows: 10 answers, 1 chunk each"


def test_all_rows_are_stored_in_one_reading(dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_services(f"sqlite:///{tmp_path}/store.db") as services:
        monkeypatch.setattr(opened_store, "store", lambda: services)
        request = RunRequest(name="run", judge=JudgeSpec(name="lexical"))
        run, report = start.store_answers(dataset, request, repeat=1)
        judged = judge_here(services, run)
        assert (judged.states["judged"], judged.run.rows_left_out, report.problem_count) == (_ROWS - 1, 1, 1)
        twice, _ = start.store_answers(dataset, request, repeat=2)
        (repeat,) = get_run(services, twice.run_id).repeats
        first, second = (list(iterate_samples(services, get_run(services, i))) for i in (twice.run_id, repeat))
        assert first == second
        assert len(first) == _ROWS - 1
        assert all(isinstance(sample, Sample) for sample in first)
