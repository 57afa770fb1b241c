"""Labels in queries, and the data derived from them: effective verdicts, scores and open queue items.

A label also applies to the same words in other answers to its question, if the chunks that its claim rests on were
retrieved there too (`domain.label.label_applies`). Nothing is copied: such labels are found when they are read. The
rules are in `domain.label.effective_verdict` and `domain.scoring.ReviewedAnswer`; this module stores the results in the
transaction that adds the labels.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from faithview.domain import scoring
from faithview.domain.claim import ClaimRef, Severity, Verdict
from faithview.domain.label import (
    Label,
    LabelKind,
    LabelRole,
    VerdictSource,
    counts_in_check,
    label_applies,
    valid_labels,
)
from faithview.domain.scoring import ReviewedAnswer, apply_labels
from faithview.domain.spans import Span
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.inbox_index import update_standing
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.review import ClaimReviewRow, LabelRow, SampleReviewRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import (
    CitationRow,
    ClaimRow,
    ResultRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
)

# Labels with their claim's number (null for a missed claim), their row's position, and the probability of the draw.
LABELS = (
    select(
        LabelRow.__table__,
        ClaimRow.number.label("claim_number"),
        SampleRow.position,
        SpotCheckItemRow.inclusion_probability,
    )
    .join(SampleRow, SampleRow.id == LabelRow.sample_id)
    .outerjoin(ClaimRow, ClaimRow.id == LabelRow.claim_id)
    .outerjoin(
        SpotCheckItemRow,
        (SpotCheckItemRow.spot_check_id == LabelRow.spot_check_id) & (SpotCheckItemRow.claim_id == LabelRow.claim_id),
    )
)


def to_label(row: Row[Any]) -> Label:
    """Return the label of a row of `LABELS`."""
    return Label(
        label_id=row.id,
        kind=LabelKind(row.kind),
        reviewer=row.reviewer,
        at=row.at,
        claim_number=row.claim_number,
        verdict=Verdict(row.verdict) if row.verdict else None,
        role=LabelRole(row.role),
        note=row.note,
        corrected_text=row.corrected_text,
        span=None if row.start is None else Span(start=row.start, end=row.end, occurrence=row.occurrence or 0),
        seconds=row.seconds,
        is_blind=row.is_blind,
        spot_check_id=row.spot_check_id,
        inclusion_probability=row.inclusion_probability,
        retracts=row.retracts,
    )


def list_labels_of(connection: Connection, sample_ids: Sequence[int]) -> dict[int, list[Label]]:
    """Return the labels of each of these answers, oldest first; those that apply from equal claims are included."""
    labels: dict[int, list[Label]] = {sample_id: [] for sample_id in sample_ids}
    for row in connection.execute(LABELS.where(dialect.among(LabelRow.sample_id, sample_ids))):
        labels[row.sample_id].append(to_label(row))
    for sample_id, label in _shared_labels(connection, sample_ids):
        labels[sample_id].append(label)
    return {sample_id: sorted(own, key=lambda label: label.label_id) for sample_id, own in labels.items()}


# Another claim with the same words as `ClaimRow`, in an answer to the same question.
_TWIN = ClaimRow.__table__.alias("twin")
_TWIN_RESULT = ResultRow.__table__.alias("twin_result")


def _with_twins(query: Any) -> Any:
    """Join to a query of labels the claims with equal words, whether their chunks are the same or not."""
    text, twin_text = InboxClaimRow.__table__.alias("own_text"), InboxClaimRow.__table__.alias("twin_text")
    return (
        query.join(ResultRow, ResultRow.sample_id == LabelRow.sample_id)
        .join(text, text.c.claim_id == LabelRow.claim_id)
        .join(twin_text, twin_text.c.text_key == text.c.text_key)
        .join(_TWIN, (_TWIN.c.id == twin_text.c.claim_id) & (_TWIN.c.id != LabelRow.claim_id))
        .join(
            _TWIN_RESULT,
            (_TWIN_RESULT.c.sample_id == _TWIN.c.sample_id) & (_TWIN_RESULT.c.cluster == ResultRow.cluster),
        )
    )


def _shared_labels(connection: Connection, sample_ids: Sequence[int]) -> Iterable[tuple[int, Label]]:
    """Yield (answer, label) for the labels that apply to claims of these answers and were given on equal ones."""
    query: Any = _with_twins(LABELS).add_columns(
        _TWIN.c.sample_id.label("twin_sample"), _TWIN.c.number.label("twin_number"), ClaimRow.verdict.label("judged")
    )
    rows = connection.execute(query.where(dialect.among(_TWIN.c.sample_id, sample_ids))).all()
    contexts = _contexts(connection, {row.sample_id for row in rows} | {row.twin_sample for row in rows})
    cited = _citations(connection, {row.claim_id for row in rows})
    applying: dict[tuple[int, int], set[int | None]] = {}
    for row in sorted(rows, key=lambda row: row.id):
        label = to_label(row)
        # A retraction applies where the label that it takes back does.
        place = (row.twin_sample, row.twin_number)
        if label.retracts is not None:
            applies = label.retracts in applying.get(place, ())
        else:
            verdict = label.verdict
            # Chunks cited for "not mentioned" are not evidence; a reviewer who saw support saw it in some chunk.
            is_cited = row.judged != Verdict.NOT_MENTIONED or verdict is Verdict.NOT_MENTIONED
            context = contexts.get(row.sample_id, {})
            applies = label_applies(
                verdict,
                cited={context[at] for at in cited.get(row.claim_id, ()) if at in context} if is_cited else set(),
                context=set(context.values()),
                other_context=set(contexts.get(row.twin_sample, {}).values()),
            )
            if applies:
                applying.setdefault(place, set()).add(label.label_id)
        if applies:
            given_on = ClaimRef(run_id=row.run_id, row=row.position, claim_number=row.claim_number)
            yield row.twin_sample, replace(label, claim_number=row.twin_number, given_on=given_on)


def find_twins(connection: Connection, sample_ids: Sequence[int]) -> set[int]:
    """Return the answers whose claims equal labelled claims of these answers; their runs' caches expire."""
    query = _with_twins(select(_TWIN.c.sample_id, _TWIN.c.run_id).select_from(LabelRow))
    rows = connection.execute(query.where(dialect.among(LabelRow.sample_id, sample_ids)).distinct()).all()
    changed = dialect.among(RunRow.id, {row.run_id for row in rows})
    # The stored summary has the judge's figures, which no label changes, so it is as new as before.
    newer = {"revision": RunRow.revision + 1, "summary_revision": RunRow.summary_revision + 1}
    connection.execute(update(RunRow).where(changed).values(newer))
    return {row.sample_id for row in rows}


