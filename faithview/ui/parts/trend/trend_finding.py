"""What a trend says, in sentences: its last significant change, where and why it was, and whether it recovered."""

from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step
from faithview.domain.trend import TrendLine
from faithview.services.changes.level_changes import LevelChange, TrendFinding
from faithview.services.trends.control_chart import LineProcess
from faithview.stats.process import TooFewRuns
from faithview.stats.trend_steps import LEAST_QUESTIONS, LineTests, TrendStep
from faithview.wording import numbers as fmt
from faithview.wording.events import day_and_month, days_and_months, event_words
from faithview.wording.segment_shares import places_words
from faithview.wording.trends import point_period, point_score

_STEADY = 0.1  # "steady" is said only where at least such a change would be noticed


def trend_finding(finding: TrendFinding, *, step: Step, zone: ZoneInfo, process: LineProcess | None = None) -> str:
    """Return the finding in Markdown; `process` adds slow changes of level that no single step shows."""
    if finding.line is None:
        return "There is nothing to draw yet: no fully judged run has a score."
    change = finding.level_change
    if change is None:
        return _drifted(finding.line, process, zone) or _no_change(finding.line, finding.tests, step, zone)
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


def _segments_moved(change: LevelChange, zone: ZoneInfo) -> str:
    """Return the sentence, without its stop, on segments that moved although the whole did not."""
    where = f"**{fmt.literal(change.segment or '')}**"
    size = fmt.fixed(abs(change.step.delta), _decimals(change.step))
    text = (
        f"Overall no change is significant, but faithfulness on {where} {_verb(change.step)} by **{size}** "
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
    return f" ({', '.join(facts)}); with the answers that only one of them has, from {scores[0]} to {scores[1]}"


def _decimals(step: TrendStep) -> int:
    return fmt.decimals_to_tell(step.before.mean, step.after.mean, step.delta)


def _verb(step: TrendStep) -> str:
    return "fell" if step.delta < 0 else "rose"


def _other_questions(change: LevelChange) -> str:
    """Return the caution that the points are not over the same answers; "" where they are, or nobody knows."""
    if change.shared is None or change.answers is None:
        return ""
    if not change.shared:
        return " The two runs have no answer in common, so other questions may explain it."
    return (
        f" Only {fmt.count(change.shared)} of {fmt.plural(change.answers, 'answer')} are in both runs, so other "
        "questions may explain it."
    )


def _drifted(line: TrendLine, process: LineProcess | None, zone: ZoneInfo) -> str | None:
    """Return the sentence about a slow change of level; None where there is none."""
    if process is None or isinstance(process.changes, TooFewRuns) or not process.changes:
        return None
    last = process.changes[-1]
    verb = "fell" if last.after < last.before else "rose"
    decimals = fmt.decimals_to_tell(last.before, last.after)
    return (
        f"The level of faithfulness {verb} from {fmt.fixed(last.before, decimals)} to "
        f"**{fmt.fixed(last.after, decimals)}** about {day_and_month(process.moments[last.at], zone)}; no single step "
        f"is significant. It is now **{point_score(line.points[-1])}**."
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
            f"Between {its} no change can be told from chance: that needs {LEAST_QUESTIONS} questions on both sides. "
            f"{now}"
        )
    if tests.alone is not None:
        return f"{_significant_alone(tests.alone, its, tests, zone)} {now}"
    if tests.noticeable is None:
        return f"No answer that two of {its} in a row share changed its score. {now}"
    none = f"No significant change was found between {its}"
    if tests.noticeable >= 1:
        return f"{none}, but there are too few questions to notice any. {now}"
    size = fmt.fixed(tests.noticeable, fmt.decimals_to_tell(0.0, tests.noticeable))
    least = f"a change of {size} from one {step.value} to the next would be noticed 80 % of the time"
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
        f"No change between {its} is significant among the {fmt.plural(tests.tests, 'test')} made. By itself, that "
        f"from {before} to {after} would be: {size} ({fmt.p_value(alone.p_value)})."
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
    if change.recovery_event is not None:
        text += f", after {event_words(change.recovery_event, zone)}"
    if change.has_relapsed:
        return f"{text}, and has fallen again since; it is now **{newest}**."
    return f"{text} and is now **{newest}**."


def _is_back(change: LevelChange) -> bool:
    """Return whether the newest point made good half of a fall, be it by chance."""
    return change.newest.mean >= (change.step.before.mean + change.step.after.mean) / 2


def _the(step: Step) -> str:
    return "the " if step is Step.WEEK else ""
