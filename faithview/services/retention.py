"""Preview and apply a rule that deletes old runs and logged texts."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.retention import OldRun, Retention
from faithview.services.container import Store
from faithview.store import retention


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPlan:
    """What a rule deletes at a given moment.

    Attributes:
        rule: the rule.
        before: runs and logged answers stored before this time are old.
        runs: the runs to delete, the oldest first.
        spared: runs that are kept for their open spot-checks.
        busy: runs that are kept because they are being judged or their file is being read.
        logged: how many logged answers lose their texts.
    """

    rule: Retention
    before: datetime
    runs: tuple[OldRun, ...]
    spared: tuple[OldRun, ...]
    busy: tuple[OldRun, ...]
    logged: int

    @property
    def answers(self) -> int:
        """How many answers the deleted runs have."""
        return sum(run.answers for run in self.runs)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is deleted."""
        return not self.runs and not self.logged


def plan_retention(store: Store, rule: Retention, *, now: datetime | None = None) -> RetentionPlan:
    """Return what the rule deletes now, without deleting it; raises InvalidInput unless its age is positive."""
    if not rule.keep_days > 0:
        raise InvalidInput("The retention must be more than 0 days; to delete everything, delete the store.")
    now = now or datetime.now(UTC)
    return _plan(store, rule, before=now - timedelta(days=rule.keep_days), now=now)


def _plan(store: Store, rule: Retention, *, before: datetime, now: datetime) -> RetentionPlan:
    old = retention.list_old_runs(store.db, before=before, now=now)
    idle = [run for run in old if not run.is_busy]
    return RetentionPlan(
        rule=rule,
        before=before,
        runs=tuple(run for run in idle if rule.force or not run.open_checks),
        spared=tuple(run for run in idle if run.open_checks and not rule.force),
        busy=tuple(run for run in old if run.is_busy),
        logged=retention.count_old_logged(store.db, before=before),
    )


def apply_retention(store: Store, plan: RetentionPlan) -> RetentionPlan:
    """Delete what a plan names, run by run, and return what was deleted.

    Runs that were deleted, are being judged or have an open spot-check by now are left out. If the process dies, each
    run is deleted completely or not at all, and the next call deletes the others.
    """
    still = _plan(store, plan.rule, before=plan.before, now=datetime.now(UTC)).runs
    deleted = []
    for run in plan.runs:
        if run.run_id in {one.run_id for one in still}:
            with suppress(NotFound):
                retention.delete_run(store.db, run.run_id, why="retention")
                deleted.append(run)
    logged = retention.delete_logged_texts(store.db, before=plan.before) if plan.logged else 0
    store.db.empty_log()  # also if nothing is deleted: it removes leftovers of killed backups
    if deleted or logged:
        retention.give_space_back(store.db, now=datetime.now(UTC))
    return replace(plan, runs=tuple(deleted), logged=logged)
