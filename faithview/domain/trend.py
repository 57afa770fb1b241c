"""Faithfulness over time: points, lines, and each group's contribution to a change."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.run import JudgeSpec, Run
from faithview.domain.scoring import Interval

_RECENT = 10  # points; the judge of most of them is the series' main judge


class Grouping(StrEnum):
    """How answers are grouped into lines. Every grouping separates judges, because their scores are not comparable.

    `model` is the model that gave the answers, if the rows of a run name it.
    """

    ALL = "all"
    SEGMENT = "segment"
    JUDGE = "judge"
    MODEL = "model"
    KB = "kb"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """One point. `at` is the run's own time or the start of the day, week or month; `end` its end, None for a run.

    `judged` counts the answers behind the mean (labelled ones for a corrected score); `left_out` counts the rows
    without a verdict by their state, as far as states are known, and `rows` all. `questions` counts the different
    questions of the judged answers, None if that is not known.
    """

    at: datetime
    end: datetime | None = None
    mean: float
    interval: Interval | None
    judged: int
    rows: int
    left_out: Mapping[str, int]
    run_ids: tuple[str, ...]
    questions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendLine:
    """Points that may be connected: one group under one exact judge, in one view, oldest first.

    `group` is "" without grouping, and None for rows or runs that have no such group (no segment, no version);
    `grouping` says what it is a group of.
    """

    group: str | None
    fingerprint: str
    judge: JudgeSpec
    view: View
    points: tuple[TrendPoint, ...]
    grouping: Grouping = Grouping.ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """Lines over time, and what they leave out.

    `incomplete` are the runs that are not judged to the end and `unscored` complete ones in which no answer has a
    score; `repeats` counts runs that judge another one's answers again, `older` those beyond the requested number of
    newest ones, and `undated` the rows without a timestamp if time is cut by the rows' own. `sample_rates` are those of
    the runs that judge a sample of a live application's answers, one for each run.
    """

    step: Step
    grouping: Grouping
    zone: str
    lines: tuple[TrendLine, ...]
    incomplete: tuple[Run, ...] = ()
    unscored: tuple[Run, ...] = ()
    repeats: int = 0
    older: int = 0
    undated: int = 0
    sample_rates: tuple[float, ...] = ()

    def of_view(self, view: View) -> list[TrendLine]:
        """Return the lines of one view, the main one first and the others by their newest point, newest first.

        The main line is that of the judge with most of the view's newest points, so one run by another judge does not
        change the subject of the page. If two have as many, the one with the newer point is the main line.
        """
        own = sorted((line for line in self.lines if line.view is view), key=_newest, reverse=True)
        latest = sorted((p.at for line in own for p in line.points), reverse=True)[:_RECENT]
        if not latest:
            return own
        points: Counter[str] = Counter()
        for line in own:
            points[line.fingerprint] += sum(point.at >= latest[-1] for point in line.points)
        most = max(own, key=lambda line: points[line.fingerprint]).fingerprint
        return sorted(own, key=lambda line: line.fingerprint != most)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstAnswer:
    """One answer in a list over several runs; `answer` is cut to a list's length."""

    run_id: str
    run_name: str
    key: str
    question: str | None
    answer: str
    segment: str | None
    timestamp: datetime | None
    faithfulness: float
    claims: int
    contradicted: int


def group_of(run: Run, grouping: Grouping, models: Mapping[str, str]) -> str | None:
    """Return the group of a run as a whole, None if it has none; `models` maps runs to the model of their answers."""
    if grouping is Grouping.JUDGE:
        return run.fingerprint
    if grouping is Grouping.MODEL:
        return models.get(run.run_id)
    return run.kb_version if grouping is Grouping.KB else ""


def _newest(line: TrendLine) -> datetime:
    return line.points[-1].at
