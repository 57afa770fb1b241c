"""Writes a run to a file: as JSON Lines, CSV or parquet for FaithView, or as Ragas, DeepEval and LangSmith load it.

Rows are written as they come, so a run may be of any size.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from faithview.documents.answers import ExportedAnswer
from faithview.domain.errors import InvalidInput
from faithview.formats.write import flat_cell, open_new, write_csv, write_json_lines

# A row of `faithview export`: the JSON object of an `ExportedAnswer`.
ExportRow: TypeAlias = Mapping[str, Any]

COLUMNS = tuple(name for name in ExportedAnswer.model_fields if name != "schema_version")
_NUMBERS = ("faithfulness", "inclusion_probability", "answer_score", "seconds")
_ROWS_A_BATCH = 500
# Before the names of fields that another tool has no place for.
_PREFIX = "faithview_"
_ELSEWHERE = ("question", "answer", "faithfulness", "is_faithful", "schema_version")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """One file format.

    Attributes:
        name: the name for `--format` and programs, in lower case.
        title: the displayed name.
        ending: its file extension, without the dot.
        write: writes rows to a path where no file exists yet, and returns how many there were.
        is_own: whether the file is FaithView's own, which can be imported again as the same run.
    """

    name: str
    title: str
    ending: str
    write: Callable[[Iterable[ExportRow], Path], int]
    is_own: bool = False


def exporter_named(name: str) -> Exporter:
    """Return the exporter with that name.

    Raises:
        InvalidInput: there is none; the text lists the known ones.
    """
    for exporter in EXPORTERS:
        if exporter.name == name:
            return exporter
    raise InvalidInput(f"There is no export format {name!r}; known are {', '.join(one.name for one in EXPORTERS)}.")


def _write_parquet(rows: Iterable[ExportRow], path: Path) -> int:
    import pyarrow
    import pyarrow.parquet

    types = {**dict.fromkeys(_NUMBERS, pyarrow.float64()), "is_faithful": pyarrow.bool_()}
    schema = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in COLUMNS])
    left, count = iter(rows), 0
    with open_new(path) as stream, pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd") as file:
        while batch := list(islice(left, _ROWS_A_BATCH)):
            cells = [{name: flat_cell(row.get(name)) for name in COLUMNS} for row in batch]
            file.write_table(pyarrow.Table.from_pylist(cells, schema=schema))
            count += len(batch)
    return count


def _write_objects(
    make: Callable[[ExportRow], dict[str, Any]], signs: tuple[str, str, str], rows: Iterable[ExportRow], path: Path
) -> int:
    """Write an object for each row in ASCII, with the signs before the first one, between two and after the last."""
    before, between, after = signs
    count = 0
    with open_new(path) as stream:
        for count, row in enumerate(rows, start=1):
            sign = before if count == 1 else between
            stream.write(f"{sign}{json.dumps(make(row), allow_nan=False)}".encode())
        stream.write(after.encode())
    return count


def _ragas_row(row: ExportRow) -> dict[str, Any]:
    ragas = {
        "user_input": row["question"] or "",
        "response": row["answer"],
        "retrieved_contexts": [chunk["text"] for chunk in row["chunks"]],
        "retrieved_context_ids": [chunk["id"] for chunk in row["chunks"]],
        "reference": row["reference"],
        "faithfulness": row["faithfulness"],
    }
    extra = {name: value for name, value in row["extra"].items() if name not in ragas}
    return {**ragas, **extra, **_own_fields(row)}


def _deepeval_case(row: ExportRow) -> dict[str, Any]:
    return {
        "name": row["key"],
        "input": row["question"] or "",
        "actual_output": row["answer"],
        "expected_output": row["reference"],
        "retrieval_context": [chunk["text"] for chunk in row["chunks"]],
        "additional_metadata": {"faithfulness": row["faithfulness"], **_own_fields(row)},
    }


def _langsmith_example(row: ExportRow) -> dict[str, Any]:
    return {
        "inputs": {"question": row["question"] or ""},
        "outputs": {"answer": row["answer"], "contexts": [chunk["text"] for chunk in row["chunks"]]},
        "metadata": {"faithfulness": row["faithfulness"], **_own_fields(row)},
    }


def _own_fields(row: ExportRow) -> dict[str, Any]:
    """Return the parts of a row that other tools have no field for; empty ones are left out.

    They are the claims with evidence and labels, the state and the rest; the chunks are there without texts.
    """
    fields = {name: value for name, value in row.items() if name not in _ELSEWHERE}
    fields["chunks"] = [{name: value for name, value in chunk.items() if name != "text"} for chunk in row["chunks"]]
    return {f"{_PREFIX}{name}": value for name, value in fields.items() if value not in (None, [], {}, "")}


_LINES = ("", "\n", "\n")
_LIST = ("[\n", ",\n", "\n]\n")
EXPORTERS: tuple[Exporter, ...] = (
    Exporter(name="jsonl", title="JSON Lines", ending="jsonl", write=write_json_lines, is_own=True),
    Exporter(name="csv", title="CSV", ending="csv", write=partial(write_csv, COLUMNS), is_own=True),
    Exporter(name="parquet", title="Parquet", ending="parquet", write=_write_parquet, is_own=True),
    Exporter(name="ragas", title="Ragas", ending="jsonl", write=partial(_write_objects, _ragas_row, _LINES)),
    Exporter(name="deepeval", title="DeepEval", ending="json", write=partial(_write_objects, _deepeval_case, _LIST)),
    Exporter(
        name="langsmith", title="LangSmith", ending="jsonl", write=partial(_write_objects, _langsmith_example, _LINES)
    ),
)
