"""Parts of the overview: what needs attention, the trend, the latest runs."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.domain.run import RunSummary
from faithview.services.correction import correct_summaries
from faithview.services.views import View
from faithview.ui import charts, findings, nav, shell, state
from faithview.ui import format as fmt
from faithview.ui.components.view_switch import VIEW_WORDS, view_note
from faithview.ui.sections import corrected, downloads

_RUNS_A_PAGE = 15
_TREND_RUNS = 40
_SHOWN_NOTICES = 6


def load_latest(view: View) -> list[RunSummary]:
    """Return the newest runs with their figures, as many as the trend shows."""
    return _load(view, limit=_TREND_RUNS)


def finding(summaries: Sequence[RunSummary], view: View) -> None:
    """Draw the sentence that says how things stand, with the next step."""
    if view is View.CORRECTED and all(s.score.mean is None for s in summaries):
        corrected.nothing_corrected()
        return
    st.markdown(f"{findings.overview_finding(summaries)} {view_note(view)}")


def attention(summaries: Sequence[RunSummary]) -> None:
    """Draw what needs attention, each with the way to the place that settles it."""
    st.subheader("Needs attention", anchor=False)
    notices = findings.notices(summaries)
    if not notices:
        st.markdown(":gray[Nothing: no run is unfinished, and nothing fell beyond its interval.]")
    for number, notice in enumerate(notices[:_SHOWN_NOTICES]):
        words, action = st.columns([4, 1], vertical_alignment="center")
        words.markdown(f":material/{notice.icon}: {notice.text}")
        if action.button(notice.action, key=f"overview.notice.{number}", width="stretch"):
            st.switch_page(notice.page, query_params=dict(notice.parameters))
    if len(notices) > _SHOWN_NOTICES:
        st.caption(f"and {fmt.plural(len(notices) - _SHOWN_NOTICES, 'older notice')}")


def trend(summaries: Sequence[RunSummary], view: View) -> None:
    """Draw faithfulness over the latest runs; a click on a point opens its run."""
    st.subheader(f"Faithfulness by run, {VIEW_WORDS[view]}", anchor=False, help=_SCORE_HELP)
    if not any(s.score.mean is not None for s in summaries):
        waits = "corrected" if view is View.CORRECTED else "judged"
        st.markdown(f":gray[The first {waits} run will stand here.]")
        return
    colour = "#86b4f5" if st.context.theme.type == "dark" else "#1d5bb8"
    event = st.plotly_chart(
        charts.trend(summaries, colour=colour),
        key="overview.trend",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=charts.trend_in_words(summaries),
    )
    points = event.selection.points
    if points and points[0].get("customdata"):
        st.switch_page(nav.INSPECT, query_params=state.link(str(points[0]["customdata"])))


def runs_table(view: View) -> None:
    """Draw the runs, newest first, a page at a time; a click on a row opens the run."""
    services = shell.services()
    total = services.count_runs()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(f"Runs, {VIEW_WORDS[view]}", anchor=False, width="content")
        downloads.runs_download(view)
    pages = -(-total // _RUNS_A_PAGE)
    page = st.session_state.get("overview.page", 1) if pages > 1 else 1
    # One more than is shown, so that the last row of a page has one to be compared with.
    summaries = _load(view, offset=(page - 1) * _RUNS_A_PAGE, limit=_RUNS_A_PAGE + 1)
    shown = summaries[:_RUNS_A_PAGE]
    frame = _frame(shown, summaries)
    columns = _COLUMNS
    if view is View.CORRECTED:
        frame, columns = corrected.beside(frame, shown), corrected.columns(_COLUMNS)
    event = st.dataframe(
        frame,
        key=f"overview.runs.{page}",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config=columns,
        column_order=[name for name in columns if name not in _OPTIONAL or _tells_runs_apart(name, frame)],
        alt="The runs, newest first, with their faithfulness, its interval, and the change against the run before.",
    )
    if pages > 1:
        st.pagination(pages, key="overview.page")
    # A click anywhere in a row opens its run, not only one on the small box before it.
    rows = [*event.selection.rows, *(row for row, _ in event.selection.cells)]
    if rows:
        st.switch_page(nav.INSPECT, query_params=state.link(shown[rows[0]].run.run_id))


def _load(view: View, *, limit: int, offset: int = 0) -> list[RunSummary]:
    services = shell.services()
    if view is View.CORRECTED:
        return correct_summaries(services, services.list_summaries(offset=offset, limit=limit))
    return services.list_summaries(view=view, offset=offset, limit=limit)


def _frame(shown: Sequence[RunSummary], known: Sequence[RunSummary]) -> pd.DataFrame:
    return pd.DataFrame([_row(summary, findings.previous(summary, known)) for summary in shown])


def _tells_runs_apart(column: str, frame: pd.DataFrame) -> bool:
    """Return whether a column says something that differs between the runs, or that is not as it should be."""
    return frame[column].nunique(dropna=False) > 1 or (column == "status" and "complete" not in set(frame[column]))


def _row(summary: RunSummary, before: RunSummary | None) -> dict[str, object]:
    mean = summary.score.mean
    return {
        "run": summary.run.name,
        "as_of": summary.run.as_of,
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

_OPTIONAL = ("judge", "kb", "status")

_COLUMNS = {
    "run": st.column_config.TextColumn("Run", width=170),
    "as_of": st.column_config.DateColumn("Answers of", format="D MMM YYYY"),
    "faithfulness": st.column_config.NumberColumn("Faithfulness", format="%.2f", help=_SCORE_HELP),
    "interval": st.column_config.TextColumn("95 % interval", width=105),
    "change": st.column_config.TextColumn(
        "Change", alignment="right", help="Against the run before by the same judge, unpaired."
    ),
    "n": st.column_config.NumberColumn("n", help="Judged answers."),
    "segments": st.column_config.BarChartColumn(
        "By segment", y_min=0, y_max=1, help="Faithfulness of each segment, by name."
    ),
    "unsupported": st.column_config.TextColumn(
        "Unsupported", alignment="right", help="Claims that are not supported / all claims."
    ),
    "left_out": st.column_config.TextColumn("Left out", help="Answers that are not in the mean, by their state."),
    "judge": st.column_config.TextColumn("Judge"),
    "kb": st.column_config.TextColumn("KB", help="The knowledge base's version."),
    "status": st.column_config.TextColumn("Status"),
}
