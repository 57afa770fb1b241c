"""Carry labels over from earlier runs to equal claims with equal evidence: find, copy and retract them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Integer, String, exists, func, insert, null, or_, select

from faithview.domain.claim import Verdict
from faithview.domain.label import CARRIED_ELSEWHERE, Label, LabelKind, retracted_ids
from faithview.store import dialect
from faithview.store.claims import text_of
from faithview.store.database import Database
from faithview.store.reviews import LABELS, derive_reviews, label_values, to_label
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import (
    ChunkRow,
    CitationRow,
    ClaimRow,
    EvidenceRow,
    ResultRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
)

_IDS = 500
_OLD, _NEW = SampleRow.__table__.alias("old_sample"), SampleRow.__table__.alias("new_sample")
_OLD_RESULT, _NEW_RESULT = ResultRow.__table__.alias("old_result"), ResultRow.__table__.alias("new_result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """An answer on one side: `question` is its question's hash, None if it has none."""

    sample_id: int
    position: int
    key: str
    question: str | None
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A label of an earlier run whose claim the new run also has.

    `claim_id` and `number` belong to the new claim, None for a missed claim; `judged` and `cited` are the earlier
    judge's verdict and the hashes of the chunks that it cited; the contexts are the hashes of all chunks.
    """

    label: Label
    old_claim: int | None
    old: Side
    new: Side
    claim_id: int | None
    number: int | None
    judged: Verdict | None
    cited: frozenset[str]
    old_context: frozenset[str]
    new_context: frozenset[str]


def list_candidates(db: Database, run_id: str, *, sample_ids: Collection[int] | None = None) -> list[Candidate]:
    """Return the labels of earlier runs on claims that this run also has, including labels that do not count.

    `sample_ids` restricts it to a few answers of the run.
    """
    asked = [_same_claims(run_id), _missed_claims(run_id)]
    if sample_ids is not None:
        asked = [query.where(_NEW.c.id.in_(sample_ids)) for query in asked]
    with db.read() as connection:
        if connection.execute(select(LabelRow.id).where(LabelRow.run_id != run_id).limit(1)).first() is None:
            return []
        rows = [row for query in asked for row in connection.execute(query)]
        if not rows:
            return []
        labels = find_labels(connection, {row.label_id for row in rows})
        contexts = _contexts(connection, {row.old_sample for row in rows} | {row.new_sample for row in rows})
        cited = _citations(connection, {row.old_claim for row in rows if row.old_claim is not None})
    return [_candidate(row, labels[row.label_id], contexts, cited.get(row.old_claim, ())) for row in rows]


def list_copies(db: Database, run_id: str, position: int, claim_number: int) -> dict[str, list[int]]:
    """Return by run the samples of other runs that have copies of this claim's labels, or share their origin."""
    on_claim = (
        select(func.coalesce(LabelRow.origin, LabelRow.id))
        .join(ClaimRow, ClaimRow.id == LabelRow.claim_id)
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .where(ResultRow.run_id == run_id, ResultRow.position == position, ClaimRow.number == claim_number)
    )
    copy = LabelRow.__table__.alias("copy_of_label")
    query = select(copy.c.run_id, copy.c.sample_id).distinct().where(copy.c.origin != CARRIED_ELSEWHERE)
    samples: dict[str, list[int]] = {}
    with db.read() as connection:
        for run, sample_id in connection.execute(query.where(copy.c.origin.in_(on_claim), copy.c.run_id != run_id)):
            samples.setdefault(run, []).append(sample_id)
    return samples


def list_retracted_origins(db: Database, run_id: str) -> set[int]:
    """Return the labels whose copies reviewers retracted in other runs."""
    retraction = LabelRow.__table__.alias()
    query = (
        select(LabelRow.origin)
        .join(retraction, retraction.c.retracts == LabelRow.id)
        .where(LabelRow.origin.is_not(None), retraction.c.origin.is_(None), LabelRow.run_id != run_id)
    )
    with db.read() as connection:
        return {int(origin) for (origin,) in connection.execute(query) if origin is not None}


