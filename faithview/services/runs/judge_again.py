"""Judging the answers of a stored run with another judge, as a run of its own beside the first."""

from faithview.domain.run import JudgeSpec, Run
from faithview.services.container import Services
from faithview.services.results.run_edits import MAX_NAME
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.services.runs.create import RunRequest, check_judge, create_run, iterate_samples


def judge_again(
    services: Services, run: Run, judge: JudgeSpec, *, name: str | None = None, limits: Limits = NO_LIMITS
) -> Run:
    """Store a new run over the answers of a stored one, ready to be judged by another judge.

    It has the other run's series, time of answers, threshold and version of the knowledge base, so that the two are
    shown together and differ by their judge alone. The other run stays as it is.

    Args:
        services: the store's services.
        run: the run whose answers are judged again.
        judge: who judges them.
        name: what the new run is called; None names it after the run and the judge.
        limits: what the judge may spend; only checked here, for a judge that cannot keep them.

    Raises:
        InvalidInput: the name cannot be used, or the judge cannot keep the limits.
        JudgeUnavailable: the judge cannot be built, so nothing is stored.
    """
    check_judge(judge, limits=limits)
    suffix = f" ({judge.name})"
    request = RunRequest(
        name=name or run.name[: max(0, MAX_NAME - len(suffix))] + suffix,
        judge=judge,
        threshold=run.threshold,
        kb_version=run.kb_version,
        source=run.source,
        rows_left_out=run.rows_left_out,
        series=run.series,
        dataset=run.dataset.dataset if run.dataset else None,
        as_of=run.as_of,
    )
    return create_run(services, iterate_samples(services, run), request)
