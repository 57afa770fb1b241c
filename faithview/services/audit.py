"""The audit log a page at a time and as a table, and the rows that no change of the store writes: log-ins, refusals.

Who may read it is decided where people are known: in the dashboard admins only (`ui/identity.py`), and at the
command line whoever can read the store. Where nobody logs in, the user of this computer is who writes.

"""

import getpass
import os
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from faithview.documents.live import AuditEntryPart
from faithview.domain.audit import Action, AuditEntry, AuditFilter
from faithview.formats.table_file import TableRow
from faithview.services.container import Store
from faithview.settings import ACTING_FOR_VARIABLE
from faithview.store import audit

PAGE_SIZE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Rows of one page, the newest first; `total` counts those of all pages, and `page` counts from 1."""

    entries: tuple[AuditEntry, ...]
    total: int
    page: int

    @property
    def pages(self) -> int:
        """How many pages there are; at least 1."""
        return max(1, -(-self.total // PAGE_SIZE))


def list_page(store: Store, wanted: AuditFilter, *, page: int = 1) -> AuditPage:
    """Return a page of the rows that are wanted; the last one for a page that is not there."""
    total = audit.count_entries(store.db, wanted)
    page = max(1, min(page, -(-total // PAGE_SIZE)))
    rows = audit.list_entries(store.db, wanted, limit=PAGE_SIZE, offset=(page - 1) * PAGE_SIZE)
    return AuditPage(entries=tuple(rows), total=total, page=page)


def note_log_in(store: Store, email: str, *, issued_at: datetime | None) -> None:
    """Write down a log-in; each once, however many tabs of the browser it opens.

    Args:
        store: FaithView.
        email: the person's verified address, who is the one that writes now.
        issued_at: when the provider let them in; None where it does not say, and then each session counts.
    """
    last = audit.find_last(store.db, Action.LOGGED_IN, who=email)
    if last is None or issued_at is None or last < issued_at:
        audit.add(store.db, Action.LOGGED_IN)


def note_log_out(store: Store) -> None:
    """Write down that whoever writes now has logged out."""
    audit.add(store.db, Action.LOGGED_OUT)


def note_refused_log_in(store: Store, email: str) -> None:
    """Write down that somebody logged in with an address that their provider has not verified."""
    audit.add(store.db, Action.LOG_IN_REFUSED, subject=email, detail="address not verified")


def note_refused_write(store: Store, place: str, reason: str) -> None:
    """Write down that a change was refused at a place of the dashboard, and why."""
    audit.add(store.db, Action.WRITE_REFUSED, subject=place, detail=reason)


def command_line_user(environ: Mapping[str, str] | None = None) -> str:
    """Return who uses the command line: "command line: ada@laptop".

    The dashboard judges runs with `faithview resume`, which acts for the person who pressed the button.
    """
    acting_for = (os.environ if environ is None else environ).get(ACTING_FOR_VARIABLE)
    return acting_for or f"command line: {_user_and_host()}"


def python_user() -> str:
    """Return who uses the Python API: "Python: ada@laptop"."""
    return f"Python: {_user_and_host()}"


def _user_and_host() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        user = f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown user"
    return f"{user}@{socket.gethostname()}"


def audit_rows(entries: Iterable[AuditEntry]) -> Iterator[TableRow]:
    """Yield the rows of the audit log as those of a table."""
    return (AuditEntryPart.of(entry).to_dict() for entry in entries)
