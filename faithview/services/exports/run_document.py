"""The row of an export: an answer with its claims, and what people say of them."""

from collections.abc import Sequence
from typing import Any

from faithview.documents.answers import ExportedAnswer, ExportedClaim, RowSpotCheck
from faithview.documents.labels import EarlierLabel
from faithview.domain.claim import Claim
from faithview.domain.label import (
    NOT_A_CLAIM,
    Label,
    LabelKind,
    Note,
    effective_verdict,
    missed_claims,
    second_thoughts,
    standing_labels,
)
from faithview.domain.result import State
from faithview.domain.scoring import apply_labels, faithfulness, is_faithful, labels_on_whole, reviewed_state
from faithview.domain.views import AnswerDetail, View
from faithview.services.review.label_export import MISSED, label_row, row_parts


def export_document(
    detail: AnswerDetail,
    labels: Sequence[Label] = (),
    *,
    notes: Sequence[Note] = (),
    spot_checks: Sequence[RowSpotCheck] = (),
    view: View = View.JUDGE,
) -> dict[str, Any]:
    """Return one row of `faithview export`.

    Args:
        detail: the answer.
        labels: all its labels.
        notes: the notes on its claims that are no labels' reasons.
        spot_checks: what `drawn_claims` says of the spot-checks that drew claims of it.
        view: whose verdicts the row's state and score follow, the judge's or people's; the claims hold both, and
            `judge_result` the judge's state and score where it is people's.
    """
    sample, result = detail.sample, detail.result
    state, score, faithful = result.state, result.faithfulness, result.is_faithful
    if view is not View.JUDGE and labels:
        state, score, faithful = _reviewed(detail, labels)
    return ExportedAnswer.of(
        sample,
        state=state,
        error=result.error,
        faithfulness=score,
        is_faithful=faithful,
        view=view,
        judge=result.judge,
        claims=[
            ExportedClaim.of(
                claim,
                claim_id=claim_id,
                **_labelled(claim_id, claim, [label for label in labels if label.claim_number == number]),
                notes=[note for note in notes if note.place.claim_number == number],
            )
            for number, (claim_id, claim) in enumerate(zip(detail.claim_ids, result.claims, strict=True), start=1)
        ],
        missed_claims=[
            label_row(label, claim_id=f"{detail.run_id}-{detail.position}-{MISSED}") for label in missed_claims(labels)
        ],
        suggestions=result.suggestions,
        metrics=result.metrics,
        warnings=result.warnings,
        raw_reply=result.raw_reply,
        answer_score=result.answer_score,
        usage=result.usage,
        seconds=result.seconds,
        judge_result=None if view is View.JUDGE else result,
        spot_checks=spot_checks,
    ).to_dict()


def _reviewed(detail: AnswerDetail, labels: Sequence[Label]) -> tuple[State, float | None, bool | None]:
    """Return an answer's state, score and `is_faithful` under people's verdicts, as lists in the view *reviewed*."""
    result = detail.result
    if result.is_scored_without_claims:
        labels = labels_on_whole(labels, length=len(detail.sample.answer))
    reviewed = apply_labels(result.verdicts, labels)
    if not reviewed.labelled:
        return result.state, result.faithfulness, result.is_faithful
    state = reviewed_state(result.state, claims=len(reviewed.verdicts))
    verdicts = reviewed.verdicts if state is State.JUDGED else ()
    return state, faithfulness(verdicts), is_faithful(verdicts, threshold=result.threshold)


def _labelled(claim_id: str, claim: Claim, labels: Sequence[Label]) -> dict[str, Any]:
    """Return a claim's labels: those that count with second thoughts, and apart from them those of before.

    Labels that were replaced, taken back or out of date may still count in a spot-check that they were given in, and
    which of several counts follows from the order in which they were given: `label_order` has the place of each.
    """
    if not labels:
        return {"labels": (), "earlier_labels": (), "label_order": (), "effective_verdict": claim.verdict}
    verdict = effective_verdict(claim.verdict, labels).verdict
    given = [label for label in labels if label.kind is not LabelKind.RETRACTION]
    order = {label.label_id: n for n, label in enumerate(sorted(given, key=lambda label: label.label_id), start=1)}
    taken_back = {label.retracts: label.at for label in labels if label.kind is LabelKind.RETRACTION}
    standing, second = standing_labels(labels), second_thoughts(labels)
    shown = {label.label_id for label in (*standing, *second)}
    earlier = [label for label in given if label.label_id not in shown]
    return {
        "labels": [
            label_row(label, claim_id=claim_id, counts=counts)
            for part, counts in ((standing, True), (second, False))
            for label in part
        ],
        "earlier_labels": [
            EarlierLabel.of(
                label,
                **row_parts(label),
                claim_id=claim_id,
                counts=False,
                retracted_at=taken_back.get(label.label_id),
            )
            for label in earlier
        ],
        "label_order": [order[label.label_id] for label in (*standing, *second, *earlier)],
        "effective_verdict": NOT_A_CLAIM if verdict is None else verdict,
    }
