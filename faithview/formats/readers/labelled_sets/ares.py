"""ARES: a table of queries, documents and answers with human or synthetic labels ([[Yes]], [[No]], 1, 0)."""

from faithview.formats.files.report import preview_of
from faithview.formats.files.tables import Table
from faithview.formats.reading.reader import GivenLabel, Judged, Match, Reader, Row, as_result
from faithview.formats.reading.values import as_flag
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"Query", "Document", "Answer"})
_FAITHFUL = "Answer_Faithfulness_Label"
_OTHERS = {"Context_Relevance_Label": "context relevance", "Answer_Relevance_Label": "answer relevance"}


def recognise(table: Table) -> Match | None:
    """Return a match if the columns are those of ARES, with or without labels, else None."""
    columns = frozenset(table.columns)
    if not columns >= _SIGNS:
        return None
    labelled = {_FAITHFUL, *_OTHERS} & columns
    has_labels = any(not is_missing(row.values.get(_FAITHFUL)) for row in table.head)
    shown = f" and '{min(labelled)}'" if labelled else ""
    return Match(
        score=0.97 if labelled else 0.7,
        reasons=(f"The columns 'Query', 'Document', 'Answer'{shown} are those of ARES.",),
        mapping=ColumnMapping(question="Query", answer="Answer", contexts=("Document",)),
        has_results=has_labels,
    )


def _label(row: Row) -> GivenLabel | None:
    is_faithful = _flag(row.cells.get(_FAITHFUL))
    return None if is_faithful is None else GivenLabel(is_faithful=is_faithful, source="ares")


def _flag(value: object) -> bool | None:
    if is_missing(value):
        return None
    flag = as_flag(value.strip().strip("[]") if isinstance(value, str) else value)
    if flag is None:
        raise BadCell(f"the label is {preview_of(value)}; it must be [[Yes]] or [[No]]")
    return flag


def _judged(row: Row) -> Judged:
    others = {name: _flag(row.cells.get(column)) for column, name in _OTHERS.items()}
    metrics = {name: float(flag) for name, flag in others.items() if flag is not None}
    return as_result(_label(row), by="ARES' labels", metrics=metrics)


READER = Reader(name="ares", title="ARES", recognise=recognise, judged=_judged, label=_label)
