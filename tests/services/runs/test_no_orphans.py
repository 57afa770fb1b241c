"""No process outlives the command that started it, however that one ends; the dashboard's worker ends with its run."""

import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from faithview import Sample
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.results import get_progress, get_run
from faithview.settings import DATABASE_VARIABLE
from faithview.store.runs import count_runs
from tests.dashboard import ROOT, free_port, start_server
from tests.factories import LEXICAL, add_run
from tests.judging_processes import start, wait_for

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are looked up in /proc"),
    pytest.mark.parametrize("store_url", ["sqlite"], indirect=True),
]

# Enough to judge that the run has not ended when it is cut off: many claims, and few rows, which are quickly read.
_ROWS, _SENTENCES = 1_000, 40
_HOW = [
    signal.SIGTERM,
    pytest.param(signal.SIGKILL, marks=pytest.mark.slow),
    pytest.param(signal.SIGINT, marks=pytest.mark.slow),
]
_MARK = "FAITHVIEW_TEST_MARK"
_DASHBOARD = """
import sys, time
from faithview.services.runs.worker import Workers
workers = Workers(sys.argv[1])
workers.start(sys.argv[2])
time.sleep(600)
"""


class Marked:
    """Processes that have inherited a mark in their environment; found even where their parent is gone."""

    def __init__(self) -> None:
        self.mark = uuid.uuid4().hex

    def pids(self) -> list[int]:
        """Return those that run; one that has ended and that nobody has waited for does not."""
        return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if self._runs(folder)]

    def _runs(self, folder: Path) -> bool:
        try:
            marked = f"{_MARK}={self.mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
            state = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return False
        return marked and state != "Z"


@pytest.fixture
def marked() -> Iterator[Marked]:
    """A mark for the processes of a test; what is left of them is killed."""
    marked = Marked()
    yield marked
    for pid in marked.pids():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("how", _HOW)
def test_evaluate_with_workers_leaves_no_process_behind(
    services: Store, store_url: str, tmp_path: Path, marked: Marked, how: signal.Signals
) -> None:
    file = tmp_path / "rows.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        for number in range(_ROWS):
            answer = " ".join(f"Door {number}-{place} opens at {place}." for place in range(_SENTENCES))
            row = {"id": str(number), "answer": answer, "contexts": [f"Door {number} opens at {number % 24}."]}
            stream.write(json.dumps(row) + "\n")
    environment = {**os.environ, DATABASE_VARIABLE: store_url, _MARK: marked.mark}
    process = start(environment, "evaluate", str(file), "--name", "cut", "--judge", "lexical", "--workers", "2")
    wait_for(lambda: process.poll() is not None or (count_runs(services.db) and get_progress(services, "cut").done))
    # Last, for it looks into every process of the machine.
    wait_for(lambda: process.poll() is not None or len(marked.pids()) >= 3)
    assert process.poll() is None, process.communicate()
    process.send_signal(how)
    _, errors = process.communicate(timeout=90)
    wait_for(lambda: marked.pids() == [])
    assert process.returncode == (130 if how is signal.SIGINT else -how)
    assert "Traceback" not in errors
    assert get_progress(services, "cut").done < _ROWS


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_run_of_a_dashboard_that_ends_goes_on_and_leaves_no_process_behind(
    services: Store, store_url: str, marked: Marked, how: signal.Signals
) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), _MARK: marked.mark}
    rows = [Sample.of(f"It opens at {n}.", [f"It opens at {n % 24}."], key=f"k{n}") for n in range(2_000)]
    run = add_run(services, rows, "n", judge=LEXICAL)
    command = [sys.executable, "-c", _DASHBOARD, store_url, run.run_id]
    with subprocess.Popen(command, cwd=ROOT, env=environment) as dashboard:
        wait_for(lambda: get_progress(services, run.run_id).done)
        dashboard.send_signal(how)
    wait_for(lambda: get_run(services, run.run_id).status is RunStatus.COMPLETE)
    wait_for(lambda: marked.pids() == [])


@pytest.mark.parametrize("how", _HOW)
def test_the_dashboard_is_one_process_and_says_no_traceback(
    store_url: str, tmp_path: Path, marked: Marked, how: signal.Signals
) -> None:
    port = free_port()
    environment = {DATABASE_VARIABLE: store_url, _MARK: marked.mark}
    command = [sys.executable, "-m", "faithview", "ui", "--no-browser", "--port", str(port)]
    dashboard = start_server(command, port=port, log=tmp_path / "log", environment=environment)
    try:
        assert marked.pids() == [dashboard.process.pid]
        dashboard.process.send_signal(how)
        dashboard.process.wait(60)
    finally:
        dashboard.stop()
    assert marked.pids() == []
    assert "Traceback" not in dashboard.log.read_text(encoding="utf-8")
