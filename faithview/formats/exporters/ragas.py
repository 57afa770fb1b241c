"""Ragas: a data set for `EvaluationDataset.from_jsonl`, with the score and the claims beside."""

import json
from pathlib import Path
from typing import Any

from faithview.domain.private_file import private
from faithview.formats.exporters.exporter import PREFIX, ExportedRun, Exporter, ExportRow, own_fields
from faithview.formats.files.aliases import fold_name

_COLUMNS = (
    "user_input",
    "response",
    "retrieved_contexts",
    "retrieved_context_ids",
    "reference",
    "faithfulness",
)


def write(run: ExportedRun, path: Path) -> None:
    """Write one JSON object a line; a column that came with the rows keeps its name unless Ragas has it too."""
    with open(path, "x", opener=private, encoding="utf-8", newline="\n") as stream:
        for row in run.rows():
            stream.write(json.dumps(_row(row), ensure_ascii=True, allow_nan=False) + "\n")


def _row(row: ExportRow) -> dict[str, Any]:
    own = own_fields(row, without=("reference", "extra"))
    extra = {name: value for name, value in row["extra"].items() if _is_free(name)}
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


def _is_free(name: str) -> bool:
    return fold_name(name) not in _COLUMNS and not name.startswith(PREFIX)


EXPORTER = Exporter(name="ragas", title="Ragas", ending="jsonl", write=write)
