"""What needs attention, and the page that settles it. What is settled makes no notice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from faithview.domain.alert import Alert, AlertKind
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.services.changes.level_changes import LevelChange, TrendFinding
from faithview.services.trends.control_chart import LineProcess
from faithview.ui.shell import address, nav
from faithview.wording import numbers as fmt
from faithview.wording.events import day_and_month, event_words
from faithview.wording.trends import point_score

# With fewer rows judged than this share, a run's mean can mislead.
_MIN_COVERAGE = 0.95
_MOST = 0.5  # of a fall
_DISAGREEMENTS = {"part": "Disagreements"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that needs attention, in Markdown, and the page that settles it.

    `action` is the word on the button beside the text, `step` the same where the button stands alone. `alert_id` is set
    for a notice about an alert, else None.
    """

    text: str
    icon: str
    action: str
    step: str
    page: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    alert_id: int | None = None


def alert_notices(alerts: Sequence[Alert]) -> list[Notice]:
    """Return a notice for each open alert, with the message of its rule."""
    return [_alert_notice(alert) for alert in alerts]


def other_series_notices(alerts: Mapping[str, int]) -> list[Notice]:
    """Return a notice for each other series with open alerts, given how many it has."""
    return [
        Notice(
            text=f"{fmt.plural(number, 'alert')} {fmt.verb(number, 'is', 'are')} open in *{fmt.literal(name)}*.",
            icon="notifications_active",
            action="Show",
            step="Show the other alerts",
            page=nav.OVERVIEW,
            parameters=address.series_link(name),
        )
        for name, number in alerts.items()
    ]


def regression_notices(changes: Sequence[LevelChange], alerts: Sequence[Alert], *, zone: ZoneInfo) -> list[Notice]:
    """Return a notice for each fall that has not recovered, except those that an alert reports.

    An alert on the segment with most of a fall reports it.
    """
    alerted = {(alert.run_id, alert.rule.segment) for alert in alerts if alert.rule.kind is AlertKind.FELL}
    return [
        _fall(change, zone)
        for change in changes
        if alerted.isdisjoint((change.candidate_id, segment) for segment in _segments_of(change))
    ]


def _segments_of(change: LevelChange) -> list[str | None]:
    """Return the segment that changed, None for the whole, and those with most of the change."""
    return [change.segment, *(place.segment for place in change.places if place.share_of_change >= _MOST)]


def level_notices(finding: TrendFinding, process: LineProcess | None, *, zone: ZoneInfo) -> list[Notice]:
    """Return a notice where a line's newest level is lower than the one before, though no single step shows it."""
    fall = None if process is None or finding.level_change is not None else process.open_fall
    if fall is None or process is None:
        return []
    decimals = fmt.decimals_to_tell(fall.before, fall.after)
    text = (
        f"The level of faithfulness fell from {fmt.fixed(fall.before, decimals)} to {fmt.fixed(fall.after, decimals)} "
        f"about {day_and_month(process.moments[fall.at], zone)}."
    )
    return [
        Notice(text=text, icon="trending_down", action="See trend", step="See the trend", page=nav.TRENDS),
    ]


def run_notices(summaries: Sequence[RunSummary]) -> list[Notice]:
    """Return notices on unfinished runs and on runs where many answers could not be judged."""
    return [notice for summary in summaries for notice in _run_notices(summary)]


def review_notices(*, disagreements: int, stale: int, latest: Run | None) -> list[Notice]:
    """Return what waits for people: claims that reviewers disagree on, and labels whose chunks have changed."""
    notices = []
    if disagreements:
        verb = fmt.verb(disagreements, "waits", "wait")
        text = f"{fmt.plural(disagreements, 'claim')} on which reviewers disagree {verb} for a decision."
        notices.append(
            Notice(
                text=text,
                icon="balance",
                action="Settle",
                step="Settle the disagreements",
                page=nav.QUEUE,
                parameters=_DISAGREEMENTS,
            )
        )
    if stale and latest is not None:
        verb = fmt.verb(stale, "is", "are")
        text = (
            f"{fmt.plural(stale, 'label')} in *{fmt.literal(latest.name)}* {verb} outdated: the chunks have "
            f"changed. Outdated labels do not count until somebody confirms them."
        )
        notices.append(
            Notice(text=text, icon="history", action="Check again", step="Check outdated labels", page=nav.QUEUE)
        )
    return notices


def _alert_notice(alert: Alert) -> Notice:
    link: dict[str, str] = address.link(alert.run_id)
    if alert.rule.segment:
        link["segment"] = alert.rule.segment
    page, action = nav.INSPECT, "Inspect"
    if alert.rule.kind is AlertKind.COVERAGE:
        link["state"] = State.FAILED.value
    if alert.baseline_id is not None:
        page, action = nav.COMPARE, "Compare"
        link = {"baseline": alert.baseline_id, "candidate": alert.run_id}
    return Notice(
        text=f"Alert: {fmt.literal(alert.message)}",
        icon="notifications_active",
        action=action,
        step="Compare before and after" if page == nav.COMPARE else "Inspect the alert",
        page=page,
        parameters=link,
        alert_id=alert.alert_id,
    )


def _fall(change: LevelChange, zone: ZoneInfo) -> Notice:
    subject = "Faithfulness" if change.segment is None else f"**{fmt.literal(change.segment)}**"
    step = change.step
    decimals = fmt.decimals_to_tell(step.before.mean, step.after.mean, step.delta)
    text = (
        f"{subject} fell from {fmt.fixed(step.before.mean, decimals)} to {point_score(step.after, decimals=decimals)}"
    )
    if change.event is not None:
        text += f" with {event_words(change.event, zone)}"
    if change.is_drift:
        text += f" over the runs since {day_and_month(step.before.at, zone)}"
    elif change.recovery is not None:
        text += f", recovered on {day_and_month(change.recovery.after.at, zone)}, and has fallen again since"
    else:
        text += " and has not recovered"
    return Notice(
        text=f"{text}.",
        icon="trending_down",
        action="Compare",
        step="Compare before and after",
        page=nav.COMPARE,
        parameters={"baseline": change.baseline_id, "candidate": change.candidate_id},
    )


def _run_notices(summary: RunSummary) -> list[Notice]:
    run, name = summary.run, fmt.literal(summary.run.name)
    failed, pending = summary.states[State.FAILED], summary.states[State.PENDING]
    link = address.link(run.run_id)
    notices = []
    if run.status is RunStatus.RUNNING:
        text = (
            f"*{name}* is running: {fmt.count(summary.rows - pending)} of {fmt.plural(summary.rows, 'answer')} judged."
        )
        notices.append(
            Notice(
                text=text,
                icon="progress_activity",
                action="Watch",
                step="Watch the run",
                page=nav.UPLOAD,
                parameters=link,
            )
        )
    elif pending:
        word = fmt.STATUS_WORDS[run.status]
        verb = fmt.verb(pending, "is", "are")
        share = f"{fmt.count(pending)} of {fmt.plural(summary.rows, 'answer')}"
        text = f"*{name}* is {word}: {share} {verb} not judged yet."
        notices.append(
            Notice(
                text=text, icon="pause_circle", action="Resume", step="Resume the run", page=nav.UPLOAD, parameters=link
            )
        )
    if failed and failed / summary.rows > 1 - _MIN_COVERAGE:
        text = f"*{name}*: {fmt.count(failed)} of {fmt.plural(summary.rows, 'answer')} could not be judged."
        link = {**link, "state": "failed"}
        notices.append(
            Notice(text=text, icon="error", action="See why", step="See what failed", page=nav.INSPECT, parameters=link)
        )
    return notices
