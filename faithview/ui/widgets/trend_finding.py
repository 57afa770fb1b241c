"""Faithfulness over time: its data, and sentences on its last significant change, where it was and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.buckets import Step, get_zone
from faithview.domain.event import Event, EventKind
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint
from faithview.services.container import Store
from faithview.services.events import list_events
from faithview.services.level_changes import LevelChange, TrendFinding, summarise_trend
from faithview.services.review.label_balance import are_balanced
from faithview.services.trends import TrendQuery, load_trend
from faithview.stats.trend_steps import LEAST_QUESTIONS, LineTests, TrendStep
from faithview.ui import address, navigation, opened_store, series
from faithview.wording import numbers as fmt
from faithview.wording.comparison import places_words, segment_name
from faithview.wording.trends import days_and_months, event_words, point_period, point_score

# A label of an event that is longer is cut in a row and in a chart.
_SHORT_LABEL = 60
_STEADY = 0.1  # "steady" is said only where at least such a change would be noticed


def trend_finding(finding: TrendFinding, *, step: Step, zone: ZoneInfo) -> str:
    """Return the finding in Markdown."""
    if finding.line is None:
        return "No scores to draw yet: no fully judged run has a score."
    change = finding.level_change
    if change is None:
        return _no_change(finding.line, finding.tests, step, zone)
    if change.segment is not None:
        return f"{_segments_moved(change, zone)}.{_what_followed(change, zone)}"
    size = fmt.fixed(abs(change.step.delta), _decimals(change.step))
    text = f"Faithfulness {_verb(change.step)} by **{size}** {_when(change, zone)}{_facts(change.step)}"
    if change.is_drift:
        text += "; no single step between them is significant"
    elif change.event is None:
        text += f"; {cause_words(change, zone)}"
    if change.places:
        text += f"; {places_words(change.places, is_won=change.step.delta > 0)}"
    return f"{text}.{_other_questions(change)}{_what_followed(change, zone)}"


def cause_words(change: LevelChange, zone: ZoneInfo) -> str:
    """Return which events are between the two points of a change whose cause is not known."""
    between = change.events_between
    if not between:
        return "cause unknown"
    if len(between) == 1:
        return f"{event_words(between[0], zone)} is between them, cause unknown"
    return f"{fmt.count(len(between))} events are between them, cause unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """One significant step in a line of Markdown, and the runs on both sides of it."""

    text: str
    is_rise: bool
    baseline_id: str
    candidate_id: str


def change_rows(change: LevelChange, zone: ZoneInfo) -> list[ChangeRow]:
    """Return the last change of a trend and, first, the recovery from it, each with its event and its segments."""
    where = f"{fmt.literal(change.segment)} " if change.segment is not None else ""
    text = f"**{where}{short_change(change.step)} {_step_day(change, change.step, zone)}**"
    if change.is_drift:
        text += ", no single step is significant"
    elif change.event is not None:
        text += f" after *{fmt.literal(short_label(change.event))}*"
    else:
        text += f", {cause_words(change, zone)}"
    for segment, step in change.others:
        text += f"; {segment_name(segment)} {short_change(step)}"
    if change.places:
        text += f"; {places_words(change.places[:1], is_won=change.step.delta > 0)}"
    if others := _other_questions(change):
        text += f".{others}"
    rows = [_change_row(text, change.step)]
    if change.recovery is not None:
        text = f"**{short_change(change.recovery)} {_step_day(change, change.recovery, zone)}**"
        if change.recovery_event is not None:
            text += f" after *{fmt.literal(short_label(change.recovery_event))}*"
        if change.has_relapsed:
            text += ", and has fallen again since"
        rows.insert(0, _change_row(text, change.recovery))
    return rows


def _change_row(text: str, step: TrendStep) -> ChangeRow:
    return ChangeRow(
        text=text,
        is_rise=step.delta > 0,
        baseline_id=step.before.run_ids[-1],
        candidate_id=step.after.run_ids[0],
    )


def change_span(change: LevelChange) -> tuple[datetime, datetime | None]:
    """Return when a change began, at its event or at the point before it, and when it recovered; None if it has not."""
    start = change.step.before.at if change.event is None else change.event.at
    if change.recovery is None or change.has_relapsed:
        return start, None
    return start, change.recovery.after.at if change.recovery_event is None else change.recovery_event.at


def short_change(step: TrendStep) -> str:
    """Write the size of a step with its sign: "−0.08"."""
    return fmt.signed(step.delta, decimals=_decimals(step))


def short_label(event: Event) -> str:
    """Return an event's label, cut where it is long."""
    label = " ".join(event.label.split())
    return label if len(label) <= _SHORT_LABEL else f"{label[: _SHORT_LABEL - 1].rstrip()}…"


