"""Which scores a query reads: the judge's, or those under the verdicts that people settled on."""

from sqlalchemy import FromClause, case, func, literal, select

from faithview.domain.result import State
from faithview.domain.views import View
from faithview.store.schema.review import SampleReviewRow
from faithview.store.schema.runs import ResultRow

_REVIEWED = (
    "faithfulness",
    "faithfulness_weighted",
    "is_faithful",
    "claims",
    "supported",
    "partially_supported",
    "not_mentioned",
    "contradicted",
)


def scored(view: View) -> FromClause:
    """Return the results with the columns of `result`, scored as the view says.

    Under people's verdicts an answer all of whose claims are none has no claims, and one in which people found a claim
    that the judge missed is a judged one. The corrected score is an estimate for a whole run; single answers show what
    people found.
    """
    result = ResultRow.__table__
    if view is View.JUDGE:
        return result
    review = SampleReviewRow.__table__
    state = case(
        (review.c.claims.is_(None), result.c.state),
        (review.c.claims == 0, literal(State.NO_CLAIMS.value)),
        (result.c.state == State.NO_CLAIMS.value, literal(State.JUDGED.value)),
        else_=result.c.state,
    )
    columns = [
        func.coalesce(review.c[name], result.c[name]).label(name) if name in _REVIEWED else result.c[name]
        for name in result.c.keys()  # noqa: SIM118 - a collection of columns, not a dict
        if name != "state"
    ]
    joined = result.outerjoin(review, review.c.sample_id == result.c.sample_id)
    return select(*columns, state.label("state")).select_from(joined).subquery("scored")
