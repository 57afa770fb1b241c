"""Which changes of a trend are significant, what lies between the two points, and whether a fall was made good.

Each point of a line is compared with the one before: on their pairs if the two runs share questions, otherwise by their
intervals. The newest is also compared with the mean of the five before, because a slow fall has no large step. P-values
are adjusted over all tests of a line (Holm 1979), or of all segments together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise

import pandas as pd

from faithview.domain.answer import View
from faithview.domain.event import Event
from faithview.domain.run import RunSummary
from faithview.domain.series import SHARED_QUESTIONS
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint
from faithview.services.comparison.compared_runs import SEGMENT_ALPHA
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.services.trends import run_point
from faithview.stats.decomposition import SegmentShare, leading_segments
from faithview.stats.intervals import ALPHA
from faithview.stats.multiple_tests import holm
from faithview.stats.pairing import pair_answers
from faithview.stats.trend_steps import (
    Estimate,
    StepTest,
    drift_test,
    independent_test,
    mean_of,
    noticeable_change,
    paired_test,
)
from faithview.store import revisions
from faithview.store.trends import ScoredRow, list_scored_rows

_DRIFT_POINTS = 5  # before the newest
_NEWS = 5  # points: an older fall without a later event is no longer news
_RECOVERED = 0.5  # the minimum share of the loss that a recovery makes up
_CAUSE_PAIRED = 0.8  # the minimum share of the answers that must be paired for an event to be named as the cause


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendStep(StepTest):
    """A change between two points of a line; `p_value` is for this change alone, `adjusted` for all tests.

    `delta` is the change of the score, in [-1, 1], on the pairs if there are any; negative for a fall. `pairs` counts
    the answers that both points have, None if the points are independent.
    """

    before: TrendPoint
    after: TrendPoint
    adjusted: float

    @property
    def is_real(self) -> bool:
        """Whether the change is significant at the 5% level, after adjustment for all tests."""
        return self.adjusted < ALPHA

    @property
    def middle(self) -> float:
        """The score at which half of the change is made good."""
        return self.before.mean + _RECOVERED * (self.after.mean - self.before.mean)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTests:
    """The results of a line's tests.

    `steps` are those that could be tested, oldest first, and `untested` counts the others. `drift` is the newest point
    against the mean of up to five before it, None if there are fewer than three points or too few questions.
    `noticeable` is the change that would be noticed 80% of the time between any two successive points; None if no step
    can be tested or no answer changed.
    """

    steps: tuple[TrendStep, ...]
    drift: TrendStep | None
    noticeable: float | None
    untested: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChange:
    """A significant change of a line, and what is known about it.

    `segment` is None if the whole moved. `is_drift` says that the newest point differs from the mean of those before,
    although no single step is significant. `recovery` is the first significant rise after a fall that made up at least
    half of it, None while there is none. `newest` is the line's newest point.

    `events_between` are the events between the two points. `event` is the cause, None if unknown: an event is named as
    the cause only if it is the only one, the two runs name different versions of the knowledge base, and at least 80%
    of the larger run's answers are paired. `recovery_event` is likewise the recovery's.

    `places` are the segments whose share of the change is larger than their share of the answers. `others` are changes
    of other segments between the same points. If the two runs share too few answers to be paired, `shared` counts these
    and `answers` those of the larger run; None otherwise.
    """

    step: TrendStep
    newest: TrendPoint
    segment: str | None = None
    is_drift: bool = False
    recovery: TrendStep | None = None
    event: Event | None = None
    recovery_event: Event | None = None
    events_between: tuple[Event, ...] = ()
    places: tuple[SegmentShare, ...] = ()
    others: tuple[tuple[str | None, TrendStep], ...] = ()
    shared: int | None = None
    answers: int | None = None

    @property
    def baseline_id(self) -> str:
        """The last run before the change; the first of those that a drift is measured against."""
        return self.step.before.run_ids[0 if self.is_drift else -1]

    @property
    def candidate_id(self) -> str:
        """The first run after the change."""
        return self.step.after.run_ids[0]

    @property
    def is_open_fall(self) -> bool:
        """Whether it is a fall of which the newest point has not made up half."""
        return self.step.delta < 0 and self.newest.mean < self.step.middle


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendFinding:
    """The finding on a trend: `line` is the main line by the judge's verdicts, None without any point.

    `level_change` is the first that exists of: the last fall of the whole line, its last rise, its drift, a change of a
    segment. It is None if nothing is significant. `tests` are the tests of the whole line.
    """

    line: TrendLine | None
    level_change: LevelChange | None
    tests: LineTests | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunPairs:
    """The answers that two runs share: `paired` of the larger run's `answers`, and their tests.

    `tests` and `sizes` are by the name of a segment, and under "" for all. `sizes` has for either run the number of
    answers with a score and of their questions. `places` are those of a significant change of all pairs.
    """

    paired: int
    answers: int
    tests: Mapping[str | None, StepTest | None]
    sizes: tuple[Mapping[str | None, tuple[int, int]], ...]
    places: tuple[SegmentShare, ...]

    @property
    def share_questions(self) -> bool:
        """Whether at least half of the larger run's answers are in both."""
        return self.paired > 0 and self.paired >= SHARED_QUESTIONS * self.answers


