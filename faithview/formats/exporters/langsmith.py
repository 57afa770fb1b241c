"""LangSmith: examples for `Client.create_examples`, one a line, with the claims in their metadata."""

import json
from pathlib import Path
from typing import Any

from faithview.domain.private_file import private
from faithview.formats.exporters.exporter import ExportedRun, Exporter, ExportRow, own_fields


def write(run: ExportedRun, path: Path) -> None:
    """Write one example a line: the question as its input, the answer with its chunks as its output."""
    with open(path, "x", opener=private, encoding="utf-8", newline="\n") as stream:
        for row in run.rows():
            stream.write(json.dumps(_example(row), ensure_ascii=True, allow_nan=False) + "\n")


def _example(row: ExportRow) -> dict[str, Any]:
    return {
        "inputs": {"question": row["question"] or ""},
        "outputs": {"answer": row["answer"], "contexts": [chunk["text"] for chunk in row["chunks"]]},
        "metadata": {"faithfulness": row["faithfulness"], **own_fields(row)},
    }


EXPORTER = Exporter(name="langsmith", title="LangSmith", ending="jsonl", write=write)
