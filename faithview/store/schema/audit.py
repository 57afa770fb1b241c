"""The table of the audit log. Rows are only added: the database refuses to change or delete them.

It has no foreign key, so a row stays when its object is deleted.
"""

from datetime import datetime

from sqlalchemy import ColumnClause, Connection, Index, String

from faithview.store.schema.typed_tables import Base, column


class AuditEntryRow(Base):
    """One row of the audit log, as `domain/audit.py` describes it."""

    __tablename__ = "audit_entry"
    __table_args__ = (Index("ix_audit_entry_who", "who", "id"), Index("ix_audit_entry_action", "action", "id"))

    id: ColumnClause[int] = column(primary_key=True)
    at: ColumnClause[datetime] = column(index=True)
    who: ColumnClause[str]
    action: ColumnClause[str] = column(String(32))
    run_id: ColumnClause[str | None] = column(String(16))
    run_name: ColumnClause[str | None]
    subject: ColumnClause[str | None]
    detail: ColumnClause[str | None]
    items: ColumnClause[int]


# The triggers. A new store has them, and `db check` checks them on SQLite.
AUDIT_TRIGGERS = ("audit_entry_no_update", "audit_entry_no_delete")
_FUNCTION = "refuse_audit_change"
_WORDS = "rows of the audit log are never changed or deleted"


def guard_audit(connection: Connection) -> None:
    """Create the triggers that refuse to change or delete a row of `audit_entry`."""
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        connection.exec_driver_sql(
            f"CREATE FUNCTION {_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{_WORDS}'; END $$"
        )
    for trigger, verb in zip(AUDIT_TRIGGERS, ("UPDATE", "DELETE"), strict=True):
        body = f"BEGIN SELECT RAISE(ABORT, '{_WORDS}'); END"
        if not is_sqlite:
            verb = f"{verb} OR TRUNCATE" if verb == "DELETE" else verb
            # Only statement triggers see TRUNCATE.
            body = f"FOR EACH STATEMENT EXECUTE FUNCTION {_FUNCTION}()"
        connection.exec_driver_sql(f"CREATE TRIGGER {trigger} BEFORE {verb} ON audit_entry {body}")