def summarise_trend(store: Store, whole: Trend, by_segment: Trend, events: Sequence[Event]) -> TrendFinding:
    """Return the finding on the main line, by the judge's verdicts.

    Args:
        store: the store, for the pairs of answers that steps are tested on.
        whole: the trend without groups.
        by_segment: the same by segment.
        events: the events, oldest first.
    """
    line, tests, change, segments = _find_changes(store, whole, by_segment, events)
    if change is None:
        # Open falls first, then falls, then the newest, then the largest.
        change = max(
            segments,
            key=lambda one: (one.is_open_fall, one.step.delta < 0, one.step.after.at, abs(one.step.delta)),
            default=None,
        )
    if change is not None and change.segment is not None:
        times = (change.step.before.at, change.step.after.at)
        others = [
            (other.segment, other.step)
            for other in segments
            if other is not change and (other.step.before.at, other.step.after.at) == times
        ]
        change = replace(change, others=tuple(others))
    return TrendFinding(line=line, level_change=change, tests=tests)


def list_regressions(store: Store, whole: Trend, by_segment: Trend, events: Sequence[Event]) -> list[LevelChange]:
    """Return the falls of the main line that are not made good, the segments' before the whole's.

    Only falls since the last event before the newest point, or within the last few points, are news; the whole is left
    out if most of its fall is in a segment that is returned for the same step.
    """
    line, _, change, segments = _find_changes(store, whole, by_segment, events)
    if line is None:
        return []
    past = [event.at for event in events if event.at <= line.points[-1].at]
    since = min([*past[-1:], line.points[max(0, len(line.points) - 1 - _NEWS)].at])
    falls = [one for one in segments if one.is_open_fall and one.step.after.at >= since]
    if change is not None and change.is_open_fall and change.step.after.at >= since:
        named = {one.segment for one in falls if one.step.after.at == change.step.after.at}
        if not any(place.segment in named and place.share_of_change >= _RECOVERED for place in change.places):
            falls.append(change)
    return falls


def find_step(store: Store, before: RunSummary, after: RunSummary) -> StepTest | None:
    """Return the test of the difference of two runs' scores by the judge, as in a trend; None if not testable."""
    first, second = (run_point(s.run, s.score, rows=s.rows, states=s.states) for s in (before, after))
    if first is None or second is None:
        return None
    return _Tester(store, [first, second]).step(first, second)


def line_tests(store: Store, lines: Sequence[TrendLine], *, with_drift: bool = False) -> list[LineTests]:
    """Return the tests of each line, by the judge's verdicts: Holm's adjustment is over the tests of all of them."""
    tester = _Tester(store, [point for line in lines for point in line.points])
    tried: list[tuple[int, bool, TrendPoint, TrendPoint, StepTest]] = []
    for number, line in enumerate(lines):
        pairs = [(False, *pair, tester.step(*pair, segment=_segment(line, ""))) for pair in pairwise(line.points)]
        if with_drift and len(line.points) > 2:
            pairs.append((True, *tester.drift(line)))
        tried += [
            (number, is_drift, before, after, test) for is_drift, before, after, test in pairs if test is not None
        ]
    steps = [
        (number, is_drift, TrendStep(before=before, after=after, adjusted=p, **asdict(test)))
        for (number, is_drift, before, after, test), p in zip(tried, holm([t.least_p for *_, t in tried]), strict=True)
    ]
    found: list[LineTests] = []
    for number, line in enumerate(lines):
        own = tuple(step for at, is_drift, step in steps if at == number and not is_drift)
        found.append(
            LineTests(
                steps=own,
                drift=next((step for at, is_drift, step in steps if at == number and is_drift), None),
                noticeable=noticeable_change([step.error for step in own], len(steps)),
                untested=len(line.points) - 1 - len(own),
            )
        )
    return found


