"""What a trend says, in a sentence: its last change that is more than chance, where, and whether it recovered."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step
from faithview.domain.trend import Contribution, TrendLine
from faithview.services.trends.control_chart import LineProcess
from faithview.services.trends.level_changes import LevelChange, TrendFinding
from faithview.stats.process import TooFewRuns
from faithview.stats.trend_steps import noticeable_step
from faithview.wording import numbers as fmt
from faithview.wording.events import day_and_month, days_and_months, event_words
from faithview.wording.trends import point_period, point_score

_STEADY = 0.1  # "steady" is said only where at least such a change would be noticed
_NAMED_SHARE = 0.35  # of a change; with a smaller share no segment is named
_TENTHS = {4: "four tenths", 5: "half", 6: "six tenths", 7: "seven tenths", 8: "eight tenths", 9: "nine tenths"}


def trend_finding(finding: TrendFinding, *, step: Step, zone: ZoneInfo, process: LineProcess | None = None) -> str:
    """Return the finding in Markdown; `process` adds slow changes of level that no single step shows."""
    if finding.line is None:
        return "There is nothing to draw yet: no fully judged run has a score."
    if finding.level_change is None:
        return _drifted(finding.line, process, zone) or _steady(finding.line, step, zone)
    change = finding.level_change
    subject = "Faithfulness" if change.segment is None else f"Faithfulness on **{fmt.literal(change.segment)}**"
    verb = "fell" if change.step.delta < 0 else "rose"
    text = f"{subject} {verb} by **{fmt.fixed(abs(change.step.delta), 2)}** {_at(change, zone)}"
    text += f", from {point_score(change.step.before)} to {point_score(change.step.after)}"
    if change.segment is not None:
        text += "; over all answers no single change is more than chance"
    if where := _where(change.parts):
        text += f"; {where} of the {'loss' if change.step.delta < 0 else 'gain'} {where_is(change.parts[0])}"
    return f"{text}.{_what_followed(finding, zone)}"


def where_is(part: Contribution) -> str:
    """Return, in Markdown, the segment that a part of a change belongs to."""
    return f"was in **{fmt.literal(part.group)}**" if part.group is not None else "was in answers without a segment"


def share_words(share: float) -> str:
    """Write a share of a change in words: 0.88 is "nine tenths", 0.99 and more is "nearly all" or "all"."""
    if share >= 1:
        return "all"
    return "nearly all" if share >= 0.95 else _TENTHS[max(4, min(9, round(10 * share)))]


def _drifted(line: TrendLine, process: LineProcess | None, zone: ZoneInfo) -> str | None:
    """Return the sentence about a slow change of level; None where there is none."""
    if process is None or isinstance(process.changes, TooFewRuns) or not process.changes:
        return None
    last = process.changes[-1]
    verb = "fell" if last.after < last.before else "rose"
    return (
        f"The level of faithfulness {verb} from {fmt.share(last.before)} to **{fmt.share(last.after)}** about "
        f"{day_and_month(process.moments[last.at], zone)}; no single change is more than chance. It is now "
        f"**{point_score(line.points[-1])}**."
    )


def _steady(line: TrendLine, step: Step, zone: ZoneInfo) -> str:
    first, last = line.points[0], line.points[-1]
    if len(line.points) == 1:
        return f"Faithfulness is **{point_score(last)}**. A second point will show whether it changes."
    noun = fmt.plural(len(line.points), step.value)
    since = f"{_the(step)}{point_period(first, step, zone)}"
    noticed = noticeable_step(line.points)
    none = f"No change between its {noun} since {since} is more than chance"
    now = f"It is now **{point_score(last)}**."
    if noticed is None or noticed >= 1:
        return f"{none}, but there are too few questions to notice any. {now}"
    least = f"a change of {fmt.fixed(noticed, 2)} from one {step.value} to the next would be noticed 80 % of the time"
    if noticed > _STEADY:
        return f"{none}, but smaller ones may have gone unnoticed: {least}. {now}"
    return f"Faithfulness is steady. {none}, and {least}. {now}"


def _at(change: LevelChange, zone: ZoneInfo) -> str:
    if change.event is not None:
        return f"with {event_words(change.event, zone)}"
    before, after = days_and_months([change.step.before.at, change.step.after.at], zone)
    return f"between {before} and {after}"


def _where(parts: Sequence[Contribution]) -> str | None:
    """Return the largest segment's share of a change in words; None where no segment stands out."""
    if len(parts) < 2 or parts[0].share < _NAMED_SHARE:
        return None
    return share_words(parts[0].share)


def _what_followed(finding: TrendFinding, zone: ZoneInfo) -> str:
    change, line = finding.level_change, finding.line
    if change is None or line is None or change.step.delta > 0:
        return ""
    if change.recovery is None:
        return " It has not recovered since."
    recovery = change.recovery
    *_, day = days_and_months([change.step.before.at, change.step.after.at, recovery.after.at], zone)
    text = f" It recovered by {fmt.fixed(recovery.delta, 2)} on {day}"
    if change.recovery_event is not None:
        text += f", after {event_words(change.recovery_event, zone)}"
    if change.segment is not None:
        return f"{text}, to {point_score(recovery.after)}."
    return f"{text} and is now **{point_score(line.points[-1])}**."


def _the(step: Step) -> str:
    return "the " if step is Step.WEEK else ""
