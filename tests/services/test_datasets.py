"""Data sets over stored runs, on both databases: named, recognised, in versions, and gone with their last run."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import delete

from faithview import Sample
from faithview.domain.dataset import VersionChange
from faithview.domain.errors import InvalidInput, NotFound, RunConflict, UnreadableFile
from faithview.domain.run import Run, RunStatus
from faithview.services import datasets
from faithview.services.container import Store
from faithview.services.dataset_files import FileOrigin, open_dataset
from faithview.services.results import delete_run, get_run
from faithview.services.runs import intake
from faithview.services.runs.create import (
    RunRequest,
    create_repeats,
    create_run,
    judge_again,
    read_on,
    save_checked,
    save_judged,
)
from faithview.services.runs.judge_answer import check_sample
from faithview.store.schema.datasets import DatasetVersionRow, NamedDatasetRow, RunDatasetRow
from tests.factories import LEXICAL, add_run
from tests.formats.made_files import as_jsonl


def _rows(*questions: str, answer: str = "Yes.") -> list[Sample]:
    return [Sample.of(answer, [f"About {question}."], question=question) for question in questions]


def _store(services: Store, name: str, samples: Sequence[Sample], *, dataset: str | None = None) -> Run:
    return add_run(services, samples, name, judge=LEXICAL, dataset=dataset)


def _where(run: Run) -> tuple[str, int] | None:
    return (run.dataset.dataset, run.dataset.number) if run.dataset else None


def test_a_run_names_its_data_set_or_joins_the_one_that_has_its_rows(services: Store) -> None:
    first = _store(services, "Help 2026-03", _rows("a", "b", "c", "d"), dataset="  Help   desk ")
    assert _where(first) == ("Help desk", 1)
    shuffled = _store(services, "other name", _rows("d", "b", "a", "c"))
    assert _where(shuffled) == ("Help desk", 1)
    answered_anew = _store(services, "Help 2026-04", _rows("a", "b", "c", "e", answer="No."))
    assert _where(answered_anew) == ("Help desk", 2)
    unrelated = _store(services, "Shop w2", _rows("x", "y"))
    assert _where(unrelated) == ("Shop", 1)
    assert _where(_store(services, "Shop w3", _rows("x", "y"), dataset="Help desk")) == ("Help desk", 3)
    assert _where(get_run(services, first.run_id)) == ("Help desk", 1)
    (repeat,) = create_repeats(services, unrelated, repeat=2)
    assert _where(repeat) == ("Shop", 1)
    assert _where(judge_again(services, unrelated, LEXICAL)) == ("Shop", 1)
    help_desk = datasets.get_dataset(services, "Help desk")
    assert [(v.number, v.rows, v.runs) for v in help_desk.versions] == [(1, 4, 2), (2, 4, 1), (3, 2, 1)]
    changes = [step.change for step in datasets.list_steps(services, help_desk)]
    assert changes == [
        VersionChange(kept=0, changed=0, added=2, removed=4),
        VersionChange(kept=0, changed=3, added=1, removed=1),
        None,
    ]


def test_a_run_joins_its_data_set_with_the_last_row_of_its_file(
    services: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "_MOST_ROWS", 2)
    samples = _rows("a", "b", "c", "d", "e")
    path = tmp_path / "answers.jsonl"
    lines = [
        {"question": row.question, "answer": row.answer, "contexts": [chunk.text for chunk in row.chunks]}
        for row in samples
    ]
    path.write_bytes(as_jsonl(lines))
    origin = FileOrigin(path=str(path), content_key=open_dataset(path).content_key)

    request = RunRequest(name="in part", judge=LEXICAL, dataset="Help  desk")

    def cut_short() -> Iterator[Sample]:
        yield from samples[:4]
        raise UnreadableFile("The file breaks off.")

    with pytest.raises(UnreadableFile):
        create_run(services, cut_short(), request, origin=origin)
    assert datasets.list_datasets(services) == []
    run = get_run(services, "in part")
    assert (run.status, run.dataset) == (RunStatus.INTERRUPTED, None)
    assert _where(read_on(services, run)) == _where(get_run(services, "in part")) == ("Help desk", 1)
    assert [version.rows for version in datasets.get_dataset(services, "Help desk").versions] == [5]
    again = _store(services, "again", samples)
    assert _where(again) == ("Help desk", 1)
    assert [_where(repeat) for repeat in create_repeats(services, again, repeat=3)] == [("Help desk", 1)] * 2


def test_a_checked_answer_is_in_no_data_set(services: Store) -> None:
    sample = _rows("a")[0]
    result = check_sample(sample, judge=LEXICAL)
    assert save_checked(services, sample, result, name="one", judge=LEXICAL, source="check page").dataset is None
    assert datasets.list_datasets(services) == []


def test_the_same_rows_are_recognised_whoever_judged_them(services: Store) -> None:
    samples = _rows("a", "b")
    assert datasets.find_judged(services, datasets.hash_rows(samples)) == []
    result = [(sample, check_sample(sample, judge=LEXICAL)) for sample in samples]
    stored = save_judged(services, result, RunRequest(name="first", judge=LEXICAL))
    create_repeats(services, stored, repeat=2)
    found = datasets.find_judged(services, datasets.hash_rows(samples[::-1]))
    assert [run.run_id for run in found] == [stored.run_id]
    assert datasets.find_judged(services, datasets.hash_rows(samples[:1])) == []


def test_runs_that_are_older_than_data_sets_are_looked_at_when_somebody_asks(services: Store) -> None:
    first, second = _store(services, "Help w1", _rows("a", "b")), _store(services, "Help w2", _rows("a", "c"))
    with services.db.write() as connection:
        for table in (RunDatasetRow, DatasetVersionRow, NamedDatasetRow):
            connection.execute(delete(table))
    assert get_run(services, first.run_id).dataset is None
    (dataset,) = datasets.list_datasets(services)
    assert (dataset.name, [version.rows for version in dataset.versions]) == ("Help", [2, 2])
    assert [_where(get_run(services, run.run_id)) for run in (first, second)] == [("Help", 1), ("Help", 2)]


def test_a_version_goes_with_its_last_run_and_a_data_set_with_nothing_left_too(services: Store) -> None:
    old, new = _store(services, "Help w1", _rows("a", "b")), _store(services, "Help w2", _rows("a", "c"))
    delete_run(services, old.run_id)
    dataset = datasets.get_dataset(services, "Help")
    assert [version.number for version in dataset.versions] == [2]
    with pytest.raises(RunConflict, match="delete them first"):
        datasets.delete_dataset(services, "Help")
    datasets.hold_out(services, dataset, ["0" * 64], by="ada")
    delete_run(services, new.run_id)
    kept = datasets.get_dataset(services, "Help")
    assert (kept.versions, kept.held_out) == ((), 1)
    with pytest.raises(NotFound, match="has no rows"):
        datasets.get_version(kept)
    # The rows come again: what was held out still is.
    assert _where(_store(services, "again", _rows("a"), dataset="Help")) == ("Help", 1)
    delete_run(services, "again")
    datasets.delete_dataset(services, "Help")
    assert datasets.list_datasets(services) == []


def test_names_are_refused_that_cannot_be_used(services: Store) -> None:
    _store(services, "Help w1", _rows("a"))
    _store(services, "Shop w1", _rows("x"))
    with pytest.raises(RunConflict, match="'Shop'"):
        datasets.rename_dataset(services, "Help", " Shop ")
    with pytest.raises(NotFound, match="There is no data set"):
        datasets.rename_dataset(services, "Hel", "Other")
    for name in (" ", "x" * 201, "a\x00b"):
        with pytest.raises(InvalidInput):
            _store(services, "w", _rows("z"), dataset=name)
    assert datasets.rename_dataset(services, "Help", "Help desk") == "Help desk"
