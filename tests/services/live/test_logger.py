"""`log_answer`: nothing lost from threads and processes, nothing raised, and what is dropped or refused is counted."""

import logging
import multiprocessing
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from faithview import Chunk, flush_log, log_answer, log_counts
from faithview.domain.errors import InvalidInput, StoreError
from faithview.domain.live import LogLimits, LogRecord
from faithview.live import configure_log
from faithview.services.container import Store
from faithview.services.live import append
from faithview.services.live.logger import AnswerLog
from faithview.store import live
from faithview.store.schema.live import LoggedAnswerRow


def _ids(services: Store) -> list[str]:
    with services.db.read() as connection:
        return sorted(connection.execute(select(LoggedAnswerRow.external_id)).scalars())


def _log_many(url: str, name: str, answers: int) -> None:
    for number in range(answers):
        assert log_answer(f"Answer {number}.", ["A chunk."], id=f"{name}-{number}", store=url)


def _log_in_a_process(url: str, name: str, answers: int) -> None:
    threads = [threading.Thread(target=_log_many, args=(url, f"{name}-{part}", answers)) for part in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.process
def test_answers_from_processes_with_threads_all_arrive(services: Store, store_url: str) -> None:
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_log_in_a_process, args=(store_url, str(n), 700)) for n in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert _ids(services) == sorted(f"{n}-{part}-{k}" for n in range(3) for part in range(2) for k in range(700))


