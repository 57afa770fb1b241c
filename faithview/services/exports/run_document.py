"""The JSON documents of runs and answers, for the command line, the dashboard and exports."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from faithview.domain.claim import Claim
from faithview.domain.dataset import DatasetVersion
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
from faithview.domain.result import State, Weakness
from faithview.domain.run import RunSummary, SegmentSummary
from faithview.domain.scoring import Interval, apply_labels, faithfulness, is_faithful, labels_on_whole, reviewed_state
from faithview.domain.views import AnswerDetail, View
from faithview.services.exports.result_document import claim_document, reported_besides
from faithview.services.results.troubles import RunTroubles
from faithview.services.review.label_export import MISSED, label_document


def run_document(summary: RunSummary, troubles: RunTroubles) -> dict[str, Any]:
    """Return what `faithview evaluate --json` prints of a run."""
    run, score, usage = summary.run, summary.score, summary.usage
    return {
        "run_id": run.run_id,
        "name": run.name,
        "judge": run.judge.name,
        "method": run.judge.method,
        "fingerprint": run.fingerprint,
        "status": run.status.value,
        "created_at": run.created_at.isoformat(),
        "as_of": run.as_of.isoformat(),
        "kb_version": run.kb_version,
        "series": run.series,
        "dataset": version_document(run.dataset) if run.dataset else None,
        "rows": summary.rows,
        "rows_left_out": run.rows_left_out,
        "application": run.live.application if run.live else None,
        "logged": run.live.logged if run.live else None,
        "inclusion_probability": summary.inclusion_probability,
        "states": dict(summary.states),
        "coverage": summary.coverage,
        "faithfulness": score.mean,
        "faithfulness_ci": _pair(score.interval),
        "faithfulness_bounds": _pair(score.bounds),
        "faithfulness_weighted": summary.weighted,
        "hallucination_rate": summary.hallucination_rate,
        "threshold": run.threshold,
        "faithful_rows": summary.faithful_rows,
        "claims": dict(summary.claims),
        "segments": {segment.segment: _segment(segment) for segment in summary.segments},
        "llm_calls": usage.llm_calls,
        "cached_calls": usage.cached_calls,
        "prompt_tokens": usage.prompt_tokens,
        "cached_prompt_tokens": usage.cached_prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": usage.cost_usd,
        "seconds": run.seconds,
        "error": run.error,
        "repeat_of": run.repeat_of,
        "repeats": list(run.repeats),
        "archived_at": run.archived_at.isoformat() if run.archived_at else None,
        "texts_deleted_at": run.texts_deleted_at.isoformat() if run.texts_deleted_at else None,
        "note": run.note,
        "errors": [{"error": trouble.text, "rows": trouble.answers} for trouble in troubles.errors],
        "repaired_rows": troubles.repaired,
        "repairs": {trouble.text: trouble.answers for trouble in troubles.repairs},
        "gaps": {trouble.text: trouble.answers for trouble in troubles.gaps},
        **{f"{weakness}_claims": troubles.count_weak(weakness) for weakness in Weakness},
    }


def _segment(segment: SegmentSummary) -> dict[str, Any]:
    """Return the figures of a segment; `n` counts the answers that its mean is over, `rows` all its answers."""
    return {
        "rows": segment.rows,
        "n": segment.score.judged,
        "faithfulness": segment.score.mean,
        "faithfulness_ci": _pair(segment.score.interval),
    }


def version_document(version: DatasetVersion) -> dict[str, Any]:
    """Return which version of which data set is meant."""
    return {"name": version.dataset, "version": version.number, "content_hash": version.content_hash}


def export_document(
    detail: AnswerDetail,
    labels: Sequence[Label] = (),
    *,
    notes: Sequence[Note] = (),
    spot_checks: Sequence[Mapping[str, Any]] = (),
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
    return {
        "key": sample.key,
        "question": sample.question,
        "answer": sample.answer,
        "segment": sample.segment,
        "reference": sample.reference,
        "timestamp": sample.timestamp.isoformat() if sample.timestamp else None,
        "inclusion_probability": sample.inclusion_probability,
        "state": state.value,
        "error": result.error,
        "faithfulness": score,
        "is_faithful": faithful,
        "view": view.value,
        "judge": result.judge,
        "chunks": [
            {
                "id": chunk.chunk_id,
                "text": chunk.text,
                "rank": chunk.rank,
                "score": chunk.score,
                "metadata": dict(chunk.metadata),
            }
            for chunk in sample.chunks
        ],
        "claims": [
            {
                "claim_id": claim_id,
                **claim_document(claim),
                **_labelled(claim_id, claim, [label for label in labels if label.claim_number == number]),
                "notes": [_note(note) for note in notes if note.place.claim_number == number],
            }
            for number, (claim_id, claim) in enumerate(zip(detail.claim_ids, result.claims, strict=True), start=1)
        ],
        "missed_claims": [
            label_document(label, claim_id=f"{detail.run_id}-{detail.position}-{MISSED}")
            for label in missed_claims(labels)
        ],
        "extra": dict(sample.extra),
        **reported_besides(result),
        "answer_score": result.answer_score,
        "usage": {field.name: getattr(result.usage, field.name) for field in fields(result.usage)},
        "seconds": result.seconds,
        "judge_result": None
        if view is View.JUDGE
        else {
            "state": result.state.value,
            "faithfulness": result.faithfulness,
            "is_faithful": result.is_faithful,
        },
        "spot_checks": [dict(check) for check in spot_checks],
    }


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
    verdict = effective_verdict(claim.verdict, labels).verdict if labels else claim.verdict
    given = [label for label in labels if label.kind is not LabelKind.RETRACTION]
    order = {label.label_id: n for n, label in enumerate(sorted(given, key=lambda label: label.label_id), start=1)}
    taken_back = {label.retracts: label.at for label in labels if label.kind is LabelKind.RETRACTION}
    standing, second = standing_labels(labels), second_thoughts(labels)
    shown = {label.label_id for label in (*standing, *second)}
    earlier = [label for label in given if label.label_id not in shown]
    return {
        "labels": [
            label_document(label, claim_id=claim_id, counts=counts)
            for part, counts in ((standing, True), (second, False))
            for label in part
        ],
        "earlier_labels": [
            {
                **label_document(label, claim_id=claim_id, counts=False),
                "retracted_at": at.isoformat() if (at := taken_back.get(label.label_id)) else None,
                "stale": label.is_stale,
            }
            for label in earlier
        ],
        "label_order": [order[label.label_id] for label in (*standing, *second, *earlier)],
        "effective_verdict": NOT_A_CLAIM if verdict is None else verdict.value,
    }


def _note(note: Note) -> dict[str, str]:
    return {"author": note.author, "at": note.at.isoformat(), "text": note.text}


def _pair(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
