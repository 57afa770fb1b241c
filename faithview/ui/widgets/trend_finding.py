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
from faithview.services.events import list_events
from faithview.services.level_changes import LevelChange, LineTests, TrendFinding, TrendStep, summarise_trend
from faithview.services.trends import TrendQuery, load_trend
from faithview.stats.trend_steps import LEAST_QUESTIONS
from faithview.ui import address, navigation, opened_store, series
from faithview.wording import numbers as fmt
from faithview.wording.comparison import places_words, segment_name
from faithview.wording.trends import days_and_months, event_words, point_period, point_score

_NAMED_EVENTS = 3
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
    lead = "Faithfulness"
    if change.segment is not None:
        lead = f"Overall, no change is significant, but faithfulness on **{fmt.literal(change.segment)}**"
    when = f"with {event_words(change.event, zone)}" if change.event is not None else _days(change.step, zone)
    text = f"{lead} {_verb(change.step)} by **{_size(change.step)}** {when}{_facts(change)}"
    for segment, other in change.others:
        text += f", and on {segment_name(segment)} {_verb(other)} by **{_size(other)}** ({fmt.p_value(other.p_value)})"
    if change.is_drift:
        text += "; no single step is significant"
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
    named = [event_words(event, zone) for event in between[:_NAMED_EVENTS]]
    if more := len(between) - len(named):
        named.append(fmt.plural(more, "more event"))
    return f"{fmt.listed(named)} {fmt.verb(len(between), 'is', 'are')} between them, cause unknown"


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One significant step in a line of Markdown, and the runs on both sides of it."""

    text: str
    is_rise: bool
    baseline_id: str
    candidate_id: str


def change_rows(change: LevelChange, zone: ZoneInfo) -> list[ChangeRow]:
    """Return the last change of a trend and, first, the recovery from it, each with its event and its segments."""
    where = f"{fmt.literal(change.segment)} " if change.segment is not None else ""
    text = f"**{where}{_short(change.step, zone, is_drift=change.is_drift)}**"
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
    rows = [ChangeRow(text, change.step.delta > 0, change.baseline_id, change.candidate_id)]
    if (recovery := change.recovery) is not None:
        text = f"**{_short(recovery, zone)}**"
        if change.recovery_event is not None:
            text += f" after *{fmt.literal(short_label(change.recovery_event))}*"
        rows.insert(0, ChangeRow(text, True, recovery.before.run_ids[-1], recovery.after.run_ids[0]))
    return rows


def change_span(change: LevelChange) -> tuple[datetime, datetime | None]:
    """Return when a change began, at its event or at the point before it, and when it recovered; None if it has not."""
    start = change.step.before.at if change.event is None else change.event.at
    if change.recovery is None or change.is_open_fall:
        return start, None
    return start, change.recovery.after.at if change.recovery_event is None else change.recovery_event.at


def short_change(step: TrendStep) -> str:
    """Write the size of a step with its sign: "−0.08"."""
    return fmt.signed(step.delta, decimals=_decimals(step))


def short_label(event: Event) -> str:
    """Return an event's label, cut where it is long."""
    label = " ".join(event.label.split())
    return label if len(label) <= _SHORT_LABEL else f"{label[: _SHORT_LABEL - 1].rstrip()}…"


def _short(step: TrendStep, zone: ZoneInfo, *, is_drift: bool = False) -> str:
    before, after = days_and_months([step.before.at, step.after.at], zone)
    since = f" against the mean since {before}" if is_drift else ""
    return f"{short_change(step)} on {after}{since}"


def _days(step: TrendStep, zone: ZoneInfo) -> str:
    before, after = days_and_months([step.before.at, step.after.at], zone)
    return f"between {before} and {after}"


def _facts(change: LevelChange) -> str:
    """Write p, n and the two scores, which are not those of the pairs where some answers have no partner."""
    step, decimals = change.step, _decimals(change.step)
    facts = [fmt.p_value(step.p_value)]
    if step.pairs is not None:
        facts.append(f"n {fmt.plural(step.pairs, 'question' if change.is_drift else 'pair')}")
    first, last = [point_score(point, decimals=decimals) for point in (step.before, step.after)]
    if change.is_drift:
        return f" ({', '.join(facts)}), from a mean of {first} to {last}"
    difference = step.after.mean - step.before.mean
    if fmt.signed(difference, decimals=decimals) == fmt.signed(step.delta, decimals=decimals):
        return f" ({', '.join(facts)}), from {first} to {last}"
    return f" ({', '.join(facts)}); including answers that only one of the two has, from {first} to {last}"


