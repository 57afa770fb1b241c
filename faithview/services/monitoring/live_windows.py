"""Alert rules on live traffic: a window breaks one only on evidence, and a cause that lasts is reported once.

A run over a test set is compared with its threshold as it is. A window of live traffic holds whatever was asked, often
few answers, so it breaks a rule only if its 95 % interval lies beyond the threshold. A window that is still filling is
looked at after every round; its interval is widened so that it holds at all looks together (`stats/anytime.py`).
"""

import math
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.alert import AlertKind, AlertRule
from faithview.domain.result import State
from faithview.domain.run import Run, RunSummary
from faithview.domain.scoring import Interval, RunScore
from faithview.services.comparison.baselines import is_alike
from faithview.services.container import Services
from faithview.services.results.runs import list_runs, summarise_runs
from faithview.stats.independent_difference import independent_difference
from faithview.store.monitoring import alerts
from faithview.store.monitoring.alerts import Breach
from faithview.wording import numbers as fmt

# Earlier windows that are looked at; a cause that lasts longer is reported anew.
_MOST_WINDOWS = 200
# At so many answers the widened interval is tightest, relative to the ordinary one.
_TIGHTEST_AT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A window, or one segment of it: its score and how many answers are in each state."""

    score: RunScore
    states: dict[str, int]


def find_live_breach(
    services: Services, rule: AlertRule, summary: RunSummary, *, now: datetime | None = None
) -> Breach | None:
    """Return how a window breaks a rule; None if it does not, or if an earlier alert tells of the same cause already.

    Args:
        services: the store.
        rule: the rule.
        summary: the run of the window, with its figures.
        now: the time, which says whether the window is still open; None is the clock's.
    """
    live, part = summary.run.live, _part_of(summary, rule.segment)
    if live is None or part is None:
        return None
    is_open = live.is_open(now or datetime.now(UTC))
    if rule.kind is AlertKind.FELL:
        return _fall(services, rule, summary.run, part, is_open=is_open)
    breach = (_below if rule.kind is AlertKind.BELOW else _uncovered)(rule, summary.run, part, is_open=is_open)
    return None if breach is None or _is_known(services, rule, summary.run) else breach


def _below(rule: AlertRule, run: Run, part: _Part, *, is_open: bool) -> Breach | None:
    mean, interval = part.score.mean, _interval(part.score, is_open=is_open)
    if mean is None or interval is None or interval.high >= rule.threshold:
        return None
    text = (
        f"Faithfulness of {run.name}{_where(rule)} is {fmt.fixed(mean, 4)} (95 % interval "
        f"{fmt.fixed(interval.low, 4)} to {fmt.fixed(interval.high, 4)}), below {rule.threshold:g}."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=mean, message=text)


def _uncovered(rule: AlertRule, run: Run, part: _Part, *, is_open: bool) -> Breach | None:
    from faithview.stats.wilson import wilson_interval

    judged = part.states.get(State.JUDGED, 0)
    # Pending answers of an open window are about to be judged.
    states = (State.FAILED, State.EMPTY_CONTEXT) if is_open else (State.FAILED, State.EMPTY_CONTEXT, State.PENDING)
    wanted = judged + sum(part.states.get(state, 0) for state in states)
    if not wanted:
        return None
    share = judged / wanted
    interval = wilson_interval(share, wanted)
    if is_open:
        interval = _widened(share, interval, wanted)
    if interval.high >= rule.threshold:
        return None
    text = (
        f"Only {fmt.fixed(100 * share, 2)}% of the answers of {run.name}{_where(rule)} have a verdict "
        f"(95 % interval up to {fmt.fixed(100 * interval.high, 2)}%), less than {fmt.fixed(100 * rule.threshold, 2)}%."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=share, message=text)


def _fall(services: Services, rule: AlertRule, run: Run, part: _Part, *, is_open: bool) -> Breach | None:
    """Compare a window with the last one before it that has a score; they share no questions, so means are compared."""
    interval = _interval(part.score, is_open=is_open)
    if part.score.mean is None or interval is None:
        return None
    for earlier in _earlier_windows(services, run):
        before = _part_of(earlier, rule.segment)
        if before is None or before.score.mean is None or before.score.interval is None:
            continue
        difference = part.score.mean - before.score.mean
        between = independent_difference(part.score.mean, interval, before.score.mean, before.score.interval)
        if between.high >= 0 or difference >= -rule.threshold:
            return None
        text = (
            f"Faithfulness of {run.name}{_where(rule)} fell by {fmt.fixed(-difference, 4)} since {earlier.run.name} "
            f"(95 % interval {fmt.fixed(-between.high, 4)} to {fmt.fixed(-between.low, 4)}), "
            f"more than {rule.threshold:g}."
        )
        return Breach(rule_id=rule.rule_id, baseline_id=earlier.run.run_id, value=difference, message=text)
    return None


def _is_known(services: Services, rule: AlertRule, run: Run) -> bool:
    """Return whether an earlier window broke the rule and none since then has met it."""
    told = {alert.run_id for alert in alerts.list_alerts(services.db) if alert.rule.rule_id == rule.rule_id}
    if not told - {run.run_id}:
        return False
    for earlier in _earlier_windows(services, run):
        if earlier.run.run_id in told:
            return True
        part = _part_of(earlier, rule.segment)
        if part is not None and _meets(rule, part):
            return False
    return False


def _meets(rule: AlertRule, part: _Part) -> bool:
    if rule.kind is AlertKind.BELOW:
        return part.score.mean is not None and part.score.mean >= rule.threshold
    judged = part.states.get(State.JUDGED, 0)
    wanted = judged + sum(part.states.get(s, 0) for s in (State.FAILED, State.EMPTY_CONTEXT, State.PENDING))
    return wanted > 0 and judged / wanted >= rule.threshold


def _earlier_windows(services: Services, run: Run) -> list[RunSummary]:
    """Return the windows before this one of the same traffic by the same judge, latest first."""
    earlier = [
        other
        for other in list_runs(services, series=run.series)
        if run.live is not None
        and other.live is not None
        and other.live.is_like(run.live)
        and other.live.starts_at < run.live.starts_at
        and is_alike(run, other)
    ]
    earlier.sort(key=lambda other: other.live.starts_at if other.live else other.as_of, reverse=True)
    return summarise_runs(services, earlier[:_MOST_WINDOWS])


def _part_of(summary: RunSummary, segment: str | None) -> _Part | None:
    if segment is None:
        return _Part(score=summary.score, states=dict(summary.states))
    part = next((part for part in summary.segments if part.segment == segment), None)
    return None if part is None else _Part(score=part.score, states=dict(part.states))


def _interval(score: RunScore, *, is_open: bool) -> Interval | None:
    if score.mean is None or score.interval is None:
        return None
    return _widened(score.mean, score.interval, score.judged) if is_open else score.interval


def _widened(mean: float, interval: Interval, answers: int) -> Interval:
    """Return the interval as wide as it must be to hold at every look while answers come in."""
    from faithview.stats.anytime import look_quantile
    from faithview.stats.conventions import NORMAL_QUANTILE

    wider = look_quantile(answers / _TIGHTEST_AT, degrees=max(1.0, answers - 1)) / NORMAL_QUANTILE
    if not math.isfinite(wider):
        return Interval(0.0, 1.0)
    return Interval(max(0.0, mean - wider * (mean - interval.low)), min(1.0, mean + wider * (interval.high - mean)))


def _where(rule: AlertRule) -> str:
    return "" if rule.segment is None else f" in segment {rule.segment}"
