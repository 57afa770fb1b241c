"""What needs attention, and the page that settles it. What is settled makes no notice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from faithview.domain.alert import Alert, AlertKind
from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.scoring import coverage
from faithview.domain.spot_check import SpotCheck
from faithview.domain.views import LabelState, View
from faithview.services.changes.level_changes import LevelChange, TrendFinding
from faithview.services.review.corrected_score import Correction
from faithview.services.trends.control_chart import LineProcess
from faithview.stats.prediction_powered import CorrectedScore
from faithview.ui.shell import address, nav
from faithview.wording import numbers as fmt
from faithview.wording.events import day_and_month, event_words
from faithview.wording.trends import point_score
from faithview.wording.verdicts import STATE_WORDS

# With a smaller coverage (`domain.scoring.coverage`) a run's mean can mislead.
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
    """Return notices on unfinished runs and on runs where many answers that should have a verdict have none."""
    return [notice for summary in summaries for notice in _run_notices(summary)]


def judge_notices(run: Run, correction: Correction | None) -> list[Notice]:
    """Return a notice where people's labels correct the judge by more than half of the corrected score's interval."""
    if correction is None or not correction.is_headline or not isinstance(correction.score, CorrectedScore):
        return []
    judge, corrected = correction.score.judge, correction.score.corrected
    difference = judge - corrected.score
    if abs(difference) <= corrected.half_width or fmt.fixed(abs(difference), 2) == "0.00":
        return []
    text = (
        f"*{fmt.literal(run.name)}*: the judge's score is {fmt.fixed(abs(difference), 2)} "
        f"{'higher' if difference > 0 else 'lower'} than the corrected score: {fmt.share(judge)} against "
        f"{fmt.share(corrected.score)} ({fmt.ends(corrected.interval)})."
    )
    return [
        Notice(
            text=text,
            icon="gavel",
            action="See where",
            step="See where people and the judge differ",
            page=nav.INSPECT,
            parameters={
                **address.link(run.run_id),
                **address.view_link(View.CORRECTED),
                "label": LabelState.DIFFERS.value,
            },
        )
    ]


def contradiction_notices(latest: RunSummary | None) -> list[Notice]:
    """Return the notice on claims of the newest run that contradict their chunks, under people's verdicts."""
    number = 0 if latest is None else latest.claims.get(Verdict.CONTRADICTED, 0)
    if latest is None or not number:
        return []
    text = f"The chunks contradict {fmt.plural(number, 'claim')} of *{fmt.literal(latest.run.name)}*."
    return [
        Notice(
            text=text,
            icon="cancel",
            action="Read",
            step="Read the contradicted claims",
            page=nav.INSPECT,
            parameters={**address.link(latest.run.run_id), "verdict": Verdict.CONTRADICTED.value},
        )
    ]


def unchecked_notice(run: Run, check: SpotCheck | None) -> Notice:
    """Return the notice that no labels correct the newest run's score; `check` is its spot-check, if it has one."""
    text = f"*{fmt.literal(run.name)}* has no spot-check, so its score is the judge's alone."
    if check is not None:
        text = f"*{fmt.literal(check.name)}* has too few labels to correct the score of *{fmt.literal(run.name)}*."
    return Notice(
        text=text,
        icon="checklist",
        action="Check it" if check is None else "Label",
        step="Check the judge",
        page=nav.QUEUE,
        parameters=address.check_link(None if check is None else check.spot_check_id),
    )


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
    pending = summary.states[State.PENDING]
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
    # Answers that wait to be judged have a notice of their own.
    judged = coverage({**summary.states, State.PENDING: 0}, left_out=run.rows_left_out)
    if judged is not None and judged < _MIN_COVERAGE:
        notices.append(_low_coverage(summary, judged))
    return notices


def _low_coverage(summary: RunSummary, share: float) -> Notice:
    """Return the notice on a run where many answers that should have a verdict have none: its score says little."""
    states, unread = summary.states, summary.run.rows_left_out
    missing = [state for state in (State.FAILED, State.EMPTY_CONTEXT) if states.get(state)]
    parts = [f"{fmt.count(states[state])} {STATE_WORDS[state]}" for state in missing]
    if unread:
        parts.append(f"{fmt.plural(unread, 'row')} of the file could not be read")
    link: dict[str, str] = address.link(summary.run.run_id)
    if missing:
        link["state"] = max(missing, key=lambda state: states[state]).value
    return Notice(
        text=f"*{fmt.literal(summary.run.name)}*: only {fmt.percent(share)} of the answers that should have a verdict "
        f"have one ({', '.join(parts)}).",
        icon="error",
        action="See why",
        step="See what has no verdict",
        page=nav.INSPECT,
        parameters=link,
    )
