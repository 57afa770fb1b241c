"""Judge the answers that live applications log, in rounds: draw, judge, raise alerts, remove old texts.

A round may be stopped or killed at any moment. Drawn answers are stored as pending rows in the same transaction that
marks the logged answers (`store/live.py`), and each judged row is stored separately (`services/runs`), so the next
round, in this process or another, continues where this one ended.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from faithview.domain.alert import Alert
from faithview.domain.errors import InvalidInput, NotFound, RunConflict, StoreError, StoreTooNew
from faithview.domain.live import DEFAULT_APPLICATION, KEEP_DAYS, Backlog, WindowLength
from faithview.domain.result import Result, Usage
from faithview.domain.retention import Retention
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.domain.scoring import DEFAULT_THRESHOLD, check_threshold
from faithview.judges.registry import create_judge
from faithview.logs import log_event
from faithview.services.alerts import evaluate_alerts
from faithview.services.container import Store
from faithview.services.judge_catalogue import to_build
from faithview.services.results import get_run
from faithview.services.retention import RetentionPlan, apply_retention, plan_retention
from faithview.services.runs.budget import NO_LIMITS, Limits, check_limits
from faithview.services.runs.create import new_run_id
from faithview.services.runs.execute import judge_run
from faithview.services.series import clean_series_name
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The result of one round.

    `taken` and `skipped` count the logged answers that it decided on, `judged` the answers that it judged, including
    those taken earlier, and `failed` those of them that could not be judged. `run_ids` are the runs that it judged,
    `alerts` the new alerts, and `busy` the runs that another process judges. `texts_removed` counts skipped answers
    whose texts were removed, and `retained` says what the rule for old texts deleted, None without a rule or before its
    next run. `is_spent` says that the limits are reached, and `backlogs` counts what still waits.
    """

    taken: int
    skipped: int
    judged: int
    failed: int
    run_ids: tuple[str, ...]
    alerts: tuple[Alert, ...]
    busy: tuple[str, ...]
    texts_removed: int
    is_spent: bool
    backlogs: tuple[Backlog, ...]
    retained: RetentionPlan | None = None