def _segment(line: TrendLine, otherwise: str | None) -> str | None:
    """Return the segment of a line; `otherwise` for one that is not of a segment."""
    return line.group if line.grouping is Grouping.SEGMENT else otherwise


def _find_changes(
    store: Store, whole: Trend, by_segment: Trend, events: Sequence[Event]
) -> tuple[TrendLine | None, LineTests | None, LevelChange | None, list[LevelChange]]:
    """Return the main line with its tests, its last change, and the last change of each segment."""
    line = next(iter(whole.of_view(View.JUDGE)), None)
    if line is None:
        return None, None, None, []
    (tests,) = line_tests(store, [line], with_drift=True)
    tester = _Tester(store, line.points)
    change = _last_change(tester, line, [step for step in tests.steps if step.is_real], events)
    if change is None and tests.drift is not None and tests.drift.is_real:
        change = LevelChange(step=tests.drift, newest=line.points[-1], is_drift=True)
    segments = [
        own for own in by_segment.of_view(View.JUDGE) if own.fingerprint == line.fingerprint and own.group is not None
    ]
    changes = [
        _last_change(tester, own, [step for step in found.steps if step.adjusted < SEGMENT_ALPHA], events)
        for own, found in zip(segments, line_tests(store, segments), strict=True)
    ]
    return line, tests, change, [one for one in changes if one is not None]


def _last_change(
    tester: "_Tester", line: TrendLine, real: Sequence[TrendStep], events: Sequence[Event]
) -> LevelChange | None:
    """Return the last fall among a line's significant steps, or else the last rise, with what is known about it."""
    if not real:
        return None
    step = next((step for step in reversed(real) if step.delta < 0), real[-1])
    later = [other for other in real if other.after.at > step.after.at and other.after.mean >= step.middle]
    recovery = later[0] if later and step.delta < 0 else None
    pairs = tester.pairs(step.before, step.after)
    is_apart = pairs is not None and not pairs.share_questions
    segment = _segment(line, None)
    return LevelChange(
        step=step,
        newest=line.points[-1],
        segment=segment,
        recovery=recovery,
        event=tester.cause(step, events),
        recovery_event=None if recovery is None else tester.cause(recovery, events),
        events_between=tuple(_between(events, step)),
        places=pairs.places if pairs is not None and step.pairs is not None and segment is None else (),
        shared=pairs.paired if pairs is not None and is_apart else None,
        answers=pairs.answers if pairs is not None and is_apart else None,
    )


def _between(events: Sequence[Event], step: TrendStep) -> list[Event]:
    end = step.after.end or step.after.at
    return [event for event in events if step.before.at < event.at <= end]


def _estimate(point: TrendPoint) -> Estimate:
    questions = point.judged if point.questions is None else point.questions
    return Estimate(mean=point.mean, interval=point.interval, questions=questions)


