"""Notices: things that need attention, each with the page where they are settled."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.alert import Alert, AlertKind
from faithview.domain.answer import LabelState, View
from faithview.domain.claim import Verdict
from faithview.domain.errors import NotFound
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.scoring import coverage
from faithview.domain.spot_check import SpotCheck
from faithview.services.alerts import acknowledge, list_open_alerts
from faithview.services.level_changes import LevelChange, TrendFinding, list_regressions
from faithview.services.results import get_summary, list_runs
from faithview.services.review.carry_over import list_stale_labels
from faithview.services.review.corrected_score import Correction, correct_run
from faithview.services.review.disagreements import list_disagreements
from faithview.services.trends import LineProcess
from faithview.stats.corrected_score import CorrectedScore
from faithview.ui import address, identity, navigation, opened_store, series
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.trend_finding import TrendData
from faithview.wording import findings
from faithview.wording import numbers as fmt
from faithview.wording.trends import day_and_month, event_words, point_score
from faithview.wording.verdict_styles import STATE_WORDS

# With a smaller coverage (`domain.scoring.coverage`) a run's mean can mislead.
_MIN_COVERAGE = 0.95
_MOST = 0.5  # of a fall
_DISAGREEMENTS = {"part": "Disagreements"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that needs attention, in Markdown, and the page that settles it.

    `action` is the label of the button next to the text, `step` the label of a button without text. `alert_id` is set
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
        Notice(text=text, icon="trending_down", action="See trend", step="See the trend", page=navigation.TRENDS),
    ]


def run_notices(summaries: Sequence[RunSummary]) -> list[Notice]:
    """Return notices on unfinished runs and on runs where many answers that should have a verdict have none."""
    return [notice for summary in summaries for notice in _run_notices(summary)]


def judge_notices(run: Run, correction: Correction | None) -> list[Notice]:
    """Return a notice if reviewers' labels correct the judge by more than half of the corrected score's interval."""
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
            step="See where reviewers and the judge differ",
            page=navigation.ANSWERS,
            parameters={
                **address.link(run.run_id),
                **address.view_link(View.CORRECTED),
                "label": LabelState.DIFFERS.value,
            },
        )
    ]


def contradiction_notices(latest: RunSummary | None) -> list[Notice]:
    """Return the notice on claims of the newest run that their chunks contradict, by reviewers' verdicts."""
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
            page=navigation.ANSWERS,
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
        page=navigation.REVIEW,
        parameters=address.check_link(None if check is None else check.spot_check_id),
    )


def review_notices(*, disagreements: int, stale: int, latest: Run | None) -> list[Notice]:
    """Return what waits for reviewers: claims they disagree on, and labels whose chunks have changed."""
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
                page=navigation.REVIEW,
                parameters=_DISAGREEMENTS,
            )
        )
    if stale and latest is not None:
        verb = fmt.verb(stale, "is", "are")
        text = (
            f"{fmt.plural(stale, 'label')} in *{fmt.literal(latest.name)}* {verb} outdated: the chunks have "
            f"changed. Outdated labels do not count until a reviewer confirms them."
        )
        notices.append(
            Notice(
                text=text, icon="history", action="Check again", step="Check outdated labels", page=navigation.REVIEW
            )
        )
    return notices


def _alert_notice(alert: Alert) -> Notice:
    link: dict[str, str] = address.link(alert.run_id)
    if alert.rule.segment:
        link["segment"] = alert.rule.segment
    page, action = navigation.ANSWERS, "Inspect"
    if alert.rule.kind is AlertKind.COVERAGE:
        link["state"] = State.FAILED.value
    if alert.baseline_id is not None:
        page, action = navigation.CHANGES, "Compare"
        link = {"baseline": alert.baseline_id, "candidate": alert.run_id}
    return Notice(
        text=f"Alert: {fmt.literal(alert.message)}",
        icon="notifications_active",
        action=action,
        step="Compare before and after" if page == navigation.CHANGES else "Inspect the alert",
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
                step="Watch the run",
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
                step="Resume the run",
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
        step="See what has no verdict",
        page=navigation.ANSWERS,
        parameters=link,
    )


_SHOWN_NOTICES = 6
_UTC = ZoneInfo("UTC")