def apply_earlier_labels(db: Database, run_id: str) -> None:
    """Derive the reviews of a run's answers whose claims were labelled in other answers, once it has its claims."""
    query = _with_twins(select(_TWIN.c.sample_id).select_from(LabelRow)).where(_TWIN.c.run_id == run_id)
    with db.bookkeep() as connection:
        derive_reviews(connection, sorted(connection.execute(query.distinct()).scalars()))


def _contexts(connection: Connection, sample_ids: Collection[int]) -> dict[int, dict[int, int]]:
    """Return the ids of each answer's chunks by their positions; equal chunks have one id."""
    query = select(SampleChunkRow.sample_id, SampleChunkRow.position, SampleChunkRow.chunk_id)
    chunks: dict[int, dict[int, int]] = {}
    for row in connection.execute(query.where(dialect.among(SampleChunkRow.sample_id, sample_ids))):
        chunks.setdefault(row.sample_id, {})[row.position] = row.chunk_id
    return chunks


def _citations(connection: Connection, claim_ids: Collection[int]) -> dict[int, set[int]]:
    """Return the positions of the chunks that each claim cites or quotes."""
    quoted = select(ClaimRow.id, ClaimRow.evidence).where(dialect.among(ClaimRow.id, claim_ids))
    positions = {row.id: {item[0] for item in row.evidence or ()} for row in connection.execute(quoted)}
    cited = select(CitationRow.claim_id, CitationRow.chunk_position)
    for claim_id, position in connection.execute(cited.where(dialect.among(CitationRow.claim_id, claim_ids))):
        positions[claim_id].add(position)
    return positions


def derive_all_reviews(connection: Connection) -> None:
    """Derive the reviews of every labelled answer again, after a change of the rules."""
    labelled = list(connection.execute(select(LabelRow.sample_id).distinct()).scalars())
    reviewed = connection.execute(select(SampleReviewRow.sample_id)).scalars()
    derive_reviews(connection, sorted({*labelled, *reviewed, *find_twins(connection, labelled)}))


def derive_reviews(connection: Connection, sample_ids: Sequence[int]) -> None:
    """Derive the reviews of these answers from their labels and replace the stored ones."""
    claims = _load_claims(connection, sample_ids)
    labels = list_labels_of(connection, sample_ids)
    wholes = _scored_without_claims(connection, [i for i in sample_ids if labels[i] and not claims[i]])
    runs = select(SampleRow.id, SampleRow.run_id, RunRow.threshold).join(RunRow, RunRow.id == SampleRow.run_id)
    claim_reviews: list[dict[str, object]] = []
    sample_reviews: list[dict[str, object]] = []
    for sample_id, run_id, threshold in connection.execute(runs.where(dialect.among(SampleRow.id, sample_ids))).all():
        counting = labels[sample_id]
        if sample_id in wholes:
            counting = scoring.labels_on_whole(counting, length=wholes[sample_id])
        rows, scores = _review_rows(claims[sample_id], counting, threshold)
        keys = {"sample_id": sample_id, "run_id": run_id}
        claim_reviews += [{**row, **keys} for row in rows]
        if scores is not None:
            sample_reviews.append({**scores, **keys})
    for table in (ClaimReviewRow, SampleReviewRow):
        connection.execute(delete(table).where(dialect.among(table.sample_id, sample_ids)))
    if claim_reviews:
        connection.execute(insert(ClaimReviewRow), claim_reviews)
    if sample_reviews:
        connection.execute(insert(SampleReviewRow), sample_reviews)
    update_standing(connection, sample_ids)
    _update_queue_items(connection, claims, labels)


