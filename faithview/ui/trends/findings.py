"""Sentences of the trends page on what its lines leave out and on its control limits."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step
from faithview.domain.run import Run
from faithview.domain.trend import Trend, TrendLine
from faithview.domain.views import View
from faithview.services.trends.control_chart import LineProcess
from faithview.stats.process import TooFewRuns
from faithview.wording import numbers as fmt
from faithview.wording.events import day_and_month
from faithview.wording.views import short_judge_names

_NAMED_POINTS = 4


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


def process_notes(process: LineProcess, *, zone: ZoneInfo) -> list[str]:
    """Return a sentence for points outside the limits and one for changes of level, or why they are unknown."""
    if isinstance(process.limits, TooFewRuns):
        return [process.limits.message]
    sentences = []
    if process.outside:
        days = [day_and_month(moment, zone) for moment in process.outside[:_NAMED_POINTS]]
        more = f" and {len(process.outside) - _NAMED_POINTS} more" if len(process.outside) > _NAMED_POINTS else ""
        sentences.append(
            # Up to 9 % of series, for 80 runs with a mean near 1: see tests/performance/control_limits.py.
            f"Outside the control limits: {', '.join(days)}{more}. By chance alone, up to one series in ten has a "
            "run outside."
        )
    if isinstance(process.changes, TooFewRuns):
        return [*sentences, process.changes.message]
    if process.changes:
        levels = "; ".join(
            f"{day_and_month(process.moments[change.at], zone)}, from {fmt.share(change.before)} to "
            f"{fmt.share(change.after)}"
            for change in process.changes[:_NAMED_POINTS]
        )
        sentences.append(f"The level changed on {levels}.")
    return sentences


def judges_note(lines: Sequence[TrendLine]) -> str | None:
    """Return the warning, in Markdown, that scores of several judges cannot be compared; None for a single judge."""
    fingerprints = list(dict.fromkeys(line.fingerprint for line in lines))
    if len(fingerprints) < 2:
        return None
    names = fmt.listed([f"*{fmt.literal(name)}*" for name in short_judge_names(fingerprints).values()])
    return f"Each judge has its own line: {names}, newest first. Scores of different lines cannot be compared."


def view_gap(trend: Trend, view: View, *, finding: View) -> str | None:
    """Return why a view has no line, or is not the view of the finding; None where nothing is missing."""
    if own := trend.of_view(view):
        return None if view is View.JUDGE else _partial_view(trend, len(own[0].points), view, finding)
    if view is View.REVIEWED:
        return "Nobody has labelled a claim of these runs yet, so there is no reviewed line."
    if view is View.CORRECTED and trend.step is not Step.RUN:
        return "A corrected score is an estimate for a whole run, so there is none by the timestamps of the rows."
    if view is View.CORRECTED:
        return "No spot-check of these runs has enough labels yet, so there is no corrected line."
    return None


def _partial_view(trend: Trend, points: int, view: View, finding: View) -> str | None:
    judged = trend.of_view(View.JUDGE)
    total = len(judged[0].points) if judged else points
    counted = f"{fmt.count(points)} of {fmt.plural(total, trend.step.value)}"
    has = fmt.verb(points, "has", "have")
    if view is View.CORRECTED:
        return f"{counted} {has} a corrected score, drawn with its interval. The finding is by the judge."
    if points < total:
        return f"{counted} {has} labels; the reviewed line has gaps for the others. The finding is by the judge."
    if finding is not view:
        return "The runs are not labelled alike, and labels alone can make a step. The finding is by the judge."
    return None


def _runs(runs: Sequence[Run]) -> str:
    names = [f"*{fmt.literal(run.name)}* ({fmt.STATUS_WORDS[run.status]})" for run in runs[:3]]
    more = f" and {fmt.plural(len(runs) - 3, 'more run')}" if len(runs) > 3 else ""
    return f"{', '.join(names)}{more}"


def _is(number: int) -> str:
    return fmt.verb(number, "is", "are")