def _step_day(change: LevelChange, step: TrendStep, zone: ZoneInfo) -> str:
    """Write when a step was: "on 19 October", or "from 1 to 19 October" for one over many points."""
    before, after = days_and_months([step.before.at, step.after.at], zone)
    return f"from {before} to {after}" if change.is_drift else f"on {after}"


def _segments_moved(change: LevelChange, zone: ZoneInfo) -> str:
    """Return the sentence, without its stop, on segments that moved although the whole did not."""
    where = f"**{fmt.literal(change.segment or '')}**"
    size = fmt.fixed(abs(change.step.delta), _decimals(change.step))
    text = (
        f"Overall, no change is significant, but faithfulness on {where} {_verb(change.step)} by **{size}** "
        f"{_when(change, zone)}{_facts(change.step)}"
    )
    for segment, step in change.others:
        own = fmt.fixed(abs(step.delta), _decimals(step))
        where = f"**{fmt.literal(segment)}**" if segment else "answers without a segment"
        text += f", and on {where} {_verb(step)} by **{own}** ({fmt.p_value(step.p_value)})"
    return text if change.event is not None else f"{text}; {cause_words(change, zone)}"


def _facts(step: TrendStep) -> str:
    """Write p, n and the two scores, which are not those of the pairs where some answers have no partner."""
    decimals = _decimals(step)
    facts = [fmt.p_value(step.p_value)]
    if step.pairs is not None:
        facts.append(f"n {fmt.plural(step.pairs, 'pair')}")
    scores = [point_score(point, decimals=decimals) for point in (step.before, step.after)]
    difference = step.after.mean - step.before.mean
    if fmt.signed(difference, decimals=decimals) == fmt.signed(step.delta, decimals=decimals):
        return f" ({', '.join(facts)}), from {scores[0]} to {scores[1]}"
    return f" ({', '.join(facts)}); including answers that only one of the two has, from {scores[0]} to {scores[1]}"


def _decimals(step: TrendStep) -> int:
    return fmt.decimals_to_tell(step.before.mean, step.after.mean, step.delta)


def _verb(step: TrendStep) -> str:
    return "fell" if step.delta < 0 else "rose"


def _other_questions(change: LevelChange) -> str:
    """Return the caution that the points are not over the same answers; "" if they are, or if that is unknown."""
    if change.shared is None or change.answers is None:
        return ""
    if not change.shared:
        return " The two runs have no answer in common, so other questions may explain it."
    return (
        f" Only {fmt.count(change.shared)} of {fmt.plural(change.answers, 'answer')} are in both runs, so other "
        "questions may explain it."
    )


