"""The default pair of runs to compare: the last significant step of a series, or the runs around an event."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.answer import View
from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.event import Event, EventKind
from faithview.domain.run import Run
from faithview.domain.series import has_trend
from faithview.services.comparison.baselines import find_pair, is_alike, is_comparable
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.events import list_events
from faithview.services.level_changes import line_tests
from faithview.services.results import get_run, list_runs
from faithview.services.trends import TrendQuery, load_trend


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultPair:
    """Two runs to compare; `is_step` says that the score changed significantly between them."""

    baseline: Run
    candidate: Run
    is_step: bool


def find_default_pair(store: Store, series: str | None) -> DefaultPair | None:
    """Return the runs around the last significant step of a series, or else its newest comparable runs.

    Steps are those of the main line, by the judge's verdicts: the pair does not change with labels. None if no two runs
    can be compared.
    """
    lines = load_trend(store, TrendQuery(series=series)).of_view(View.JUDGE)
    for tests in line_tests(store, lines[:1], with_drift=True):
        for step in reversed([step for step in tests.steps if step.is_real]):
            try:
                before, after = get_run(store, step.before.run_ids[-1]), get_run(store, step.after.run_ids[0])
            except NotFound:  # deleted meanwhile
                continue
            if is_comparable(store, after, before):
                return DefaultPair(baseline=before, candidate=after, is_step=True)
    newest = find_pair(store, series)
    return None if newest is None else DefaultPair(baseline=newest[0], candidate=newest[1], is_step=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SinceEvent:
    """The change since the last event before a run.

    `comparison` compares the last run before the `event` with this one. It is None if there is no such event, in which
    case `event` is None too, or if the two runs cannot be compared; `obstacle` is a sentence saying why.
    """

    event: Event | None = None
    comparison: Comparison | None = None
    obstacle: str | None = None


def compare_since_event(store: Store, run: Run) -> SinceEvent:
    """Compare a run with the last run of its series by the same judge and method before the last event.

    Runs by two judges are not compared, because the difference may be the judges'. For the same reason, alternating
    judges are not an event.
    """
    if not has_trend(run.series):
        return SinceEvent(obstacle="Answers that were checked one at a time have no earlier run.")
    past = [
        event
        for event in list_events(store, series=run.series)
        if event.at <= run.as_of and event.before_run_id is not None and event.before_run_id != run.run_id
    ]
    alike = [other for other in list_runs(store, series=run.series) if is_alike(run, other)]
    event = next((event for event in reversed(past) if not _is_alternation(event, alike)), None)
    if event is None:
        return SinceEvent(obstacle="There is no event between an earlier run and this one.")
    before = _newest(alike, event)
    try:
        if before is None:
            other = get_run(store, str(event.before_run_id))
            return SinceEvent(event=event, obstacle=f"The run before it, {other.name!r}, was judged by another judge.")
        return SinceEvent(event=event, comparison=compare_runs(store, before.run_id, run.run_id))
    except FaithViewError as error:  # a run was deleted, or the runs have no answer in common
        return SinceEvent(event=event, obstacle=str(error))


def _newest(runs: Sequence[Run], event: Event) -> Run | None:
    """Return the newest of these runs before the event, or None."""
    earlier = [run for run in runs if run.as_of < event.at]
    return max(earlier, key=lambda run: (run.as_of, run.created_at), default=None)


def _is_alternation(event: Event, alike: Sequence[Run]) -> bool:
    """Return whether the event is only a change back to the judge of these runs, which was also used before it."""
    return event.is_detected and event.kind is EventKind.JUDGE and _newest(alike, event) is not None
