"""Alert rules: evaluated when a run is complete; an alert is open until it is acknowledged or a later run recovers.

A run over a test set is compared with its threshold directly. A window of live traffic may have few answers, so it
breaks a rule only if its whole 95% interval is beyond the threshold, and a lasting cause is reported once. An open
window is checked after every round; its interval is widened so that it covers all checks together
(`stats/anytime.py`).

The webhook receives the alerts of a run as one JSON document, in a form that Slack and similar chats accept. The
standard library posts it, because one POST does not need a client that keeps connections.

"""

import base64
import http.client
import json
import logging
import math
import os
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from faithview.documents.monitoring import WebhookDocument
from faithview.domain.alert import Alert, AlertKind, AlertRule
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.sample import find_unstorable
from faithview.domain.scoring import Interval, RunScore, coverage
from faithview.logs import log_event
from faithview.services.comparison.baselines import Fall, find_fall_or_none, is_alike, is_comparable
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary, list_runs, list_summaries, summarise_runs
from faithview.settings import WEBHOOK_VARIABLE
from faithview.stats.intervals import independent_difference
from faithview.store import alerts
from faithview.store.alerts import Breach
from faithview.version import __version__
from faithview.wording import numbers as fmt

TIMEOUT_S = 10.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Turns a redirection into an error: following it would send a GET without the alerts to another address."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


def post_alerts(url: str, document: Mapping[str, Any], *, timeout_s: float = TIMEOUT_S) -> str | None:
    """Send a document; return None if the webhook accepted it, otherwise the reason.

    The URL is a secret: anyone who knows it can write to the channel. No returned text contains it or the errors' own
    messages, which quote it.
    """
    if not url.lower().startswith(("http://", "https://")):
        return "The webhook's address must begin with https:// or http://."
    opener = urllib.request.build_opener(_NoRedirect)
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": f"faithview/{__version__}"}
    try:
        url, password = _split_password(url)
        if password:
            headers["Authorization"] = f"Basic {password}"
        body = json.dumps(document, allow_nan=False).encode("ascii")
        request = urllib.request.Request(url, data=body, headers=headers, method="POST")  # noqa: S310 - checked above
        with opener.open(request, timeout=timeout_s):
            return None
    except urllib.error.HTTPError as error:
        error.close()
        return f"The webhook answered with status {error.code}."
    except TimeoutError:
        return f"The webhook did not answer within {timeout_s:g} seconds."
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            return f"The webhook did not answer within {timeout_s:g} seconds."
        return f"The webhook could not be reached ({type(error.reason).__name__})."
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"The webhook could not be reached ({type(error).__name__})."


def alert_document(summary: RunSummary, alerts: Sequence[Alert]) -> dict[str, Any]:
    """Return what is posted about a run: a `WebhookDocument`."""
    text = "\n".join(alert.message.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for alert in alerts)
    return WebhookDocument.of(text=text, run=summary, alerts=alerts).to_dict()


def _split_password(url: str) -> tuple[str, str]:
    """Return the address without its name and password, and these encoded for basic authentication.

    In the address they would count as part of the host name and be sent to a DNS server.
    """
    parts = urllib.parse.urlsplit(url)
    login, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, ""
    plain = urllib.parse.unquote_to_bytes(login)
    return urllib.parse.urlunsplit(parts._replace(netloc=host)), base64.b64encode(plain).decode("ascii")


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """The figures of a run or a segment that rules check; None if a figure does not exist."""

    mean: float | None
    coverage: float | None


def add_rule(
    store: Store,
    kind: AlertKind,
    threshold: float,
    *,
    segment: str | None = None,
    created_by: str | None = None,
) -> AlertRule:
    """Add a rule; an equal rule that exists is returned.

    Args:
        store: the store.
        kind: what the rule checks.
        threshold: faithfulness, points of faithfulness (`fell`) or a share of the answers (`coverage`), in [0, 1].
        segment: the segment that it checks; None for all answers.
        created_by: who added it.

    Raises:
        InvalidInput: the threshold is not in [0, 1] or no run could ever break it, or a text cannot be stored.
    """
    check_rule(kind, threshold, segment=segment)
    if created_by is not None and find_unstorable(created_by) is not None:
        raise InvalidInput(f"The name {created_by!r} contains a character that cannot be stored; remove it.")
    return alerts.add_rule(store.db, kind, threshold, segment, now=datetime.now(UTC), created_by=created_by)


