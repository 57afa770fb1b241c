"""Rows of large files: stored while the file is read, judged meanwhile, and read on where somebody was stopped."""

import os
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from faithview import Sample
from faithview.domain.errors import InvalidInput, NotFound, UnreadableFile
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.formats.files.report import ReadReport
from faithview.services.container import Store
from faithview.services.dataset_files import FileOrigin, open_dataset
from faithview.services.results import delete_run, get_progress, get_run
from faithview.services.runs import intake as run_intake
from faithview.services.runs.create import (
    RunRequest,
    begin_run,
    create_run,
    is_cut_short,
    iterate_samples,
    judge_here,
    read_on,
)
from faithview.store import intake as stored_intake
from faithview.store import intake_marks
from tests.formats.made_files import as_jsonl
from tests.services.scripted import NAME, ScriptedJudge

REQUEST = RunRequest(name="run", judge=JudgeSpec(name=NAME))
_BATCH = 4
_ROWS = 18


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_intake, "_MOST_ROWS", _BATCH)


def _samples(number: int = _ROWS) -> Iterator[Sample]:
    return (Sample.of("fine", [f"chunk {n}"], question=f"q{n}", key=f"k{n}") for n in range(1, number + 1))


def _broken_after(number: int) -> Iterator[Sample]:
    yield from _samples(number)
    raise UnreadableFile("answers.jsonl is a truncated gzip file; get the whole file.")


def _cut_short(services: Store, *, origin: FileOrigin | None = None) -> Run:
    with pytest.raises(UnreadableFile):
        create_run(services, _broken_after(10), REQUEST, origin=origin)
    return get_run(services, "run")


def _file(folder: Path) -> Path:
    path = folder / "answers.jsonl"
    lines = [{"id": f"k{n}", "question": f"q{n}", "answer": "fine", "contexts": [f"chunk {n}"]} for n in range(1, 19)]
    path.write_bytes(as_jsonl(lines))
    return path


def test_no_more_than_two_batches_of_rows_are_held_at_once(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = held = 0

    def counted() -> Iterator[Sample]:
        nonlocal read
        for sample in _samples(200):
            read += 1
            yield sample

    stored: list[int] = []
    add_rows = stored_intake.add_rows

    def watched(*arguments: object, first: int, **more: object) -> None:
        nonlocal held
        held = max(held, read - first + 1)
        add_rows(*arguments, first=first, **more)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(stored_intake, "add_rows", watched)
    run = create_run(services, counted(), REQUEST, on_stored=stored.append)
    assert held <= 2 * _BATCH
    assert stored[-1] == get_progress(services, run.run_id).total == 200
    assert [sample.key for sample in iterate_samples(services, run)] == [f"k{n}" for n in range(1, 201)]
    assert not is_cut_short(services, run)


def test_a_batch_ends_early_where_rows_are_long() -> None:
    sizes = [len(batch) for batch in run_intake.batches_of(range(4), size=lambda _: 600_000)]
    assert sizes == [2, 2]


def test_answers_are_judged_while_their_file_is_read(services: Store, judge: ScriptedJudge) -> None:
    is_judging = threading.Event()

    def slowly() -> Iterator[Sample]:
        for number, sample in enumerate(_samples(), start=1):
            if number > 3 * _BATCH:  # of these, none is read before the first answer was judged
                assert is_judging.wait(30)
            yield sample

    report = ReadReport()
    report.problem_count = 2
    run, rest = begin_run(services, slowly(), REQUEST, rows_left_out=lambda: report.problem_count)
    assert rest is not None
    rest.store_in_background()
    summary = judge_here(services, run, on_judged=lambda *_: is_judging.set())
    assert (summary.rows, summary.states["judged"]) == (_ROWS, _ROWS)
    assert (summary.run.status, summary.run.rows_left_out) == (RunStatus.COMPLETE, 2)


def test_a_run_whose_file_breaks_off_says_so_and_its_answers_are_judged(services: Store, judge: ScriptedJudge) -> None:
    run = _cut_short(services)
    assert (run.status, is_cut_short(services, run)) == (RunStatus.INTERRUPTED, True)
    missing = "the rows after the first 8 are missing. answers.jsonl is a truncated gzip file"
    assert missing in (run.error or "")
    with pytest.raises(UnreadableFile, match="not read to the end"):
        judge_here(services, run)
    run = get_run(services, run.run_id)
    assert (run.status, get_progress(services, run.run_id).done) == (RunStatus.FAILED, 8)
    assert missing in (run.error or "")
    with pytest.raises(InvalidInput, match="uploaded or piped"):
        read_on(services, run)


def test_a_file_is_read_on_where_its_reader_was_killed(services: Store, judge: ScriptedJudge, tmp_path: Path) -> None:
    path = _file(tmp_path)
    origin = FileOrigin(path=str(path), content_key=open_dataset(path).content_key)
    process = os.spawnv(os.P_NOWAIT, "/bin/true", ["true"])
    os.waitpid(process, 0)
    run = _cut_short(services, origin=origin)
    intake = intake_marks.find_intake(services.db, run.run_id)
    assert intake is not None
    killed = f"{socket.gethostname()}:{process}:a"  # it went on and left no word of its end
    intake_marks.take_intake(services.db, intake, reader=killed, now=datetime.now(UTC))
    assert is_cut_short(services, run)
    read_on(services, run)
    summary = judge_here(services, run)
    assert (summary.rows, summary.run.status, summary.run.error) == (_ROWS, RunStatus.COMPLETE, None)
    assert [sample.key for sample in iterate_samples(services, run)] == [f"k{n}" for n in range(1, _ROWS + 1)]


def test_a_file_that_was_changed_is_not_read_on(services: Store, judge: ScriptedJudge, tmp_path: Path) -> None:
    path = _file(tmp_path)
    run = _cut_short(services, origin=FileOrigin(path=str(path), content_key="another"))
    with pytest.raises(InvalidInput, match="was changed since"):
        read_on(services, run)
    path.unlink()
    with pytest.raises(InvalidInput, match=r"The rest of .* cannot be read"):
        read_on(services, run)


def test_deleting_a_run_ends_the_reading_of_its_file(services: Store, judge: ScriptedJudge) -> None:
    run, rest = begin_run(services, _samples(), REQUEST)
    assert rest is not None
    delete_run(services, run.run_id)
    with pytest.raises(NotFound):
        rest.store()
    with pytest.raises(NotFound):
        get_run(services, run.run_id)
