"""The open work of the series in view: alerts, unfinished runs, disagreements of reviewers, falls not made good."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from faithview.domain.alert import Alert, AlertKind
from faithview.domain.result import State
from faithview.domain.run import RunStatus, RunSummary
from faithview.services.alerts import list_open_alerts
from faithview.services.container import Store
from faithview.services.level_changes import LevelChange, list_regressions
from faithview.services.review.disagreements import list_disagreements
from faithview.ui import address, navigation
from faithview.ui.trends import TrendData, fall_words
from faithview.wording import numbers as fmt

_MOST = 0.5  # of a fall


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWork:
    """Open work in Markdown, and the page where it is done; `alert_id` is None unless it is an alert."""

    text: str
    icon: str
    action: str
    page: str
    parameters: Mapping[str, str]
    alert_id: int | None = None


def list_open_work(store: Store, summaries: Sequence[RunSummary], trend: TrendData) -> list[OpenWork]:
    """Return what waits, the most urgent first; alerts and disagreements of all series.

    Args:
        store: the store.
        summaries: the newest runs of the series in view.
        trend: their trend.
    """
    alerts = list_open_alerts(store)
    falls = list_regressions(store, trend.whole, trend.by_segment, trend.events)
    alerted = {(alert.run_id, alert.rule.segment) for alert in alerts if alert.rule.kind is AlertKind.FELL}
    work = [_alert(alert) for alert in alerts]
    work += [_fall(change, trend.zone) for change in falls if alerted.isdisjoint(_places(change))]
    work += [_unfinished(one) for one in summaries if one.run.status is RunStatus.RUNNING or _pending(one)]
    if disagreements := len(list_disagreements(store)):
        text = f"{fmt.plural(disagreements, 'claim')} on which reviewers disagree"
        parameters = address.tab_link(navigation.DISAGREEMENTS)
        work.append(OpenWork(text=text, icon="balance", action="Settle", page=navigation.REVIEW, parameters=parameters))
    return work


def _alert(alert: Alert) -> OpenWork:
    page, action, link = navigation.ANSWERS, "Open", address.link(alert.run_id)
    if alert.rule.segment:
        link["segment"] = alert.rule.segment
    if alert.rule.kind is AlertKind.COVERAGE:
        link["state"] = State.FAILED.value
    if alert.baseline_id is not None:
        page, action, link = navigation.CHANGES, "Compare", address.pair_link(alert.baseline_id, alert.run_id)
    return OpenWork(
        text=f"Alert: {fmt.literal(alert.message)}",
        icon="notifications_active",
        action=action,
        page=page,
        parameters=link,
        alert_id=alert.alert_id,
    )


def _places(change: LevelChange) -> set[tuple[str, str | None]]:
    """Return where an alert tells of a fall: in the segment that fell, None for all, or in one with most of it."""
    most = [place.segment for place in change.places if place.share_of_change >= _MOST]
    return {(change.candidate_id, segment) for segment in (change.segment, *most)}


def _fall(change: LevelChange, zone: ZoneInfo) -> OpenWork:
    return OpenWork(
        text=fall_words(change, zone),
        icon="trending_down",
        action="Compare",
        page=navigation.CHANGES,
        parameters=address.pair_link(change.baseline_id, change.candidate_id),
    )


def _pending(summary: RunSummary) -> int:
    return summary.states.get(State.PENDING, 0)


def _unfinished(summary: RunSummary) -> OpenWork:
    is_running = summary.run.status is RunStatus.RUNNING
    judged = f"{fmt.count(summary.rows - _pending(summary))} of {fmt.plural(summary.rows, 'answer')}"
    return OpenWork(
        text=f"*{fmt.literal(summary.run.name)}* is {fmt.STATUS_WORDS[summary.run.status]}: {judged} judged.",
        icon="progress_activity" if is_running else "pause_circle",
        action="Watch" if is_running else "Resume",
        page=navigation.UPLOAD,
        parameters=address.link(summary.run.run_id),
    )
