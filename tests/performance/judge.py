"""Answers a second of the rules and of the default judge, of two workers, and how time grows. See README.md."""

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter

from faithview.domain.run import DEFAULT_JUDGE, JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.judges.registry import create_judge
from faithview.services.dataset_files import open_dataset
from faithview.services.judge_catalogue import answers_at_a_time, make_spec
from faithview.services.runs.judge_answer import judge_one
from tests.dashboard import ROOT
from tests.performance import tables
from tests.performance.synthetic import make_samples

_RAGTRUTH = ROOT.parent / "shared" / "bench" / "ragtruth.jsonl.gz"
_SYNTHETIC_ROWS = 1_000
_WARM_UP = 20
_TARGET = 300  # answers a second by the rules
_TARGET_BOTH = 20  # and with the reader, which is asked where the rules are unsure
_ROWS_BOTH = 400
_TARGET_SHARED = 1.4  # times as fast with two workers as with one, on two free cores
_CONCURRENCY = 8
_CHUNK_CHARACTERS = 2_000
_CHUNK_NUMBERS = (10, 20, 50, 100)
_ANSWER_TIMES = (1, 4, 16, 64)
_REPETITIONS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return 0 if the rate is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=_RAGTRUTH, help="answers to judge; synthetic ones if it is absent")
    parser.add_argument("--limit", type=int, default=None, help="judge the first N of them only")
    parser.add_argument("--workers", type=int, default=None, help="only print the seconds that so many workers take")
    options = parser.parse_args(arguments)
    if options.workers is not None:
        sys.stdout.write(f"{_seconds(_read(options)[1][:_ROWS_BOTH], options.workers)}\n")
        return 0
    is_shared = _show_workers(sys.argv[1:] if arguments is None else list(arguments))
    core = _pin()
    origin, samples = _read(options)
    rates = [_rate(samples) for _ in range(3)]
    rate = max(rates)
    sys.stdout.write(f"{tables.machine()}; {core}\n")
    words = [_words([s.answer for s in samples]), _words([c.text for s in samples for c in s.chunks], per=len(samples))]
    columns = [
        "answers from",
        "rows",
        "words of answer",
        "of context",
        "answers a second (best of 3)",
        "each",
        "target",
    ]
    each = ", ".join(f"{r:.0f}" for r in rates)
    line = [
        origin,
        f"{len(samples):,}",
        *words,
        f"{rate:.0f}",
        each,
        f"{_TARGET}: {'met' if rate >= _TARGET else 'missed'}",
    ]
    # One pass: what was read once is remembered.
    some = samples[:_ROWS_BOTH]
    both = _rate(some, DEFAULT_JUDGE)
    met = "met" if both >= _TARGET_BOTH else "missed"
    lines = [
        ["lexical", *line],
        [DEFAULT_JUDGE, origin, f"{len(some):,}", *words, f"{both:.0f}", "one pass", f"{_TARGET_BOTH}: {met}"],
    ]
    tables.show("Rate of the judges on this machine, one process, verdicts verified", ["judge", *columns], lines)
    _show_growth()
    return 0 if rate >= _TARGET and both >= _TARGET_BOTH and is_shared else 1


def _read(options: argparse.Namespace) -> tuple[str, list[Sample]]:
    if options.file.exists():
        return options.file.name, list(open_dataset(options.file).read(limit=options.limit)[0])
    return "synthetic answers", make_samples(options.limit or _SYNTHETIC_ROWS, seed=1)


def _show_workers(arguments: Sequence[str]) -> bool:
    """Show what a second worker adds, each measured in turn in a process of its own, and return whether it is enough.

    The seconds are those from the first answer that is asked for to the last result, all that is looked up for the
    first time included; imports and reading the file are not, with either number.
    """
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(_REPETITIONS):
        for workers, seconds in taken.items():
            command = [sys.executable, "-m", "tests.performance.judge", *arguments, "--workers", str(workers)]
            seconds.append(float(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout))
    alone, shared = (tables.median(seconds) for seconds in taken.values())
    ratios = sorted(one / two for one, two in zip(*taken.values(), strict=True))
    columns = ["seconds, 1 worker", "2 workers", "1 / 2 (median of pairs)", "each", "target"]
    is_met = tables.median(ratios) >= _TARGET_SHARED
    line = [
        f"{alone:.2f}",
        f"{shared:.2f}",
        f"{tables.median(ratios):.2f}",
        ", ".join(f"{ratio:.2f}" for ratio in ratios),
        f"{_TARGET_SHARED}: {'met' if is_met else 'missed'}",
    ]
    tables.show("Two workers of the default judge against one", columns, [line])
    return is_met


