"""The panels of the trends page: a small line for each segment, judge, model or knowledge-base version."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from faithview.domain.trend import Grouping, Trend, TrendLine
from faithview.services.changes.step_tests import StepTests
from faithview.stats.trend_steps import line_tests
from faithview.ui.charts.panels import Panels, clicked_panel_point, panels_figure, panels_in_words
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.parts.downloads import page_downloads
from faithview.ui.parts.trend.trend_data import TrendChoices, TrendData, load_trend_data
from faithview.ui.shell import app
from faithview.ui.trends.choices import choose_grouping
from faithview.ui.trends.run_link import CHART_CONFIG, open_point
from faithview.wording import numbers as fmt

_MOST_PANELS = 24
_NO_GROUP = {
    Grouping.SEGMENT: "No segment",
    Grouping.JUDGE: "No judge",
    Grouping.MODEL: "Model not stated",
    Grouping.KB: "Version not stated",
    Grouping.ALL: "All answers",
}


def choose_panels(chosen: TrendChoices, loaded: TrendData) -> tuple[TrendChoices, TrendData]:
    """Draw the panels' heading with the choice of their groups; return the choices and the data with those groups."""
    grouping = choose_grouping()
    if grouping is chosen.grouping:
        return chosen, loaded
    chosen = replace(chosen, grouping=grouping)
    return chosen, load_trend_data(chosen)


def panels(loaded: TrendData, chosen: TrendChoices) -> None:
    """Draw the panels on one scale; a click on a point opens its run, filtered to the segment of the panel."""
    if not loaded.grouped.lines:
        st.markdown(":gray[No scores to draw yet.]")
        return
    is_by_segment = chosen.grouping is Grouping.SEGMENT
    lines_by_title = _lines_by_title(loaded.grouped)
    moved = _moved(lines_by_title)
    titles = list(lines_by_title)
    if is_by_segment:  # versions, models and judges stay in order of time, the newest first
        titles.sort(key=lambda title: (title not in moved, -_spread(lines_by_title[title])))
    shown = Panels(
        panels={title: lines_by_title[title] for title in titles[:_MOST_PANELS]},
        moved=frozenset(moved),
        reference=loaded.main if is_by_segment else None,
        events=loaded.events,
        step=chosen.step,
    )
    event = st.plotly_chart(
        panels_figure(shown, zone=chosen.zone, theme=chart_theme()),
        key=f"trends.panels.{chosen.grouping}",
        on_select="rerun",
        selection_mode="points",
        config=CHART_CONFIG,
        alt=panels_in_words(shown, zone=chosen.zone),
    )
    page_downloads.points_download([*loaded.lines(), *(line for line in loaded.grouped.lines if line.group != "")])
    if len(titles) > _MOST_PANELS:
        hidden = fmt.plural(len(titles) - _MOST_PANELS, "more group")
        st.caption(f"{hidden} changed less and {fmt.verb(len(titles) - _MOST_PANELS, 'is', 'are')} not shown.")
    clicked = clicked_panel_point(event.selection.get("points") or [], shown)
    if clicked is not None:
        open_point(clicked.point, segment=clicked.line.group if is_by_segment else None)


def _lines_by_title(trend: Trend) -> dict[str, list[TrendLine]]:
    """Return the lines by panel title, the newest judge's first."""
    lines_by_title: dict[str, list[TrendLine]] = {}
    for line in sorted(trend.lines, key=lambda line: line.points[-1].at, reverse=True):
        lines_by_title.setdefault(line.group or _NO_GROUP[trend.grouping], []).append(line)
    return lines_by_title


def _moved(lines_by_title: Mapping[str, Sequence[TrendLine]]) -> set[str]:
    """Return the titles of panels with a significant step, corrected over all panels together."""
    flat = [(title, line) for title, lines in lines_by_title.items() for line in lines]
    lines = [line for _, line in flat]
    tests = line_tests(lines, StepTests(app.services(), lines))
    return {title for (title, _), own in zip(flat, tests, strict=True) if any(step.is_real for step in own.steps)}


def _spread(lines: Sequence[TrendLine]) -> float:
    means = [point.mean for line in lines for point in line.points]
    return max(means) - min(means)
