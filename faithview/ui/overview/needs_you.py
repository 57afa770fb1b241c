"""The list *Needs you*: what waits for reviewers in the series in view, each row with the one page that settles it."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.errors import NotFound
from faithview.domain.run import Run, RunSummary
from faithview.services.alerts import acknowledge, list_open_alerts
from faithview.services.container import Store
from faithview.services.level_changes import list_regressions
from faithview.services.results import get_summary, list_runs
from faithview.services.review.corrected_score import correct_run, count_settled
from faithview.services.review.disagreements import list_disagreements
from faithview.services.review.queue import ReviewerQueue, list_queues
from faithview.ui import identity, opened_store, series
from faithview.ui.overview.last_changes import list_row
from faithview.ui.overview.latest_score import is_relabelled, reviewed_link
from faithview.ui.overview.notices import (
    Notice,
    alert_notices,
    claim_notices,
    judge_notices,
    other_series_notices,
    regression_notices,
    review_notices,
    run_notices,
    spot_check_notices,
    unchecked_notice,
)
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.trend_finding import TrendData
from faithview.wording import findings
from faithview.wording import numbers as fmt

_SHOWN_NOTICES = 6
_UTC = ZoneInfo("UTC")


def load_notices(summaries: Sequence[RunSummary], trend: TrendData) -> list[Notice]:
    """Return what waits for reviewers in the series in view, the most urgent first, and the alerts of other series."""
    store = opened_store.store()
    everywhere = list_open_alerts(store)
    disagreements = list_disagreements(store)
    queues = [queue for queue in list_queues(store, identity.current_reviewer()) if not queue.is_done]
    series_of = {run.run_id: run.series for run in list_runs(store)} if everywhere or disagreements or queues else {}
    alerts = [alert for alert in everywhere if series_of.get(alert.run_id) == series.in_view()]
    elsewhere = Counter(series_of[alert.run_id] for alert in everywhere if alert not in alerts)
    unfinished = [q for q in queues if any(series_of.get(run_id) == series.in_view() for run_id in q.check.run_ids)]
    regressions = list_regressions(store, trend.whole, trend.grouped, trend.all_events)
    latest = next((s.run for s in summaries if s.run.repeat_of is None), None)
    scored = _latest_with_claims(summaries)
    return [
        *alert_notices(alerts),
        *other_series_notices(elsewhere),
        *regression_notices(regressions, alerts, zone=_UTC),
        *run_notices(summaries),
        *(judge_notices(latest, correct_run(store, latest.run_id)) if latest else ()),
        *(_to_read(store, scored.run_id) if scored else ()),
        *review_notices(
            disagreements=sum(series_of.get(claim.run_id) == series.in_view() for claim in disagreements),
        ),
        *spot_check_notices(unfinished),
        *(_unchecked(store, scored, unfinished) if scored else ()),
    ]


def is_clear(summaries: Sequence[RunSummary], shown: Sequence[Notice]) -> bool:
    """Return whether it can be said that nothing waits: reviewers have checked the newest run, and there is no notice.

    A run without claims, or of answers that were saved one at a time, cannot be checked, so of it nothing is said.
    """
    return not shown and _latest_with_claims(summaries) is not None


def _latest_with_claims(summaries: Sequence[RunSummary]) -> Run | None:
    """Return the newest run with claims that reviewers can check; None for answers saved one at a time."""
    if empty_state.is_one_at_a_time():
        return None
    return next((s.run for s in findings.without_repeats(summaries) if any(s.claims.values())), None)


def _to_read(store: Store, run_id: str) -> list[Notice]:
    reviewed = get_summary(store, run_id, view=View.REVIEWED)
    return claim_notices(reviewed, reviewed_link(run_id), is_relabelled=is_relabelled(run_id))


def _unchecked(store: Store, run: Run, unfinished: Sequence[ReviewerQueue]) -> list[Notice]:
    """Return the notice that the judge was not checked on a run, unless reviewers' labels correct its score.

    A spot-check that is not finished has a notice of its own.
    """
    correction = correct_run(store, run.run_id)
    if correction is not None and correction.headline is not None:
        return []
    check = None if correction is None else correction.check
    if check is not None and any(queue.check.spot_check_id == check.spot_check_id for queue in unfinished):
        return []
    return [unchecked_notice(run, check, labelled=count_settled(store, run.run_id))]


def needs_you(shown: Sequence[Notice], *, is_all_clear: bool) -> None:
    """Draw the notices; an alert can be marked as seen by who may label.

    Args:
        shown: the notices, the most urgent first.
        is_all_clear: what `is_clear` says of them.
    """
    st.header("Needs you", anchor=False, help=_HELP)
    if not shown:
        st.markdown(f":gray[{_ALL_CLEAR if is_all_clear else _NO_NOTICE}]")
    can_acknowledge = identity.can_label(identity.current_reviewer())
    rows = st.container(gap=None)
    for number, notice in enumerate(shown[:_SHOWN_NOTICES]):
        with rows, list_row(f"overview.notice.{number}", notice.icon, notice.text) as row:
            if notice.alert_id is not None and can_acknowledge:
                st.button(
                    "Seen",
                    key=f"overview.seen.{notice.alert_id}",
                    type="tertiary",
                    on_click=partial(_acknowledge, notice.alert_id),
                )
            row.link(notice.action, notice.page, notice.parameters)
    if len(shown) > _SHOWN_NOTICES:
        st.caption(f"and {fmt.plural(len(shown) - _SHOWN_NOTICES, 'more notice')}")


def _acknowledge(alert_id: int) -> None:
    """Mark an alert as seen; checks the role again, because the page may be out of date."""
    if identity.can_label(identity.current_reviewer()):
        with suppress(NotFound):  # somebody deleted its rule, and the alert with it
            acknowledge(opened_store.store(), alert_id)


_NO_NOTICE = "No open alerts, unfinished runs or spot-checks, disputed labels, or falls that have not recovered."
_ALL_CLEAR = (
    "All clear: no open alerts, unfinished runs or spot-checks, disputed labels, large corrections of the "
    "judge's score, or falls that have not recovered. A spot-check has checked the judge on the newest run, and all "
    "claims of that run are supported."
)
_HELP = (
    "This lists open alerts; significant falls since the last event that have not recovered; unfinished runs; runs "
    "with a coverage below 95% (of the answers that should have a verdict, the share that have one); a judge whose "
    "score differs from the corrected score by more than half of its interval; claims of the newest run that are not "
    "fully supported, by reviewers' labels where there are any; labels and spot-checks that wait for reviewers; and "
    "the newest run, if no reviewer has checked the judge on it."
)
