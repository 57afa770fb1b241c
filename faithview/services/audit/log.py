"""The audit log as a page at a time and as a table, and the rows that no change of the store writes: log-ins, refusals.

Who may read it is decided where people are known: in the dashboard admins only (`ui/shell/identity.py`), and at the
command line whoever can read the store.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.audit import Action, AuditEntry, AuditFilter
from faithview.services.container import Services
from faithview.store.audit import entries

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


def list_page(services: Services, wanted: AuditFilter, *, page: int = 1) -> AuditPage:
    """Return a page of the rows that are wanted; the last one for a page that is not there."""
    total = entries.count_entries(services.db, wanted)
    page = max(1, min(page, -(-total // PAGE_SIZE)))
    rows = entries.list_entries(services.db, wanted, limit=PAGE_SIZE, offset=(page - 1) * PAGE_SIZE)
    return AuditPage(entries=tuple(rows), total=total, page=page)


def iterate_entries(services: Services, wanted: AuditFilter) -> Iterator[AuditEntry]:
    """Yield all rows that are wanted, the newest first."""
    return entries.iterate_entries(services.db, wanted)


def list_people(services: Services) -> list[str]:
    """Return everybody who has a row, in alphabetical order."""
    return entries.list_people(services.db)


def note_log_in(services: Services, email: str, *, issued_at: datetime | None) -> None:
    """Write down a log-in; each once, however many tabs of the browser it opens.

    Args:
        services: FaithView.
        email: the person's verified address, who is the one that writes now.
        issued_at: when the provider let them in; None where it does not say, and then each session counts.
    """
    last = entries.find_last(services.db, Action.LOGGED_IN, who=email)
    if last is None or issued_at is None or last < issued_at:
        entries.add(services.db, Action.LOGGED_IN)


def note_log_out(services: Services) -> None:
    """Write down that whoever writes now has logged out."""
    entries.add(services.db, Action.LOGGED_OUT)


def note_refused_log_in(services: Services, email: str) -> None:
    """Write down that somebody logged in with an address that their provider has not verified."""
    entries.add(services.db, Action.LOG_IN_REFUSED, subject=email, detail="address not verified")


def note_refused_write(services: Services, place: str, reason: str) -> None:
    """Write down that a change was refused at a place of the dashboard, and why."""
    entries.add(services.db, Action.WRITE_REFUSED, subject=place, detail=reason)