def _no_change(line: TrendLine, tests: LineTests | None, step: Step, zone: ZoneInfo) -> str:
    """Return what is known where no test is significant: no more than the tests can tell."""
    last = line.points[-1]
    if len(line.points) == 1 or tests is None:
        return f"Faithfulness is **{point_score(last)}**. A second point will show whether it changes."
    its = f"its {fmt.plural(len(line.points), step.value)} since {_the(step)}{point_period(line.points[0], step, zone)}"
    now = f"It is now **{point_score(last)}**."
    if not tests.steps:
        return (
            f"Between {its} no change can be distinguished from chance: that needs {LEAST_QUESTIONS} questions on both "
            f"sides. {now}"
        )
    if tests.alone is not None:
        return f"{_significant_alone(tests.alone, its, tests, zone)} {now}"
    if tests.noticeable is None:
        return f"No answer that two of {its} in a row share changed its score. {now}"
    none = f"No significant change was found between {its}"
    if tests.noticeable >= 1:
        return f"{none}, but there are too few questions to notice any. {now}"
    size = fmt.fixed(tests.noticeable, fmt.decimals_to_tell(0.0, tests.noticeable))
    least = f"a change of {size} from one {step.value} to the next would be noticed 80% of the time"
    untested = ""
    if tests.untested:
        verb = fmt.verb(tests.untested, "has", "have")
        untested = f" {fmt.plural(tests.untested, 'step')} {verb} too few questions to be tested."
    if tests.noticeable > _STEADY or tests.untested:
        return f"{none}, but smaller ones may have gone unnoticed: {least}.{untested} {now}"
    return f"Faithfulness is steady. {none}, and {least}. {now}"


def _significant_alone(alone: TrendStep, its: str, tests: LineTests, zone: ZoneInfo) -> str:
    before, after = days_and_months([alone.before.at, alone.after.at], zone)
    size = fmt.signed(alone.delta, decimals=_decimals(alone))
    return (
        f"No change between {its} is significant among the {fmt.plural(tests.tests, 'test')} made. By itself, the "
        f"change from {before} to {after} would be significant: {size} ({fmt.p_value(alone.p_value)})."
    )


def _when(change: LevelChange, zone: ZoneInfo) -> str:
    if change.event is not None:
        return f"with {event_words(change.event, zone)}"
    before, after = days_and_months([change.step.before.at, change.step.after.at], zone)
    return f"between {before} and {after}"


def _what_followed(change: LevelChange, zone: ZoneInfo) -> str:
    if change.step.delta > 0 or change.is_drift:
        return ""
    newest = point_score(change.newest)
    recovery = change.recovery
    if recovery is None:
        if _is_back(change):
            return f" It is now **{newest}**; the rise since could be chance."
        return " It has not recovered since."
    *_, day = days_and_months([change.step.before.at, change.step.after.at, recovery.after.at], zone)
    decimals = _decimals(recovery)
    text = f" It recovered by {fmt.fixed(recovery.delta, decimals)} on {day}"
    comma = ""
    if change.recovery_event is not None:
        text += f", after {event_words(change.recovery_event, zone)}"
        comma = ","
    if change.has_relapsed:
        return f"{text}, and has fallen again since; it is now **{newest}**."
    return f"{text}{comma} and is now **{newest}**."


def _is_back(change: LevelChange) -> bool:
    """Return whether the newest point made good half of a fall, be it by chance."""
    return change.newest.mean >= (change.step.before.mean + change.step.after.mean) / 2


