"""Batches of logged answers: stored once, refused with a reason, from several threads at a time."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from faithview import Chunk
from faithview.domain.live import LogLimits, LogRecord
from faithview.services.container import Store
from faithview.services.live.append import append_answers, read_record
from faithview.store import live
from faithview.store.schema.live import LoggedAnswerRow

NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)


def _record(number: int, **fields: object) -> LogRecord:
    return LogRecord(answer=f"Answer {number}.", context=["A chunk."], record_id=f"a{number}")._replace(**fields)


def test_a_batch_is_stored_and_sent_again_it_is_known(services: Store) -> None:
    batch = [_record(number) for number in range(1_200)]
    first = append_answers(services, batch)
    assert (first.stored, first.known, first.refused) == (1_200, 0, ())
    again = append_answers(services, [*batch, _record(1_200)])
    assert (again.stored, again.known) == (1, 1_200)
    (backlog,) = live.list_backlogs(services.db)
    assert (backlog.application, backlog.waiting, backlog.taken, backlog.skipped) == ("default", 1_201, 0, 0)
    assert backlog.oldest_at is not None


def test_an_id_twice_in_a_batch_is_stored_once(services: Store) -> None:
    appended = append_answers(services, [_record(1), _record(1, answer="Another.")])
    assert (appended.stored, appended.known) == (1, 1)


def test_an_id_belongs_to_its_application(services: Store) -> None:
    appended = append_answers(services, [_record(1), _record(1, application="shop")])
    assert appended.stored == 2
    assert [backlog.application for backlog in live.list_backlogs(services.db)] == ["default", "shop"]


def test_a_record_that_cannot_be_used_is_refused_and_the_others_are_stored(services: Store) -> None:
    batch = [_record(1), _record(2, answer=None), _record(3, context=7), _record(4)]
    appended = append_answers(services, batch)
    assert appended.stored == 2
    assert [(refusal.index, refusal.record_id) for refusal in appended.refused] == [(1, "a2"), (2, "a3")]
    assert appended.refused[0].reason == "The answer must be a string, not None."


def test_threads_that_send_the_same_records_store_each_once(services: Store) -> None:
    batches = [[_record(number) for number in range(start, start + 100)] for start in range(0, 400, 50)] * 2
    with ThreadPoolExecutor(8) as pool:
        stored = sum(appended.stored for appended in pool.map(lambda batch: append_answers(services, batch), batches))
    (backlog,) = live.list_backlogs(services.db)
    assert stored == backlog.waiting == 450


def test_everything_of_a_record_is_stored(services: Store) -> None:
    context = [Chunk(text="Open from 9.", chunk_id="kb-1", score=0.5, metadata={"page": 3}), {"text": "Two.", "id": 2}]
    append_answers(
        services,
        [
            LogRecord(
                answer="From 9.",
                context=context,
                question="When?",
                record_id=uuid.UUID(int=1),
                at="2026-05-06T14:00:00+02:00",
                segment="web",
                metadata={"model": "m", 1: [None, 2.5]},
                application="shop",
            )
        ],
    )
    with services.db.read() as connection:
        row = connection.execute(select(LoggedAnswerRow.__table__)).one()
    assert row.external_id == "00000000-0000-0000-0000-000000000001"
    assert row.at == NOW
    assert row.chunks == [["kb-1", "Open from 9.", 1, 0.5, {"page": 3}], ["2", "Two.", 2, None, {}]]
    assert (row.question, row.answer, row.segment, row.application) == ("When?", "From 9.", "web", "shop")
    assert row.extra == {"model": "m", "1": [None, 2.5]}
    assert (row.fate, row.run_id, row.inclusion_probability) == ("waiting", None, None)


def test_a_record_without_id_and_time_gets_both() -> None:
    answer = read_record(LogRecord(answer="A.", context="One chunk."), now=NOW)
    assert len(answer.sample.key) == 32
    assert answer.sample.timestamp == NOW
    assert [chunk.text for chunk in answer.sample.chunks] == ["One chunk."]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"answer": 5}, "The answer must be a string, not int."),
        ({"answer": "x" * 11}, "The answer has 11 characters; at most 10 are stored."),
        ({"answer": "a\x00b"}, "NUL"),
        ({"question": ["q"]}, "The question must be a string, not list."),
        ({"context": None}, "not None"),
        ({"context": b"bytes"}, "not bytes"),
        ({"context": ["x" * 12, "x" * 9]}, "The context has 21 characters; at most 20 are stored."),
        ({"context": ["x"] * 4}, "The context has 4 chunks; at most 3 are stored."),
        ({"context": [["nested"]]}, "Chunk 1 of the context must be"),
        ({"context": [{"text": "x", "rating": 1}]}, "unknown field 'rating'"),
        ({"context": [{"text": "x", "score": "high"}]}, "must be a number, not str"),
        ({"context": [{"text": "x", "score": float("nan")}]}, "nan"),
        ({"context": [{"text": "x", "rank": -1}]}, "rank"),
        ({"record_id": 1.5}, "The id must be a string or a whole number, not float."),
        ({"record_id": "x" * 501}, "501"),
        ({"at": "yesterday"}, "cannot be read"),
        ({"at": datetime(2026, 5, 6)}, "no time zone"),  # noqa: DTZ001 - naive on purpose
        ({"at": datetime(1912, 5, 6, tzinfo=UTC)}, "too early or too late"),
        ({"segment": 3}, "The segment must be a string, not int."),
        ({"metadata": {"x": object()}}, "cannot be written as JSON"),
        ({"metadata": {"x": float("inf")}}, "cannot be written as JSON"),
        ({"metadata": {"x": "y" * 50}}, "characters as JSON"),
        ({"metadata": {"x": "\ud800"}}, "The metadata has a text with a NUL character or an incomplete character"),
        ({"metadata": {"x": [{"\x00": 1}]}}, "The metadata has a text with a NUL character or an incomplete character"),
        ({"context": [{"text": "x", "metadata": {"x": "\udfff"}}]}, "The metadata of chunk 1 has a text with a NUL"),
        ({"application": " "}, "is empty"),
        ({"application": "x" * 101}, "101 characters"),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # the rule is the same on every engine
def test_what_cannot_be_used_is_named(services: Store, fields: dict[str, object], reason: str) -> None:
    limits = LogLimits(answer=10, question=600, context=20, chunks=3, metadata=30)
    record = LogRecord(answer="A.", context=["B."])._replace(**fields)
    (refusal,) = append_answers(services, [record], limits=limits).refused
    assert reason in refusal.reason
