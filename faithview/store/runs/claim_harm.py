"""The expected harm of a claim as an SQL expression; the rule is `domain.scoring.expected_harm`."""

from sqlalchemy import ColumnElement, Float, case, cast, func, literal

from faithview.domain.claim import Verdict
from faithview.domain.scoring import (
    CONTRADICTION_BONUS,
    SETTLED_CONFIDENCE,
    SEVERITY_WEIGHTS,
    UNKNOWN_CONFIDENCE,
    UNKNOWN_SEVERITY,
)
from faithview.domain.views import View
from faithview.store.runs.effective_verdicts import SETTLED, effective_verdict
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ClaimRow


def claim_harm(view: View) -> ColumnElement[float]:
    """Return the expected harm of a claim under the view's verdicts, in [0, 2].

    Except under `View.JUDGE`, queries that use it must outer join `claim_review` to `claim`.
    """
    verdict = effective_verdict(view)
    sureness: ColumnElement[float] = func.coalesce(ClaimRow.confidence, UNKNOWN_CONFIDENCE)
    if view is not View.JUDGE:
        sureness = case((ClaimReviewRow.source.in_(SETTLED), SETTLED_CONFIDENCE), else_=sureness)
    weight = case(
        {severity.value: share for severity, share in SEVERITY_WEIGHTS.items()},
        value=ClaimRow.severity,
        else_=SEVERITY_WEIGHTS[UNKNOWN_SEVERITY],
    )
    harm = case((verdict == Verdict.CONTRADICTED, CONTRADICTION_BONUS), else_=0.0) + weight * sureness
    is_harmless = verdict.is_(None) | (verdict == Verdict.SUPPORTED)
    return cast(case((is_harmless, literal(0.0)), else_=harm), Float)
