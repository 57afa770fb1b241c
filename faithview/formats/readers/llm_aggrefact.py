"""LLM-AggreFact: model-generated claims, each with its document and a human label."""

from faithview.formats.files.tables import Table
from faithview.formats.labelled import as_result, is_faithful
from faithview.formats.reading.reader import GivenLabel, Match, Reader, Row
from faithview.formats.reading.values import as_flag, text_of
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping


def recognise(table: Table) -> Match | None:
    """Return a match if the columns are those of LLM-AggreFact, whose claims belong to no answer."""
    columns = set(table.columns)
    labels = [row.values.get("label") for row in table.head if not is_missing(row.values.get("label"))]
    are_labels = bool(labels) and all(as_flag(label) is not None for label in labels)
    if not {"doc", "claim", "label"} <= columns or "answer" in columns or not are_labels:
        return None
    segment = "dataset" if "dataset" in columns else None
    mapping = ColumnMapping(claim="claim", contexts=("doc",), segment=segment)
    return Match(mapping=mapping, has_results=True)


def label(row: Row) -> GivenLabel | None:
    """Return whether the document supports the claim; None without a label. Raises BadCell if it is not valid."""
    given = row.cells.get("label")
    if is_missing(given):
        return None
    return GivenLabel(is_faithful=is_faithful(given), task=text_of(row.cells.get("dataset")))


READER = Reader(
    name="llm_aggrefact",
    title="LLM-AggreFact",
    recognise=recognise,
    judged=lambda row: as_result(label(row), by="LLM-AggreFact's annotators"),
    label=label,
)
