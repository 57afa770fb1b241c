"""OpenTelemetry span files: OTLP in JSON, whole or one export per line, as written by the Collector's file exporter.

Answers are found by the conventions for generative AI (`gen_ai.*`), OpenInference or OpenLLMetry.
"""

import json
from collections.abc import Iterator

from faithview.domain.errors import InvalidInput
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.reader import Match, Reader
from faithview.formats.rows.cells import as_json
from faithview.formats.spans.otlp import TraceSpan, spans_of_json
from faithview.formats.spans.rows import ANSWER_COLUMNS, SPANS_LEFT_OUT, answer_rows, with_answers

_SIGN = "resourceSpans"


def recognise(table: Table) -> Match | None:
    """Return a match for files of OTLP exports, else None."""
    if _SIGN not in table.whole and _SIGN not in table.columns:
        return None
    return Match(
        score=0.97,
        reasons=(f"The key {_SIGN!r} is that of OpenTelemetry's exports.",),
        mapping=ANSWER_COLUMNS,
        warnings=(SPANS_LEFT_OUT,),
    )


def open_rows(table: Table) -> Table:
    """Return the answers in the spans."""
    return with_answers(table, lambda without: _answer_rows(table, without))


def _answer_rows(table: Table, without: list[int]) -> RawRows:
    problems: list[RowProblem] = []
    rows, number_without = answer_rows(_spans(table, problems))
    without.append(number_without)
    yield from problems
    for number, row in enumerate(rows, start=1):
        yield RawRow(number, row)


def _spans(table: Table, problems: list[RowProblem]) -> Iterator[TraceSpan]:
    if table.document is not None:
        exports: Iterator[RawRow | RowProblem] = iter((RawRow(1, table.document),))
    else:
        exports = table.read()
    for export in exports:
        if isinstance(export, RowProblem):
            problems.append(export)
            continue
        try:
            yield from spans_of_json(json.dumps(as_json(export.values)).encode())
        except InvalidInput as error:
            problems.append(RowProblem(line=export.line, reason=str(error).removesuffix(".")))


READER = Reader(name="otel", title="OpenTelemetry spans", recognise=recognise, open=open_rows)
