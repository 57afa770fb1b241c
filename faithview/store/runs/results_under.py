"""Results under a view: the judge's, or those under people's verdicts. A look-up; the rules are in `domain.scoring`."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, case, null, select

from faithview.domain.result import State
from faithview.domain.scoring import reviewed_state
from faithview.domain.views import View
from faithview.store.schema.review import SampleReviewRow
from faithview.store.schema.runs import ResultRow

# What `sample_review` stores in place of the judge's figures, under the same names; only judged answers have scores.
_REVIEWED = (set(SampleReviewRow.__table__.c.keys()) & set(ResultRow.__table__.c.keys())) - {"sample_id", "run_id"}
_SCORES = {"faithfulness", "faithfulness_weighted", "is_faithful"}


def results_under(view: View) -> FromClause:
    """Return the results with the columns of `result`, under the view's verdicts.

    Answers that nobody labelled have no row in `sample_review` and keep the judge's figures. The corrected score is an
    estimate for a whole run, so in that view single answers show people's verdicts.
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
