"""Worker processes: the dashboard judges each run in its own process, so a closed tab or a rerun does not affect it.

They are processes and not threads, because the embedded judge keeps a processor busy while pages must stay fast. A
worker is `faithview resume`, or `faithview kb preflight --resume`, on the same store, so the dashboard behaves like the
command line. Progress is read from the store; only a process that dies before it can write to the store is detected
here.
"""

import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from faithview.domain.audit import UNKNOWN
from faithview.judges.parallel import collecting_rarely
from faithview.logs import log_event
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.settings import (
    ACTING_FOR_VARIABLE,
    DATABASE_VARIABLE,
    LOG_FORMAT_VARIABLE,
    LOG_LEVEL_VARIABLE,
    PROJECT_VARIABLE,
    absolute_url,
)

__all__ = ["Workers", "collecting_rarely"]

_log = logging.getLogger(__name__)
# How much of a dead process's error output is shown.
_ERROR_CHARACTERS = 600
# The exit status of a command that left answers unjudged.
_INCOMPLETE = 3


@dataclass(slots=True)
class _Process:
    popen: subprocess.Popen[bytes]
    errors: IO[bytes]
    is_preflight: bool
    is_stopped: bool = False


@dataclass(slots=True)
class Workers:
    """The worker processes of this process; `who` returns who starts one (`domain/audit.py`)."""

    database_url: str
    who: Callable[[], str] = lambda: UNKNOWN
    _processes: dict[str, _Process] = field(default_factory=dict)
    _errors: dict[str, str] = field(default_factory=dict)

    def start(
        self, run_id: str, *, concurrency: int = 8, limits: Limits = NO_LIMITS, ending_seconds: float = 0.0
    ) -> None:
        """Start judging the run's pending rows and return at once; does nothing if this process judges it already.

        The worker inherits the environment, including the judges' keys. A worker that has stopped the run takes a
        moment to end; `ending_seconds` says how long to wait for it.
        """
        if ending_seconds and (ending := self._processes.get(run_id)) is not None:
            with suppress(subprocess.TimeoutExpired):
                ending.popen.wait(ending_seconds)
        self._start(run_id, ["resume", run_id], concurrency=concurrency, limits=limits)

    def start_preflight(self, preflight_id: str, *, concurrency: int = 8, limits: Limits = NO_LIMITS) -> None:
        """Start judging the preflight's pending answers and return at once, as `start` does for a run."""
        command = ["kb", "preflight", "--resume", preflight_id]
        self._start(preflight_id, command, concurrency=concurrency, limits=limits, is_preflight=True)

    def stop(self, work_id: str, *, seconds: float) -> None:
        """Stop the process that judges this run or preflight, and wait for its end; what is judged is stored."""
        process = self._processes.get(work_id)
        if process is None:
            return
        process.is_stopped = True
        if sys.platform == "win32":
            process.popen.terminate()
        else:
            process.popen.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.popen.wait(seconds)
        self._reap()

    def _start(
        self, work_id: str, words: list[str], *, concurrency: int, limits: Limits, is_preflight: bool = False
    ) -> None:
        self._reap()
        if work_id in self._processes:
            return
        self._errors.pop(work_id, None)
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process that writes to it
        # The store's URL may contain a password, so it is passed in the environment, which only this user can see.
        store = {DATABASE_VARIABLE: absolute_url(self.database_url), ACTING_FOR_VARIABLE: self.who()}
        # Its output is shown if it fails, so it does not write a log.
        environment = {**os.environ, **store, LOG_LEVEL_VARIABLE: "", LOG_FORMAT_VARIABLE: ""}
        environment.pop(PROJECT_VARIABLE, None)  # it would select a second store
        command = [sys.executable, "-P", "-m", "faithview", *words, "--json", "--concurrency", str(concurrency)]
        for option, limit in (("--max-calls", limits.max_calls), ("--max-cost", limits.max_cost)):
            if limit is not None:
                command += [option, str(limit)]
        popen = subprocess.Popen(  # noqa: S603 - our own interpreter, an id that was looked up
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        self._processes[work_id] = _Process(popen, errors, is_preflight)
        log_event(_log, "worker.started", run_id=work_id, pid=popen.pid)

    def run_ids(self) -> list[str]:
        """Return the runs that processes of this server are judging; they continue after it ends."""
        self._reap()
        return [work_id for work_id, process in self._processes.items() if not process.is_preflight]

    def preflight_ids(self) -> list[str]:
        """Return the preflights that processes of this server are judging; they continue after it ends."""
        self._reap()
        return [work_id for work_id, process in self._processes.items() if process.is_preflight]

    def is_working(self, work_id: str) -> bool:
        """Return whether a process of this server is judging the run or preflight, or about to."""
        self._reap()
        return work_id in self._processes

    def find_error(self, work_id: str) -> str | None:
        """Return the error output of a failed worker; None if it runs, succeeded or was started elsewhere.

        A preflight's also says why it ended before all answers were judged, which the store does not say.
        """
        self._reap()
        return self._errors.get(work_id)

    def _reap(self) -> None:
        for work_id, process in list(self._processes.items()):
            status = process.popen.poll()
            if status is None or self._processes.pop(work_id, None) is None:  # two sessions may call this at once
                continue
            log_event(_log, "worker.ended", run_id=work_id, pid=process.popen.pid, status=status)
            # 0 (complete) and 3 (some rows failed): the store has the details.
            if status != 0 and not process.is_stopped and (status != _INCOMPLETE or process.is_preflight):
                process.errors.seek(0)
                text = process.errors.read().decode("utf-8", "replace").strip()
                if status in (1, _INCOMPLETE):  # a traceback, or notes on the way: the last line is the error
                    text = text.rpartition("\n")[2]
                self._errors[work_id] = text[-_ERROR_CHARACTERS:] or f"The worker ended with status {status}."
            process.errors.close()
