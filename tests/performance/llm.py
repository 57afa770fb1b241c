"""What an LLM judge adds to its SDK: time, processor time and prompt tokens an answer, against a server of our own.

The server runs in a process of its own and takes 200 ms for each call. Beside the judge runs a bare loop over the same
SDK that makes the same calls with the same prompts, in turn with it. Seconds are the quickest of several repetitions,
as what else the machine does can only add; ratios are also given as the median over the repetitions. The replies are
the server's sensible ones: the whole answer is one claim.
"""

import argparse
import asyncio
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from faithview.domain.result import State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.llm.cost import count_tokens
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.methods import METHODS
from faithview.judges.registry import create_judge
from faithview.services.runs.create import judge_here
from faithview.settings import file_url
from tests.dashboard import ROOT
from tests.factories import add_run, open_services
from tests.judges.llm.judging import environment, judge_against
from tests.judges.llm.server import Request, sensible
from tests.performance import tables
from tests.performance.synthetic import make_samples

_FEW = 20  # rows at concurrency 1, where each costs its whole latency


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Seconds on the clock and of this process's processor time."""

    wall: float
    cpu: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return 0 if the targets at concurrency 32 are met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds a call takes at the server")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("--vendor", choices=["openai", "anthropic"], default="openai")
    parser.add_argument("--method", choices=list(METHODS), default="claims")
    options = parser.parse_args(arguments)
    samples = make_samples(options.rows, seed=1)
    sys.stdout.write(f"{tables.machine()}; {options.rows} rows, {1000 * options.latency:.0f} ms a call\n")
    bodies = _bodies(samples, options.vendor, options.method)
    is_met = True
    lines = []
    with _server(options.latency) as url, environment(url):
        for concurrency in options.concurrency:
            few = samples[:_FEW] if concurrency == 1 else samples
            line, fine = _measure(few, bodies, options, concurrency)
            lines.append(line)
            is_met = is_met and (fine or concurrency != 32)
    columns = ["concurrency", "rows", "ideal s", "bare SDK s", "judge s", "stored s"]
    columns += ["stored / ideal", "judge / bare", "stored / bare", "median stored / ideal", "median stored / bare"]
    columns += ["bare CPU ms/row", "judge's own CPU ms/row"]
    tables.show(f"{options.vendor}, {options.method}: the quickest of {options.repetitions}", columns, lines)
    tables.show(
        "Calls and prompt tokens an answer (4 bytes a token), by what is the same for every answer or call",
        ["method", "calls", "prompt tokens", "instructions and schema", "chunks", "first in the prompt and stable"],
        [describe_tokens(samples[:10], options.vendor, method) for method in METHODS],
    )
    return 0 if is_met else 1


def _measure(
    samples: Sequence[Sample], bodies: dict[str, list[dict[str, Any]]], options: Any, concurrency: int
) -> tuple[list[str], bool]:
    bare, judged, stored = [], [], []
    for _ in range(options.repetitions):
        bare.append(_run(lambda: _bare(samples, bodies, options.vendor, concurrency)))
        judged.append(_run(lambda: _judge(samples, options.vendor, options.method, concurrency)))
        stored.append(_stored(samples, options.vendor, options.method, concurrency))
    calls = sum(len(bodies[sample.key]) for sample in samples)
    ideal = math.ceil(calls / concurrency) * options.latency
    bare_s, judge_s, stored_s = (min(t.wall for t in times) for times in (bare, judged, stored))
    cpu = min(t.cpu for t in bare) / len(samples)
    own = (min(t.cpu for t in judged) - min(t.cpu for t in bare)) / len(samples)
    line = [str(concurrency), str(len(samples)), f"{ideal:.2f}", f"{bare_s:.2f}", f"{judge_s:.2f}", f"{stored_s:.2f}"]
    line += [f"{stored_s / ideal:.2f}", f"{judge_s / bare_s:.2f}", f"{stored_s / bare_s:.2f}"]
    by_turn = [s.wall / b.wall for s, b in zip(stored, bare, strict=True)]
    line += [f"{median(s.wall for s in stored) / ideal:.2f}", f"{median(by_turn):.2f}"]
    line += [f"{1000 * cpu:.1f}", f"{1000 * own:.1f}"]
    return line, stored_s <= 1.2 * ideal and stored_s <= 1.1 * bare_s and own < 0.010


def _run(work: Callable[[], Awaitable[None]]) -> Timing:
    async def timed() -> Timing:
        wall, cpu = perf_counter(), process_time()
        await work()
        return Timing(wall=perf_counter() - wall, cpu=process_time() - cpu)

    return asyncio.run(timed())


