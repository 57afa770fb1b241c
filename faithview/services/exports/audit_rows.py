"""The audit log as the rows of a table to download."""

from collections.abc import Iterable, Iterator

from faithview.documents.live import AuditEntryPart
from faithview.domain.audit import AuditEntry
from faithview.services.exports.tables import TableRow


def audit_rows(entries: Iterable[AuditEntry]) -> Iterator[TableRow]:
    """Yield the rows of the audit log as those of a table."""
    return (AuditEntryPart.of(entry).to_dict() for entry in entries)
