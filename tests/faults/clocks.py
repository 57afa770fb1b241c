"""A clock that is wrong, or set while a run is judged, by libfaketime; Debian has it as the package `libfaketime`."""

import time
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.services.results import get_progress, get_run, iterate_answers
from faithview.store.database import check_contents
from faithview.store.runs import count_runs
from tests.factories import open_services
from tests.faults.kills import ROWS, write_rows
from tests.judging_processes import gate, scripted_environment, start, wait_for

_PATIENCE_S = 120
_YEAR_S = 365 * 24 * 3600
# By how much a clock jumps: an hour at the end of summer, a day, and what a dead battery makes of it.
JUMPS: Mapping[str, int] = {
    "back by an hour": -3600,
    "ahead by an hour": 3600,
    "back by a year": -_YEAR_S,
    "ahead by a year": _YEAR_S,
    "back by 20 years": -20 * _YEAR_S,
    "ahead by 20 years": 20 * _YEAR_S,
}


def library() -> Path | None:
    """Return where libfaketime is; None where it is not installed."""
    return next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)


def jump(folder: Path, seconds: int, *, is_killed: bool) -> str:
    """Set the clock of a process while it judges; return what is wrong with its run, "" for nothing.

    Args:
        folder: for the store.
        seconds: how far the clock jumps, to the future where it is above 0.
        is_killed: kill the process after the jump, and go on with its run by a clock that is right.
    """
    folder.mkdir()
    url = f"sqlite:///{folder / 'faithview.db'}"
    right = scripted_environment(folder, url)
    clock = folder / "clock"
    clock.write_text("+0", encoding="utf-8")
    wrong = {
        **right,
        "LD_PRELOAD": str(library()),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    gate(right).touch()
    words = ("evaluate", str(write_rows(folder, ROWS)), "--judge", "scripted", "--concurrency", "2", "--name", "cut")
    process = start(wrong, *words)
    with open_services(url) as services:
        wait_for(lambda: (count_runs(services.db) and get_progress(services, "cut").done >= 5) or process.poll())
        clock.write_text(f"{seconds:+d}", encoding="utf-8")
        time.sleep(2.5)  # two signs of life by the new time
        if is_killed:
            process.kill()
        gate(right).unlink()
        _, errors = process.communicate(timeout=_PATIENCE_S)
        if not is_killed and process.returncode:
            return f"{process.returncode}: {errors[-300:]}"
        ended = get_run(services, "cut").finished_at
        if ended is not None and abs((ended - datetime.now(UTC)).total_seconds() - seconds) > _PATIENCE_S:
            return f"the clock did not jump: {ended}"
        if get_run(services, "cut").status is not RunStatus.COMPLETE:
            process = start(right, "resume", "cut")
            _, errors = process.communicate(timeout=_PATIENCE_S)
            if process.returncode:
                return f"resume: {process.returncode}: {errors[-300:]}"
        for command in (("runs", "--json"), ("show", "cut", "--json"), ("series", "list")):
            process = start(right, *command)
            _, errors = process.communicate(timeout=_PATIENCE_S)
            if process.returncode:
                return f"{command[0]}: {errors[-300:]}"
        run = get_run(services, "cut")
        judged = Counter((it.sample.key, it.result.state) for it in iterate_answers(services, run.run_id))
        if judged != Counter({(f"k{number}", State.JUDGED): 1 for number in range(ROWS)}):
            return f"{judged.total()} answers: {judged.most_common(2)}"
        if not 0 <= run.seconds <= _PATIENCE_S:
            return f"the run took {run.seconds} s"
    return " ".join(check_contents(url)[1])
