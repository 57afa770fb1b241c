"""Faithfulness over time: points, lines, and what each group adds to a change."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.run import JudgeSpec, Run
from faithview.domain.scoring import Interval

_RECENT = 10  # points; the judge that judged most of them is the series' own


class Grouping(StrEnum):
    """What has a line of its own. Judges are kept apart under every grouping: their scores mean different things.

    `model` is the model that gave the answers, where the rows of a run say so.
    """

    ALL = "all"
    SEGMENT = "segment"
    JUDGE = "judge"
    MODEL = "model"
    KB = "kb"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """One point. `at` is the run's own time or the start of the day, week or month; `end` its end, None for a run.

    `judged` counts the answers that the mean rests on (labelled ones for a corrected score); `left_out` counts the rows
    without a verdict by their state, as far as states are known, and `rows` all. `questions` counts the questions that
    the judged answers are to, None where that is not known.
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

    @property
    def without_verdict(self) -> int:
        """Rows that the mean does not rest on."""
        return sum(self.left_out.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendLine:
    """Points that may be joined: one group under one exact judge, by one view, oldest first.

    `group` is "" where nothing is grouped, and None for rows or runs that have no such group (no segment, no version);
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
    """Lines over time, and what is not in them.

    `incomplete` are the runs that are not judged to the end and `unscored` complete ones in which no answer has a
    score; `repeats` counts runs that judge another one's answers again, `older` those beyond the newest that were asked
    for, and `undated` the rows without a timestamp, where time is cut by the rows' own. `sample_rates` are those of the
    runs for which a part of what a live application logged was drawn, one for each run.
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

        The main line is that of the judge with most of the view's newest points, so that one run by another judge does
        not change what the page is about. Of two with as many, the one with the newer point is the main line.
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
class Contribution:
    """What one group adds to a change of the whole; over all groups the deltas add up to the whole change.

    `delta` is the group's own change and the change of its weight together (Kitagawa 1955); `share` is `delta` by the
    whole change. `before` and `after` are None where the group had no judged answer.
    """

    group: str | None
    before: TrendPoint | None
    after: TrendPoint | None
    delta: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstAnswer:
    """One answer in a list over several runs; `answer` is cut to what a list can show."""

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
    """Return which group a run is in as a whole, None where it has none; `models` says by run what gave its answers."""
    if grouping is Grouping.JUDGE:
        return run.fingerprint
    if grouping is Grouping.MODEL:
        return models.get(run.run_id)
    return run.kb_version if grouping is Grouping.KB else ""


def contributions(
    before: Mapping[str | None, TrendPoint], after: Mapping[str | None, TrendPoint]
) -> list[Contribution]:
    """Return what each group adds to the change of the mean over all, the largest first in the change's direction.

    With group g's share of the judged answers w and mean m, and bars for the middle of before and after,

        M' - M = sum_g [ wbar_g (m'_g - m_g) + (w'_g - w_g) (mbar_g - Mbar) ]

    exactly. A group that is on one side only has its mean there on both. Returns nothing where the mean did not move.
    """
    total_before = sum(point.judged for point in before.values())
    total_after = sum(point.judged for point in after.values())
    if not total_before or not total_after:
        return []
    mean_before = sum(point.mean * point.judged for point in before.values()) / total_before
    mean_after = sum(point.mean * point.judged for point in after.values()) / total_after
    whole, middle = mean_after - mean_before, (mean_before + mean_after) / 2
    if abs(whole) < 1e-12:
        return []
    parts = []
    for group in [*before, *(group for group in after if group not in before)]:
        old, new = before.get(group), after.get(group)
        known = old or new
        assert known is not None  # noqa: S101 - the group comes from one of them
        m0, m1 = (old or known).mean, (new or known).mean
        w0 = old.judged / total_before if old else 0.0
        w1 = new.judged / total_after if new else 0.0
        delta = (w0 + w1) / 2 * (m1 - m0) + (w1 - w0) * ((m0 + m1) / 2 - middle)
        parts.append(Contribution(group=group, before=old, after=new, delta=delta, share=delta / whole))
    return sorted(parts, key=lambda part: -part.share)


def _newest(line: TrendLine) -> datetime:
    return line.points[-1].at
