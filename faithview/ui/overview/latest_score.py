"""The newest score with its finding and next step, the last change, the small trend, and the lowest slices."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.run import RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.series import CHECKED_ANSWERS
from faithview.domain.trend import Grouping
from faithview.services.level_changes import LevelChange, find_step
from faithview.services.review.corrected_score import correct_score
from faithview.services.review.label_balance import find_balance
from faithview.services.slices import FoundSlice, find_slices
from faithview.ui import address, navigation, opened_store
from faithview.ui.charts.chart_colours import chart_theme
from faithview.ui.charts.trend_figure import TrendChart, clicked_event, clicked_point, trend_figure, trend_in_words
from faithview.ui.overview.notices import Notice, is_clear
from faithview.ui.widgets import corrected_score, empty_state, first_line
from faithview.ui.widgets.first_line import share, view_note
from faithview.ui.widgets.trend_finding import (
    TrendChoices,
    TrendData,
    knowledge_button,
    load_trend_data,
    open_event,
    trend_finding,
)
from faithview.wording import findings
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import CORRECTED_HELP
from faithview.wording.figure_help import SCORE_HELP
from faithview.wording.live import SAMPLE_HELP, sample_words
from faithview.wording.numbers import VIEW_WORDS
from faithview.wording.slices import FIGURES_HELP, NO_CORRECTED_SLICE, searched_words, slice_figures, slice_words


def draw_score(line: first_line.FirstLine, summaries: Sequence[RunSummary], view: View) -> None:
    """Draw the newest score in the first line, the corrected one first; nothing for answers saved one at a time."""
    latest = findings.latest_scored(summaries)
    if latest is not None and not empty_state.is_one_at_a_time():
        corrected = _corrected(latest, view)
        if view is View.CORRECTED:
            first_line.draw_score(line, latest.score, CORRECTED_HELP, note=VIEW_WORDS[view])
        elif corrected is not None:
            own = f"{VIEW_WORDS[View.CORRECTED]} · {fmt.score(latest.score)} {VIEW_WORDS[view]}"
            first_line.draw_score(line, corrected, f"{CORRECTED_HELP}\n\n{SCORE_HELP}", note=own)
        else:
            first_line.draw_score(line, latest.score, SCORE_HELP)
        if (sampled := sample_words(latest)) is not None:
            line.note.caption(fmt.literal(sampled), help=SAMPLE_HELP)


def draw_next_step(line: first_line.FirstLine, summaries: Sequence[RunSummary], notices: Sequence[Notice]) -> None:
    """Draw the button that leads on: to what needs attention most, else to the newest run's answers, worst first."""
    latest = findings.latest_scored(summaries)
    if notices:
        action, page, link = notices[0].step, notices[0].page, dict(notices[0].parameters)
    elif latest is not None:
        action, page, link = "Inspect the worst answers", navigation.ANSWERS, dict(address.link(latest.run.run_id))
    else:
        return
    if line.next_step.button(action, type="primary", key="overview.next"):
        st.switch_page(page, query_params=link)


def draw_finding(
    line: first_line.FirstLine, summaries: Sequence[RunSummary], notices: Sequence[Notice], view: View
) -> None:
    """Draw the latest score, whether anything needs attention, and whether reviewers have checked the judge on it."""
    if view is View.CORRECTED and all(s.score.mean is None for s in summaries):
        corrected_score.nothing_corrected()
        return
    if empty_state.is_one_at_a_time():
        st.markdown(f"**{fmt.plural(len(summaries), 'answer')}**, checked and saved one at a time.")
        return
    verb = fmt.verb(len(notices), "needs", "need")
    attention = f"**{fmt.plural(len(notices), 'thing')} {verb} attention.**" if notices else ""
    if is_clear(summaries, notices):
        attention = "Nothing needs attention."
    latest = findings.latest_scored(summaries)
    found = "No run has a score yet." if latest is None else _found(latest, summaries, view)
    covered = "" if latest is None else f":small[:gray[Coverage {findings.coverage_words(latest)}.]]"
    st.markdown(" ".join(part for part in (found, attention, covered, view_note(view)) if part), help=_HELP)
    with line.next_step:
        share(
            found,
            parameters={**address.series_link(summaries[0].run.series), **address.view_link(view)},
            key="overview.share",
        )
    if latest is not None and view is View.JUDGE:
        corrected_score.who_checked(latest.run)


def _found(latest: RunSummary, summaries: Sequence[RunSummary], view: View) -> str:
    """Return the finding of the newest run; the corrected score leads where there is one."""
    before = findings.previous(latest, summaries)
    unlike = _unlike_labels(before, latest, view)
    # A corrected score is an estimate for a whole run, so there are no pairs to test.
    is_tested = before is not None and view is not View.CORRECTED and not unlike
    step = find_step(opened_store.store(), before, latest, view=view) if is_tested and before else None
    found = findings.overview_finding(summaries, step, view=view, unlike=unlike)
    corrected = _corrected(latest, view)
    if corrected is None:
        return found
    lead = f"Corrected by reviewers' labels, faithfulness is **{fmt.score(corrected)}** in "
    own = f"{VIEW_WORDS[view].capitalize()}, {found[0].lower()}{found[1:]}"
    return f"{lead}*{fmt.literal(latest.run.name)}*. {own}"


def _corrected(latest: RunSummary, view: View) -> RunScore | None:
    """Return the newest run's corrected score, which comes before the others; None if there is none to show."""
    if view is View.CORRECTED:
        return None
    score = correct_score(opened_store.store(), latest.run.run_id)
    return None if score.mean is None else score


