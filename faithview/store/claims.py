"""Verdicts and scores under a view, in queries: look-ups of what `domain.label` and `domain.scoring` computed.

`claim_review` has a row for every claim with labels, with the claim's effective verdict in it (null for "not a claim"),
so a query that uses `effective_verdict` must outer join `claim_review` to `claim`.
"""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, and_, case, func, null, select

from faithview.domain.answer import View
from faithview.domain.certainty import CALIBRATED, SURELY_SUPPORTED
from faithview.domain.claim import Verdict
from faithview.domain.label import VerdictSource
from faithview.domain.result import State
from faithview.domain.scoring import reviewed_state
from faithview.store.schema.review import ClaimReviewRow, SampleReviewRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow

# The sources of a settled verdict; a tie between reviewers is not settled.
SETTLED = (VerdictSource.REVIEWERS.value, VerdictSource.ADJUDICATED.value)


def effective_verdict(view: View) -> ColumnElement[str | None]:
    """Return the verdict that counts in the view: the settled verdict of reviewers, or the judge's.

    Null means that reviewers labelled it "not a claim".
    """
    if view is View.JUDGE:
        return ClaimRow.__table__.c.verdict
    return case((ClaimReviewRow.claim_id.is_(None), ClaimRow.verdict), else_=ClaimReviewRow.verdict)


def settled_verdict() -> ColumnElement[str | None]:
    """Return the settled verdict, "" for "not a claim"; null if it is not settled."""
    return case((ClaimReviewRow.source.in_(SETTLED), func.coalesce(ClaimReviewRow.verdict, "")))


def judge_of_claim() -> ColumnElement[str]:
    """Return the name of the judge that gave a claim's verdict: in a cascade one of its two judges, else the run's."""
    judge = select(RunRow.judge).where(RunRow.id == ClaimRow.run_id).correlate(ClaimRow.__table__).scalar_subquery()
    return func.coalesce(ClaimRow.decided_by, judge)


def is_to_check() -> ColumnElement[bool]:
    """Return whether a claim is to be checked: `domain.certainty.certainty_of`, and reviewers have not settled it."""
    return and_(
        ClaimRow.verdict == Verdict.SUPPORTED,
        ClaimRow.confidence <= SURELY_SUPPORTED,
        judge_of_claim().in_(CALIBRATED),
        func.coalesce(ClaimReviewRow.source, "").not_in(SETTLED),
    )


# The columns of `sample_review` that replace the judge's figures of the same names; only judged answers have scores.
_REVIEWED = (set(SampleReviewRow.__table__.c.keys()) & set(ResultRow.__table__.c.keys())) - {"sample_id", "run_id"}
_SCORES = {"faithfulness", "faithfulness_weighted", "is_faithful"}


def results_under(view: View) -> FromClause:
    """Return the results with the columns of `result`, under the view's verdicts.

    Unlabelled answers have no row in `sample_review` and keep the judge's figures. The corrected score is an estimate
    for a whole run; in that view single answers show the reviewers' verdicts.
    """
    result = ResultRow.__table__
    if view is View.JUDGE:
        return result
    review = SampleReviewRow.__table__
    state = case(
        (review.c.claims.is_(None), result.c.state),
        (review.c.claims == 0, _reviewed_state(result.c.state, claims=0)),
        else_=_reviewed_state(result.c.state, claims=1),
    )

    def choose(name: str) -> ColumnElement[Any]:
        chosen = case((review.c.sample_id.is_(None), result.c[name]), else_=review.c[name])
        return (case((state == State.JUDGED, chosen), else_=null()) if name in _SCORES else chosen).label(name)

    columns = [
        choose(name) if name in _REVIEWED else result.c[name]
        for name in result.c.keys()  # noqa: SIM118 - a collection of columns, not a dict
        if name != "state"
    ]
    joined = result.outerjoin(review, review.c.sample_id == result.c.sample_id)
    return select(*columns, state.label("state")).select_from(joined).subquery("scored")


def _reviewed_state(judged: ColumnElement[str], *, claims: int) -> ColumnElement[str]:
    """Return `scoring.reviewed_state` as a look-up table for the database."""
    states = {state: reviewed_state(state, claims=claims) for state in State}
    return case({old.value: new.value for old, new in states.items() if new is not old}, value=judged, else_=judged)
