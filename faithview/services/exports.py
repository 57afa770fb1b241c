"""Write a run to a file, one row per answer."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from faithview.documents.answers import ExportedAnswer, ExportedClaim
from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Claim
from faithview.domain.label import (
    NOT_A_CLAIM,
    Label,
    Note,
    effective_verdict,
    missed_claims,
    second_thoughts,
    standing_labels,
)
from faithview.domain.result import State
from faithview.domain.scoring import apply_labels, faithfulness, is_faithful, labels_on_whole, reviewed_state
from faithview.formats.exporters import exporter_named
from faithview.formats.files.atomic_file import atomic_file
from faithview.services.container import Store
from faithview.services.results import get_run, iterate_answers
from faithview.services.review.label_files import MISSED, label_row
from faithview.store import labels, notes


def export_document(
    detail: AnswerDetail,
    labels: Sequence[Label] = (),
    *,
    notes: Sequence[Note] = (),
) -> dict[str, Any]:
    """Return one row of `faithview export`.

    Its state and score follow the reviewers' verdicts where there are any; `judge_result` has the judge's own.

    Args:
        detail: the answer.
        labels: all its labels.
        notes: the notes on its claims that are not reasons of labels.
    """
    sample, result = detail.sample, detail.result
    state, score, faithful = result.state, result.faithfulness, result.is_faithful
    if labels:
        state, score, faithful = _reviewed_outcome(detail, labels)
    return ExportedAnswer.of(
        sample,
        state=state,
        error=result.error,
        faithfulness=score,
        is_faithful=faithful,
        judge=result.judge,
        claims=[
            ExportedClaim.of(
                claim,
                claim_id=claim_id,
                **_labels_of_claim(claim_id, claim, [label for label in labels if label.claim_number == number]),
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
        judge_result=result,
    ).to_dict()


def _reviewed_outcome(detail: AnswerDetail, labels: Sequence[Label]) -> tuple[State, float | None, bool | None]:
    """Return an answer's state, score and `is_faithful` under reviewers' verdicts."""
    result = detail.result
    if result.is_scored_without_claims:
        labels = labels_on_whole(labels, length=len(detail.sample.answer))
    reviewed = apply_labels(result.verdicts, labels)
    if not reviewed.labelled:
        return result.state, result.faithfulness, result.is_faithful
    state = reviewed_state(result.state, claims=len(reviewed.verdicts))
    verdicts = reviewed.verdicts if state is State.JUDGED else ()
    return state, faithfulness(verdicts), is_faithful(verdicts, threshold=result.threshold)


def _labels_of_claim(claim_id: str, claim: Claim, labels: Sequence[Label]) -> dict[str, Any]:
    """Return a claim's labels in the order in which they were given, and the verdict that counts."""
    verdict = effective_verdict(claim.verdict, labels).verdict
    second = second_thoughts(labels)
    shown = sorted((*standing_labels(labels), *second), key=lambda label: label.label_id)
    return {
        "labels": [label_row(label, claim_id=claim_id, counts=label not in second) for label in shown],
        "effective_verdict": NOT_A_CLAIM if verdict is None else verdict,
    }


# How many answers' labels are read at a time.
_PAGE = 200


def export_run(store: Store, reference: str, *, destination: Path, file_format: str = "jsonl") -> int:
    """Write every answer of a run with its labels and return their number; the file appears only when complete.

    Args:
        store: the store.
        reference: the run's id or unique name.
        destination: the file.
        file_format: "jsonl", "csv", "parquet", or the format of another tool ("ragas", for example).

    Raises:
        NotFound: there is no such run.
        InvalidInput: the format is unknown, or the file cannot be written.
    """
    exporter = exporter_named(file_format)
    run = get_run(store, reference)
    with atomic_file(destination) as temporary:
        return exporter.write(export_documents(store, run.run_id), temporary)


def run_bytes(store: Store, reference: str, *, file_format: str) -> bytes:
    """Return the file of `export_run` as bytes; raises the same errors."""
    exporter = exporter_named(file_format)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        exporter.write(export_documents(store, get_run(store, reference).run_id), path)
        return path.read_bytes()


def export_documents(store: Store, run_id: str) -> Iterator[dict[str, Any]]:
    """Yield the export row of every answer of a run, in the order of the file, reading a few hundred at a time."""
    details = iterate_answers(store, run_id)
    has_labels, has_notes = labels.has_labels(store.db, run_id), notes.has_notes(store.db, run_id)
    while page := list(islice(details, _PAGE)):
        first, last = page[0].position, page[-1].position
        by_row = labels.list_labels_between(store.db, run_id, first, last) if has_labels else {}
        noted = notes.list_notes_between(store.db, run_id, first, last) if has_notes else {}
        for detail in page:
            position = detail.position
            yield export_document(
                detail,
                by_row.get(position, ()),
                notes=noted.get(position, ()),
            )
