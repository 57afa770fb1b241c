"""The exporter of one format: writes a run to a file that another program reads."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

# A row of `faithview export`: an answer with its question, chunks, claims and labels.
ExportRow: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedRun:
    """A run as it is passed to an exporter.

    Attributes:
        run_id: the run's id.
        name: its name.
        judge: its judge.
        rows: starts a pass over the rows, in order; it can be called again. Rows are read a few hundred at a
            time, so an exporter that does not keep them can write a run of any size.
    """

    run_id: str
    name: str
    judge: str
    rows: Callable[[], Iterator[ExportRow]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """One file format.

    Attributes:
        name: the name for `--format` and programs, in lower case.
        title: the displayed name.
        ending: its file extension, without the dot.
        write: writes the run to a path where no file exists yet.
    """

    name: str
    title: str
    ending: str
    write: Callable[[ExportedRun, Path], None]


def own_fields(row: ExportRow, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the parts of a row that other formats have no field for, under names that begin with "faithview_".

    These are its claims with evidence and labels, its score, its state and the rest; empty fields are left out. The
    chunks are included without their texts. A file with these fields can be imported again as the same answers and
    results.

    Args:
        row: the row.
        without: fields that the format has, besides the question, the answer and the texts of the chunks.
    """
    fields: dict[str, Any] = {
        name: value for name, value in row.items() if name not in _ELSEWHERE and name not in without
    }
    if "chunks" not in without:
        fields["chunks"] = [{name: chunk[name] for name in chunk if name != "text"} for chunk in row["chunks"]]
    return {f"{PREFIX}{name}": value for name, value in fields.items() if value not in (None, [], {}, "")}


PREFIX = "faithview_"
# The last is the version of FaithView's own format, and this is another format.
_ELSEWHERE = ("question", "answer", "chunks", "schema_version")
