"""Parts of the overview: what needs attention, the trend, the latest runs."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.buckets import Step
from faithview.domain.errors import NotFound
from faithview.domain.run import RunSummary
from faithview.domain.trend import Grouping
from faithview.domain.views import View
from faithview.services.monitoring.alerts import acknowledge, list_open_alerts
from faithview.services.results.runs import count_runs, list_summaries
from faithview.services.review.carry_over import list_stale_labels
from faithview.services.review.corrected_score import correct_summaries
from faithview.services.review.disagreements import list_disagreements
from faithview.services.trends.episodes import list_regressions
from faithview.ui.charts.trend import Drawn, trend_figure, trend_in_words, y_range
from faithview.ui.overview import notices
from faithview.ui.overview.notices import Notice
from faithview.ui.parts import corrected_score, downloads
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import address, app, identity, nav, session
from faithview.ui.trends import trend_line
from faithview.ui.trends.trend_line import Choices
from faithview.wording import numbers as fmt
from faithview.wording import run_findings
from faithview.wording.views import VIEW_WORDS

_RUNS_A_PAGE = 15
_TREND_RUNS = 40
_SHOWN_NOTICES = 6
_SPARK_RUNS = 12
_UTC = ZoneInfo("UTC")


def load_latest(view: View) -> list[RunSummary]:
    """Return the newest runs with their figures, as many as the trend shows."""
    return _load(view, limit=_TREND_RUNS)


def load_news(view: View) -> trend_line.Loaded:
    """Return the trend by run, with its events and what it says."""
    return trend_line.load(Choices(step=Step.RUN, grouping=Grouping.SEGMENT, zone="UTC", view=view))


def load_notices(summaries: Sequence[RunSummary], news: trend_line.Loaded) -> list[Notice]:
    """Return what needs attention, the most pressing first."""
    services = app.services()
    alerts = list_open_alerts(services)
    regressions = list_regressions(news.whole, news.grouped, news.all_events, view=news.view)
    latest = next((s.run for s in summaries if s.run.repeat_of is None), None)
    return [
        *notices.alert_notices(alerts),
        *notices.regression_notices(regressions, alerts, zone=_UTC),
        *notices.run_notices(summaries),
        *notices.review_notices(
            disagreements=len(list_disagreements(services)),
            stale=len(list_stale_labels(services, latest.run_id)) if latest else 0,
            latest=latest,
        ),
    ]


def finding(summaries: Sequence[RunSummary], found: Sequence[Notice], view: View) -> None:
    """Draw the sentence that says how things stand and whether anything is wrong."""
    if view is View.CORRECTED and all(s.score.mean is None for s in summaries):
        corrected_score.nothing_corrected()
        return
    verb = fmt.verb(len(found), "needs", "need")
    state_of_things = (
        f"**{fmt.plural(len(found), 'thing')} {verb} attention.**" if found else "Nothing needs attention."
    )
    st.markdown(f"{run_findings.overview_finding(summaries)} {state_of_things} {view_note(view)}")


def attention(found: Sequence[Notice]) -> None:
    """Draw what needs attention, each with the way to the place that settles it."""
    st.subheader("Needs attention", anchor=False, help=_ATTENTION_HELP)
    if not found:
        st.markdown(
            ":gray[Nothing: no alert is open, no run is unfinished, no label is stale or disputed, and nothing that "
            "fell has stayed down.]"
        )
    can_acknowledge = identity.can_label(identity.current_reviewer())
    for number, notice in enumerate(found[:_SHOWN_NOTICES]):
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
    if len(found) > _SHOWN_NOTICES:
        st.caption(f"and {fmt.plural(len(found) - _SHOWN_NOTICES, 'more notice')}")


def _acknowledge(alert_id: int) -> None:
    """Take an alert off the list; the right to do so is asked for here, whatever the page showed."""
    if identity.can_label(identity.current_reviewer()):
        with suppress(NotFound):  # its rule was deleted meanwhile, and the alert with it
            acknowledge(app.services(), alert_id)


def trend(news: trend_line.Loaded, view: View) -> None:
    """Draw faithfulness by run with the events; a click on a point opens its run."""
    st.subheader(f"Faithfulness by run, {VIEW_WORDS[view]}", anchor=False, help=_SCORE_HELP)
    lines = news.whole.of_view(view)
    if not lines:
        waits = {View.CORRECTED: "corrected", View.REVIEWED: "labelled"}.get(view, "judged")
        st.markdown(f":gray[The first {waits} run will stand here.]")
        return
    drawn = Drawn(lines=lines, events=news.events, is_small=True)
    event = st.plotly_chart(
        trend_figure(drawn, zone=_UTC, theme=chart_theme()),
        key="overview.trend",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=trend_in_words(drawn, zone=_UTC),
    )
    if st.button("Open the trends", type="tertiary", icon=":material/show_chart:", key="overview.trends"):
        st.switch_page(nav.TRENDS)
    point = trend_line.clicked(event.selection.get("points") or [], lines)
    if point is not None:
        st.switch_page(nav.INSPECT, query_params=address.link(point.run_ids[0]))


def runs_table(view: View, news: trend_line.Loaded) -> None:
    """Draw the runs, newest first, a page at a time; a click on a row opens the run."""
    services = app.services()
    total = count_runs(services)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(f"Runs, {VIEW_WORDS[view]}", anchor=False, width="content")
        downloads.runs_download(view)
    pages = -(-total // _RUNS_A_PAGE)
    page = session.widget_page("overview.page") if pages > 1 else 1
    # One more than is shown, so that the last row of a page has one to be compared with.
    summaries = _load(view, offset=(page - 1) * _RUNS_A_PAGE, limit=_RUNS_A_PAGE + 1)
    shown = summaries[:_RUNS_A_PAGE]
    frame = _frame(shown, summaries, _histories(news, view))
    columns = _columns(news, view)
    if view is View.CORRECTED:
        frame, columns = corrected_score.beside(frame, shown), corrected_score.columns(columns)
    event = st.dataframe(
        frame,
        key=f"overview.runs.{page}",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        # By cell, so that a click anywhere opens the run: a choice of rows would put a column of boxes before them.
        selection_mode="single-cell",
        column_config=columns,
        column_order=[name for name in columns if name not in _OPTIONAL or _tells_runs_apart(name, frame)],
        alt="The runs, newest first, with their faithfulness, its interval, and the change against the run before.",
    )
    if pages > 1:
        st.pagination(pages, key="overview.page")
    cells = event.selection.cells
    if cells and 0 <= cells[0][0] < len(shown):
        st.switch_page(nav.INSPECT, query_params=address.link(shown[cells[0][0]].run.run_id))


def _load(view: View, *, limit: int, offset: int = 0) -> list[RunSummary]:
    services = app.services()
    if view is View.CORRECTED:
        return correct_summaries(services, list_summaries(services, offset=offset, limit=limit))
    return list_summaries(services, view=view, offset=offset, limit=limit)


def _columns(news: trend_line.Loaded, view: View) -> dict[str, ColumnConfig]:
    """Return the columns with the line of scores behind the date, all lines on the trend's scale."""
    history = st.column_config.LineChartColumn(
        "Trend",
        y_min=y_range(news.whole.of_view(view))[0],
        y_max=1,
        width=90,
        help="Faithfulness of the runs up to this one, by the same judge.",
    )
    names = list(_COLUMNS)
    at = names.index("faithfulness")
    return {name: history if name == "history" else _COLUMNS[name] for name in [*names[:at], "history", *names[at:]]}