def series_of(plan: WatchPlan, application: str) -> str:
    """Return the series of the application's runs."""
    if plan.series is not None:
        return clean_series_name(plan.series)
    return clean_series_name("Live answers" if application == DEFAULT_APPLICATION else f"{application}: live answers")


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
    """Rounds over one store by one plan. `stop` may be called from a signal handler of the event loop."""

    def __init__(self, store: Store, plan: WatchPlan) -> None:
        """Check the plan; raises as `check_plan`."""
        self._store = store
        self._plan = plan
        self._fingerprint = check_plan(plan)
        self._judging = json.dumps([self._fingerprint, plan.threshold, plan.kb_version, plan.series])
        self._limits = plan.limits
        self._is_stopped = False
        self._wakes: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._removed_at: datetime | None = None
        self._tally = _Tally()

    def stop(self) -> None:
        """End the watch: answers under way stay pending, and the next watch judges them."""
        self._is_stopped = True
        if self._wakes is not None:
            self._wakes[1].set()

    @property
    def is_stopped(self) -> bool:
        """Whether it was asked to end."""
        return self._is_stopped

    def _stopping(self) -> asyncio.Event:
        """Return an event of the running loop that `stop` sets."""
        loop = asyncio.get_running_loop()
        if self._wakes is None or self._wakes[0] is not loop:
            self._wakes = (loop, asyncio.Event())
            if self._is_stopped:
                self._wakes[1].set()
        return self._wakes[1]

    async def run(self, *, every_s: float, on_round: Callable[[Round], None]) -> None:
        """Run rounds until it is stopped or the limits are spent, with `every_s` seconds between two rounds.

        If the store cannot be reached for a while, the next round tries again.
        """
        while not self.is_stopped:
            try:
                done = await self.round()
            except StoreTooNew:
                raise
            except StoreError as error:
                _log.warning("The watch could not use the store and will retry: %s", error)
                if (cut_short := self.cut_short()) is not None:
                    on_round(cut_short)
            else:
                log_event(
                    _log, "watch.round", taken=done.taken, skipped=done.skipped, judged=done.judged, failed=done.failed
                )
                on_round(done)
                if done.is_spent:
                    return
            with suppress(TimeoutError):
                async with asyncio.timeout(every_s):
                    await self._stopping().wait()

    async def round(self) -> Round:
        """Draw from the new answers, judge those drawn, close windows that are over, and remove old texts."""
        self._tally = tally = _Tally()
        before = await asyncio.to_thread(live.list_backlogs, self._store.db, application=self._plan.application)
        for backlog in before:
            await self._draw(backlog, tally)
        is_spent = False
        for backlog in before:
            is_spent = is_spent or not await self._judge(backlog.application, tally)
            await asyncio.to_thread(self._close, backlog.application, tally)
        texts_removed, retained = await asyncio.to_thread(self._remove_old)
        return Round(
            taken=tally.taken,
            skipped=tally.skipped,
            judged=tally.judged,
            failed=tally.failed,
            run_ids=tuple(tally.run_ids),
            alerts=tuple(tally.alerts),
            busy=tuple(tally.busy),
            texts_removed=texts_removed,
            retained=retained,
            is_spent=is_spent,
            backlogs=tuple(
                await asyncio.to_thread(live.list_backlogs, self._store.db, application=self._plan.application)
            ),
        )

    def cut_short(self) -> Round | None:
        """Return the result of a last round that a store error ended, without its runs; None if it did nothing.

        The next round does not raise the same alerts again.
        """
        tally = self._tally
        if not (tally.taken or tally.skipped or tally.judged or tally.alerts):
            return None
        return Round(
            taken=tally.taken,
            skipped=tally.skipped,
            judged=tally.judged,
            failed=tally.failed,
            run_ids=(),
            alerts=tuple(tally.alerts),
            busy=(),
            texts_removed=0,
            is_spent=False,
            backlogs=(),
        )

    async def _draw(self, backlog: Backlog, tally: "_Tally") -> None:
        """Decide on the answers that waited when the round began; newer ones wait for the next round."""
        plan = self._plan
        drawing = live.Drawing(
            application=backlog.application, rate=plan.rate, seed=plan.seed, length=plan.length, judging=self._judging
        )
        left = backlog.waiting
        while left > 0 and not self.is_stopped:
            drawn = await asyncio.to_thread(
                live.draw_waiting,
                self._store.db,
                drawing,
                limit=min(left, _DRAWN_AT_ONCE),
                new_run=lambda start, _end: self._new_run(backlog.application, start),
            )
            if not drawn.taken + drawn.skipped:  # another watch took them first
                return
            tally.taken += drawn.taken
            tally.skipped += drawn.skipped
            left -= drawn.taken + drawn.skipped

    def _new_run(self, application: str, start: datetime) -> Run:
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

    async def _judge(self, application: str, tally: "_Tally") -> bool:
        """Judge the application's pending rows; return False once the limits are reached."""
        run_ids = await asyncio.to_thread(
            live.list_unfinished, self._store.db, application=application, judging=self._judging
        )
        for run_id in run_ids:
            if self.is_stopped:
                return True
            try:
                status = await self._judge_run(run_id, tally)
                if status is RunStatus.CANCELLED and get_run(self._store, run_id).error:
                    return False
            except NotFound:
                _log.info("Run %s was deleted while the watch judged it.", run_id)
        return True

    async def _judge_run(self, run_id: str, tally: "_Tally") -> RunStatus | None:
        """Judge one run's pending rows; None if another process judges it, or if the watch was stopped."""
        known = {alert.alert_id for alert in list_alerts(self._store.db, run_id=run_id)}
        calls, cost = tally.calls, tally.cost
        judging = asyncio.create_task(
            judge_run(
                self._store.db,
                get_run(self._store, run_id),
                concurrency=self._plan.concurrency,
                limits=self._limits,
                on_judged=tally.add,
            )
        )
        stopping = asyncio.create_task(self._stopping().wait())
        try:
            await asyncio.wait({judging, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not judging.done():
                judging.cancel()
            status = await judging
        except asyncio.CancelledError:
            if not self.is_stopped:
                raise
            return None
        except RunConflict:
            tally.busy.append(run_id)
            return None
        finally:
            stopping.cancel()
            judging.cancel()
            spent = Usage(llm_calls=tally.calls - calls, cost_usd=tally.cost - cost)
            self._limits = self._limits.less(spent)
        tally.run_ids.append(run_id)
        tally.alerts += [a for a in list_alerts(self._store.db, run_id=run_id) if a.alert_id not in known]
        return status

    def _close(self, application: str, tally: "_Tally") -> None:
        """Check the runs of ended windows for alerts, for the last time."""
        now = datetime.now(UTC)
        for run_id in live.list_over(self._store.db, application=application, judging=self._judging, now=now):
            known = {alert.alert_id for alert in list_alerts(self._store.db, run_id=run_id)}
            try:
                raised = evaluate_alerts(self._store, get_run(self._store, run_id))
            except NotFound:
                _log.info("Run %s was deleted while the watch closed its window.", run_id)
                continue
            live.close_window(self._store.db, run_id, now=now)
            tally.alerts += [alert for alert in raised if alert.alert_id not in known]

    def _remove_old(self) -> tuple[int, RetentionPlan | None]:
        """Remove the texts of skipped answers, and apply the rule for old texts, if it is time to."""
        now, plan = datetime.now(UTC), self._plan
        if self._removed_at is not None and now - self._removed_at < _REMOVE_EVERY:
            return 0, None
        removed, retained = 0, None
        if plan.keep_days is not None:
            before = now - timedelta(days=plan.keep_days)
            removed = live.remove_texts(self._store.db, before=before, application=plan.application)
        if plan.retention is not None:
            retained = apply_retention(self._store, plan_retention(self._store, plan.retention, now=now))
        self._removed_at = now  # if the store failed, the next round tries again
        return removed, retained


@dataclass(slots=True)
class _Tally:
    taken: int = 0
    skipped: int = 0
    judged: int = 0
    failed: int = 0
    calls: int = 0
    cost: float = 0.0
    run_ids: list[str] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)
    busy: list[str] = field(default_factory=list)

    def add(self, _position: int, result: Result) -> None:
        """Count a row that was judged and stored."""
        self.judged += 1
        self.failed += result.error is not None
        self.calls += result.usage.llm_calls
        self.cost += result.usage.cost_usd or 0.0
