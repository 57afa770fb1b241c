"""Worker processes of a judge end with the process that started them, and do not run the program that started them."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.registry import create_judge
from tests.dashboard import ROOT

pytestmark = pytest.mark.process

_SCRIPT = """
import asyncio, multiprocessing, sys, time
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.registry import create_judge

async def judge_both():
    judge = create_judge(JudgeSpec(name="lexical", options={"workers": "2"}))
    samples = [Sample.of(f"The office opens at {n} am.", ["The office opens at 9 am."]) for n in range(40)]
    await asyncio.gather(*(judge.judge(sample) for sample in samples))
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    time.sleep(600)

asyncio.run(judge_both())
"""


def _runs(pid: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody has waited for does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def _is_deaf_to_ctrl_c(pid: int) -> bool:
    """Return whether a process blocks SIGINT, which it does from its first moment if it inherited that."""
    (line,) = [x for x in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines() if "SigBlk" in x]
    return bool(int(line.split()[1], 16) & 1 << (signal.SIGINT - 1))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_process_that_was_killed(how: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", _SCRIPT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        workers = [int(pid) for pid in process.stdout.readline().split()]
        assert workers
        assert all(_runs(pid) and _is_deaf_to_ctrl_c(pid) for pid in workers)
        process.send_signal(how)
        process.wait(30)
    deadline = time.monotonic() + 60
    while any(_runs(pid) for pid in workers):
        assert time.monotonic() < deadline, f"workers {workers} still run"
        time.sleep(0.05)


def test_workers_do_not_run_the_program_that_started_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.py"
    page.write_text("raise SystemExit('a page ran in a worker')", encoding="utf-8")
    main = ModuleType("__main__")
    main.__file__ = str(page)
    monkeypatch.setitem(sys.modules, "__main__", main)  # as Streamlit does for each page

    async def judge_one() -> Result:
        judge = create_judge(JudgeSpec(name="lexical", options={"workers": "2"}))
        try:
            return await judge.judge(Sample.of("The office opens at 9 am.", ["The office opens at 9 am."]))
        finally:
            await judge.aclose()

    assert asyncio.run(judge_one()).claims
    assert sys.modules["__main__"] is main
