"""The colours of charts in the light and the dark theme: one accent, neutrals, and no colour of a verdict."""

from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTheme:
    """The colours of one theme.

    `accent` is for the main line, `band` for its interval, `others` for the lines of other judges, `bar` for counts,
    `faint` for answers left out and for limits, `event` for vertical lines, `text` for words, `axis` for what is
    written along the axes (at least 4.5:1 on the background).
    """

    accent: str
    band: str
    others: tuple[str, ...]
    bar: str
    faint: str
    event: str
    text: str
    axis: str


LIGHT = ChartTheme(
    accent="#1d5bb8",
    band="rgba(29,91,184,0.13)",
    others=("#8e5bd0", "#45587a", "#b8458f", "#7a6a5a"),
    bar="#b0caef",
    faint="#8590a3",
    event="#45587a",
    text="#343c48",
    axis="#5a6270",
)
DARK = ChartTheme(
    accent="#86b4f5",
    band="rgba(134,180,245,0.16)",
    others=("#b49cf2", "#8fa3c2", "#e88fc4", "#bba994"),
    bar="#2d5180",
    faint="#8fa3c2",
    event="#8fa3c2",
    text="#cfd4db",
    axis="#a3abb8",
)


def plain(text: str) -> str:
    """Escape a text so that Plotly shows it literally: no tags, no entities, no formulas, on one line."""
    line = " ".join(text.split())
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        line = line.replace(character, entity)
    return line


def chart_theme() -> ChartTheme:
    """Return the colours for the light or the dark theme, whichever this session uses."""
    return DARK if st.context.theme.type == "dark" else LIGHT