def check_rule(kind: AlertKind, threshold: float, *, segment: str | None = None) -> None:
    """Raise InvalidInput if the rule is not valid (see `add_rule`)."""
    lowest = "at least 0 and below 1" if kind is AlertKind.FELL else "more than 0 and at most 1"
    is_fit = 0 <= threshold < 1 if kind is AlertKind.FELL else 0 < threshold <= 1
    if not is_fit:
        raise InvalidInput(f"The threshold of a rule {kind.value!r} must be {lowest}, not {threshold}.")
    if segment is not None and (not segment.strip() or find_unstorable(segment) is not None):
        raise InvalidInput(f"The segment {segment!r} is empty or contains a character that cannot be stored.")


def delete_rule(store: Store, rule_id: int) -> None:
    """Delete a rule with the alerts that it raised; raises NotFound."""
    alerts.delete_rule(store.db, rule_id)


def acknowledge(store: Store, alert_id: int) -> None:
    """Mark an alert as seen, which closes it; raises NotFound."""
    alerts.acknowledge(store.db, alert_id)


def list_open_alerts(store: Store) -> list[Alert]:
    """Return the alerts that are neither acknowledged nor recovered from by a later comparable run, newest first.

    A later run recovers if it passes the rule. For `fell` it must be within the threshold of the level before the fall,
    because a run that stays as low does not fall again and is still not better.
    """
    unseen = alerts.list_alerts(store.db, only_unacknowledged=True)
    if not unseen:
        return []
    summaries = {summary.run.run_id: summary for summary in list_summaries(store)}
    return [alert for alert in unseen if not _has_recovered(store, alert, summaries)]


def evaluate_alerts(store: Store, run: Run, *, environ: Mapping[str, str] | None = None) -> list[Alert]:
    """Check a run against the rules, store new alerts, and post them to the webhook. Repeating changes nothing.

    The webhook's address is in the environment variable `FAITHVIEW_WEBHOOK_URL`. Each alert records whether the webhook
    accepted it. A rejected alert never fails the run, and is sent again when the run is evaluated again.

    Returns:
        All alerts of the run; an incomplete run, an archived run and a repeat have none.
    """
    run = get_run(store, run.run_id)
    rules = alerts.list_rules(store.db)
    is_hidden = run.archived_at is not None or run.preflight_of is not None
    if not rules or run.status is not RunStatus.COMPLETE or run.repeat_of is not None or is_hidden:
        return []
    summary = get_summary(store, run.run_id)
    breaches = [breach for rule in rules if (breach := _find_breach(store, rule, summary)) is not None]
    alerts.add_alerts(store.db, run.run_id, breaches, now=datetime.now(UTC))
    for breach in breaches:
        log_event(_log, "alert.raised", run_id=run.run_id, rule_id=breach.rule_id)
    _post(store, summary, (os.environ if environ is None else environ).get(WEBHOOK_VARIABLE, "").strip())
    return alerts.list_alerts(store.db, run_id=run.run_id)


def _find_breach(store: Store, rule: AlertRule, summary: RunSummary) -> Breach | None:
    if summary.run.live is not None:
        return find_live_breach(store, rule, summary)
    checks: Mapping[AlertKind, Callable[[], Breach | None]] = {
        AlertKind.BELOW: lambda: _below(rule, summary.run, _figures_of(store, summary, rule.segment).mean),
        AlertKind.COVERAGE: lambda: _uncovered(rule, summary.run, _figures_of(store, summary, rule.segment).coverage),
        AlertKind.FELL: lambda: _fell(rule, summary.run, find_fall_or_none(store, summary.run, segment=rule.segment)),
    }
    return checks[rule.kind]()


def _below(rule: AlertRule, run: Run, mean: float | None) -> Breach | None:
    if mean is None or mean >= rule.threshold:
        return None
    text = f"Faithfulness of {run.name}{_scope(rule)} is {fmt.fixed(mean, 4)}, below {rule.threshold:g}."
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=mean, message=text)