def _same_claims(run_id: str) -> Any:
    old, new = ClaimRow.__table__.alias("old_claim"), ClaimRow.__table__.alias("new_claim")
    old_text, new_text = InboxClaimRow.__table__.alias("old_text"), InboxClaimRow.__table__.alias("new_text")
    query = _pairs(old.c.id, new.c.id, new.c.number, old.c.verdict)
    return (
        query.select_from(LabelRow)
        .join(old, old.c.id == LabelRow.claim_id)
        # Claims with the same hash share one text in the index of the inbox.
        .join(old_text, old_text.c.claim_id == old.c.id)
        .join(new_text, (new_text.c.text_id == old_text.c.text_id) & (new_text.c.run_id == run_id))
        .join(new, new.c.id == new_text.c.claim_id)
        .join(_OLD, _OLD.c.id == old.c.sample_id)
        .join(_NEW, _NEW.c.id == new.c.sample_id)
        .join(_OLD_RESULT, _OLD_RESULT.c.sample_id == _OLD.c.id)
        .join(_NEW_RESULT, _NEW_RESULT.c.sample_id == _NEW.c.id)
        .where(*_is_earlier(run_id))
    )


def _missed_claims(run_id: str) -> Any:
    empty = [null().cast(Integer), null().cast(Integer), null().cast(Integer), null().cast(String)]
    same = ClaimRow.__table__.alias("old_claim")
    return (
        _pairs(*empty)
        .select_from(LabelRow)
        .join(_OLD, _OLD.c.id == LabelRow.sample_id)
        .join(_OLD_RESULT, _OLD_RESULT.c.sample_id == _OLD.c.id)
        .join(_NEW_RESULT, (_NEW_RESULT.c.run_id == run_id) & (_NEW_RESULT.c.cluster == _OLD_RESULT.c.cluster))
        .join(_NEW, (_NEW.c.id == _NEW_RESULT.c.sample_id) & (_NEW.c.answer == _OLD.c.answer))
        .where(
            *_is_earlier(run_id),
            LabelRow.claim_id.is_(None),
            # If the new run's judge did not miss the claim, it is one of the judge's claims there.
            ~exists().where(same.c.sample_id == _NEW.c.id, text_of(same) == LabelRow.corrected_text),
        )
    )


def _pairs(old_claim: Any, new_claim: Any, number: Any, judged: Any) -> Any:
    return select(
        LabelRow.id.label("label_id"),
        old_claim.label("old_claim"),
        new_claim.label("new_claim"),
        number.label("number"),
        judged.label("judged"),
        _OLD.c.id.label("old_sample"),
        _OLD.c.position.label("old_position"),
        _OLD.c.key.label("old_key"),
        _OLD.c.question.label("old_question"),
        _OLD.c.answer.label("old_answer"),
        _OLD_RESULT.c.cluster.label("old_cluster"),
        _NEW.c.id.label("new_sample"),
        _NEW.c.position.label("new_position"),
        _NEW.c.key.label("new_key"),
        _NEW.c.question.label("new_question"),
        _NEW.c.answer.label("new_answer"),
        _NEW_RESULT.c.cluster.label("new_cluster"),
    )


def _is_earlier(run_id: str) -> tuple[Any, ...]:
    """The conditions for a label that a reviewer gave (not a copy) in a run with earlier answers."""
    earlier, run = RunRow.__table__.alias("earlier"), RunRow.__table__.alias("later")
    runs = (
        select(earlier.c.id)
        .join(run, run.c.id == run_id)
        .where(earlier.c.id != run_id, or_(earlier.c.as_of < run.c.as_of, earlier.c.created_at < run.c.created_at))
    )
    return LabelRow.run_id.in_(runs), LabelRow.origin.is_(None)


def _candidate(row: Any, label: Label, contexts: Mapping[int, Mapping[int, str]], cited: Iterable[int]) -> Candidate:
    old = contexts.get(row.old_sample, {})
    return Candidate(
        label=label,
        old_claim=row.old_claim,
        old=_pair_side(
            row.old_sample, row.old_position, row.old_key, row.old_question, row.old_answer, row.old_cluster
        ),
        new=_pair_side(
            row.new_sample, row.new_position, row.new_key, row.new_question, row.new_answer, row.new_cluster
        ),
        claim_id=row.new_claim,
        number=row.number,
        judged=None if row.judged is None else Verdict(row.judged),
        cited=frozenset(old[position] for position in cited if position in old),
        old_context=frozenset(old.values()),
        new_context=frozenset(contexts.get(row.new_sample, {}).values()),
    )


