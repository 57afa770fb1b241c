"""What a labelled data set says of one answer, and what that is as a result: people's verdict, not a judge's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.formats.reading.judged import Annotation, Judged
from faithview.formats.reading.values import as_list
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.paths import parsed

_CONFLICTS = ("conflict", "contradict", "intrinsic")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSpan:
    """A stretch `[start, end)` of the judged text, in code points, that was labelled as unfaithful.

    `kind` is the data set's own word for what is wrong, `verdict` what that is in FaithView's terms. `reviewer` and
    `note` are who marked it and what they wrote, "" where the file does not say.
    """

    start: int
    end: int
    kind: str = ""
    verdict: Verdict = Verdict.NOT_MENTIONED
    reviewer: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenLabel:
    """The label that a data set gives one answer, or one claim.

    Attributes:
        is_faithful: whether all of it is supported by the chunks.
        spans: what of it is not: None if the data set marks no spans, empty if it marks them and there are none.
        task: the kind of task, by which figures are given; "" if there is one kind.
        doc: the source document, whose rows stay together where a model is fitted; "" for the one with these chunks.
        source: where the row is from.
    """

    is_faithful: bool
    spans: tuple[LabelledSpan, ...] | None = None
    task: str = ""
    doc: str = ""
    source: str = ""


def as_result(label: GivenLabel | None, *, by: str, metrics: Mapping[str, float] | None = None) -> Judged:
    """Return the label as the result of those who gave it: 1 or 0 for the whole, and an annotation for each span.

    Nobody has split the answer into claims, so the result has none: what is not marked is no claim that somebody found
    supported. An answer without a label is a failed one.
    """
    if label is None:
        return Judged(error="The data set has no label for this answer.", judge=by)
    annotations = tuple(
        Annotation(
            verdict=span.verdict,
            reviewer=span.reviewer,
            span=(span.start, span.end),
            note=": ".join(part for part in (span.kind, span.note) if part),
        )
        for span in label.spans or ()
    )
    return Judged(score=float(label.is_faithful), judge=by, annotations=annotations, metrics=metrics or {})


def verdict_of_kind(kind: str) -> Verdict:
    """Return what a data set's word for a mistake means: a conflict with the chunks, or something they do not have."""
    folded = kind.lower()
    return Verdict.CONTRADICTED if any(word in folded for word in _CONFLICTS) else Verdict.NOT_MENTIONED


def span_within(
    item: Mapping[str, object], text: str, *, start: str = "start", end: str = "end", quote: str = "text"
) -> tuple[int, int]:
    """Return the place of a labelled span; raises BadCell where it is not one of the text.

    Where the words at the place are not those that the data set names, and these stand elsewhere just once, that is it.
    """
    first, last = _whole(item.get(start)), _whole(item.get(end))
    place = (first, last) if first is not None and last is not None and 0 <= first < last <= len(text) else None
    words = item.get(quote)
    if place and (not isinstance(words, str) or text[place[0] : place[1]] == words):
        return place
    if isinstance(words, str) and words.strip() and text.count(words) == 1:
        return text.index(words), text.index(words) + len(words)
    if place is None:
        raise BadCell(f"the span [{first}, {last}) is not within the text's {len(text):,} characters")
    return place


def _whole(value: object) -> int | None:
    """Return a whole number; those of a table are floats wherever one of its rows has none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def listed_spans(
    value: object, text: str, *, make: Callable[[Mapping[str, object], str], LabelledSpan | None]
) -> tuple[LabelledSpan, ...] | None:
    """Return the spans in a list, also one in text, leaving out what `make` takes for none; None for an empty cell.

    Raises:
        BadCell: it is no list of objects, or a span lies outside the text.
    """
    if is_missing(value):
        return None
    items = [parsed(item) for item in as_list(value)]
    if not all(isinstance(item, Mapping) for item in items):
        raise BadCell("the labels are not a list of spans")
    found = (make(item, text) for item in items if isinstance(item, Mapping))
    return tuple(span for span in found if span is not None)
