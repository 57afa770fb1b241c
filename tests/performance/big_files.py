"""Peak memory of `faithview import` and `evaluate` on files of a gigabyte and of 200,000 rows. See README.md."""

import argparse
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from tests.performance import tables
from tests.performance.synthetic import make_samples

_MB = 1_000_000
_MIB = 1 << 20
# Rows repeat these under other ids and questions: what is measured is how many are held at a time.
_DIFFERENT_ROWS = 2_000
_CHUNKS_OF_A_ROW = 15
_SMALL = "evaluate small rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One command on one file, and the most memory that it may take in MB."""

    name: str
    file: str
    command: tuple[str, ...]
    target: int
    stops: bool = False


_CASES = (
    Case(name="import jsonl", file="results.jsonl", command=("import",), target=500),
    Case(name="import jsonl.gz", file="results.jsonl.gz", command=("import",), target=500),
    Case(name="import parquet", file="results.parquet", command=("import",), target=500),
    Case(
        name="evaluate jsonl", file="results.jsonl", command=("evaluate", "--judge", "lexical"), target=500, stops=True
    ),
    Case(
        name="evaluate parquet",
        file="results.parquet",
        command=("evaluate", "--judge", "lexical"),
        target=500,
        stops=True,
    ),
    Case(name=_SMALL, file="rows.jsonl", command=("evaluate", "--judge", "lexical"), target=300),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files where they are missing, run each command on a store of its own, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "faithview-performance")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=200_000, help="the rows of the file of small rows")
    parser.add_argument("--judging", type=float, default=30, help="seconds of judging after which large files stop")
    parser.add_argument("--only", choices=[case.name for case in _CASES], help="run one command")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    lines, missed = [], False
    for case in _CASES:
        if options.only not in (None, case.name):
            continue
        path = written(case.file, options.folder, megabytes=options.megabytes, rows=options.rows)
        seconds, peak, run = _measured(case, path, options.folder, judging_s=options.judging)
        missed = missed or peak > case.target
        size = f"{path.stat().st_size / _MB:,.0f}"
        states = ", ".join(f"{number:,} {state}" for state, number in run["states"].items() if number)
        lines.append([case.name, size, f"{run['rows']:,}", states, f"{seconds:.0f}", f"{peak:.0f}", f"{case.target}"])
    sys.stdout.write(f"{tables.machine()}\n")
    columns = ["command", "file, MB", "rows stored", "of them", "seconds", "peak memory, MB", "target"]
    tables.show("Large files", columns, lines)
    return int(missed)


def _measured(case: Case, path: Path, folder: Path, *, judging_s: float) -> tuple[float, float, dict[str, Any]]:
    """Run the command; return the seconds, its peak memory in MB, and the run that it stored."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        environment = {**os.environ, "FAITHVIEW_DB": f"sqlite:///{place}/store.db"}
        command = [sys.executable, "-m", "faithview", case.command[0], str(path), *case.command[1:], "--name", "run"]
        begin = perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if case.stops:
            _stop_while_judging(process, environment, judging_s)
        errors = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = perf_counter() - begin
        if process.returncode not in (0, -signal.SIGTERM):
            raise SystemExit(f"{case.name} ended with {process.returncode}: {errors.decode()[-2000:]}")
        return seconds, usage.ru_maxrss * 1024 / _MB, _run_of(environment)


def _stop_while_judging(process: "subprocess.Popen[bytes]", environment: dict[str, str], judging_s: float) -> None:
    """End the command once it has judged for a while: judging all would take an hour."""
    while process.poll() is None:
        sleep(1)
        shown = _show(environment)
        if shown is not None and shown["states"].get("judged", 0) > 0:
            sleep(judging_s)
            process.terminate()
            return


def _run_of(environment: dict[str, str]) -> dict[str, Any]:
    shown = _show(environment)
    if shown is None:
        raise SystemExit("The command stored no run.")
    return shown


def _show(environment: dict[str, str]) -> dict[str, Any] | None:
    if not Path(environment["FAITHVIEW_DB"].removeprefix("sqlite:///")).exists():
        return None
    command = [sys.executable, "-m", "faithview", "show", "run", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def written(name: str, folder: Path, *, megabytes: int, rows: int) -> Path:
    """Return the file of that name, written if it is not there; written in another process, for its memory counts."""
    small = name.startswith("rows")
    path = folder / f"{rows if small else megabytes}-{name}"
    if path.exists():
        return path
    unfinished = path.with_name(f"unfinished-{path.name}")
    if name.endswith(".gz"):
        source = written(name.removesuffix(".gz"), folder, megabytes=megabytes, rows=rows)
        with source.open("rb") as plain, gzip.open(unfinished, "wb", compresslevel=1) as packed:
            shutil.copyfileobj(plain, packed)
    elif name.endswith(".parquet"):
        _write_parquet(unfinished, written("results.jsonl", folder, megabytes=megabytes, rows=rows))
    else:
        with unfinished.open("w", encoding="utf-8") as file:
            for row in islice(_small_rows(), rows) if small else _large_rows():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                if not small and file.tell() > megabytes * _MB:
                    break
    unfinished.rename(path)
    return path


def _large_rows() -> Iterator[dict[str, Any]]:
    samples = make_samples(_DIFFERENT_ROWS, seed=3)
    texts = cycle(chunk.text for sample in samples for chunk in sample.chunks)
    for number, sample in zip(count(1), cycle(samples)):
        yield {
            "id": f"row-{number}",
            "user_input": f"{sample.question} ({number})",
            "response": sample.answer,
            "retrieved_contexts": list(islice(texts, _CHUNKS_OF_A_ROW)),
            "faithfulness": number % 11 / 10,
        }


def _small_rows() -> Iterator[dict[str, Any]]:
    for number, sample in zip(count(1), cycle(make_samples(_DIFFERENT_ROWS, seed=3))):
        first = sample.answer.partition(". ")[0]
        yield {
            "id": number,
            "question": f"{sample.question} ({number})",
            "answer": first,
            "contexts": [chunk.text[:200] for chunk in sample.chunks[:1]],
        }


def _write_parquet(path: Path, lines: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    writer = None
    with lines.open(encoding="utf-8") as file:
        while batch := [json.loads(line) for line in islice(file, 5_000)]:
            table = pyarrow.Table.from_pylist(batch)
            # Without compression and dictionaries: the file repeats its chunks, as no real one does.
            writer = writer or pyarrow.parquet.ParquetWriter(
                path, table.schema, compression="none", use_dictionary=False
            )
            writer.write_table(table)
    if writer is not None:
        writer.close()


if __name__ == "__main__":
    sys.exit(main())
