"""Write a run to a file, one row per answer.

An export also records how each spot-check was drawn, and which claims of an answer it drew. From this
`services/import_labels.py` restores the spot-check on an imported run, labelled or not. Every answer with drawn claims
repeats the whole design, so the rows of the file may be in any order. Spot-checks of listed claims are left out,
because their list may span runs and does not describe a run's score.

"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from faithview.documents.answers import DrawnClaimPlace, ExportedAnswer, ExportedClaim, ExportedSpotCheck, RowSpotCheck
from faithview.documents.labels import EarlierLabel
from faithview.domain.answer import AnswerDetail, View
from faithview.domain.claim import Claim
from faithview.domain.errors import InvalidInput
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
from faithview.formats.exporters.exporter import ExportedRun
from faithview.formats.exporters.registry import exporter_named
from faithview.formats.files.atomic_file import atomic_file
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary, iterate_answers
from faithview.services.review.label_files import MISSED, label_row, row_parts
from faithview.store import labels, notes, queues, spot_check_claims, spot_checks


@dataclass(slots=True)
class DrawnClaims:
    """The spot-checks of a run, for the rows that were loaded last."""

    store: Store
    run_id: str
    _checks: dict[int, ExportedSpotCheck] = field(init=False)
    _items: dict[int, dict[int, list[DrawnClaimPlace]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Read the run's spot-checks."""
        db, run_id = self.store.db, self.run_id
        drawn = spot_checks.list_drawn_from(db, run_id)
        assigned = queues.list_assignments(db) if drawn else {}
        answers = spot_check_claims.count_labelled(db, run_id, spot_check_id=0).answers if drawn else 0
        self._checks = {
            part.check.spot_check_id: _exported(part, run_id, assigned=assigned, judged_answers=answers)
            for part in drawn
        }

    def load(self, first: int, last: int) -> None:
        """Read which claims were drawn from the rows between two positions, both included."""
        self._items = {}
        if not self._checks:
            return
        for check_id, place, drawn in spot_checks.list_drawn_between(self.store.db, self.run_id, first, last):
            if check_id in self._checks:
                self._items.setdefault(drawn.row, {}).setdefault(check_id, []).append(
                    DrawnClaimPlace.of(drawn, claim=drawn.claim_number, place=place)
                )

    def of_row(self, position: int) -> Sequence[RowSpotCheck]:
        """Return the export's entries on the spot-checks that drew claims of a row, oldest spot-check first."""
        items = self._items.get(position, {})
        return [
            RowSpotCheck.model_validate({**self._checks[check_id].to_dict(), "claims": items[check_id]})
            for check_id in sorted(items)
        ]


def _exported(
    part: spot_checks.DrawnFromRun, run_id: str, *, assigned: dict[int, tuple[str, ...]], judged_answers: int
) -> ExportedSpotCheck:
    check = part.check
    frames: Any = check.design["runs"]
    return ExportedSpotCheck.of(
        check,
        spot_check=str(check.spot_check_id),
        assigned_to=assigned.get(check.spot_check_id, ()),
        design={name: value for name, value in check.design.items() if name != "runs"},
        frame=frames[run_id],
        drawn_claims=part.drawn,
        judged_answers=judged_answers,
    )


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
        notes: the notes on its claims that are not reasons of labels.
        spot_checks: its entries from `drawn_claims`.
        view: whose verdicts the row's state and score follow, the judge's or the reviewers'; claims have both, and
            `judge_result` has the judge's state and score in the reviewers' view.
    """
    sample, result = detail.sample, detail.result
    state, score, faithful = result.state, result.faithfulness, result.is_faithful
    if view is not View.JUDGE and labels:
        state, score, faithful = _reviewed_outcome(detail, labels)
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
                **_split_labels(claim_id, claim, [label for label in labels if label.claim_number == number]),
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


def _reviewed_outcome(detail: AnswerDetail, labels: Sequence[Label]) -> tuple[State, float | None, bool | None]:
    """Return an answer's state, score and `is_faithful` under reviewers' verdicts (view *reviewed*)."""
    result = detail.result
    if result.is_scored_without_claims:
        labels = labels_on_whole(labels, length=len(detail.sample.answer))
    reviewed = apply_labels(result.verdicts, labels)
    if not reviewed.labelled:
        return result.state, result.faithfulness, result.is_faithful
    state = reviewed_state(result.state, claims=len(reviewed.verdicts))
    verdicts = reviewed.verdicts if state is State.JUDGED else ()
    return state, faithfulness(verdicts), is_faithful(verdicts, threshold=result.threshold)


def _split_labels(claim_id: str, claim: Claim, labels: Sequence[Label]) -> dict[str, Any]:
    """Return a claim's labels: the current ones, and separately those that were replaced.

    Labels that were replaced, withdrawn or outdated may still count in the spot-check in which they were given. The
    order in which labels were given decides which of several counts; `label_order` has the place of each.
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


# How many answers' labels are read at a time.
_PAGE = 200


def export_run(
    store: Store, reference: str, *, destination: Path, file_format: str = "jsonl", view: View = View.JUDGE
) -> int:
    """Write every answer of a run with its labels and return their number; the file appears only when complete.

    Args:
        store: the store.
        reference: the run's id or unique name.
        destination: the file.
        file_format: "jsonl", "csv", "parquet", or the format of another tool ("ragas", for example).
        view: whose verdicts the states and scores follow; every row names it.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the format is unknown, the file cannot be written, or the view is the corrected score.
    """
    exporter = exporter_named(file_format)
    exported = _exported_run(store, reference, view=view)
    with atomic_file(destination) as temporary:
        exporter.write(exported, temporary)
    return get_summary(store, exported.run_id).rows


def run_bytes(store: Store, reference: str, *, file_format: str, view: View = View.JUDGE) -> bytes:
    """Return the file of `export_run` as bytes; raises the same errors."""
    exporter = exporter_named(file_format)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        exporter.write(_exported_run(store, reference, view=view), path)
        return path.read_bytes()


def _exported_run(store: Store, reference: str, *, view: View) -> ExportedRun:
    if view is View.CORRECTED:
        raise InvalidInput(
            "The corrected score is an estimate for a whole run; single answers have none. Export the view reviewed, "
            "and see `faithview labels agreement RUN` for the estimate."
        )
    run = get_run(store, reference)
    return ExportedRun(
        run_id=run.run_id,
        name=run.name,
        judge=run.judge.name,
        view=view.value,
        rows=lambda: export_documents(store, run.run_id, view=view),
    )


def export_documents(store: Store, run_id: str, *, view: View = View.JUDGE) -> Iterator[dict[str, Any]]:
    """Yield the export row of every answer of a run, in the order of the file, reading a few hundred at a time."""
    details = iterate_answers(store, run_id)
    has_labels, has_notes = labels.has_labels(store.db, run_id), notes.has_notes(store.db, run_id)
    drawn = DrawnClaims(store, run_id)
    while page := list(islice(details, _PAGE)):
        first, last = page[0].position, page[-1].position
        drawn.load(first, last)
        by_row = labels.list_labels_between(store.db, run_id, first, last) if has_labels else {}
        noted = notes.list_notes_between(store.db, run_id, first, last) if has_notes else {}
        for detail in page:
            position = detail.position
            yield export_document(
                detail,
                by_row.get(position, ()),
                notes=noted.get(position, ()),
                spot_checks=drawn.of_row(position),
                view=view,
            )
