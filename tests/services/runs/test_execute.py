"""A run judged: every row's outcome, bounds, cancel, resume, and what happens when things break."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from faithview import Result, Sample, State
from faithview.domain.alert import AlertKind
from faithview.domain.errors import InvalidInput, JudgeUnavailable, RunConflict, StoreError
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.services.alerts import add_rule
from faithview.services.container import Store
from faithview.services.exports import export_document
from faithview.services.results import cancel_run, get_progress, get_run, iterate_answers
from faithview.services.runs import execute, judge_rows
from faithview.services.runs.create import RunRequest, create_run, judge_here
from faithview.services.runs.judge_answer import run_blocking
from faithview.store import alerts, results, runs, samples
from faithview.store.alerts import list_alerts
from faithview.store.database import Database
from faithview.store.runs import LEASE, count_runs
from tests.factories import add_run
from tests.services.scripted import NAME, ScriptedJudge

SPEC = JudgeSpec(name=NAME)


def _samples(*answers: str) -> list[Sample]:
    return [Sample.of(answer, ["some text"], key=f"k{n}") for n, answer in enumerate(answers, start=1)]


def _create(services: Store, samples: list[Sample]) -> Run:
    return add_run(services, samples, "a run", judge=SPEC)


def _results(services: Store, run: Run) -> list[Result]:
    return [detail.result for detail in iterate_answers(services, run.run_id)]


def _export(services: Store, run: Run) -> list[dict[str, Any]]:
    documents = [export_document(detail) for detail in iterate_answers(services, run.run_id)]
    for document in documents:
        del document["seconds"]  # how long it took is no part of what was found
        for claim in document["claims"]:
            claim["claim_id"] = claim["claim_id"].removeprefix(run.run_id)
    return documents


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "waited for ten seconds in vain"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("answer", "state", "error"),
    [
        ("fail", State.FAILED, "The model gave no JSON: \\x00 \\ud800."),
        ("bug", State.FAILED, "The judge failed unexpectedly: ZeroDivisionError: oops \\x00"),
        ("false chunk", State.FAILED, "cites chunk 'kb-404', which the answer does not have"),
        ("bad text", State.FAILED, "a character that cannot be stored"),
        ("bad number", State.FAILED, "confidence of nan"),
        ("cancelled inside", State.FAILED, "a call inside it was cancelled"),
        ("no claims", State.NO_CLAIMS, None),
        ("anything else", State.JUDGED, None),
    ],
)
@pytest.mark.usefixtures("judge")
def test_what_goes_wrong_with_one_row_costs_that_row_only(
    services: Store, answer: str, state: State, error: str | None
) -> None:
    run = _create(services, _samples("good", answer, "fine"))
    summary = judge_here(services, run)
    first, odd, last = _results(services, run)
    assert first.state is last.state is State.JUDGED
    assert odd.state is state
    assert error is None or error in (odd.error or "")
    assert (odd.error is None) == (error is None)
    assert (odd.faithfulness is None) == (state is not State.JUDGED)
    assert summary.run.status is RunStatus.COMPLETE
    assert summary.states[State.FAILED] == (1 if state is State.FAILED else 0)
    assert summary.score.unscored == summary.states[State.FAILED]


@pytest.mark.usefixtures("judge")
def test_a_quote_that_is_not_in_its_chunk_is_stored_and_marked(services: Store) -> None:
    run = _create(services, _samples("false quote"))
    judge_here(services, run)
    (result,) = _results(services, run)
    (evidence,) = result.claims[0].evidence
    assert (evidence.quote, evidence.is_verified) == ("never said", False)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_answers_are_with_the_judge_than_asked(services: Store, judge: ScriptedJudge, concurrency: int) -> None:
    judge.delay = 0.005
    judge_here(services, _create(services, _samples(*["x"] * 12)), concurrency=concurrency)
    assert judge.most_at_once == concurrency
    assert judge.closed == 1
    assert set(judge.calls.values()) == {1}


@pytest.mark.usefixtures("judge")
def test_the_order_in_which_answers_are_done_does_not_show(services: Store) -> None:
    answers = [f"delay 0.0{9 - n}" for n in range(1, 9)] + ["a", "bb", "ccc", "fail"]
    exports, scores = [], []
    for concurrency in (1, 12):
        run = _create(services, _samples(*answers))
        summary = judge_here(services, run, concurrency=concurrency)
        exports.append(_export(services, run))
        scores.append((summary.score, summary.claims, summary.usage, summary.segments))
    assert exports[0] == exports[1]
    assert scores[0] == scores[1]


def test_more_rows_than_a_page_or_a_batch_are_all_judged_once_and_reported(
    services: Store, judge: ScriptedJudge
) -> None:
    reported: list[int] = []
    run = _create(services, _samples(*(f"answer {n}" for n in range(457))))
    summary = judge_here(services, run, on_judged=lambda position, _result: reported.append(position))
    assert summary.states[State.JUDGED] == 457
    assert sorted(reported) == list(range(1, 458))
    assert set(judge.calls.values()) == {1}


def test_cancel_stops_a_run_soon_keeps_what_is_judged_and_resume_judges_the_rest_once(
    services: Store, judge: ScriptedJudge
) -> None:
    judge.delay = 0.02
    run = _create(services, _samples(*(f"answer {'x' * (n % 5)}" for n in range(120))))

    def cancel_when_under_way() -> None:
        _wait_for(lambda: get_progress(services, run.run_id).done >= 5)
        cancel_run(services, run.run_id)

    canceller = threading.Thread(target=cancel_when_under_way)
    canceller.start()
    summary = judge_here(services, run, concurrency=2)
    canceller.join()
    assert summary.run.status is RunStatus.CANCELLED
    done = summary.states[State.JUDGED]
    assert 5 <= done < 120
    assert summary.score.unscored == 120 - done
    calls_before = sum(judge.calls.values())
    judge.delay = 0.0
    resumed = judge_here(services, run)
    assert resumed.run.status is RunStatus.COMPLETE
    assert resumed.states[State.JUDGED] == 120
    assert sum(judge.calls.values()) == calls_before + 120 - done
    straight = _create(services, _samples(*(f"answer {'x' * (n % 5)}" for n in range(120))))
    whole = judge_here(services, straight)
    assert (whole.score, whole.claims) == (resumed.score, resumed.claims)
    assert _export(services, straight) == _export(services, run)


def test_resuming_a_complete_run_judges_nothing_again(services: Store, judge: ScriptedJudge) -> None:
    run = _create(services, _samples("a", "fail"))
    first = judge_here(services, run)
    again = judge_here(services, run)
    assert set(judge.calls.values()) == {1}
    assert (again.score, again.states) == (first.score, first.states)


def test_a_run_that_another_process_works_on_is_left_alone(services: Store, judge: ScriptedJudge) -> None:
    run = _create(services, _samples("a"))
    runs.take_run(services.db, run.run_id, worker="elsewhere:1:x", now=execute._now())
    with pytest.raises(RunConflict, match="another process"):
        judge_here(services, run)
    assert (judge.calls, judge.closed) == ({}, 1)


def test_a_run_goes_on_only_with_the_judge_that_began_it(services: Store, judge: ScriptedJudge) -> None:
    run = _create(services, _samples("a"))
    judge.fingerprint = "scripted/2"
    with pytest.raises(RunConflict, match="started with judge scripted/1, but the judge is now scripted/2"):
        judge_here(services, run)
    assert get_run(services, run.run_id).status is RunStatus.PENDING


@pytest.mark.usefixtures("judge")
def test_a_worker_whose_process_is_gone_is_not_waited_for(services: Store) -> None:
    run = _create(services, _samples("a"))
    gone = f"{socket.gethostname()}:{2**22 - 3}:x"
    runs.take_run(services.db, run.run_id, worker=gone, now=execute._now())
    assert judge_here(services, run).run.status is RunStatus.COMPLETE


@pytest.mark.usefixtures("judge")
def test_a_run_whose_store_failed_is_free_at_once_for_the_process_that_judged_it(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _create(services, _samples("a", "b"))

    def broken(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(results, "save_results", broken)
        patch.setattr(runs, "finish_run", broken)
        with pytest.raises(StoreError, match="disk is full"):
            judge_here(services, run)
    assert get_run(services, run.run_id).status is RunStatus.RUNNING
    assert judge_here(services, run).run.status is RunStatus.COMPLETE


@pytest.mark.usefixtures("judge")
def test_a_run_is_complete_only_once_the_labels_of_earlier_runs_are_applied(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _create(services, _samples("a", "b"))
    seen: list[RunStatus] = []

    def killed(db: Database, run_id: str) -> None:
        seen.append(get_run(services, run_id).status)
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(execute, "apply_earlier_labels", killed)
        with pytest.raises(asyncio.CancelledError):
            judge_here(services, run)
    assert seen == [RunStatus.RUNNING]
    assert get_run(services, run.run_id).status is RunStatus.INTERRUPTED
    monkeypatch.setattr(
        execute, "apply_earlier_labels", lambda _db, run_id: seen.append(get_run(services, run_id).status)
    )
    assert judge_here(services, run).run.status is RunStatus.COMPLETE
    assert seen == [RunStatus.RUNNING, RunStatus.RUNNING]


@pytest.mark.usefixtures("judge")
def test_a_complete_run_that_was_not_checked_for_alerts_is_checked_with_the_next_run(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = add_rule(services, AlertKind.COVERAGE, 0.9)
    first, second = _create(services, _samples("a", "fail")), _create(services, _samples("b"))

    def killed(*_: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(execute, "evaluate_alerts", killed)
        with pytest.raises(asyncio.CancelledError):
            judge_here(services, first)
    assert get_run(services, first.run_id).status is RunStatus.COMPLETE
    assert list_alerts(services.db) == []
    judge_here(services, second)
    assert [(alert.run_id, alert.rule.rule_id) for alert in list_alerts(services.db)] == [(first.run_id, rule.rule_id)]
    assert alerts.list_unchecked(services.db) == []


@pytest.mark.usefixtures("judge")
def test_an_error_behind_the_end_of_a_run_says_that_the_run_is_stored(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _create(services, _samples("a"))

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(execute, "evaluate_alerts", full)
    with pytest.raises(StoreError) as caught:
        judge_here(services, run)
    assert str(caught.value).startswith(
        f"Run {run.run_id} is judged and stored, but its alerts were not checked: The disk is full. The next run"
    )
    assert get_run(services, run.run_id).status is RunStatus.COMPLETE


def test_a_slow_answer_does_not_make_a_run_look_dead(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_rows, "_HEARTBEAT_S", 0.05)
    run = _create(services, _samples("delay 0.6"))
    revisions = []

    def watch() -> None:
        _wait_for(lambda: sum(judge.calls.values()) == 1)
        for _ in range(3):
            revisions.append(get_run(services, run.run_id).revision)
            time.sleep(0.15)

    watcher = threading.Thread(target=watch)
    watcher.start()
    judge_here(services, run)
    watcher.join()
    assert revisions == sorted(set(revisions)), "the run gave no sign of life while the answer was judged"


def test_a_run_taken_over_in_the_middle_is_given_up_and_nothing_is_judged_twice_into_it(
    services: Store, judge: ScriptedJudge
) -> None:
    judge.delay = 0.02
    run = _create(services, _samples(*["x"] * 60))

    def take_over() -> None:
        _wait_for(lambda: get_progress(services, run.run_id).done >= 3)
        later = execute._now() + LEASE * 2
        runs.take_run(services.db, run.run_id, worker="elsewhere:1:x", now=later)

    thief = threading.Thread(target=take_over)
    thief.start()
    with pytest.raises(RunConflict, match="taken over"):
        judge_here(services, run, concurrency=2)
    thief.join()
    done = get_progress(services, run.run_id).done
    assert 3 <= done < 60
    assert runs.find_worker(services.db, run.run_id) == "elsewhere:1:x"
    assert judge.closed == 1


@pytest.mark.usefixtures("judge")
def test_rows_that_cannot_be_read_end_the_run_with_the_reason(services: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = _create(services, _samples("a", "b"))

    def broken(*_: object, **__: object) -> None:
        raise StoreError("The disk is gone.")

    monkeypatch.setattr(samples, "list_pending", broken)
    with pytest.raises(StoreError, match="disk is gone"):
        judge_here(services, run)
    found = get_run(services, run.run_id)
    assert (found.status, found.error) == (RunStatus.FAILED, "The disk is gone.")


def test_results_that_cannot_be_written_end_the_run_with_the_reason_and_it_can_be_resumed(
    services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _create(services, _samples(*["x"] * 30))

    def broken(*_: object, **__: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(results, "save_results", broken)
        with pytest.raises(OSError, match="no space"):
            judge_here(services, run)
    found = get_run(services, run.run_id)
    assert (found.status, found.error) == (RunStatus.FAILED, "OSError: no space left")
    summary = judge_here(services, run)
    assert (summary.run.status, summary.run.error) == (RunStatus.COMPLETE, None)
    assert summary.states[State.JUDGED] == 30
    assert judge.closed == 2


def test_stopping_the_loop_leaves_a_run_that_shows_as_interrupted_at_once(
    services: Store, judge: ScriptedJudge
) -> None:
    judge.delay = 0.05
    run = _create(services, _samples(*["x"] * 50))

    async def stop_in_the_middle() -> None:
        task = asyncio.create_task(execute.judge_run(services.db, run, concurrency=2))
        while sum(judge.calls.values()) < 5:  # noqa: ASYNC110 - the judge is a test's
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run_blocking(stop_in_the_middle())
    assert judge.calls
    assert get_run(services, run.run_id).status is RunStatus.INTERRUPTED
    judge.delay = 0.0
    assert judge_here(services, run).states[State.JUDGED] == 50


@pytest.mark.usefixtures("judge")
def test_a_run_that_cannot_be_made_is_refused_and_nothing_is_stored(services: Store) -> None:
    good = _samples("a")
    for arguments, message in (
        ({"samples": []}, "no answer to judge"),
        ({"threshold": 1.01}, "between 0 and 1, not 1.01"),
        ({"threshold": float("nan")}, "between 0 and 1"),
        ({"name": "  \n"}, "1 to 200 characters"),
        ({"name": "x" * 201}, "not 201"),
        ({"name": "a\x00"}, "cannot be stored"),
        ({"kb_version": "a\ud800"}, "cannot be stored"),
    ):
        given: dict[str, Any] = {"samples": good, "name": "n", "judge": SPEC, **arguments}
        rows = given.pop("samples")
        with pytest.raises(InvalidInput, match=message):
            create_run(services, rows, RunRequest(**given))
    assert count_runs(services.db) == 0


def test_an_unknown_judge_is_refused_and_nothing_is_stored(services: Store) -> None:
    for name, message in (
        ("nope", "known: embedded, lexical"),
        ("lexical:x", "takes no model"),
        ("", "No judge named ''"),
    ):
        with pytest.raises(JudgeUnavailable, match=message):
            add_run(services, _samples("a"), "n", judge=JudgeSpec(name=name))
    assert count_runs(services.db) == 0


@pytest.mark.usefixtures("judge")
def test_names_and_keys_are_made_unique(services: Store) -> None:
    rows = [Sample(answer="a", key="2"), Sample(answer="b"), Sample(answer="c", key="2"), Sample(answer="d", key="2#2")]
    names = [add_run(services, rows, " my \n run ", judge=SPEC).name for _ in range(3)]
    assert names == ["my run", "my run (2)", "my run (3)"]
    keys = [detail.sample.key for detail in iterate_answers(services, get_run(services, "my run").run_id)]
    assert keys == ["2", "2#2", "2#3", "2#2#2"]


@pytest.mark.usefixtures("judge")
def test_progress_counts_rows_with_an_outcome(services: Store) -> None:
    run = _create(services, _samples("a", "fail", "c"))
    before = get_progress(services, run.run_id)
    assert (before.status, before.done, before.total, before.rate) == (RunStatus.PENDING, 0, 3, None)
    judge_here(services, run)
    after = get_progress(services, run.run_id)
    assert (after.status, after.done, after.failed, after.total) == (RunStatus.COMPLETE, 3, 1, 3)
    assert after.rate is not None
    assert after.rate > 0
    assert after.seconds_left is None
