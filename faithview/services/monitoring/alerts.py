"""Alert rules: evaluated when a run is complete; an alert is open until it is acknowledged or a later run recovers."""

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.alert import Alert, AlertKind, AlertRule
from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.sample import find_unstorable
from faithview.domain.scoring import coverage
from faithview.logs import log_event
from faithview.services.comparison.baselines import Fall, find_fall_or_none, is_alike, is_comparable
from faithview.services.container import Services
from faithview.services.monitoring import webhook
from faithview.services.results.runs import get_run, get_summary, list_summaries
from faithview.settings import WEBHOOK_VARIABLE
from faithview.store.monitoring import alerts
from faithview.store.monitoring.alerts import Breach
from faithview.wording import numbers as fmt

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """The figures that rules check, of a run or of one segment; None where there is no such figure."""

    mean: float | None
    coverage: float | None


def add_rule(
    services: Services,
    kind: AlertKind,
    threshold: float,
    *,
    segment: str | None = None,
    created_by: str | None = None,
) -> AlertRule:
    """Add a rule; an equal rule that exists is returned.

    Args:
        services: the store.
        kind: what the rule checks.
        threshold: faithfulness, points of faithfulness (`fell`) or a share of the answers (`coverage`), in [0, 1].
        segment: the segment that it checks; all answers where None.
        created_by: who added it.

    Raises:
        InvalidInput: the threshold is not in [0, 1] or no run could ever break it, or a text cannot be stored.
    """
    check_rule(kind, threshold, segment=segment)
    if created_by is not None and find_unstorable(created_by) is not None:
        raise InvalidInput(f"The name {created_by!r} contains a character that cannot be stored; remove it.")
    return alerts.add_rule(services.db, kind, threshold, segment, now=datetime.now(UTC), created_by=created_by)


def check_rule(kind: AlertKind, threshold: float, *, segment: str | None = None) -> None:
    """Raise InvalidInput if there cannot be such a rule (see `add_rule`)."""
    lowest = "at least 0 and below 1" if kind is AlertKind.FELL else "more than 0 and at most 1"
    is_fit = 0 <= threshold < 1 if kind is AlertKind.FELL else 0 < threshold <= 1
    if not is_fit:
        raise InvalidInput(f"The threshold of a rule {kind.value!r} must be {lowest}, not {threshold}.")
    if segment is not None and (not segment.strip() or find_unstorable(segment) is not None):
        raise InvalidInput(f"The segment {segment!r} is empty or contains a character that cannot be stored.")


def list_rules(services: Services) -> list[AlertRule]:
    """Return the rules, those that are switched off included."""
    return alerts.list_rules(services.db)


def delete_rule(services: Services, rule_id: int) -> None:
    """Delete a rule with the alerts that it raised; raises NotFound."""
    alerts.delete_rule(services.db, rule_id)


def list_alerts(services: Services, *, run_id: str | None = None) -> list[Alert]:
    """Return all alerts, or those of one run, newest run first."""
    return alerts.list_alerts(services.db, run_id=run_id)


def acknowledge(services: Services, alert_id: int) -> None:
    """Mark an alert as seen, which closes it; raises NotFound."""
    alerts.acknowledge(services.db, alert_id)


def list_open_alerts(services: Services) -> list[Alert]:
    """Return the alerts that are not acknowledged and from which no later comparable run has recovered, newest first.

    A later run recovers if it passes the rule. For `fell` it must come to within the threshold of the level before the
    fall: a run that stays as low has not fallen again but is no better.
    """
    unseen = alerts.list_alerts(services.db, only_unacknowledged=True)
    if not unseen:
        return []
    summaries = {summary.run.run_id: summary for summary in list_summaries(services)}
    return [alert for alert in unseen if not _has_recovered(services, alert, summaries)]


def evaluate_alerts(services: Services, run: Run, *, environ: Mapping[str, str] | None = None) -> list[Alert]:
    """Check a run against the rules, store new alerts, and post them to the webhook. Repeating changes nothing.

    The webhook's address is in the environment variable `FAITHVIEW_WEBHOOK_URL`. Whether it accepted the alerts is
    stored with them and never fails the run; alerts that it did not accept are sent again when the run is evaluated
    again.

    Returns:
        All alerts of the run; none for an incomplete or archived run and for a repeat.
    """
    run = get_run(services, run.run_id)
    rules = alerts.list_rules(services.db)
    if not rules or run.status is not RunStatus.COMPLETE or run.repeat_of is not None or run.archived_at is not None:
        return []
    summary = get_summary(services, run.run_id)
    breaches = [breach for rule in rules if (breach := _find_breach(services, rule, summary)) is not None]
    alerts.add_alerts(services.db, run.run_id, breaches, now=datetime.now(UTC))
    for breach in breaches:
        log_event(_log, "alert.raised", run_id=run.run_id, rule_id=breach.rule_id)
    _post(services, summary, (os.environ if environ is None else environ).get(WEBHOOK_VARIABLE, "").strip())
    return alerts.list_alerts(services.db, run_id=run.run_id)


