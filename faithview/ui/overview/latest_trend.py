"""The small trend of the overview: faithfulness by run, with events."""

from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.buckets import Step
from faithview.domain.series import CHECKED_ANSWERS
from faithview.domain.trend import Grouping
from faithview.domain.views import View
from faithview.ui.charts.markers import clicked_event
from faithview.ui.charts.trend_axes import TrendChart
from faithview.ui.charts.trend_figure import clicked_point, trend_figure, trend_in_words
from faithview.ui.parts import empty_state
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.parts.trend.event_links import open_event
from faithview.ui.parts.trend.trend_data import TrendChoices, TrendData, load_trend_data
from faithview.ui.shell import address, nav
from faithview.wording.score_help import SCORE_HELP
from faithview.wording.views import VIEW_WORDS

_UTC = ZoneInfo("UTC")
_FIRST_RUN = {View.CORRECTED: "corrected", View.REVIEWED: "labelled", View.JUDGE: "judged"}


def load_latest_trend(view: View) -> TrendData:
    """Load the trend by run with its events and findings."""
    return load_trend_data(TrendChoices(step=Step.RUN, grouping=Grouping.SEGMENT, zone_name="UTC", view=view))


def latest_trend(trend: TrendData, view: View) -> None:
    """Draw faithfulness by run with the events; a click on a point opens its run, one on an event what it changed."""
    st.header(f"Faithfulness by run, {VIEW_WORDS[view]}", anchor=False, help=SCORE_HELP)
    lines = trend.whole.of_view(view)
    if empty_state.is_one_at_a_time():
        st.markdown(f":gray[*{CHECKED_ANSWERS}* are saved one at a time and have no trend.]")
        return
    if not lines:
        st.markdown(f":gray[The first {_FIRST_RUN[view]} run will appear here.]")
        return
    chart = TrendChart(lines=lines, events=trend.events, is_small=True)
    event = st.plotly_chart(
        trend_figure(chart, zone=_UTC, theme=chart_theme()),
        key="overview.trend",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=trend_in_words(chart, zone=_UTC),
    )
    if st.button("Open the trends", type="tertiary", icon=":material/show_chart:", key="overview.trends"):
        st.switch_page(nav.TRENDS)
    clicks = event.selection.get("points") or []
    happened = clicked_event(clicks, chart.events)
    if happened is not None:
        open_event(happened)
    point = clicked_point(clicks, lines)
    if point is not None:
        st.switch_page(nav.INSPECT, query_params=address.link(point.run_ids[0]))
