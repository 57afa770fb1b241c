"""`faithview watch` from the command line: once, as JSON, stopped by a signal, and killed at any moment."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview.domain.live import LogRecord
from faithview.domain.result import State
from faithview.services.container import Store
from faithview.services.live.append import append_answers
from faithview.services.results import iterate_answers, list_runs
from faithview.services.trends import TrendQuery, load_trend
from faithview.store.live import list_backlogs
from tests.cli.conftest import Command
from tests.dashboard import ROOT
from tests.factories import open_services
from tests.vendor import Vendor, configured

CONTEXT = ["The office opens at 9 am.", "Parking costs 7 euros."]


@pytest.fixture
def services(store: Path) -> Iterator[Store]:
    with open_services(store) as built:
        yield built


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    with configured(monkeypatch, latency_s=0.02) as started:
        yield started


def _log(services: Store, first: int, count: int) -> None:
    append_answers(
        services,
        [
            LogRecord(answer=f"The office opens at {n} am.", context=CONTEXT, record_id=str(n), application="shop")
            for n in range(first, first + count)
        ],
    )


def test_doctor_reports_and_trends_say_what_waits_and_what_is_a_sample(
    faithview: Command, services: Store, tmp_path: Path
) -> None:
    _log(services, 0, 60)
    done = faithview("doctor", "--no-call")
    assert "shop: 60 logged answers are waiting" in done.out
    faithview("watch", "--once", "--sample", "0.5", "--judge", "lexical")
    assert faithview("doctor", "--no-call", "--json").document["store"]["backlogs"][0]["waiting"] == 0
    (run,) = list_runs(services)
    faithview("report", run.run_id, "-o", tmp_path / "run.html")
    assert re.search(r"50% sample: \d+ of 60 logged answers", (tmp_path / "run.html").read_text(encoding="utf-8"))
    assert load_trend(services, TrendQuery()).sample_rates == (0.5,)


def test_once_judges_what_waits_and_prints_one_document(faithview: Command, services: Store) -> None:
    _log(services, 0, 200)
    done = faithview("watch", "--once", "--json", "--sample", "0.2", "--judge", "lexical")
    assert done.status == 0, done.err
    document = done.document
    assert document["taken"] + document["skipped"] == 200
    assert 20 <= document["taken"] == document["judged"] <= 60
    (run,) = document["runs"]
    assert (run["logged"], run["inclusion_probability"], run["application"]) == (200, 0.2, "shop")
    assert run["rows"] == document["taken"]
    assert document["applications"] == [
        {"application": "shop", "waiting": 0, "taken": run["rows"], "skipped": 200 - run["rows"], "oldest_at": None}
    ]
    shown = faithview("run", "show", run["run_id"])
    assert f"20% sample: {run['rows']} of 200 logged answers" in shown.out
    assert faithview("run", "show", run["run_id"], "--json").document["logged"] == 200


def test_an_export_carries_the_chance_of_each_answer_and_reading_it_back_keeps_it(
    faithview: Command, services: Store, tmp_path: Path
) -> None:
    _log(services, 0, 60)
    run = faithview("watch", "--once", "--json", "--sample", "0.5", "--judge", "lexical").document["runs"][0]
    path = tmp_path / "export.jsonl"
    faithview("export", run["run_id"], "--format", "jsonl", "-o", path)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {row["inclusion_probability"] for row in rows} == {0.5}
    again = faithview("evaluate", path, "--judge", "lexical", "--json").document
    assert again["inclusion_probability"] == 0.5
    assert again["logged"] is None


def test_without_anything_logged_it_says_so(faithview: Command, services: Store) -> None:
    done = faithview("watch", "--once", "--judge", "lexical")
    assert (done.status, done.out) == (0, "0 of 0 new answers drawn (100%), 0 judged; 0 are waiting\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--sample", "0"], "more than 0 and at most 1"),
        (["--sample", "5"], "0.05 is 5%"),
        (["--every", "soon"], "write 30s, 5m or 1h"),
        (["--every", "0s"], "write 30s, 5m or 1h"),
        (["--judge", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_is_refused_before_a_store_is_made(
    faithview: Command, store: Path, arguments: list[str], reason: str
) -> None:
    done = faithview("watch", *arguments)
    assert (done.status, done.out) == (2, "")
    assert reason in done.err
    assert not store.exists()


def _start(store: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "faithview", "watch", "--every", "0.2s", *arguments]
    return subprocess.Popen(
        command,
        env={**os.environ, "FAITHVIEW_DB": f"sqlite:///{store}", "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _judged(services: Store) -> Counter[tuple[str, State]]:
    return Counter(
        (detail.sample.key, detail.result.state)
        for run in list_runs(services)
        for detail in iterate_answers(services, run.run_id)
    )


def _wait_for(services: Store, judged: int) -> None:
    deadline = time.monotonic() + 60
    while sum(state is not State.PENDING for _, state in _judged(services).elements()) < judged:
        assert time.monotonic() < deadline, "the watch judged nothing for a minute"
        time.sleep(0.05)


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_one_document_and_everything_kept(
    services: Store, store: Path, vendor: Vendor, number: signal.Signals
) -> None:
    _log(services, 0, 60)
    process = _start(store, "--judge", "openai:m", "--concurrency", "2", "--json")
    _wait_for(services, 5)
    process.send_signal(number)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert json.loads(out)["taken"] == 60
    assert "stopped" in errors
    assert "Traceback" not in errors
    rest = _start(store, "--judge", "openai:m", "--once")
    rest.communicate(timeout=120)
    assert _judged(services) == Counter({(str(n), State.JUDGED): 1 for n in range(60)})


@pytest.mark.process
@pytest.mark.parametrize("judge", ["openai:m", "lexical"])
def test_killed_at_any_moment_it_loses_and_repeats_nothing(
    services: Store, store: Path, vendor: Vendor, judge: str
) -> None:
    rng = random.Random(16)
    concurrency, kills, logged = 2, 4, 0
    arguments = ["--judge", judge, "--concurrency", str(concurrency)]
    if judge != "lexical":
        arguments += ["--method", "single"]  # one call an answer
    at_once = 40 if judge == "lexical" else 15  # the rules are quick
    for number in range(kills):
        before = sum(state is not State.PENDING for _, state in _judged(services).elements())
        _log(services, logged, at_once)
        logged += at_once
        process = _start(store, *arguments)
        if number % 3:  # in the middle of judging
            _wait_for(services, before + 1)
            time.sleep(rng.uniform(0.0, 0.3))
        else:  # while it loads, or draws
            time.sleep(rng.uniform(0.5, 2.0))
        process.kill()
        process.communicate()
    rest = _start(store, *arguments, "--once")
    _, errors = rest.communicate(timeout=120)
    assert rest.returncode == 0, errors
    assert _judged(services) == Counter({(str(n), State.JUDGED): 1 for n in range(logged)})
    (backlog,) = list_backlogs(services.db)
    assert (backlog.waiting, backlog.taken, backlog.skipped) == (0, logged, 0)
    assert all(run.live is not None for run in list_runs(services))
    assert sum(run.live.logged for run in list_runs(services) if run.live) == logged
    if judge != "lexical":
        # A kill loses the calls under way and the few judged rows that are not written yet, and nothing else.
        assert logged <= vendor.calls <= logged + kills * (concurrency + 10)