def load_notices(summaries: Sequence[RunSummary], trend: TrendData) -> list[Notice]:
    """Return what needs attention in the series in view, the most urgent first; of other series, that it has alerts."""
    store = opened_store.store()
    everywhere = list_open_alerts(store)
    disagreements = list_disagreements(store)
    series_of = {run.run_id: run.series for run in list_runs(store)} if everywhere or disagreements else {}
    alerts = [alert for alert in everywhere if series_of.get(alert.run_id) == series.in_view()]
    elsewhere = Counter(series_of[alert.run_id] for alert in everywhere if alert not in alerts)
    regressions = list_regressions(store, trend.whole, trend.grouped, trend.all_events, view=trend.view)
    latest = next((s.run for s in summaries if s.run.repeat_of is None), None)
    scored = _latest_with_claims(summaries)
    return [
        *alert_notices(alerts),
        *other_series_notices(elsewhere),
        *regression_notices(regressions, alerts, zone=_UTC),
        *level_notices(trend.finding, trend.process, zone=_UTC),
        *run_notices(summaries),
        *(judge_notices(latest, correct_run(store, latest.run_id)) if latest else ()),
        *review_notices(
            disagreements=sum(series_of.get(claim.run_id) == series.in_view() for claim in disagreements),
            stale=len(list_stale_labels(store, latest.run_id)) if latest else 0,
            latest=latest,
        ),
        *contradiction_notices(None if scored is None else get_summary(store, scored.run_id, view=View.REVIEWED)),
        *([] if scored is None else _unchecked(scored)),
    ]


def is_clear(summaries: Sequence[RunSummary], shown: Sequence[Notice]) -> bool:
    """Return whether nothing needs attention: reviewers have checked the newest run, and there is no notice.

    A run without claims, or of answers that were saved one at a time, cannot be checked, so of it nothing is said.
    """
    return not shown and _latest_with_claims(summaries) is not None


def _latest_with_claims(summaries: Sequence[RunSummary]) -> Run | None:
    """Return the newest run with claims that reviewers can check; None for answers saved one at a time."""
    if empty_state.is_one_at_a_time():
        return None
    return next((s.run for s in findings.without_repeats(summaries) if any(s.claims.values())), None)


def _unchecked(run: Run) -> list[Notice]:
    """Return the notice that the judge was not checked on a run, unless reviewers' labels correct its score."""
    correction = correct_run(opened_store.store(), run.run_id)
    if correction is not None and correction.is_headline:
        return []
    return [unchecked_notice(run, None if correction is None else correction.check)]


def attention(shown: Sequence[Notice], *, is_all_clear: bool) -> None:
    """Draw the notices; an alert can be marked as seen by who may label.

    Args:
        shown: the notices, the most urgent first.
        is_all_clear: what `is_clear` says of them.
    """
    st.header("Needs attention", anchor=False, help=_HELP)
    if not shown:
        st.markdown(f":gray[{_ALL_CLEAR if is_all_clear else _NO_NOTICE}]")
    can_acknowledge = identity.can_label(identity.current_reviewer())
    for number, notice in enumerate(shown[:_SHOWN_NOTICES]):
        words, action = st.columns([4, 1], vertical_alignment="center", gap="small")
        words.markdown(f":material/{notice.icon}: {notice.text}")
        if action.button(notice.action, key=f"overview.notice.{number}", width="stretch"):
            st.switch_page(notice.page, query_params=dict(notice.parameters))
        if notice.alert_id is not None and can_acknowledge:
            action.button(
                "Seen",
                key=f"overview.seen.{notice.alert_id}",
                type="tertiary",
                width="stretch",
                on_click=partial(_acknowledge, notice.alert_id),
            )
    if len(shown) > _SHOWN_NOTICES:
        st.caption(f"and {fmt.plural(len(shown) - _SHOWN_NOTICES, 'more notice')}")


def _acknowledge(alert_id: int) -> None:
    """Mark an alert as seen; checks the role again, because the page may be out of date."""
    if identity.can_label(identity.current_reviewer()):
        with suppress(NotFound):  # another user deleted its rule, and the alert with it
            acknowledge(opened_store.store(), alert_id)


_NO_NOTICE = (
    "No open alerts, unfinished runs, outdated or disputed labels, corrections of the judge, or falls that have not "
    "recovered."
)
_ALL_CLEAR = (
    "All clear: no open alerts, unfinished runs, outdated or disputed labels, corrections of the judge, or falls that "
    "have not recovered; reviewers have checked the judge on the newest run, and its chunks contradict none of its "
    "claims."
)
_HELP = (
    "Open alerts; significant falls since the last event that have not recovered; runs that are unfinished or whose "
    "coverage (the share of the answers that should have a verdict and have one) is below 95 %; a judge whose score "
    "differs from the corrected one by more than half of its interval; labels and claims that wait for reviewers; "
    "claims of the newest run that their chunks contradict (by reviewers' verdicts where there are any); and whether "
    "reviewers have checked the judge on it."
)
