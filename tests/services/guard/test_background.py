"""The thread in which a guard's judge lives: it is shared, waits, gives up, and is gone at the end."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from faithview import FaithfulnessGuard, Result
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.services.guard.guard import BackgroundJudge
from tests.services.scripted import ScriptedJudge

pytestmark = pytest.mark.process  # takes long

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = Sample.of("Parking is free.", "Parking is free.")


async def _judge(judge: Judge) -> Result:
    return await judge.judge(SAMPLE)


def _guard_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "faithview-guard"]


def test_closing_waits_for_calls_under_way_and_refuses_later_ones() -> None:
    judge = ScriptedJudge(delay=0.2)
    background = BackgroundJudge(lambda: judge)
    under_way = background._submit(_judge)
    background.close()
    assert under_way.result(0).claims
    assert judge.closed == 1
    background.close()
    assert judge.closed == 1
    with pytest.raises(InvalidInput, match="closed; create a new one"):
        background.run(_judge)


def test_what_the_factory_raises_is_raised_to_the_caller_and_no_thread_stays() -> None:
    before = len(_guard_threads())

    def build() -> Judge:
        raise ZeroDivisionError("no judge today")

    with pytest.raises(ZeroDivisionError, match="no judge today"):
        BackgroundJudge(build)
    for thread in _guard_threads():
        thread.join(0.5)
    assert len(_guard_threads()) <= before


def test_cancelling_a_coroutine_cancels_the_call() -> None:
    cancelled = threading.Event()

    async def wait(_judge: Judge) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(background.arun(wait), 0.05)

    background = BackgroundJudge(ScriptedJudge)
    asyncio.run(give_up())
    assert cancelled.wait(5)
    background.close()


def test_waiting_within_the_own_loop_is_an_error_and_no_deadlock() -> None:
    async def nested(_: Judge) -> Result:
        return background.run(_judge)

    background = BackgroundJudge(ScriptedJudge)
    with pytest.raises(RuntimeError):
        background.run(nested)
    background.close()


def test_a_guard_that_nobody_holds_ends_its_thread_and_closes_its_judge() -> None:
    judge = ScriptedJudge()
    background = BackgroundJudge(lambda: judge)
    thread = background._thread
    background.run(_judge)
    del background
    gc.collect()
    thread.join(5)
    assert not thread.is_alive()
    assert judge.closed == 1


def test_a_sync_call_works_where_a_loop_is_running_already() -> None:
    async def notebook() -> bool:
        with FaithfulnessGuard() as guard:
            return guard.check(answer="Parking is free.", context="Parking is free.").passed

    assert asyncio.run(notebook())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_process_gets_a_thread_of_its_own() -> None:
    script = """
import os, warnings
from faithview import FaithfulnessGuard
warnings.simplefilter("ignore", DeprecationWarning)  # "this process is multi-threaded": that is the point
guard = FaithfulnessGuard()
if not (child := os.fork()):
    os._exit(0 if guard.check(answer="Parking is free.", context="Parking is free.").passed else 3)
assert os.waitpid(child, 0)[1] == 0
assert guard.check(answer="Parking is free.", context="Parking is free.").passed
"""
    _run(script)


@pytest.mark.process
def test_nothing_is_left_when_a_program_ends_without_closing() -> None:
    script = """
from faithview import FaithfulnessGuard, Sample
from tests.services.scripted import ScriptedJudge
class Talkative(ScriptedJudge):
    async def aclose(self):
        print("closed", self.running)
judge = Talkative(delay=60)
guard = FaithfulnessGuard(judge)
future = guard._background._submit(lambda judge: judge.judge(Sample.of("x", "y")))
while not judge.running:
    pass
"""
    done = _run(script)
    assert (done.stdout, done.stderr) == ("closed 0\n", "")


def _run(script: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done
