"""The table of the audit log. It has no foreign key, so a row stays when its object is deleted."""

from datetime import datetime

from sqlalchemy import ColumnClause, Index, String

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
