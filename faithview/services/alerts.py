"""Alert rules: what every complete run, and every window of live traffic, has to keep.

A rule names a figure, whose answers it is about, and a threshold. What it is checked against is a *point*: a run over a
test set, or the run of a window. They differ in three ways, because a window has other answers each time and grows
while it is checked. A window is out only if its whole 95% interval is beyond the threshold, and if it has at least
`LEAST_IN_WINDOW` answers; it falls against the window before, and not answer by answer; and a cause that lasts over
several windows is told once.

An open window is checked after every round, with an ordinary interval each time, so chance gets several tries. A window
of 500 answers, looked at every 10, raises an alert in 19% of cases if its true score is exactly the threshold (0.9),
in 3% if it is 0.02 better, and in 97% if it is 0.05 worse (1,500 simulated windows each).
"""

import json
import logging
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from faithview.domain.alert import Alert, AlertKind, AlertRule
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.sample import find_unstorable
from faithview.domain.scoring import Interval, count_wanted, coverage
from faithview.logs import log_event
from faithview.services.comparison.baselines import find_fall_or_none, is_alike, is_comparable
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary, list_runs, list_summaries, summarise_runs
from faithview.settings import WEBHOOK_VARIABLE
from faithview.stats.intervals import independent_difference, wilson_interval
from faithview.store import alerts
from faithview.version import __version__
from faithview.wording import numbers as fmt

TIMEOUT_S = 10.0
# With fewer answers the interval of a window is too rough for an alert.
LEAST_IN_WINDOW = 20
# How many earlier windows are read; a cause that lasts longer is told again.
_MOST_WINDOWS = 200

_log = logging.getLogger(__name__)


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


def _has_recovered(store: Store, alert: Alert, summaries: Mapping[str, RunSummary]) -> bool:
    raised_by = summaries.get(alert.run_id)
    if raised_by is None:  # the run was archived, or deleted together with the alert
        return True
    rule, run, level = alert.rule, raised_by.run, alert.rule.threshold
    if rule.kind is AlertKind.FELL:
        point = _point_of(rule, raised_by)
        level = (point.value if point else 0.0) - alert.value - rule.threshold
    for later in summaries.values():
        if run.is_before(later.run) and is_alike(run, later.run):
            point = _point_of(rule, later)
            if point is not None and point.value >= level and _follows(store, run, later.run):
                return True
    return False


def _follows(store: Store, run: Run, later: Run) -> bool:
    """Return whether the later run can show that the earlier one's problem is over."""
    if run.live is None:
        return is_comparable(store, run, later)
    return later.live is not None and run.live.is_like(later.live)


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
        log_event(_log, "alert.raised", run_id=run.run_id, rule_id=breach["rule_id"])
    raised = alerts.list_alerts(store.db, run_id=run.run_id)
    waiting = [alert for alert in raised if alert.posted_at is None]
    url = (os.environ if environ is None else environ).get(WEBHOOK_VARIABLE, "").strip()
    if not url or not waiting:
        return raised
    error = post_alerts(url, alert_document(summary, waiting))
    alerts.note_posted(store.db, [alert.alert_id for alert in waiting], at=datetime.now(UTC), error=error)
    return alerts.list_alerts(store.db, run_id=run.run_id)


@dataclass(frozen=True, slots=True)
class _Point:
    """What a rule looks at in one run: the figure with its 95% interval, and the number of answers that it rests on."""

    value: float
    interval: Interval | None
    answers: int


def _point_of(rule: AlertRule, summary: RunSummary) -> _Point | None:
    """Return the point of a run; None if it has no such figure."""
    part = summary if rule.segment is None else next((p for p in summary.segments if p.segment == rule.segment), None)
    if part is None:
        return None
    if rule.kind is AlertKind.COVERAGE:
        left_out = summary.run.rows_left_out if rule.segment is None else 0
        # Another watch may have drawn more answers into a window since it was judged.
        states = {state: count for state, count in part.states.items() if state != State.PENDING}
        share, wanted = coverage(states, left_out=left_out), count_wanted(states, left_out=left_out)
        return None if share is None else _Point(share, wilson_interval(share, wanted), wanted)
    score = part.score
    return None if score.mean is None else _Point(score.mean, score.interval, score.judged)


def _find_breach(store: Store, rule: AlertRule, summary: RunSummary) -> dict[str, Any] | None:
    """Return the columns of the alert that the run raises, None if it keeps the rule or its cause is told already."""
    run, point = summary.run, _point_of(rule, summary)
    is_live = run.live is not None
    if point is None or (is_live and (point.answers < LEAST_IN_WINDOW or point.interval is None)):
        return None
    scope = run.name + ("" if rule.segment is None else f" in segment {rule.segment}")
    answers = fmt.plural(point.answers, "answer")
    if rule.kind is AlertKind.FELL:
        found = _fall_of_window(store, rule, run, point) if is_live else _fall_of_run(store, rule, run)
        if found is None:
            return None
        value, baseline, evidence = found
        message = (
            f"Faithfulness of {scope} fell by {fmt.fixed(-value, 4)} since {baseline.name} ({answers}, {evidence}), "
            f"more than {rule.threshold:g}."
        )
        return {"rule_id": rule.rule_id, "baseline_id": baseline.run_id, "value": value, "message": message}
    reach = point.interval.high if is_live and point.interval else point.value
    if reach >= rule.threshold or (is_live and _lasts(store, rule, run)):
        return None
    is_share = rule.kind is AlertKind.COVERAGE
    show = _percent if is_share else _score
    if is_live and point.interval:
        answers += f", 95% interval {show(point.interval.low)} to {show(point.interval.high)}"
    message = (
        f"{'Coverage' if is_share else 'Faithfulness'} of {scope} is {show(point.value)} ({answers}), below "
        f"{_percent(rule.threshold) if is_share else format(rule.threshold, 'g')}."
    )
    return {"rule_id": rule.rule_id, "baseline_id": None, "value": point.value, "message": message}


