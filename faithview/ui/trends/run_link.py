"""Where a click on a point of the trend leads."""

import streamlit as st

from faithview.domain.trend import TrendPoint
from faithview.ui.shell import address, nav

# The page styles the charts itself and leaves no room for a toolbar.
CHART_CONFIG = {"displayModeBar": False, "doubleClick": False}


def open_point(point: TrendPoint, *, segment: str | None = None) -> None:
    """Open the run of a point, at a segment if one is given; for a period of several runs list its worst answers."""
    if len(point.run_ids) > 1 and point.end is not None:
        address.select_range((point.at, point.at))
        st.rerun()
    link = address.link(point.run_ids[0])
    st.switch_page(nav.INSPECT, query_params={**link, "segment": segment} if segment else link)
