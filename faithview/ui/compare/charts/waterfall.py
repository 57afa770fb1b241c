"""The waterfall of a comparison: from the baseline's mean, through what each cause lost and won, to the candidate's."""

import textwrap
from collections.abc import Sequence

import plotly.graph_objects as go

from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import CauseSide
from faithview.services.comparison.waterfall import WaterfallStep, waterfall_steps
from faithview.ui.charts.theme import ChartTheme
from faithview.ui.compare.address import side_name
from faithview.ui.compare.charts.row_figure import row_axis, row_layout, row_targets, ticks
from faithview.wording import numbers as fmt

_ROW, _TIGHT_ROW, _TIGHT_FROM = 36, 31, 9
_LABEL_CHARACTERS = 27
_LABEL_WIDTH = 190  # px
# Room for the figures at the right of the longest bar, in px a character.
_VALUE_CHARACTER = 7.2
# On a narrower axis than this, a difference of almost nothing would fill the picture.
_MINIMUM_SPAN = 0.12
_FADED = 0.3


def waterfall_figure(comparison: Comparison, *, theme: ChartTheme, chosen: CauseSide | None = None) -> go.Figure:
    """Draw what each cause lost and won; `customdata` is `side_name`, "" for the means."""
    steps = waterfall_steps(comparison)
    rows = list(range(len(steps)))
    low, high = _span(steps)
    is_faded = [chosen is not None and step.side != chosen for step in steps]
    figure = go.Figure()
    figure.add_trace(_cause_bars(steps, is_faded, theme))
    figure.add_trace(_mean_marks(steps, theme))
    figure.add_trace(_value_texts(steps, is_faded, theme))
    # The whole row takes the click: the bar of a small cause is too narrow to hit.
    figure.add_trace(row_targets(rows, low, high, [_clicked(step) for step in steps], [_hover(step) for step in steps]))
    for at in rows[:-1]:
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
    room = 34 + round(_VALUE_CHARACTER * max((len(_plain_value(step)) for step in steps), default=0))
    figure.update_layout(**row_layout(height=row_height * len(steps) + 34, left=_LABEL_WIDTH, right=room))
    figure.update_yaxes(**row_axis(rows, _labels(steps, is_largest_bold=comparison.is_significant), theme))
    places, decimals = _score_ticks(low, high)
    figure.update_xaxes(
        range=[low, high],
        tickmode="array",
        tickvals=places,
        tickformat=f".{decimals}f",
        tickangle=0,
        tickfont={"color": theme.event},
        zeroline=False,
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
        textfont={"size": 13, "color": [theme.event if faded else theme.text for faded in is_faded]},
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
    return middle - 0.55 * width, middle + 0.55 * width


def _score_ticks(low: float, high: float) -> tuple[list[float], int]:
    """Return the ticks of an axis of scores with their decimals; none beyond 0 and 1, the ends of the scale."""
    places, decimals = ticks(max(0.0, low), min(1.0, high), most=5)
    return places, max(2, decimals)


def _clicked(step: WaterfallStep) -> str:
    return "" if step.side is None else side_name(step.side)


def _value(step: WaterfallStep) -> str:
    return f"<b>{_plain_value(step)}</b>" if step.side is None else _plain_value(step)


def _plain_value(step: WaterfallStep) -> str:
    if step.side is None:
        return fmt.share(step.end)
    decimals = 2 if abs(step.end - step.start) >= 0.005 else 3
    points = fmt.signed(step.end - step.start, decimals=decimals)
    return f"{points} · {fmt.plural(step.claims, 'claim')}" if step.claims else points


def _hover(step: WaterfallStep) -> str:
    if step.side is None:
        return f"mean of the paired answers {step.label}: {fmt.share(step.end)}"
    change = "fixed" if step.side.is_won else "broken"
    claims = f"{fmt.plural(step.claims, 'claim')} {change} in " if step.claims else ""
    return (
        f"<b>{step.label}</b><br>{fmt.signed(step.end - step.start, decimals=4)} points, "
        f"{claims}{fmt.plural(step.answers, 'answer')}<br>"
        "click: show these answers"
    )


def _label(step: WaterfallStep, *, is_bold: bool) -> str:
    lines = "<br>".join(textwrap.wrap(step.label, _LABEL_CHARACTERS))
    return f"<b>{lines}</b>" if is_bold else lines
