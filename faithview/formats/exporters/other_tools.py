"""Exports a run in another tool's format: DeepEval, LangSmith, Ragas."""

import json
from pathlib import Path
from typing import Any

from faithview.domain.private_file import private
from faithview.formats.exporters.exporter import PREFIX, ExportedRun, Exporter, ExportRow, own_fields
from faithview.formats.files.aliases import fold_name


def write_deepeval(run: ExportedRun, path: Path) -> None:
    """Write a JSON list of test cases; data without a DeepEval field is in `additional_metadata`."""
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


DEEPEVAL = Exporter(name="deepeval", title="DeepEval", ending="json", write=write_deepeval)


def write_langsmith(run: ExportedRun, path: Path) -> None:
    """Write one example per line: the question as its input, the answer with its chunks as its output."""
    with open(path, "x", opener=private, encoding="utf-8", newline="\n") as stream:
        for row in run.rows():
            stream.write(json.dumps(_example(row), ensure_ascii=True, allow_nan=False) + "\n")


def _example(row: ExportRow) -> dict[str, Any]:
    return {
        "inputs": {"question": row["question"] or ""},
        "outputs": {"answer": row["answer"], "contexts": [chunk["text"] for chunk in row["chunks"]]},
        "metadata": {"faithfulness": row["faithfulness"], **own_fields(row)},
    }


LANGSMITH = Exporter(name="langsmith", title="LangSmith", ending="jsonl", write=write_langsmith)


_COLUMNS = (
    "user_input",
    "response",
    "retrieved_contexts",
    "retrieved_context_ids",
    "reference",
    "faithfulness",
)


def write_ragas(run: ExportedRun, path: Path) -> None:
    """Write one JSON object per line; a column that came with the rows keeps its name unless Ragas uses it."""
    with open(path, "x", opener=private, encoding="utf-8", newline="\n") as stream:
        for row in run.rows():
            stream.write(json.dumps(_ragas_row(row), ensure_ascii=True, allow_nan=False) + "\n")


def _ragas_row(row: ExportRow) -> dict[str, Any]:
    own = own_fields(row, without=("reference", "extra"))
    extra = {
        name: value
        for name, value in row["extra"].items()
        if fold_name(name) not in _COLUMNS and not name.startswith(PREFIX)
    }
    taken = {name: value for name, value in row["extra"].items() if name not in extra}
    return {
        "user_input": row["question"] or "",
        "response": row["answer"],
        "retrieved_contexts": [chunk["text"] for chunk in row["chunks"]],
        "retrieved_context_ids": [chunk["id"] for chunk in row["chunks"]],
        "reference": row["reference"],
        "faithfulness": row["faithfulness"],
        **extra,
        **own,
        **({f"{PREFIX}extra": taken} if taken else {}),
    }


RAGAS = Exporter(name="ragas", title="Ragas", ending="jsonl", write=write_ragas)
