"""InspectorRAGet: its input file of schema version 2, with the claims as a metric of texts and in the metadata."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from faithview.domain.private_file import private
from faithview.formats.exporters.exporter import ExportedRun, Exporter, ExportRow, own_fields

_METRICS = (
    {
        "name": "faithfulness",
        "display_name": "Faithfulness",
        "description": "Share of the answer's claims that its chunks support",
        "author": "algorithm",
        "type": "numerical",
        "aggregator": "average",
        "range": [0, 1, 0.1],
    },
    {
        "name": "claims",
        "display_name": "Claims",
        "description": "The answer's claims with their verdicts",
        "author": "algorithm",
        "type": "text",
    },
)


@dataclass(slots=True)
class _Documents:
    """The ids of the chunks' texts: a chunk's own id, numbered where another text has it already."""

    _ids: dict[tuple[str, bytes], str] = field(default_factory=dict)
    _taken: dict[str, int] = field(default_factory=dict)

    def id_of(self, chunk_id: str, text: str) -> tuple[str, bool]:
        """Return the document's id, and whether it is a new one."""
        place = (chunk_id, hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
        if place in self._ids:
            return self._ids[place], False
        number = self._taken[chunk_id] = self._taken.get(chunk_id, 0) + 1
        self._ids[place] = chunk_id if number == 1 else f"{chunk_id} ({number})"
        return self._ids[place], True


def write(run: ExportedRun, path: Path) -> None:
    """Write one JSON object; its parts are written one after the other, each in a pass over the rows.

    An answer without a score has none here either; InspectorRAGet lists its task apart and says why.
    """
    documents = _Documents()
    segments = any(row["segment"] for row in run.rows())
    head = {
        "schema_version": 2,
        "name": run.name,
        "models": [{"model_id": run.run_id, "name": run.name, "owner": "FaithView"}],
        "metrics": _METRICS,
        **({"filters": ["segment"]} if segments else {}),
    }
    with open(path, "x", opener=private, encoding="utf-8", newline="\n") as stream:
        stream.write(_json(head).removesuffix("}"))
        _write_list(stream, "documents", _documents(run, documents))
        _write_list(stream, "tasks", (_task(row, documents) for row in run.rows()))
        _write_list(stream, "results", (_result(row, run) for row in run.rows()))
        stream.write("}\n")


def _write_list(stream: TextIO, name: str, items: Iterable[dict[str, Any]]) -> None:
    stream.write(f',\n"{name}": [')
    for number, item in enumerate(items):
        stream.write(",\n" if number else "\n")
        stream.write(_json(item))
    stream.write("\n]")


def _documents(run: ExportedRun, documents: _Documents) -> Iterator[dict[str, Any]]:
    for row in run.rows():
        for chunk in row["chunks"]:
            document_id, is_new = documents.id_of(chunk["id"], chunk["text"])
            if is_new:
                title = chunk["metadata"].get("title")
                yield {
                    "document_id": document_id,
                    "text": chunk["text"],
                    **({"title": title} if isinstance(title, str) else {}),
                }


def _task(row: ExportRow, documents: _Documents) -> dict[str, Any]:
    return {
        "task_id": row["key"],
        "task_type": "qa",
        "input": row["question"] or "",
        "contexts": [{"document_id": documents.id_of(c["id"], c["text"])[0]} for c in row["chunks"]],
        **({"targets": [{"type": "text", "value": row["reference"]}]} if row["reference"] is not None else {}),
        **({"segment": row["segment"]} if row["segment"] is not None else {}),
    }


def _result(row: ExportRow, run: ExportedRun) -> dict[str, Any]:
    is_judges = run.view == "judge"
    judge, verdict = (run.judge, "verdict") if is_judges else ("people", "effective_verdict")
    claims = "\n".join(f"{claim[verdict]}: {claim['text']}" for claim in row["claims"])
    scores: dict[str, Any] = {}
    if row["faithfulness"] is not None:
        scores["faithfulness"] = {judge: {"value": row["faithfulness"]}}
        scores["claims"] = {judge: {"value": claims}}
    return {
        "task_id": row["key"],
        "model_id": run.run_id,
        "output": [{"role": "assistant", "content": row["answer"]}],
        "scores": scores,
        "labels": {"state": row["state"]},
        "metadata": own_fields(row),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


EXPORTER = Exporter(name="inspectorraget", title="InspectorRAGet", ending="json", write=write)
