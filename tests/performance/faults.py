"""Kills, and stores that are locked, full, protected, newer or stopped: how many commands end as they should.

    python -m tests.performance.faults [--kills 5] [--seed 18] [--only KIND]

- **Killed**: `evaluate`, `import`, `resume` and `watch` with SIGKILL at a random moment within the time that they take.
  `resume` (or the next `watch`) then has to end with each row judged once, and `db check` with nothing.
- **Commands**: each command on a store that is locked, on a disk without room, that may only be read, of a newer
  schema, or in a PostgreSQL that is stopped: a result or one sentence, no traceback, and a store that is whole.
- **More kills**: `label` at a random moment, one of two writers to a PostgreSQL, a process of it, and all of it.
- **Commands as a user who may only read**: a PostgreSQL whose user has no right to write.
- **Writes**: every function that writes to the store, read from the code, as a viewer and on stores to look at.
- **Clocks**: a clock that jumps while a run is judged, which goes on or is killed (`libfaketime`).
- **Pulls**: an odd value in every place of every reply of every tool's server.
- **Mid-run**: the store is locked for longer than a writer waits while a run is judged; `resume` has to finish it.

Prints one line a kind: how many were tried, and how many failed. Exits with 1 if any did. `make test` has shorter ones,
in `tests/faults/`, and those for replaced stores. Linux.
"""

import argparse
import json
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from faithview.domain.live import LogRecord
from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.services.live.append import append_answers
from faithview.services.results import get_progress, iterate_answers, list_runs
from faithview.store import sqlite
from faithview.store.database import check_contents, open_database
from tests import postgres, writes
from tests import test_all_writes as all_writes
from tests.factories import open_services
from tests.faults import clocks, kills
from tests.faults.commands import changing, looking, prepare
from tests.faults.odd_replies import ODD, REPLIES, tried
from tests.judging_processes import gate, scripted_environment, start, wait_for
from tests.performance import tables
from tests.performance.faulty_stores import run_command
from tests.performance.tried import Tally
from tests.services.pulls.pulling import SERVERS

_KINDS = ("killed", "more-kills", "commands", "looking", "writes", "clocks", "pulls", "mid-run")
_ROWS = 200
_ROOM = 40_000
_SHORT_WAIT_MS = 50
_PATIENCE_S = 300


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=5, help="of each command")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--only", choices=_KINDS)
    options = parser.parse_args()
    tally = Tally("fault")
    with tempfile.TemporaryDirectory(prefix="faithview-faults-") as name:
        folder = Path(name)
        if options.only in (None, "killed"):
            _kill(folder, tally, kills=options.kills, chance=random.Random(options.seed))
        if options.only in (None, "commands"):
            _command(folder, tally)
        chance = random.Random(options.seed)
        more: dict[str, Callable[[], None]] = {
            "more-kills": lambda: _kill_more(folder, tally, kills_each=options.kills, chance=chance),
            "looking": lambda: _look(folder, tally),
            "writes": lambda: _write_everything(folder, tally),
            "clocks": lambda: _set_clocks(folder, tally),
            "pulls": lambda: _pull(folder, tally),
        }
        for name, work in more.items():
            if options.only in (None, name):
                work()
        if options.only in (None, "mid-run"):
            _lock_mid_run(folder, tally)
    tally.show(f"What became of it ({tables.machine()})")
    return 1 if tally.failed else 0


def _count(tally: Tally, kind: str, why: str) -> None:
    tally.count(kind, failed=bool(why))
    if why:
        sys.stdout.write(f"{kind}: {why}\n")
        sys.stdout.flush()


def _kill(folder: Path, tally: Tally, *, kills: int, chance: random.Random) -> None:
    row = {"question": "q", "answer": "It is free. It opens at nine.", "contexts": ["It opens at nine."]}
    rows = _write(folder / "rows.jsonl", [{"id": f"k{n}", **row} for n in range(_ROWS)])
    results = _write(folder / "results.jsonl", [{"id": f"k{n}", **row, "faithfulness": 1.0} for n in range(_ROWS)])
    evaluate = ["evaluate", str(rows), "--judge", "lexical", "--name", "cut"]
    begins = {
        "evaluate": evaluate,
        "import": ["import", str(results), "--name", "cut"],
        "resume": ["resume", "cut"],
        "watch": ["watch", "--once", "--judge", "lexical"],
    }
    for name, words in begins.items():
        takes_s = 0.0
        for number in range(kills + 1):  # the first is not killed: it says how long the command takes
            store = folder / f"{name}-{number}"
            store.mkdir()
            url = f"sqlite:///{store / 'faithview.db'}"
            environment = scripted_environment(store, url)
            if name == "watch":
                _log(url)
            if name == "resume":
                _end(start(environment, *evaluate), after_s=chance.uniform(0.5, 0.9) * takes_s or _PATIENCE_S)
            begun = time.monotonic()
            _end(start(environment, *words), after_s=chance.uniform(0.0, takes_s) if number else _PATIENCE_S)
            if number == 0:
                takes_s = time.monotonic() - begun
                continue
            again = words if name == "watch" else evaluate if name == "resume" else words
            _count(tally, f"{name} killed", _goes_on(url, environment, again, is_watched=name == "watch"))


