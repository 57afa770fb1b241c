"""The JSON documents of the guard: what it found, what it corrected, and what may be sent."""

from collections.abc import Sequence
from typing import Any

from faithview.services.exports.result_document import claim_document
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction.correct import Correction
from faithview.services.guard.correction.edits import Edit
from faithview.services.guard.guarded_answer import GuardedAnswer


def guard_document(check: GuardCheck) -> dict[str, Any]:
    """Return what a guard says about an answer."""
    return {
        "passed": check.passed,
        "score": check.score,
        "reason": check.reason,
        "answer": check.answer,
        "highlighted": check.highlighted,
        "issues": [
            {
                "number": issue.number,
                "spans": [[span.start, span.end] for span in issue.spans],
                "claim": claim_document(issue.claim),
            }
            for issue in check.issues
        ],
        "state": check.result.state.value,
        "judge": check.result.judge,
    }


def guarded_document(guarded: GuardedAnswer) -> dict[str, Any]:
    """Return what may be sent, as `guard_document` has it, with what it was before and what was changed."""
    return {
        **guard_document(guarded.after),
        "changed": guarded.changed,
        "before": guard_document(guarded.before),
        "edits": _edits(guarded.edits),
        "notes": list(guarded.notes),
    }


def correction_document(correction: Correction) -> dict[str, Any]:
    """Return a corrected answer, which was not judged again, with the judgement of the given one."""
    return {
        "answer": correction.answer,
        "changed": correction.changed,
        "edits": _edits(correction.edits),
        "notes": list(correction.notes),
        "before": guard_document(correction.check),
    }


def _edits(edits: Sequence[Edit]) -> list[dict[str, Any]]:
    return [
        {
            "start": edit.start,
            "end": edit.end,
            "replacement": edit.replacement,
            "claim_numbers": list(edit.claim_numbers),
            "reason": edit.reason,
        }
        for edit in edits
    ]
