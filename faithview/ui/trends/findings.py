"""What a trend says, in sentences made from its numbers."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step, in_zone
from faithview.domain.event import Event, EventKind
from faithview.domain.run import Run
from faithview.domain.trend import Contribution, Trend, TrendLine
from faithview.domain.views import View
from faithview.services.trends.control_chart import LineProcess
from faithview.services.trends.episodes import Episode, Story
from faithview.stats.process import TooFewRuns
from faithview.wording import numbers as fmt
from faithview.wording.trends import point_period, point_score

_NAMED_SHARE = 0.35  # below it no single segment is where a change was
_NAMED_POINTS = 4
_TENTHS = {4: "four tenths", 5: "half", 6: "six tenths", 7: "seven tenths", 8: "eight tenths", 9: "nine tenths"}

KIND_WORDS = {
    EventKind.KNOWLEDGE_BASE: "update of the knowledge base",
    EventKind.PROMPT: "change of the prompt",
    EventKind.MODEL: "change of the model",
    EventKind.JUDGE: "change of the judge",
    EventKind.OTHER: "event",
}


def trend_finding(story: Story, *, step: Step, zone: ZoneInfo, process: LineProcess | None = None) -> str:
    """Return the sentence, in Markdown, that states what a trend found; `process` tells of slow changes."""
    if story.line is None:
        return "There is nothing to draw yet: no run that is judged to the end has a score."
    if story.episode is None:
        return _drifted(story.line, process, zone) or _steady(story.line, step, zone)
    episode = story.episode
    change = episode.change
    subject = "Faithfulness" if episode.segment is None else f"Faithfulness on **{fmt.literal(episode.segment)}**"
    verb = "fell" if change.delta < 0 else "rose"
    text = f"{subject} {verb} by **{abs(change.delta):.2f}** {_at(episode, zone)}"
    text += f", from {point_score(change.before)} to {point_score(change.after)}"
    if episode.segment is not None:
        text += "; no single step of the whole is more than chance"
    if where := _where(episode.parts):
        text += f"; {where} of the {'loss' if change.delta < 0 else 'gain'} {where_is(episode.parts[0])}"
    return f"{text}.{_what_followed(story, zone)}"


def where_is(part: Contribution) -> str:
    """Return in which segment it was, in Markdown."""
    return f"was in **{fmt.literal(part.group)}**" if part.group is not None else "was in answers without a segment"


def share_words(share: float) -> str:
    """Write a share of a change in words: 0.88 is "nine tenths", 0.99 and more is "nearly all" or "all"."""
    if share >= 1:
        return "all"
    return "nearly all" if share >= 0.95 else _TENTHS[max(4, min(9, round(10 * share)))]


def event_words(event: Event, zone: ZoneInfo) -> str:
    """Write an event in a sentence: "the update of the knowledge base of 14 October"."""
    return f"the {KIND_WORDS[event.kind]} of {day_and_month(event.at, zone)}"


def day_and_month(moment: datetime, zone: ZoneInfo) -> str:
    """Write a day without its year: "14 October"."""
    local = in_zone(moment, zone)
    return f"{local.day} {local:%B}"


def omissions(trend: Trend) -> list[str]:
    """Return what is not in the lines, in Markdown, a sentence each; nothing where nothing was left out."""
    found = []
    if trend.incomplete:
        found.append(f"Left out as not judged to the end: {_runs(trend.incomplete)}.")
    if trend.unscored:
        found.append(f"Without a score: {_runs(trend.unscored)}.")
    if trend.repeats:
        found.append(
            f"{fmt.plural(trend.repeats, 'repeat')} of other runs {_makes(trend.repeats)} no point of their own."
        )
    if trend.undated:
        found.append(f"{fmt.plural(trend.undated, 'row')} without a timestamp {_is(trend.undated)} in no point.")
    if trend.older:
        found.append(f"{fmt.plural(trend.older, 'older run')} {_is(trend.older)} not shown.")
    return found


def process_notes(process: LineProcess, *, zone: ZoneInfo) -> list[str]:
    """Return which points stand out and where the level changed, a sentence each, or why neither can be told."""
    if isinstance(process.limits, TooFewRuns):
        return [process.limits.message]
    found = []
    if process.outside:
        days = [day_and_month(moment, zone) for moment in process.outside[:_NAMED_POINTS]]
        more = f" and {len(process.outside) - _NAMED_POINTS} more" if len(process.outside) > _NAMED_POINTS else ""
        found.append(f"Outside the control limits: {', '.join(days)}{more}.")
    if isinstance(process.changes, TooFewRuns):
        return [*found, process.changes.message]
    if process.changes:
        levels = "; ".join(
            f"{day_and_month(process.moments[change.at], zone)}, from {fmt.share(change.before)} to "
            f"{fmt.share(change.after)}"
            for change in process.changes[:_NAMED_POINTS]
        )
        found.append(f"The level changed on {levels}.")
    return found


def judges_note(lines: Sequence[TrendLine]) -> str | None:
    """Return the warning, in Markdown, that lines of several judges are not one line; None where there is one judge."""
    prints = list(dict.fromkeys(line.fingerprint for line in lines))
    if len(prints) < 2:
        return None
    names = ", ".join(f"`{name}`" if "`" not in name else fmt.literal(name) for name in prints)
    return (
        f"{len(prints)} judges, methods or prompts judged these runs, so each has a line of its own: a step from one "
        f"line to another is a change of the judge, not of the answers. Newest first: {names}."
    )


def view_gap(trend: Trend, view: View) -> str | None:
    """Return why a view has no line; None where it has one."""
    if trend.of_view(view):
        return None
    if view is View.REVIEWED:
        return "Nobody has labelled a claim of these runs yet, so there is no reviewed line."
    if view is View.CORRECTED and trend.step is not Step.RUN:
        return "A corrected score is an estimate for a whole run, so there is none by the rows' own timestamps."
    if view is View.CORRECTED:
        return "No spot-check of these runs has enough labels yet, so there is no corrected line."
    return None


def _drifted(line: TrendLine, process: LineProcess | None, zone: ZoneInfo) -> str | None:
    """Return the sentence about a change of level that no single step shows; None where there is none."""
    if process is None or isinstance(process.changes, TooFewRuns) or not process.changes:
        return None
    last = process.changes[-1]
    verb = "fell" if last.after < last.before else "rose"
    return (
        f"The level of faithfulness {verb} from {fmt.share(last.before)} to **{fmt.share(last.after)}** about "
        f"{day_and_month(process.moments[last.at], zone)}, though no single step is more than chance; it stands at "
        f"**{point_score(line.points[-1])}**."
    )


def _steady(line: TrendLine, step: Step, zone: ZoneInfo) -> str:
    first, last = line.points[0], line.points[-1]
    if len(line.points) == 1:
        return f"Faithfulness stands at **{point_score(last)}**; a second point will show whether it moves."
    noun = fmt.plural(len(line.points), step.value)
    since = f"{_the(step)}{point_period(first, step, zone)}"
    return (
        f"Faithfulness is steady: no step of its {noun} since {since} is more than chance, and it stands at "
        f"**{point_score(last)}**."
    )


def _at(episode: Episode, zone: ZoneInfo) -> str:
    if episode.event is not None:
        return f"with {event_words(episode.event, zone)}"
    change = episode.change
    return f"between {day_and_month(change.before.at, zone)} and {day_and_month(change.after.at, zone)}"


def _where(parts: Sequence[Contribution]) -> str | None:
    """Return how much of a change the group with the largest part explains; None where the answer is "everywhere"."""
    if len(parts) < 2 or parts[0].share < _NAMED_SHARE:
        return None
    return share_words(parts[0].share)


def _what_followed(story: Story, zone: ZoneInfo) -> str:
    episode, line = story.episode, story.line
    if episode is None or line is None or episode.change.delta > 0:
        return ""
    if episode.recovery is None:
        return " It has not recovered since."
    recovery = episode.recovery
    text = f" It recovered by {recovery.delta:.2f} on {day_and_month(recovery.after.at, zone)}"
    if episode.recovery_event is not None:
        text += f", after {event_words(episode.recovery_event, zone)}"
    if episode.segment is not None:
        return f"{text}, to {point_score(recovery.after)}."
    return f"{text}, and stands at **{point_score(line.points[-1])}**."


def _the(step: Step) -> str:
    return "the " if step is Step.WEEK else ""


def _runs(runs: Sequence[Run]) -> str:
    names = [f"*{fmt.literal(run.name)}* ({fmt.STATUS_WORDS[run.status]})" for run in runs[:3]]
    more = f" and {fmt.plural(len(runs) - 3, 'more run')}" if len(runs) > 3 else ""
    return f"{', '.join(names)}{more}"


def _is(number: int) -> str:
    return fmt.verb(number, "is", "are")


def _makes(number: int) -> str:
    return fmt.verb(number, "makes", "make")
