"""What people decided about pairs: that two answers, or two claims, belong together or do not."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select

from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.schema.comparison import PairChoiceRow
from faithview.store.schema.runs import RunRow

__all__ = ["PairDecision", "add_decisions", "list_decisions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDecision:
    """A person's decision about two answers or, where claim numbers (from 1) are given, about two of their claims."""

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
    """Store a person's decisions; raises NotFound if one of the runs was deleted."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        for run_id in (baseline_id, candidate_id):
            if connection.execute(select(RunRow.id).where(RunRow.id == run_id)).first() is None:
                raise NotFound(f"There is no run {run_id!r} any more.")
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