def _the(step: Step) -> str:
    return "the " if step is Step.WEEK else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendChoices:
    """What a person chose to see: a point for each run or period, the panels' groups, the time zone and the view."""

    step: Step
    grouping: Grouping = Grouping.SEGMENT
    zone_name: str
    view: View

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which days begin and times are shown."""
        return get_zone(self.zone_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendData:
    """Lines, events and findings. `events` are those between the first and the last point of `whole`.

    `view` is the view of the finding and the main line: the chosen one, or the judge's.
    """

    whole: Trend
    grouped: Trend
    events: Sequence[Event]
    all_events: Sequence[Event]
    finding: TrendFinding
    view: View

    @property
    def main(self) -> TrendLine | None:
        """The main line; None if there is nothing to draw."""
        return self.finding.line

    def newest(self, view: View) -> TrendPoint | None:
        """Return the newest point of a view's lines; a run without labels has the judge's score in the reviewed one."""
        shown = [line.points[-1] for line in self.whole.of_view(view)]
        newest = max(shown, key=lambda point: point.at, default=None)
        judged = self.newest(View.JUDGE) if view is View.REVIEWED else None
        return judged if judged is not None and (newest is None or newest.at < judged.at) else newest

    def lines(self) -> list[TrendLine]:
        """Return the lines of the large chart, the main one first."""
        shown = self.whole.of_view(self.view)
        return [*shown, *(line for view in View if view is not self.view for line in self.whole.of_view(view))]


def load_trend_data(chosen: TrendChoices) -> TrendData:
    """Load what the choices ask for, of the series in view. The finding is the judge's where the view has gaps."""
    store = opened_store.store()
    in_view = series.in_view()
    query = TrendQuery(step=chosen.step, zone=chosen.zone_name, series=in_view)
    whole = load_trend(store, query)
    view = _view_of_finding(store, whole, chosen.view)
    # A segment has no corrected estimate, so its panel shows reviewers' verdicts.
    panel_view = View.REVIEWED if view is View.CORRECTED and chosen.grouping is Grouping.SEGMENT else view
    by_segment = load_trend(store, replace(query, grouping=Grouping.SEGMENT), views=(panel_view,))
    grouped = by_segment
    if chosen.grouping is not Grouping.SEGMENT:
        grouped = load_trend(store, replace(query, grouping=chosen.grouping), views=(panel_view,))
    events = list_events(store, series=in_view)
    finding = summarise_trend(store, whole, by_segment, events, view=view)
    return TrendData(
        whole=whole,
        grouped=grouped,
        events=_between_points(events, whole),
        all_events=events,
        finding=finding,
        view=view,
    )


def _view_of_finding(store: Store, whole: Trend, chosen: View) -> View:
    """Return the chosen view if its line can carry the finding, else the judge's.

    Corrected scores rest on a few answers each, and a reviewed line with gaps says nothing of the runs in them. Where
    the runs are not labelled alike, labels alone make steps in it.
    """
    judged, own = whole.of_view(View.JUDGE), whole.of_view(chosen)
    if chosen is View.CORRECTED or not own or not judged:
        return View.JUDGE
    is_whole = own[0].fingerprint == judged[0].fingerprint and len(own[0].points) == len(judged[0].points)
    if not is_whole or chosen is View.JUDGE:
        return View.JUDGE
    run_ids = dict.fromkeys(run_id for point in own[0].points for run_id in point.run_ids)
    return chosen if are_balanced(store, list(run_ids)) else View.JUDGE


def _between_points(events: Sequence[Event], trend: Trend) -> list[Event]:
    """Return the events between the first and the last point: no score can show a later one yet."""
    points = [point for line in trend.lines for point in line.points]
    if not points:
        return []
    first, last = min(p.at for p in points), max(p.end or p.at for p in points)
    return [event for event in events if first <= event.at <= last]


def open_event(event: Event) -> None:
    """Open the page that says what an event changed, where there is a run on both sides."""
    if event.before_run_id and event.after_run_id:
        link = address.pair_link(event.before_run_id, event.after_run_id)
        if event.kind is EventKind.KNOWLEDGE_BASE:
            link |= address.tab_link(navigation.DOCUMENTS)
        st.switch_page(navigation.CHANGES, query_params=link)


def knowledge_button(event: Event | None, *, key: str, is_small: bool = False) -> None:
    """Draw the button to the documents that an update of the knowledge base changed; nothing for other events."""
    if event is None or event.kind is not EventKind.KNOWLEDGE_BASE or not (event.before_run_id and event.after_run_id):
        return
    words = "Changed documents"
    if st.button(words, type="tertiary" if is_small else "secondary", icon=":material/library_books:", key=key):
        open_event(event)
