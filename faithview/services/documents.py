"""JSON documents that need several records: comparisons, agreement, slices, knowledge bases, spot-checks, data sets.

Their shapes are the models in `faithview.documents`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faithview.documents.agreement import (
    AgreementDocument,
    CorrectedTarget,
    HumanCorrected,
    LabelledShare,
    ReviewerTrust,
)
from faithview.documents.answers import GivenChunk
from faithview.documents.comparison import (
    AnswerChange,
    ChangedClaim,
    ClaimOfRun,
    ComparedRun,
    ComparisonDocument,
    CorrectedChange,
    NoiseFigures,
)
from faithview.documents.datasets import DatasetDocument, DatasetStep, ShownVersion
from faithview.documents.knowledge import (
    BrokenCounts,
    ChangedDocumentPart,
    ChangedDocumentWithClaims,
    ChangedPassage,
    FixedCounts,
    KnowledgeChangesDocument,
    RestingClaimChange,
    RestingClaims,
    RestingSide,
    RunsOverVersions,
    VersionSize,
)
from faithview.documents.slices import LowSlice, NoticeableDifference, SliceName, SlicePart, SlicesDocument
from faithview.documents.spot_checks import (
    DrawnDocument,
    DrawnItem,
    ListedSpotCheck,
    ListScore,
    SpotCheckDocument,
    SpotCheckRun,
    SpotChecksDocument,
)
from faithview.domain.answer import SliceDefinition, View
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Cause, Change, Term
from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset, RowFilter
from faithview.domain.errors import NotFound
from faithview.domain.knowledge import DocumentChange, DocumentChangeKind
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.run import Run
from faithview.domain.spot_check import UNITS, SpotCheck
from faithview.formats.files.atomic_file import atomic_file
from faithview.formats.reading.own_rows import DATASET_HELD_OUT, DATASET_TAGS
from faithview.formats.table_export import TableRow, write_table_file
from faithview.formats.table_export import TableRow as table_export_TableRow
from faithview.formats.write import ExportFormat
from faithview.services import datasets
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.datasets import VersionCounts, VersionStep
from faithview.services.judge_quality.scorecards import judged_labels
from faithview.services.knowledge_changes import (
    DocumentChanges,
    KnowledgeChanges,
    ShownClaim,
    list_claims,
    load_passages,
)
from faithview.services.resting_claims import ClaimSide, DocumentClaims
from faithview.services.results import get_run, get_summary
from faithview.services.review.corrected_score import Correction, correct_by_check, correct_run, said_beside, score_list
from faithview.services.review.spot_checks import Strata
from faithview.services.slices import FoundSlice, RunSlices
from faithview.stats import judge_quality
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference
from faithview.stats.judge_quality import JudgeFigures
from faithview.stats.prediction_powered import CorrectedScore, NotEnoughLabels
from faithview.stats.spot_check import Unit
from faithview.store import compared_answers, settled_claims, spot_checks
from faithview.store import datasets as stored_datasets
from faithview.store.knowledge import ClaimDetail
from faithview.wording.judge_rates import not_known
from faithview.wording.slices import plain_slice


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWords:
    """A claim's text and its verdict under the comparison's view; None if people said it is not a claim."""

    claim_id: str
    text: str
    verdict: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenClaim:
    """A claim that broke or was fixed: before, after, and the cause. A side may be missing."""

    before: ClaimWords | None
    after: ClaimWords | None
    value: float
    cause: Cause


def list_broken(
    store: Store, comparison: Comparison, changes: Sequence[Change]
) -> dict[tuple[int, int], tuple[BrokenClaim, ...]]:
    """Return the claims behind the terms of these changes, by the rows of both runs, the largest loss first."""
    view = comparison.view
    before = _words(store, comparison.baseline, [change.baseline_row for change in changes if change.terms], view)
    after = _words(store, comparison.candidate, [change.candidate_row for change in changes if change.terms], view)
    return {
        (change.baseline_row, change.candidate_row): tuple(
            _broken(term, before.get(change.baseline_row, ()), after.get(change.candidate_row, ()))
            for term in sorted(change.terms, key=lambda term: term.value)
            if term.is_of_claims
        )
        for change in changes
    }


def compare_document(store: Store, comparison: Comparison) -> ComparisonDocument:
    """Return what `faithview compare --json` prints."""
    difference, noise = comparison.difference, comparison.noise
    broken = list_broken(store, comparison, comparison.changes)
    return ComparisonDocument.of(
        comparison,
        changes=[_change(change, broken[change.baseline_row, change.candidate_row]) for change in comparison.changes],
        baseline_run=ComparedRun.of(comparison.baseline, faithfulness=difference.baseline),
        candidate_run=ComparedRun.of(comparison.candidate, faithfulness=difference.candidate),
        judge_noise=None if noise is None else NoiseFigures.of(noise, explains_delta=comparison.is_judge_noise),
        corrected=_corrected(comparison.corrected),
        only_in_baseline=comparison.pairing.only_in_baseline,
        only_in_candidate=comparison.pairing.only_in_candidate,
    )


def _corrected(corrected: CorrectedDifference | NoCorrectedDifference | None) -> CorrectedChange | None:
    if corrected is None:
        return None
    if isinstance(corrected, NoCorrectedDifference):
        return CorrectedChange(reason=corrected.message)
    interval = "fixed" if corrected.is_final else "anytime"
    return CorrectedChange.of(corrected, ci=corrected.interval, interval=interval)


def _change(change: Change, broken: Sequence[BrokenClaim]) -> AnswerChange:
    return AnswerChange.of(
        change,
        claims_broken=[_compared_claim(claim) for claim in broken if claim.value < 0],
        claims_fixed=[_compared_claim(claim) for claim in broken if claim.value > 0],
    )


def _compared_claim(claim: BrokenClaim) -> ChangedClaim:
    words = claim.after or claim.before
    return ChangedClaim.of(
        claim, text=words.text if words else "", before=_compared_side(claim.before), after=_compared_side(claim.after)
    )


def _compared_side(words: ClaimWords | None) -> ClaimOfRun | None:
    if words is None:
        return None
    return ClaimOfRun.of(words, verdict=NOT_A_CLAIM if words.verdict is None else words.verdict)


def _broken(term: Term, before: Sequence[ClaimWords], after: Sequence[ClaimWords]) -> BrokenClaim:
    return BrokenClaim(
        before=None if term.baseline is None else before[term.baseline - 1],
        after=None if term.candidate is None else after[term.candidate - 1],
        value=term.value,
        cause=term.cause,
    )


def _words(store: Store, run: Run, rows: Sequence[int], view: View) -> Mapping[int, list[ClaimWords]]:
    samples = compared_answers.find_samples(store.db, run.run_id, rows)
    claims = compared_answers.load_claims(store.db, sorted(samples.values()), view)
    texts = compared_answers.load_claim_texts(
        store.db, [claim.claim_id for texts in claims.values() for claim in texts if claim.text is None]
    )
    return {
        row: [
            ClaimWords(
                claim_id=f"{run.run_id}-{row}-{claim.number}" if claim.number is not None else "",
                text=claim.text if claim.text is not None else texts[claim.claim_id],
                verdict=claim.verdict,
            )
            for claim in claims.get(sample_id, [])
        ]
        for row, sample_id in samples.items()
    }


_RATES = ("accuracy", "sensitivity", "specificity", "precision")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A run's agreement with people's labels as a document, and what its words need.

    `figures` are those behind it, `beside` the sentences beside the corrected score, and `reason` says why it has none;
    None where it has one.
    """

    document: AgreementDocument
    figures: JudgeFigures
    beside: list[str]
    reason: str | None


