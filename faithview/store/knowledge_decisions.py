"""People's decisions about findings in knowledge bases."""

from sqlalchemy import delete, insert, select

from faithview.domain.audit import Action
from faithview.domain.contradiction import Decision, FindingKind
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.dialect import equals
from faithview.store.schema.comparison import KnowledgeDecisionRow


def save_decision(db: Database, kind: FindingKind, finding: str, decision: Decision | None) -> None:
    """Store a decision in place of an older one about the same finding; None takes it back."""
    table = KnowledgeDecisionRow
    with db.write() as connection:
        connection.execute(delete(table).where(table.kind == kind.value, equals(table.finding, finding)))
        if decision is not None:
            connection.execute(
                insert(table),
                {
                    "kind": kind.value,
                    "finding": finding,
                    "is_confirmed": decision.is_confirmed,
                    "decided_by": decision.decided_by,
                    "at": decision.at,
                },
            )
        record(connection, Action.KNOWLEDGE_DECIDED, subject=kind.value, detail=_describe(decision))


def _describe(decision: Decision | None) -> str:
    if decision is None:
        return "taken back"
    return "confirmed" if decision.is_confirmed else "dismissed"


def load_decisions(db: Database, kind: FindingKind) -> dict[str, Decision]:
    """Return all decisions about findings of a kind, by the findings' keys."""
    table = KnowledgeDecisionRow
    query = select(table.finding, table.is_confirmed, table.decided_by, table.at).where(table.kind == kind.value)
    with db.read() as connection:
        return {
            row.finding: Decision(is_confirmed=row.is_confirmed, decided_by=row.decided_by, at=row.at)
            for row in connection.execute(query)
        }
