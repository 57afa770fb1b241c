"""A run held against the one before the last event, to see what the event broke in it."""

from dataclasses import dataclass

from faithview.domain.errors import FaithViewError
from faithview.domain.event import Event
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.comparing import Comparison, compare_runs
from faithview.services.container import Services
from faithview.services.events import list_events


@dataclass(frozen=True, slots=True, kw_only=True)
class SinceEvent:
    """What changed since the last event before a run.

    `event` is None where there is none with a run before it. `comparison` is that of the run before the event with this
    one; it is None where the two cannot be compared, and `obstacle` says why in a sentence.
    """

    event: Event | None = None
    comparison: Comparison | None = None
    obstacle: str | None = None


def compare_since_event(services: Services, run: Run, *, view: View = View.JUDGE) -> SinceEvent:
    """Compare a run with the one before the last event that it shows.

    Runs of two judges are not compared: what differs between them may be the judges' doing.
    """
    past = [
        event
        for event in list_events(services)
        if event.at <= run.as_of and event.before_run_id is not None and event.before_run_id != run.run_id
    ]
    if not past:
        return SinceEvent(obstacle="No event lies between an earlier run and this one.")
    event = past[-1]
    try:
        before = services.get_run(str(event.before_run_id))
        if (before.fingerprint, before.judge.method) != (run.fingerprint, run.judge.method):
            return SinceEvent(event=event, obstacle=f"The run before it, {before.name!r}, is by another judge.")
        return SinceEvent(event=event, comparison=compare_runs(services, before.run_id, run.run_id, view=view))
    except FaithViewError as error:  # deleted meanwhile, or no answer in common
        return SinceEvent(event=event, obstacle=str(error))
