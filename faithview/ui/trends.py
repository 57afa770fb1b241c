"""The page Trends: faithfulness over time, in a large line and small ones, with events and the worst answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from functools import lru_cache, partial
from types import MappingProxyType
from zoneinfo import ZoneInfo, available_timezones

import pandas as pd
import streamlit as st

from faithview.domain.answer import View
from faithview.domain.buckets import Step, in_zone
from faithview.domain.event import Event, EventKind
from faithview.domain.run import Run
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint, WorstAnswer
from faithview.services.events import add_event, delete_event
from faithview.services.level_changes import line_tests
from faithview.services.trends import list_worst
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
from faithview.ui.charts.chart_colours import chart_theme
from faithview.ui.charts.small_multiples import Panels, clicked_panel_point, panels_figure, panels_in_words
from faithview.ui.charts.trend_figure import (
    TrendChart,
    clicked_event,
    clicked_point,
    counts_figure,
    counts_in_words,
    has_one_size,
    trend_figure,
    trend_in_words,
)
from faithview.ui.widgets.first_line import FirstLine
from faithview.ui.widgets.trend_finding import (
    TrendChoices,
    TrendData,
    change_span,
    knowledge_button,
    load_trend_data,
    open_event,
    trend_finding,
)
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import CORRECTED_HELP
from faithview.wording.live import sampled_runs_words
from faithview.wording.numbers import VIEW_WORDS, short_judge_names
from faithview.wording.trends import KIND_NAMES, day_and_month, point_score


def omissions(trend: Trend) -> list[str]:
    """Return a sentence, in Markdown, for each kind of run or row that the lines leave out."""
    sentences = []
    if trend.incomplete:
        sentences.append(f"Left out because they are not fully judged: {_runs(trend.incomplete)}.")
    if trend.unscored:
        sentences.append(f"Without a score: {_runs(trend.unscored)}.")
    if trend.repeats:
        sentences.append(f"{fmt.plural(trend.repeats, 'repeat')} of other runs {_is(trend.repeats)} not drawn.")
    if trend.undated:
        sentences.append(f"{fmt.plural(trend.undated, 'row')} without a timestamp {_is(trend.undated)} not drawn.")
    if trend.older:
        sentences.append(f"{fmt.plural(trend.older, 'older run')} {_is(trend.older)} not shown.")
    return sentences


def judges_note(lines: Sequence[TrendLine]) -> str | None:
    """Return the warning, in Markdown, that scores of several judges cannot be compared; None for a single judge."""
    fingerprints = list(dict.fromkeys(line.fingerprint for line in lines))
    if len(fingerprints) < 2:
        return None
    names = fmt.listed([f"*{fmt.literal(name)}*" for name in short_judge_names(fingerprints).values()])
    return f"Each judge has its own line: {names}, newest first. Scores of different lines cannot be compared."


def view_gap(trend: Trend) -> str:
    """Return how many points have a corrected score, or why there is none."""
    if own := trend.of_view(View.CORRECTED):
        total = max(len(line.points) for line in trend.of_view(View.JUDGE))
        points = len(own[0].points)
        has = fmt.verb(points, "has", "have")
        return f"{fmt.count(points)} of {fmt.plural(total, 'run')} {has} a corrected score, drawn with its interval."
    if trend.step is not Step.RUN:
        return "A corrected score is an estimate for a whole run, so it cannot be drawn by the timestamps of the rows."
    return "No spot-check of these runs has enough labels yet, so there is no corrected line."


def _runs(runs: Sequence[Run]) -> str:
    names = [f"*{fmt.literal(run.name)}* ({fmt.STATUS_WORDS[run.status]})" for run in runs[:3]]
    more = f" and {fmt.plural(len(runs) - 3, 'more run')}" if len(runs) > 3 else ""
    return f"{', '.join(names)}{more}"


def _is(number: int) -> str:
    return fmt.verb(number, "is", "are")


_UTC = ZoneInfo("UTC")


def draw_score(line: FirstLine, loaded: TrendData, view: View) -> None:
    """Draw the newest point's score in the first line: the corrected one in its view, if any run has one."""
    if loaded.main is None:
        return
    point, note, help_text = loaded.main.points[-1], "", _SCORE_HELP
    if view is View.CORRECTED and loaded.corrected is not None:
        note, help_text = VIEW_WORDS[View.CORRECTED], CORRECTED_HELP
        if loaded.corrected.at < point.at:
            note += f", {day_and_month(loaded.corrected.at, _UTC)}"
        point = loaded.corrected
    line.score.markdown(f"**{point_score(point)}** {note}".rstrip(), help=help_text, width="content")


