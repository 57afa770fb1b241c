"""The table of the audit log. It has no foreign key: a row stays when its object is deleted.

Rows are only ever added: triggers refuse to change or delete one (`store/append_only.py`).
"""

from datetime import datetime

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from faithview.store.schema.runs import Base


class AuditEntryRow(Base):
    """One row of the audit log, as `domain/audit.py` describes it."""

    __tablename__ = "audit_entry"
    __table_args__ = (Index("ix_audit_entry_who", "who", "id"), Index("ix_audit_entry_action", "action", "id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    who: Mapped[str]
    action: Mapped[str] = mapped_column(String(32))
    run_id: Mapped[str | None] = mapped_column(String(16))
    run_name: Mapped[str | None]
    subject: Mapped[str | None]
    detail: Mapped[str | None]
    items: Mapped[int]
