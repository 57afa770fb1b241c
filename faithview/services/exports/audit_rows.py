"""The audit log as a document and as the rows of a table to download."""

from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import Any

from faithview.domain.audit import AuditEntry
from faithview.services.exports.tables import TableRow


def entry_document(entry: AuditEntry) -> dict[str, Any]:
    """Return one row of the audit log, as `faithview audit --json` prints it."""
    return {
        "id": entry.entry_id,
        "at": entry.at.astimezone(UTC).isoformat(),
        "who": entry.who,
        "kind": entry.action.kind.value,
        "action": entry.action.value,
        "run_id": entry.run_id,
        "run_name": entry.run_name,
        "subject": entry.subject,
        "detail": entry.detail,
        "items": entry.items,
    }


def audit_rows(entries: Iterable[AuditEntry]) -> Iterator[TableRow]:
    """Yield the rows of the audit log as those of a table."""
    return map(entry_document, entries)
