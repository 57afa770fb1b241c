"""Judge the answers that live applications log, in rounds: draw, judge, raise alerts, remove old texts.

A round may be stopped or killed at any moment. Drawn answers are stored as pending rows in the same transaction that
marks the logged answers (`store/live.py`), and each judged row is stored separately (`services/runs`), so the next
round, in this process or another, continues where this one ended.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial

from faithview.domain.alert import Alert
from faithview.domain.errors import InvalidInput, NotFound, RunConflict, StoreError, StoreTooNew
from faithview.domain.live import DEFAULT_APPLICATION, KEEP_DAYS, Backlog, WindowLength
from faithview.domain.result import Result, Usage
from faithview.domain.retention import Retention
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.domain.scoring import DEFAULT_THRESHOLD, check_threshold
from faithview.judges.registry import create_judge
from faithview.logs import log_event
from faithview.services.container import Store
from faithview.services.judge_catalogue import to_build
from faithview.services.results import clean_name, get_run
from faithview.services.retention import RetentionPlan, apply_retention, plan_retention
from faithview.services.runs.budget import NO_LIMITS, Limits, check_limits
from faithview.services.runs.create import new_run_id
from faithview.services.runs.execute import judge_run
from faithview.store import live
from faithview.store.alerts import list_alerts

_log = logging.getLogger(__name__)

# How many logged answers one transaction decides on; other writers wait for it.
_DRAWN_AT_ONCE = 500
# The minimum time between two removals of skipped answers' texts.
_REMOVE_EVERY = timedelta(hours=1)
SOURCE = "faithview watch"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPlan:
    """The settings of a watch.

    Attributes:
        application: whose answers; None for all applications.
        judge: the judge with its options.
        rate: the share of answers to judge, in (0, 1].
        seed: the seed of the draw.
        length: the window length; each window becomes one run.
        threshold: as for runs.
        kb_version: the version of the knowledge base that the chunks come from.
        series: the series of the runs; None names it after the application.
        concurrency: how many answers are judged at a time.
        limits: the maximum that the watch may spend until it ends.
        keep_days: for how many days the texts of skipped answers are kept; None keeps them forever.
        retention: how long texts of all applications and runs are kept; None keeps them forever.
    """

    application: str | None = None
    judge: JudgeSpec = field(default_factory=JudgeSpec)
    rate: float = 1.0
    seed: int = 0
    length: WindowLength = WindowLength.DAY
    threshold: float = DEFAULT_THRESHOLD
    kb_version: str | None = None
    series: str | None = None
    concurrency: int = 8
    limits: Limits = NO_LIMITS
    keep_days: int | None = KEEP_DAYS
    retention: Retention | None = None


@dataclass(slots=True, kw_only=True)
class Round:
    """What one round did, or several together.

    `taken` and `skipped` count the logged answers that it decided on, `judged` the answers that it judged, including
    those taken earlier, and `failed` those of them that could not be judged. `calls` and `cost_usd` are what they
    took. `run_ids` are the runs that it judged, `alerts` the new alerts, and `busy` the runs that another process
    judges. `texts_removed` counts skipped answers whose texts were removed, and `retained` says what the rule for old
    texts deleted. `is_spent` says that the limits are reached, and `backlogs` counts what still waits.
    """

    taken: int = 0
    skipped: int = 0
    judged: int = 0
    failed: int = 0
    calls: int = 0
    cost_usd: float = 0.0
    run_ids: list[str] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)
    busy: list[str] = field(default_factory=list)
    texts_removed: int = 0
    retained: list[RetentionPlan] = field(default_factory=list)
    is_spent: bool = False
    backlogs: list[Backlog] = field(default_factory=list)

    def count(self, _position: int, result: Result) -> None:
        """Count a row that was judged and stored."""
        self.judged += 1
        self.failed += result.error is not None
        self.calls += result.usage.llm_calls
        self.cost_usd += result.usage.cost_usd or 0.0

    def add(self, later: "Round") -> None:
        """Add a later round; what is busy and what waits is as after that one."""
        for name in ("taken", "skipped", "judged", "failed", "calls", "cost_usd", "texts_removed"):
            setattr(self, name, getattr(self, name) + getattr(later, name))
        self.run_ids += [run_id for run_id in later.run_ids if run_id not in self.run_ids]
        self.alerts += later.alerts
        self.retained += later.retained
        self.busy, self.is_spent, self.backlogs = later.busy, later.is_spent, later.backlogs


def series_of(plan: WatchPlan, application: str) -> str:
    """Return the series of the application's runs."""
    if plan.series is not None:
        return clean_name(plan.series, whose="series")
    name = "Live answers" if application == DEFAULT_APPLICATION else f"{application}: live answers"
    return clean_name(name, whose="series")


def check_plan(plan: WatchPlan) -> str:
    """Return the fingerprint of the plan's judge.

    Raises:
        InvalidInput: the rate, the threshold, a name or the limits cannot be used.
        JudgeUnavailable: the judge cannot be built.
    """
    if not 0 < plan.rate <= 1:
        raise InvalidInput(f"The share to judge must be more than 0 and at most 1, not {plan.rate}; 0.05 is 5%.")
    check_threshold(plan.threshold)
    if plan.keep_days is not None and plan.keep_days < 0:
        raise InvalidInput(f"Texts can be kept for 0 days or more, not {plan.keep_days}.")
    series_of(plan, plan.application or DEFAULT_APPLICATION)
    judge = create_judge(to_build(plan.judge, concurrency=plan.concurrency))
    check_limits(judge, plan.limits)
    return judge.fingerprint