def _histories(news: trend_line.Loaded, view: View) -> dict[str, list[float]]:
    """Return by run its line of scores up to it, of the same judge."""
    return {
        point.run_ids[0]: [earlier.mean for earlier in line.points[max(0, at + 1 - _SPARK_RUNS) : at + 1]]
        for line in news.whole.of_view(view)
        for at, point in enumerate(line.points)
    }


def _frame(
    shown: Sequence[RunSummary], known: Sequence[RunSummary], histories: Mapping[str, list[float]]
) -> pd.DataFrame:
    return pd.DataFrame(
        [
            _row(summary, run_findings.previous(summary, known), histories.get(summary.run.run_id, []))
            for summary in shown
        ]
    )


def _tells_runs_apart(column: str, frame: pd.DataFrame) -> bool:
    """Return whether a column says something that differs between the runs, or that is not as it should be."""
    return frame[column].nunique(dropna=False) > 1 or (column == "status" and "complete" not in set(frame[column]))


def _row(summary: RunSummary, before: RunSummary | None, history: list[float]) -> dict[str, object]:
    mean = summary.score.mean
    return {
        "run": summary.run.name,
        "as_of": summary.run.as_of,
        "history": history,
        "faithfulness": mean,
        "interval": fmt.interval(summary.score),
        "change": fmt.change(before.score.mean if before else None, mean),
        "n": summary.score.judged,
        "segments": [s.score.mean for s in summary.segments if s.score.mean is not None],
        "unsupported": fmt.percent(summary.hallucination_rate),
        "left_out": fmt.left_out(summary.states),
        "judge": summary.run.judge.name,
        "kb": summary.run.kb_version,
        "status": fmt.STATUS_WORDS[summary.run.status],
    }


_SCORE_HELP = (
    "The share of an answer's claims that its chunks support, averaged over the judged answers of a run. The interval "
    "is a 95 % bootstrap interval over questions. Abstentions, answers without claims and failures are counted beside "
    "it and do not enter it."
)

_ATTENTION_HELP = (
    "Open alerts; falls since the last event that are more than chance and have not recovered; runs that are "
    "unfinished or in which more than one answer of twenty could not be judged; labels and claims that wait for people."
)

_OPTIONAL = ("judge", "kb", "status")

_COLUMNS = {
    "run": st.column_config.TextColumn("Run", width=160),
    "as_of": st.column_config.DateColumn("Answers of", format="D MMM YYYY"),
    "faithfulness": st.column_config.NumberColumn("Faithfulness", format="%.2f", help=_SCORE_HELP),
    "interval": st.column_config.TextColumn("95 % interval", width=95),
    "change": st.column_config.TextColumn(
        "Change", alignment="right", help="Against the run before by the same judge, unpaired."
    ),
    "n": st.column_config.NumberColumn("n", help="Judged answers."),
    "segments": st.column_config.BarChartColumn(
        "By segment", y_min=0, y_max=1, width=105, help="Faithfulness of each segment, by name."
    ),
    "unsupported": st.column_config.TextColumn(
        "Unsupported", alignment="right", help="Claims that are not supported / all claims."
    ),
    "left_out": st.column_config.TextColumn("Left out", help="Answers that are not in the mean, by their state."),
    "judge": st.column_config.TextColumn("Judge"),
    "kb": st.column_config.TextColumn("KB", help="The knowledge base's version."),
    "status": st.column_config.TextColumn("Status"),
}