def _load_claims(connection: Connection, sample_ids: Sequence[int]) -> dict[int, list[Row[Any]]]:
    claims: dict[int, list[Row[Any]]] = {sample_id: [] for sample_id in sample_ids}
    query: Any = (
        select(ClaimRow.id, ClaimRow.sample_id, ClaimRow.number, ClaimRow.verdict)
        .add_columns(ClaimRow.severity, ClaimRow.confidence)
        .where(dialect.among(ClaimRow.sample_id, sample_ids))
        .order_by(ClaimRow.sample_id, ClaimRow.number)
    )
    for row in connection.execute(query):
        claims[row.sample_id].append(row)
    return claims


def _scored_without_claims(connection: Connection, sample_ids: Sequence[int]) -> dict[int, int]:
    """Return the length of each of these answers that another tool scored as a whole."""
    query = (
        select(ResultRow.sample_id, func.length(SampleRow.answer))
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .where(dialect.among(ResultRow.sample_id, sample_ids), ResultRow.faithfulness.is_not(None))
        .where(ResultRow.claims == 0)
    )
    return dict(connection.execute(query).all())


def _review_rows(
    claims: Sequence[Row[Any]], labels: Sequence[Label], threshold: float
) -> tuple[list[dict[str, object]], dict[str, object] | None]:
    """Return the rows of `claim_review` of one answer, and its row of `sample_review` if it has labels."""
    answer = apply_labels([Verdict(claim.verdict) for claim in claims], labels)
    rows: list[dict[str, object]] = [
        {
            "claim_id": claim.id,
            "verdict": effective.verdict,
            "source": effective.source,
            "reviewers": effective.reviewers,
            "is_shared": effective.is_shared,
        }
        for claim, effective in zip(claims, answer.effective, strict=True)
        if effective.source is not VerdictSource.JUDGE
    ]
    if not answer.labelled:
        return rows, None
    return rows, {**_score_columns(answer, threshold), "worst_harm": _worst_harm(claims, answer)}


def _worst_harm(claims: Sequence[Row[Any]], answer: ReviewedAnswer) -> float | None:
    harms = [
        scoring.expected_harm(
            effective.verdict,
            Severity(claim.severity) if claim.severity else None,
            scoring.SETTLED_CONFIDENCE if effective.is_settled else claim.confidence,
        )
        for claim, effective in zip(claims, answer.effective, strict=True)
        if effective.verdict is not None
    ]
    harms += [scoring.expected_harm(label.verdict, None, scoring.SETTLED_CONFIDENCE) for label in answer.missed]
    return max(harms, default=None)


def _score_columns(answer: ReviewedAnswer, threshold: float) -> dict[str, object]:
    verdicts = answer.verdicts
    return {
        "faithfulness": scoring.faithfulness(verdicts),
        "faithfulness_weighted": scoring.faithfulness_weighted(verdicts),
        "is_faithful": scoring.is_faithful(verdicts, threshold=threshold),
        "claims": len(verdicts),
        **{verdict.value: verdicts.count(verdict) for verdict in Verdict},
        "labelled": answer.labelled,
    }


def _update_queue_items(
    connection: Connection, claims: Mapping[int, Sequence[Row[Any]]], labels: Mapping[int, Sequence[Label]]
) -> None:
    """Close the queue items of claims that enough reviewers have labelled, and open the others."""
    of_claim = {
        claim.id: [label for label in labels[sample_id] if label.claim_number == claim.number]
        for sample_id, rows in claims.items()
        for claim in rows
    }
    query: Any = (
        select(SpotCheckItemRow.__table__, SpotCheckRow.reviewers_per_item, SpotCheckRow.is_blind)
        .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
        .where(dialect.among(SpotCheckItemRow.claim_id, of_claim))
    )
    for item in connection.execute(query).all():
        people = {
            label.reviewer
            for label in valid_labels(of_claim[item.claim_id])
            if counts_in_check(label, spot_check_id=item.spot_check_id, is_blind=item.is_blind)
        }
        changed = update(SpotCheckItemRow).where(SpotCheckItemRow.id == item.id)
        connection.execute(changed.values(is_open=len(people) < item.reviewers_per_item))
