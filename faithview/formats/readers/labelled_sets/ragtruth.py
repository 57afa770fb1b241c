"""RAGTruth: answers with marked spans (`response.jsonl`), and their sources (`source_info.jsonl`).

An answer names its source by `source_id`. Both files are in one folder or one ZIP archive, or the user names the other
one.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import (
    GivenLabel,
    Judged,
    LabelledSpan,
    Match,
    Reader,
    Row,
    as_result,
    listed_spans,
    span_within,
    verdict_of_kind,
)
from faithview.formats.reading.values import as_flag, as_object, text_of
from faithview.formats.rows.cells import parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_ANSWERS, _SOURCES = "response.jsonl", "source_info.jsonl"
_ANSWER_SIGNS = frozenset({"source_id", "response", "labels"})
_SOURCE_SIGNS = frozenset({"source_id", "source_info", "task_type"})
_PASSAGE = re.compile(r"(?:^|\n)\s*passage\s+(\d+)\s*:", re.IGNORECASE)
_MAPPING = ColumnMapping(question="question", answer="response", contexts=("chunks",), key="id", segment="task_type")


def recognise(table: Table) -> Match | None:
    """Return a match for either file, for an archive of both and for a table of both, else None."""
    if table.archive is not None:
        names = {name.rpartition("/")[2].removesuffix(".gz") for name in table.archive.names}
        found = f"The archive contains {_ANSWERS} and {_SOURCES}." if {_ANSWERS, _SOURCES} <= names else ""
    elif set(table.columns) >= _ANSWER_SIGNS and any(
        isinstance(parsed(row.values.get("labels")), list) for row in table.head
    ):
        found = "The columns 'source_id', 'response' and 'labels' are those of RAGTruth's answers."
    elif set(table.columns) >= _SOURCE_SIGNS and "response" not in table.columns:
        found = "The columns 'source_id', 'task_type' and 'source_info' are those of RAGTruth's sources."
    else:
        found = ""
    return Match(score=0.97, reasons=(found,), mapping=_MAPPING, has_results=True) if found else None


def open_rows(table: Table) -> Table:
    """Return the answers, each with its source's question, texts and task.

    Raises:
        UnreadableFile: the other file is missing.
    """
    if "source_info" in table.columns and "response" in table.columns:
        return table.with_rows(
            lambda: (_joined(row, row.values) if isinstance(row, RawRow) else row for row in table.rows()),
            unit=table.unit,
        )
    answers = table if "response" in table.columns else _open_companion_file(table, _ANSWERS, "answers")
    sources = table if "source_info" in table.columns else _open_companion_file(table, _SOURCES, "texts")
    by_id = {text_of(row.values.get("source_id")): row.values for row in sources.rows() if isinstance(row, RawRow)}
    joined = table.with_rows(lambda: _join(answers, by_id), unit=answers.unit)
    what, other = ("answers", answers) if sources is table else ("texts", sources)
    note = f"RAGTruth's {what} were read from {other.name}."
    return replace(joined, notes=(*table.notes, note))


def _open_companion_file(table: Table, name: str, what: str) -> Table:
    found = table.beside(name)
    signs = _ANSWER_SIGNS if name == _ANSWERS else _SOURCE_SIGNS
    if found is None:
        raise UnreadableFile(
            f"{table.name} is one of RAGTruth's two files; its {what} are in {name}, which is not next to it. Put both "
            "into one folder or one ZIP archive, or name the other one with --with FILE."
        )
    if not signs <= set(found.columns):
        raise UnreadableFile(f"{found.name} is not RAGTruth's {name}: it has no {', '.join(sorted(signs))}.")
    return found


def _join(answers: Table, by_id: Mapping[str, Mapping[str, object]]) -> Iterator[RawRow | RowProblem]:
    for row in answers.rows():
        if isinstance(row, RowProblem):
            yield row
            continue
        source = by_id.get(text_of(row.values.get("source_id")))
        if source is None:
            reason = f"there is no source {text_of(row.values.get('source_id'))!r}"
            yield RowProblem(line=row.line, reason=reason, unit=answers.unit)
            continue
        yield _joined(row, source)


def _joined(row: RawRow, source: Mapping[str, object]) -> RawRow:
    given = as_object(source.get("source_info"))
    more: dict[str, object] = {"question": None, "chunks": [source.get("source_info")]}
    if isinstance(given.get("passages"), str):
        more = {"question": given.get("question"), "chunks": _passages(str(given["passages"]))}
        if rest := {key: value for key, value in given.items() if key not in ("question", "passages")}:
            more["source_info"] = rest
    elif given:
        more["chunks"] = [json.dumps(given, ensure_ascii=False)]
    about = {key: value for key, value in (*source.items(), *row.values.items()) if key != "source_info"}
    return RawRow(row.line, {"id": None, "task_type": None, **about, **more})


def _passages(text: str) -> list[object]:
    """Return the passages of a single text, each after a heading such as `passage 1:`."""
    parts = _PASSAGE.split(text)
    if len(parts) < 3:
        return [text]
    lead = [parts[0]] if parts[0].strip() else []
    return [*lead, *(part.strip() for part in parts[2::2])]


def _label(row: Row) -> GivenLabel | None:
    spans = listed_spans(row.cells.get("labels"), row.sample.answer, make=_span)
    if spans is None:
        return None
    source = text_of(row.cells.get("source_id"))
    return GivenLabel(
        is_faithful=not spans,
        spans=spans,
        task=row.sample.segment or "",
        doc=f"ragtruth-{source}",
        source="ragtruth",
    )


def _span(item: Mapping[str, object], text: str) -> LabelledSpan:
    start, end = span_within(item, text)
    kind = text_of(item.get("label_type"))
    flags = [word for flag, word in _FLAGS.items() if as_flag(item.get(flag))]
    note = " ".join(part for part in (text_of(item.get("meta")).strip(), *flags) if part)
    return LabelledSpan(start=start, end=end, kind=kind, verdict=verdict_of_kind(kind), note=note)


# A true statement that is not in the chunks is not faithful to them.
_FLAGS = {"implicit_true": "(true, but not in the source)", "due_to_null": "(where the source has no value)"}


def _judged(row: Row) -> Judged:
    return as_result(_label(row), by="RAGTruth's annotators")


READER = Reader(name="ragtruth", title="RAGTruth", recognise=recognise, open=open_rows, judged=_judged, label=_label)
