"""Where a run goes wrong, as a JSON document and as a table."""

from typing import Any

from faithview.documents.slices import LowSlice, NoticeableDifference, SliceName, SlicePart, SlicesDocument
from faithview.domain.views import SliceDefinition, View
from faithview.services.exports.tables import TableRow
from faithview.services.slices.find import FoundSlice, RunSlices
from faithview.wording.slices import plain_slice


def slices_document(slices: RunSlices, *, asked: View | None = None) -> SlicesDocument:
    """Return what `faithview slices --json` prints; rows are positions in the run, from 1.

    Args:
        slices: the slices found, whose `view` says whose verdicts count.
        asked: the view that was asked for; None where it is the same.
    """
    return SlicesDocument.of(
        slices,
        requested_view=asked or slices.view,
        slices=[_found(low) for low in slices.slices],
        noticeable=[
            NoticeableDifference(
                questions=item.questions, difference=None if item.difference is None else -item.difference
            )
            for item in slices.noticeable
        ],
    )


def slices_table(slices: RunSlices) -> list[TableRow]:
    """Return the slices found as rows of a table."""
    return [
        {
            "slice": plain_slice(low.definition),
            "faithfulness": low.mean,
            "elsewhere": low.elsewhere,
            "difference": low.difference,
            "low": low.interval.low,
            "high": low.interval.high,
            "p_value_adjusted": low.p_value,
            "answers": len(low.positions),
            "questions": low.questions,
        }
        for low in slices.slices
    ]


def _found(low: FoundSlice) -> LowSlice:
    return LowSlice.of(
        low,
        **_named(low.definition),
        without=[plain_slice(other) for other in low.overlaps],
        same=[SliceName.of(other, **_named(other)) for other in low.same],
        parts=[SlicePart.of(part, **_named(part.definition)) for part in low.parts],
    )


def _named(definition: SliceDefinition) -> dict[str, Any]:
    return {
        **{name: getattr(definition, name) for name in ("slice_id", "kind", "value", "low", "high")},
        "words": plain_slice(definition),
        "field": definition.field or None,
    }
