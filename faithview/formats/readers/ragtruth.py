"""RAGTruth: answers with marked spans (`response.jsonl`), and their sources (`source_info.jsonl`).

An answer names its source by `source_id`. Both files are in one folder, or the user names the second one.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.labelled import as_result, read_spans
from faithview.formats.reading.reader import GivenLabel, Match, Reader, Row, map_rows
from faithview.formats.reading.values import as_object, text_of
from faithview.formats.rows.cells import parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SOURCES = "source_info.jsonl"
_PASSAGE = re.compile(r"(?:^|\n)\s*passage\s+\d+\s*:", re.IGNORECASE)
_MAPPING = ColumnMapping(question="question", answer="response", contexts=("chunks",), key="id", segment="task_type")


def recognise(table: Table) -> Match | None:
    """Return a match for the answers, also in a table with their sources, else None."""
    are_answers = set(table.columns) >= {"source_id", "response", "labels"}
    if not are_answers or not any(isinstance(parsed(row.values.get("labels")), list) for row in table.head):
        return None
    return Match(mapping=_MAPPING, has_results=True)


def open_rows(table: Table) -> Table:
    """Return the answers, each with its source's question, texts and task.

    Raises:
        UnreadableFile: the file of the sources is missing.
    """
    if "source_info" in table.columns:
        return map_rows(table, lambda row: _joined(row, row.values))
    other = table.beside(_SOURCES)
    if other is None:
        raise UnreadableFile(
            f"The texts of RAGTruth's answers are in {_SOURCES}, which is not next to {table.name}. Put both into one "
            "folder, or name the other one with --with FILE."
        )
    if not {"source_id", "source_info"} <= set(other.columns):
        raise UnreadableFile(f"{other.name} is not RAGTruth's {_SOURCES}: it has no source_id and source_info.")
    by_id = {text_of(row.values.get("source_id")): row.values for row in other.rows() if isinstance(row, RawRow)}

    def join(row: RawRow) -> RawRow | RowProblem:
        source_id = text_of(row.values.get("source_id"))
        if source_id not in by_id:
            return RowProblem(line=row.line, reason=f"there is no source {source_id!r}", unit=table.unit)
        return _joined(row, by_id[source_id])

    note = f"RAGTruth's texts were read from {other.name}."
    return replace(map_rows(table, join), notes=(*table.notes, note))


def _joined(row: RawRow, source: Mapping[str, object]) -> RawRow:
    given = as_object(source.get("source_info"))
    question, chunks = None, [source.get("source_info")]
    rest: dict[str, object] = {}
    if isinstance(passages := given.get("passages"), str):
        question, chunks = given.get("question"), [part.strip() for part in _PASSAGE.split(passages) if part.strip()]
        rest = {key: value for key, value in given.items() if key not in ("question", "passages")}
    elif given:
        chunks = [json.dumps(given, ensure_ascii=False)]
    about = {key: value for key, value in (*source.items(), *row.values.items()) if key != "source_info"}
    cells = {"id": None, "task_type": None, **about, "question": question, "chunks": chunks}
    return RawRow(row.line, {**cells, "source_info": rest} if rest else cells)


def label(row: Row) -> GivenLabel | None:
    """Return the marked spans of an answer; None without a list of them. Raises BadCell if one is not valid."""
    spans = read_spans(row.cells.get("labels"), row.sample.answer)
    if spans is None:
        return None
    return GivenLabel(
        is_faithful=not spans,
        spans=spans,
        task=row.sample.segment or "",
        doc=f"ragtruth-{text_of(row.cells.get('source_id'))}",
    )


READER = Reader(
    name="ragtruth",
    title="RAGTruth",
    recognise=recognise,
    open=open_rows,
    judged=lambda row: as_result(label(row), by="RAGTruth's annotators"),
    label=label,
)
