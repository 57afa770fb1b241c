"""Processes forked for one piece of work each, which say a few words and end."""

import json
import os
import resource
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tests.mutation.operators import Mutant

# So many times the processor seconds of the tests without a mutant, and so many seconds more.
_PATIENCE = 3
_PATIENCE_S = 4
# What a mutant may ask for beyond what is loaded: one that fills a list for ever must not fill the machine.
_MOST_BYTES = 4_000_000_000


class Fate(StrEnum):
    """What became of a mutant; one on which the tests do not end was noticed too."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A mutant, its fate, and the test that noticed it ("" for none)."""

    mutant: Mutant
    fate: Fate
    test: str = ""


# Ends a child, which says something that can be written as JSON: one that tries a mutant, the test that failed.
Say = Callable[[object], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A mutant, what tries it in a process of its own, and the processor seconds that this takes without the mutant."""

    mutant: Mutant
    attempt: Callable[[Say], None]
    seconds: float


def run_trials(trials: Iterable[Trial], *, processes: int) -> Iterator[Outcome]:
    """Yield what became of each mutant, as it is known. `trials` is asked for the next one when a process is free."""
    waiting = iter(trials)
    running: dict[int, tuple[Trial, int]] = {}
    while True:
        while len(running) < processes and (trial := next(waiting, None)) is not None:
            pid, pipe = fork(trial.attempt, most_seconds=_PATIENCE * trial.seconds + _PATIENCE_S)
            running[pid] = trial, pipe
        if not running:
            return
        pid, status = os.wait()
        trial, pipe = running.pop(pid)
        with open(pipe, encoding="utf-8") as said:
            words = said.read()
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
            yield Outcome(mutant=trial.mutant, fate=Fate.TIMED_OUT)
        elif words or status:
            yield Outcome(mutant=trial.mutant, fate=Fate.KILLED, test=json.loads(words) if words else "")
        else:
            yield Outcome(mutant=trial.mutant, fate=Fate.SURVIVED)


def fork(work: Callable[[Say], None], *, most_seconds: float | None = None) -> tuple[int, int]:
    """Start a process for some work; return its id and the end of a pipe from which what it says is read as JSON.

    What is said ends the process. Its status is 0, or 1 where the work raised an error.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    status = 1
    try:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # pytest's dots
        if most_seconds is not None:
            limit = int(most_seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            resource.setrlimit(resource.RLIMIT_AS, (_bytes_in_use() + _MOST_BYTES,) * 2)

        def say(words: object) -> None:
            with open(writer, "w", encoding="utf-8") as pipe:
                json.dump(words, pipe)
            os._exit(0)

        work(say)
        status = 0
    except BaseException:  # noqa: BLE001 - shown here, and by the status to who waits
        traceback.print_exc()
    finally:
        os._exit(status)


def _bytes_in_use() -> int:
    with open("/proc/self/statm", encoding="ascii") as figures:
        return int(figures.read().split()[0]) * resource.getpagesize()