def _pair_side(sample_id: int, position: int, key: str, question: str | None, answer: str, cluster: str) -> Side:
    # An answer without a question is its own cluster, named after its place.
    has_question = bool(question and question.strip())
    return Side(
        sample_id=sample_id, position=position, key=key, question=cluster if has_question else None, answer=answer
    )


def find_labels(connection: Connection, ids: Iterable[int]) -> dict[int, Label]:
    """Return the labels with these ids, by id, without deleted ones."""
    labels: dict[int, Label] = {}
    for batch in _batches(ids):
        query = LABELS.where(LabelRow.id.in_(batch))
        labels.update((row.id, to_label(row)) for row in connection.execute(query))
    return labels


def _contexts(connection: Connection, sample_ids: set[int]) -> dict[int, dict[int, str]]:
    """Return the hashes of each sample's chunks by their positions."""
    hashes: dict[int, dict[int, str]] = {}
    for batch in _batches(sample_ids):
        query = (
            select(SampleChunkRow.sample_id, SampleChunkRow.position, ChunkRow.chunk_hash)
            .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
            .where(SampleChunkRow.sample_id.in_(batch))
        )
        for row in connection.execute(query):
            hashes.setdefault(row.sample_id, {})[row.position] = row.chunk_hash
    return hashes


def _citations(connection: Connection, claim_ids: set[int]) -> dict[int, set[int]]:
    """Return the positions of the chunks that each claim cites or quotes."""
    positions: dict[int, set[int]] = {}
    for batch in _batches(claim_ids):
        for table in (CitationRow, EvidenceRow):
            query = select(table.claim_id, table.chunk_position).where(table.claim_id.in_(batch))
            for claim_id, position in connection.execute(query):
                positions.setdefault(claim_id, set()).add(position)
    return positions


def _batches(ids: Iterable[int]) -> Iterable[list[int]]:
    ordered = sorted(ids)
    return (ordered[first : first + _IDS] for first in range(0, len(ordered), _IDS))


# The number of answers whose labels are written in one transaction.
_BATCH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """A label for the new run: its sample, claim (None for a missed one), and the row with `origin` set."""

    sample_id: int
    claim_id: int | None
    label: Label


def carry(
    db: Database, run_id: str, wanted: Sequence[Carry], *, now: datetime, within: Collection[int] | None = None
) -> None:
    """Make the run's carried-over labels equal `wanted`: add missing labels and retract the others.

    `within` restricts it to some of the run's samples; `wanted` then has only labels of these.

    If a reviewer has labelled a claim in this run, retracted or not, their labels of earlier runs are not added. Labels
    carried over from a deleted run stay. Repeated calls change nothing.
    """
    by_sample: dict[int, list[Carry]] = {}
    for item in wanted:
        by_sample.setdefault(item.sample_id, []).append(item)
    if within is not None:
        sample_ids = sorted(within)
    else:
        with db.read() as connection:
            inherited = select(LabelRow.sample_id).where(LabelRow.run_id == run_id, LabelRow.origin.is_not(None))
            sample_ids = sorted({*by_sample, *connection.execute(inherited.distinct()).scalars()})
    for first in range(0, len(sample_ids), _BATCH):
        batch = sample_ids[first : first + _BATCH]
        with db.bookkeep() as connection:
            _lock(connection, batch)
            changed = _update(connection, run_id, batch, by_sample, now)
            if changed:
                derive_reviews(connection, run_id, sorted(changed))


def count_carried(db: Database, run_id: str) -> tuple[int, int]:
    """Return (claims with a carried-over label that counts, claims with only stale ones that need a new label)."""
    review = ClaimReviewRow
    query = select(
        func.count().filter(review.is_inherited.is_(True)), func.count().filter(review.has_stale.is_(True))
    ).where(review.run_id == run_id)
    with db.read() as connection:
        saved, stale = connection.execute(query).one()
    return int(saved), int(stale)


