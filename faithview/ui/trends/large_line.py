"""The large line of the trends page with the number of answers beneath it; drawn by `ui.charts.trend_figure`."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.trend import TrendPoint
from faithview.services.trends.by_run import in_range
from faithview.stats.process import ControlLimits
from faithview.ui.charts.answer_counts import counts_figure, counts_in_words
from faithview.ui.charts.markers import clicked_event
from faithview.ui.charts.trend_axes import TrendChart
from faithview.ui.charts.trend_figure import clicked_point, trend_figure, trend_in_words
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.parts.trend.event_links import open_event
from faithview.ui.parts.trend.trend_data import TrendChoices, TrendData
from faithview.ui.shell import address
from faithview.ui.trends import findings
from faithview.ui.trends.run_link import CHART_CONFIG, open_point
from faithview.wording.live import sampled_runs_words


def large_line(loaded: TrendData, chosen: TrendChoices) -> None:
    """Draw the line, where a click on a point opens its run, and n beneath it, where a range can be dragged."""
    if loaded.main is None:
        return
    selected_range = address.selected_range()
    chart = _chart(loaded, chosen, selected_range)
    with st.container(gap=None):
        line = st.plotly_chart(
            trend_figure(chart, zone=chosen.zone, theme=chart_theme()),
            # A figure that changes loses its selection, so each selected range has charts with keys of their own.
            key=f"trends.line.{selected_range}",
            on_select="rerun",
            selection_mode="points",
            config=CHART_CONFIG,
            alt=trend_in_words(chart, zone=chosen.zone),
        )
        counts = st.plotly_chart(
            counts_figure(chart, zone=chosen.zone, theme=chart_theme()),
            key=f"trends.rows.{selected_range}",
            on_select="rerun",
            selection_mode="box",
            config=CHART_CONFIG,
            alt=counts_in_words(chart, zone=chosen.zone),
        )
    _notes(loaded, chosen)
    dragged = _dragged_range(counts.selection.get("box") or [], chosen.zone)
    if dragged is not None and dragged != selected_range:
        address.select_range(dragged)
        st.rerun()
    event = clicked_event(line.selection.get("points") or [], chart.events)
    if event is not None:
        open_event(event)
    point = clicked_point(line.selection.get("points") or [], chart.lines)
    if point is not None:
        open_point(point)


def points_in_range(loaded: TrendData, span: tuple[datetime, datetime]) -> list[TrendPoint]:
    """Return the points within the range, of every judge's line in the view shown."""
    return [p for line in loaded.lines() if line.view is loaded.view for p in in_range(line.points, *span)]


def _chart(loaded: TrendData, chosen: TrendChoices, selected_range: tuple[datetime, datetime] | None) -> TrendChart:
    process = loaded.process
    return TrendChart(
        lines=loaded.lines(),
        events=loaded.events,
        limits=process.limits if process and isinstance(process.limits, ControlLimits) else None,
        level_changes=process.changed_at if process else [],
        step=chosen.step,
        selected_range=selected_range,
    )


def _notes(loaded: TrendData, chosen: TrendChoices) -> None:
    notes = [
        "Click a point to open its run, a triangle to see what an event changed.",
        "Drag across the bars to list the worst answers of those days.",
    ]
    if loaded.process is not None:
        notes += findings.process_notes(loaded.process, zone=chosen.zone)
    notes += findings.omissions(loaded.whole)
    if (sampled := sampled_runs_words(loaded.whole.sample_rates)) is not None:
        notes.append(sampled)
    st.caption(" ".join(notes), help=_LINE_HELP)


def _dragged_range(boxes: Sequence[Mapping[str, object]], zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """Return the dragged range in UTC; the chart reports it in the zone's local time."""
    for box in boxes:
        ends = box.get("x")
        if not isinstance(ends, list) or len(ends) != 2:
            continue
        try:
            moments = sorted(datetime.fromisoformat(str(end)).replace(tzinfo=zone) for end in ends)
        except ValueError:
            continue
        low, high = (moment.astimezone(UTC).replace(microsecond=0) for moment in moments)
        return low, high
    return None


_LINE_HELP = (
    "The line is the mean faithfulness of the judged answers, with a 95 % interval over questions (Wilson's). The bars "
    "are n; answers without a verdict (abstained, no claims, empty context, failed) are hatched. Reviewed: the same "
    "with people's verdicts, for runs that somebody has labelled. Corrected: an estimate from a spot-check. The "
    "finding names falls and rises that are significant at 5 % over all steps of the line (Holm 1979)."
)
