"""The runs: newest first, with their figures, a page at a time; and the archived ones, folded."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from faithview.domain.answer import View
from faithview.domain.run import Run, RunSummary
from faithview.services.results import list_runs, list_summaries, restore_run
from faithview.services.review.corrected_score import correct_summaries
from faithview.store.runs import count_runs
from faithview.ui import address, identity, navigation, opened_store, series, service_calls, session
from faithview.ui.widgets import corrected_score, run_menu
from faithview.wording import figure_help, findings
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import SCORE_HELP
from faithview.wording.numbers import VIEW_WORDS

_RUNS_A_PAGE = 15
_TREND_RUNS = 40


def load_latest_runs(view: View = View.JUDGE, *, judged: list[RunSummary] | None = None) -> list[RunSummary]:
    """Return the newest runs of the series in view with their figures, as many as the trend shows.

    `judged` are those with the judge's verdicts, if they are loaded already.
    """
    return judged if judged is not None and view is View.JUDGE else _load(view, limit=_TREND_RUNS)


def run_table(view: View) -> None:
    """Draw the runs of the series in view, newest first, a page at a time; a click on a row opens the run."""
    store = opened_store.store()
    total = count_runs(store.db, series=series.in_view())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(f"Runs, {VIEW_WORDS[view]}", anchor=False, width="content")
        run_menu.runs_menu()
    pages = -(-total // _RUNS_A_PAGE)
    turn = f"overview.page.{series.in_view()}"
    page = session.widget_page(turn) if pages > 1 else 1
    # One more than is shown: the run that the last row of the page is compared with.
    summaries = _load(view, offset=(page - 1) * _RUNS_A_PAGE, limit=_RUNS_A_PAGE + 1)
    shown = summaries[:_RUNS_A_PAGE]
    frame = _frame(shown, summaries)
    columns = dict(_COLUMNS)
    if view is View.CORRECTED:
        frame, columns = corrected_score.add_corrections(frame, shown), corrected_score.corrected_columns(columns)
    event = st.dataframe(
        frame,
        key=f"overview.runs.{series.in_view()}.{page}",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        # By cell, so a click anywhere opens the run: selecting rows would add a column of check boxes.
        selection_mode="single-cell",
        column_config=columns,
        column_order=[name for name in columns if name not in _OPTIONAL or _is_informative(name, frame)],
        alt="The runs, newest first, with their faithfulness, its interval, and the change from the previous run.",
    )
    if pages > 1:
        st.pagination(pages, key=turn)
    cells = event.selection.cells
    if cells and 0 <= cells[0][0] < len(shown):
        st.switch_page(navigation.ANSWERS, query_params=address.link(shown[cells[0][0]].run.run_id))


def _load(view: View, *, limit: int, offset: int = 0) -> list[RunSummary]:
    store = opened_store.store()
    if view is View.CORRECTED:
        listed = list_summaries(store, series=series.in_view(), offset=offset, limit=limit)
        return correct_summaries(store, listed)
    return list_summaries(store, series=series.in_view(), view=view, offset=offset, limit=limit)


def _frame(shown: Sequence[RunSummary], candidates: Sequence[RunSummary]) -> pd.DataFrame:
    return pd.DataFrame([_run_row(summary, findings.previous(summary, candidates)) for summary in shown])


def _is_informative(column: str, frame: pd.DataFrame) -> bool:
    """Return whether a column differs between the runs, or shows something else than what is usual."""
    usual = {"status": "complete", "coverage": "100%"}.get(column)
    return frame[column].nunique(dropna=False) > 1 or (usual is not None and usual not in set(frame[column]))


def _run_row(summary: RunSummary, before: RunSummary | None) -> dict[str, object]:
    mean = summary.score.mean
    return {
        "run": summary.run.name,
        "as_of": summary.run.as_of,
        "faithfulness": mean,
        "interval": fmt.interval(summary.score),
        "change": fmt.change(before.score.mean if before else None, mean),
        "n": summary.score.judged,
        "unsupported": fmt.percent(summary.hallucination_rate),
        "coverage": fmt.percent(summary.coverage),
        "left_out": fmt.left_out(summary.states),
        "judge": summary.run.judge.name,
        "kb": summary.run.kb_version,
        "status": fmt.STATUS_WORDS[summary.run.status],
    }


_OPTIONAL = ("coverage", "judge", "kb", "status")

_COLUMNS = {
    "run": st.column_config.TextColumn("Run", width=160),
    "as_of": st.column_config.DateColumn("Answers of", format="D MMM YYYY"),
    "faithfulness": st.column_config.NumberColumn("Faithfulness", format="%.2f", help=SCORE_HELP),
    "interval": st.column_config.TextColumn("95% interval", width=95, help=figure_help.INTERVAL),
    "change": st.column_config.TextColumn(
        "Change",
        alignment="right",
        help="The difference from the previous run by the same judge, over all answers of both; *Changes* pairs them.",
    ),
    "n": st.column_config.NumberColumn("n", help=figure_help.N),
    "unsupported": st.column_config.TextColumn(
        "Unsupported", alignment="right", help="The share of claims that are not supported."
    ),
    "coverage": st.column_config.TextColumn("Coverage", alignment="right", help=figure_help.COVERAGE),
    "left_out": st.column_config.TextColumn("Left out", help="Answers that are not part of the mean, by state."),
    "judge": st.column_config.TextColumn("Judge"),
    "kb": st.column_config.TextColumn("KB", help="Version of the knowledge base."),
    "status": st.column_config.TextColumn("Status"),
}


_LISTED = 50
_WRITE_PLACE = "archived runs"


def archived_runs(series: str | None) -> None:
    """Draw the archived runs of a series, or of all (None); nothing if there are none."""
    store = opened_store.store()
    total = count_runs(store.db, series=series, archived=True)
    if not total:
        return
    service_calls.show_message(_WRITE_PLACE)
    with st.expander(f"Archived ({fmt.plural(total, 'run')})", icon=":material/archive:"):
        for run in list_runs(store, series=series, archived=True, limit=_LISTED):
            _archived_row(run)
        if total > _LISTED:
            st.caption(f"and {fmt.plural(total - _LISTED, 'older run')}")


def _archived_row(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        note = f"  \n:small[{fmt.literal(run.note)}]" if run.note else ""
        st.markdown(
            f"**{fmt.literal(run.name)}** :gray[:small[{fmt.literal(fmt.run_line(run))}]]{note}", width="stretch"
        )
        if st.button("Open", key=f"archived.open.{run.run_id}", type="tertiary"):
            st.switch_page(navigation.ANSWERS, query_params=address.link(run.run_id))
        if identity.can_run():
            st.button("Restore", key=f"archived.restore.{run.run_id}", on_click=partial(_restore, run))


def _restore(run: Run) -> None:
    service_calls.write(
        lambda: restore_run(opened_store.store(), run.run_id), place=_WRITE_PLACE, refusal=identity.why_cannot_run()
    )