def _uncovered(rule: AlertRule, run: Run, share: float | None) -> Breach | None:
    if share is None or share >= rule.threshold:
        return None
    text = (
        f"Coverage of {run.name}{_scope(rule)} is {fmt.fixed(100 * share, 2)}%, below "
        f"{fmt.fixed(100 * rule.threshold, 2)}%."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=share, message=text)


def _fell(rule: AlertRule, run: Run, fall: Fall | None) -> Breach | None:
    if fall is None or fall.difference is None or not fall.is_real or fall.difference >= -rule.threshold:
        return None
    text = (
        f"Faithfulness of {run.name}{_scope(rule)} fell by {fmt.fixed(-fall.difference, 4)} since {fall.baseline.name} "
        f"(p = {fmt.fixed(fall.p_value, 4)}), more than {rule.threshold:g}."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=fall.baseline.run_id, value=fall.difference, message=text)


def _scope(rule: AlertRule) -> str:
    return "" if rule.segment is None else f" in segment {rule.segment}"


def _figures_of(store: Store, summary: RunSummary, segment: str | None) -> _Figures:
    if segment is None:
        return _Figures(mean=summary.score.mean, coverage=summary.coverage)
    part = next((part for part in summary.segments if part.segment == segment), None)
    if part is None:
        return _Figures(mean=None, coverage=None)
    run = summary.run
    states = store.cache.get(
        "states by segment", run.run_id, run.revision, lambda: alerts.count_segment_states(store.db, run.run_id)
    )
    return _Figures(mean=part.score.mean, coverage=coverage(states.get(segment, {})))


def _has_recovered(store: Store, alert: Alert, summaries: Mapping[str, RunSummary]) -> bool:
    raised_by = summaries.get(alert.run_id)
    if raised_by is None:  # the run was archived, or deleted together with the alert
        return True
    rule, level = alert.rule, alert.rule.threshold
    if rule.kind is AlertKind.FELL:
        level = (_figures_of(store, raised_by, rule.segment).mean or 0.0) - alert.value - rule.threshold
    for later in summaries.values():
        if not raised_by.run.is_before(later.run) or not is_alike(raised_by.run, later.run):
            continue
        figures = _figures_of(store, later, rule.segment)
        value = figures.coverage if rule.kind is AlertKind.COVERAGE else figures.mean
        # Last, because it queries the database.
        if value is not None and value >= level and _follows(store, raised_by.run, later.run):
            return True
    return False


def _follows(store: Store, run: Run, later: Run) -> bool:
    """Return whether the later run can show that the earlier one's problem is over."""
    if run.live is None:
        return is_comparable(store, run, later)
    return later.live is not None and run.live.is_like(later.live)


def _post(store: Store, summary: RunSummary, url: str) -> None:
    waiting = [alert for alert in alerts.list_alerts(store.db, run_id=summary.run.run_id) if alert.posted_at is None]
    if not url or not waiting:
        return
    error = post_alerts(url, alert_document(summary, waiting))
    alerts.note_posted(store.db, [alert.alert_id for alert in waiting], at=datetime.now(UTC), error=error)


