"""Alert rules, and the alerts that are raised when a run breaks one."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class AlertKind(StrEnum):
    """When a rule is broken.

    `below`: faithfulness is below the threshold. `fell`: faithfulness fell by more than the threshold against the
    previous comparable run, the fall is statistically significant, and it exceeds the judge's own noise. `coverage`:
    the share of answers with a verdict (`domain.scoring.coverage`) is below the threshold.
    """

    BELOW = "below"
    FELL = "fell"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRule:
    """When to raise an alert.

    `threshold` is in (0, 1] or, for `fell`, in [0, 1): faithfulness, points of faithfulness or a share of the answers.
    `segment` restricts the rule to the answers of one segment.
    """

    rule_id: int
    kind: AlertKind
    threshold: float
    segment: str | None = None
    created_at: datetime
    created_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A rule that a run broke.

    `value` is the figure that broke it: the mean faithfulness, the difference (below zero) or the coverage.
    `baseline_id` is the run that it was compared with, for `fell` only. `posted_at` is when the webhook accepted it,
    `post_error` why it did not; both are None if there was no webhook.
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