def _unlike_labels(before: RunSummary | None, latest: RunSummary, view: View) -> str:
    """Return how the labels of the newest run and the one before differ; "" if the two can be compared."""
    if before is None or view is not View.REVIEWED:
        return ""
    labels = find_balance(opened_store.store(), before.run.run_id, latest.run.run_id)
    if labels.is_balanced:
        return ""
    names = {"baseline": f"*{fmt.literal(before.run.name)}*", "candidate": f"*{fmt.literal(latest.run.name)}*"}
    return labels.counts_words(**names)


_HELP = (
    "A run's score is the mean over all its judged answers. *Changes* looks at the answers that both runs have, so "
    "its two scores can differ from these. Coverage is the share of the answers that should have a verdict and have "
    "one. Failed and pending answers, answers without chunks and rows that could not be read lower it; abstentions "
    "and answers without claims do not. A high score with low coverage says little."
)


_UTC = ZoneInfo("UTC")


def latest_change(trend: TrendData) -> None:
    """Draw the trend's last change and the button that compares the runs around it; nothing if none is known."""
    change = trend.finding.level_change
    if change is None:
        return
    st.header(f"Last change, {VIEW_WORDS[trend.view]}", anchor=False, help=_CHANGE_HELP)
    st.markdown(trend_finding(trend.finding, step=Step.RUN, zone=_UTC, process=trend.process))
    with st.container(horizontal=True):
        if st.button("Compare before and after", icon=":material/compare_arrows:", key="overview.compare"):
            open_comparison(change)
        if change.step.delta < 0 and st.button(
            "See weak spots", icon=":material/troubleshoot:", key="overview.change.slices"
        ):
            st.switch_page(navigation.WEAK_SPOTS, query_params=address.link(change.candidate_id))
        knowledge_button(change.event, key="overview.documents")


def open_comparison(change: LevelChange) -> None:
    """Open the comparison of the last run before a change with the first one after it."""
    query = {"baseline": change.baseline_id, "candidate": change.candidate_id}
    st.switch_page(navigation.CHANGES, query_params=query)


_CHANGE_HELP = (
    "The last significant fall between two runs, or the last significant rise if there is no fall, with the event "
    "before it, the segments that explain it, and whether it recovered. The scores are means over all answers of a "
    "run; *Changes* uses the answers that both runs have, so its two scores can differ. p-values are adjusted over all "
    "steps (Holm 1979)."
)


_FIRST_RUN = {View.CORRECTED: "corrected", View.REVIEWED: "labelled", View.JUDGE: "judged"}


def load_latest_trend(view: View) -> TrendData:
    """Load the trend by run with its events and findings."""
    return load_trend_data(TrendChoices(step=Step.RUN, grouping=Grouping.SEGMENT, zone_name="UTC", view=view))


def latest_trend(trend: TrendData, view: View) -> None:
    """Draw faithfulness by run with the events; a click on a point opens its run, one on an event what it changed."""
    st.header(f"Faithfulness by run, {VIEW_WORDS[view]}", anchor=False, help=SCORE_HELP)
    lines = trend.whole.of_view(view)
    if empty_state.is_one_at_a_time():
        st.markdown(f":gray[*{CHECKED_ANSWERS}* are saved one at a time and have no trend.]")
        return
    if not lines:
        st.markdown(f":gray[The first {_FIRST_RUN[view]} run will appear here.]")
        return
    chart = TrendChart(lines=lines, events=trend.events, is_small=True)
    event = st.plotly_chart(
        trend_figure(chart, zone=_UTC, theme=chart_theme()),
        key="overview.trend",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=trend_in_words(chart, zone=_UTC),
    )
    if st.button("Open the trends", type="tertiary", icon=":material/show_chart:", key="overview.trends"):
        st.switch_page(navigation.TRENDS)
    clicks = event.selection.get("points") or []
    happened = clicked_event(clicks, chart.events)
    if happened is not None:
        open_event(happened)
    point = clicked_point(clicks, lines)
    if point is not None:
        st.switch_page(navigation.ANSWERS, query_params=address.link(point.run_ids[0]))


# The search takes a second from here on, which this page does not wait for.
_MOST_ANSWERS = 1_000
_SHOWN = 2


def low_slices(summaries: Sequence[RunSummary], view: View) -> None:
    """Draw the lowest slices of the newest run with a score, and the button to all; runs are given newest first."""
    latest = findings.latest_scored(summaries)
    if latest is None or empty_state.is_one_at_a_time():
        return
    run, shown = latest.run, View.REVIEWED if view is View.CORRECTED else view
    st.header("Weak spots", anchor=False, help=_SLICES_HELP)
    if latest.rows <= _MOST_ANSWERS:
        found = find_slices(opened_store.store(), run.run_id, view=view)
        for low in found.slices[:_SHOWN]:
            _line(run.run_id, low)
        if view is View.CORRECTED:
            st.caption(NO_CORRECTED_SLICE)
        if not found.slices:
            st.markdown(f"*{fmt.literal(run.name)}*: {searched_words(found.answers, found.tested, found.noticeable)}")
    if st.button("See all weak spots", icon=":material/troubleshoot:", key="overview.slices"):
        st.switch_page(navigation.WEAK_SPOTS, query_params={**address.link(run.run_id), **address.view_link(shown)})


def _line(run_id: str, low: FoundSlice) -> None:
    figures = slice_figures(low.mean, low.elsewhere, low.difference, low.interval, len(low.positions), low.p_value)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{slice_words(low.definition)}**: {figures}", width="stretch", help=FIGURES_HELP)
        if st.button("Inspect", type="tertiary", key=f"overview.slice.{low.definition.slice_id}"):
            st.switch_page(navigation.ANSWERS, query_params=address.slice_link(run_id, low.definition.slice_id))


_SLICES_HELP = (
    "Answers of the newest run that have something in common, such as a segment, a document or a word, and score "
    "significantly lower than the rest. The test allows for all slices that were looked at."
)
