"""Runs judged by way of the vendors' batches, also by a process that is killed while a batch is under way."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faithview import State
from faithview.cli.main import main
from faithview.domain.errors import InvalidInput
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.services.runs.create import create_repeats, judge_here
from faithview.settings import DATABASE_VARIABLE
from faithview.store import runs
from tests.dashboard import ROOT
from tests.factories import add_run
from tests.judges.llm.batch_server import Batches
from tests.judges.llm.judging import VENDORS
from tests.services.llm_runs import SPEC, point_at, samples
from tests.vendor import Vendor, running

both_vendors = pytest.mark.parametrize("vendor_name", VENDORS)


@both_vendors
def test_a_run_by_batches_is_submitted_waited_for_and_collected(
    services: Store, monkeypatch: pytest.MonkeyPatch, vendor_name: str
) -> None:
    script = Batches()
    with running(script) as vendor:
        point_at(vendor, monkeypatch)
        run = add_run(services, samples(3), judge=JudgeSpec(name=f"{vendor_name}:m"), by_batches=True)
        assert runs.find_batch_state(services.db, run.run_id) is not None
        summary = judge_here(services, run, poll_s=0.05)
    assert (summary.run.status, summary.states[State.JUDGED]) == (RunStatus.COMPLETE, 3)
    assert [len(batch) for batch in script.submitted.values()] == [3, 3]  # extraction, then verification
    assert summary.usage.llm_calls == 6


def test_equal_rows_are_in_a_batch_once_and_one_that_failed_takes_no_other_with_it(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Batches()
    good, left = script.respond, ["one refusal"]

    def respond(body: dict[str, Any]) -> dict[str, Any] | None:
        if left and "Answer 0" in str(body["messages"]):
            left.clear()
            return None
        return good(body)

    script.respond = respond
    (first, second) = samples(2)
    rows = [first, second, *(replace(first, key=f"twin {n}") for n in range(3))]
    with running(script) as vendor:
        point_at(vendor, monkeypatch)
        spec = JudgeSpec(name="openai:m", method="single")
        run = add_run(services, rows, judge=spec, by_batches=True)
        summary = judge_here(services, run, poll_s=0.05)
    assert [len(batch) for batch in script.submitted.values()] == [2, 1]
    assert (summary.states[State.JUDGED], summary.states[State.FAILED]) == (4, 1)


@pytest.mark.process
@both_vendors
@pytest.mark.parametrize("killed_after", [1, 2])
def test_a_process_killed_between_submitting_and_collecting_loses_nothing_and_nothing_is_submitted_twice(
    services: Store,
    store_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    vendor_name: str,
    killed_after: int,
) -> None:
    script = Batches()
    script.done = killed_after > 1
    path = tmp_path / "rows.jsonl"
    rows = [{"id": s.key, "answer": s.answer, "contexts": [c.text for c in s.chunks]} for s in samples(4)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with running(script) as vendor:
        environment = {**os.environ, **vendor.environment, DATABASE_VARIABLE: store_url, "PYTHONPATH": str(ROOT)}
        options = ["--judge", f"{vendor_name}:m", "--method", "claims", "--batch", "--poll", "0.3", "--name", "run"]
        process = _start(environment, "evaluate", str(path), *options)
        try:
            _wait_for(lambda: len(script.submitted) >= killed_after)
            script.done = False
            _wait_for(lambda: _batch_id(services) == list(script.submitted)[-1])
        finally:
            process.kill()
            process.communicate()
        assert get_run(services, "run").status is not RunStatus.COMPLETE
        script.done = True
        # In this process, which is another one than the killed one too and has imported the SDKs already.
        point_at(vendor, monkeypatch)
        monkeypatch.setenv(DATABASE_VARIABLE, store_url)
        monkeypatch.setattr(sys, "argv", ["faithview", "resume", "run", "--poll", "0.1", "--json"])
        with pytest.raises(SystemExit) as ended:
            main()
    out, errors = capsys.readouterr()
    assert ended.value.code == 0, errors
    document = json.loads(out)
    assert (document["states"]["judged"], document["llm_calls"]) == (4, 8)
    assert [len(batch) for batch in script.submitted.values()] == [4, 4]


def _batch_id(services: Store) -> str | None:
    state = runs.find_batch_state(services.db, get_run(services, "run").run_id)
    found: str | None = json.loads(state or "{}").get("batch_id")
    return found


def _start(environment: dict[str, Any], *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "faithview", *arguments, "--json"]
    return subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "waited for thirty seconds in vain"
        time.sleep(0.02)


def test_a_judge_without_batches_and_repeats_by_batches_are_refused(services: Store, vendor: Vendor) -> None:
    with pytest.raises(InvalidInput, match="cannot judge by batches"):
        add_run(services, samples(1), by_batches=True)
    run = add_run(services, samples(1), judge=SPEC, by_batches=True)
    with pytest.raises(InvalidInput, match="Repeats cannot be judged in batches"):
        create_repeats(services, run, repeat=2)
