"""Why the score changed, and in which segments: the causes as a waterfall, the segments as a table."""

import plotly.graph_objects as go
import streamlit as st

from faithview.services.comparison.compared_runs import Comparison, WaterfallStep, waterfall_steps
from faithview.ui import address
from faithview.ui.charts.chart_colours import chart_theme, dress
from faithview.ui.tables import click_table
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS

_SEGMENT_ROWS, _ROW_HEIGHT = 7, 28
_NO_SEGMENT = "(no segment)"
_WHY_HELP = (
    "How each cause moved the mean of the paired answers. A claim broke if it is not supported now, and was supported "
    "or not claimed before; fixed is the reverse. Its cause is the first rule that applies, with before and now "
    "swapped for a fixed claim.\n"
)
_WHERE_HELP = (
    "*Adj. p* is adjusted for the number of segments; ● marks values below 0.05. *Adds* is the segment's part of the "
    "difference of all pairs. Click a segment to list its answers."
)


def _plain_value(step: WaterfallStep) -> str:
    """Return the figure of a bar: a run's mean, or the points of a cause with its claims."""
    if step.side is None:
        return fmt.share(step.end)
    points = fmt.signed(step.end - step.start, decimals=2 if abs(step.end - step.start) >= 0.005 else 3)
    return f"{points} · {fmt.plural(step.claims, 'claim')}" if step.claims else points


def draw_causes(comparison: Comparison) -> None:
    """Draw how each cause moved the score, from the mean before to the mean now."""
    rules = "\n".join(
        f"- **{CAUSE_WORDS[share.cause].topic}**: {CAUSE_WORDS[share.cause].rule}" for share in comparison.causes
    )
    st.header("Why", anchor=False, help=f"{_WHY_HELP}\n{rules}")
    steps, theme = waterfall_steps(comparison), chart_theme()
    if len(steps) < 3:
        st.markdown(":gray[No claim broke or was fixed.]")
        return
    # Each label with its figure: next to the bars no place fits bars to both sides.
    labels = [f"{step.label}   <b>{_plain_value(step)}</b>" for step in steps]
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            y=labels,
            x=[step.end if step.side is None else step.end - step.start for step in steps],
            measure=["absolute" if step.side is None else "relative" for step in steps],
            increasing={"marker": {"color": theme.accent}},
            decreasing={"marker": {"color": theme.loss}},
            totals={"marker": {"color": theme.faint}},
            connector={"line": {"color": theme.faint, "width": 1, "dash": "dot"}},
            hoverinfo="skip",
        )
    )
    dress(figure, theme)
    ends = [end for step in steps for end in (step.start, step.end)]
    room = max(0.03, 0.1 * (max(ends) - min(ends)))
    figure.update_xaxes(range=[max(0.0, min(ends) - room), max(ends) + room], tickformat=".2f")
    figure.update_yaxes(autorange="reversed", automargin=True, tickfont={"size": 12.5, "color": theme.text}, nticks=99)
    figure.update_layout(height=max(200, 21 * len(steps) + 34), margin={"l": 8, "r": 8, "t": 4, "b": 26})
    told = "; ".join(f"{step.label} {_plain_value(step)}" for step in steps)
    st.plotly_chart(
        figure, key="compare.waterfall", config={"displayModeBar": False}, alt=f"The score by cause: {told}."
    )


def draw_segments(comparison: Comparison) -> None:
    """Draw each segment's difference, the largest part of the change first; a click lists its answers."""
    st.header("Where", anchor=False, help=_WHERE_HELP)
    if len(comparison.segments) < 2:
        st.markdown(":gray[The compared answers are not in different segments.]")
        return
    sign = -1 if (comparison.difference.mean or 0.0) > 0 else 1
    segments = sorted(comparison.segments, key=lambda one: (sign * one.contribution, one.segment or ""))
    rows = [
        {
            "segment": f"{'● ' if one.is_significant else ''}{one.segment or _NO_SEGMENT}",
            "rows": one.rows,
            "difference": fmt.signed(one.difference),
            "interval": None if one.interval is None else fmt.signed_ends(one.interval),
            "p_value": fmt.p_number(one.p_value_adjusted),
            "adds": fmt.signed(one.contribution, decimals=3),
        }
        for one in segments
    ]

    def choose(number: int) -> None:
        before, after = comparison.baseline.run_id, comparison.candidate.run_id
        address.go(baseline=before, candidate=after, within=segments[number].segment or "", pair=None, claim=None)

    text = st.column_config.TextColumn
    click_table(
        rows,
        {
            "segment": text("Segment", width=125),
            "rows": st.column_config.NumberColumn("n", width=40),
            "difference": text("Difference", width=72),
            "interval": text("95% interval", width=108),
            "p_value": text("Adj. p", width=58),
            "adds": text("Adds", width=58),
        },
        key=f"compare.segments.{comparison.baseline.run_id}.{comparison.candidate.run_id}",
        alt="Each segment's difference with its interval, the largest part of the change first.",
        most_rows=_SEGMENT_ROWS,
        row_height=_ROW_HEIGHT,
        on_click=choose,
    )
