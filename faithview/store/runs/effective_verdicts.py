"""The verdict of a claim as an SQL expression: a look-up of what `domain.label.effective_verdict` gave.

`claim_review` has a row for every claim with labels, with the claim's effective verdict in it (null for "not a claim").
Queries that use these expressions must outer join `claim_review` to `claim`.
"""

from sqlalchemy import ColumnElement, case, func

from faithview.domain.label import VerdictSource
from faithview.domain.views import View
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ClaimRow

# The sources of a verdict that people agreed on; a tie between reviewers is not settled.
SETTLED = (VerdictSource.REVIEWERS.value, VerdictSource.ADJUDICATED.value)


def effective_verdict(view: View) -> ColumnElement[str | None]:
    """Return the verdict that counts in the view: people's where they settled on one, else the judge's.

    Null means that people labelled it "not a claim".
    """
    if view is View.JUDGE:
        return ClaimRow.__table__.c.verdict
    return case((ClaimReviewRow.claim_id.is_(None), ClaimRow.verdict), else_=ClaimReviewRow.verdict)


def settled_verdict() -> ColumnElement[str | None]:
    """Return the verdict that people settled on, "" for "not a claim"; null where they have not settled on one."""
    return case((ClaimReviewRow.source.in_(SETTLED), func.coalesce(ClaimReviewRow.verdict, "")))
