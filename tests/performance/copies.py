"""A stored run copied many times in SQL, with other words in every second claim: a large store in minutes."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, case, cast, delete, func, insert, literal, select

from faithview.store.inbox.claim_index import fill_index
from faithview.store.schema.inbox import ClaimTextRow, InboxClaimRow
from faithview.store.schema.runs import (
    Base,
    CitationRow,
    ClaimRow,
    EvidenceRow,
    ResultRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
)

# Larger than any id of the run that is copied.
STEP = 10_000_000


def copy_run(connection: Connection, number: int, *, run_id: str, copied_to: str, at: datetime) -> None:
    """Store the run again under another id, as the n-th copy, a week later for each."""
    new = literal(copied_to)
    run = {"id": new, "name": literal(f"Copy {number}"), "as_of": literal(at + timedelta(weeks=number))}
    sample, result, claim = {"run_id": new}, {"run_id": new}, {"run_id": new}
    _copy(connection, RunRow, run, RunRow.id == run_id)
    _copy_rows(connection, number, run_id, sample=sample, result=result, claim=claim)


def copy_rows(connection: Connection, number: int, *, run_id: str, rows: int) -> None:
    """Store the answers of the run, of which it had so many, once more in the same run, about other questions."""
    shift = number * rows
    sample = {"position": SampleRow.position + shift, "key": SampleRow.key + f"-{number}"}
    result = {
        "position": ResultRow.position + shift,
        "cluster": cast(str(number), String) + func.substr(ResultRow.cluster, 1, 60),
    }
    _copy_rows(connection, number, run_id, sample=sample, result=result, claim={})


def index_anew(connection: Connection) -> tuple[int, int]:
    """Fill the index of the inbox as for a store that is older than it; return its claims and their different texts."""
    connection.execute(delete(InboxClaimRow))
    connection.execute(delete(ClaimTextRow))
    indexed = fill_index(connection)
    return indexed, connection.execute(select(func.count()).select_from(ClaimTextRow)).scalar_one()


def _copy_rows(
    connection: Connection,
    number: int,
    run_id: str,
    *,
    sample: dict[str, Any],
    result: dict[str, Any],
    claim: dict[str, Any],
) -> None:
    shift = number * STEP
    words = {
        "text": ClaimRow.text + _for_every_second(f" Said again in report {number}."),
        "claim_hash": _for_every_second(f"{number:02}") + func.substr(ClaimRow.claim_hash, 1, 62),
    }
    of_claim = {"id": ClaimRow.id + shift, "sample_id": ClaimRow.sample_id + shift}
    first_samples = SampleChunkRow.sample_id < STEP
    _copy(connection, SampleRow, {"id": SampleRow.id + shift, **sample}, _first(SampleRow.id, SampleRow, run_id))
    first_results = _first(ResultRow.sample_id, ResultRow, run_id)
    _copy(connection, ResultRow, {"sample_id": ResultRow.sample_id + shift, **result}, first_results)
    _copy(connection, SampleChunkRow, {"sample_id": SampleChunkRow.sample_id + shift}, first_samples)
    _copy(connection, ClaimRow, {**of_claim, **claim, **words}, _first(ClaimRow.id, ClaimRow, run_id))
    _copy(connection, CitationRow, {"claim_id": CitationRow.claim_id + shift}, CitationRow.claim_id < STEP)
    _copy(connection, EvidenceRow, {"claim_id": EvidenceRow.claim_id + shift}, EvidenceRow.claim_id < STEP)


def _first(number: Any, table: Any, run_id: str) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = (number < STEP) & (table.run_id == run_id)
    return condition


def _copy(connection: Connection, table: type[Base], changed: dict[str, Any], where: ColumnElement[bool]) -> None:
    names = [column.name for column in table.__table__.columns]
    values = [changed.get(name, table.__table__.columns[name]) for name in names]
    connection.execute(insert(table).from_select(names, select(*values).where(where)))


def _for_every_second(text: str) -> ColumnElement[str]:
    return case((ClaimRow.id % 2 == 0, text), else_="")
