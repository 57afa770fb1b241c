"""Compare judges: their scores on labelled files, and the answers that two of them have judged."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import insert, select

from faithview.domain.audit import Action
from faithview.domain.result import State
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.claims import settled_verdict
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import BenchRow, ClaimRow, ResultRow, SampleRow, is_of_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBenchmark:
    """A judge's result on a labelled file; `document` is the output of `faithview bench --json`."""

    at: datetime
    fingerprint: str
    document: dict[str, Any]


def add_benchmark(db: Database, *, at: datetime, fingerprint: str, file: str, document: Mapping[str, Any]) -> None:
    """Store a result; earlier ones of the same judge and file stay."""
    with db.write() as connection:
        connection.execute(
            insert(BenchRow),
            {"at": at, "fingerprint": fingerprint, "file": file, "document": dict(document)},
        )
        record(connection, Action.BENCHMARK_ADDED, subject=file, detail=fingerprint)


def list_benchmarks(db: Database) -> list[StoredBenchmark]:
    """Return the newest result of each judge on each file, newest first."""
    query = select(BenchRow.at, BenchRow.fingerprint, BenchRow.file, BenchRow.document).order_by(BenchRow.id.desc())
    newest: dict[tuple[str, str], StoredBenchmark] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            result = StoredBenchmark(at=row.at, fingerprint=row.fingerprint, document=row.document)
            newest.setdefault((row.fingerprint, row.file), result)
    return list(newest.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """An answer as one run judged it; `row` is its position from 1, `faithfulness` in [0, 1]."""

    sample_id: int
    run_id: str
    row: int
    faithfulness: float
    is_faithful: bool


class JudgedClaim(NamedTuple):
    """A claim of a judged answer: the judge's verdict and the settled one ("" for "not a claim"), None if not settled.

    A tuple, because hundreds of thousands of them are read at once.
    """

    claim_id: int
    sample_id: int
    number: int
    claim_hash: str
    verdict: str
    people: str | None


def list_judged_answers(db: Database, run_ids: Sequence[str]) -> dict[str, JudgedAnswer]:
    """Return the judged answers of these runs by content hash; the first run's if several have the same content."""
    query = (
        select(
            SampleRow.sample_hash,
            ResultRow.sample_id,
            ResultRow.run_id,
            ResultRow.position,
            ResultRow.faithfulness,
            ResultRow.is_faithful,
        )
        .join(ResultRow, ResultRow.sample_id == SampleRow.id)
        .where(ResultRow.state == State.JUDGED)
        .order_by(ResultRow.position)
    )
    answers: dict[str, JudgedAnswer] = {}
    with db.read() as connection:
        for run_id in run_ids:
            for row in connection.execute(query.where(ResultRow.run_id == run_id)):
                if row.sample_hash not in answers and row.faithfulness is not None:
                    answers[row.sample_hash] = JudgedAnswer(
                        sample_id=row.sample_id,
                        run_id=row.run_id,
                        row=row.position,
                        faithfulness=row.faithfulness,
                        is_faithful=bool(row.is_faithful),
                    )
    return answers


def list_judged_claims(db: Database, run_ids: Collection[str]) -> list[JudgedClaim]:
    """Return all claims of these runs, in the order of their answers and numbers."""
    query = (
        select(
            ClaimRow.id,
            ClaimRow.sample_id,
            ClaimRow.number,
            ClaimRow.claim_hash,
            ClaimRow.verdict,
            settled_verdict(),
        )
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(is_of_runs(*run_ids))
        .order_by(ClaimRow.sample_id, ClaimRow.number)
    )
    with db.read() as connection:
        return [
            JudgedClaim(claim_id, sample_id, number, claim_hash, verdict, people)
            for claim_id, sample_id, number, claim_hash, verdict, people in connection.execute(query)
        ]


def list_claim_texts(db: Database, claim_ids: Sequence[int]) -> dict[int, str]:
    """Return the texts of claims by id."""
    query = select(ClaimRow.id, ClaimRow.text).where(dialect.among(ClaimRow.id, claim_ids))
    with db.read() as connection:
        return dict(connection.execute(query).all())
