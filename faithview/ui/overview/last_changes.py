"""What changed last: the trend with the change written into it, and the list of changes with the weakest spot."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.trend import Grouping, TrendLine
from faithview.services.level_changes import LevelChange
from faithview.services.weak_spots.slices import find_slices
from faithview.ui import address, navigation, opened_store
from faithview.ui.charts.chart_colours import chart_theme
from faithview.ui.charts.finding_figure import FindingChart, MarkedChange, change_in_words, day_words, finding_figure
from faithview.ui.charts.trend_figure import TrendChart, clicked_point, trend_in_words
from faithview.ui.overview.latest_score import LatestScore
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.trend_finding import (
    TrendChoices,
    TrendData,
    cause_words,
    change_rows,
    change_span,
    load_trend_data,
    short_change,
    short_label,
    trend_finding,
)
from faithview.wording import findings
from faithview.wording import numbers as fmt
from faithview.wording.numbers import VIEW_WORDS
from faithview.wording.slices import (
    FIGURES_HELP,
    NO_CORRECTED_SLICE,
    looked_at,
    nothing_found,
    slice_figures,
    slice_words,
)

_UTC = ZoneInfo("UTC")


def load_latest_trend(view: View) -> TrendData:
    """Load the trend by run with its events and findings."""
    return load_trend_data(TrendChoices(step=Step.RUN, grouping=Grouping.SEGMENT, zone_name="UTC", view=view))


def trend_chart(trend: TrendData, latest: LatestScore | None, view: View) -> None:
    """Draw faithfulness by run with the last change; a click on a point opens its run."""
    if empty_state.is_one_at_a_time():
        return
    lines = _lines(trend.whole.of_view(View.JUDGE), latest)
    if view is View.CORRECTED:
        lines += _lines(trend.whole.of_view(View.CORRECTED), latest)
    if not lines:
        st.markdown(":gray[The first judged run will appear here.]")
        return
    threshold = None if latest is None else latest.run.threshold
    chart = FindingChart(lines=lines, change=_marked(trend, view), threshold=threshold)
    words = trend_in_words(TrendChart(lines=lines, events=trend.events), zone=_UTC)
    if noted := change_in_words(chart):
        words += f". {noted}"
    event = st.plotly_chart(
        finding_figure(chart, zone=_UTC, theme=chart_theme()),
        key="overview.trend",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=words,
    )
    point = clicked_point(event.selection.get("points") or [], lines)
    if point is not None:
        st.switch_page(navigation.ANSWERS, query_params=address.link(point.run_ids[0]))


def _lines(lines: Sequence[TrendLine], latest: LatestScore | None) -> list[TrendLine]:
    """Return the main line, and the one with the newest run where that is another judge's."""
    shown = list(lines[:1])
    if latest is not None:
        newest = [line for line in lines[1:] if line.fingerprint == latest.run.fingerprint]
        shown += newest[:1]
    return shown


def _marked(trend: TrendData, view: View) -> MarkedChange | None:
    """Return what is written into the chart of the last change; None if nothing is significant."""
    change = trend.finding.level_change
    if change is None:
        return None
    start, end = change_span(change)
    end_words = ""
    if change.recovery is not None and end is not None:
        label = "" if change.recovery_event is None else f" {short_label(change.recovery_event)},"
        end_words = f"{day_words(end, _UTC)}:{label} {short_change(change.recovery)}"
    words = _change_words(change)
    words += _whose(view)
    return MarkedChange(start=start, end=end, words=words, end_words=end_words, is_fall=change.step.delta < 0)


def _change_words(change: LevelChange) -> str:
    size = short_change(change.step)
    if change.segment is not None:
        size = f"{change.segment} {size}"
    if change.event is not None:
        return f"{day_words(change.event.at, _UTC)}: {short_label(change.event)}, {size}"
    if change.is_drift:
        days = [day_words(point.at, _UTC) for point in (change.step.after, change.step.before)]
        return f"{days[0]}: {size} against the mean since {days[1]}"
    return f"{day_words(change.step.after.at, _UTC)}: {size}, {cause_words(change, _UTC)}"


