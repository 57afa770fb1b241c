"""The answers with the lowest scores in the selected range of the trends page."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from faithview.domain.trend import TrendPoint, WorstAnswer
from faithview.domain.views import View
from faithview.services.trends.by_run import list_worst
from faithview.ui.shell import address, app, nav
from faithview.wording import figure_help
from faithview.wording import numbers as fmt

_SHOWN = 20


def worst_answers(points: Sequence[TrendPoint], span: tuple[datetime, datetime], *, view: View, zone: ZoneInfo) -> None:
    """Draw the worst answers behind these points; a click on one opens it."""
    first, last = (fmt.day(moment.astimezone(zone)) for moment in span)
    days = first if first == last else f"{first} to {last}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(f"Worst answers, {days}", anchor=False, width="content")
        st.button(
            "Clear the range",
            type="tertiary",
            icon=":material/close:",
            key="trends.clear",
            on_click=address.select_range,
            args=(None,),
        )
    answers = list_worst(app.services(), points, view=view, limit=_SHOWN)
    if not answers:
        st.markdown(":gray[The range contains no point. Drag over at least one.]")
        return
    runs = {run_id for point in points for run_id in point.run_ids}
    judged = sum(point.judged for point in points)
    st.caption(f"{fmt.plural(len(answers), 'answer')} of {fmt.count(judged)} judged in {fmt.plural(len(runs), 'run')}")
    _table(answers, several_runs=len(runs) > 1)


def _table(answers: Sequence[WorstAnswer], *, several_runs: bool) -> None:
    event = st.dataframe(
        pd.DataFrame([_row(answer) for answer in answers]),
        key=f"trends.worst.{answers[0].run_id}.{len(answers)}",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        # By cell: selecting rows would add a column of check boxes.
        selection_mode="single-cell",
        column_config=_COLUMNS,
        column_order=[name for name in _COLUMNS if name != "run" or several_runs],
        alt="The answers with the lowest faithfulness in the range, worst first.",
    )
    cells = event.selection.cells
    if cells and 0 <= cells[0][0] < len(answers):
        chosen = answers[cells[0][0]]
        st.switch_page(nav.INSPECT, query_params=address.link(chosen.run_id, chosen.key))


def _row(answer: WorstAnswer) -> dict[str, object]:
    return {
        "score": answer.faithfulness,
        "contradicted": answer.contradicted,
        "claims": answer.claims,
        "question": answer.question,
        "answer": answer.answer,
        "segment": answer.segment,
        "run": answer.run_name,
    }


_COLUMNS = {
    "score": st.column_config.NumberColumn("Score", format="%.2f", width=62, help="Supported claims / all claims."),
    "contradicted": st.column_config.NumberColumn("Contradicted", width=100, help="Claims that the chunks contradict."),
    "claims": st.column_config.NumberColumn("Claims", width=64, help=figure_help.CLAIMS),
    "question": st.column_config.TextColumn("Question", width=290),
    "answer": st.column_config.TextColumn("Answer", width=400),
    "segment": st.column_config.TextColumn("Segment", width=110),
    "run": st.column_config.TextColumn("Run", width=160),
}
