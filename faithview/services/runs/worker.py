"""Worker processes: the dashboard judges each run in its own process, so a closed tab or a rerun does not affect it.

They are processes and not threads, because the embedded judge keeps a processor busy while pages must stay fast. A
worker is `faithview resume` on the same store, so the dashboard behaves like the command line. Progress is read from
the store; only a process that dies before it can write to the store is detected here.
"""

import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from faithview.domain.audit import UNKNOWN
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

_log = logging.getLogger(__name__)
# How much of a dead process's error output is shown.
_ERROR_CHARACTERS = 600
# The exit status of a command that left answers unjudged.
_INCOMPLETE = 3


@dataclass(slots=True)
class Workers:
    """The worker processes of this process; `who` returns who starts one (`domain/audit.py`)."""

    database_url: str
    who: Callable[[], str] = lambda: UNKNOWN
    _processes: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = field(default_factory=dict)
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
                ending[0].wait(ending_seconds)
        self._reap()
        if run_id in self._processes:
            return
        self._errors.pop(run_id, None)
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process that writes to it
        # The store's URL may contain a password, so it is passed in the environment, which only this user can see.
        store = {DATABASE_VARIABLE: absolute_url(self.database_url), ACTING_FOR_VARIABLE: self.who()}
        # Its output is shown if it fails, so it does not write a log.
        environment = {**os.environ, **store, LOG_LEVEL_VARIABLE: "", LOG_FORMAT_VARIABLE: ""}
        environment.pop(PROJECT_VARIABLE, None)  # it would select a second store
        options = {"--concurrency": concurrency, "--max-calls": limits.max_calls, "--max-cost": limits.max_cost}
        command = [sys.executable, "-P", "-m", "faithview", "resume", run_id, "--json"]
        command += [text for name, value in options.items() if value is not None for text in (name, str(value))]
        popen = subprocess.Popen(  # noqa: S603 - our own interpreter, an id that was looked up
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        self._processes[run_id] = popen, errors
        log_event(_log, "worker.started", run_id=run_id, pid=popen.pid)

    def run_ids(self) -> list[str]:
        """Return the runs that processes of this server are judging; they continue after it ends."""
        self._reap()
        return list(self._processes)

    def is_working(self, run_id: str) -> bool:
        """Return whether a process of this server is judging the run, or about to."""
        self._reap()
        return run_id in self._processes

    def find_error(self, run_id: str) -> str | None:
        """Return the error output of a failed worker; None if it runs, succeeded or was started elsewhere."""
        self._reap()
        return self._errors.get(run_id)

    def _reap(self) -> None:
        for run_id, (process, errors) in list(self._processes.items()):
            status = process.poll()
            if status is None or self._processes.pop(run_id, None) is None:  # two sessions may call this at once
                continue
            log_event(_log, "worker.ended", run_id=run_id, pid=process.pid, status=status)
            # 0 (complete) and 3 (some rows failed): the store has the details.
            if status not in (0, _INCOMPLETE):
                errors.seek(0)
                text = errors.read().decode("utf-8", "replace").strip()
                if status == 1:  # a traceback: the last line is the error
                    text = text.rpartition("\n")[2]
                self._errors[run_id] = text[-_ERROR_CHARACTERS:] or f"The worker ended with status {status}."
            errors.close()
