"""Answers a second of the embedded judge on one core, and how its time grows with the texts. See README.md."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter

from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.judges.registry import create_judge
from faithview.services.datasets import open_dataset
from faithview.services.judging import judge_one
from tests.dashboard import ROOT
from tests.performance import tables
from tests.performance.synthetic import make_samples

_RAGTRUTH = ROOT.parent / "shared" / "bench" / "ragtruth.jsonl.gz"
_SYNTHETIC_ROWS = 1_000
_WARM_UP = 20
_TARGET = 300  # answers a second
_CHUNK_CHARACTERS = 2_000
_CHUNK_NUMBERS = (10, 20, 50, 100)
_ANSWER_TIMES = (1, 4, 16, 64)
_REPETITIONS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return 0 if the rate is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=_RAGTRUTH, help="answers to judge; synthetic ones if it is absent")
    parser.add_argument("--limit", type=int, default=None, help="judge the first N of them only")
    options = parser.parse_args(arguments)
    core = _pin()
    if options.file.exists():
        origin, (samples, _) = options.file.name, open_dataset(options.file).read(limit=options.limit)
    else:
        origin, samples = "synthetic answers", make_samples(options.limit or _SYNTHETIC_ROWS, seed=1)
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
    tables.show("Rate of the embedded judge, one process, verdicts verified", columns, [line])
    _show_growth()
    return 0 if rate >= _TARGET else 1


def _rate(samples: Sequence[Sample]) -> float:
    _judge(samples[:_WARM_UP])
    begin = perf_counter()
    _judge(samples)
    return len(samples) / (perf_counter() - begin)


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


def _judge(samples: Iterable[Sample]) -> None:
    async def judge_all() -> None:
        judge = create_judge(JudgeSpec())
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
