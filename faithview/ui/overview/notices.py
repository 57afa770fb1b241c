"""Notices of work that waits for reviewers, each with the page where it is done. Finished work has no notice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from faithview.domain.alert import Alert, AlertKind
from faithview.domain.answer import LabelState, View
from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.scoring import coverage
from faithview.domain.spot_check import SpotCheck
from faithview.services.level_changes import LevelChange
from faithview.services.review.corrected_score import Correction
from faithview.services.review.queue import ReviewerQueue
from faithview.ui import address, navigation
from faithview.wording import numbers as fmt
from faithview.wording.trends import day_and_month, event_words, point_score
from faithview.wording.verdict_styles import STATE_WORDS, verdict_word

# With a smaller coverage (`domain.scoring.coverage`) a run's mean can mislead.
_MIN_COVERAGE = 0.95
_MOST = 0.5  # of a fall
_DISAGREEMENTS = {"part": "Disagreements"}
_FIRST_LABELS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that needs attention, in Markdown, and the page that settles it.

    `action` is the word on the button next to the text. `alert_id` is set for a notice about an alert, else None.
    """

    text: str
    icon: str
    action: str
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
            page=navigation.OVERVIEW,
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


def run_notices(summaries: Sequence[RunSummary]) -> list[Notice]:
    """Return notices on unfinished runs and on runs where many answers that should have a verdict have none."""
    return [notice for summary in summaries for notice in _run_notices(summary)]


def judge_notices(run: Run, correction: Correction | None) -> list[Notice]:
    """Return a notice if reviewers' labels correct the judge by more than half of the corrected score's interval."""
    score = None if correction is None else correction.headline
    if score is None:
        return []
    judge, corrected = score.judge, score.corrected
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
            page=navigation.ANSWERS,
            parameters={
                **address.link(run.run_id),
                **address.view_link(View.CORRECTED),
                "label": LabelState.DIFFERS.value,
            },
        )
    ]


def claim_notices(latest: RunSummary, parameters: Mapping[str, str], *, is_relabelled: bool) -> list[Notice]:
    """Return what is to be read of the newest run: the claims that contradict their chunks, and the other open ones.

    Args:
        latest: the run, under reviewers' verdicts.
        parameters: the address of its answers under these verdicts.
        is_relabelled: whether reviewers' verdicts are others than the judge's.
    """
    contradicted = latest.claims.get(Verdict.CONTRADICTED, 0)
    others = {
        verdict: latest.claims.get(verdict, 0) for verdict in (Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED)
    }
    whose = ", under reviewers' labels" if is_relabelled else ""
    notices = []
    if contradicted:
        verb = fmt.verb(contradicted, "contradicts its", "contradict their")
        text = f"{fmt.plural(contradicted, 'claim')} {verb} chunks{whose}"
        notices.append(_claims(text, "close", [Verdict.CONTRADICTED], parameters))
    if number := sum(others.values()):
        more = "more " if contradicted else ""
        named = [f"{fmt.count(claims)} {verdict_word(verdict)}" for verdict, claims in others.items() if claims]
        text = f"{fmt.plural(number, f'{more}claim')} not fully supported: {', '.join(named)}"
        notices.append(
            _claims(text if contradicted else text + whose, "radio_button_unchecked", list(others), parameters)
        )
    return notices


def _claims(text: str, icon: str, verdicts: Sequence[Verdict], parameters: Mapping[str, str]) -> Notice:
    return Notice(
        text=text,
        icon=icon,
        action="Read",
        page=navigation.ANSWERS,
        parameters={**parameters, "verdict": ",".join(verdicts)},
    )


def spot_check_notices(queues: Sequence[ReviewerQueue]) -> list[Notice]:
    """Return a notice for each of these unfinished spot-checks."""
    return [
        Notice(
            text=f"*{fmt.literal(queue.check.name)}*: {fmt.count(queue.progress.items - queue.progress.done)} of "
            f"{fmt.plural(queue.progress.items, 'claim')} left to label",
            icon="checklist",
            action="Label",
            page=navigation.REVIEW,
            parameters=address.check_link(queue.check.spot_check_id),
        )
        for queue in queues
    ]


def unchecked_notice(run: Run, check: SpotCheck | None, *, labelled: int) -> Notice:
    """Return the notice that no labels correct the newest run's score.

    Args:
        run: the run.
        check: its spot-check, if it has one.
        labelled: how many of its claims have labels.
    """
    name = fmt.literal(run.name)
    if check is not None:
        text = f"*{fmt.literal(check.name)}* has too few labels to correct the score of *{name}*"
    elif labelled:
        text = f"No spot-check was drawn from *{name}*: label {_FIRST_LABELS} claims"
    else:
        text = f"No reviewer has checked the judge on *{name}*: label {_FIRST_LABELS} claims"
    return Notice(
        text=text,
        icon="fact_check",
        action="Label",
        page=navigation.REVIEW,
        parameters=address.check_link(None if check is None else check.spot_check_id),
    )


def review_notices(*, disagreements: int) -> list[Notice]:
    """Return what waits for reviewers: claims they disagree on."""
    notices = []
    if disagreements:
        text = f"{fmt.plural(disagreements, 'claim')} on which reviewers disagree"
        notices.append(
            Notice(
                text=text,
                icon="balance",
                action="Settle",
                page=navigation.REVIEW,
                parameters=_DISAGREEMENTS,
            )
        )
    return notices


def _alert_notice(alert: Alert) -> Notice:
    link: dict[str, str] = address.link(alert.run_id)
    if alert.rule.segment:
        link["segment"] = alert.rule.segment
    page, action = navigation.ANSWERS, "Open"
    if alert.rule.kind is AlertKind.COVERAGE:
        link["state"] = State.FAILED.value
    if alert.baseline_id is not None:
        page, action = navigation.CHANGES, "Compare"
        link = {"baseline": alert.baseline_id, "candidate": alert.run_id}
    return Notice(
        text=f"Alert: {fmt.literal(alert.message)}",
        icon="notifications_active",
        action=action,
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
        text += f", against the mean since {day_and_month(step.before.at, zone)}"
    elif change.recovery is not None:
        text += f", recovered on {day_and_month(change.recovery.after.at, zone)}, and has fallen again since"
    else:
        text += " and has not recovered"
    return Notice(
        text=f"{text}.",
        icon="trending_down",
        action="Compare",
        page=navigation.CHANGES,
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
                page=navigation.UPLOAD,
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
                text=text,
                icon="pause_circle",
                action="Resume",
                page=navigation.UPLOAD,
                parameters=link,
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
        page=navigation.ANSWERS,
        parameters=link,
    )