def draw_finding(loaded: TrendData, chosen: TrendChoices) -> None:
    """Draw the finding, and notes where a view has no line or several judges have one each."""
    text = trend_finding(loaded.finding, step=chosen.step, zone=chosen.zone)
    if chosen.view is not View.JUDGE:
        text = f"{VIEW_WORDS[View.JUDGE].capitalize()}: {text}"
    st.markdown(f"This series has one run. {text}" if _has_one_run(loaded) else text, help=_FINDING_HELP)
    if chosen.view is View.CORRECTED:
        st.caption(view_gap(loaded.whole))
    if (note := judges_note(loaded.lines())) is not None:
        st.caption(note)


def draw_next_step(loaded: TrendData) -> None:
    """Draw the button that compares the runs around the change that the finding names, or that makes a second run."""
    if _has_one_run(loaded):
        if st.button("Upload a later run", icon=":material/upload_file:", key="trends.upload"):
            st.switch_page(navigation.UPLOAD)
        return
    change = loaded.finding.level_change
    run_id = _run_to_explain(loaded)
    if run_id is not None and st.button(
        "Where it goes wrong", icon=":material/troubleshoot:", key="trends.slices", help=_SLICES_HELP
    ):
        st.switch_page(navigation.WEAK_SPOTS, query_params=address.link(run_id))
    if change is not None and st.button(
        "Compare before and after", type="primary", icon=":material/compare_arrows:", key="trends.compare"
    ):
        query = {"baseline": change.baseline_id, "candidate": change.candidate_id}
        st.switch_page(navigation.CHANGES, query_params=query)


def _run_to_explain(loaded: TrendData) -> str | None:
    """Return the run after the fall that the finding names, else the newest of the first line."""
    change = loaded.finding.level_change
    if change is not None and change.step.delta < 0:
        return change.candidate_id
    return loaded.main.points[-1].run_ids[-1] if loaded.main is not None else None


def _has_one_run(loaded: TrendData) -> bool:
    runs = {run_id for line in loaded.whole.lines for point in line.points for run_id in point.run_ids}
    return len(runs) == 1


_FINDING_HELP = (
    "“Would be noticed 80% of the time” is the change between two consecutive points that the trend would find in four "
    "of five cases, for the two points where it is hardest to find. *Changes* pairs the answers of two runs, so it "
    "notices smaller changes."
)
_SLICES_HELP = (
    "Shows what answers with low scores have in common, in the run after the fall or, without a fall, in the newest "
    "run."
)
_SCORE_HELP = "The newest point of the first line: mean faithfulness with its 95% interval and the judged answers."


_HEADINGS: Mapping[Grouping, str] = MappingProxyType(
    {
        Grouping.SEGMENT: "Segments",
        Grouping.JUDGE: "Judges",
        Grouping.MODEL: "Models",
        Grouping.KB: "KB versions",
        Grouping.ALL: "All together",
    }
)


def choose_step() -> Step:
    """Draw the choice of what a point represents, and return it."""
    st.markdown(":small[:gray[Points by]]", width="content", help=_STEP_HELP)
    return Step(_switch("by", [step.value for step in Step]))


def choose_zone(step: Step) -> str:
    """Draw the choice of the time zone whose calendar cuts the periods, and return its name; UTC for a step by run."""
    if step is Step.RUN:
        return "UTC"
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
        help="Days, weeks and months begin at midnight in this time zone.",
        width=230,
    )
    return zone or "UTC"


