"""Trends: when did it change, and for which questions?"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.buckets import Step, get_zone, in_zone
from faithview.domain.errors import InvalidInput
from faithview.domain.event import Event, EventKind
from faithview.domain.trend import Trend, TrendLine, TrendPoint
from faithview.services.events import add_event, delete_event
from faithview.services.level_changes import line_tests
from faithview.services.trends import list_worst
from faithview.ui import address, identity, navigation, opened_store, page_setup, service_calls, session, trends
from faithview.ui.address import choose_one
from faithview.ui.charts.trend_figure import (
    CONFIG,
    TrendChart,
    clicked_event,
    clicked_point,
    panels_figure,
    panels_in_words,
    trend_figure,
    trend_in_words,
)
from faithview.ui.tables import click_table
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import FirstLine, first_line
from faithview.wording import numbers as fmt
from faithview.wording.live import sampled_runs_words
from faithview.wording.numbers import short_judge_names
from faithview.wording.trends import KIND_NAMES, point_score

page_setup.require_app()

_HEIGHT = 360  # px
_MOST_PANELS, _MOST_ANSWERS, _MOST_EVENTS = 24, 20, 30
_SEGMENTS, _JUDGES = "segment", "judge"
_PLACE = "events"
_LABEL, _AT, _KIND, _VERSION = (f"events.{name}" for name in ("label", "at", "kind", "version"))


def choose_step() -> tuple[Step, ZoneInfo]:
    """Draw the choice of what a point is; return it, and the zone whose calendar cuts days, weeks and months."""
    step = choose_one(
        "by",
        {step.value: step.value for step in Step},
        label="Points by",
        usual=Step.RUN.value,
        help_text="A point per run, or per day, week or month of the answers' timestamps, in the browser's time zone.",
    )
    try:
        zone = get_zone(st.context.timezone or "UTC")
    except InvalidInput:
        zone = trends.UTC
    return Step(step), zone if Step(step) is not Step.RUN else trends.UTC


def draw_next_step(line: FirstLine, loaded: trends.TrendData) -> None:
    """Draw the buttons that explain the change that the finding names."""
    change, main = loaded.finding.level_change, loaded.finding.line
    with line.next_step:
        if main is not None and st.button("Where it goes wrong", icon=":material/troubleshoot:", key="trends.slices"):
            is_fall = change is not None and change.step.delta < 0
            run_id = change.candidate_id if change is not None and is_fall else main.points[-1].run_ids[-1]
            st.switch_page(navigation.WEAK_SPOTS, query_params=address.link(run_id))
        if change is not None and st.button(
            "Compare before and after", type="primary", icon=":material/compare_arrows:", key="trends.compare"
        ):
            link = address.pair_link(change.baseline_id, change.candidate_id)
            st.switch_page(navigation.CHANGES, query_params=link)


def draw_chart(chart: TrendChart) -> None:
    """Draw the line; a click on a point opens its answers, one on a triangle what the event changed."""
    shown = st.plotly_chart(
        trend_figure(chart, height=_HEIGHT),
        key="trends.line",
        on_select="rerun",
        selection_mode="points",
        config=CONFIG,
        alt=trend_in_words(chart),
    )
    clicks = shown.selection.get("points") or []
    event, found = clicked_event(clicks, chart.events), clicked_point(clicks, chart.lines)
    if event is not None and (link := trends.event_link(event)):
        st.switch_page(navigation.CHANGES, query_params=link)
    if found is not None:
        open_point(found[1])


def open_point(point: TrendPoint, *, segment: str | None = None) -> None:
    """Open the run of a point on *Answers*, the newest of a segment; of several runs, list the worst answers here."""
    if segment or len(point.run_ids) == 1:
        link = address.link(point.run_ids[-1])
        st.switch_page(navigation.ANSWERS, query_params={**link, "segment": segment} if segment else link)
    answers = list_worst(opened_store.store(), [point], limit=_MOST_ANSWERS)
    st.caption(f"The worst answers of {fmt.plural(len(point.run_ids), 'run')}, n {fmt.count(point.judged)}")
    clicked = click_table(
        [
            {
                "score": answer.faithfulness,
                "question": answer.question,
                "answer": answer.answer,
                "segment": answer.segment,
                "run": answer.run_name,
            }
            for answer in answers
        ],
        {
            "score": st.column_config.NumberColumn("Score", format="%.2f", width=58),
            "question": st.column_config.TextColumn("Question", width=220),
            "answer": st.column_config.TextColumn("Answer", width=220),
            "segment": st.column_config.TextColumn("Segment", width=96),
            "run": st.column_config.TextColumn("Run", width=118),
        },
        key=f"trends.worst.{point.at.isoformat()}",
        alt="The answers with the lowest faithfulness of that time, worst first.",
    )
    if clicked is not None:
        opened = answers[clicked]
        st.switch_page(navigation.ANSWERS, query_params=address.link(opened.run_id, opened.key))


def notes(trend: Trend, lines: Sequence[TrendLine]) -> str:
    """Return, in Markdown, how to read the figure and what it leaves out."""
    judged = [point.judged for point in lines[0].points]
    n = (
        fmt.count(min(judged))
        if min(judged) == max(judged)
        else f"{fmt.count(min(judged))} to {fmt.count(max(judged))}"
    )
    sentences = [f"The judge's mean over {n} answers per point, with its 95% interval; click a point to open it."]
    if len(short_judge_names([line.fingerprint for line in lines])) > 1:
        sentences.append("Each judge has its own line, because scores of different judges cannot be compared.")
    left_out = [
        f"{fmt.plural(number, noun)}"
        for number, noun in (
            (len(trend.incomplete), "run not fully judged"),
            (len(trend.unscored), "run without a score"),
            (trend.repeats, "repeat"),
            (trend.undated, "row without a timestamp"),
            (trend.older, "older run"),
        )
        if number
    ]
    if left_out:
        sentences.append(f"Not drawn: {', '.join(left_out)}.")
    sentences += filter(None, [sampled_runs_words(trend.sample_rates)])
    return " ".join(sentences)


def draw_panels(loaded: trends.TrendData, whole: TrendLine) -> None:
    """Draw a panel for each segment, or for each judge; those with a significant change stand out."""
    judges = list({line.fingerprint: line for line in loaded.whole.lines if line.view is whole.view}.values())
    by = _SEGMENTS
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        heading = st.container(width="content")
        if len(judges) > 1:
            by = choose_one("group", {name: name for name in (_SEGMENTS, _JUDGES)}, label="Panels by")
    heading.header(f"By {by}", anchor=False, help=_PANELS_HELP)
    lines = [line for line in loaded.by_segment.lines if line.fingerprint == whole.fingerprint]
    if by == _JUDGES:
        lines = judges
    if not lines:
        st.markdown(":gray[No scores to draw yet.]")
        return
    tests = line_tests(opened_store.store(), lines)
    strong = {id(line): any(step.is_real for step in own.steps) for line, own in zip(lines, tests, strict=True)}
    lines = sorted(lines, key=lambda line: (not strong[id(line)], line.points[-1].mean))[:_MOST_PANELS]
    names = short_judge_names([line.fingerprint for line in lines])
    titles = [names[line.fingerprint] if by == _JUDGES else line.group or "No segment" for line in lines]
    chart = TrendChart(lines=[*lines, *([whole] if by == _SEGMENTS else [])], step=loaded.whole.step, zone=loaded.zone)
    shown = st.plotly_chart(
        panels_figure(chart, titles, strong=[strong[id(line)] for line in lines], reference=by == _SEGMENTS),
        key=f"trends.panels.{by}",
        on_select="rerun",
        selection_mode="points",
        config=CONFIG,
        alt=panels_in_words(chart, titles),
    )
    if more := len(strong) - len(lines):
        st.caption(f"{fmt.plural(more, 'more panel')} not shown.")
    if (found := clicked_point(shown.selection.get("points") or [], lines)) is not None:
        open_point(found[1], segment=lines[found[0]].group if by == _SEGMENTS else None)


def draw_events(events: Sequence[Event], zone: ZoneInfo) -> None:
    """Draw the events, newest first, each with what it changed, and the form for a new one."""
    st.header("Events", anchor=False)
    service_calls.show_message(_PLACE)
    reviewer = identity.current_reviewer()
    for number, event in enumerate(list(reversed(events))[:_MOST_EVENTS]):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            source = "detected from the runs" if event.is_detected else KIND_NAMES[event.kind]
            day = fmt.day(in_zone(event.at, zone))
            st.markdown(f":small[:gray[{day}]] &nbsp; {fmt.literal(event.label)} &nbsp; :small[:gray[{source}]]")
            if link := trends.event_link(event):
                st.page_link(navigation.CHANGES, label="What it changed", query_params=link)
            if event.event_id is not None and identity.can_label(reviewer):
                with st.popover("Delete", type="tertiary", key=f"events.ask.{number}"):
                    st.button(
                        "Delete the event",
                        key=f"events.delete.{event.event_id}",
                        on_click=partial(remove, event.event_id, reviewer),
                    )
    if (more := len(events) - _MOST_EVENTS) > 0:
        st.caption(f"and {fmt.plural(more, 'older event')}")
    with st.expander("Add an event", icon=":material/add:"):
        name = identity.ask_reviewer()
        if name is not None:
            draw_form(name, zone)


def draw_form(name: str, zone: ZoneInfo) -> None:
    """Draw the form for a new event."""
    with st.form("events.form", border=False, clear_on_submit=True):
        st.text_input("What happened", key=_LABEL, max_chars=500, placeholder="Help centre 2026-11 published")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            now = datetime.now(zone).replace(tzinfo=None, second=0, microsecond=0)
            st.datetime_input(f"When ({zone.key})", value=now, key=_AT, width=230)
            st.selectbox("What it changed", list(EventKind), format_func=KIND_NAMES.__getitem__, key=_KIND, width=180)
            st.text_input("New knowledge-base version", key=_VERSION, placeholder="as named in the runs", width=210)
            st.form_submit_button("Add the event", key="events.add", on_click=partial(add, name, zone))


def add(name: str, zone: ZoneInfo) -> None:
    """Store what the form holds."""
    at, kind = session.widget_value(_AT), session.widget_value(_KIND)
    if not isinstance(at, datetime):
        service_calls.set_message(_PLACE, "The event was not stored: it needs a day and a time.")
        return
    service_calls.write(
        lambda: add_event(
            opened_store.store(),
            session.widget_text(_LABEL) or "",
            at=at.replace(tzinfo=zone),
            kind=kind if isinstance(kind, EventKind) else None,
            kb_version=session.widget_text(_VERSION),
            created_by=name,
        ),
        place=_PLACE,
        refusal=identity.why_cannot_label(name),
    )


def remove(event_id: int, reviewer: str | None) -> None:
    """Delete a recorded event."""
    service_calls.write(
        lambda: delete_event(opened_store.store(), event_id),
        place=_PLACE,
        refusal=identity.why_cannot_label(reviewer),
    )


_PANELS_HELP = (
    "All panels have the same scale. Blue lines changed significantly, adjusted for the number of panels. By segment, "
    "the dotted line is all answers."
)

line = first_line("Trends")
if not empty_state.has_runs():
    empty_state.no_runs("This page will show when faithfulness changed, and for which questions.")
    st.stop()
if empty_state.is_one_at_a_time():
    empty_state.one_at_a_time("They have no trend.")
    st.stop()

finding = st.container()
with st.container(horizontal=True, horizontal_alignment="right"):
    step, zone = choose_step()
loaded = trends.load_trends(step=step, zone=zone)
finding.markdown(trends.finding_words(loaded))
chart = loaded.chart()
if chart is not None:
    line.score.markdown(f"**{point_score(chart.lines[0].points[-1])}**", width="content", help="The newest point.")
    draw_next_step(line, loaded)
    draw_chart(chart)
    st.caption(notes(loaded.whole, chart.lines))
    draw_panels(loaded, chart.lines[0])
draw_events(loaded.events, loaded.zone)