def agreement_document(store: Store, reference: str) -> Agreement:
    """Return a run's agreement with people's labels as a document.

    The figures are those of the page Judges. `basis` says what they rest on: "spot_check" is labels of a spot-check (or
    of all claims), each weighing 1 / its inclusion probability, and `used_claims` counts them. Without a spot-check
    ("flagged", "chosen") the figures are about the labelled claims alone, `sensitivity` and `specificity` are None, and
    `not_known` says why. `weighted` is true where the weights differ. `rates` has each share with its 95 % interval and
    the counts behind it. `confusion` has plain counts of labels, `confusion_shares` the weighted shares.

    Raises:
        NotFound: there is no such run.
    """
    summary = get_summary(store, reference)
    run_ids = [summary.run.run_id]
    settled = settled_claims.list_settled_claims(store.db, run_ids)
    missed = settled_claims.list_missed_claims(store.db, run_ids)
    figures = judge_quality.judge_figures(judged_labels(settled, missed))
    correction = correct_run(store, summary.run.run_id)
    rates = figures.rates
    shares = {} if rates is None else {name: LabelledShare.of(getattr(rates, name)) for name in _RATES}
    document = AgreementDocument.of(
        figures,
        labelled_claims=len(settled),
        confusion={} if figures.confusion is None else figures.confusion.counts,
        confusion_shares={} if figures.confusion is None else figures.confusion.shares,
        judge_faithfulness=summary.score.mean,
        human_corrected=corrected_document(correction),
        not_known=not_known(figures.basis),
        rates=shares,
        **{name: share.value for name, share in shares.items()},
    )
    return Agreement(
        document=document, figures=figures, beside=said_beside(correction), reason=why_not_corrected(correction)
    )


