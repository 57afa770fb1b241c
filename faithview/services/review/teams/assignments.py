"""Queues of their own for reviewers: which spot-checks they are asked to label, and what waits for another reviewer.

An assignment says whom a spot-check is meant for. It keeps nobody else away: whoever opens the spot-check may label its
claims, and as many people as it wants label each of them (`store/review/leases.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.errors import InvalidInput
from faithview.domain.spot_check import QueueProgress, SpotCheck
from faithview.services.container import Services
from faithview.services.review import queue
from faithview.services.review.labels import clean_reviewer
from faithview.store.review.teams import assignments
from faithview.store.review.teams.assignments import OpenClaims


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerQueue:
    """A spot-check as one reviewer meets it.

    `assigned` are the people in whose queues it is. `open` counts the claims that lack a label; without a reviewer all
    of them are left.
    """

    check: SpotCheck
    assigned: tuple[str, ...]
    progress: QueueProgress
    open: OpenClaims

    @property
    def is_done(self) -> bool:
        """Whether every claim has all its labels."""
        return self.progress.done >= self.progress.items


def assign_check(services: Services, spot_check_id: int, reviewers: Sequence[str], *, assigned_by: str) -> None:
    """Put a spot-check into reviewers' own queues.

    Raises:
        NotFound: there is no such spot-check.
        InvalidInput: a name is invalid, or none is given.
    """
    names = _clean(reviewers)
    author = clean_reviewer(assigned_by)
    assignments.assign(services.db, spot_check_id, names, assigned_by=author, now=datetime.now(UTC))


def unassign_check(services: Services, spot_check_id: int, reviewer: str) -> None:
    """Take a spot-check out of a reviewer's queue; their labels stay."""
    assignments.unassign(services.db, spot_check_id, reviewer)


def list_queues(services: Services, reviewer: str | None) -> list[ReviewerQueue]:
    """Return all spot-checks as a reviewer meets them, newest first; None for somebody who has given no name."""
    assigned = assignments.list_assignments(services.db)
    # Nobody's name is empty, so no label is theirs and every open claim is left.
    open_claims = assignments.count_open(services.db, reviewer=reviewer or "")
    return [
        ReviewerQueue(
            check=check,
            assigned=assigned.get(check.spot_check_id, ()),
            progress=queue.get_queue_progress(services, check.spot_check_id),
            open=open_claims.get(check.spot_check_id, OpenClaims()),
        )
        for check in queue.list_spot_checks(services)
    ]


def get_reviewer_queue(services: Services, spot_check_id: int, reviewer: str) -> ReviewerQueue:
    """Return one spot-check as a reviewer meets it; raises NotFound."""
    return ReviewerQueue(
        check=queue.get_spot_check(services, spot_check_id),
        assigned=assignments.list_assignments(services.db).get(spot_check_id, ()),
        progress=queue.get_queue_progress(services, spot_check_id),
        open=assignments.count_open(services.db, reviewer=reviewer, spot_check_id=spot_check_id).get(
            spot_check_id, OpenClaims()
        ),
    )


def list_reviewers(services: Services) -> list[str]:
    """Return the names of everybody who has labelled a claim or has been asked to, in alphabetical order."""
    return assignments.list_reviewers(services.db)


def _clean(reviewers: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(clean_reviewer(name) for name in reviewers))
    if not names:
        raise InvalidInput("Choose at least one reviewer.")
    return names