def list_stale(db: Database, run_id: str) -> list[tuple[int, Label]]:
    """Return (position, label) of the run's stale carried-over labels, in the order of the file."""
    retraction = LabelRow.__table__.alias()
    query = LABELS.where(
        LabelRow.run_id == run_id,
        LabelRow.is_stale.is_(True),
        ~exists().where(retraction.c.retracts == LabelRow.id),
    ).order_by(SampleRow.position, ClaimRow.number, LabelRow.id)
    with db.read() as connection:
        return [(row.position, to_label(row)) for row in connection.execute(query)]


def find_origin(db: Database, label_id: int) -> tuple[str, int, Label] | None:
    """Return (run, position, label) of the origin of a carried-over label; None if it was deleted."""
    with db.read() as connection:
        row = connection.execute(LABELS.where(LabelRow.id == label_id)).one_or_none()
    return None if row is None else (row.run_id, row.position, to_label(row))


def _lock(connection: Connection, sample_ids: Sequence[int]) -> None:
    dialect.lock(connection, dialect.RUNS_LOCK)
    query = select(ResultRow.sample_id).where(ResultRow.sample_id.in_(sample_ids)).order_by(ResultRow.sample_id)
    connection.execute(query.with_for_update()).all()


def _update(
    connection: Connection,
    run_id: str,
    sample_ids: Sequence[int],
    wanted: Mapping[int, Sequence[Carry]],
    now: datetime,
) -> set[int]:
    """Add and retract labels of these answers; return the answers that changed."""
    there: dict[int, list[tuple[int | None, Label]]] = {sample_id: [] for sample_id in sample_ids}
    for row in connection.execute(LABELS.where(LabelRow.sample_id.in_(sample_ids)).order_by(LabelRow.id)):
        there[row.sample_id].append((row.claim_id, to_label(row)))
    values: list[dict[str, object]] = []
    gone: list[tuple[int, int | None, Label]] = []
    for sample_id in sample_ids:
        added, dropped = _difference(there[sample_id], wanted.get(sample_id, ()))
        for item in added:
            values.append(label_values(item.label, run_id=run_id, sample_id=sample_id, claim_id=item.claim_id))
        gone += [(sample_id, claim_id, label) for claim_id, label in dropped]
    # Labels of a deleted run can no longer be retracted, so their copies stay.
    alive = find_labels(connection, {label.origin for _, _, label in gone if label.origin is not None})
    for sample_id, claim_id, label in gone:
        if label.origin in alive:
            retraction = replace(
                label, kind=LabelKind.RETRACTION, verdict=None, at=now, note=None, retracts=label.label_id
            )
            values.append(label_values(retraction, run_id=run_id, sample_id=sample_id, claim_id=claim_id))
    if values:
        connection.execute(insert(LabelRow), values)
    return {int(str(value["sample_id"])) for value in values}


def _difference(
    there: Sequence[tuple[int | None, Label]], wanted: Sequence[Carry]
) -> tuple[list[Carry], list[tuple[int | None, Label]]]:
    """Return which labels of one answer to add, and which carried-over labels to retract."""
    retracted = retracted_ids(label for _, label in there)
    own = {(claim_id, label.reviewer) for claim_id, label in there if label.origin is None and claim_id is not None}
    current = {
        (claim_id, label.origin): label
        for claim_id, label in there
        if label.origin is not None and label.kind is not LabelKind.RETRACTION and label.label_id not in retracted
    }
    wanted_keys = {(item.claim_id, item.label.origin) for item in wanted}
    # A reviewer who retracted a carried-over label in this run decided that it is not valid here.
    refused = {
        (claim_id, label.origin)
        for claim_id, label in there
        if label.label_id in {other.retracts for _, other in there if other.origin is None}
    }
    added = [
        item
        for item in wanted
        if (item.claim_id, item.label.origin) not in {*current, *refused}
        and (item.claim_id, item.label.reviewer) not in own
    ]
    added.sort(key=lambda item: item.label.origin or 0)  # oldest first, in any database
    return added, [
        (claim_id, label) for (claim_id, origin), label in current.items() if (claim_id, origin) not in wanted_keys
    ]
