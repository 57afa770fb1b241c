"""Claims of the inbox assigned to somebody who should label them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from faithview.domain.inbox import InboxFilter
from faithview.services.container import Services
from faithview.services.inbox.bulk_labels import listed_claims
from faithview.services.inbox.groups import runs_in_view
from faithview.services.review.labels import clean_reviewer
from faithview.store.inbox import assignments


def assign_groups(
    services: Services,
    group_ids: Sequence[int],
    filters: InboxFilter,
    *,
    reviewer: str | None,
    assigned_by: str,
    series: str | None = None,
) -> int:
    """Assign the listed claims of groups to somebody, or to nobody (None), and return how many there are.

    Raises:
        InvalidInput: a name cannot be used; the groups have no listed claim, or too many.
    """
    listed_claims(services, group_ids, filters, series=series)
    return assignments.assign_claims(
        services.db,
        runs_in_view(services, series),
        filters,
        list(group_ids),
        reviewer=None if reviewer is None else clean_reviewer(reviewer),
        assigned_by=clean_reviewer(assigned_by),
        at=datetime.now(UTC),
    )
