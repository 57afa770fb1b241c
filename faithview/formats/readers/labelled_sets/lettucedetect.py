"""LettuceDetect's training and test data: answers with their unsupported spans (`HallucinationSample`)."""

from collections.abc import Mapping

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
from faithview.formats.reading.values import text_of
from faithview.formats.rows.cells import is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"prompt", "answer", "labels"})
_MORE_SIGNS = frozenset({"split", "task_type", "dataset", "language"})
_SUPPORTED = "supported"
_WHOLE_PROMPT = (
    "LettuceDetect's first files have the passages only inside the prompt, so each prompt was read as one chunk."
)


def recognise(table: Table) -> Match | None:
    """Return a match if the columns are those of a `HallucinationSample`, else None."""
    columns = frozenset(table.columns)
    if not columns >= _SIGNS or len(columns & _MORE_SIGNS) < 3:
        return None
    if not any(isinstance(parsed(row.values.get("labels")), list) for row in table.head):
        return None
    has_context = any(not is_missing(row.values.get("context")) for row in table.head)
    return Match(
        score=0.97,
        reasons=("The columns 'prompt', 'answer', 'labels' and 'task_type' are those of LettuceDetect's data.",),
        mapping=ColumnMapping(
            question="question" if "question" in columns else None,
            answer="answer",
            contexts=("context",) if has_context else ("prompt",),
            segment="task_type" if "task_type" in columns else None,
        ),
        warnings=() if has_context else (_WHOLE_PROMPT,),
        has_results=True,
    )


def _label(row: Row) -> GivenLabel | None:
    spans = listed_spans(row.cells.get("labels"), row.sample.answer, make=_span)
    if spans is None:
        return None
    return GivenLabel(
        is_faithful=not spans,
        spans=spans,
        task=text_of(row.cells.get("task_type")),
        source=text_of(row.cells.get("dataset")),
    )


def _span(item: Mapping[str, object], text: str) -> LabelledSpan | None:
    category = text_of(item.get("category"))
    if category == _SUPPORTED:
        return None
    start, end = span_within(item, text)
    kind = text_of(item.get("label"))
    below = ".".join(part for part in (category, text_of(item.get("subcategory"))) if part)
    return LabelledSpan(
        start=start,
        end=end,
        kind=kind or below,
        verdict=verdict_of_kind(category or kind),
        note=below if kind and below != kind else "",
    )


def _judged(row: Row) -> Judged:
    return as_result(_label(row), by="LettuceDetect's labels")


READER = Reader(name="lettucedetect", title="LettuceDetect", recognise=recognise, judged=_judged, label=_label)