async def _bare(
    samples: Sequence[Sample], bodies: dict[str, list[dict[str, Any]]], vendor: str, concurrency: int
) -> None:
    """The same calls with nothing around them: each row's one after the other, so many at a time."""
    gate = asyncio.Semaphore(concurrency)
    async with _sdk(vendor) as sdk:
        create = sdk.chat.completions.create if vendor == "openai" else sdk.messages.create

        async def row(sample: Sample) -> None:
            for body in bodies[sample.key]:
                async with gate:
                    await create(**body)

        await asyncio.gather(*(row(sample) for sample in samples))


def _sdk(vendor: str) -> Any:
    if vendor == "openai":
        import openai

        return openai.AsyncOpenAI()
    import anthropic

    return anthropic.AsyncAnthropic()


async def _judge(samples: Sequence[Sample], vendor: str, method: str, concurrency: int) -> None:
    judge = create_judge(_spec(vendor, method, concurrency))
    gate = asyncio.Semaphore(_answers(vendor, method, concurrency))

    async def row(sample: Sample) -> None:
        async with gate:
            result = await judge.judge(sample)
        assert result.state is State.JUDGED, result.error

    await asyncio.gather(*(row(sample) for sample in samples))
    await judge.aclose()


def _stored(samples: Sequence[Sample], vendor: str, method: str, concurrency: int) -> Timing:
    """A whole run, every row stored in SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        services = open_services(file_url(Path(folder) / "llm.db"))
        run = add_run(services, samples, "x", judge=_spec(vendor, method, concurrency))
        wall, cpu = perf_counter(), process_time()
        summary = judge_here(services, run, concurrency=_answers(vendor, method, concurrency))
        timing = Timing(wall=perf_counter() - wall, cpu=process_time() - cpu)
        assert summary.states[State.JUDGED] == len(samples), summary.states
        services.close()
    return timing


def _spec(vendor: str, method: str, concurrency: int) -> JudgeSpec:
    return JudgeSpec(name=f"{vendor}:m", method=method, options={"concurrency": str(concurrency)})


def _answers(vendor: str, method: str, concurrency: int) -> int:
    """Return how many answers are under way for so many calls."""
    judge = create_judge(_spec(vendor, method, concurrency))
    assert isinstance(judge, LlmJudge)
    return judge.limit_calls(concurrency)


def _requests(samples: Sequence[Sample], vendor: str, method: str) -> dict[str, list[Request]]:
    """The requests for each sample, by its key, from judging one after the other without latency."""
    requests = {}
    for sample in samples:
        (result,), server = judge_against(sensible, [sample], vendor=vendor, method=method)
        assert result.state is State.JUDGED, result.error
        requests[sample.key] = server.calls
    return requests


def _bodies(samples: Sequence[Sample], vendor: str, method: str) -> dict[str, list[dict[str, Any]]]:
    return {key: [r.body for r in calls] for key, calls in _requests(samples, vendor, method).items()}


def describe_tokens(samples: Sequence[Sample], vendor: str, method: str) -> list[str]:
    """Return what is sent for an answer, on average, and how much of it can be read from a prompt cache."""
    calls, total, fixed, chunks, stable = 0.0, 0.0, 0.0, 0.0, 0.0
    for sample, requests in zip(samples, _requests(samples, vendor, method).values(), strict=True):
        for request in requests:
            schema = request.body.get("response_format") or request.body.get("output_config")
            instructions = count_tokens(request.system) + count_tokens(json.dumps(schema))
            has_chunks = sample.chunks[0].text in request.user
            context = sum(count_tokens(chunk.text) for chunk in sample.chunks) if has_chunks else 0.0
            calls += 1
            total += instructions + count_tokens(request.user)
            fixed += instructions
            chunks += context
            stable += instructions + context
    n = len(samples)
    figures = [f"{total / n:,.0f}", f"{fixed / n:,.0f}", f"{chunks / n:,.0f}", f"{stable / total:.0%}"]
    return [method, f"{calls / n:.1f}", *figures]


@contextmanager
def _server(latency_s: float) -> Iterator[str]:
    """The scripted server in a process of its own, so that its processor time is not counted."""
    command = [sys.executable, "-m", "tests.judges.llm.server", str(latency_s)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environ)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline())
        yield f"http://127.0.0.1:{port}"
    finally:
        process.stdin.close()
        process.wait(10)
        process.stdout.close()


if __name__ == "__main__":
    sys.exit(main())