def what_changed(trend: TrendData, latest: LatestScore | None, view: View) -> None:
    """Draw the significant steps and the weakest spot of the newest run, each with one link."""
    if empty_state.is_one_at_a_time():
        return
    st.header(f"What changed last{_whose(view)}", anchor=False, help=_CHANGE_HELP)
    sentence = trend_finding(trend.finding, step=Step.RUN, zone=_UTC)
    with st.container(gap=None):
        _changes(trend.finding.level_change, sentence)
        if latest is not None:
            _weakest(latest)


def _changes(change: LevelChange | None, sentence: str) -> None:
    """Draw the last change and the recovery from it; without one, the sentence on the trend."""
    if change is None:
        with list_row("overview.trends", "trending_flat", sentence) as row:
            row.link("See", navigation.TRENDS, {})
        return
    for number, one in enumerate(change_rows(change, _UTC)):
        icon = "north" if one.is_rise else "south"
        with list_row(f"overview.change.{number}", icon, one.text, help_text=sentence) as row:
            row.link("Why", navigation.CHANGES, address.pair_link(one.baseline_id, one.candidate_id))


def _whose(view: View) -> str:
    """Return whose verdicts the changes go by, where that is not whose the number is."""
    return "" if view is View.JUDGE else f", {VIEW_WORDS[View.JUDGE]}"


# The search takes a second from here on, which this page does not wait for.
_MOST_ANSWERS = 1_000


def _weakest(latest: LatestScore) -> None:
    """Draw the lowest slice of the newest run, or of a large run the lowest segment."""
    run_id = latest.run.run_id
    shown = View.REVIEWED if latest.view is View.CORRECTED else latest.view
    link = {**address.link(run_id), **address.view_link(shown)}
    if latest.judged.rows > _MOST_ANSWERS:
        segment = findings.weakest_segment(latest.shown)
        text = "No segment of the run scores significantly lower than the others."
        if segment is not None:
            text = f"Weakest segment: **{fmt.literal(segment.segment)}**, {fmt.score(segment.score)}"
        if latest.shown.segments:
            with list_row("overview.slices", "troubleshoot", text) as row:
                row.link("See", navigation.WEAK_SPOTS, link)
        return
    found = find_slices(opened_store.store(), run_id, view=latest.view)
    text, help_text = nothing_found(found.answers, found.tested), _SLICES_HELP
    if found.slices:
        low = found.slices[0]
        text = (
            f"**{slice_words(low.definition)}**: {slice_figures(low.figures)}. {looked_at(found.answers, found.tested)}"
        )
        help_text = FIGURES_HELP
    if latest.view is View.CORRECTED:
        help_text = f"{NO_CORRECTED_SLICE}\n\n{help_text}"
    with list_row("overview.slices", "troubleshoot", text, help_text=help_text) as row:
        row.link("See", navigation.WEAK_SPOTS, link)


_CHANGE_HELP = (
    "The last significant fall between two runs, or the last significant rise if there is no fall, with the event "
    "before it, the segments that explain it, and whether it recovered. The scores are means over all answers of a "
    "run; *Changes* uses the answers that both runs have, so its two scores can differ. p-values are adjusted over all "
    "steps (Holm 1979)."
)
_SLICES_HELP = (
    "Answers of the newest run that have something in common, such as a segment, a document or a word, and score "
    "significantly lower than the rest, allowing for all slices that were tested."
)


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row that is being drawn; `key` is that of its link."""

    key: str

    def link(self, action: str, page: str, parameters: Mapping[str, str]) -> None:
        """Draw the link, which opens a page at an address."""
        if st.button(action, key=self.key, type="tertiary"):
            st.switch_page(page, query_params=dict(parameters))


@contextmanager
def list_row(key: str, icon: str, text: str, *, help_text: str | None = None) -> Iterator[ListRow]:
    """Draw the icon and the sentence; what is drawn inside of the context follows on the same line.

    Args:
        key: the key of the link, unique in the dashboard.
        icon: the name of a Material icon.
        text: the sentence in Markdown.
        help_text: the explanation behind the question mark; None for none.
    """
    with st.container(
        key=f"overview-row-{key.replace('.', '-')}",
        horizontal=True,
        vertical_alignment="center",
        gap="small",
        wrap=False,
    ):
        st.markdown(f":material/{icon}:", width="content")
        st.markdown(text, width="stretch", help=help_text)
        yield ListRow(key)
