"""The list of what needs attention, with a button to the page that settles each notice."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.run import Run, RunSummary
from faithview.domain.views import View
from faithview.services.changes.level_changes import list_regressions
from faithview.services.monitoring.alerts import acknowledge, list_open_alerts
from faithview.services.results.runs import get_summary, list_runs
from faithview.services.review.carry_over import list_stale_labels
from faithview.services.review.corrected_score import correct_run
from faithview.services.review.disagreements import list_disagreements
from faithview.ui.overview import notices
from faithview.ui.overview.notices import Notice
from faithview.ui.parts import empty_state
from faithview.ui.parts.trend.trend_data import TrendData
from faithview.ui.shell import app, identity, series
from faithview.wording import numbers as fmt
from faithview.wording import run_findings

_SHOWN_NOTICES = 6
_UTC = ZoneInfo("UTC")


def load_notices(summaries: Sequence[RunSummary], trend: TrendData) -> list[Notice]:
    """Return what needs attention in the series in view, the most urgent first; of other series, that it has alerts."""
    services = app.services()
    everywhere = list_open_alerts(services)
    disagreements = list_disagreements(services)
    series_of = {run.run_id: run.series for run in list_runs(services)} if everywhere or disagreements else {}
    alerts = [alert for alert in everywhere if series_of.get(alert.run_id) == series.in_view()]
    elsewhere = Counter(series_of[alert.run_id] for alert in everywhere if alert not in alerts)
    regressions = list_regressions(services, trend.whole, trend.grouped, trend.all_events, view=trend.view)
    latest = next((s.run for s in summaries if s.run.repeat_of is None), None)
    scored = _latest_with_claims(summaries)
    return [
        *notices.alert_notices(alerts),
        *notices.other_series_notices(elsewhere),
        *notices.regression_notices(regressions, alerts, zone=_UTC),
        *notices.level_notices(trend.finding, trend.process, zone=_UTC),
        *notices.run_notices(summaries),
        *(notices.judge_notices(latest, correct_run(services, latest.run_id)) if latest else ()),
        *notices.review_notices(
            disagreements=sum(series_of.get(claim.run_id) == series.in_view() for claim in disagreements),
            stale=len(list_stale_labels(services, latest.run_id)) if latest else 0,
            latest=latest,
        ),
        *notices.contradiction_notices(
            None if scored is None else get_summary(services, scored.run_id, view=View.REVIEWED)
        ),
        *([] if scored is None else _unchecked(scored)),
    ]


def is_clear(summaries: Sequence[RunSummary], shown: Sequence[Notice]) -> bool:
    """Return whether it can be said that nothing needs attention: people have checked the newest run, and no notice.

    A run without claims, or of answers that were saved one at a time, cannot be checked, so of it nothing is said.
    """
    return not shown and _latest_with_claims(summaries) is not None


def _latest_with_claims(summaries: Sequence[RunSummary]) -> Run | None:
    """Return the newest run with claims that people can check; None for answers saved one at a time."""
    if empty_state.is_one_at_a_time():
        return None
    return next((s.run for s in run_findings.without_repeats(summaries) if any(s.claims.values())), None)


def _unchecked(run: Run) -> list[Notice]:
    """Return the notice that the judge was not checked on a run, unless people's labels correct its score."""
    correction = correct_run(app.services(), run.run_id)
    if correction is not None and correction.is_headline:
        return []
    return [notices.unchecked_notice(run, None if correction is None else correction.check)]


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
        with suppress(NotFound):  # somebody deleted its rule, and the alert with it
            acknowledge(app.services(), alert_id)


_NO_NOTICE = (
    "No open alerts, unfinished runs, outdated or disputed labels, corrections of the judge, or falls that have not "
    "recovered."
)
_ALL_CLEAR = (
    "All clear: no open alerts, unfinished runs, outdated or disputed labels, corrections of the judge, or falls that "
    "have not recovered; people have checked the judge on the newest run, and no claim of it contradicts its chunks."
)
_HELP = (
    "Open alerts; significant falls since the last event that have not recovered; runs that are unfinished or whose "
    "coverage is below 95 %: the share of the answers that should have a verdict and have one; a judge whose score "
    "differs from the corrected one by more than half of its interval; labels and claims that wait for people; claims "
    "of the newest run that contradict their chunks (as people labelled them, if they did); and whether people have "
    "checked the judge on it."
)
