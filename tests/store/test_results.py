"""What goes into the store comes out as it was."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text, update

from faithview import Chunk, Evidence, Sample, State, Verdict
from faithview.domain.claim import verify_claims
from faithview.domain.errors import NotFound
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.domain.spans import Span
from faithview.store import results, retention, runs, samples
from faithview.store.database import Database, open_database
from faithview.store.schema.runs import ChunkRow, RunRow
from tests.factories import HOSTILE, NOW, full_result, full_sample, make_claim, make_result, make_run, store_run


def _count_chunks(db: Database) -> int:
    with db.read() as connection:
        return connection.execute(select(func.count()).select_from(ChunkRow)).scalar_one()


def test_every_field_of_a_sample_and_its_result_comes_back(db: Database) -> None:
    sample = full_sample()
    result = full_result(sample)
    store_run(db, [sample], [result])
    detail = results.get_answer(db, "r1", sample.key)
    assert detail.sample == sample
    assert detail.result == result
    assert (detail.run_id, detail.position, detail.claim_ids) == ("r1", 1, ("r1-1-1", "r1-1-2"))
    assert results.list_details(db, "r1", after=0, limit=10) == [detail]


def test_every_field_of_a_run_comes_back(db: Database) -> None:
    run = make_run(
        name=HOSTILE.strip(),
        judge=JudgeSpec(name="openai:x", method="qa", options={"ключ": "\u202eé"}),
        fingerprint="fp",
        threshold=0.1 + 0.2,
        kb_version=HOSTILE,
        source="файл.csv",
        as_of=datetime(2025, 5, 6, 7, 8, 9, tzinfo=timezone(timedelta(hours=-7))),
        series=HOSTILE,
    )
    stored = runs.create_run(db, run, [Sample(answer="x")])
    assert stored == replace(run, rows_hash=stored.rows_hash)
    assert runs.get_run(db, "r1", now=NOW) == replace(stored, revision=1)
    assert runs.list_runs(db, now=NOW) == [replace(stored, revision=1)]


def test_a_pending_row_comes_back_as_it_was_given(db: Database) -> None:
    sample = full_sample()
    runs.create_run(db, make_run(), [sample])
    assert [at for at, _ in samples.list_pending(db, "r1", after=0, limit=10)] == [1]
    assert samples.load_samples(db, "r1", [1]) == {1: sample}
    assert results.get_answer(db, "r1", "1").result == make_result(state=State.PENDING)


def test_a_failed_row_keeps_its_reason(db: Database) -> None:
    failed = make_result(state=State.FAILED, error=f"It broke: {HOSTILE}")
    store_run(db, [Sample(answer="x")], [failed])
    assert results.get_answer(db, "r1", "1").result == failed


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_any_text_and_any_span_comes_back(db: Database, data: st.DataObject) -> None:
    texts = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=30)
    answer, chunk, note = data.draw(texts), data.draw(texts), data.draw(texts)
    spans: tuple[Span, ...] = ()
    if answer:
        start = data.draw(st.integers(0, len(answer) - 1))
        spans = (Span(start=start, end=data.draw(st.integers(start + 1, len(answer)))),)
    sample = Sample(answer=answer, chunks=(Chunk(text=chunk, chunk_id=note or "c", metadata={note: note}),), key="k")
    claim = make_claim(
        note,
        Verdict.NOT_MENTIONED,
        spans=spans,
        evidence=(Evidence(chunk_id=sample.chunks[0].chunk_id, quote=chunk[1:], span=None),),
    )
    result = make_result(*verify_claims([claim], sample))
    store_run(db, [sample], [result])
    detail = results.get_answer(db, "r1", "k")
    retention.delete_run(db, "r1")
    assert detail.sample == sample
    assert detail.result == result
    for span in detail.result.claims[0].spans:
        assert span.of(detail.sample.answer) == answer[spans[0].start : spans[0].end]


def test_a_chunk_is_stored_once_however_often_it_was_retrieved(db: Database) -> None:
    twice = Sample(answer="x", chunks=(Chunk(text="a", chunk_id="1"), Chunk(text="a", chunk_id="2")))
    store_run(db, [twice, Sample.of("y", ["a", "b"])])
    store_run(db, [Sample.of("z", ["b", "a", "c"])], run=make_run("r2"))
    assert _count_chunks(db) == 3
    assert [c.text for c in results.get_answer(db, "r2", "1").sample.chunks] == ["b", "a", "c"]


def test_chunks_that_differ_in_white_space_keep_their_own_texts_and_offsets(db: Database) -> None:
    sample = Sample(answer="x", chunks=(Chunk(text="big  house", chunk_id="a"), Chunk(text="big house", chunk_id="b")))
    claim = make_claim(
        "c", Verdict.SUPPORTED, evidence=tuple(Evidence(chunk_id=i, quote="house", span=None) for i in ("a", "b"))
    )
    store_run(db, [sample], [make_result(*verify_claims([claim], sample))])
    detail = results.get_answer(db, "r1", "1")
    assert [c.text for c in detail.sample.chunks] == ["big  house", "big house"]
    assert [(e.span.start, e.span.end) for e in detail.result.claims[0].evidence if e.span] == [(5, 10), (4, 9)]
    with db.read() as connection:
        assert connection.execute(select(func.count(ChunkRow.chunk_hash.distinct()))).scalar_one() == 1


def test_many_samples_with_many_chunks_keep_their_order(db: Database) -> None:
    many = [Sample.of(f"answer {n}", [f"chunk {n} {c}" for c in range(3)], key=f"k{n}") for n in range(1203)]
    runs.create_run(db, make_run(), many)
    found: list[int] = []
    while page := samples.list_pending(db, "r1", after=found[-1] if found else 0, limit=500):
        found += [position for position, _ in page]
    assert list(samples.load_samples(db, "r1", found).items()) == list(enumerate(many, start=1))
    assert _count_chunks(db) == 3 * 1203


def test_rows_are_found_by_key_and_else_by_position(db: Database) -> None:
    runs.create_run(db, make_run(), [Sample(answer="a", key="2"), Sample(answer="b", key="x")])
    assert results.get_answer(db, "r1", "2").sample.answer == "a"
    assert results.get_answer(db, "r1", "1").sample.answer == "a"
    assert results.get_answer(db, "r1", "x").sample.answer == "b"


@pytest.mark.parametrize("key", ["3", "", "-1", "١", "99999999999999999999", "a\x00b", "\ud800", "X"])
def test_a_row_that_is_not_there_is_not_found(db: Database, key: str) -> None:
    runs.create_run(db, make_run(), [Sample(answer="a", key="x")])
    with pytest.raises(NotFound, match="has no row"):
        results.get_answer(db, "r1", key)


def test_a_run_is_stored_whole_or_not_at_all(db: Database) -> None:
    with pytest.raises(Exception, match=r"(?i)unique"):
        runs.create_run(db, make_run(), [Sample(answer="a", key="x"), Sample.of("b", ["t"], key="x")])
    assert runs.count_runs(db) == 0
    assert _count_chunks(db) == 0


def test_deleting_a_run_takes_all_that_is_its_own_and_nothing_else(db: Database) -> None:
    shared, own = "in both", "in one"
    sample = Sample.of("x", [shared, own])
    claim = replace(full_result(full_sample()).claims[1], supporting_chunk_ids=("1",))
    result = make_result(claim)
    store_run(db, [sample], [result])
    store_run(db, [Sample.of("y", [shared])], [replace(result, state=State.JUDGED)], run=make_run("r2"))
    kept = results.get_answer(db, "r2", "1")
    retention.delete_run(db, "r1")
    assert [run.run_id for run in runs.list_runs(db, now=NOW)] == ["r2"]
    assert results.get_answer(db, "r2", "1") == kept
    assert _count_chunks(db) == 1
    with db.read() as connection:
        for table in ("sample", "result", "claim", "citation", "sample_chunk"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 1, table
    retention.delete_run(db, "r2")
    assert _count_chunks(db) == 0
    with pytest.raises(NotFound):
        retention.delete_run(db, "r2")


def test_runs_come_newest_first_and_are_found_by_id_or_unique_name(db: Database) -> None:
    for number, run_id in enumerate(["a1", "b2", "c3"]):
        run = make_run(run_id, name="same" if number < 2 else "b2", as_of=NOW + timedelta(days=-number))
        runs.create_run(db, run, [Sample(answer="x")])
        with db.write() as connection:  # earlier versions could give one name to several runs
            connection.execute(update(RunRow).where(RunRow.id == run_id).values(name=run.name))
    assert [run.run_id for run in runs.list_runs(db, now=NOW)] == ["a1", "b2", "c3"]
    assert [run.run_id for run in runs.list_runs(db, now=NOW, limit=1, offset=1)] == ["b2"]
    assert runs.get_run(db, "a1", now=NOW).run_id == "a1"
    assert runs.get_run(db, "b2", now=NOW).run_id == "b2"  # the id goes before another run's name
    with pytest.raises(NotFound, match=r"Several runs are named 'same'.*: a1, b2\."):
        runs.get_run(db, "same", now=NOW)
    for unknown in ("nope", "", "A1", "a\x00", "\udcff", "%"):
        with pytest.raises(NotFound, match="There is no run"):
            runs.get_run(db, unknown, now=NOW)


def test_a_taken_name_gets_the_next_number(db: Database) -> None:
    for number, name in enumerate(["50%_a", "50%_a (2)", "50xya (3)"]):
        assert runs.create_run(db, make_run(f"r{number}", name=name), [Sample(answer="x")]).name == name
    assert runs.create_run(db, make_run("s1", name="50%_a"), [Sample(answer="x")]).name == "50%_a (3)"
    assert runs.create_run(db, make_run("s2", name="50%"), [Sample(answer="x")]).name == "50%"


def test_runs_that_start_at_the_same_moment_get_different_names(store_url: str) -> None:
    databases = [open_database(store_url) for _ in range(4)]  # as four processes have, each with connections of its own
    with ThreadPoolExecutor(8) as pool:
        made = list(
            pool.map(
                lambda n: runs.create_run(databases[n % 4], make_run(f"r{n}", name="nightly"), [Sample(answer="x")]),
                range(16),
            )
        )
    names = {run.run_id: run.name for run in made}
    assert set(names.values()) == {"nightly", *(f"nightly ({number})" for number in range(2, 17))}
    assert {run.run_id: run.name for run in runs.list_runs(databases[0], now=NOW)} == names
    for database in databases:
        database.close()


def test_moments_are_kept_to_the_microsecond_and_come_back_in_utc(db: Database) -> None:
    moment = datetime(2026, 7, 1, 2, 3, 4, 567891, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    store_run(db, [Sample(answer="x", timestamp=moment)])
    found = results.get_answer(db, "r1", "1").sample.timestamp
    assert found == moment
    assert found is not None
    assert found.tzinfo is UTC
    assert runs.get_run(db, "r1", now=NOW).status is RunStatus.COMPLETE
