"""A stored run copied many times in SQL, with other words in every second claim: a large store in minutes."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    case,
    cast,
    func,
    insert,
    literal,
    select,
)

from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.runs import (
    CitationRow,
    ClaimRow,
    ResultRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
)
from faithview.store.schema.typed_tables import Base

# Larger than any id of the run that is copied.
STEP = 10_000_000


def copy_run(connection: Connection, number: int, *, run_id: str, copied_to: str, at: datetime) -> None:
    """Store the run again under another id, as the n-th copy, a week later for each."""
    new = literal(copied_to)
    run = {"id": new, "name": literal(f"Copy {number}"), "as_of": literal(at + timedelta(weeks=number))}
    _copy(connection, RunRow, run, RunRow.id == run_id)
    _copy_rows(connection, number, run_id, sample={"run_id": new}, result={"run_id": new}, of_run={"run_id": new})


def copy_rows(connection: Connection, number: int, *, run_id: str, rows: int) -> None:
    """Store the answers of the run, of which it had so many, once more in the same run, about other questions."""
    shift = number * rows
    sample = {"position": SampleRow.position + shift, "key": SampleRow.key + f"-{number}"}
    result = {"position": ResultRow.position + shift, "cluster": _other_hash(connection)}
    _copy_rows(connection, number, run_id, sample=sample, result=result, of_run={})


def _copy_rows(
    connection: Connection,
    number: int,
    run_id: str,
    *,
    sample: dict[str, Any],
    result: dict[str, Any],
    of_run: dict[str, Any],
) -> None:
    shift = number * STEP
    suffix = f" Said again in report {number}."
    first_samples = SampleChunkRow.sample_id < STEP
    _copy(connection, SampleRow, {"id": SampleRow.id + shift, **sample}, _first(SampleRow.id, SampleRow, run_id))
    first_results = _first(ResultRow.sample_id, ResultRow, run_id)
    _copy(connection, ResultRow, {"sample_id": ResultRow.sample_id + shift, **result}, first_results)
    _copy(connection, SampleChunkRow, {"sample_id": SampleChunkRow.sample_id + shift}, first_samples)
    claim = {
        "id": ClaimRow.id + shift,
        "sample_id": ClaimRow.sample_id + shift,
        "text": case((ClaimRow.id % 2 == 0, ClaimRow.text + suffix), else_=ClaimRow.text),
        "claim_hash": _hash_of_copy(ClaimRow.id, ClaimRow.claim_hash, number),
        **of_run,
    }
    _copy(connection, ClaimRow, claim, _first(ClaimRow.id, ClaimRow, run_id))
    indexed = {
        "claim_id": InboxClaimRow.claim_id + shift,
        "text_key": InboxClaimRow.text_key + case((InboxClaimRow.claim_id % 2 == 0, number), else_=0),
        **of_run,
    }
    _copy(connection, InboxClaimRow, indexed, _first(InboxClaimRow.claim_id, InboxClaimRow, run_id))
    _copy(connection, CitationRow, {"claim_id": CitationRow.claim_id + shift}, CitationRow.claim_id < STEP)


def _hash_of_copy(claim_id: Any, claim_hash: Any, number: int) -> ColumnElement[str]:
    """Return another hash for every second claim, whose words the copy changes; equal ones stay equal."""
    return case((claim_id % 2 == 0, func.substr(claim_hash, 1, 60) + f"{number:04}"), else_=claim_hash)


def _other_hash(connection: Connection) -> ColumnElement[Any]:
    """Return a hash that no row has yet."""
    if connection.dialect.name == "sqlite":
        return func.lower(func.hex(func.randomblob(32)))
    return func.concat(func.md5(cast(func.random(), String)), func.md5(cast(func.random(), String)))


def _first(number: Any, row: Any, run_id: str) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = (number < STEP) & (row.run_id == run_id)
    return condition


def _copy(connection: Connection, row: type[Base], changed: dict[str, Any], where: ColumnElement[bool]) -> None:
    names = [one.name for one in row.__table__.columns]
    values = [changed.get(name, row.__table__.columns[name]) for name in names]
    connection.execute(insert(row).from_select(names, select(*values).where(where)))