def _seconds(samples: Sequence[Sample], workers: int) -> float:
    spec = make_spec(DEFAULT_JUDGE, workers=workers)

    async def judge_all() -> None:
        judge = create_judge(spec)
        gate = asyncio.Semaphore(answers_at_a_time(spec, _CONCURRENCY))

        async def judge_next(sample: Sample) -> None:
            async with gate:
                await judge_one(judge, sample, threshold=DEFAULT_THRESHOLD)

        try:
            await asyncio.gather(*(judge_next(sample) for sample in samples))
        finally:
            await judge.aclose()

    begin = perf_counter()
    asyncio.run(judge_all())
    return perf_counter() - begin


def _rate(samples: Sequence[Sample], name: str = "lexical") -> float:
    _judge(samples[-_WARM_UP:], name)
    measured = samples[:-_WARM_UP]
    begin = perf_counter()
    _judge(measured, name)
    return len(measured) / (perf_counter() - begin)


def _show_growth() -> None:
    base = make_samples(400, seed=2)
    text = " ".join(chunk.text for sample in base for chunk in sample.chunks)
    sample = next(s for s in base if len(s.chunks) > 1)
    chunks = [
        Chunk(text=text[at : at + _CHUNK_CHARACTERS])
        for at in range(0, _CHUNK_CHARACTERS * _CHUNK_NUMBERS[-1], _CHUNK_CHARACTERS)
    ]
    by_context = [
        (f"{n} chunks", n, Sample(answer=sample.answer, question=sample.question, chunks=tuple(chunks[:n])))
        for n in _CHUNK_NUMBERS
    ]
    answers = " ".join(s.answer for s in base)
    by_answer = [
        (f"{n}x", n, Sample(answer=answers[: n * len(sample.answer)], question=sample.question, chunks=sample.chunks))
        for n in _ANSWER_TIMES
    ]
    columns = ["size", "characters", "ms", "ms by size, first is 1.0"]
    title = f"Context of {_CHUNK_NUMBERS[0]} to {_CHUNK_NUMBERS[-1]} chunks of {_CHUNK_CHARACTERS:,} characters"
    tables.show(title, columns, _growth(by_context, lambda s: sum(len(c.text) for c in s.chunks)))
    tables.show("Answers of 1 to 64 times the length", columns, _growth(by_answer, lambda s: len(s.answer)))


def _growth(sizes: list[tuple[str, int, Sample]], length: Callable[[Sample], int]) -> list[list[object]]:
    lines: list[list[object]] = []
    first = 0.0
    for name, size, sample in sizes:
        times = []
        for _ in range(_REPETITIONS):
            begin = perf_counter()
            _judge([sample])
            times.append(perf_counter() - begin)
        cost = tables.median(times) / size
        first = first or cost
        lines.append([name, f"{length(sample):,}", f"{1000 * tables.median(times):.1f}", f"{cost / first:.2f}"])
    return lines


def _judge(samples: Iterable[Sample], name: str = "lexical") -> None:
    async def judge_all() -> None:
        judge = create_judge(JudgeSpec(name=name))
        for sample in samples:
            await judge_one(judge, sample, threshold=DEFAULT_THRESHOLD)
        await judge.aclose()

    asyncio.run(judge_all())


def _pin() -> str:
    """Stay on one core, so that no thread of a library helps."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned to a core: this system cannot"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


def _words(texts: Sequence[str], *, per: int | None = None) -> str:
    return f"{sum(len(text.split()) for text in texts) / (per or len(texts)):.0f}"


if __name__ == "__main__":
    sys.exit(main())
