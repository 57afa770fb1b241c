"""Compare a run with the last one before an event, to see what the event broke."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.errors import FaithViewError
from faithview.domain.event import Event, EventKind
from faithview.domain.run import Run
from faithview.domain.series import has_trend
from faithview.domain.views import View
from faithview.services.comparison.baselines import is_alike
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.comparison import Comparison
from faithview.services.container import Services
from faithview.services.results.runs import get_run, list_runs
from faithview.services.trends.events import list_events

__all__ = ["SinceEvent", "compare_since_event"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SinceEvent:
    """What changed since the last event before a run.

    `comparison` compares the last run before the `event` with this one. It is None where there is no such event, and
    then `event` is None too, or where the two runs cannot be compared; `obstacle` says why in a sentence.
    """

    event: Event | None = None
    comparison: Comparison | None = None
    obstacle: str | None = None


def compare_since_event(services: Services, run: Run, *, view: View = View.JUDGE) -> SinceEvent:
    """Compare a run with the last run of its series by the same judge and method before the last event.

    Runs by two judges are not compared, because the difference may be the judges'. Alternating judges are therefore no
    event either.
    """
    if not has_trend(run.series):
        return SinceEvent(obstacle="Answers that were checked one at a time have no earlier run.")
    past = [
        event
        for event in list_events(services, series=run.series)
        if event.at <= run.as_of and event.before_run_id is not None and event.before_run_id != run.run_id
    ]
    alike = [other for other in list_runs(services, series=run.series) if is_alike(run, other)]
    event = next((event for event in reversed(past) if not _is_alternation(event, alike)), None)
    if event is None:
        return SinceEvent(obstacle="No event lies between an earlier run and this one.")
    before = _newest(alike, event)
    try:
        if before is None:
            other = get_run(services, str(event.before_run_id))
            return SinceEvent(event=event, obstacle=f"The run before it, {other.name!r}, is by another judge.")
        return SinceEvent(event=event, comparison=compare_runs(services, before.run_id, run.run_id, view=view))
    except FaithViewError as error:  # a run was deleted meanwhile, or the runs have no answer in common
        return SinceEvent(event=event, obstacle=str(error))


def _newest(runs: Sequence[Run], event: Event) -> Run | None:
    """Return the newest of these runs before the event; None where there is none."""
    earlier = [run for run in runs if run.as_of < event.at]
    return max(earlier, key=lambda run: (run.as_of, run.created_at), default=None)


def _is_alternation(event: Event, alike: Sequence[Run]) -> bool:
    """Return whether the event is only a change back to the judge of these runs, which had judged before it too."""
    return event.is_detected and event.kind is EventKind.JUDGE and _newest(alike, event) is not None