def corrected_document(correction: Correction | None) -> HumanCorrected:
    """Return the corrected score as a document; the estimate is None where there is none.

    `n` counts the labelled units, claims or answers as `unit` says; `labels` the claims on which people settled and
    `labelled_rows` the answers that they are part of. `tied` and `skipped` count drawn claims without a settled label,
    which the interval allows for. `lambda` says how much of the judge is used, in [0, 1]; at 0 the estimate is
    `labels_only`. `trust` says how often reviewers differ, and `target` how far the mean over answers can be.
    """
    if correction is None:
        return HumanCorrected()
    score, errors = correction.score, correction.errors
    counts = {"unit": str(correction.check.design["unit"]), "n": score.labelled}
    if not isinstance(score, CorrectedScore):
        return HumanCorrected.of(correction, **counts)
    return HumanCorrected.of(
        correction,
        **counts,
        estimate=score.corrected.score,
        ci=score.corrected.interval,
        method="ppi++" if score.tuning > 0 else "labels-only",
        trust=ReviewerTrust.of(errors, reviewers=len(errors.reviewers), count_as_truth=not errors.is_known),
        target=CorrectedTarget(no_claims=correction.no_claims, mean_over_answers_within=correction.answers_apart),
        interval="fixed" if correction.is_final else "anytime",
        tuning=score.tuning,
        labels_only=score.labels_only.score,
        labels_only_ci=score.labels_only.interval,
    )


def why_not_corrected(correction: Correction | None) -> str | None:
    """Return a sentence saying why there is no corrected score; None where there is one."""
    if correction is None:
        return (
            "No spot-check was drawn from this run, so the judge's score cannot be corrected: labels given outside a "
            "spot-check are no random sample. Draw one on the Queue page or with `faithview spot-check draw`."
        )
    return correction.score.message if isinstance(correction.score, NotEnoughLabels) else None


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


def versions_document(store: Store, before: str, after: str, documents: DocumentChanges) -> KnowledgeChangesDocument:
    """Return two stored versions side by side, without claims."""
    return KnowledgeChangesDocument.of(
        documents,
        before=VersionSize(version=before, documents=documents.before),
        after=VersionSize(version=after, documents=documents.after),
        **_counts(documents),
        is_seen_in_answers_only=False,
        runs=None,
        documents=[
            ChangedDocumentPart.of(document, passages=_passages(store, document)) for document in documents.changed
        ],
    )


