"""LLM-AggreFact: model-generated claims, each with its document and a human label."""

from faithview.formats.files.report import preview_of
from faithview.formats.files.tables import Table
from faithview.formats.reading.reader import GivenLabel, Judged, Match, Reader, Row, as_result
from faithview.formats.reading.values import as_flag, text_of
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"doc", "claim", "label"})
_SOURCE, _MARK = "dataset", "contamination_identifier"


def recognise(table: Table) -> Match | None:
    """Return a match if the columns are those of LLM-AggreFact; its contamination identifier makes it certain."""
    columns = frozenset(table.columns)
    if not columns >= _SIGNS or "answer" in columns:
        return None
    flags = [as_flag(row.values.get("label")) for row in table.head if not is_missing(row.values.get("label"))]
    if not flags or None in flags:
        return None
    shown = [name for name in (_SOURCE, _MARK) if name in columns]
    return Match(
        score=0.8 + 0.08 * len(shown),
        reasons=(f"The columns {', '.join(map(repr, ['doc', 'claim', 'label', *shown]))} are those of LLM-AggreFact.",),
        mapping=ColumnMapping(claim="claim", contexts=("doc",), segment=_SOURCE if _SOURCE in columns else None),
        has_results=True,
    )


def _label(row: Row) -> GivenLabel | None:
    given = row.cells.get("label")
    if is_missing(given):
        return None
    is_supported = as_flag(given)
    if is_supported is None:
        raise BadCell(f"the label is {preview_of(given)}; it must be 1 (supported) or 0 (not)")
    source = text_of(row.cells.get(_SOURCE))
    return GivenLabel(is_faithful=is_supported, task=source, source=source or "llm-aggrefact")


def _judged(row: Row) -> Judged:
    return as_result(_label(row), by="LLM-AggreFact's annotators")


READER = Reader(name="llm_aggrefact", title="LLM-AggreFact", recognise=recognise, judged=_judged, label=_label)
