"""A judge that lives on an event loop in a thread of its own, so that threads and event loops can share it."""

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from faithview.domain.errors import InvalidInput
from faithview.judges.base import Judge

_T = TypeVar("_T")
_Work = Callable[[Judge], Coroutine[object, object, _T]]

# Answers that are judged at a time by a judge that only computes: a short one need not wait for a long one, and more
# threads would only slow each other down.
_THREADS = 4
# At the end of the program: how long to wait until the connections of the judge are closed.
_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class _Inside:
    """The judge with the event loop that it is used in."""

    judge: Judge
    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event


@dataclass(slots=True)
class _Home:
    """What the thread knows. It holds no `BackgroundJudge`, so that one that nobody uses any more can be collected."""

    build: Callable[[], Judge]
    pid: int = field(default_factory=os.getpid)
    ready: "Future[_Inside]" = field(default_factory=Future)
    finishes: bool = True


class BackgroundJudge:
    """Runs coroutines beside the judge, for callers in any thread and on any event loop.

    The judge is built at once, in the thread in which it is used. After a fork the child gets a thread and a judge of
    its own with its first call. A guard that is not closed is closed when it is garbage-collected, or when the program
    ends.
    """

    def __init__(self, build: Callable[[], Judge]) -> None:
        """Start the thread and build the judge in it; what `build` raises is raised here."""
        self._build = build
        self._is_closed = False
        self._lock = threading.Lock()
        self._home = self._move_in()
        _EVERY.add(self)

    def run(self, work: "_Work[_T]") -> _T:
        """Run `work(judge)` and wait for it.

        Raises:
            InvalidInput: this is closed.
            RuntimeError: called from within such work, which would wait for itself.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("This would wait forever for itself: within the guard's own event loop, await instead.")
        future = self._submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # after Ctrl-C nobody waits for it any more
            raise

    async def arun(self, work: "_Work[_T]") -> _T:
        """Run `work(judge)`; cancelling this cancels it. Raises InvalidInput where this is closed."""
        return await asyncio.wrap_future(self._submit(work))

    def close(self) -> None:
        """Wait for the calls under way, close the judge and end the thread. Closing twice does nothing."""
        with self._lock:
            self._is_closed = True
        _leave(self._home, self._thread, finishes=True)

    def _submit(self, work: "_Work[_T]") -> "Future[_T]":
        with self._lock:
            if self._is_closed:
                raise InvalidInput("This guard is closed; make a new one.")
            if self._home.pid != os.getpid():
                self._home = self._move_in()
            inside = self._home.ready.result()
            return asyncio.run_coroutine_threadsafe(work(inside.judge), inside.loop)

    def _move_in(self) -> _Home:
        home = _Home(self._build)
        self._thread = threading.Thread(target=_live, args=(home,), name="faithview-guard", daemon=True)
        self._thread.start()
        home.ready.result()
        weakref.finalize(self, _leave, home, self._thread, finishes=False)
        return home

    def _after_fork(self) -> None:
        # Another thread of the parent may have had the lock; in the child nobody would ever release it.
        self._lock = threading.Lock()


_EVERY: "weakref.WeakSet[BackgroundJudge]" = weakref.WeakSet()


def _after_fork() -> None:
    for judge in _EVERY:
        judge._after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_after_fork)


def _live(home: _Home) -> None:
    asyncio.run(_serve(home))


async def _serve(home: _Home) -> None:
    try:
        inside = _Inside(home.build(), asyncio.get_running_loop(), asyncio.Event())
    except BaseException as error:  # noqa: BLE001 - a border between threads: raised again in the thread that waits
        home.ready.set_exception(error)
        return
    inside.loop.set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="faithview-guard"))
    home.ready.set_result(inside)
    try:
        await inside.stop.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if not home.finishes:
            for task in others:
                task.cancel()
        if others:
            await asyncio.wait(others)
    finally:
        await inside.judge.aclose()


def _leave(home: _Home, thread: threading.Thread, *, finishes: bool) -> None:
    """End the thread; with `finishes` after the calls under way, else they are cancelled."""
    if home.pid != os.getpid() or not thread.is_alive():
        return
    home.finishes = finishes
    inside = home.ready.result()
    try:
        inside.loop.call_soon_threadsafe(inside.stop.set)
    except RuntimeError:  # it has ended just now
        return
    if thread is not threading.current_thread():
        thread.join(None if finishes else _PATIENCE_S)
