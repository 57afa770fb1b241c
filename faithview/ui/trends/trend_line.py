"""Parts of the trends page: the choices, the finding, the large line, the worst answers of a range, the panels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

import streamlit as st

from faithview.domain.buckets import Step, get_zone
from faithview.domain.event import Event
from faithview.domain.run import Run
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint
from faithview.domain.views import View
from faithview.services.results.runs import get_run
from faithview.services.trends.by_run import TrendQuery, in_range, load_trend
from faithview.services.trends.control_chart import LineProcess, describe_line
from faithview.services.trends.episodes import Story, tell_story
from faithview.services.trends.events import list_events
from faithview.stats.process import ControlLimits
from faithview.stats.trend_steps import trend_steps
from faithview.ui.charts import trend as trend_charts
from faithview.ui.charts.panels import Panels, panels_figure, panels_in_words
from faithview.ui.charts.trend import Drawn
from faithview.ui.parts import downloads
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.shell import address, app, nav
from faithview.ui.trends import findings
from faithview.wording import numbers as fmt

_MOST_PANELS = 24
_RANKED_RUNS = 8
GROUP_WORDS = {
    Grouping.SEGMENT: "Segments",
    Grouping.JUDGE: "Judges",
    Grouping.MODEL: "Models",
    Grouping.KB: "KB versions",
    Grouping.ALL: "All together",
}
_NO_GROUP = {
    Grouping.SEGMENT: "No segment",
    Grouping.JUDGE: "No judge",
    Grouping.MODEL: "Model not told",
    Grouping.KB: "No version told",
    Grouping.ALL: "All answers",
}
# The chart's colours, and the space its toolbar would take, are ours.
_CHART = {"displayModeBar": False, "doubleClick": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the person chose to look at; all of it stands in the address."""

    step: Step
    grouping: Grouping
    zone: str
    view: View

    @property
    def clock(self) -> ZoneInfo:
        """The time zone whose clocks the page shows."""
        return get_zone(self.zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What the page is drawn from. `main` is the line that counts, None where there is nothing to draw."""

    whole: Trend
    grouped: Trend
    events: Sequence[Event]
    all_events: Sequence[Event]
    story: Story
    process: LineProcess | None
    view: View

    @property
    def main(self) -> TrendLine | None:
        """The line of the judge that judged last."""
        return self.story.line

    def lines(self) -> list[TrendLine]:
        """Return the lines of the large chart, the main one first."""
        shown = self.whole.of_view(self.view)
        return [*shown, *(line for view in View if view is not self.view for line in self.whole.of_view(view))]


def choose_points() -> tuple[Step, str]:
    """Draw what a point stands for and, where time is cut, by which zone's calendar; return both."""
    with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"):
        st.markdown(":small[:gray[Points by]]", width="content", help=_STEP_HELP)
        step = Step(_switch("by", [step.value for step in Step]))
        return step, "UTC" if step is Step.RUN else _choose_zone()


def choose_grouping() -> Grouping:
    """Draw the panels' heading with what has a panel of its own, and return that."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading = st.container(width="stretch")
        st.markdown(":small[:gray[Panels by]]", width="content", help=_GROUP_HELP)
        grouping = Grouping(_switch("group", [grouping.value for grouping in GROUP_WORDS]))
    heading.subheader(GROUP_WORDS[grouping], anchor=False, help=_PANELS_HELP)
    return grouping


def load(chosen: Choices) -> Loaded:
    """Return what the page is drawn from. A view without a line shows the judge's, and says so."""
    services = app.services()
    whole = load_trend(services, TrendQuery(step=chosen.step, zone=chosen.zone))
    view = chosen.view if whole.of_view(chosen.view) else View.JUDGE
    # There is no estimate by segment: panels then show what people found.
    panel_view = View.REVIEWED if view is View.CORRECTED and chosen.grouping is Grouping.SEGMENT else view
    query = TrendQuery(step=chosen.step, zone=chosen.zone, grouping=Grouping.SEGMENT)
    by_segment = load_trend(services, query, views=(panel_view,))
    grouped = by_segment
    if chosen.grouping is not Grouping.SEGMENT:
        query = TrendQuery(step=chosen.step, zone=chosen.zone, grouping=chosen.grouping)
        grouped = load_trend(services, query, views=(panel_view,))
    events = list_events(services)
    story = tell_story(whole, by_segment, events, view=view)
    return Loaded(
        whole=whole,
        grouped=grouped,
        events=_within(events, whole),
        all_events=events,
        story=story,
        process=describe_line(services, story.line) if story.line else None,
        view=view,
    )


def finding(loaded: Loaded, chosen: Choices) -> None:
    """Draw the sentence that states what the trend found, and what must be known to read the lines."""
    process = loaded.process
    st.markdown(findings.trend_finding(loaded.story, step=chosen.step, zone=chosen.clock, process=process))
    for note in (findings.view_gap(loaded.whole, chosen.view), findings.judges_note(loaded.lines())):
        if note is not None:
            st.info(note, icon=":material/info:")


def next_step(loaded: Loaded) -> None:
    """Draw the button that leads to the runs around the step that the finding speaks of."""
    episode = loaded.story.episode
    if episode is not None and st.button(
        "Compare before and after", type="primary", icon=":material/compare_arrows:", key="trends.compare"
    ):
        query = {"baseline": episode.baseline_id, "candidate": episode.candidate_id}
        st.switch_page(nav.COMPARE, query_params=query)


def large_line(loaded: Loaded, chosen: Choices) -> None:
    """Draw the large line, where a click on a point opens its run, and n beneath it, where a range can be dragged."""
    if loaded.main is None:
        return
    zone, span = chosen.clock, address.selected_range()
    process = loaded.process
    drawn = Drawn(
        lines=loaded.lines(),
        events=loaded.events,
        limits=process.limits if process and isinstance(process.limits, ControlLimits) else None,
        changes=process.changed_at if process else [],
        step=chosen.step,
        marked=span,
    )
    with st.container(gap=None):
        line = st.plotly_chart(
            trend_charts.trend_figure(drawn, zone=zone, theme=chart_theme()),
            # A figure that changes loses what was selected in it; so each range has charts of its own, which show it.
            key=f"trends.line.{span}",
            on_select="rerun",
            selection_mode="points",
            config=_CHART,
            alt=trend_charts.trend_in_words(drawn, zone=zone),
        )
        rows = st.plotly_chart(
            trend_charts.rows_figure(drawn, zone=zone, theme=chart_theme()),
            key=f"trends.rows.{span}",
            on_select="rerun",
            selection_mode="box",
            config=_CHART,
            alt=trend_charts.rows_in_words(drawn, zone=zone),
        )
    parts = ["Click a point to open its run; drag across the bars to list the worst answers of those days."]
    if process is not None:
        parts += findings.process_notes(process, zone=zone)
    parts += findings.omissions(loaded.whole)
    words, download = st.columns([8, 1], vertical_alignment="top")
    words.caption(" ".join(parts), help=_LINE_HELP)
    with download:
        downloads.points_download([*loaded.lines(), *(line for line in loaded.grouped.lines if line.group != "")])
    dragged = _dragged(rows.selection.get("box") or [], zone)
    if dragged is not None and dragged != span:
        address.select_range(dragged)
        st.rerun()
    point = clicked(line.selection.get("points") or [], drawn.lines)
    if point is not None:
        _open(point)


def panels(loaded: Loaded, chosen: Choices) -> None:
    """Draw a small line for each group, all on one scale; a click on a point opens its run, at that segment."""
    if not loaded.grouped.lines:
        st.markdown(":gray[Nothing to draw here.]")
        return
    grouped = _panels(loaded.grouped)
    moved = _moved(loaded.grouped, grouped)
    names = list(grouped)
    if chosen.grouping is Grouping.SEGMENT:  # of versions, models and judges the newest stands first
        names.sort(key=lambda name: (name not in moved, -_spread(grouped[name])))
    shown = Panels(
        panels={name: grouped[name] for name in names[:_MOST_PANELS]},
        moved=frozenset(moved),
        reference=loaded.main if chosen.grouping is Grouping.SEGMENT else None,
        events=loaded.events,
        step=chosen.step,
    )
    event = st.plotly_chart(
        panels_figure(shown, zone=chosen.clock, theme=chart_theme()),
        key=f"trends.panels.{chosen.grouping}",
        on_select="rerun",
        selection_mode="points",
        config=_CHART,
        alt=panels_in_words(shown, zone=chosen.clock),
    )
    if len(names) > _MOST_PANELS:
        st.caption(f"and {fmt.plural(len(names) - _MOST_PANELS, 'group')} that moved less")
    flat = {f"{at}.{n}": line for at, lines in enumerate(shown.panels.values()) for n, line in enumerate(lines)}
    for one in event.selection.get("points") or []:
        place, _, number = str(one.get("customdata") or "").rpartition(".")
        line = flat.get(place)
        if line is not None and number.isdecimal() and int(number) < len(line.points):
            _open(line.points[int(number)], segment=line.group if chosen.grouping is Grouping.SEGMENT else None)


def points_in_range(loaded: Loaded, span: tuple[datetime, datetime]) -> list[TrendPoint]:
    """Return the points of the main line, and of other judges' by the same view, that lie within the range."""
    return [p for line in loaded.lines() if line.view is loaded.view for p in in_range(line.points, *span)]


def clicked(points: Sequence[Mapping[str, object]], lines: Sequence[TrendLine]) -> TrendPoint | None:
    """Return the point that was clicked; what the browser reports is only looked up."""
    for one in points:
        line, _, number = str(one.get("customdata") or "").partition(".")
        if line.isdecimal() and number.isdecimal() and int(line) < len(lines):
            known = lines[int(line)].points
            if int(number) < len(known):
                return known[int(number)]
    return None


def newest_runs(loaded: Loaded) -> list[Run]:
    """Return the newest runs of the main line, oldest first: as many as can be ranked at a glance."""
    points = loaded.main.points if loaded.main is not None else ()
    ids = dict.fromkeys(run_id for point in points for run_id in point.run_ids)
    return [get_run(app.services(), run_id) for run_id in list(ids)[-_RANKED_RUNS:]]


def _switch(key: str, options: Sequence[str]) -> str:
    """Draw a choice that stands in the address under its key; the first option goes without saying."""
    return st.segmented_control(
        key,
        options,
        default=options[0],
        required=True,
        key=key,
        bind="query-params",
        label_visibility="collapsed",
    )


def _choose_zone() -> str:
    zones = _zones()
    browser = st.context.timezone
    default = browser if browser in zones else "UTC"
    zone = st.selectbox(
        "Time zone",
        zones,
        index=zones.index(default),
        key="zone",
        bind="query-params",
        label_visibility="collapsed",
        help="By whose calendar days, weeks and months are cut.",
        width=230,
    )
    return zone or "UTC"


@lru_cache(maxsize=1)
def _zones() -> list[str]:
    return ["UTC", *sorted(available_timezones() - {"UTC", "localtime"})]


def _within(events: Sequence[Event], trend: Trend) -> list[Event]:
    """Return the events between the first and the last point; a later one has nothing to be seen in yet."""
    points = [point for line in trend.lines for point in line.points]
    if not points:
        return []
    first, last = min(p.at for p in points), max(p.end or p.at for p in points)
    return [event for event in events if first <= event.at <= last]


def _dragged(boxes: Sequence[Mapping[str, object]], zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """Return the span of time of a dragged range, in UTC; the chart gives it as the zone's clocks show it."""
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


def _open(point: TrendPoint, *, segment: str | None = None) -> None:
    """Open the run behind a point; where there are several, list the worst answers of its day, week or month."""
    if len(point.run_ids) > 1 and point.end is not None:
        address.select_range((point.at, point.at))
        st.rerun()
    link = address.link(point.run_ids[0])
    st.switch_page(nav.INSPECT, query_params={**link, "segment": segment} if segment else link)


def _panels(trend: Trend) -> dict[str, list[TrendLine]]:
    """Return the lines by panel title, the newest judge's first."""
    found: dict[str, list[TrendLine]] = {}
    for line in sorted(trend.lines, key=lambda line: line.points[-1].at, reverse=True):
        title = line.group or _NO_GROUP[trend.grouping]
        found.setdefault(title, []).append(line)
    return found


def _moved(trend: Trend, grouped: Mapping[str, Sequence[TrendLine]]) -> set[str]:
    """Return the panels in which a step is more than chance, however many panels there are."""
    flat = [(title, line) for title, lines in grouped.items() for line in lines]
    steps = trend_steps([line.points for _, line in flat])
    return {title for (title, _), changes in zip(flat, steps, strict=True) if any(c.is_real for c in changes)}


def _spread(lines: Sequence[TrendLine]) -> float:
    means = [point.mean for line in lines for point in line.points]
    return max(means) - min(means)


_STEP_HELP = (
    "A point for each run, at the time its answers speak of; or one for each day, week or month of the rows' own "
    "timestamps, cut by the calendar of a time zone."
)
_GROUP_HELP = "What has a panel of its own below. Scores of different judges are never joined into one line."
_LINE_HELP = (
    "The mean faithfulness over judged answers with its 95 % bootstrap interval over questions; beneath it n, hatched "
    "what has no verdict (abstained, no claims, empty context, failed). Reviewed: the same with people's verdicts, "
    "only for runs that somebody labelled. Corrected: an estimate from a spot-check. A fall or rise is named when it "
    "is more than chance at 5 % over all steps of the line (Holm 1979)."
)
_PANELS_HELP = (
    "All on one scale, each with its 95 % interval; the dotted line is all answers together. Strong lines moved by "
    "more than chance, however many panels there are (Holm 1979). A click on a point opens its run there."
)
