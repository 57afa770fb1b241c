"""JSON documents that need several records: agreement, knowledge bases, spot-checks.

`faithview.documents` models their fields.
"""

from dataclasses import dataclass

from faithview.documents.knowledge import (
    BrokenCounts,
    ChangedDocumentPart,
    ChangedDocumentWithClaims,
    ChangedPassage,
    FixedCounts,
    KnowledgeChangesDocument,
    QuotedChunk,
    RestingClaimChange,
    RestingClaims,
    RestingSide,
    RunsOverVersions,
    VersionSize,
)
from faithview.documents.labels import (
    AgreementDocument,
    HumanCorrected,
    LabelledShare,
)
from faithview.documents.spot_checks import (
    DrawnDocument,
    DrawnItem,
    ListedSpotCheck,
    SpotCheckDocument,
    SpotCheckRun,
    SpotChecksDocument,
)
from faithview.domain.errors import NotFound
from faithview.domain.knowledge import DocumentChange, DocumentChangeKind
from faithview.domain.spot_check import Design, SpotCheck
from faithview.services.container import Store
from faithview.services.judge_quality.scorecards import measure_judge
from faithview.services.knowledge.changes import (
    ChangedDocument,
    KnowledgeChanges,
    list_claims,
    load_passages,
)
from faithview.services.knowledge.documents import DocumentChanges
from faithview.services.results import get_run, get_summary
from faithview.services.review.corrected_score import Correction, correct_by_check, correct_run
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels
from faithview.stats.judge_quality import JudgeFigures
from faithview.store import spot_checks
from faithview.store.schema.runs import public_claim_id
from faithview.store.sources import ListedClaim
from faithview.wording.judge_rates import not_known

_RATES = ("accuracy", "sensitivity", "specificity", "precision")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A run's agreement with reviewers' labels as a document, and the data for its texts.

    `figures` are the figures behind it, and `reason` says why the corrected score is missing; None if it is not.
    """

    document: AgreementDocument
    figures: JudgeFigures
    reason: str | None


def agreement_document(store: Store, reference: str) -> Agreement:
    """Return a run's agreement with reviewers' labels as a document.

    The figures are those of the page Judges. If a spot-check was labelled they use its labels alone, each weighted by
    1 / its inclusion probability, and `used_claims` counts them. If none was, they describe the labelled claims alone,
    `sensitivity` and `specificity` are None, and `not_known` says why. `weighted` is true if the weights differ.
    `rates` has each share with its 95% interval and the counts behind it. `confusion` has plain counts of labels.

    Raises:
        NotFound: there is no such run.
    """
    summary = get_summary(store, reference)
    settled, figures = measure_judge(store, [summary.run.run_id])
    correction = correct_run(store, summary.run.run_id)
    document = AgreementDocument.of(
        figures,
        labelled_claims=len(settled),
        judge_faithfulness=summary.score.mean,
        human_corrected=corrected_document(correction),
        not_known=not_known(figures),
        rates={name: LabelledShare.of(getattr(figures, name)) for name in _RATES} if figures.used else {},
    )
    return Agreement(document=document, figures=figures, reason=why_not_corrected(correction))


def corrected_document(correction: Correction | None) -> HumanCorrected:
    """Return the corrected score as a document, with None as estimate if there is none.

    `n` counts the labelled claims that the estimate uses; `labels` the claims with a settled verdict and
    `labelled_rows` the answers that they are part of. `tied` and `skipped` count drawn claims without a settled label,
    which the interval allows for. `lambda` says how far the estimate relies on the judge, in [0, 1]; at 0 it equals
    `labels_only`.
    """
    if correction is None:
        return HumanCorrected()
    score = correction.score
    if not isinstance(score, CorrectedScore):
        return HumanCorrected.of(correction, n=score.labelled)
    is_balanced = correction.check.design.get("design") == Design.BALANCED
    return HumanCorrected.of(
        correction,
        n=score.labelled,
        estimate=score.corrected.score,
        ci=score.corrected.interval,
        method="ppi++" if score.tuning > 0 else "stratified" if is_balanced else "labels-only",
        tuning=score.tuning,
        labels_only=score.labels_only.score,
        labels_only_ci=score.labels_only.interval,
    )


def why_not_corrected(correction: Correction | None) -> str | None:
    """Return a sentence saying why there is no corrected score, or None."""
    if correction is None:
        return (
            "No spot-check was drawn from this run, so the judge's score cannot be corrected: labels given outside a "
            "spot-check are not a random sample. Draw one on the page Review or with `faithview spot-check draw`."
        )
    return correction.score.message if isinstance(correction.score, NotEnoughLabels) else None


def versions_document(store: Store, before: str, after: str, documents: DocumentChanges) -> KnowledgeChangesDocument:
    """Return two stored versions side by side, without claims."""
    return KnowledgeChangesDocument.of(
        documents,
        before=VersionSize(version=before, documents=documents.before),
        after=VersionSize(version=after, documents=documents.after),
        **_count_changes(documents),
        is_seen_in_answers_only=False,
        runs=None,
        documents=[
            ChangedDocumentPart.of(document, passages=_passages(store, document)) for document in documents.changed
        ],
    )


def knowledge_document(store: Store, changes: KnowledgeChanges) -> KnowledgeChangesDocument:
    """Return the changes of the knowledge base between two runs, with the claims that rest on each document."""
    documents = changes.documents
    return KnowledgeChangesDocument.of(
        documents,
        before=VersionSize(version=changes.baseline.kb_version, documents=documents.before),
        after=VersionSize(version=changes.candidate.kb_version, documents=documents.after),
        **_count_changes(documents),
        is_seen_in_answers_only=not changes.is_stored,
        runs=RunsOverVersions.of(changes, broken=BrokenCounts.of(changes), fixed=FixedCounts.of(changes)),
        documents=[
            ChangedDocumentWithClaims.of(
                one.document,
                passages=_passages(store, one.document),
                claims=_resting_claims(store, one),
            )
            for one in changes.changed
        ],
    )


def _count_changes(documents: DocumentChanges) -> dict[str, int]:
    return {kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}


def _passages(store: Store, document: DocumentChange) -> list[ChangedPassage]:
    texts = load_passages(store, document)
    return [ChangedPassage.of(text, change=change.kind) for change, text in zip(document.passages, texts, strict=True)]


def _resting_claims(store: Store, one: ChangedDocument) -> RestingClaims:
    listed = [
        RestingClaimChange.of(shown.claim, before=_resting_side(shown.before), after=_resting_side(shown.after))
        for shown in list_claims(store, one.claims)
    ]
    return RestingClaims.of(one, broken_beside=len(one.beside), list=listed)


def _resting_side(claim: ListedClaim | None) -> RestingSide | None:
    if claim is None:
        return None
    return RestingSide.of(claim, evidence=[QuotedChunk(chunk_id=name, quote=words) for name, words in claim.quotes])


def drawn_document(store: Store, spot_check_id: int) -> DrawnDocument:
    """Return a spot-check with every claim that it drew, in the order of the queue, without the judge's verdicts.

    Raises:
        NotFound: there is no such spot-check.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    return DrawnDocument.of(check, **_design(check), items=_drawn_items(store, spot_check_id))


