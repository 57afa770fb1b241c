"""Cached comparisons, each with a stamp of its inputs, and users' decisions about pairs.

A decision says that two answers, or two claims, belong together or do not.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, delete, func, insert, select

from faithview.domain.answer import View
from faithview.domain.audit import Action
from faithview.domain.errors import NotFound, StoreError, StoreReplaced
from faithview.domain.run import Run
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.comparison import ComparisonRow, KnowledgeBaseRow, PairChoiceRow
from faithview.store.schema.review import LabelRow, SpotCheckItemRow
from faithview.store.schema.runs import RunRow

_LOGGER = logging.getLogger(__name__)


def make_stamp(db: Database, baseline: Run, candidate: Run, view: View) -> str:
    """Return everything that a comparison of the two runs depends on, as one line.

    A cached comparison is valid as long as its stamp is the same.
    """
    ids = [baseline.run_id, candidate.run_id]
    versions = [run.kb_version for run in (baseline, candidate) if run.kb_version is not None]
    with db.read() as connection:
        revisions = _list_revisions(connection, ids)
        decision = connection.execute(
            select(func.max(PairChoiceRow.id)).where(
                PairChoiceRow.baseline_id == ids[0], PairChoiceRow.candidate_id == ids[1]
            )
        ).scalar()
        labels = [] if view is View.JUDGE else _list_newest_labels(connection, ids)
        check = _newest_spot_check(connection, ids) if view is View.CORRECTED else None
        knowledge_bases = connection.execute(
            select(KnowledgeBaseRow.version, KnowledgeBaseRow.created_at)
            .where(KnowledgeBaseRow.version.in_(versions))
            .order_by(KnowledgeBaseRow.version)
        ).all()
    parts = [
        *sorted(f"{run_id}={revision}{status}" for run_id, revision, status in revisions),
        f"spot-check={check or 0}",
        f"choices={decision or 0}",
        *sorted(f"labels {run_id}={newest}" for run_id, newest in labels),
        *(f"{run.kb_version!r}" for run in (baseline, candidate)),
        *(f"{version!r} {at.isoformat()}" for version, at in knowledge_bases),
    ]
    return " ".join(parts)


def find_document(db: Database, baseline: Run, candidate: Run, view: View, *, stamp: str) -> str | None:
    """Return the cached comparison if its stamp is still the same."""
    query = select(ComparisonRow.document).where(
        ComparisonRow.baseline_id == baseline.run_id,
        ComparisonRow.candidate_id == candidate.run_id,
        ComparisonRow.view == view.value,
        ComparisonRow.stamp == stamp,
    )
    with db.read() as connection:
        return connection.execute(query).scalar_one_or_none()


def save_document(db: Database, baseline: Run, candidate: Run, view: View, *, stamp: str, document: str) -> None:
    """Cache a comparison in place of an older one of the same two runs.

    Does nothing if a run was deleted, or if the store is read-only, locked or full; the comparison is then computed
    again next time.
    """
    if db.is_read_only:
        return
    try:
        with db.bookkeep() as connection:
            _replace(connection, baseline, candidate, view, stamp=stamp, document=document)
    except StoreReplaced:
        raise
    except StoreError as error:
        _LOGGER.info("A comparison was not cached: %s", error)


def _replace(connection: Connection, baseline: Run, candidate: Run, view: View, *, stamp: str, document: str) -> None:
    # Two users may open the same comparison at once, and a third may delete a run.
    dialect.lock(connection, dialect.RUNS_LOCK)
    present = connection.execute(
        select(func.count()).select_from(RunRow).where(RunRow.id.in_((baseline.run_id, candidate.run_id)))
    ).scalar_one()
    if present < 2:
        return
    connection.execute(
        delete(ComparisonRow).where(
            ComparisonRow.baseline_id == baseline.run_id,
            ComparisonRow.candidate_id == candidate.run_id,
            ComparisonRow.view == view.value,
        )
    )
    connection.execute(
        insert(ComparisonRow),
        {
            "baseline_id": baseline.run_id,
            "candidate_id": candidate.run_id,
            "view": view.value,
            "stamp": stamp,
            "document": document,
        },
    )


def _list_revisions(connection: Connection, run_ids: Sequence[str]) -> Sequence[Row[str, int, str]]:
    """Return id, revision and status of both runs and of their repeats, which give the judge's noise."""
    repeated = select(RunRow.repeat_of).where(RunRow.id.in_(run_ids), RunRow.repeat_of.is_not(None))
    family = set(run_ids) | set(connection.execute(repeated).scalars())
    return connection.execute(
        select(RunRow.id, RunRow.revision, RunRow.status).where(RunRow.id.in_(family) | RunRow.repeat_of.in_(family))
    ).all()


def _list_newest_labels(connection: Connection, run_ids: Sequence[str]) -> Sequence[Row[str, int]]:
    return connection.execute(
        select(LabelRow.run_id, func.max(LabelRow.id)).where(LabelRow.run_id.in_(run_ids)).group_by(LabelRow.run_id)
    ).all()


def _newest_spot_check(connection: Connection, run_ids: Sequence[str]) -> int | None:
    query = select(func.max(SpotCheckItemRow.spot_check_id)).where(SpotCheckItemRow.run_id.in_(run_ids))
    return connection.execute(query).scalar()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDecision:
    """A user's decision about two answers or, with claim numbers (from 1), about two of their claims."""

    baseline_row: int
    candidate_row: int
    baseline_claim: int | None = None
    candidate_claim: int | None = None
    belong_together: bool


def add_decisions(
    db: Database,
    baseline_id: str,
    candidate_id: str,
    decisions: Sequence[PairDecision],
    *,
    by: str | None,
    now: datetime,
) -> None:
    """Store a user's decisions; raises NotFound if one of the runs was deleted."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        for run_id in (baseline_id, candidate_id):
            if connection.execute(select(RunRow.id).where(RunRow.id == run_id)).first() is None:
                raise NotFound(f"Run {run_id!r} no longer exists.")
        connection.execute(
            insert(PairChoiceRow),
            [
                {
                    "baseline_id": baseline_id,
                    "candidate_id": candidate_id,
                    "baseline_row": decision.baseline_row,
                    "candidate_row": decision.candidate_row,
                    "baseline_claim": decision.baseline_claim,
                    "candidate_claim": decision.candidate_claim,
                    "belong_together": decision.belong_together,
                    "decided_by": by,
                    "at": now,
                }
                for decision in decisions
            ],
        )
        record(connection, Action.PAIRS_DECIDED, run_id=candidate_id, subject=baseline_id, items=len(decisions))


def list_decisions(db: Database, baseline_id: str, candidate_id: str) -> list[PairDecision]:
    """Return the newest decision about each pair, oldest first."""
    query = (
        select(PairChoiceRow)
        .with_only_columns(
            PairChoiceRow.baseline_row,
            PairChoiceRow.candidate_row,
            PairChoiceRow.baseline_claim,
            PairChoiceRow.candidate_claim,
            PairChoiceRow.belong_together,
        )
        .where(PairChoiceRow.baseline_id == baseline_id, PairChoiceRow.candidate_id == candidate_id)
        .order_by(PairChoiceRow.id)
    )
    newest: dict[tuple[object, ...], PairDecision] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            decision = PairDecision(**row._mapping)
            pair = (
                decision.baseline_row,
                decision.candidate_row,
                decision.baseline_claim,
                decision.candidate_claim,
            )
            newest.pop(pair, None)
            newest[pair] = decision
    return list(newest.values())
