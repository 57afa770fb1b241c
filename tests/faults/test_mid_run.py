"""What ends a run in its middle: a kill while its file is read, a store that is away, a full disk."""

import json
import os
import random
import resource
import subprocess
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from faithview import State
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.results import get_progress, get_run, iterate_answers, list_runs
from faithview.settings import DATABASE_VARIABLE
from faithview.store.database import check_contents
from faithview.store.runs import count_runs
from tests.factories import open_services
from tests.judging_processes import gate, scripted_environment, start, wait_for
from tests.services.scripted import LOG_VARIABLE

ROWS = 60

pytestmark = pytest.mark.process


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A file of answers."""
    path = tmp_path / "rows.jsonl"
    lines = [
        {"id": f"k{n}", "question": f"q{n}", "answer": "x" * (n % 5 + 1), "contexts": ["abc"]} for n in range(ROWS)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def _begin(services: Store, environment: Mapping[str, str], rows: Path) -> subprocess.Popen[str]:
    """Start a run that does not end before the gate is opened, and wait until some of its rows are stored."""
    gate(environment).touch()
    process = start(environment, "evaluate", str(rows), "--judge", "scripted", "--concurrency", "2", "--name", "cut")
    wait_for(lambda: count_runs(services.db) or process.poll() is not None)
    wait_for(lambda: get_progress(services, "cut").done >= 5)
    return process


def _assert_whole(services: Store, environment: Mapping[str, str]) -> None:
    """Go on with the run; each row is then judged once, and the store is whole."""
    process = start(environment, "resume", "cut")
    _, errors = process.communicate(timeout=90)
    assert process.returncode == 0, errors
    run = get_run(services, "cut")
    assert run.status is RunStatus.COMPLETE
    judged = Counter((detail.sample.key, detail.result.state) for detail in iterate_answers(services, run.run_id))
    assert judged == Counter({(f"k{n}", State.JUDGED): 1 for n in range(ROWS)})
    assert check_contents(environment[DATABASE_VARIABLE])[1] == []


def _assert_one_sentence(errors: str, words: str) -> None:
    said = [line for line in errors.splitlines() if line.startswith("faithview: ")]
    assert said, errors
    assert words in said[0], errors
    assert "Traceback" not in errors
    assert "faithview resume" in errors


def test_a_postgresql_that_is_stopped_ends_a_run_in_a_sentence_and_the_run_goes_on_later(
    tmp_path: Path, rows: Path
) -> None:
    from tests import postgres

    with postgres.stoppable_server() as server:
        url = postgres.sqlalchemy_url(server.get_uri())
        environment = scripted_environment(tmp_path, url)
        with open_services(url) as services:
            process = _begin(services, environment, rows)
            server.stop()
            gate(environment).unlink()
            out, errors = process.communicate(timeout=90)
            server.ensure_postgres_running()
            assert (process.returncode, out) == (3, ""), errors
            _assert_one_sentence(errors, "Check that the server is running")
            _assert_whole(services, environment)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits the files of a process that runs")
def test_a_disk_that_fills_up_ends_a_run_in_a_sentence_and_the_run_goes_on_later(
    tmp_path: Path, rows: Path, store_file: Path
) -> None:
    url = f"sqlite:///{store_file}"
    environment = scripted_environment(tmp_path, url)
    del environment[LOG_VARIABLE]  # the judge's own file could not grow either
    with open_services(url) as services:
        process = _begin(services, environment, rows)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        gate(environment).unlink()
        _, errors = process.communicate(timeout=90)
        assert process.returncode == 3, errors
        _assert_one_sentence(errors, "Check whether its disk is full")
        _assert_whole(services, environment)


def test_an_import_that_is_killed_is_replaced_at_once_by_the_next_one(tmp_path: Path, store_file: Path) -> None:
    count, chance = 6_000, random.Random(18)
    results = tmp_path / "results.jsonl"
    line = '{"question": "When?", "answer": "At %d.", "contexts": ["It opens at nine."], "faithfulness": 1.0}\n'
    results.write_text("".join(line % n for n in range(count)), encoding="utf-8")
    environment = {**os.environ, DATABASE_VARIABLE: f"sqlite:///{store_file}"}
    with open_services(store_file) as services:
        process = start(environment, "import", str(results), "--name", "cut")
        wait_for(lambda: count_runs(services.db) or process.poll() is not None)
        time.sleep(chance.uniform(0.0, 0.3))
        process.kill()
        _, errors = process.communicate()
        assert count_runs(services.db), errors
        assert get_run(services, "cut").status is not RunStatus.COMPLETE, "it was quicker than the kill"
        process = start(environment, "import", str(results), "--name", "cut")
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        (run,) = list_runs(services)
        assert run.status is RunStatus.COMPLETE
        answers = Counter(detail.sample.answer for detail in iterate_answers(services, run.run_id))
        assert answers == Counter({f"At {n}.": 1 for n in range(count)})
    assert check_contents(f"sqlite:///{store_file}")[1] == []
