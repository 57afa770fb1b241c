"""What becomes of a file that nobody should have written: rows, problems, one sentence, or a failure of ours."""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from faithview.domain.errors import FaithViewError
from faithview.formats.files.report import ReadReport
from faithview.services.dataset_files import Dataset, open_dataset
from faithview.services.import_rows import preview_document, to_result
from faithview.services.imports import find_results, iterate_results
from tests.damage import cut, double, encode, flip
from tests.faults import odd_values

_LONGEST_SENTENCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileFile:
    """A file; `good` are the keys of the rows that must be read whatever else is in it, `odd_line` that of the rest."""

    kind: str
    name: str
    content: bytes
    good: frozenset[str] = frozenset()
    odd_line: int | None = None


def odd_files() -> Iterator[HostileFile]:
    """Yield a file for every odd value, in every place of a row, in every kind of file."""
    good = frozenset(f"good-{number}" for number in range(1, odd_values.GOOD + 1))
    for kind, write in odd_values.KINDS.items():
        for place, row in odd_values.PLACES.items():
            for value in odd_values.VALUES:
                try:
                    content = write(row(value))
                except (RecursionError, ValueError):
                    continue  # no such CSV: the value is no JSON that Python reads, or has no half character
                line = odd_values.ODD_AT + kind.startswith("csv")
                yield HostileFile(
                    kind=f"odd value, {kind}", name=f"{place}: {value[:40]}", content=content, good=good, odd_line=line
                )


def mutated_files(seeds: list[Path], *, each: int, chance: random.Random) -> Iterator[HostileFile]:
    """Yield damaged copies of files: cut, with other bytes, doubled, in another encoding, with another value inside."""
    for path in seeds:
        content = path.read_bytes()
        for number in range(each):
            damage = chance.choice(_DAMAGES)
            yield HostileFile(kind="damaged", name=f"{path.name} #{number}", content=damage(content, chance))


def failure_of(file: HostileFile) -> str:
    """Read a file as the command line and Upload do; return what went wrong, "" for rows or one sentence."""
    for read in (_survey, _results):
        try:
            keys, report = read(open_dataset(file.content, name="file"))
        except FaithViewError as error:
            text = str(error)
            if "\n" in text or len(text) > _LONGEST_SENTENCE or not text.endswith((".", "?")):
                return f"{read.__name__}: not one sentence: {text[:200]!r}"
            if file.good:
                return f"{read.__name__}: the whole file ended: {text[:200]}"
            continue
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            return f"{read.__name__}: {type(error).__name__}: {str(error)[:200]}"
        if lost := sorted(file.good - keys):
            return f"{read.__name__}: lost {', '.join(lost)}"
        problems = {problem.line for problem in report.problems}
        if file.odd_line is not None and not problems <= {file.odd_line}:
            return f"{read.__name__}: the problem is in line {sorted(problems)} and not in {file.odd_line}"
    return ""


def _survey(dataset: Dataset) -> tuple[set[str], ReadReport]:
    dataset.guess()
    dataset.find_separators()
    preview_document(dataset, for_results=False)
    samples, report = dataset.read()
    return {sample.key for sample in samples}, report


def _results(dataset: Dataset) -> tuple[set[str], ReadReport]:
    preview_document(dataset, for_results=True)
    if not dataset.detection.match.has_results:
        samples, report = dataset.read()
        return {sample.key for sample in samples}, report
    found = find_results(dataset)
    keys = set()
    for row in iterate_results(found):
        to_result(row.judged, row.sample, judge=found.judge, threshold=0.8)
        keys.add(row.sample.key)
    return keys, found.report


def _swap(content: bytes, chance: random.Random) -> bytes:
    """Put an odd value over some value of JSON, whatever that was; anything else is flipped."""
    try:
        text = json.dumps(json.loads(content))
    except ValueError:
        return flip(content, chance)
    places = [at for at, letter in enumerate(text) if letter == ":"]
    if not places:
        return flip(content, chance)
    at = chance.choice(places) + 1
    end = next((end for end in range(at, len(text)) if text[end] in ",}]"), len(text))
    return (text[:at] + chance.choice(odd_values.VALUES) + text[end:]).encode()


_DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (cut, flip, double, encode, _swap, _swap)


@dataclass(frozen=True, slots=True, kw_only=True)
class BombOutcome:
    """What a process of its own said about a bomb, and what it took: seconds of all processors, and MB at most."""

    text: str
    seconds: float
    megabytes: float


def defuse(make: Callable[[Path], None], name: str, *, most_seconds: float) -> BombOutcome | None:
    """Write a bomb and read it in a process of its own; None where that takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        make(path)
        try:
            done = subprocess.run(
                [sys.executable, "-c", _READ, str(path)],
                capture_output=True,
                text=True,
                timeout=most_seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
    if done.returncode:
        return BombOutcome(
            text=f"FAILED: {done.stderr.strip().rpartition(chr(10))[2][:200]}", seconds=0.0, megabytes=0.0
        )
    seconds, megabytes, text = done.stdout.strip().split(" ", 2)
    return BombOutcome(text=text, seconds=float(seconds), megabytes=float(megabytes))


# The peak of a process that was forked is that of its parent, so the status of the process itself is read.
_READ = """
import re, sys, time
from pathlib import Path
from faithview.domain.errors import FaithViewError
from faithview.services.dataset_files import open_dataset
start = time.process_time()
try:
    survey = open_dataset(Path(sys.argv[1])).survey()
    text = f"{survey.answers} rows, {survey.report.problem_count} problems"
except FaithViewError as error:
    text = " ".join(str(error).split())
seconds = time.process_time() - start
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())
print(f"{seconds:.1f} {int(peak[1]) / 1024:.0f} {text}")
"""
