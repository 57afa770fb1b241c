"""Alert rules, and the alerts that runs raise by breaking them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithview.domain.result import State

_NEEDS_NO_VERDICT = (State.NO_CLAIMS.value, State.ABSTAINED.value)


class AlertKind(StrEnum):
    """When a rule is broken.

    `below`: faithfulness is below the threshold. `fell`: faithfulness fell by more than the threshold against the
    previous comparable run, and by more than chance and the judge's own noise make. `coverage`: a smaller share of the
    answers than the threshold has a verdict (see `coverage`).
    """

    BELOW = "below"
    FELL = "fell"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRule:
    """When to raise an alert.

    `threshold` is in (0, 1] or, for `fell`, in [0, 1): faithfulness, points of faithfulness or a share of the answers.
    `segment` restricts the rule to the answers of one segment. An inactive rule is stored but not evaluated.
    """

    rule_id: int
    kind: AlertKind
    threshold: float
    segment: str | None = None
    is_active: bool = True
    created_at: datetime
    created_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A rule that a run broke.

    `value` is the figure that broke it: the mean faithfulness, the difference (below zero) or the coverage.
    `baseline_id` is the run that it was compared with, for `fell` only. `posted_at` is when the webhook accepted it,
    `post_error` why it did not; both are None where there was no webhook.
    """

    alert_id: int
    rule: AlertRule
    run_id: str
    run_name: str
    baseline_id: str | None
    at: datetime
    value: float
    message: str
    is_acknowledged: bool = False
    posted_at: datetime | None = None
    post_error: str | None = None


def coverage(states: Mapping[str, int], *, left_out: int = 0) -> float | None:
    """Return the share of the answers that should have a verdict and have one.

    An answer without claims and an abstention have nothing to be judged and are left out. One that failed, that is
    still pending or whose context is empty should have a verdict and has none, and so has a row that could not be read.

    Args:
        states: how many answers are in each state (`RunSummary.states`); missing ones are none.
        left_out: rows of the file that could not be read (`Run.rows_left_out`).

    Returns:
        A share in [0, 1]; None where no answer should have a verdict.
    """
    wanted = sum(count for state, count in states.items() if state not in _NEEDS_NO_VERDICT) + left_out
    return states.get(State.JUDGED.value, 0) / wanted if wanted else None
