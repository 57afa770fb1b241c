"""The colours of charts in the light and the dark theme, and what every chart looks like."""

from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

from faithview.domain.claim import Verdict
from faithview.wording import palette
from faithview.wording.verdict_styles import VERDICTS

CLEAR = "rgba(0,0,0,0)"
_TICKS = 4  # on a scale of values, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTheme:
    """The colours of one theme.

    `accent` is for the main line and for gains, `loss` for losses, `band` for an interval, `others` for the lines of
    other judges, `bar` for counts, `faint` for answers left out, `event` for vertical lines, `text` for
    words, `axis` for words along the axes (at least 4.5:1 on the background), `grid` for hairlines.
    """

    accent: str
    loss: str
    band: str
    others: tuple[str, ...]
    bar: str
    faint: str
    event: str
    text: str
    axis: str
    grid: str


def _theme(*, at: int, band: float, bar: str, faint: str) -> ChartTheme:
    wrong = VERDICTS[Verdict.CONTRADICTED]
    return ChartTheme(
        accent=palette.ACCENT[at],
        loss=_faded((wrong.light, wrong.dark)[at], 0.8),
        band=_faded(palette.ACCENT[at], band),
        others=tuple(shade[at] for shade in (palette.QUIET, *palette.OTHER_JUDGES)),
        bar=bar,
        faint=faint,
        event=palette.QUIET[at],
        text=palette.INK[at],
        axis=palette.QUIET[at],
        grid=palette.HAIRLINE[at],
    )


def _faded(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


LIGHT = _theme(at=0, band=0.13, bar="#b0caef", faint="#8590a3")
DARK = _theme(at=1, band=0.16, bar="#2d5180", faint="#8fa3c2")


def plain(text: str) -> str:
    """Escape a text so that Plotly shows it literally: no tags, no entities, no formulas, on one line."""
    line = " ".join(text.split())
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        line = line.replace(character, entity)
    return line


def chart_theme() -> ChartTheme:
    """Return the colours for the light or the dark theme, whichever this session uses."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def dress(figure: go.Figure, theme: ChartTheme) -> None:
    """Give a figure what all charts have, before its own layout: no background, hairlines, few ticks, quiet axes."""
    figure.update_layout(
        paper_bgcolor=CLEAR, plot_bgcolor=CLEAR, dragmode=False, showlegend=False, hoverlabel={"align": "left"}
    )
    axis = {
        "gridcolor": theme.grid,
        "zeroline": False,
        "tickfont": {"color": theme.axis},
        "title": {"font": {"color": theme.axis}},
    }
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis, nticks=_TICKS)
