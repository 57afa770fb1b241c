"""Where a run goes wrong, as a JSON document and as a table."""

from typing import Any

from faithview.domain.views import SliceDefinition, View
from faithview.services.exports.tables import TableRow
from faithview.services.slices.find import FoundSlice, RunSlices
from faithview.wording.slices import plain_slice


def slices_document(slices: RunSlices, *, asked: View | None = None) -> dict[str, Any]:
    """Return what `faithview slices --json` prints; rows are positions in the run, from 1.

    Args:
        slices: the slices found, whose `view` says whose verdicts count.
        asked: the view that was asked for; None where it is the same.
    """
    return {
        "run_id": slices.run.run_id,
        "name": slices.run.name,
        "view": slices.view.value,
        "requested_view": (asked or slices.view).value,
        "answers": slices.answers,
        "questions": slices.questions,
        "left_out": dict(slices.left_out),
        "tested": slices.tested,
        "not_searched": list(slices.not_searched),
        "fewest_questions": slices.fewest,
        "slices": [_found(low) for low in slices.slices],
        "noticeable": [
            {"questions": item.questions, "difference": None if item.difference is None else -item.difference}
            for item in slices.noticeable
        ],
    }


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


def _found(low: FoundSlice) -> dict[str, Any]:
    return {
        **_definition(low.definition),
        "answers": len(low.positions),
        "questions": low.questions,
        "faithfulness": low.mean,
        "elsewhere": low.elsewhere,
        "elsewhere_answers": low.elsewhere_answers,
        "difference": low.difference,
        "difference_ci": [low.interval.low, low.interval.high],
        "p_value_adjusted": low.p_value,
        "rows": list(low.positions),
        "without": [plain_slice(other) for other in low.overlaps],
        "same_answers": [_definition(other) for other in low.same],
        "within": [
            {**_definition(part.definition), "answers": len(part.positions), "faithfulness": part.mean}
            for part in low.parts
        ],
    }


def _definition(definition: SliceDefinition) -> dict[str, Any]:
    return {
        "slice_id": definition.slice_id,
        "slice": plain_slice(definition),
        "kind": definition.kind.value,
        "field": definition.field or None,
        "value": definition.value,
        "low": definition.low,
        "high": definition.high,
    }
