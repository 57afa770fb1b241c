"""Runs in processes of their own: killed, stopped, started from the dashboard, resumed."""

import json
import signal
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from faithview import Sample, State
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.exports import export_document
from faithview.services.results import get_progress, get_run, get_summary, iterate_answers
from faithview.services.runs.worker import Workers
from faithview.store.runs import count_runs
from tests.factories import add_run
from tests.helpdesk import read_answers
from tests.judging_processes import gate, scripted_environment, start, wait_for
from tests.services.scripted import LOG_VARIABLE

ROWS = 80

pytestmark = pytest.mark.process


@pytest.fixture
def environment(tmp_path: Path, store_url: str) -> dict[str, str]:
    """The environment of a process that knows the scripted judge."""
    return scripted_environment(tmp_path, store_url)


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A file whose rows differ in verdict, with two that fail."""
    path = tmp_path / "rows.jsonl"
    rows = [
        {
            "id": f"k{n}",
            "question": f"q{n % 30}",
            "answer": "fail" if n % 40 == 7 else "x" * (n % 5 + 1),
            "contexts": ["abc", f"chunk {n % 3}"],
        }
        for n in range(ROWS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _start(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    return start(environment, *arguments, "--json")


def _finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 3, errors  # two rows fail
    document: dict[str, Any] = json.loads(out)
    return document


def _start_and_wait(services: Store, environment: dict[str, str], dataset: Path) -> subprocess.Popen[str]:
    """Start a run and wait until some of its rows are stored; it does not end before the gate is opened."""
    gate(environment).touch()
    process = _start(
        environment, "evaluate", str(dataset), "--judge", "scripted", "--concurrency", "2", "--name", "cut"
    )
    wait_for(lambda: count_runs(services.db) or process.poll() is not None)
    wait_for(lambda: get_progress(services, "cut").done >= 5)
    return process


def _export(services: Store, name: str) -> list[dict[str, Any]]:
    run_id = get_run(services, name).run_id
    documents = [export_document(detail) for detail in iterate_answers(services, run_id)]
    for document in documents:
        del document["seconds"]
        for claim in document["claims"]:
            claim["claim_id"] = claim["claim_id"].removeprefix(run_id)
    return documents


def _done(services: Store, name: str) -> set[str]:
    details = iterate_answers(services, get_run(services, name).run_id)
    return {detail.sample.key for detail in details if detail.result.state is not State.PENDING}


_PER_RUN = ("run_id", "name", "created_at", "as_of", "seconds")


def test_a_killed_run_is_resumed_to_what_it_would_have_been_and_no_stored_row_is_judged_again(
    services: Store, environment: dict[str, str], dataset: Path
) -> None:
    process = _start_and_wait(services, environment, dataset)
    process.kill()
    process.communicate()
    gate(environment).unlink()
    kept = _done(services, "cut")
    assert 5 <= len(kept) < ROWS
    resumed = _finish(_start(environment, "resume", "cut"))
    assert resumed["status"] == "complete"
    judged = Counter(Path(environment[LOG_VARIABLE]).read_text(encoding="utf-8").split())
    assert {key for key in kept if judged[key] > 1} == set()
    # What was with the judge or on its way to the disk is judged again, and nothing else.
    assert sum(judged.values()) <= ROWS + 2 + 50
    whole = _finish(_start(environment, "evaluate", str(dataset), "--judge", "scripted", "--name", "whole"))
    for name in _PER_RUN:
        resumed.pop(name, None)
        whole.pop(name, None)
    assert resumed == whole
    assert _export(services, "cut") == _export(services, "whole")


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_ctrl_c_leaves_an_interrupted_run_and_says_how_to_go_on(
    services: Store, environment: dict[str, str], dataset: Path
) -> None:
    process = _start_and_wait(services, environment, dataset)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    gate(environment).unlink()
    assert process.returncode == 130
    assert out == ""
    assert "faithview resume" in errors
    assert "Traceback" not in errors
    assert get_run(services, "cut").status is RunStatus.INTERRUPTED
    assert _finish(_start(environment, "resume", "cut"))["states"]["pending"] == 0


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_ctrl_c_ends_a_run_of_two_workers_and_what_they_judged_stays(
    services: Store, environment: dict[str, str], tmp_path: Path
) -> None:
    rows = [{"answer": one.answer, "context": list(one.chunks)} for one in read_answers()[:500]]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    process = _start(environment, "evaluate", str(path), "--workers", "2", "--name", "cut")
    wait_for(lambda: count_runs(services.db) or process.poll() is not None)
    wait_for(lambda: get_progress(services, "cut").done >= 5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in errors) == (130, False)
    assert get_run(services, "cut").status is RunStatus.INTERRUPTED
    assert get_progress(services, "cut").done >= 5


def test_the_dashboard_s_worker_judges_a_run_to_its_end(services: Store, store_url: str) -> None:
    rows = [Sample.of("Parking is free.", ["Parking is free."]) for _ in range(3)]
    run = add_run(services, rows, "n")
    workers = Workers(store_url)
    workers.start(run.run_id)
    workers.start(run.run_id)  # a second click
    wait_for(lambda: get_run(services, run.run_id).status is RunStatus.COMPLETE or workers.find_error(run.run_id))
    assert workers.find_error(run.run_id) is None
    assert get_summary(services, run.run_id).score.mean == 1.0
    wait_for(lambda: not workers._processes or workers.find_error(run.run_id))
    assert workers.find_error(run.run_id) is None


class _EndingProcess:
    """A process that ends only when it is waited for."""

    pid = 0

    def __init__(self) -> None:
        self._status: int | None = None

    def poll(self) -> int | None:
        return self._status

    def wait(self, timeout: float) -> int:
        assert timeout > 0
        self._status = 0
        return 0


def test_a_run_is_resumed_while_the_worker_that_stopped_it_is_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[_EndingProcess] = []

    def start_process(*arguments: object, **options: object) -> _EndingProcess:
        started.append(_EndingProcess())
        return started[-1]

    monkeypatch.setattr("faithview.services.runs.worker.subprocess.Popen", start_process)
    workers = Workers("sqlite:///unused.db")
    workers.start("r")
    workers.start("r")
    assert len(started) == 1
    workers.start("r", ending_seconds=1)
    assert len(started) == 2
    assert workers.is_working("r")
    started[-1].wait(1)
    assert not workers.is_working("r")


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_worker_that_dies_leaves_its_last_words_and_another_start_does_not_lose_them(
    services: Store, store_url: str
) -> None:
    workers = Workers(store_url)
    workers.start("nope")
    wait_for(lambda: workers.find_error("nope"))
    run = add_run(services, [Sample(answer="x")], "n")
    workers.start(run.run_id)
    assert workers.find_error("nope") == "faithview: There is no run 'nope'; `faithview run list` lists them."
    wait_for(lambda: get_run(services, run.run_id).status is RunStatus.COMPLETE)
    wait_for(lambda: not workers.find_error(run.run_id) and not workers._processes)
