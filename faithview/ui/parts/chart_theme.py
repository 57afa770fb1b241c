"""The chart colours of the theme that the browser shows."""

import streamlit as st

from faithview.ui.charts.theme import DARK, LIGHT, ChartTheme


def chart_theme() -> ChartTheme:
    """Return the colours for the light or the dark theme, whichever this session uses."""
    return DARK if st.context.theme.type == "dark" else LIGHT
