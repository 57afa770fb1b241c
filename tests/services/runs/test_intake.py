"""Rows of large files: stored in parts while the file is read, all or none in the end."""

import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from faithview import Sample
from faithview.domain.errors import RunConflict, UnreadableFile
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.formats.files.report import ReadReport
from faithview.services.container import Store
from faithview.services.results import delete_run, get_progress, get_run, list_runs, retry_failed
from faithview.services.runs import intake as run_intake
from faithview.services.runs.create import RunRequest, create_run, describe_run, iterate_samples, judge_here
from faithview.store import intake as stored_intake
from faithview.store.runs import LEASE, count_runs
from tests.services.scripted import NAME, ScriptedJudge

REQUEST = RunRequest(name="run", judge=JudgeSpec(name=NAME), source="answers.jsonl")
_BATCH = 4
_ROWS = 18


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_intake, "_MOST_ROWS", _BATCH)


def _samples(number: int = _ROWS) -> Iterator[Sample]:
    return (Sample.of("fine", [f"chunk {n}"], question=f"q{n}", key=f"k{n}") for n in range(1, number + 1))


def _half_read(services: Store, *, reader: str, alive_at: datetime | None = None) -> Run:
    """Store the first rows of a run, as a reader does that is then killed or goes on."""
    rows = [*_samples()][:8]
    run = describe_run(rows, REQUEST, fingerprint="scripted/1")
    now = alive_at or datetime.now(UTC)
    return stored_intake.begin_rows(services.db, run, rows, reader=reader, now=now)


def _dead() -> str:
    process = os.spawnv(os.P_NOWAIT, "/bin/true", ["true"])
    os.waitpid(process, 0)
    return f"{socket.gethostname()}:{process}:a"


def test_no_more_than_two_batches_of_rows_are_held_at_once(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = held = 0

    def counted() -> Iterator[Sample]:
        nonlocal read
        for sample in _samples(200):
            read += 1
            yield sample

    add_rows = stored_intake.add_rows

    def watched(*arguments: object, first: int, **more: object) -> None:
        nonlocal held
        held = max(held, read - first + 1)
        add_rows(*arguments, first=first, **more)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(stored_intake, "add_rows", watched)
    report = ReadReport()
    report.problem_count = 2
    run = create_run(services, counted(), REQUEST, report=report)
    assert held <= 2 * _BATCH
    assert get_progress(services, run.run_id).total == 200
    assert [sample.key for sample in iterate_samples(services, run)] == [f"k{n}" for n in range(1, 201)]
    assert (run.status, run.rows_left_out) == (RunStatus.PENDING, 2)
    assert replace(get_run(services, run.run_id), revision=0) == run
    assert run.rows_hash == create_run(services, _samples(200), REQUEST).rows_hash is not None


def test_a_batch_ends_early_where_rows_are_long() -> None:
    sizes = [len(batch) for batch in run_intake.batches_of(range(4), size=lambda _: 600_000)]
    assert sizes == [2, 2]


@pytest.mark.parametrize("error", [UnreadableFile("a truncated gzip file"), KeyboardInterrupt()])
def test_of_a_file_that_breaks_off_nothing_stays(services: Store, judge: ScriptedJudge, error: BaseException) -> None:
    def broken() -> Iterator[Sample]:
        yield from _samples(10)
        raise error

    with pytest.raises(type(error)):
        create_run(services, broken(), REQUEST)
    assert count_runs(services.db) == 0


def test_a_run_whose_reader_was_killed_is_not_judged_and_reading_again_replaces_it(
    services: Store, judge: ScriptedJudge
) -> None:
    killed = _half_read(services, reader=_dead(), alive_at=datetime.now(UTC) - 2 * LEASE)
    run = get_run(services, killed.run_id)
    assert run.status is RunStatus.INTERRUPTED
    assert "the rows after the first 8 are missing" in (run.error or "")
    with pytest.raises(RunConflict, match="the rows after the first 8 are missing"):
        judge_here(services, run)
    assert retry_failed(services, run.run_id) == 0
    assert judge.calls == {}
    again = create_run(services, _samples(), REQUEST)
    summary = judge_here(services, again)
    assert (summary.rows, summary.run.status, summary.run.error) == (_ROWS, RunStatus.COMPLETE, None)
    assert [(run.run_id, run.name) for run in list_runs(services)] == [(again.run_id, "run")]


def test_a_reader_that_was_just_killed_on_this_machine_is_not_waited_for(services: Store, judge: ScriptedJudge) -> None:
    run = _half_read(services, reader=_dead())
    with pytest.raises(RunConflict, match="the rows after the first 8 are missing"):
        judge_here(services, run)
    assert create_run(services, _samples(), REQUEST).name == "run"
    assert count_runs(services.db) == 1


def test_a_file_that_is_being_read_is_left_alone(services: Store, judge: ScriptedJudge) -> None:
    first = _half_read(services, reader=run_intake.process_token())
    assert get_run(services, first.run_id).status is RunStatus.RUNNING
    with pytest.raises(RunConflict, match="still being read"):
        judge_here(services, first)
    assert create_run(services, _samples(), REQUEST).name == "run (2)"
    assert count_runs(services.db) == 2


def test_deleting_a_run_ends_the_reading_of_its_file(services: Store, judge: ScriptedJudge) -> None:
    def deleting() -> Iterator[Sample]:
        for number, sample in enumerate(_samples(), start=1):
            if number == 3 * _BATCH:
                delete_run(services, "run")
            yield sample

    with pytest.raises(RunConflict, match="deleted"):
        create_run(services, deleting(), REQUEST)
    assert count_runs(services.db) == 0