def spot_check_document(store: Store, spot_check_id: int) -> SpotCheckDocument:
    """Return a spot-check with its progress and, for each of its runs, the corrected score or why there is none.

    Raises:
        NotFound: there is no such spot-check.
    """
    progress = spot_checks.get_queue_progress(store.db, spot_check_id)
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    return SpotCheckDocument.of(
        check,
        **_design(check),
        items=_drawn_items(store, spot_check_id),
        progress=progress,
        runs=[_spot_check_run(store, run_id, spot_check_id) for run_id in check.run_ids],
    )


def list_document(store: Store) -> SpotChecksDocument:
    """Return all spot-checks with their progress, newest first."""
    return SpotChecksDocument(
        spot_checks=[
            ListedSpotCheck.of(
                check, **_design(check), progress=spot_checks.get_queue_progress(store.db, check.spot_check_id)
            )
            for check in spot_checks.list_spot_checks(store.db)
        ]
    )


def _design(check: SpotCheck) -> dict[str, object]:
    return {"design": check.design["design"], "seed": check.design.get("seed")}


def _drawn_items(store: Store, spot_check_id: int) -> list[DrawnItem]:
    return [
        DrawnItem.of(item, claim_id=public_claim_id(item.place.run_id, item.place.row, item.place.claim_number))
        for item in spot_checks.list_items(store.db, spot_check_id)
    ]


def _spot_check_run(store: Store, run_id: str, spot_check_id: int) -> SpotCheckRun:
    try:
        name, correction = get_run(store, run_id).name, correct_by_check(store, run_id, spot_check_id)
    except NotFound as error:
        return SpotCheckRun(run_id=run_id, name=None, human_corrected=corrected_document(None), reason=str(error))
    return SpotCheckRun.of(correction, run_id=run_id, name=name, **_scored(correction))


def _scored(correction: Correction) -> dict[str, object]:
    return {
        "human_corrected": corrected_document(correction),
        "reason": why_not_corrected(correction),
    }
