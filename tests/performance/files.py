"""Time and peak memory of reading a large file, as the reader and as the command line do. See README.md."""

import argparse
import csv
import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

from faithview.domain.sample import Sample
from faithview.formats.read import detect, open_table, read_samples
from faithview.services.dataset_files import open_dataset
from tests.performance import tables
from tests.performance.synthetic import make_samples

_MIB = 1 << 20
_DIFFERENT_ROWS = 2_000  # a file repeats them under other ids: what is measured is the reader


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files where they are missing, measure each way of reading them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "faithview-performance")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--limit", type=int, default=200, help="the --limit of `faithview evaluate`")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    lines = [["(nothing, after the imports)", "", "", "", f"{_apart(_nothing, options.folder)[2]:.0f}"]]
    for ending in ("jsonl", "csv"):
        path = options.folder / f"answers-{options.megabytes}.{ending}"
        if not path.exists():
            _apart(_write, path)  # not here: a process that is started inherits the peak of the one that starts it
        size = f"{path.stat().st_size / _MIB:.0f}"
        for what, work in (("open and detect", _open), ("read row by row", _stream), ("read into memory", _read)):
            rows, seconds, peak = _apart(work, path)
            lines.append([f"{ending}: {what}", size, f"{rows:,}", f"{seconds:.1f}", f"{peak:.0f}"])
        rows, seconds, peak = _evaluate(path, options.limit, options.folder)
        lines.append(
            [
                f"{ending}: faithview evaluate --limit {options.limit}",
                size,
                f"{rows:,}",
                f"{seconds:.1f}",
                f"{peak:.0f}",
            ]
        )
    sys.stdout.write(f"{tables.machine()}\n")
    tables.show("A large file", ["what", "file, MiB", "rows", "seconds", "peak memory, MiB"], lines)
    return 0


def _nothing(_path: Path) -> int:
    return 0


def _open(path: Path) -> int:
    detect(open_table(path, name=path.name))
    return 0


def _stream(path: Path) -> int:
    table = open_table(path, name=path.name)
    return sum(isinstance(row, Sample) for row in read_samples(table, detect(table).mapping))


def _read(path: Path) -> int:
    samples, _ = open_dataset(path).read()
    return len(samples)


def _apart(work: Callable[[Path], int], path: Path) -> tuple[int, float, float]:
    """Do the work in a process of its own; return what it returned, the seconds, and its peak memory in MiB."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measured, (work, path))


def _measured(work: Callable[[Path], int], path: Path) -> tuple[int, float, float]:
    begin = perf_counter()
    rows = work(path)
    return rows, perf_counter() - begin, _peak(resource.RUSAGE_SELF)


def _evaluate(path: Path, limit: int, folder: Path) -> tuple[int, float, float]:
    return _apart(_EvaluateHere(limit, folder), path)


class _EvaluateHere:
    """Runs the command as a user does; the peak is its own, for it is the only child of the process that measures."""

    def __init__(self, limit: int, folder: Path) -> None:
        self._limit = limit
        self._folder = folder

    def __call__(self, path: Path) -> int:
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            command = [sys.executable, "-m", "faithview", "evaluate", str(path), "--limit", str(self._limit), "--json"]
            command += ["--db", f"sqlite:///{place}/store.db"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        return int(json.loads(done.stdout)["rows"])


def _peak(whose: int) -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    kibibytes = max(resource.getrusage(whose).ru_maxrss, children)
    return kibibytes / 1024 if sys.platform != "darwin" else kibibytes / _MIB


def _write(path: Path) -> int:
    megabytes, ending = int(path.stem.rpartition("-")[2]), path.suffix[1:]
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("w", encoding="utf-8", newline="") as file:
        written = 0
        writer = csv.writer(file)
        for number, sample in enumerate(_endlessly(make_samples(_DIFFERENT_ROWS, seed=3)), start=1):
            chunks = [chunk.text for chunk in sample.chunks]
            row = {"id": number, "question": sample.question, "answer": sample.answer, "contexts": chunks}
            if ending == "jsonl":
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            else:
                if number == 1:
                    writer.writerow(row)
                writer.writerow([number, sample.question, sample.answer, json.dumps(chunks, ensure_ascii=False)])
            written += len(sample.answer) + sum(map(len, chunks)) + len(sample.question or "")
            if written > megabytes * _MIB:
                break
    unfinished.rename(path)
    return number


def _endlessly(samples: Sequence[Sample]) -> Iterator[Sample]:
    while True:
        yield from samples


if __name__ == "__main__":
    sys.exit(main())