def knowledge_document(store: Store, changes: KnowledgeChanges) -> KnowledgeChangesDocument:
    """Return what changed in the knowledge base between two runs, with the claims that rest on each document."""
    documents = changes.documents
    return KnowledgeChangesDocument.of(
        documents,
        before=VersionSize(version=changes.baseline.kb_version, documents=documents.before),
        after=VersionSize(version=changes.candidate.kb_version, documents=documents.after),
        **_counts(documents),
        is_seen_in_answers_only=not changes.is_stored,
        runs=RunsOverVersions.of(changes, broken=BrokenCounts.of(changes), fixed=FixedCounts.of(changes)),
        documents=[
            ChangedDocumentWithClaims.of(
                one.document, passages=_passages(store, one.document), claims=_claims(store, one.claims)
            )
            for one in changes.changed
        ],
    )


def _counts(documents: DocumentChanges) -> dict[str, int]:
    return {kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}


def _passages(store: Store, document: DocumentChange) -> list[ChangedPassage]:
    texts = load_passages(store, document)
    return [ChangedPassage.of(text, change=change.kind) for change, text in zip(document.passages, texts, strict=True)]


def _claims(store: Store, claims: DocumentClaims) -> RestingClaims:
    listed = [_changed_claim(shown) for shown in list_claims(store, claims.claims)]
    return RestingClaims.of(claims, broken_beside=len(claims.beside), list=listed)


def _changed_claim(shown: ShownClaim) -> RestingClaimChange:
    claim = shown.claim
    return RestingClaimChange.of(
        claim,
        before=_claim_before_or_after(shown.before, claim.before),
        after=_claim_before_or_after(shown.after, claim.after),
    )


def _claim_before_or_after(detail: ClaimDetail | None, side: ClaimSide | None) -> RestingSide | None:
    if side is None:
        return None
    evidence = () if detail is None else detail.quotes
    return RestingSide.of(side, text="" if detail is None else detail.text, evidence=evidence)


UNIT_OF = dict(zip(UNITS, (Unit.CLAIM, Unit.ANSWER), strict=True))