class _Tester:
    """Compares points of lines; what two runs share is cached until one of them changes."""

    def __init__(self, store: Store, points: Iterable[TrendPoint]) -> None:
        self._store = store
        run_ids = dict.fromkeys(run_id for point in points for run_id in point.run_ids)
        self._revisions = revisions.list_revisions(store.db, list(run_ids))

    def step(self, before: TrendPoint, after: TrendPoint, *, segment: str | None = "") -> StepTest | None:
        """Compare two points: on pairs if each has all answers of one run and the runs share questions."""
        pairs = self.pairs(before, after)
        estimates = [_estimate(before), _estimate(after)]
        if pairs is not None:
            sizes = [own.get(segment, (0, 0)) for own in pairs.sizes]
            # A day, week or month may have only some of its run's answers.
            is_whole = all(p.end is None or p.judged == own for p, (own, _) in zip((before, after), sizes, strict=True))
            if pairs.share_questions and is_whole:
                return pairs.tests.get(segment)
            estimates = [replace(one, questions=number) for one, (_, number) in zip(estimates, sizes, strict=True)]
        return independent_test(*estimates)

    def drift(self, line: TrendLine) -> tuple[TrendPoint, TrendPoint, StepTest | None]:
        """Compare the newest point with the mean of up to five before it, which is returned as a point."""
        *earlier, newest = line.points[-_DRIFT_POINTS - 1 :]
        mean = mean_of([_estimate(point) for point in earlier])
        before = replace(
            earlier[0],
            mean=mean.mean,
            interval=mean.interval,
            judged=sum(p.judged for p in earlier),
            rows=sum(p.rows for p in earlier),
            end=earlier[-1].end,
            run_ids=tuple(run_id for p in earlier for run_id in p.run_ids),
            questions=mean.questions,
        )
        if all(p.end is None and len(p.run_ids) == 1 for p in (*earlier, newest)):
            ids = (*before.run_ids, *newest.run_ids)
            state = tuple(self._revisions.get(run_id) for run_id in ids)
            test, is_shared = self._store.pair_cache.get("drift", ids, state, partial(self._drift, ids))
            if is_shared:
                return before, newest, test
        return before, newest, independent_test(mean, _estimate(newest))

    def _drift(self, ids: Sequence[str]) -> tuple[StepTest | None, bool]:
        """Test the questions that all these runs share, if they are half of the newest one's."""
        rows = [_read(self._store, run_id).dropna(subset="score") for run_id in ids]
        shared = pd.concat([_mean_scores(own) for own in rows], axis=1, join="inner")
        is_shared = len(shared) > 0 and len(shared) >= SHARED_QUESTIONS * rows[-1]["cluster"].nunique()
        return (drift_test(shared.to_numpy()) if is_shared else None), is_shared

    def cause(self, step: TrendStep, events: Sequence[Event]) -> Event | None:
        """Return the event that made a step, None if that is not known."""
        between, pairs = _between(events, step), self.pairs(step.before, step.after)
        if len(between) != 1 or pairs is None or pairs.paired < _CAUSE_PAIRED * pairs.answers:
            return None
        before, after = (get_run(self._store, point.run_ids[0]).kb_version for point in (step.before, step.after))
        return between[0] if before is not None and after is not None and before != after else None

    def pairs(self, before: TrendPoint, after: TrendPoint) -> _RunPairs | None:
        """Return what two points of one run each share; None for other points and for deleted runs."""
        ids = (*before.run_ids, *after.run_ids)
        if len(ids) != 2 or not all(run_id in self._revisions for run_id in ids):
            return None
        state = tuple(self._revisions[run_id] for run_id in ids)
        return self._store.pair_cache.get("pairs", ids, state, partial(self._pair, ids))

    def _pair(self, ids: Sequence[str]) -> _RunPairs:
        before, after = (_read(self._store, run_id) for run_id in ids)
        matched, _ = pair_answers(list(before["identity"]), list(after["identity"]))
        left = before.iloc[[i for i, _, _ in matched]].add_suffix("_before").reset_index(drop=True)
        right = after.iloc[[j for _, j, _ in matched]].add_suffix("_after").reset_index(drop=True)
        pairs = pd.concat([left, right], axis=1)
        scored = pairs.dropna(subset=["score_before", "score_after"])
        segments = scored["segment_after"].fillna(scored["segment_before"])
        tests: dict[str | None, StepTest | None] = {"": _test(scored)}
        tests |= {str(name): _test(own) for name, own in scored.groupby(segments)}
        whole = tests[""]
        places: tuple[SegmentShare, ...] = ()
        if whole is not None and whole.p_value < ALPHA:
            names = [None if pd.isna(name) else str(name) for name in segments]
            change = (scored["score_after"] - scored["score_before"]).to_numpy()
            places = leading_segments(names, change, pd.factorize(scored["cluster_before"])[0])
        return _RunPairs(
            paired=len(pairs),
            answers=max(len(before), len(after)),
            tests=tests,
            sizes=(_sizes(before), _sizes(after)),
            places=places,
        )


def _read(store: Store, run_id: str) -> pd.DataFrame:
    rows = list_scored_rows(store.db, run_id, view=View.JUDGE)
    return pd.DataFrame(rows, columns=list(ScoredRow._fields))


def _mean_scores(rows: pd.DataFrame) -> pd.Series:
    """Return the mean score of each question; an answer without one is known by its id."""
    return rows.groupby([one.question or (one.key and f"id {one.key}") for one in rows["identity"]])["score"].mean()


def _test(pairs: pd.DataFrame) -> StepTest | None:
    before, after = (pairs[name].to_numpy(dtype=float) for name in ("score_before", "score_after"))
    return paired_test(before, after, pd.factorize(pairs["cluster_before"])[0])


def _sizes(rows: pd.DataFrame) -> dict[str | None, tuple[int, int]]:
    """Return the number of answers with a score and of their questions by segment, and under "" for all."""
    scored = rows.dropna(subset="score")
    parts = [("", scored), *scored.groupby("segment")]
    return {str(name): (len(own), own["cluster"].nunique()) for name, own in parts}