# How many earlier windows are read; a cause that lasts longer is reported again.
_MOST_WINDOWS = 200
# The number of answers at which the widened interval is tightest, relative to the ordinary one.
_TIGHTEST_AT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A window, or one segment of it: its score and how many answers are in each state."""

    score: RunScore
    states: dict[str, int]


def find_live_breach(
    store: Store, rule: AlertRule, summary: RunSummary, *, now: datetime | None = None
) -> Breach | None:
    """Return how a window breaks a rule; None if it does not, or if an earlier alert already reported the cause.

    Args:
        store: the store.
        rule: the rule.
        summary: the run of the window, with its figures.
        now: the time, which decides whether the window is still open; None for the current time.
    """
    live, part = summary.run.live, _part_of(summary, rule.segment)
    if live is None or part is None:
        return None
    is_open = live.is_open(now or datetime.now(UTC))
    if rule.kind is AlertKind.FELL:
        return _find_window_fall(store, rule, summary.run, part, is_open=is_open)
    breach = (_window_below if rule.kind is AlertKind.BELOW else _window_uncovered)(
        rule, summary.run, part, is_open=is_open
    )
    return None if breach is None or _is_known(store, rule, summary.run) else breach


def _window_below(rule: AlertRule, run: Run, part: _Part, *, is_open: bool) -> Breach | None:
    mean, interval = part.score.mean, _interval(part.score, is_open=is_open)
    if mean is None or interval is None or interval.high >= rule.threshold:
        return None
    text = (
        f"Faithfulness of {run.name}{_in_part(rule)} is {fmt.fixed(mean, 4)} (95% interval "
        f"{fmt.fixed(interval.low, 4)} to {fmt.fixed(interval.high, 4)}), below {rule.threshold:g}."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=mean, message=text)


def _window_uncovered(rule: AlertRule, run: Run, part: _Part, *, is_open: bool) -> Breach | None:
    from faithview.stats.intervals import wilson_interval

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
        f"Coverage of {run.name}{_in_part(rule)} is {fmt.fixed(100 * share, 2)}% "
        f"(95% interval up to {fmt.fixed(100 * interval.high, 2)}%), below {fmt.fixed(100 * rule.threshold, 2)}%."
    )
    return Breach(rule_id=rule.rule_id, baseline_id=None, value=share, message=text)


def _find_window_fall(store: Store, rule: AlertRule, run: Run, part: _Part, *, is_open: bool) -> Breach | None:
    """Compare a window with the last earlier one that has a score, by their means, because they share no questions."""
    interval = _interval(part.score, is_open=is_open)
    if part.score.mean is None or interval is None:
        return None
    for earlier in _earlier_windows(store, run):
        before = _part_of(earlier, rule.segment)
        if before is None or before.score.mean is None or before.score.interval is None:
            continue
        difference = part.score.mean - before.score.mean
        between = independent_difference(part.score.mean, interval, before.score.mean, before.score.interval)
        if between.high >= 0 or difference >= -rule.threshold:
            return None
        text = (
            f"Faithfulness of {run.name}{_in_part(rule)} fell by {fmt.fixed(-difference, 4)} since {earlier.run.name} "
            f"(95% interval {fmt.fixed(-between.high, 4)} to {fmt.fixed(-between.low, 4)}), "
            f"more than {rule.threshold:g}."
        )
        return Breach(rule_id=rule.rule_id, baseline_id=earlier.run.run_id, value=difference, message=text)
    return None


def _is_known(store: Store, rule: AlertRule, run: Run) -> bool:
    """Return whether an earlier window broke the rule and no later one has met it."""
    told = {alert.run_id for alert in alerts.list_alerts(store.db) if alert.rule.rule_id == rule.rule_id}
    if not told - {run.run_id}:
        return False
    for earlier in _earlier_windows(store, run):
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


def _earlier_windows(store: Store, run: Run) -> list[RunSummary]:
    """Return the earlier windows of the same traffic by the same judge, latest first."""
    earlier = [
        other
        for other in list_runs(store, series=run.series)
        if run.live is not None
        and other.live is not None
        and other.live.is_like(run.live)
        and other.live.starts_at < run.live.starts_at
        and is_alike(run, other)
    ]
    earlier.sort(key=lambda other: other.live.starts_at if other.live else other.as_of, reverse=True)
    return summarise_runs(store, earlier[:_MOST_WINDOWS])


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
    """Return the interval, widened to cover every check while answers arrive."""
    from faithview.stats.anytime import look_quantile
    from faithview.stats.intervals import NORMAL_QUANTILE

    wider = look_quantile(answers / _TIGHTEST_AT, degrees=max(1.0, answers - 1)) / NORMAL_QUANTILE
    if not math.isfinite(wider):
        return Interval(0.0, 1.0)
    return Interval(max(0.0, mean - wider * (mean - interval.low)), min(1.0, mean + wider * (interval.high - mean)))


def _in_part(rule: AlertRule) -> str:
    return "" if rule.segment is None else f" in segment {rule.segment}"
