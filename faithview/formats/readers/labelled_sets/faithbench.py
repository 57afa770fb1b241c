"""FaithBench: summaries with passages that annotators marked as unwanted, questionable or benign; also its table."""

from collections.abc import Mapping

from faithview.domain.claim import Verdict
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import preview_of
from faithview.formats.files.tables import Table
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
from faithview.formats.reading.values import as_list, as_object, as_score, text_of
from faithview.formats.rows.cells import BadCell, is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"source", "summary", "annotations"})
_WORST, _BEST = "worst-label", "best-label"
_TABLE_SIGNS = frozenset({"source", "summary", _WORST})
_FAITHFUL = frozenset({"consistent", "benign"})
_UNFAITHFUL = frozenset({"unwanted", "questionable"})
_QUESTIONABLE = "Questionable"
_RULE = (
    "As in FaithBench's own script, an answer is unfaithful if an annotator marked something as unwanted or "
    "questionable. Benign additions do not count; they stay with the row."
)


def recognise(table: Table) -> Match | None:
    """Return a match for a batch of annotated summaries or for the table of their labels, else None."""
    columns = set(table.columns)
    if columns >= _SIGNS and any(_is_annotated(row.values) for row in table.head):
        return Match(
            score=0.97,
            reasons=("The columns 'source', 'summary' and 'annotations' are those of FaithBench.",),
            mapping=ColumnMapping(
                answer="summary",
                contexts=("source",),
                key="sample_id" if "sample_id" in columns else None,
                segment="metadata.summarizer" if "metadata" in columns else None,
            ),
            warnings=(_RULE,),
            has_results=True,
        )
    if columns >= _TABLE_SIGNS:
        return Match(
            score=0.96,
            reasons=("The columns 'source', 'summary' and 'worst-label' are those of FaithBench's table.",),
            mapping=ColumnMapping(answer="summary", contexts=("source",), segment="LLM" if "LLM" in columns else None),
            warnings=(_RULE,),
            has_results=True,
        )
    return None


def _is_annotated(values: Mapping[str, object]) -> bool:
    """Return whether the annotations are FaithBench's; if there are none, by the summarizer in the metadata."""
    items = [as_object(item) for item in as_list(values.get("annotations"))]
    if items:
        return all("summary_span" in item and "label" in item for item in items)
    return isinstance(parsed(values.get("annotations")), list) and "summarizer" in as_object(values.get("metadata"))


def _label(row: Row) -> GivenLabel | None:
    if "annotations" not in row.cells:
        return _label_of_table(row)
    spans = listed_spans(row.cells["annotations"], row.sample.answer, make=_span)
    return None if spans is None else GivenLabel(is_faithful=not spans, spans=spans, source="faithbench")


def _label_of_table(row: Row) -> GivenLabel | None:
    worst = row.cells.get(_WORST)
    if is_missing(worst):
        return None
    word = fold_name(text_of(worst)).partition("_")[0]
    if word not in _FAITHFUL | _UNFAITHFUL:
        raise BadCell(f"the label {preview_of(worst)!r} is not one of FaithBench's")
    return GivenLabel(is_faithful=word in _FAITHFUL, source="faithbench")


def _span(item: Mapping[str, object], text: str) -> LabelledSpan | None:
    kinds = [text_of(kind) for kind in as_list(item.get("label"))]
    words = {fold_name(kind).partition("_")[0] for kind in kinds}
    if unknown := words - _FAITHFUL - _UNFAITHFUL:
        raise BadCell(f"the label {preview_of(min(unknown))!r} is not one of FaithBench's")
    if not words & _UNFAITHFUL:
        return None
    start, end = span_within(item, text, start="summary_start", end="summary_end", quote="summary_span")
    kind = next((kind for kind in reversed(kinds) if kind), "")
    return LabelledSpan(
        start=start,
        end=end,
        kind=kind,
        # Questionable means that the annotators could not tell whether the source supports it.
        verdict=Verdict.PARTIALLY_SUPPORTED if kinds == [_QUESTIONABLE] else verdict_of_kind(kind),
        reviewer=text_of(item.get("annotator_name")) or text_of(item.get("annotator_id")),
        note=text_of(item.get("note")),
    )


def _judged(row: Row) -> Judged:
    return as_result(_label(row), by="FaithBench's annotators", metrics=_detectors(row))


def _detectors(row: Row) -> dict[str, float]:
    """Return the verdicts of FaithBench's detectors: 1 is consistent with the source."""
    found = {}
    for name, value in as_object(row.cells.get("metadata")).items():
        if name != "raw_sample_id" and isinstance(value, int | float) and 0 <= value <= 1:
            score = as_score(value)
            if score is not None:
                found[name] = score
    return found


READER = Reader(name="faithbench", title="FaithBench", recognise=recognise, judged=_judged, label=_label)
