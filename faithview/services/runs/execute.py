"""A run from start to end: claim, judge, finish and resume it. `judge_rows` judges and stores its rows.

The command line, the dashboard's worker and the Python API all use this module. `services.results.cancel_run` requests
a stop, which `judge_rows` notices as it stores results.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic

from faithview.domain.errors import FaithViewError, NotFound, RunConflict, StoreError
from faithview.domain.run import POLL_S, Run, RunStatus
from faithview.judges.base import Judge
from faithview.judges.registry import create_judge
from faithview.logs import log_event
from faithview.services.alerts import evaluate_alerts
from faithview.services.container import Store
from faithview.services.judge_catalogue import answers_at_a_time, to_build
from faithview.services.results import get_run
from faithview.services.runs.batches import judge_by_batches
from faithview.services.runs.budget import NO_LIMITS, Limits, Spent, check_limits
from faithview.services.runs.cluster import Cluster, check_cluster, judge_on_cluster
from faithview.services.runs.intake import end_work, is_gone, process_token, release_if_dead
from faithview.services.runs.judge_rows import OnJudged, Save, judge_rows, store_while_judging
from faithview.store import alerts, runs, summaries
from faithview.store.database import Database
from faithview.store.reviews import apply_earlier_labels
from faithview.store.runs import LEASE

_log = logging.getLogger(__name__)


async def judge_run(
    db: Database,
    run: Run,
    *,
    concurrency: int = 8,
    limits: Limits = NO_LIMITS,
    poll_s: float = POLL_S,
    cluster: Cluster | None = None,
    on_judged: OnJudged | None = None,
) -> RunStatus:
    """Judge every pending row of the run and store each as soon as it is judged; other rows are unchanged.

    If something ends this early (cancel, an error, a kill), call it again: rows are independent and judged ones are
    committed, so the run ends with the same result.

    Args:
        db: the store.
        run: the run, with all its rows stored.
        concurrency: how many answers to judge at a time, at least 1; on a cluster, per judge.
        limits: the budget of this call; not for runs judged by batches.
        poll_s: seconds between two polls of a batch.
        cluster: the Ray cluster that judges; None is this process. Not for runs with limits or judged by batches.
        on_judged: called with (position, result) after the row was stored.

    Returns:
        COMPLETE, or CANCELLED if a user cancelled the run or the limits were reached; the run's error text says which.

    Raises:
        JudgeUnavailable: the judge cannot be built, or the cluster cannot be used; the run is unchanged.
        InvalidInput: the judge or the cluster does not support the limits; the run is unchanged.
        RunConflict: another process judges the run, its rows are not all stored, or the judge is not the one that the
            run was started with.
    """
    release_if_dead(db, run.run_id)
    runs.check_whole(db, run.run_id, now=_now())
    is_by_batches = runs.find_batch_state(db, run.run_id) is not None
    spent, worker = Spent(limits), process_token()
    judge = create_judge(to_build(run.judge, concurrency=concurrency))
    try:
        _check_fingerprint(run, judge)
        check_limits(judge, limits)
        if cluster is not None:
            check_cluster(cluster, limits=limits, by_batches=is_by_batches)
        await asyncio.to_thread(_check_left_over, db)
        runs.take_run(db, run.run_id, worker=worker, now=_now())
    except BaseException:
        await judge.aclose()
        raise
    start = monotonic()
    log_event(_log, "run.started", run_id=run.run_id, judge=run.judge.name, concurrency=concurrency)

    async def judge_all(save: Save) -> None:
        if cluster is not None:
            await judge_on_cluster(db, run, cluster, save, concurrency=concurrency)
        elif is_by_batches:
            await judge_by_batches(db, run, judge, save, poll_s=poll_s)
        else:
            at_a_time = answers_at_a_time(run.judge, concurrency)
            await judge_rows(db, run, judge, save, concurrency=at_a_time, spent=spent)
        if spent.reason is None:
            # Before the run is marked complete: if the process ends here, the next `resume` applies the labels.
            await asyncio.to_thread(apply_earlier_labels, db, run.run_id)

    try:
        goes_on = await store_while_judging(db, run.run_id, judge_all, worker=worker, on_judged=on_judged)
        status = _store_end(db, run, worker=worker, goes_on=goes_on, reason=spent.reason)
    except asyncio.CancelledError:
        # Ctrl-C or shutdown: release the run immediately, so it shows as interrupted and can be resumed.
        end_work(worker)
        runs.release_dead_worker(db, run.run_id, worker=worker)
        log_event(_log, "run.interrupted", run_id=run.run_id)
        raise
    except RunConflict:
        raise
    except Exception as error:
        _store_failure(db, run.run_id, error, worker=worker)
        raise
    finally:
        await judge.aclose()
    log_event(_log, "run.ended", run_id=run.run_id, status=status.value, seconds=round(monotonic() - start, 3))
    await _follow_up(db, run, status, worker=worker)
    return status


def _check_fingerprint(run: Run, judge: Judge) -> None:
    if judge.fingerprint != run.fingerprint:
        raise RunConflict(
            f"Run {run.run_id} was started with judge {run.fingerprint}, but the judge is now {judge.fingerprint}; "
            "one run cannot mix both. Judge the file again as a new run, or go back to that judge."
        )


def _store_end(db: Database, run: Run, *, worker: str, goes_on: bool, reason: str | None) -> RunStatus:
    """Store how the run ended, and return it; `reason` says why it stopped if no user cancelled it."""
    if goes_on and reason is None:
        alerts.complete_run(db, run.run_id, worker=worker, now=_now())
        return RunStatus.COMPLETE
    runs.finish_run(db, run.run_id, worker=worker, status=RunStatus.CANCELLED, now=_now(), error=reason)
    return RunStatus.CANCELLED


def _store_failure(db: Database, run_id: str, error: Exception, *, worker: str) -> None:
    log_event(_log, "run.failed", run_id=run_id, error=type(error).__name__)
    text = str(error) if isinstance(error, FaithViewError) else f"{type(error).__name__}: {error}"
    end_work(worker)
    with suppress(Exception):  # the store may be the cause; the first error matters
        runs.finish_run(db, run_id, worker=worker, status=RunStatus.FAILED, now=_now(), error=text)


async def _follow_up(db: Database, run: Run, status: RunStatus, *, worker: str) -> None:
    """Store the summary of a run that has ended, and check a complete run for alerts.

    Raises:
        StoreError: the store failed; for a complete run the message says that all its answers are stored.
    """
    try:
        summaries.keep_summary(db, run)
        if status is RunStatus.COMPLETE:
            # In a thread: a slow webhook must not block the loop.
            await asyncio.to_thread(_check_alerts, db, run.run_id, worker=worker)
    except BaseException as error:
        end_work(worker)  # the next run judged here checks it
        if status is RunStatus.COMPLETE and type(error) is StoreError:  # other kinds have their own message
            raise StoreError(
                f"Run {run.run_id} is judged and stored, but its alerts were not checked: {error} The next run that is "
                "judged on this store checks them."
            ) from error
        raise


def _check_alerts(db: Database, run_id: str, *, worker: str) -> None:
    store = Store(db)
    with suppress(NotFound):  # deleted meanwhile
        evaluate_alerts(store, get_run(store, run_id))
    alerts.note_checked(db, run_id, worker=worker)


def _check_left_over(db: Database) -> None:
    """Check the complete runs whose process ended before it checked them for alerts."""
    for left in alerts.list_unchecked(db):
        if is_gone(left.worker) or left.finished_at < _now() - LEASE:
            _check_alerts(db, left.run_id, worker=left.worker)


def _now() -> datetime:
    return datetime.now(UTC)