def _decimals(step: TrendStep) -> int:
    return fmt.decimals_to_tell(step.before.mean, step.after.mean, step.delta)


def _size(step: TrendStep) -> str:
    return fmt.fixed(abs(step.delta), _decimals(step))


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
    the = "the " if step is Step.WEEK else ""
    its = f"its {fmt.plural(len(line.points), step.value)} since {the}{point_period(line.points[0], step, zone)}"
    now = f"It is now **{point_score(last)}**."
    if not tests.steps:
        return (
            f"Between {its} no change can be distinguished from chance: that needs {LEAST_QUESTIONS} questions on both "
            f"sides. {now}"
        )
    none = f"No significant change was found between {its}"
    if tests.noticeable is None:
        return f"No answer that two of {its} in a row share changed its score. {now}"
    if tests.noticeable >= 1:
        return f"{none}, but there are too few questions to notice any. {now}"
    size = fmt.fixed(tests.noticeable, fmt.decimals_to_tell(0.0, tests.noticeable))
    least = f"a change of {size} from one {step.value} to the next would be noticed 80% of the time"
    if not tests.untested and tests.noticeable <= _STEADY:
        return f"Faithfulness is steady. {none}, and {least}. {now}"
    untested = ""
    if tests.untested:
        verb = fmt.verb(tests.untested, "has", "have")
        untested = f" {fmt.plural(tests.untested, 'step')} {verb} too few questions to be tested."
    return f"{none}, but smaller ones may have gone unnoticed: {least}.{untested} {now}"


def _what_followed(change: LevelChange, zone: ZoneInfo) -> str:
    if change.step.delta > 0 or change.is_drift:
        return ""
    newest, recovery = point_score(change.newest), change.recovery
    if recovery is None:
        if change.is_open_fall:
            return " It has not recovered since."
        return f" It is now **{newest}**; no single rise since is significant."
    *_, day = days_and_months([change.step.before.at, change.step.after.at, recovery.after.at], zone)
    text = f" It recovered by {_size(recovery)} on {day}"
    if change.recovery_event is not None:
        text += f", after {event_words(change.recovery_event, zone)},"
    return f"{text} and {'has fallen again since; it ' if change.is_open_fall else ''}is now **{newest}**."


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

    `grouped` and `finding` are by the judge's verdicts.
    """

    whole: Trend
    grouped: Trend
    events: Sequence[Event]
    all_events: Sequence[Event]
    finding: TrendFinding

    @property
    def main(self) -> TrendLine | None:
        """The main line by the judge's verdicts; None if there is nothing to draw."""
        return self.finding.line

    @property
    def corrected(self) -> TrendPoint | None:
        """The newest corrected score."""
        points = [line.points[-1] for line in self.whole.of_view(View.CORRECTED)]
        return max(points, key=lambda point: point.at, default=None)

    def lines(self) -> list[TrendLine]:
        """Return the lines of the large chart, the main one first."""
        return [line for view in View for line in self.whole.of_view(view)]


def load_trend_data(chosen: TrendChoices) -> TrendData:
    """Load what the choices ask for, of the series in view."""
    store, in_view = opened_store.store(), series.in_view()
    query = TrendQuery(step=chosen.step, zone=chosen.zone_name, series=in_view)
    whole = load_trend(store, query)
    by_segment = load_trend(store, replace(query, grouping=Grouping.SEGMENT))
    grouped = by_segment
    if chosen.grouping is not Grouping.SEGMENT:
        grouped = load_trend(store, replace(query, grouping=chosen.grouping))
    events = list_events(store, series=in_view)
    return TrendData(
        whole=whole,
        grouped=grouped,
        events=_between_points(events, whole),
        all_events=events,
        finding=summarise_trend(store, whole, by_segment, events),
    )


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
