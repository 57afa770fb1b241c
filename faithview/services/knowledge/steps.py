"""Where one version of the knowledge base follows another: the runs before and after."""

from dataclasses import dataclass

from faithview.domain.event import Event, EventKind
from faithview.domain.run import Run, RunStatus
from faithview.domain.series import has_trend
from faithview.services.comparison.baselines import is_alike
from faithview.services.container import Services
from faithview.services.results.runs import list_runs
from faithview.services.trends.events import list_events

__all__ = ["KnowledgeStep", "find_runs_of_versions", "list_steps"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStep:
    """An update of the knowledge base, with the last run before it and the first one after it."""

    event: Event
    baseline: Run
    candidate: Run


def list_steps(services: Services, *, series: str | None) -> list[KnowledgeStep]:
    """Return the updates of a series that have a run on both sides, the newest first."""
    runs = {run.run_id: run for run in list_runs(services, series=series)}
    return [
        KnowledgeStep(event=event, baseline=runs[event.before_run_id], candidate=runs[event.after_run_id])
        for event in reversed(list_events(services, series=series))
        if event.kind is EventKind.KNOWLEDGE_BASE and event.before_run_id in runs and event.after_run_id in runs
    ]


def find_runs_of_versions(services: Services, before: str, after: str) -> tuple[Run, Run] | None:
    """Return the runs over two versions that are closest in time, the newest such pair; None where there is none.

    They are complete runs of one series by the same judge and method, that over the newer version being the later one.
    """
    runs = [
        run
        for run in list_runs(services)
        if run.status is RunStatus.COMPLETE and run.repeat_of is None and has_trend(run.series)
    ]
    pairs = [
        (first, second)
        for second in runs
        if second.kb_version == after
        for first in runs
        if first.kb_version == before
        and first.series == second.series
        and first.as_of <= second.as_of
        and is_alike(second, first)
        and first.texts_deleted_at is None
        and second.texts_deleted_at is None
    ]
    return min(pairs, key=lambda pair: (pair[1].as_of - pair[0].as_of, -pair[1].as_of.timestamp()), default=None)