def _find_breach(services: Services, rule: AlertRule, summary: RunSummary) -> Breach | None:
    if summary.run.live is not None:
        from faithview.services.monitoring.live_windows import find_live_breach

        return find_live_breach(services, rule, summary)
    checks: Mapping[AlertKind, Callable[[], Breach | None]] = {
        AlertKind.BELOW: lambda: _below(rule, summary.run, _figures(services, summary, rule.segment).mean),
        AlertKind.COVERAGE: lambda: _uncovered(rule, summary.run, _figures(services, summary, rule.segment).coverage),
        AlertKind.FELL: lambda: _fell(
            rule, summary.run, find_fall_or_none(services, summary.run, segment=rule.segment)
        ),
    }
    return checks[rule.kind]()


def _below(rule: AlertRule, run: Run, mean: float | None) -> Breach | None:
    if mean is None or mean >= rule.threshold:
        return None
    text = f"Faithfulness of {run.name}{_where(rule)} is {fmt.fixed(mean, 4)}, below {rule.threshold:g}."
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=mean, message=text)


def _uncovered(rule: AlertRule, run: Run, share: float | None) -> Breach | None:
    if share is None or share >= rule.threshold:
        return None
    text = (
        f"Only {fmt.fixed(100 * share, 2)}% of the answers of {run.name}{_where(rule)} have a verdict, less than "
        f"{fmt.fixed(100 * rule.threshold, 2)}%."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=share, message=text)


def _fell(rule: AlertRule, run: Run, fall: Fall | None) -> Breach | None:
    if fall is None or fall.difference is None or not fall.is_real or fall.difference >= -rule.threshold:
        return None
    text = (
        f"Faithfulness of {run.name}{_where(rule)} fell by {fmt.fixed(-fall.difference, 4)} since {fall.baseline.name} "
        f"(p = {fmt.fixed(fall.p_value, 4)}), more than {rule.threshold:g}."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=fall.baseline.run_id, value=fall.difference, message=text)


def _where(rule: AlertRule) -> str:
    return "" if rule.segment is None else f" in segment {rule.segment}"


def _figures(services: Services, summary: RunSummary, segment: str | None) -> _Figures:
    if segment is None:
        return _Figures(mean=summary.score.mean, coverage=summary.coverage)
    part = next((part for part in summary.segments if part.segment == segment), None)
    if part is None:
        return _Figures(mean=None, coverage=None)
    run = summary.run
    states = services.cache.get(
        "states by segment", run.run_id, run.revision, lambda: alerts.count_segment_states(services.db, run.run_id)
    )
    return _Figures(mean=part.score.mean, coverage=coverage(states.get(segment, {})))


def _has_recovered(services: Services, alert: Alert, summaries: Mapping[str, RunSummary]) -> bool:
    raised_by = summaries.get(alert.run_id)
    if raised_by is None:  # archived, or deleted meanwhile and the alert with it
        return True
    rule, level = alert.rule, alert.rule.threshold
    if rule.kind is AlertKind.FELL:
        level = (_figures(services, raised_by, rule.segment).mean or 0.0) - alert.value - rule.threshold
    for later in summaries.values():
        if not raised_by.run.is_before(later.run) or not is_alike(raised_by.run, later.run):
            continue
        figures = _figures(services, later, rule.segment)
        value = figures.coverage if rule.kind is AlertKind.COVERAGE else figures.mean
        # Last, because it queries the database.
        if value is not None and value >= level and _follows(services, raised_by.run, later.run):
            return True
    return False


def _follows(services: Services, run: Run, later: Run) -> bool:
    """Return whether the later run shows whether the earlier one's trouble is over."""
    if run.live is None:
        return is_comparable(services, run, later)
    return later.live is not None and run.live.is_like(later.live)


def _post(services: Services, summary: RunSummary, url: str) -> None:
    waiting = [alert for alert in alerts.list_alerts(services.db, run_id=summary.run.run_id) if alert.posted_at is None]
    if not url or not waiting:
        return
    error = webhook.post(url, webhook.alert_document(summary, waiting))
    alerts.note_posted(services.db, [alert.alert_id for alert in waiting], at=datetime.now(UTC), error=error)
