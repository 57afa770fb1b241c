"""Exports a run in another tool's format: DeepEval, InspectorRAGet, LangSmith, Ragas."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

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


RAGAS = Exporter(name="ragas", title="Ragas", ending="jsonl", write=write_ragas)


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
    """The ids of the chunks' texts: a chunk's own id, with a number if another text already has it."""

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


def write_inspectorraget(run: ExportedRun, path: Path) -> None:
    """Write one JSON object; each of its parts is written in a separate pass over the rows.

    An answer without a score has none here either; InspectorRAGet lists its task separately with the reason.
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


INSPECTORRAGET = Exporter(name="inspectorraget", title="InspectorRAGet", ending="json", write=write_inspectorraget)
