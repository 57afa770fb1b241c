"""Compare judges: their scores on labelled files, and the answers that two of them have judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import insert, select

from faithview.domain.audit import Action
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.runs import BenchRow


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
