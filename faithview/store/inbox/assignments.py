"""Who should label which claims."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select

from faithview.domain.audit import Action
from faithview.domain.inbox import InboxFilter
from faithview.store import dialect
from faithview.store.audit.entries import record
from faithview.store.database import Database
from faithview.store.inbox.claim_filters import conditions
from faithview.store.schema.inbox import InboxAssignmentRow, InboxClaimRow


def assign_claims(
    db: Database,
    run_ids: Sequence[str],
    filters: InboxFilter,
    group_ids: Sequence[int],
    *,
    reviewer: str | None,
    assigned_by: str,
    at: datetime,
) -> int:
    """Assign the claims of these groups that a filter lets through to somebody, or to nobody; return how many."""
    where = [*conditions(filters, run_ids, dialect_name=db.dialect_name), InboxClaimRow.text_id.in_(group_ids)]
    with db.write() as connection:
        # In one order, so that two who assign the same claims on PostgreSQL wait for each other and not in a circle.
        listed = select(InboxClaimRow.claim_id).where(*where).order_by(InboxClaimRow.claim_id)
        claim_ids = list(connection.execute(listed).scalars())
        for batch in dialect.batches(claim_ids):
            connection.execute(delete(InboxAssignmentRow).where(InboxAssignmentRow.claim_id.in_(batch)))
            if reviewer is not None:
                row = {"reviewer": reviewer, "assigned_by": assigned_by, "at": at}
                connection.execute(insert(InboxAssignmentRow), [{"claim_id": claim_id, **row} for claim_id in batch])
        if claim_ids:
            record(connection, Action.CLAIMS_ASSIGNED, detail=reviewer or "nobody", items=len(claim_ids))
    return len(claim_ids)
