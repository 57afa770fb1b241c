"""The trend of the series in view, and its last significant change in sentences: when, how much, where and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.event import Event, EventKind
from faithview.domain.trend import Grouping, Trend, TrendLine
from faithview.services.events import list_events
from faithview.services.level_changes import LevelChange, LineTests, TrendFinding, TrendStep, summarise_trend
from faithview.services.trends import TrendQuery, load_trend
from faithview.stats.trend_steps import LEAST_QUESTIONS
from faithview.ui import address, navigation, opened_store, series
from faithview.ui.charts.trend_figure import TrendChart
from faithview.wording import numbers as fmt
from faithview.wording.comparison import places_words, segment_name
from faithview.wording.trends import days_and_months, event_words, point_score

_NAMED_EVENTS = 3
_LABEL_CHARACTERS = 60
UTC = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendData:
    """The trend as a whole and by segment, the events, and the finding; all but `whole` by the judge's verdicts."""

    whole: Trend
    by_segment: Trend
    events: Sequence[Event]
    finding: TrendFinding
    zone: ZoneInfo

    def chart(self) -> TrendChart | None:
        """Return the content of the large figure; None without a score.

        Events outside of the points are left out: no score can show them.
        """
        if self.finding.line is None:
            return None
        lines = [line for view in (View.JUDGE, View.CORRECTED) for line in self.whole.of_view(view)]
        points = [point for line in lines for point in line.points]
        first, last = min(p.at for p in points), max(p.end or p.at for p in points)
        change = self.finding.level_change
        is_fall = change is not None and change.step.delta < 0 and change.segment is None
        return TrendChart(
            lines=lines,
            events=[event for event in self.events if first <= event.at <= last],
            fall=_span(change) if change is not None and is_fall else None,
            step=self.whole.step,
            zone=self.zone,
        )


def load_trends(*, step: Step = Step.RUN, zone: ZoneInfo = UTC) -> TrendData:
    """Load the trend of the series in view, a point for each run or for each period of the zone's calendar."""
    store, in_view = opened_store.store(), series.in_view()
    whole, by_segment = (
        load_trend(store, TrendQuery(step=step, grouping=grouping, zone=zone.key, series=in_view))
        for grouping in (Grouping.ALL, Grouping.SEGMENT)
    )
    events = list_events(store, series=in_view)
    finding = summarise_trend(store, whole, by_segment, events)
    return TrendData(whole=whole, by_segment=by_segment, events=events, finding=finding, zone=zone)


def event_link(event: Event) -> dict[str, str]:
    """Return the address of what an event changed, on *Changes*; empty where no run is on both of its sides."""
    if event.before_run_id is None or event.after_run_id is None:
        return {}
    link = address.pair_link(event.before_run_id, event.after_run_id)
    return {**link, **(address.tab_link(navigation.DOCUMENTS) if event.kind is EventKind.KNOWLEDGE_BASE else {})}