def _end(process: subprocess.Popen[str], *, after_s: float) -> None:
    """Wait so long at most for the process to end, and kill it then."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(after_s)
    process.kill()
    process.communicate()


def _goes_on(url: str, environment: Mapping[str, str], words: list[str], *, is_watched: bool) -> str:
    """Return what is wrong once the command was called again, or `resume` where the run is there; "" for nothing."""
    with open_services(url) as services:
        found = list_runs(services)
        if is_watched or not found or found[0].status is not RunStatus.COMPLETE:
            process = start(environment, *(["resume", "cut"] if found and not is_watched else words))
            _, errors = process.communicate(timeout=_PATIENCE_S)
            if process.returncode:
                return f"{process.returncode}: {errors.strip()[-300:]}"
        answers = Counter(
            (detail.sample.key, detail.result.state)
            for run in list_runs(services)
            for detail in iterate_answers(services, run.run_id)
        )
    if answers != Counter({(f"k{n}", State.JUDGED): 1 for n in range(_ROWS)}):
        return f"{answers.total()} rows, of which {sum(times > 1 for times in answers.values())} are there twice"
    return " ".join(check_contents(url)[1])


def _log(url: str) -> None:
    """Log answers for a watch to judge."""
    with open_services(url) as services:
        records = [LogRecord(answer="It is free.", context=["It is free."], record_id=f"k{n}") for n in range(_ROWS)]
        append_answers(services, records)


def _command(folder: Path, tally: Tally) -> None:
    store = folder / "commands" / "faithview.db"
    store.parent.mkdir()
    files = prepare(store.parent, lambda *words: run_command(f"sqlite:///{store}", *map(str, words)))
    whole = folder / "whole.db"
    shutil.copy(store, whole)
    faults = {
        "command on a locked store": _locked,
        "command on a disk without room": _full,
        "command on a store to look at": _protected,
        "command on a newer store": _newer,
    }
    for kind, fault in faults.items():
        for command in (*looking(files), *changing(files)):
            for path in store.parent.glob(f"{store.name}*"):
                path.unlink()
            shutil.copy(whole, store)
            with fault(store) as url:
                status, said = run_command(url, *map(str, command))
            why = _unlike_the_contract(status, said)
            if not why and kind != "command on a newer store":
                why = " ".join(check_contents(f"sqlite:///{store}")[1])
            _count(tally, kind, why and f"faithview {command[0]}: {why}")
    with postgres.stoppable_server() as server:
        url = postgres.sqlalchemy_url(server.url)
        there = folder / "postgresql"
        there.mkdir()
        files = prepare(there, lambda *words: run_command(url, *map(str, words)))
        server.stop()
        for command in (*looking(files), *changing(files)):
            why = _unlike_the_contract(*run_command(url, *map(str, command)))
            _count(tally, "command with PostgreSQL stopped", why and f"faithview {command[0]}: {why}")
        server.start()
        for command in looking(files):
            status, said = run_command(url, *map(str, command))
            _count(tally, "command with PostgreSQL back", "" if status == 0 else f"faithview {command[0]}: {said}")


def _unlike_the_contract(status: int, said: str) -> str:
    """Return what is wrong with the end of a command that may have failed; "" for nothing."""
    if status not in (0, 1, 2, 3) or "Traceback" in said:
        return f"{status}: {said.strip()[-300:]}"
    sentences = [line for line in said.splitlines() if line.startswith("faithview: ")]
    return "" if status in (0, 1) or len(sentences) >= 1 else f"{status} without a sentence: {said.strip()[-300:]}"


@contextmanager
def _locked(store: Path) -> Iterator[str]:
    usual, sqlite.BUSY_TIMEOUT_MS = sqlite.BUSY_TIMEOUT_MS, _SHORT_WAIT_MS
    try:
        with closing(sqlite3.connect(store, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield f"sqlite:///{store}"
    finally:
        sqlite.BUSY_TIMEOUT_MS = usual


@contextmanager
def _full(store: Path) -> Iterator[str]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_ROOM, hard))
    try:
        yield f"sqlite:///{store}"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def _protected(store: Path) -> Iterator[str]:
    yield f"sqlite:///{store}?mode=ro"


@contextmanager
def _newer(store: Path) -> Iterator[str]:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    yield f"sqlite:///{store}"


def _lock_mid_run(folder: Path, tally: Tally) -> None:
    """Lock a store for longer than a writer waits while a run is judged, and go on with the run."""
    store = folder / "mid-run"
    store.mkdir()
    url = f"sqlite:///{store / 'faithview.db'}"
    rows = [{"id": f"k{n}", "question": f"q{n}", "answer": "x" * 5, "contexts": ["abc"]} for n in range(_ROWS)]
    words = ["evaluate", str(_write(store / "rows.jsonl", rows)), "--judge", "scripted", "--name", "cut"]
    environment = scripted_environment(store, url)
    gate(environment).touch()
    process = start(environment, *words)
    with open_services(url) as services:
        wait_for(
            lambda: (
                process.poll() is not None or any(get_progress(services, r.run_id).done for r in list_runs(services))
            )
        )
    with closing(sqlite3.connect(store / "faithview.db", isolation_level=None, timeout=_PATIENCE_S)) as other:
        other.execute("BEGIN IMMEDIATE")
        gate(environment).unlink()
        _, errors = process.communicate(timeout=_PATIENCE_S)
    why = "" if process.returncode == 3 and "Another program is writing to it" in errors else errors.strip()[-300:]
    why = why or _unlike_the_contract(process.returncode, errors)
    _count(tally, "store locked in the middle of a run", why or _goes_on(url, environment, words, is_watched=False))


def _kill_more(folder: Path, tally: Tally, *, kills_each: int, chance: random.Random) -> None:
    for number in range(kills_each):
        _count(tally, "label killed", kills.label(folder / f"label-{number}", after_s=chance.uniform(0.1, 1.5)))
    with postgres.stoppable_server() as server:
        postgres.store_at_once(server.url)
        kinds = {
            "one of two writers to PostgreSQL killed": kills.clients,
            "PostgreSQL's process of a writer killed": kills.backends,
            "PostgreSQL killed under two writers": kills.servers,
        }
        for kind, kill in kinds.items():
            for number in range(kills_each):
                _count(tally, kind, kill(folder / f"{kill.__name__}{number}", server, seed=number))


def _look(folder: Path, tally: Tally) -> None:
    """Call every command as a user of PostgreSQL who may only read."""
    there = folder / "looking"
    there.mkdir()
    with postgres.running_server() as server, postgres.fresh_database(server, "looked_at") as url:
        files = prepare(there, lambda *words: run_command(url, *map(str, words)))
        with postgres.looking_user(url) as their_url:
            for command in (*looking(files), *changing(files)):
                status, said = run_command(their_url, *map(str, command))
                why = _unlike_the_contract(status, said) or ("" if command in changing(files) or not status else said)
                _count(tally, "command of a user who may only read", why and f"faithview {command[0]}: {why}")


def _write_everything(folder: Path, tally: Tally) -> None:
    """Call every function that writes to the store as somebody who may not."""
    store = f"sqlite:///{folder / 'writes.db'}"
    run = all_writes.fill(store)
    kinds = {
        "write as a viewer": open_database(store, refusal=lambda: "You may only look."),
        "write to a store to look at": open_database(f"{store}?mode=ro"),
    }
    for kind, db in kinds.items():
        for name in writes.opening(writes.CHANGE):
            _count(tally, kind, all_writes.unlike_refused(name, db, run))
        db.close()
    for name in writes.unchecked():
        _count(tally, "way to a write without a question for the role", "" if name in all_writes.HANDED_ON else name)


def _set_clocks(folder: Path, tally: Tally) -> None:
    if clocks.library() is None:
        sys.stdout.write("libfaketime is not installed, so no clock was set\n")
        return
    for name, seconds in clocks.JUMPS.items():
        for is_killed in (False, True):
            kind = "clock set, and killed" if is_killed else "clock set in the middle of a run"
            _count(tally, kind, clocks.jump(folder / f"{name}-{is_killed}", seconds, is_killed=is_killed))


def _pull(folder: Path, tally: Tally) -> None:
    for source in SERVERS:
        there = folder / source
        there.mkdir()
        for words, why in tried(source, there, odd=list(ODD), replies=list(REPLIES)):
            _count(tally, f"odd reply of {source}", why and f"{words}: {why}")


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
