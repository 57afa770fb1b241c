"""The audit log: a row in the transaction of each change."""

from datetime import UTC, datetime

from sqlalchemy import Connection, func, insert, select

from faithview.domain.audit import MOST_CHARACTERS, UNKNOWN, Action, AuditEntry
from faithview.store import dialect
from faithview.store.database import WHO, Database
from faithview.store.schema.audit import AuditEntryRow
from faithview.store.schema.runs import RunRow


def record(
    connection: Connection,
    action: Action,
    *,
    run_id: str | None = None,
    subject: str | None = None,
    detail: str | None = None,
    items: int = 1,
) -> None:
    """Write one row in the transaction of the change that it describes; call it before a run is renamed or deleted.

    Args:
        connection: the connection of `Database.write`, which knows the user.
        action: the action.
        run_id: as in `AuditEntry`; the run's name is looked up.
        subject: the object, on one line, and never a text that is judged.
        detail: the change, with the same limits.
        items: how many objects the change affects.
    """
    connection.execute(
        insert(AuditEntryRow).values(
            at=datetime.now(UTC),
            who=_to_line(connection.get_execution_options()[WHO]()) or UNKNOWN,
            action=action,
            run_id=run_id,
            run_name=select(RunRow.name).where(RunRow.id == run_id).scalar_subquery() if run_id else None,
            subject=_to_line(subject),
            detail=_to_line(detail),
            items=items,
        )
    )


def add(db: Database, action: Action, *, subject: str | None = None, detail: str | None = None) -> None:
    """Write a row that does not belong to a change: a log-in, or a refused change."""
    with db.bookkeep() as connection:
        record(connection, action, subject=subject, detail=detail)


def list_entries(db: Database, *, limit: int | None = None) -> list[AuditEntry]:
    """Return the rows, newest first."""
    query = select(AuditEntryRow.__table__).order_by(AuditEntryRow.id.desc()).limit(limit)
    with db.read() as connection:
        return [AuditEntry(**row._mapping) for row in connection.execute(query)]


def find_last(db: Database, action: Action, *, who: str) -> datetime | None:
    """Return when this action was last recorded; None for never."""
    row = AuditEntryRow
    query = select(func.max(row.at)).where(row.action == action, dialect.equals(row.who, who))
    with db.read() as connection:
        return connection.execute(query).scalar()


def _to_line(text: str | None) -> str | None:
    """Return a text on one line, without characters that databases cannot store, and truncated if it is long."""
    if text is None:
        return None
    line = " ".join(text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "?").split())
    return line if len(line) <= MOST_CHARACTERS else f"{line[: MOST_CHARACTERS - 1]}…"
