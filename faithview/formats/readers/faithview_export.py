"""FaithView's own export, read back: the same answers with their claims, figures and labels.

Also in the format of LangSmith, where the answers are at other places than in its own files; the readers of Ragas and
DeepEval read those in their formats (`formats/reading/own_rows.py`).
"""

from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.own_rows import COLUMNS, MAPPING, has_own_fields, judged, match_own, open_own, own_cells
from faithview.formats.reading.reader import Match, Reader
from faithview.formats.reading.values import as_object
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.write import from_safe_cell

_SIGNS = frozenset({"key", "answer", "state", "faithfulness", "chunks", "claims", "extra", "judge_result"})
_EXAMPLE = ColumnMapping(
    question="inputs.question",
    answer="outputs.answer",
    contexts=("outputs.contexts",),
    score="metadata.faithfulness",
)


def recognise(table: Table) -> Match | None:
    """Return a match if the file was written by `faithview export`, else None."""
    if _SIGNS.issubset(table.columns):
        return Match(
            score=0.99,
            reasons=(
                "The columns 'state', 'faithfulness', 'claims' and 'judge_result' are those of `faithview export`.",
            ),
            mapping=MAPPING,
            has_results=True,
        )
    if _are_examples(table):
        return match_own(Match(score=0.99, reasons=(), mapping=MAPPING))
    return None


def _are_examples(table: Table) -> bool:
    is_example = {"inputs", "outputs", "metadata"}.issubset(table.columns)
    return is_example and has_own_fields(as_object(table.first.get("metadata")))


def open_rows(table: Table) -> Table:
    """Return the rows with their original extra columns restored."""
    if _are_examples(table):
        return open_own(table, _EXAMPLE)
    is_csv = table.format.startswith(("csv", "tsv"))
    rows = table.with_rows(
        lambda: (_flat(row, is_csv=is_csv) if isinstance(row, RawRow) else row for row in table.rows()),
        unit=table.unit,
    )
    # The first row may lack a column that others have.
    return table.with_rows(rows.read, unit=table.unit, columns=tuple(dict.fromkeys((*COLUMNS, *rows.columns))))


def _flat(row: RawRow, *, is_csv: bool) -> RawRow:
    own = {
        name: from_safe_cell(value) if is_csv and isinstance(value, str) else value
        for name, value in row.values.items()
        if name != "extra"
    }
    return RawRow(row.line, own_cells(own, as_object(row.values.get("extra"))))


READER = Reader(name="faithview", title="FaithView export", recognise=recognise, open=open_rows, judged=judged)
