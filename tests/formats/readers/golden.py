"""What is read from each file of the folder `files`, as one JSON document per file in the folder `golden`.

A change to a reader shows as a change to these documents. After one that is meant, write them again and look at the
difference:

    python -m tests.formats.readers.golden            # all
    python -m tests.formats.readers.golden ragas      # those whose name contains a word
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_core import to_jsonable_python

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.dataset_files import Dataset, open_dataset
from faithview.services.imports import find_results, to_result
from tests.formats.readers.reading import FILES, SEEDS, files_beside

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_GOLDEN = Path(__file__).parent / "golden"


def golden_path(seed: Path) -> Path:
    """Return the path of the document for a file, which need not exist."""
    return _GOLDEN / f"{seed.relative_to(FILES)}.json"


def read_document(seed: Path) -> dict[str, object]:
    """Return what is read from a file: its format, questions, and for each row the sample, the result and the labels.

    Each question is answered with its first candidate. Fields with their default are left out, and of the columns that
    are kept unchanged only the names are there.
    """
    try:
        dataset = open_dataset(seed, others=files_beside(seed))
    except (InvalidInput, UnreadableFile) as error:
        return {"error": str(error)}
    match = dataset.detection.match
    return _filled(
        {
            "format": dataset.detection.reader.name,
            "questions": [{"field": q.field, "candidates": q.candidates} for q in match.questions],
            "warnings": match.warnings,
            "notes": dataset.table.notes,
            **_rows(_answered(dataset)),
        }
    )


def _answered(dataset: Dataset) -> Dataset:
    for question in dataset.open_questions(for_results=True):
        first = question.candidates[0]
        dataset = dataset.remap([first if question.field == "map" else f"{question.field}={first}"])
    return dataset


def _rows(dataset: Dataset) -> dict[str, object]:
    try:
        found = find_results(dataset)
    except (InvalidInput, UnreadableFile) as error:
        return {"without_results": str(error), **_samples(dataset)}
    rows = [
        {
            "sample": _sample(sample),
            "judge": judged.judge,
            "result": _said(to_result(judged, sample, judge=found.judge, threshold=DEFAULT_THRESHOLD)),
            "labels": [_said(label) for label in judged.annotations],
        }
        for sample, judged in found.iterate()
    ]
    report = found.report
    return {
        "judge": found.judge,
        "series": found.series,
        "problems": [str(problem) for problem in report.problems],
        "reported": [*report.warnings, *report.notes],
        "rows": [_filled(row) for row in rows],
    }


def _samples(dataset: Dataset) -> dict[str, object]:
    """Return the answers of a file in which no tool's result can be read."""
    try:
        dataset.check_answered(for_results=False)
        samples, report = dataset.read()
    except (InvalidInput, UnreadableFile) as error:
        return {"error": str(error)}
    return {
        "problems": [str(problem) for problem in report.problems],
        "reported": [*report.warnings, *report.notes],
        "rows": [{"sample": _sample(sample)} for sample in samples],
    }


def _sample(sample: Sample) -> dict[str, object]:
    return _filled(
        {**_said(sample), "chunks": [_said(chunk) for chunk in sample.chunks], "extra": ", ".join(sorted(sample.extra))}
    )


def _said(record: "DataclassInstance") -> dict[str, object]:
    """Return the fields of a record that differ from their default."""
    values = {field.name: (field.default, getattr(record, field.name)) for field in fields(record)}
    return _filled({name: to_jsonable_python(value) for name, (default, value) in values.items() if value != default})


def _filled(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value not in (None, "", [], (), {})}


def write(words: Iterable[str]) -> None:
    """Write the documents of all files, or of those whose name contains one of the words, and delete those of none."""
    wanted = list(words)
    seeds = [seed for seed in SEEDS if not wanted or any(word in seed.name for word in wanted)]
    for seed in seeds:
        path = golden_path(seed)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_text(read_document(seed)), encoding="utf-8")
    for left in set(_GOLDEN.rglob("*.json")) - {golden_path(seed) for seed in SEEDS}:
        left.unlink()


def as_text(document: dict[str, object]) -> str:
    """Return a document as it is written to a file."""
    return json.dumps(to_jsonable_python(document), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write(sys.argv[1:])