def finding_words(loaded: TrendData) -> str:
    """Return the finding with its test, in Markdown."""
    line, change, zone = loaded.finding.line, loaded.finding.level_change, loaded.zone
    if line is None:
        return "No scores to draw yet: no fully judged run has a score."
    if change is None:
        return _no_change(line, loaded.finding.tests, loaded.whole.step)
    step, whose = change.step, "Faithfulness"
    if change.segment is not None:
        whose = f"Overall, no change is significant, but faithfulness on **{fmt.literal(change.segment)}**"
    before, after = days_and_months([step.before.at, step.after.at], zone)
    when = f"between {before} and {after}"
    if change.is_drift:
        when = f"on {after} against the mean since {before}, without a significant single step"
    elif change.event is not None:
        when = f"with {event_words(change.event, zone)}"
    decimals = fmt.decimals_to_tell(step.before.mean, step.after.mean, step.delta)
    old, new = (point_score(point, decimals=decimals) for point in (step.before, step.after))
    facts = fmt.p_value(step.p_value)
    if step.pairs is not None:
        facts += f", n {fmt.plural(step.pairs, 'question' if change.is_drift else 'pair')}"
    verb = "fell" if step.delta < 0 else "rose"
    text = f"{whose} {verb} by **{_size(step)}** {when} ({facts}); before {old}, after {new}"
    if change.event is None and not change.is_drift:
        text += f"; {_cause(change, zone)}"
    if change.places:
        text += f"; {places_words(change.places, is_won=step.delta > 0)}"
    return f"{text}.{_other_questions(change)}{_what_followed(change, zone)}"


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One significant step in a line of Markdown, and the runs on both sides of it."""

    text: str
    is_rise: bool
    baseline_id: str
    candidate_id: str


def change_rows(change: LevelChange, zone: ZoneInfo) -> list[ChangeRow]:
    """Return the recovery from the last change, if there is one, and the change, each with its cause and place."""
    rows = []
    if (recovery := change.recovery) is not None:
        text = f"**{_short(recovery, zone)}**{_after(change.recovery_event)}"
        rows.append(ChangeRow(text, True, recovery.before.run_ids[-1], recovery.after.run_ids[0]))
    where = "" if change.segment is None else f"{fmt.literal(change.segment)} "
    text = f"**{where}{_short(change.step, zone)}**"
    if change.is_drift:
        (since,) = days_and_months([change.step.before.at], zone)
        text += f" against the mean since {since}"
    else:
        text += _after(change.event) or f", {_cause(change, zone)}"
    for segment, step in change.others:
        text += f"; {segment_name(segment)} {_signed(step)}"
    if change.places:
        text += f"; {places_words(change.places[:1], is_won=change.step.delta > 0)}"
    rows.append(ChangeRow(text, change.step.delta > 0, change.baseline_id, change.candidate_id))
    return rows


def fall_words(change: LevelChange, zone: ZoneInfo) -> str:
    """Return the sentence on a fall that has not been made good, in Markdown."""
    subject = "Faithfulness" if change.segment is None else f"**{fmt.literal(change.segment)}**"
    step = change.step
    decimals = fmt.decimals_to_tell(step.before.mean, step.after.mean, step.delta)
    old, new = fmt.fixed(step.before.mean, decimals), point_score(step.after, decimals=decimals)
    cause = "" if change.event is None else f" with {event_words(change.event, zone)}"
    return f"{subject} fell from {old} to {new}{cause} and has not recovered."


def _span(change: LevelChange) -> tuple[datetime, datetime | None]:
    """Return when a fall began, at its event or the point before it, and when it was made good; None if it was not."""
    start = change.step.before.at if change.event is None else change.event.at
    if change.recovery is None or change.is_open_fall:
        return start, None
    return start, change.recovery.after.at if change.recovery_event is None else change.recovery_event.at


def _signed(step: TrendStep) -> str:
    decimals = fmt.decimals_to_tell(step.before.mean, step.after.mean, step.delta)
    return fmt.signed(step.delta, decimals=decimals)


def _size(step: TrendStep) -> str:
    return _signed(step).lstrip("+−")


def _short(step: TrendStep, zone: ZoneInfo) -> str:
    _, after = days_and_months([step.before.at, step.after.at], zone)
    return f"{_signed(step)} on {after}"


def _after(event: Event | None) -> str:
    if event is None:
        return ""
    label = " ".join(event.label.split())
    short = label if len(label) <= _LABEL_CHARACTERS else f"{label[: _LABEL_CHARACTERS - 1].rstrip()}…"
    return f" after *{fmt.literal(short)}*"


def _cause(change: LevelChange, zone: ZoneInfo) -> str:
    """Return which events are between the two points of a change whose cause is not known."""
    between = change.events_between
    if not between:
        return "cause unknown"
    named = [event_words(event, zone) for event in between[:_NAMED_EVENTS]]
    if more := len(between) - len(named):
        named.append(fmt.plural(more, "more event"))
    return f"{fmt.listed(named)} {fmt.verb(len(between), 'is', 'are')} between them, cause unknown"


def _other_questions(change: LevelChange) -> str:
    """Return the caution that the points are not over the same answers; "" if they are, or if that is unknown."""
    if change.shared is None or change.answers is None:
        return ""
    return (
        f" Only {fmt.count(change.shared)} of {fmt.plural(change.answers, 'answer')} are in both runs, so other "
        "questions may explain it."
    )


def _what_followed(change: LevelChange, zone: ZoneInfo) -> str:
    if change.step.delta > 0 or change.is_drift:
        return ""
    now = f"is now **{point_score(change.newest)}**."
    if (recovery := change.recovery) is None:
        return " It has not recovered since." if change.is_open_fall else f" It {now}"
    *_, day = days_and_months([change.step.before.at, change.step.after.at, recovery.after.at], zone)
    cause = "" if change.recovery_event is None else f", after {event_words(change.recovery_event, zone)},"
    return f" It recovered by {_size(recovery)} on {day}{cause} and {now}"


def _no_change(line: TrendLine, tests: LineTests | None, step: Step) -> str:
    """Return what is known where no test is significant: no more than the tests can tell."""
    now = point_score(line.points[-1])
    if len(line.points) == 1 or tests is None:
        return f"Faithfulness is **{now}**. A second point will show whether it changes."
    its = f"its {fmt.plural(len(line.points), step.value)}"
    if not tests.steps:
        return (
            f"Faithfulness is now **{now}**. No change between {its} can be distinguished from chance: that needs "
            f"{LEAST_QUESTIONS} questions on both sides."
        )
    text = f"No significant change was found between {its}"
    if tests.noticeable is None:
        text += ": no answer that two of them in a row share changed its score"
    elif tests.noticeable >= 1:
        text += ": there are too few questions to notice any"
    else:
        size = fmt.fixed(tests.noticeable, fmt.decimals_to_tell(0.0, tests.noticeable))
        text += f"; a change of {size} from one {step.value} to the next would be noticed 80% of the time"
    if tests.untested:
        verb = fmt.verb(tests.untested, "has", "have")
        text += f"; {fmt.plural(tests.untested, 'step')} {verb} too few questions to be tested"
    return f"{text}. Faithfulness is now **{now}**."
