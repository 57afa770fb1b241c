"""What a rule for old texts would delete, and deleting it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.retention import OldRun, Retention
from faithview.services.container import Store
from faithview.store import retention


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPlan:
    """What a rule deletes at a moment.

    Attributes:
        rule: the rule.
        before: runs and logged answers that were stored before then are old.
        runs: the runs that are deleted, or only their texts where the rule keeps scores; the oldest first.
        spared: runs that are kept for their open spot-checks.
        busy: runs that are kept because they are being judged, or their file being read.
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
        """How many answers the runs have that are deleted."""
        return sum(run.answers for run in self.runs)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is deleted."""
        return not self.runs and not self.logged


def plan_retention(store: Store, rule: Retention, *, now: datetime | None = None) -> RetentionPlan:
    """Return what the rule deletes now, without deleting it; raises InvalidInput for a time that is not past."""
    now = now or datetime.now(UTC)
    if not rule.keep_days > 0:
        raise InvalidInput("Texts can be kept for more than 0 days; to delete everything, delete the store.")
    before = now - timedelta(days=rule.keep_days)
    old = retention.list_old_runs(store.db, before=before, now=now, keep_scores=rule.keep_scores)
    return RetentionPlan(
        rule=rule,
        before=before,
        runs=tuple(run for run in old if _may_go(run, rule)),
        spared=tuple(run for run in old if not run.is_busy and run.open_checks and not rule.force),
        busy=tuple(run for run in old if run.is_busy),
        logged=retention.count_old_logged(store.db, before=before),
    )


def apply_retention(store: Store, plan: RetentionPlan) -> RetentionPlan:
    """Delete what a plan says, run by run, and return what was deleted.

    A run that is gone by now is left out, and so is one that is being judged or has an open spot-check since. A process
    that dies has deleted some of the runs and none by half; the next one deletes the others.
    """
    old = retention.list_old_runs(
        store.db, before=plan.before, now=datetime.now(UTC), keep_scores=plan.rule.keep_scores
    )
    still = {run.run_id for run in old if _may_go(run, plan.rule)}
    planned = [run for run in plan.runs if run.run_id in still]
    deleted = [run for run in planned if _delete(store, run, keep_scores=plan.rule.keep_scores)]
    logged = retention.delete_logged_texts(store.db, before=plan.before) if plan.logged else 0
    store.db.empty_log()  # where nothing is deleted, too: it removes what killed backups have left
    if deleted or logged:
        retention.give_space_back(store.db, now=datetime.now(UTC))
    return RetentionPlan(
        rule=plan.rule, before=plan.before, runs=tuple(deleted), spared=plan.spared, busy=plan.busy, logged=logged
    )


def _may_go(run: OldRun, rule: Retention) -> bool:
    return not run.is_busy and (rule.force or not run.open_checks)


def _delete(store: Store, run: OldRun, *, keep_scores: bool) -> bool:
    if keep_scores:
        return retention.delete_run_texts(store.db, run.run_id, now=datetime.now(UTC))
    try:
        retention.delete_run(store.db, run.run_id, why="retention")
    except NotFound:
        return False
    return True