def drawn_document(store: Store, spot_check_id: int) -> DrawnDocument:
    """Return a spot-check with every claim that it drew, in the order of the queue, without the judge's verdicts.

    Raises:
        NotFound: there is no such spot-check.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    return DrawnDocument.of(check, **_design(check), items=_items(store, spot_check_id))


def spot_check_document(store: Store, spot_check_id: int) -> SpotCheckDocument:
    """Return a spot-check with its progress and, for each of its runs, the corrected score or why there is none.

    For a spot-check of listed claims it is instead the share of the list that people call supported, as `list_score`.

    Raises:
        NotFound: there is no such spot-check.
    """
    progress = spot_checks.get_queue_progress(store.db, spot_check_id)
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    is_list = check.population is not None
    return SpotCheckDocument.of(
        check,
        **_design(check),
        items=_items(store, spot_check_id),
        progress=progress,
        runs=[] if is_list else [_run(store, i, spot_check_id) for i in check.run_ids],
        list_score=_list_score(store, spot_check_id) if is_list else None,
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
    design = check.design
    is_stratified = design.get("strata", Strata.NONE.value) != Strata.NONE.value
    return {
        "unit": next(word for word, unit in UNIT_OF.items() if unit.value == design["unit"]),
        "design": "uncertain" if design.get("prefers_uncertain") else "stratified" if is_stratified else "random",
        "seed": design.get("seed"),
    }


def _items(store: Store, spot_check_id: int) -> list[DrawnItem]:
    return [
        DrawnItem.of(item, claim_id=f"{item.drawn.run_id}-{item.drawn.row}-{item.drawn.claim_number}")
        for item in spot_checks.list_items(store.db, spot_check_id)
    ]


def _list_score(store: Store, spot_check_id: int) -> ListScore:
    try:
        correction = score_list(store, spot_check_id)
    except NotFound as error:
        return ListScore(claims=0, human_corrected=corrected_document(None), reason=str(error), beside=[])
    return ListScore.of(correction, claims=correction.answers, **_scored(correction))


def _run(store: Store, run_id: str, spot_check_id: int) -> SpotCheckRun:
    try:
        name, correction = get_run(store, run_id).name, correct_by_check(store, run_id, spot_check_id)
    except NotFound:
        reason = "This run was deleted."
        return SpotCheckRun(
            run_id=run_id, name=None, human_corrected=corrected_document(None), reason=reason, beside=[]
        )
    return SpotCheckRun.of(correction, run_id=run_id, name=name, **_scored(correction))


def _scored(correction: Correction) -> dict[str, object]:
    return {
        "human_corrected": corrected_document(correction),
        "reason": why_not_corrected(correction),
        "beside": said_beside(correction),
    }


# They are FaithView's own, so that no column that came with the rows is in their way.
COLUMNS = "dataset_columns"


def shown_document(
    dataset: NamedDataset,
    version: DatasetVersion,
    *,
    steps: Sequence[VersionStep],
    runs: Sequence[Run],
    counts: VersionCounts,
    rows: Sequence[DatasetRow],
    matching: int,
) -> DatasetDocument:
    """Return what `faithview datasets show --json` prints: the versions, and one of them with its runs and rows.

    `matching` counts the rows that the filter lets through; `rows` are the first of them.
    """
    return DatasetDocument.of(
        dataset,
        versions=[DatasetStep.of(step.version, change=step.change) for step in steps],
        shown=ShownVersion.of(version, counts=counts, runs_over=runs),
        matching=matching,
        rows=[row_document(row) for row in rows],
    )


def row_document(row: DatasetRow) -> dict[str, Any]:
    """Return one row with all its columns, its tags and whether it is held out, as exports hold it."""
    sample = row.sample
    document: dict[str, Any] = {
        "key": sample.key,
        "question": sample.question,
        "answer": sample.answer,
        "chunks": [GivenChunk.of(chunk).to_dict() for chunk in sample.chunks],
        "reference": sample.reference,
        "segment": sample.segment,
        "timestamp": sample.timestamp.isoformat() if sample.timestamp else None,
    }
    if sample.inclusion_probability != 1:
        document["inclusion_probability"] = sample.inclusion_probability
    marks = {DATASET_TAGS: list(row.tags), DATASET_HELD_OUT: row.is_held_out}
    # A column that came with the rows and is called like a field would take the field's place when the file is read.
    taken = {*document, *marks, COLUMNS}
    hidden = {name: value for name, value in sample.extra.items() if name in taken}
    kept = {name: value for name, value in sample.extra.items() if name not in hidden}
    return {**kept, **document, **marks, **({COLUMNS: hidden} if hidden else {})}


def write_rows(
    store: Store,
    dataset: NamedDataset,
    version: DatasetVersion,
    filters: RowFilter,
    *,
    destination: Path,
    file_format: ExportFormat,
) -> int:
    """Write the rows that the filter lets through to a file, however many they are, and return their number.

    The file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written.
    """
    # Both passes over the rows are over the same run, whatever is judged meanwhile.
    source = stored_datasets.find_run(store.db, version.version_id)

    def rows() -> Iterator[table_export_TableRow]:
        return map(_in_order, datasets.iterate_rows(store, dataset, version, filters, source=source))

    with atomic_file(destination) as temporary:
        return write_table_file(rows, temporary, format=file_format)


def _in_order(row: DatasetRow) -> table_export_TableRow:
    """Put what every row has first, so that the columns that came with the rows stand between it and the marks."""
    document = row_document(row)
    first = ("key", "question", "answer", "chunks", "reference", "segment", "timestamp")
    return {**{name: document[name] for name in first}, **document}