def choose_grouping() -> Grouping:
    """Draw the panels' heading with the choice of their groups, and return the choice."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading = st.container(width="stretch")
        st.markdown(":small[:gray[Panels by]]", width="content", help=_GROUP_HELP)
        grouping = Grouping(_switch("group", [grouping.value for grouping in _HEADINGS]))
    heading.header(_HEADINGS[grouping], anchor=False, help=_PANELS_HELP)
    return grouping


def _switch(key: str, options: Sequence[str]) -> str:
    """Draw a choice that is in the address under its key; the first option is not written there."""
    return st.segmented_control(
        key,
        options,
        default=options[0],
        required=True,
        key=key,
        bind="query-params",
        label_visibility="collapsed",
    )


@lru_cache(maxsize=1)
def _zones() -> list[str]:
    return ["UTC", *sorted(available_timezones() - {"UTC", "localtime"})]


_STEP_HELP = (
    "One point for each run, at the date of its answers; or one for each day, week or month, by the timestamps of the "
    "rows and the calendar of a time zone."
)
_GROUP_HELP = "Each group gets its own panel below. Scores of different judges are never joined into one line."
_PANELS_HELP = (
    "All panels share one scale. The band is the 95% interval; the dotted line is all answers together. Strong "
    "lines changed significantly, allowing for the number of panels (Holm 1979). Click a point to open its run."
)


# The page styles the charts itself and leaves no room for a toolbar.
CHART_CONFIG = {"displayModeBar": False, "doubleClick": False}


def open_point(point: TrendPoint, *, segment: str | None = None) -> None:
    """Open the run of a point, at a segment if one is given; for a period of several runs list its worst answers."""
    if len(point.run_ids) > 1 and point.end is not None:
        address.select_range((point.at, point.at))
        st.rerun()
    link = address.link(point.run_ids[0])
    st.switch_page(navigation.ANSWERS, query_params={**link, "segment": segment} if segment else link)


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
        dragged = None if has_one_size(chart.lines[0]) else _counts(chart, chosen, selected_range)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _notes(loaded, chosen, chart)
        if has_one_size(chart.lines[0]):
            dragged = _typed_range(chart, chosen.zone)
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
    start, end = span
    return [p for line in loaded.whole.of_view(View.JUDGE) for p in line.points if start <= p.at <= end]


def _chart(loaded: TrendData, chosen: TrendChoices, selected_range: tuple[datetime, datetime] | None) -> TrendChart:
    return TrendChart(
        lines=sorted(loaded.lines(), key=lambda line: line.view is not chosen.view),
        events=loaded.events,
        step=chosen.step,
        selected_range=selected_range,
        fall=_fall(loaded, chosen),
        is_main_alone=True,
        has_values=True,
    )


def _fall(loaded: TrendData, chosen: TrendChoices) -> tuple[datetime, datetime | None] | None:
    """Return the span of the last fall of the main line; None where another line is drawn first, or a segment fell."""
    change = loaded.finding.level_change
    if change is None or change.step.delta >= 0 or change.segment is not None or chosen.view is not View.JUDGE:
        return None
    return change_span(change)


def _counts(
    chart: TrendChart, chosen: TrendChoices, selected_range: tuple[datetime, datetime] | None
) -> tuple[datetime, datetime] | None:
    """Draw the bars of n; return the range that was dragged across them."""
    counts = st.plotly_chart(
        counts_figure(chart, zone=chosen.zone, theme=chart_theme()),
        key=f"trends.rows.{selected_range}",
        on_select="rerun",
        selection_mode="box",
        config=CHART_CONFIG,
        alt=counts_in_words(chart, zone=chosen.zone),
    )
    return _dragged_range(counts.selection.get("box") or [], chosen.zone)


def _typed_range(chart: TrendChart, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """Draw the choice of days where there are no bars to drag across; return the range once both days are chosen."""
    days = [in_zone(point.at, zone).date() for point in chart.lines[0].points]
    with st.popover("Worst answers in a date range", type="tertiary", icon=":material/date_range:"):
        chosen = st.date_input(
            "From, to",
            value=[],
            min_value=min(days),
            max_value=max(days),
            key=f"trends.days.{address.selected_range()}",
        )
    if not isinstance(chosen, tuple) or len(chosen) != 2:
        return None
    first, last = (datetime.combine(day, at, tzinfo=zone) for day, at in zip(chosen, _WHOLE_DAYS, strict=True))
    return first.astimezone(UTC), last.astimezone(UTC)


_WHOLE_DAYS = (time(0), time(23, 59, 59))


def _notes(loaded: TrendData, chosen: TrendChoices, chart: TrendChart) -> None:
    notes = ["Click a point to open its run, a triangle to see what an event changed."]
    judged = [point.judged for point in chart.lines[0].points]
    if not has_one_size(chart.lines[0]):
        notes.append("Drag across the bars to list the worst answers of those days.")
    elif min(judged) == max(judged):
        notes.append(f"Each point is the mean of {fmt.plural(judged[0], 'answer')}.")
    else:
        notes.append(f"Each point is the mean of {fmt.count(min(judged))} to {fmt.plural(max(judged), 'answer')}.")
    if len(chart.lines) > 1:
        notes.append("Click a name below the chart to add its line.")
    notes += omissions(loaded.whole)
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
    "The line is the mean faithfulness of the judged answers, with a 95% interval over questions (Wilson's). The bars "
    "are n; answers without a verdict (abstained, no claims, empty context, failed) are hatched. Corrected: an "
    "estimate from a spot-check. The finding names falls and rises that are significant at 5% over all steps of the "
    "line (Holm 1979)."
)


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
    tests = line_tests(opened_store.store(), lines)
    return {title for (title, _), own in zip(flat, tests, strict=True) if any(step.is_real for step in own.steps)}


def _spread(lines: Sequence[TrendLine]) -> float:
    means = [point.mean for line in lines for point in line.points]
    return max(means) - min(means)


_SHOWN = 20


def worst_answers(points: Sequence[TrendPoint], span: tuple[datetime, datetime], *, zone: ZoneInfo) -> None:
    """Draw the worst answers behind these points; a click on one opens it."""
    first, last = (fmt.day(moment.astimezone(zone)) for moment in span)
    days = first if first == last else f"{first} to {last}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(f"Worst answers, {days}", anchor=False, width="content")
        st.button(
            "Clear the range",
            type="tertiary",
            icon=":material/close:",
            key="trends.clear",
            on_click=address.select_range,
            args=(None,),
        )
    answers = list_worst(opened_store.store(), points, limit=_SHOWN)
    if not answers:
        st.markdown(":gray[The range contains no point. Drag over at least one.]")
        return
    runs = {run_id for point in points for run_id in point.run_ids}
    judged = sum(point.judged for point in points)
    st.caption(f"{fmt.plural(len(answers), 'answer')} of {fmt.count(judged)} judged in {fmt.plural(len(runs), 'run')}")
    _table(answers, several_runs=len(runs) > 1)


def _table(answers: Sequence[WorstAnswer], *, several_runs: bool) -> None:
    event = st.dataframe(
        pd.DataFrame([_answer_row(answer) for answer in answers]),
        key=f"trends.worst.{answers[0].run_id}.{len(answers)}",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        # By cell: selecting rows would add a column of check boxes.
        selection_mode="single-cell",
        column_config=_COLUMNS,
        column_order=[name for name in _COLUMNS if name != "run" or several_runs],
        alt="The answers with the lowest faithfulness in the range, worst first.",
    )
    number = opened(event, len(answers))
    if number is not None:
        chosen = answers[number]
        st.switch_page(navigation.ANSWERS, query_params=address.link(chosen.run_id, chosen.key))


def _answer_row(answer: WorstAnswer) -> dict[str, object]:
    return {
        "score": answer.faithfulness,
        "contradicted": answer.contradicted,
        "claims": answer.claims,
        "question": answer.question,
        "answer": answer.answer,
        "segment": answer.segment,
        "run": answer.run_name,
    }


_COLUMNS = {
    "score": st.column_config.NumberColumn("Score", format="%.2f", width=58, help="Supported claims / all claims."),
    "contradicted": st.column_config.NumberColumn("Contradicted", width=94, help="Claims that the chunks contradict."),
    "claims": st.column_config.NumberColumn("Claims", width=60, help=figure_help.CLAIMS),
    "question": st.column_config.TextColumn("Question", width=170),
    "answer": st.column_config.TextColumn("Answer", width=170),
    "segment": st.column_config.TextColumn("Segment", width=96),
    "run": st.column_config.TextColumn("Run", width=118),
}


_WRITE_PLACE = "events"
_EVENTS_SHOWN = 30
_LABEL, _DAY, _TIME, _KIND, _VERSION = (f"events.{name}" for name in ("label", "day", "time", "kind", "version"))


def events(shown: Sequence[Event], *, zone: ZoneInfo) -> None:
    """Draw the events, newest first, with a button to compare before and after, and a form for a new event."""
    st.header("Events", anchor=False, help=_HELP)
    service_calls.show_message(_WRITE_PLACE)
    can_write = identity.can_label(identity.current_reviewer())
    for number, event in enumerate(list(reversed(shown))[:_EVENTS_SHOWN]):
        _event(event, number, zone=zone, can_write=can_write)
    if len(shown) > _EVENTS_SHOWN:
        st.caption(f"and {fmt.plural(len(shown) - _EVENTS_SHOWN, 'older event')}")
    with st.expander("Add an event", icon=":material/add:"):
        name = identity.ask_reviewer()
        if name is not None:
            _form(name, zone)


def _event(event: Event, number: int, *, zone: ZoneInfo, can_write: bool) -> None:
    source = "detected from the runs" if event.is_detected else KIND_NAMES[event.kind]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        day = fmt.day(in_zone(event.at, zone))
        st.markdown(f":small[:gray[{day}]] &nbsp; {fmt.literal(event.label)} &nbsp; :small[:gray[{source}]]")
        if event.before_run_id and event.after_run_id:
            knowledge_button(event, key=f"events.documents.{number}", is_small=True)
            if st.button(
                "Compare before and after",
                type="tertiary",
                icon=":material/compare_arrows:",
                key=f"events.compare.{number}",
            ):
                query = {"baseline": event.before_run_id, "candidate": event.after_run_id}
                st.switch_page(navigation.CHANGES, query_params=query)
        else:
            st.markdown(":small[:gray[no run on both sides yet]]", width="content")
        if can_write and event.event_id is not None:
            with st.popover("Delete", type="tertiary", icon=":material/delete:", key=f"events.ask.{event.event_id}"):
                st.markdown(f"Delete {fmt.literal(event.label)}?")
                st.button(
                    "Delete the event",
                    key=f"events.delete.{event.event_id}",
                    on_click=partial(_delete, event.event_id),
                )


def _form(name: str, zone: ZoneInfo) -> None:
    today = datetime.now(zone)
    with st.form("events.form", border=False, clear_on_submit=True):
        st.text_input("What happened", key=_LABEL, max_chars=500, placeholder="Help centre 2026-11 published")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.date_input("On", value=today.date(), key=_DAY, width=150)
            st.time_input(f"At ({zone.key})", value=time(today.hour, 0), key=_TIME, width=170)
            st.selectbox("What it changed", list(EventKind), format_func=KIND_NAMES.__getitem__, key=_KIND, width=180)
            st.text_input("New knowledge-base version", key=_VERSION, placeholder="as named in the runs", width=210)
            st.form_submit_button("Add the event", key="events.add", on_click=partial(_add, name, zone.key))


def _add(name: str, zone: str) -> None:
    """Store what the form holds."""
    day, at = session.widget_value(_DAY), session.widget_value(_TIME)
    if not isinstance(day, date) or not isinstance(at, time):
        service_calls.set_message(_WRITE_PLACE, "The event was not stored: it needs a day and a time.")
        return
    kind = session.widget_value(_KIND)

    def save() -> None:
        add_event(
            opened_store.store(),
            session.widget_text(_LABEL) or "",
            at=datetime.combine(day, at, tzinfo=ZoneInfo(zone)),
            kind=EventKind(kind) if isinstance(kind, EventKind) else None,
            kb_version=session.widget_text(_VERSION),
            created_by=name,
        )

    service_calls.write(save, place=_WRITE_PLACE, refusal=identity.why_cannot_label(name))


def _delete(event_id: int) -> None:
    service_calls.write(
        lambda: delete_event(opened_store.store(), event_id),
        place=_WRITE_PLACE,
        refusal=identity.why_cannot_label(identity.current_reviewer()),
    )


_HELP = (
    "Changes that may affect the scores: updates of the knowledge base, the prompt or the model. Some are detected "
    "from the runs; others are added here or with `faithview event add`."
)
