"""Commands that are killed with SIGKILL, and what is wrong with the store afterwards: "" where nothing is.

Each store is looked at as the kill left it, then the command is called again, and then all of it has to be there once.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sqlalchemy.engine import make_url

from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.results import get_progress, iterate_answers, list_runs
from faithview.services.review.labels import claim_history
from faithview.settings import DATABASE_VARIABLE
from faithview.store.database import check_contents, check_schema
from tests import postgres
from tests.dashboard import ROOT
from tests.factories import open_services
from tests.judging_processes import gate, scripted_environment, start, wait_for

ROWS = 60
_PATIENCE_S = 120
# Where an upgrade is killed: what it is about to call.
UPGRADE_STEPS = (
    "faithview.store.sqlite.copy_sqlite",
    "alembic.command.upgrade",
    "faithview.store.dialect.refuse_orphans",
    "faithview.store.dialect.keep_copy",
)
_KILLED_AT = """
import importlib, os, signal, sys
module, _, name = sys.argv.pop(1).rpartition(".")
setattr(importlib.import_module(module), name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
from faithview.cli.main import main
main()
"""


def label(folder: Path, *, after_s: float, rows: int = ROWS) -> str:
    """Kill `faithview labels import` after so many seconds, and call it again."""
    folder.mkdir()
    url = f"sqlite:///{folder / 'faithview.db'}"
    environment = {**os.environ, DATABASE_VARIABLE: url}
    _call(environment, "evaluate", str(write_rows(folder, rows)), "--judge", "lexical", "--name", "cut")
    given = folder / "labels.jsonl"
    exported = folder / "cut.jsonl"
    _call(environment, "export", "cut", "--format", "jsonl", "-o", str(exported))
    claims = [json.loads(line)["claims"][0]["claim_id"] for line in exported.read_text("utf-8").splitlines()]
    given.write_text(
        "".join(json.dumps({"claim_id": claim, "verdict": "supported", "reviewer": "ann"}) + "\n" for claim in claims),
        encoding="utf-8",
    )
    kill_after(start(environment, "labels", "import", "cut", str(given)), after_s)
    if damage := check_contents(url)[1]:
        return f"after the kill: {damage}"
    said = _call(environment, "labels", "import", "cut", str(given))
    with open_services(url) as services:
        (run,) = list_runs(services)
        counts = Counter(len(claim_history(services, run.run_id, row)) for row in range(1, rows + 1))
    return _whole(url) or ("" if counts == {1: rows} else f"labels of a row, and how many rows: {counts}; {said}")


def upgrade(older: str, step: str, *, newer: Callable[[str], str]) -> str:
    """Kill `faithview db upgrade` where it is about to call a function, and call it again.

    Args:
        older: the URL of a store with an older schema.
        step: one of UPGRADE_STEPS.
        newer: returns what is wrong with the store at a URL once it is upgraded.
    """
    before = check_schema(older).current
    environment = {**os.environ, DATABASE_VARIABLE: older, "PYTHONPATH": str(ROOT)}
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED_AT, step, "db", "upgrade"],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    is_sqlite = older.startswith("sqlite")
    if killed.returncode != -signal.SIGKILL and (is_sqlite or "copy_sqlite" not in step):
        return f"it was not killed: {killed.returncode} {killed.stderr[-300:]}"
    state = check_schema(older)
    is_migrated = killed.returncode == 0
    if state.current != (state.wanted if is_migrated else before):
        return f"the store has schema {state.current} after the kill"
    _call(environment, "db", "upgrade")
    if why := _whole(older) or newer(older):
        return why
    if not is_sqlite:
        return ""
    store = Path(str(make_url(older).database))
    copies = sorted(path.name for path in store.parent.glob(f"{store.name}.before-*"))
    return "" if len(copies) == 1 and not copies[0].endswith(".part") else f"copies: {copies}"


def clients(folder: Path, server: postgres.StoppableServer, *, seed: int) -> str:
    """Kill one of two processes that write into one PostgreSQL: the other one ends, and the run goes on."""
    return _two_writers(folder, server, lambda writers: writers[0].kill(), is_spared=1, seed=seed)


def backends(folder: Path, server: postgres.StoppableServer, *, seed: int) -> str:
    """Kill a process of the server that serves a writer; the server then ends all others and starts anew by itself."""
    return _two_writers(folder, server, lambda _: server.kill_backend(), seed=seed)


def servers(folder: Path, server: postgres.StoppableServer, *, seed: int) -> str:
    """Kill the server while two processes write into it, and start it again."""

    def kill(_: object) -> None:
        server.kill()
        server.start()

    return _two_writers(folder, server, kill, seed=seed)


def _two_writers(
    folder: Path,
    server: postgres.StoppableServer,
    kill: Callable[[Sequence[subprocess.Popen[str]]], None],
    *,
    seed: int,
    is_spared: int | None = None,
) -> str:
    folder.mkdir()
    url = postgres.new_database(server.url, f"killed_{folder.name}")
    environments = []
    for name in ("a", "b"):
        (folder / name).mkdir()
        environments.append(scripted_environment(folder / name, url))
    with open_services(url) as services:
        writers = []
        for name, environment in zip("ab", environments, strict=True):
            words = ("evaluate", str(write_rows(folder / name, ROWS)), "--judge", "scripted", "--concurrency", "2")
            gate(environment).touch()
            writers.append(start(environment, *words, "--name", name))
        wait_for(lambda: all(_is_begun(services, name) for name in "ab"))
        acknowledged = {name: get_progress(services, name).done for name in "ab"}
    for environment in environments:
        gate(environment).unlink()
    time.sleep(random.Random(seed).uniform(0.0, 0.2))
    kill(writers)
    wait_for(lambda: postgres.is_up(server.url))
    if why := _badly_ended(writers, is_spared):
        return why
    # A server that lost a process may have answered once more before it began its recovery.
    wait_for(lambda: postgres.is_up(server.url))
    with open_services(url) as services:
        for name in "ab":
            if get_progress(services, name).done < acknowledged[name]:
                return f"answers of {name} that were stored are lost"
    for name, environment in zip("ab", environments, strict=True):
        if why := _incomplete(url, name, environment):
            return why
    return _whole(url)


def _badly_ended(writers: Sequence[subprocess.Popen[str]], is_spared: int | None) -> str:
    """Wait for the writers; return which one ended in a way that it should not, "" for none."""
    for number, writer in enumerate(writers):
        _, errors = writer.communicate(timeout=_PATIENCE_S)
        if writer.returncode not in (0, 3, -signal.SIGKILL) or "Traceback" in errors:
            return f"writer {number}: {writer.returncode} {errors[-300:]}"
        if number == is_spared and writer.returncode:
            return f"the writer that nobody killed: {errors[-300:]}"
        if writer.returncode == 3 and "faithview resume" not in errors:
            return f"writer {number} does not say how to go on: {errors[-300:]}"
    return ""


def _incomplete(url: str, name: str, environment: Mapping[str, str]) -> str:
    """Go on with the run of that name; return what it has other than each answer once, "" for nothing."""
    with open_services(url) as services:
        (run,) = [run for run in list_runs(services) if run.name == name]
    if run.status is not RunStatus.COMPLETE:
        _call(environment, "resume", name)
    with open_services(url) as services:
        judged = Counter((it.sample.key, it.result.state) for it in iterate_answers(services, run.run_id))
    if judged != Counter({(f"k{number}", State.JUDGED): 1 for number in range(ROWS)}):
        return f"run {name} has {judged.total()} answers: {judged.most_common(2)}"
    return ""


def _is_begun(services: Store, name: str) -> bool:
    return any(run.name == name and get_progress(services, run.run_id).done >= 5 for run in list_runs(services))


def kill_after(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait so long at most for a process to end, and kill it then."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()


def _call(environment: Mapping[str, str], *words: str) -> str:
    process = start(environment, *words)
    out, errors = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 0, f"faithview {' '.join(words)}: {errors[-500:]}"
    return out


def _whole(url: str) -> str:
    return " ".join(check_contents(url)[1])


def write_rows(folder: Path, count: int) -> Path:
    """Write a file of answers that a run can be made of."""
    path = folder / "rows.jsonl"
    lines = [
        {"id": f"k{n}", "question": f"q{n}", "answer": "It opens at nine.", "contexts": ["It opens at nine."]}
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