def _score(value: float) -> str:
    return fmt.fixed(value, 4)


def _percent(share: float) -> str:
    return f"{fmt.fixed(100 * share, 2)}%"


def _fall_of_run(store: Store, rule: AlertRule, run: Run) -> tuple[float, Run, str] | None:
    """Return by how much a run fell on the answers that the previous run has too, that run, and how sure it is."""
    fall = find_fall_or_none(store, run, segment=rule.segment)
    if fall is None or fall.difference is None or not fall.is_real or fall.difference >= -rule.threshold:
        return None
    return fall.difference, fall.baseline, f"p = {fmt.fixed(fall.p_value, 4)}"


def _fall_of_window(store: Store, rule: AlertRule, run: Run, point: _Point) -> tuple[float, Run, str] | None:
    """Return the same for a window and the last earlier one with a score; they share no answers, only means."""
    for earlier in _earlier_windows(store, run):
        before = _point_of(rule, earlier)
        if before is None or before.interval is None or point.interval is None:
            continue
        difference = point.value - before.value
        between = independent_difference(point.value, point.interval, before.value, before.interval)
        if between.high >= 0 or difference >= -rule.threshold:
            return None
        evidence = f"95% interval {fmt.fixed(-between.high, 4)} to {fmt.fixed(-between.low, 4)}"
        return difference, earlier.run, evidence
    return None


def _lasts(store: Store, rule: AlertRule, run: Run) -> bool:
    """Return whether an earlier window broke the rule and no later one has kept it."""
    told = [a for a in alerts.list_alerts(store.db) if a.rule.rule_id == rule.rule_id and a.run_id != run.run_id]
    earlier = {window.run.run_id: window for window in _earlier_windows(store, run)} if told else {}
    return any(not _has_recovered(store, alert, earlier) for alert in told)


def _earlier_windows(store: Store, run: Run) -> list[RunSummary]:
    """Return the earlier windows of the same traffic by the same judge, latest first."""
    earlier = [
        other
        for other in list_runs(store, series=run.series)  # latest first
        if run.live is not None
        and other.live is not None
        and other.live.is_like(run.live)
        and other.live.starts_at < run.live.starts_at
        and is_alike(run, other)
    ]
    return summarise_runs(store, earlier[:_MOST_WINDOWS])


def alert_document(summary: RunSummary, alerts: Sequence[Alert]) -> dict[str, Any]:
    """Return what is posted about a run, in a form that Slack and similar chats accept.

    `text` is for people: a line per alert, with Slack's markup escaped. `run` and `alerts` are for programs.
    """
    text = "\n".join(alert.message.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for alert in alerts)
    run = summary.run
    return {
        "schema_version": 1,
        "text": text,
        "source": "faithview",
        "run": {
            "run_id": run.run_id,
            "name": run.name,
            "as_of": run.as_of.isoformat(),
            "faithfulness": summary.score.mean,
            "rows": summary.rows,
        },
        "alerts": [
            {
                "kind": alert.rule.kind.value,
                "threshold": alert.rule.threshold,
                "segment": alert.rule.segment,
                "value": alert.value,
                "message": alert.message,
                "baseline_run_id": alert.baseline_id,
            }
            for alert in alerts
        ],
    }


def post_alerts(url: str, document: Mapping[str, Any], *, timeout_s: float = TIMEOUT_S) -> str | None:
    """Send a document; return None if the webhook accepted it, otherwise the reason.

    The URL is a secret: anyone who knows it can write to the channel. No returned text contains it or the errors' own
    messages, which quote it, and HTTPX does not log it. A redirection is not followed, because that would send a GET
    without the alerts to another address.
    """
    import httpx  # here, because most runs raise no alert

    if not url.lower().startswith(("http://", "https://")):
        return "The webhook's address must begin with https:// or http://."
    thread, httpx_log = threading.get_ident(), logging.getLogger("httpx")

    def is_of_others(record: logging.LogRecord) -> bool:
        return record.thread != thread

    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": f"faithview/{__version__}"}
    body = json.dumps(document, allow_nan=False)
    httpx_log.addFilter(is_of_others)
    try:
        with httpx.stream("POST", url, content=body, headers=headers, timeout=timeout_s) as response:
            return None if response.is_success else f"The webhook answered with status {response.status_code}."
    except httpx.TimeoutException:
        return f"The webhook did not answer within {timeout_s:g} seconds."
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a webhook, it must not fail the run
        return f"The webhook could not be reached ({type(error).__name__})."
    finally:
        httpx_log.removeFilter(is_of_others)