@pytest.mark.process
def test_a_forked_process_writes_its_own_answers_and_none_of_the_parents(services: Store, store_url: str) -> None:
    code = f"""
        import os, sys
        from faithview import flush_log, log_answer, log_counts

        url = {store_url!r}
        for number in range(300):
            log_answer("A.", ["B."], store=url)
        log_answer("A.", ["B."], id="before", store=url)
        assert flush_log(30)
        for number in range(300):
            log_answer("A.", ["B."], store=url)
        child = os.fork()
        log_answer("A.", ["B."], id="child" if child == 0 else "parent", store=url)
        if child == 0:
            assert log_counts(url).logged == 1, log_counts(url)
            assert flush_log(30)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        for number in range(10):
            log_answer("A.", ["B."], id=f"after-{{number}}", store=url)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=120)
    ids = _ids(services)
    assert len(ids) == 300 + 1 + 300 + 2 + 10
    assert {"before", "child", "parent", "after-0", "after-9"} <= set(ids)


@pytest.mark.process
def test_what_is_in_the_queue_is_written_when_the_process_ends(services: Store, store_url: str) -> None:
    code = (
        "import sys\nfrom faithview import log_answer\nfor n in range(900): log_answer('A.', 'B.', store=sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", code, store_url], check=True, timeout=120)
    assert len(_ids(services)) == 900


def test_a_store_that_is_open_can_be_given(services: Store) -> None:
    assert log_answer("A.", [Chunk(text="B.", chunk_id="kb-1"), {"text": "C."}], "Q?", id="one", store=services)
    assert log_answer("A.", ["B."], id="one", store=services)
    assert flush_log(30)
    assert _ids(services) == ["one"]
    counts = log_counts(services)
    assert (counts.logged, counts.stored, counts.known, counts.waiting) == (2, 1, 1, 0)


def test_what_an_application_changes_later_is_not_logged(services: Store) -> None:
    chunk, metadata = {"text": "A chunk."}, {"model": "one"}
    context = [chunk]
    log_answer("A.", context, metadata=metadata, store=services)
    context.append({"text": "Another."})
    chunk["text"] = "Changed."
    metadata["model"] = "two"
    assert flush_log(30)
    with services.db.read() as connection:
        row = connection.execute(select(LoggedAnswerRow.chunks, LoggedAnswerRow.extra)).one()
    assert [chunk[1] for chunk in row.chunks] == ["A chunk."]
    assert row.extra == {"model": "one"}


def test_wrong_types_are_counted_and_reported_once(services: Store, caplog: pytest.LogCaptureFixture) -> None:
    wrong: list[dict[str, Any]] = [
        {"answer": None, "context": ["B."]},
        {"answer": None, "context": ["B."]},
        {"answer": "A.", "context": 5},
        {"answer": "A.", "context": ["B."], "metadata": 5},
        {"answer": "A.", "context": ["B."], "metadata": {"x": object()}},
        {"answer": "A.", "context": ["B."], "at": "yesterday"},
        {"answer": "A.", "context": ["B."], "application": ""},
    ]
    with caplog.at_level(logging.WARNING):
        queued = [log_answer(**fields, store=services) for fields in wrong]
        assert flush_log(30)
    assert queued == [False, False, True, True, True, True, True]
    counts = log_counts(services)
    assert (counts.refused, counts.stored) == (7, 0)
    assert counts.reasons["The answer must be a string, not NoneType."] == 2
    assert counts.reasons["The metadata must be a mapping, not int."] == 1
    assert sum("NoneType" in message for message in caplog.messages) == 1


def test_a_store_that_is_none_never_raises(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAITHVIEW_DB", "sqlite://")
    refused = log_counts().refused
    with caplog.at_level(logging.WARNING):
        assert log_answer("A.", ["B."], store={}) is False  # type: ignore[arg-type]  # wrong on purpose
    assert log_counts().refused == refused + 1
    assert "could not be logged" in " ".join(caplog.messages)


class _Gate:
    """A store that is opened only once the gate is."""

    def __init__(self, services: Store) -> None:
        self.is_open = threading.Event()
        self._services = services

    def __call__(self) -> Store:
        if not self.is_open.wait(0.01):
            raise StoreError("The database is away.")
        return self._services


def _record(number: int) -> LogRecord:
    return LogRecord(answer="A.", context="B.", record_id=str(number))


def test_a_full_queue_drops_and_counts(services: Store, caplog: pytest.LogCaptureFixture) -> None:
    gate = _Gate(services)
    log = AnswerLog(gate, capacity=10, characters=1_000, limits=LogLimits())
    with caplog.at_level(logging.WARNING):
        queued = [log.log(_record(number), 4) for number in range(700)]
        assert not log.flush(0.5)
        gate.is_open.set()
        assert log.flush(30)
    counts = log.counts
    assert queued.count(True) == counts.logged == counts.stored == len(_ids(services))
    assert queued.count(False) == counts.dropped > 0
    assert any("Logged answers cannot be stored: The database is away." in text for text in caplog.messages)


def test_the_queue_is_bounded_by_its_texts_too(services: Store) -> None:
    gate = _Gate(services)
    log = AnswerLog(gate, capacity=1_000, characters=100, limits=LogLimits())
    assert [log.log(_record(number), 60) for number in range(2)] == [True, False]
    gate.is_open.set()
    assert log.flush(30)


@pytest.mark.parametrize(
    "large",
    [
        {"question": "q" * 600},
        {"context": {"text": "c" * 600}},
        {"context": Chunk(text="c" * 600)},
        {"context": [{"text": "c", "metadata": {"page": ["m" * 600]}}]},
        {"metadata": {"trace": {"steps": ["m" * 300] * 2}}},
    ],
    ids=["question", "mapping", "Chunk", "metadata of a chunk", "metadata"],
)
def test_all_texts_of_an_answer_count_towards_the_queues_bound(services: Store, large: dict[str, Any]) -> None:
    configure_log(services, characters=1_000)
    queued = [log_answer(**{"answer": "A.", "context": "B.", **large}, store=services) for _ in range(600)]
    assert 1 <= queued.count(True) < 600
    assert log_counts(services).dropped == queued.count(False)
    assert flush_log(30)


def test_metadata_that_holds_itself_is_refused(services: Store) -> None:
    metadata: dict[str, Any] = {}
    metadata["self"] = metadata
    assert not log_answer("A.", "B.", metadata=metadata, store=services)
    assert log_counts(services).refused == 1


def test_what_was_stored_before_an_error_is_not_stored_again(services: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = append.append_answers
    failures = iter([True, False])

    def append_and_fail(*args: Any, **options: Any) -> Any:
        appended = stored(*args, **options)
        if next(failures, False):
            raise StoreError("The connection broke after the commit.")
        return appended

    monkeypatch.setattr(append, "append_answers", append_and_fail)
    log = AnswerLog(lambda: services, capacity=10, characters=1_000, limits=LogLimits())
    log.log(LogRecord(answer="A.", context="B."), 4)
    assert log.flush(30)
    assert len(_ids(services)) == 1
    assert log.counts.known == 1


def test_one_record_that_the_database_does_not_take_keeps_no_other_out(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = live.append

    def refuse_some(db: Any, answers: Any, **options: Any) -> int:
        if any(answer.sample.key == "3" for answer in answers):
            raise ValueError("not this one")
        return insert(db, answers, **options)

    monkeypatch.setattr(live, "append", refuse_some)
    log = AnswerLog(lambda: services, capacity=10, characters=1_000, limits=LogLimits())
    for number in range(6):
        log.log(_record(number), 4)
    assert log.flush(30)
    assert _ids(services) == ["0", "1", "2", "4", "5"]
    assert log.counts.reasons == {"The record could not be stored (ValueError).": 1}


def test_a_thread_without_work_ends_and_begins_again(services: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faithview.services.live.logger._IDLE_S", 0.01)
    log = AnswerLog(lambda: Store(services.db.reopened()), capacity=10, characters=1_000, limits=LogLimits())
    for number in range(3):
        log.log(_record(number), 4)
        thread = log._thread
        assert thread is not None
        thread.join(30)
        assert not thread.is_alive()
    assert _ids(services) == ["0", "1", "2"]


def test_a_thread_that_cannot_start_is_started_with_a_later_answer(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = AnswerLog(lambda: services, capacity=10, characters=1_000, limits=LogLimits())
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", _no_thread)
        assert log.log(_record(1), 4)
    assert log.log(_record(2), 4)
    assert log.flush(30)
    assert _ids(services) == ["1", "2"]


def _no_thread(_thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_reasons_that_differ_in_numbers_and_quoted_texts_are_one(
    services: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for number in range(60):
            log_answer("a" * (100_001 + number), "B.", store=services)
            log_answer("A.", "B.", at=f"day {number}", store=services)  # type: ignore[arg-type]  # a text, as other programs give it
        assert flush_log(30)
    counts = log_counts(services)
    assert sorted(counts.reasons.values()) == [60, 60]
    assert sum("was refused" in message for message in caplog.messages) == 2


def test_the_queue_is_configured_before_the_first_answer(services: Store) -> None:
    configure_log(services, capacity=5, limits=LogLimits(answer=3))
    log_answer("Four", ["B."], store=services)
    assert flush_log(30)
    assert log_counts(services).refused == 1
    with pytest.raises(InvalidInput, match="already"):
        configure_log(services)
    with pytest.raises(InvalidInput, match="at least 1"):
        configure_log("sqlite://", capacity=0)


def test_threads_that_begin_at_once_share_one_queue(services: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: log_answer("A.", "B.", id=str(number), store=services), range(64)))
    assert flush_log(30)
    assert len(_ids(services)) == log_counts(services).logged == 64
    assert sum(thread.name == "faithview-log" for thread in threading.enumerate()) >= 1
