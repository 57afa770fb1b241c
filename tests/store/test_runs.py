"""Who may write to a run: one worker at a time, as long as it gives signs of life."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest

from faithview import Sample, State, Verdict
from faithview.domain.answer import AnswerFilter, Order
from faithview.domain.errors import NotFound, RunConflict, StoreError
from faithview.domain.run import RunStatus
from faithview.store import answers, results, retention, runs
from faithview.store.database import Database
from faithview.store.runs import LEASE
from tests.factories import NOW, WORKER, make_result, make_run

SAMPLES = [Sample.of(f"answer {n}", [f"chunk {n}", "shared"]) for n in range(1, 6)]
LATE = NOW + LEASE + timedelta(seconds=1)
OK = make_result(Verdict.SUPPORTED)


@pytest.fixture
def run_id(db: Database) -> str:
    """A new run of five rows."""
    runs.create_run(db, make_run(), SAMPLES)
    return "r1"


def _status(db: Database, now: datetime = NOW) -> RunStatus:
    return runs.get_run(db, "r1", now=now).status


def _states(db: Database) -> list[State]:
    return [row.state for row in answers.list_answers(db, "r1", AnswerFilter(), order=Order.FILE).rows]


def _save(db: Database, position: int, *, worker: str = WORKER, verdict: Verdict = Verdict.SUPPORTED) -> bool:
    judged = [(position, SAMPLES[position - 1], make_result(verdict))]
    return results.save_results(db, "r1", judged, worker=worker, now=NOW, seconds=1.0)


def test_a_new_run_is_pending_and_can_be_taken_by_one_worker_only(db: Database, run_id: str) -> None:
    assert _status(db) is RunStatus.PENDING
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    assert _status(db) is RunStatus.RUNNING
    runs.take_run(db, run_id, worker=WORKER, now=NOW)  # again, by the same
    with pytest.raises(RunConflict, match="another process"):
        runs.take_run(db, run_id, worker="other", now=NOW)
    assert runs.find_worker(db, run_id) == WORKER


def test_a_run_that_is_not_there_cannot_be_taken_cancelled_or_deleted(db: Database) -> None:
    with pytest.raises(NotFound):
        runs.take_run(db, "nope", worker=WORKER, now=NOW)
    with pytest.raises(NotFound):
        runs.request_cancel(db, "nope", now=NOW)
    with pytest.raises(NotFound):
        retention.delete_run(db, "nope")


def test_of_many_workers_at_once_exactly_one_gets_the_run(db: Database, run_id: str) -> None:
    barrier = Barrier(8)

    def take(number: int) -> bool:
        barrier.wait()
        try:
            runs.take_run(db, run_id, worker=f"w{number}", now=NOW)
        except RunConflict:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(take, range(8)))
    assert taken.count(True) == 1
    assert runs.find_worker(db, run_id) == f"w{taken.index(True)}"


def test_a_worker_that_is_silent_for_too_long_leaves_an_interrupted_run_that_another_may_take(
    db: Database, run_id: str
) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    _save(db, 1)
    assert _status(db, NOW + LEASE - timedelta(seconds=1)) is RunStatus.RUNNING
    assert _status(db, LATE) is RunStatus.INTERRUPTED
    runs.take_run(db, run_id, worker="other", now=LATE)
    assert _status(db, LATE) is RunStatus.RUNNING


def test_a_sign_of_life_from_a_clock_that_was_set_back_since_holds_nobody_up(db: Database, run_id: str) -> None:
    ahead = NOW + timedelta(days=365)
    runs.take_run(db, run_id, worker=WORKER, now=ahead)
    assert _status(db, NOW) is RunStatus.INTERRUPTED
    runs.take_run(db, run_id, worker="other", now=NOW)
    assert _status(db, NOW) is RunStatus.RUNNING
    # Machines whose clocks differ by a few minutes do not take each other's runs.
    runs.release_dead_worker(db, run_id, worker="other")
    runs.take_run(db, run_id, worker=WORKER, now=NOW + timedelta(minutes=50))
    with pytest.raises(RunConflict):
        runs.take_run(db, run_id, worker="other", now=NOW)


def test_a_run_that_was_taken_by_a_clock_ahead_can_be_cancelled_and_tried_again(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW + timedelta(days=365))
    runs.request_cancel(db, run_id, now=NOW)
    assert _status(db, NOW) is RunStatus.CANCELLED


def test_a_sign_of_life_keeps_a_run_running(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    assert results.save_results(db, run_id, [], worker=WORKER, now=LATE, seconds=0.0)
    assert _status(db, LATE + timedelta(seconds=10)) is RunStatus.RUNNING
    with pytest.raises(RunConflict):
        runs.take_run(db, run_id, worker="other", now=LATE + timedelta(seconds=10))


def test_a_worker_that_lost_its_run_writes_nothing_more(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    runs.take_run(db, run_id, worker="other", now=LATE)
    before = runs.get_run(db, run_id, now=LATE)
    with pytest.raises(RunConflict, match="taken over"):
        _save(db, 1)
    runs.finish_run(db, run_id, worker=WORKER, status=RunStatus.FAILED, now=LATE, error="mine")
    assert runs.get_run(db, run_id, now=LATE) == before
    assert set(_states(db)) == {State.PENDING}


def test_a_worker_whose_run_was_deleted_is_told(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    retention.delete_run(db, run_id)
    with pytest.raises(RunConflict, match="deleted"):
        _save(db, 1)


def test_a_released_run_is_interrupted_at_once_and_free(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    runs.release_dead_worker(db, run_id, worker="somebody else")
    assert _status(db) is RunStatus.RUNNING
    runs.release_dead_worker(db, run_id, worker=WORKER)
    assert _status(db) is RunStatus.INTERRUPTED
    runs.take_run(db, run_id, worker="other", now=NOW)


def test_cancel_reaches_a_living_worker_with_its_next_write_and_keeps_what_is_judged(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    assert _save(db, 1) is True
    runs.request_cancel(db, run_id, now=NOW)
    assert _status(db) is RunStatus.RUNNING
    assert _save(db, 2) is False
    runs.finish_run(db, run_id, worker=WORKER, status=RunStatus.CANCELLED, now=NOW)
    assert _states(db) == [State.JUDGED] * 2 + [State.PENDING] * 3
    runs.take_run(db, run_id, worker="other", now=NOW)  # taken up again, the old cancel counts no more
    assert _save(db, 3, worker="other") is True


def test_cancel_without_a_worker_is_done_at_once(db: Database, run_id: str) -> None:
    runs.request_cancel(db, run_id, now=NOW)
    run = runs.get_run(db, run_id, now=NOW)
    assert (run.status, run.finished_at) == (RunStatus.CANCELLED, NOW)


def test_cancel_of_an_interrupted_run_is_done_at_once_and_of_a_finished_one_is_nothing(
    db: Database, run_id: str
) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    runs.request_cancel(db, run_id, now=LATE)
    assert _status(db, LATE) is RunStatus.CANCELLED
    runs.take_run(db, run_id, worker=WORKER, now=LATE)
    runs.finish_run(db, run_id, worker=WORKER, status=RunStatus.COMPLETE, now=LATE)
    runs.request_cancel(db, run_id, now=LATE)
    assert _status(db, LATE) is RunStatus.COMPLETE


def test_a_row_with_an_outcome_keeps_it(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    _save(db, 1, verdict=Verdict.SUPPORTED)
    _save(db, 1, verdict=Verdict.CONTRADICTED)
    result = results.get_answer(db, run_id, "1").result
    assert result.verdicts == (Verdict.SUPPORTED,)


def test_every_write_changes_the_revision_and_working_time_adds_up(db: Database, run_id: str) -> None:
    revisions = [runs.get_run(db, run_id, now=NOW).revision]
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    for position in (1, 2):
        _save(db, position)
        revisions.append(runs.get_run(db, run_id, now=NOW).revision)
    runs.finish_run(db, run_id, worker=WORKER, status=RunStatus.FAILED, now=NOW, error="disk")
    run = runs.get_run(db, run_id, now=NOW)
    revisions.append(run.revision)
    assert sorted(set(revisions)) == revisions
    assert (run.seconds, run.error, run.finished_at) == (2.0, "disk", NOW)


def test_a_batch_with_one_bad_row_writes_no_row(db: Database, run_id: str) -> None:
    runs.take_run(db, run_id, worker=WORKER, now=NOW)
    alien = make_result(Verdict.SUPPORTED)
    bad = alien.claims[0].__class__(text="c", verdict=Verdict.SUPPORTED, supporting_chunk_ids=("not there",))
    rows = [(1, SAMPLES[0], OK), (2, SAMPLES[1], alien.__class__(state=State.JUDGED, judge="x", claims=(bad,)))]
    with pytest.raises(KeyError):
        results.save_results(db, run_id, rows, worker=WORKER, now=NOW, seconds=0.0)
    assert set(_states(db)) == {State.PENDING}


def test_many_writers_at_once_lose_nothing(db: Database) -> None:
    rows = [Sample.of(f"answer {n}", [f"chunk {n % 7}", "shared by all"]) for n in range(24)]
    barrier = Barrier(8)

    def write(number: int) -> None:
        run_id, worker = f"r{number}", f"w{number}"
        barrier.wait()
        runs.create_run(db, make_run(run_id), rows)
        runs.take_run(db, run_id, worker=worker, now=NOW)
        for first in range(0, 24, 6):
            batch = [(n + 1, rows[n], OK) for n in range(first, first + 6)]
            results.save_results(db, run_id, batch, worker=worker, now=NOW, seconds=0.1)
        runs.finish_run(db, run_id, worker=worker, status=RunStatus.COMPLETE, now=NOW)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    for number in range(8):
        details = results.list_details(db, f"r{number}", after=0, limit=100)
        assert [d.sample.answer for d in details] == [s.answer for s in rows]
        assert [[c.text for c in d.sample.chunks] for d in details] == [[c.text for c in s.chunks] for s in rows]
        assert all(d.result.claims == OK.claims for d in details)
    assert runs.count_states(db, "r0") == {"judged": 24}


def test_runs_made_and_deleted_at_once_never_lose_a_shared_chunk(db: Database) -> None:
    rows = [Sample.of("x", ["shared by all"])]

    def churn(number: int) -> None:
        for turn in range(5):
            runs.create_run(db, make_run(f"r{number}-{turn}"), rows)
            if turn < 4:
                retention.delete_run(db, f"r{number}-{turn}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(churn, range(4)))
    for number in range(4):
        (detail,) = results.list_details(db, f"r{number}-4", after=0, limit=10)
        assert [c.text for c in detail.sample.chunks] == ["shared by all"]


def _break(db: Database) -> None:
    with db.write() as connection:
        if db.dialect_name == "sqlite":
            connection.exec_driver_sql("PRAGMA query_only=ON")
            connection.exec_driver_sql("DELETE FROM run")
        connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")


def test_what_the_database_cannot_do_is_said_in_a_sentence(db: Database, run_id: str) -> None:
    with pytest.raises(StoreError, match=r"The database .* cannot be used: .*"):
        _break(db)
