"""The waterfall of a comparison: from the baseline's mean, through what each cause lost and won, to the candidate's."""

import math
import textwrap
from collections.abc import Sequence

import plotly.graph_objects as go

from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import CauseSide
from faithview.services.comparison.waterfall import WaterfallStep, waterfall_steps
from faithview.ui.charts.theme import ChartTheme
from faithview.ui.compare.address import side_name
from faithview.ui.compare.charts.row_figure import row_axis, row_layout, row_targets
from faithview.wording import numbers as fmt

_ROW, _TIGHT_ROW, _TIGHT_FROM = 36, 31, 9
_LABEL_CHARACTERS = 32
# On a narrower axis than this, a difference of almost nothing would fill the picture.
_MINIMUM_SPAN = 0.12
_FADED = 0.3


def waterfall_figure(comparison: Comparison, *, theme: ChartTheme, chosen: CauseSide | None = None) -> go.Figure:
    """Draw what each cause lost and won; `customdata` is `side_name`, "" for the means."""
    steps = waterfall_steps(comparison)
    places = list(range(len(steps)))
    low, high = _span(steps)
    is_faded = [chosen is not None and step.side != chosen for step in steps]
    figure = go.Figure()
    figure.add_trace(_cause_bars(steps, is_faded, theme))
    figure.add_trace(_mean_marks(steps, theme))
    figure.add_trace(_value_texts(steps, is_faded, theme))
    # The whole row takes the click: the bar of a small cause is too narrow to hit.
    figure.add_trace(
        row_targets(places, low, high, [_clicked(step) for step in steps], [_hover(step) for step in steps])
    )
    for at in places[:-1]:
        figure.add_shape(
            type="line",
            x0=steps[at].end,
            x1=steps[at].end,
            y0=at,
            y1=at + 1,
            line={"width": 1, "color": theme.faint, "dash": "dot"},
            layer="below",
        )
    row_height = _ROW if len(steps) < _TIGHT_FROM else _TIGHT_ROW
    figure.update_layout(**row_layout(height=row_height * len(steps) + 34, left=222))
    figure.update_yaxes(**row_axis(places, _labels(steps, is_largest_bold=comparison.is_significant), theme))
    figure.update_xaxes(
        range=[low, high], tickmode="array", tickvals=_ticks(low, high), tickformat=".2f", zeroline=False
    )
    return figure


def _cause_bars(steps: Sequence[WaterfallStep], is_faded: Sequence[bool], theme: ChartTheme) -> go.Bar:
    bars = [at for at, step in enumerate(steps) if step.side is not None]
    return go.Bar(
        orientation="h",
        y=bars,
        base=[steps[at].start for at in bars],
        x=[steps[at].end - steps[at].start for at in bars],
        width=0.56,
        marker={
            "color": [_colour(steps[at], theme) for at in bars],
            "opacity": [_FADED if is_faded[at] else 1.0 for at in bars],
            "line": {"width": 0},
        },
        hoverinfo="skip",
    )


def _colour(step: WaterfallStep, theme: ChartTheme) -> str:
    return theme.accent if step.side is not None and step.side.is_won else theme.others[2]


def _mean_marks(steps: Sequence[WaterfallStep], theme: ChartTheme) -> go.Scatter:
    means = [at for at, step in enumerate(steps) if step.side is None]
    return go.Scatter(
        x=[steps[at].end for at in means],
        y=means,
        mode="markers",
        marker={"symbol": "diamond", "size": 11, "color": theme.text},
        hoverinfo="skip",
    )


def _value_texts(steps: Sequence[WaterfallStep], is_faded: Sequence[bool], theme: ChartTheme) -> go.Scatter:
    return go.Scatter(
        x=[max(step.start, step.end) for step in steps],
        y=list(range(len(steps))),
        mode="text",
        text=["\u00a0\u00a0\u00a0" * (1 + (step.side is None)) + _value(step) for step in steps],
        textposition="middle right",
        textfont={"size": 13, "color": [theme.faint if faded else theme.text for faded in is_faded]},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _labels(steps: Sequence[WaterfallStep], *, is_largest_bold: bool) -> list[str]:
    """Return the rows' labels; bold are the means and, where asked for, the cause with the largest share."""
    causes = [at for at, step in enumerate(steps) if step.side is not None]
    largest = max(causes, key=lambda at: abs(steps[at].end - steps[at].start), default=None)
    bold = largest if is_largest_bold else None
    return [_label(step, is_bold=step.side is None or at == bold) for at, step in enumerate(steps)]


def waterfall_in_words(comparison: Comparison) -> str:
    """Return what the waterfall shows, for screen readers."""
    steps = waterfall_steps(comparison)
    parts = [f"{step.label}: {_value(step) if step.side else fmt.share(step.end)}" for step in steps]
    return f"What each cause lost and won, from the baseline's mean to the candidate's. {'; '.join(parts)}"


def _span(steps: Sequence[WaterfallStep]) -> tuple[float, float]:
    ends = [end for step in steps for end in (step.start, step.end)] or [0.0]
    low, high = min(ends), max(ends)
    width = max(high - low, _MINIMUM_SPAN)
    middle = (low + high) / 2
    # Leave room for the figures at the right.
    return middle - 0.56 * width, middle + 0.95 * width


def _ticks(low: float, high: float) -> list[float]:
    """Return the ticks of an axis of scores; none beyond 1, the highest score."""
    step = 0.05 if high - low < 0.4 else 0.1 if high - low < 0.9 else 0.2
    first, last = math.ceil(low / step), math.floor(min(high, 1.0) / step + 1e-9)
    return [round(at * step, 2) for at in range(max(0, first), last + 1)]


def _clicked(step: WaterfallStep) -> str:
    return "" if step.side is None else side_name(step.side)


def _value(step: WaterfallStep) -> str:
    if step.side is None:
        return f"<b>{fmt.share(step.end)}</b>"
    decimals = 2 if abs(step.end - step.start) >= 0.005 else 3
    return f"{fmt.signed(step.end - step.start, decimals=decimals)} · {fmt.plural(step.claims, 'claim')}"


def _hover(step: WaterfallStep) -> str:
    if step.side is None:
        return f"mean of the paired answers {step.label}: {fmt.share(step.end)}"
    change = "mended" if step.side.is_won else "broken"
    return (
        f"<b>{step.label}</b><br>{fmt.signed(step.end - step.start, decimals=4)} points, "
        f"{fmt.plural(step.claims, 'claim')} {change} in {fmt.plural(step.answers, 'answer')}<br>"
        "click: show these answers"
    )


def _label(step: WaterfallStep, *, is_bold: bool) -> str:
    lines = "<br>".join(textwrap.wrap(step.label, _LABEL_CHARACTERS))
    return f"<b>{lines}</b>" if is_bold else lines
