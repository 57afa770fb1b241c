"""DeepEval: test cases for `EvaluationDataset.add_test_cases_from_json_file`, with the claims in their metadata."""

import json
from pathlib import Path
from typing import Any

from faithview.domain.private_file import private
from faithview.formats.exporters.exporter import ExportedRun, Exporter, ExportRow, own_fields


def write(run: ExportedRun, path: Path) -> None:
    """Write a JSON list of test cases; what DeepEval has no field for is in `additional_metadata`."""
    with open(path, "x", opener=private, encoding="utf-8", newline="\n") as stream:
        for number, row in enumerate(run.rows()):
            stream.write(",\n" if number else "[\n")
            stream.write(json.dumps(_case(row), ensure_ascii=True, allow_nan=False))
        stream.write("\n]\n")


def _case(row: ExportRow) -> dict[str, Any]:
    return {
        "name": row["key"],
        "input": row["question"] or "",
        "actual_output": row["answer"],
        "expected_output": row["reference"],
        "retrieval_context": [chunk["text"] for chunk in row["chunks"]],
        "additional_metadata": own_fields(row, without=("reference",)),
    }


EXPORTER = Exporter(name="deepeval", title="DeepEval", ending="json", write=write)