class Watch:
    """Rounds over one store by one plan. Cancel its task to stop it: answers under way stay pending for the next watch.

    `done` is the round in progress, or the last one.
    """

    def __init__(self, store: Store, plan: WatchPlan) -> None:
        """Check the plan; raises as `check_plan`."""
        self._store = store
        self._plan = plan
        self._fingerprint = check_plan(plan)
        self.judging = json.dumps([self._fingerprint, plan.threshold, plan.kb_version, plan.series])
        self._limits = plan.limits
        self._removed_at: datetime | None = None
        self.done = Round()

    async def run(self, *, every_s: float | None, on_round: Callable[[Round], None]) -> None:
        """Run rounds until the limits are spent, with `every_s` seconds between two; None runs one.

        If the store cannot be reached for a while, the next round tries again. A round that is cancelled or that an
        error ends is told, too.
        """
        while True:
            try:
                await self.round()
            except StoreError as error:
                if every_s is None or isinstance(error, StoreTooNew):
                    raise
                _log.warning("The watch could not use the store and will retry: %s", error)
            finally:
                done = self.done
                log_event(
                    _log, "watch.round", taken=done.taken, skipped=done.skipped, judged=done.judged, failed=done.failed
                )
                on_round(done)
            if every_s is None or done.is_spent:
                return
            await asyncio.sleep(every_s)

    async def round(self) -> Round:
        """Draw from the new answers, judge those drawn, and remove old texts.

        Raises:
            StoreError: the store cannot be used. What was done until then is in `done`, without its runs, whose figures
                cannot be read; no later round raises its alerts again.
        """
        self.done = done = Round()
        application = self._plan.application
        try:
            before = await asyncio.to_thread(live.list_backlogs, self._store.db, application=application)
            for backlog in before:
                await self._draw(backlog, done)
            for backlog in before:
                await self._judge(backlog.application, done)
            await asyncio.to_thread(self._remove_old, done)
            done.backlogs = await asyncio.to_thread(live.list_backlogs, self._store.db, application=application)
        except StoreError:
            done.run_ids.clear()
            raise
        return done

    async def _draw(self, backlog: Backlog, done: Round) -> None:
        """Decide on the answers that waited when the round began; newer ones wait for the next round."""
        plan, application, left = self._plan, backlog.application, backlog.waiting
        while left > 0:
            taken, skipped = await asyncio.to_thread(
                live.draw_waiting,
                self._store.db,
                application,
                rate=plan.rate,
                seed=plan.seed,
                length=plan.length,
                judging=self.judging,
                limit=min(left, _DRAWN_AT_ONCE),
                new_run=partial(self.new_run, application),
            )
            if not taken + skipped:  # another watch took them first
                return
            done.taken += taken
            done.skipped += skipped
            left -= taken + skipped

    def new_run(self, application: str, start: datetime) -> Run:
        """Return the run of the application's window that starts then."""
        plan, now = self._plan, datetime.now(UTC)
        moment = f"{start:%Y-%m-%d %H:%M}" if plan.length is WindowLength.HOUR else f"{start:%Y-%m-%d}"
        return Run(
            run_id=new_run_id(),
            name=f"{'live' if application == DEFAULT_APPLICATION else application} {moment}",
            status=RunStatus.PENDING,
            judge=plan.judge,
            fingerprint=self._fingerprint,
            threshold=plan.threshold,
            kb_version=plan.kb_version,
            source=SOURCE,
            created_at=now,
            as_of=now,
            series=series_of(plan, application),
        )

    async def _judge(self, application: str, done: Round) -> None:
        """Judge the application's pending rows until the limits are reached."""
        for run_id in await asyncio.to_thread(
            live.list_unfinished, self._store.db, application=application, judging=self.judging
        ):
            if done.is_spent:
                return
            try:
                await self._judge_run(run_id, done)
            except NotFound:
                _log.info("Run %s was deleted while the watch judged it.", run_id)
            except RunConflict:
                done.busy.append(run_id)

    async def _judge_run(self, run_id: str, done: Round) -> None:
        known = {alert.alert_id for alert in list_alerts(self._store.db, run_id=run_id)}
        calls, cost = done.calls, done.cost_usd
        try:
            status = await judge_run(
                self._store.db,
                get_run(self._store, run_id),
                concurrency=self._plan.concurrency,
                limits=self._limits,
                on_judged=done.count,
            )
        finally:
            self._limits = self._limits.less(Usage(llm_calls=done.calls - calls, cost_usd=done.cost_usd - cost))
        done.run_ids.append(run_id)
        done.alerts += [alert for alert in list_alerts(self._store.db, run_id=run_id) if alert.alert_id not in known]
        # A run that a user cancelled has no reason.
        done.is_spent = status is RunStatus.CANCELLED and bool(get_run(self._store, run_id).error)

    def _remove_old(self, done: Round) -> None:
        """Remove the texts of skipped answers, and apply the rule for old texts, if it is time to."""
        now, plan = datetime.now(UTC), self._plan
        if self._removed_at is not None and now - self._removed_at < _REMOVE_EVERY:
            return
        if plan.keep_days is not None:
            before = now - timedelta(days=plan.keep_days)
            done.texts_removed = live.remove_texts(self._store.db, before=before, application=plan.application)
        if plan.retention is not None:
            done.retained.append(apply_retention(self._store, plan_retention(self._store, plan.retention, now=now)))
        self._removed_at = now  # if the store failed, the next round tries again
