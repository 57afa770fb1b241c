"""The exporter of one shape: writes a run to a file that another program reads."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

# A row of `faithview export`: an answer with its question, chunks, claims and labels.
ExportRow: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedRun:
    """A run as an exporter sees it.

    Attributes:
        run_id: the run's id.
        name: its name.
        judge: who judged it.
        view: whose verdicts the states and scores follow, "judge" or "reviewed".
        rows: starts a pass over the rows, in their order; it can be called again. They are read a few hundred at a
            time, so an exporter that keeps none of them writes any run.
    """

    run_id: str
    name: str
    judge: str
    view: str
    rows: Callable[[], Iterator[ExportRow]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """One shape of a file.

    Attributes:
        name: for `--format` and programs, in lower case.
        title: for people.
        ending: the ending of its files, without a dot.
        write: writes the run to a path at which no file is yet.
    """

    name: str
    title: str
    ending: str
    write: Callable[[ExportedRun, Path], None]


def own_fields(row: ExportRow, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return what of a row other shapes have no place for, under names that begin with "faithview_".

    These are its claims with evidence and labels, its score, its state and the rest; empty fields are left out. The
    chunks are there without their texts. A file with these fields is read again as the same answers and results.

    Args:
        row: the row.
        without: fields that have a place in the shape, besides the question, the answer and the texts of the chunks.
    """
    fields: dict[str, Any] = {
        name: value for name, value in row.items() if name not in _ELSEWHERE and name not in without
    }
    if "chunks" not in without:
        fields["chunks"] = [{name: chunk[name] for name in chunk if name != "text"} for chunk in row["chunks"]]
    return {f"{PREFIX}{name}": value for name, value in fields.items() if value not in (None, [], {}, "")}


PREFIX = "faithview_"
# The last says which version of FaithView's own shape a row has, and this is another shape.
_ELSEWHERE = ("question", "answer", "chunks", "schema_version")
