"""The runs that a store holds, with their figures and their progress."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.views import Progress, View
from faithview.services.container import Services
from faithview.store.runs import revisions, runs, summaries
from faithview.store.runs.intake.marks import find_intake


def list_runs(
    services: Services,
    *,
    series: str | None = None,
    archived: bool | None = False,
    limit: int | None = None,
    offset: int = 0,
) -> list[Run]:
    """Return the runs of all series or of one, newest answers first; `archived` as for `count_runs`."""
    return runs.list_runs(services.db, now=_now(), series=series, archived=archived, limit=limit, offset=offset)


def count_runs(services: Services, *, series: str | None = None, archived: bool | None = False) -> int:
    """Return how many runs there are, in all or in one series.

    Args:
        services: the store's services.
        series: the series; None for all.
        archived: False counts the runs in use, True the archived ones (`store/runs/archive.py`), None both.
    """
    return runs.count_runs(services.db, series=series, archived=archived)


def get_run(services: Services, reference: str) -> Run:
    """Return the run with that id or unique name; raises NotFound."""
    return runs.get_run(services.db, reference, now=_now())


def list_summaries(
    services: Services,
    *,
    series: str | None = None,
    archived: bool | None = False,
    view: View = View.JUDGE,
    limit: int | None = None,
    offset: int = 0,
) -> list[RunSummary]:
    """Return the runs of all series or of one with their figures, newest answers first; `archived` as above."""
    listed = list_runs(services, series=series, archived=archived, limit=limit, offset=offset)
    return summarise_runs(services, listed, view=view)


def get_summary(services: Services, reference: str, *, view: View = View.JUDGE) -> RunSummary:
    """Return a run's figures, by its id or unique name; raises NotFound."""
    return summarise_runs(services, [get_run(services, reference)], view=view)[0]


def summarise_runs(services: Services, listed: Sequence[Run], *, view: View = View.JUDGE) -> list[RunSummary]:
    """Return the figures of runs, in the order given.

    The judge's figures are stored with the run; those under people's verdicts are cached until something changes.
    """
    if view is View.JUDGE:
        return summaries.summarise_runs(services.db, list(listed), view=view)
    states = revisions.list_revisions(services.db, [run.run_id for run in listed])

    def summarise(run: Run) -> RunSummary:
        return summaries.summarise_run(services.db, run, view=view)

    return [
        # The run's own state depends on the clock too, so the cached one is never used.
        replace(services.cache.get("summary", run.run_id, states.get(run.run_id), partial(summarise, run)), run=run)
        for run in listed
    ]


def delete_run(services: Services, reference: str) -> Run:
    """Delete a run, make the store smaller where much of it is free then, and return what it was; raises NotFound."""
    # Here, because most of those who list runs delete none.
    from faithview.store.retention import deleted_runs, freed_space

    run = get_run(services, reference)
    deleted_runs.delete_run(services.db, run.run_id)
    freed_space.give_space_back(services.db, now=_now())
    return run


def cancel_run(services: Services, reference: str) -> None:
    """Ask the run's worker to stop; judged rows stay and the run can be resumed. Raises NotFound."""
    runs.request_cancel(services.db, get_run(services, reference).run_id, now=_now())


def get_progress(services: Services, run_id: str) -> Progress:
    """Return how far a run has come; raises NotFound."""
    run = get_run(services, run_id)
    states = runs.count_states(services.db, run.run_id)
    total = sum(states.values())
    done = total - states.get(State.PENDING, 0)
    rate = done / run.seconds if run.seconds > 0 and done else None
    intake = find_intake(services.db, run.run_id)
    is_reading = intake is not None and intake.is_read_on(_now())
    return Progress(
        status=run.status,
        done=done,
        failed=states.get(State.FAILED, 0),
        total=total,
        rate=rate,
        seconds_left=(total - done) / rate if rate and run.status is RunStatus.RUNNING and not is_reading else None,
        error=run.error,
        usage=summaries.sum_usage(services.db, run.run_id),
        is_reading=is_reading,
    )


def _now() -> datetime:
    return datetime.now(UTC)
