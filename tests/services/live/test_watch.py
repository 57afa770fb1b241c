"""Watching: every logged answer ends in one run or is skipped, whatever happens meanwhile."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from faithview.domain.alert import Alert, AlertKind
from faithview.domain.errors import InvalidInput, JudgeUnavailable, StoreError
from faithview.domain.live import LogRecord, WindowLength, is_drawn, window_of
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.domain.sample import Sample
from faithview.services.alerts import add_rule
from faithview.services.container import Store
from faithview.services.live import watch as watching
from faithview.services.live.append import append_answers
from faithview.services.live.watch import Round, Watch, WatchPlan
from faithview.services.results import (
    archive_run,
    cancel_run,
    delete_run,
    get_run,
    get_summary,
    iterate_answers,
    list_runs,
)
from faithview.services.runs import execute
from faithview.services.runs.budget import Limits
from faithview.store import live
from faithview.store.alerts import list_alerts
from faithview.store.database import Database
from faithview.store.live import list_backlogs
from faithview.store.schema.live import LoggedAnswerRow
from tests.services.scripted import ScriptedJudge

pytestmark = pytest.mark.process  # takes long

NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)
SCRIPTED = JudgeSpec(name="scripted")


@pytest.fixture
def judge(judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch) -> ScriptedJudge:
    monkeypatch.setattr(watching, "create_judge", lambda _spec: judge)
    return judge


def _log(services: Store, numbers: Sequence[int], **fields: Any) -> None:
    append_answers(
        services,
        [
            LogRecord(
                answer="x" * (number % 4 + 1), context=["abc"], record_id=f"a{number}", at=NOON, question=f"q{number}"
            )._replace(**fields)
            for number in numbers
        ],
    )


def _round(services: Store, **plan: Any) -> Round:
    return asyncio.run(Watch(services, WatchPlan(judge=SCRIPTED, **plan)).round())


def _two_rounds(watch: Watch) -> list[Round]:
    """Cancel a watch after its second round, and return both."""
    rounds: list[Round] = []

    async def watched() -> None:
        task = asyncio.current_task()
        assert task is not None

        def on_round(done: Round) -> None:
            rounds.append(done)
            if len(rounds) == 2:
                task.cancel()

        await watch.run(every_s=0.01, on_round=on_round)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watched())
    return rounds


def _keys(services: Store) -> Counter[str]:
    return Counter(d.sample.key for run in list_runs(services) for d in iterate_answers(services, run.run_id))


def test_what_was_logged_becomes_a_run_of_its_day(services: Store, judge: ScriptedJudge) -> None:
    _log(services, range(30), segment="web", metadata={"model": "m"})
    done = _round(services, kb_version="v1")
    assert (done.taken, done.skipped, done.judged, done.failed) == (30, 0, 30, 0)
    (run,) = list_runs(services)
    assert (run.name, run.series, run.kb_version, run.source) == (
        "live 2026-05-06",
        "Live answers",
        "v1",
        "faithview watch",
    )
    assert run.live is not None
    assert (run.live.application, run.live.logged, run.live.sample_rate) == ("default", 30, 1.0)
    assert run.as_of == NOON
    first = next(iter(iterate_answers(services, run.run_id))).sample
    assert (first.question, first.segment, first.extra, first.timestamp) == ("q0", "web", {"model": "m"}, NOON)
    assert judge.calls.total() == 30


def test_later_rounds_add_to_the_run_of_the_window(services: Store, judge: ScriptedJudge) -> None:
    watch = Watch(services, WatchPlan(judge=SCRIPTED, length=WindowLength.HOUR))
    _log(services, range(10))
    asyncio.run(watch.round())
    _log(services, range(10, 15))
    _log(services, range(15, 18), at=NOON + timedelta(hours=1))
    asyncio.run(watch.round())
    late, early = list_runs(services)
    assert (early.name, late.name) == ("live 2026-05-06 12:00", "live 2026-05-06 13:00")
    assert [get_summary(services, run.run_id).rows for run in (early, late)] == [15, 3]
    assert early.live is not None
    assert early.live.logged == 15
    assert early.status is RunStatus.COMPLETE
    assert max(judge.calls.values()) == 1
    assert asyncio.run(watch.round()).judged == 0


def test_a_sample_is_drawn_by_the_ids_and_counted(services: Store, judge: ScriptedJudge) -> None:
    _log(services, range(800))
    done = _round(services, rate=0.25, seed=3)
    wanted = {f"a{number}" for number in range(800) if is_drawn("default", f"a{number}", rate=0.25, seed=3)}
    assert set(_keys(services)) == wanted == set(judge.calls)
    assert (done.taken, done.skipped) == (len(wanted), 800 - len(wanted))
    (run,) = list_runs(services)
    summary = get_summary(services, run.run_id)
    assert run.live is not None
    assert (run.live.logged, summary.rows, summary.inclusion_probability) == (800, len(wanted), 0.25)
    assert {d.sample.inclusion_probability for d in iterate_answers(services, run.run_id)} == {0.25}


def test_answers_that_were_skipped_before_the_first_was_drawn_are_counted(
    services: Store, judge: ScriptedJudge
) -> None:
    ids = [number for number in range(200) if not is_drawn("default", f"a{number}", rate=0.02)][:20]
    watch = Watch(services, WatchPlan(judge=SCRIPTED, rate=0.02))
    _log(services, ids)
    assert asyncio.run(watch.round()).taken == 0
    assert list_runs(services) == []
    drawn = next(number for number in range(5_000) if is_drawn("default", f"a{number}", rate=0.02))
    _log(services, [drawn])
    asyncio.run(watch.round())
    (run,) = list_runs(services)
    assert run.live is not None
    assert run.live.logged == 21


def test_another_rate_or_judge_makes_a_run_of_its_own(services: Store, judge: ScriptedJudge) -> None:
    for start, plan in ((0, {}), (10, {"rate": 0.999}), (20, {"threshold": 0.5})):
        _log(services, range(start, start + 10))
        _round(services, **plan)
    assert len(list_runs(services)) == 3
    judge.fingerprint = "scripted/2"
    _log(services, range(30, 40))
    _round(services)
    assert sorted(run.name for run in list_runs(services)) == [
        "live 2026-05-06",
        "live 2026-05-06 (2)",
        "live 2026-05-06 (3)",
        "live 2026-05-06 (4)",
    ]


def test_each_application_has_its_own_runs_and_can_be_watched_alone(services: Store, judge: ScriptedJudge) -> None:
    _log(services, range(4), application="shop")
    _log(services, range(6), application="bank")
    assert _round(services, application="shop").taken == 4
    assert _round(services).taken == 6
    assert {run.name: run.series for run in list_runs(services)} == {
        "shop 2026-05-06": "shop: live answers",
        "bank 2026-05-06": "bank: live answers",
    }


def test_watches_at_the_same_time_take_no_answer_twice(services: Store, judge: ScriptedJudge) -> None:
    _log(services, range(400))

    def watch(_number: int) -> Round:
        return _round(services)

    with ThreadPoolExecutor(4) as pool:
        rounds = list(pool.map(watch, range(4)))
    last = _round(services)  # the rows that were added to a run while another watch judged it
    assert sum(done.taken for done in rounds) == 400
    assert sum(done.judged for done in rounds) + last.judged == 400
    assert _keys(services) == Counter({f"a{number}": 1 for number in range(400)})


def test_a_watch_that_is_stopped_leaves_what_it_did_not_judge(services: Store, judge: ScriptedJudge) -> None:
    _log(services, range(60), answer="delay 0.02")
    watch = Watch(services, WatchPlan(judge=SCRIPTED, concurrency=2))

    rounds: list[Round] = []

    async def stop_soon() -> None:
        running = asyncio.create_task(watch.run(every_s=None, on_round=rounds.append))
        while judge.calls.total() < 6:  # noqa: ASYNC110 - the judge has no event
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(stop_soon())
    assert rounds[0].taken == 60
    (run,) = list_runs(services)
    assert run.status is RunStatus.INTERRUPTED
    left = get_summary(services, run.run_id).states[State.PENDING]
    assert left > 0
    assert _round(services).judged == left
    assert get_summary(services, run.run_id).states[State.JUDGED] == 60


def test_limits_end_the_watch_and_the_next_one_goes_on(
    services: Store, vendor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _log(services, range(12), answer="Answer one is here.")
    for number in range(12):  # other texts, or the verdict cache would answer
        _log(services, [100 + number], answer=f"Answer {number} is here.")
    plan = WatchPlan(judge=JudgeSpec(name="openai:m"), limits=Limits(max_calls=3), concurrency=2)
    done = asyncio.run(Watch(services, plan).round())
    assert done.is_spent
    assert vendor.calls < 3 + 2 * 2  # an answer that is under way is finished
    (run,) = list_runs(services)
    assert run.status is RunStatus.CANCELLED
    after = asyncio.run(Watch(services, WatchPlan(judge=JudgeSpec(name="openai:m"))).round())
    assert done.judged + after.judged == 24
    assert get_run(services, run.run_id).status is RunStatus.COMPLETE


def test_a_run_that_somebody_cancelled_archived_or_deleted_is_left_alone(services: Store, judge: ScriptedJudge) -> None:
    _log(services, range(5))
    _round(services)
    (first,) = list_runs(services)
    archive_run(services, first.run_id)
    _log(services, range(5, 10))
    _round(services)
    (second,) = list_runs(services)
    delete_run(services, second.run_id)
    _log(services, range(10, 15))
    watch = Watch(services, WatchPlan(judge=SCRIPTED))
    live.draw_waiting(
        services.db,
        "default",
        rate=1.0,
        seed=0,
        length=WindowLength.DAY,
        judging=watch.judging,
        limit=100,
        new_run=lambda start: watch.new_run("default", start),
    )
    (third,) = list_runs(services)
    cancel_run(services, third.run_id)
    _log(services, range(15, 20))
    assert _round(services).judged == 5
    assert sorted(run.status for run in list_runs(services)) == [RunStatus.CANCELLED, RunStatus.COMPLETE]


@pytest.mark.parametrize("when", ["before its rows are judged", "while its rows are judged"])
def test_a_run_that_is_deleted_during_a_round_does_not_end_the_round(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    _log(services, range(3), application="a")
    _log(services, range(3), application="b")

    def delete_first(_db: Database, *, run_id: str) -> list[Alert]:
        if get_run(services, run_id).name.startswith("a ") and when.startswith("before"):
            delete_run(services, run_id)
        return list_alerts(services.db, run_id=run_id)

    class Deleting(ScriptedJudge):
        async def judge(self, sample: Sample) -> Result:
            found = [run for run in list_runs(services) if run.name.startswith("a ")]
            if found and when.startswith("while"):
                delete_run(services, found[0].run_id)
            return await super().judge(sample)

    monkeypatch.setattr(watching, "list_alerts", delete_first)
    monkeypatch.setattr(execute, "create_judge", lambda _spec: Deleting())
    done = _round(services)
    (left,) = list_runs(services)
    assert left.name.startswith("b ")
    assert left.status is RunStatus.COMPLETE
    assert left.run_id in done.run_ids


def test_texts_move_into_the_run_and_those_of_skipped_answers_are_removed_in_time(
    services: Store, judge: ScriptedJudge
) -> None:
    _log(services, range(100))

    def texts() -> Counter[tuple[str, bool]]:
        with services.db.read() as connection:
            rows = connection.execute(select(LoggedAnswerRow.fate, LoggedAnswerRow.answer, LoggedAnswerRow.chunks))
            found = rows.all()
            assert all((row.answer is None) == (row.chunks is None) for row in found)
            return Counter((row.fate, row.answer is not None) for row in found)

    done = _round(services, rate=0.5)
    assert texts() == {("taken", False): done.taken, ("skipped", True): done.skipped}
    removed = _round(services, rate=0.5, keep_days=0)
    assert removed.texts_removed == done.skipped
    assert texts() == {("taken", False): done.taken, ("skipped", False): done.skipped}
    _log(services, range(100))  # known all the same
    assert _round(services, rate=0.5).taken == 0


def test_texts_that_could_not_be_removed_are_removed_in_the_next_round(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    _log(services, range(20))
    watch = Watch(services, WatchPlan(judge=SCRIPTED, rate=0.5, keep_days=0))

    def broken(*_: object, **__: object) -> int:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(live, "remove_texts", broken)
        with pytest.raises(StoreError, match="disk is full"):
            asyncio.run(watch.round())
    skipped = sum(backlog.skipped for backlog in live.list_backlogs(services.db))
    assert asyncio.run(watch.round()).texts_removed == skipped > 0


def test_an_alert_is_raised_once_while_its_cause_lasts(services: Store, judge: ScriptedJudge) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    watch = Watch(services, WatchPlan(judge=SCRIPTED, length=WindowLength.HOUR))
    bad, good = "xx", "xxxx"  # not mentioned, supported
    raised = []
    for hour, answer in enumerate([good, bad, bad, bad, good, bad]):
        _log(services, range(hour * 100, hour * 100 + 40), answer=answer, at=NOON + timedelta(hours=hour))
        raised.append(len(asyncio.run(watch.round()).alerts))
        raised.append(len(asyncio.run(watch.round()).alerts))
    assert raised == [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    assert len(list_alerts(services.db)) == 2


def test_a_fall_of_live_traffic_is_found_without_shared_questions(services: Store, judge: ScriptedJudge) -> None:
    add_rule(services, AlertKind.FELL, 0.1)
    watch = Watch(services, WatchPlan(judge=SCRIPTED, length=WindowLength.HOUR))
    for hour, wrong in enumerate([2, 2, 30, 30]):
        start = hour * 100
        _log(services, range(start, start + 60 - wrong), answer="xxxx", at=NOON + timedelta(hours=hour))
        _log(services, range(start + 60 - wrong, start + 60), answer="xx", at=NOON + timedelta(hours=hour))
        asyncio.run(watch.round())
    (alert,) = list_alerts(services.db)
    assert alert.run_name == "live 2026-05-06 14:00"
    assert alert.value == pytest.approx(-28 / 60)


def test_few_answers_raise_no_alert(services: Store, judge: ScriptedJudge) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    _log(services, range(3), answer="xxxx")
    _log(services, [3], answer="xx")
    assert _round(services).alerts == []
    _log(services, range(4, 19), answer="xx")
    assert _round(services).alerts == []
    _log(services, [19], answer="xx")
    (alert,) = _round(services).alerts
    assert "20 answers" in alert.message


@pytest.mark.parametrize("plan", [{"rate": 0.0}, {"rate": 1.5}, {"threshold": 2.0}, {"keep_days": -1}, {"series": " "}])
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # the rule is the same on every engine
def test_a_plan_that_cannot_be_is_refused(services: Store, judge: ScriptedJudge, plan: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Watch(services, WatchPlan(judge=SCRIPTED, **plan))


def test_an_unknown_judge_is_refused(services: Store) -> None:
    with pytest.raises(JudgeUnavailable):
        Watch(services, WatchPlan(judge=JudgeSpec(name="nobody")))


def test_a_round_that_the_store_ends_still_tells_its_alerts(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    watch = Watch(services, WatchPlan(judge=SCRIPTED, length=WindowLength.HOUR))
    for hour in range(3):
        _log(services, range(hour * 100, hour * 100 + 40), answer="xx", at=NOON + timedelta(hours=hour))
    failures = iter([True])
    remove = live.remove_texts

    def fail_once(*arguments: Any, **options: Any) -> int:
        if next(failures, False):
            raise StoreError("The disk is full.")
        return remove(*arguments, **options)

    monkeypatch.setattr(live, "remove_texts", fail_once)
    rounds = _two_rounds(watch)
    assert len(rounds[0].alerts) == len(list_alerts(services.db)) > 0
    assert (rounds[0].judged, rounds[0].run_ids) == (120, [])
    assert (rounds[1].judged, rounds[1].alerts) == (0, [])


def test_a_store_that_is_away_for_a_while_ends_nothing(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    _log(services, range(5))
    watch = Watch(services, WatchPlan(judge=SCRIPTED))
    draw, failures = live.draw_waiting, iter([True])

    def fail_once(*arguments: Any, **options: Any) -> Any:
        if next(failures, False):
            raise StoreError("The database is away.")
        return draw(*arguments, **options)

    monkeypatch.setattr(live, "draw_waiting", fail_once)
    rounds = _two_rounds(watch)
    assert [done.judged for done in rounds] == [0, 5]


def test_what_waits_is_counted(services: Store, judge: ScriptedJudge) -> None:
    _log(services, range(10))
    (backlog,) = list_backlogs(services.db)
    assert (backlog.waiting, backlog.taken) == (10, 0)
    _round(services)
    (backlog,) = list_backlogs(services.db)
    assert (backlog.waiting, backlog.taken, backlog.oldest_at) == (0, 10, None)


def test_windows_are_cut_in_utc() -> None:
    moment = datetime.fromisoformat("2026-05-07T01:30:00+02:00")
    assert window_of(moment, WindowLength.DAY) == (datetime(2026, 5, 6, tzinfo=UTC), datetime(2026, 5, 7, tzinfo=UTC))
    assert window_of(moment, WindowLength.HOUR)[0] == datetime(2026, 5, 6, 23, tzinfo=UTC)


def test_a_larger_rate_draws_all_that_a_smaller_one_draws_and_about_its_share() -> None:
    ids = [f"id-{number}" for number in range(20_000)]
    small = {i for i in ids if is_drawn("shop", i, rate=0.05)}
    large = {i for i in ids if is_drawn("shop", i, rate=0.2)}
    assert small < large
    # 20,000 draws at 5 %: four standard deviations are 123.
    assert abs(len(small) - 1_000) < 123
    assert {i for i in ids if is_drawn("bank", i, rate=0.05)} != small
    assert {i for i in ids if is_drawn("shop", i, rate=0.05, seed=1)} != small
