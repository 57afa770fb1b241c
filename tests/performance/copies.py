"""A stored run copied many times in SQL, with other words in every second claim: a large store in minutes."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    String,
    case,
    cast,
    column,
    delete,
    func,
    insert,
    literal,
    select,
    table,
    text,
)

from faithview.store.claims import share_texts
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

_COPIED = table("copied_text", column("old_id", Integer), column("new_id", Integer))


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
    _copy_texts(connection, suffix, run_id)
    first_samples = SampleChunkRow.sample_id < STEP
    _copy(connection, SampleRow, {"id": SampleRow.id + shift, **sample}, _first(SampleRow.id, SampleRow, run_id))
    first_results = _first(ResultRow.sample_id, ResultRow, run_id)
    _copy(connection, ResultRow, {"sample_id": ResultRow.sample_id + shift, **result}, first_results)
    _copy(connection, SampleChunkRow, {"sample_id": SampleChunkRow.sample_id + shift}, first_samples)
    claim = {
        "id": ClaimRow.id + shift,
        "sample_id": ClaimRow.sample_id + shift,
        "text": case((ClaimRow.id % 2 == 0, ClaimRow.text + suffix), else_=ClaimRow.text),
        "text_id": _text_of_copy(ClaimRow.id, ClaimRow.text_id),
        **of_run,
    }
    _copy(connection, ClaimRow, claim, _first(ClaimRow.id, ClaimRow, run_id))
    indexed = {
        "claim_id": InboxClaimRow.claim_id + shift,
        "text_id": _text_of_copy(InboxClaimRow.claim_id, InboxClaimRow.text_id),
        **of_run,
    }
    _copy(connection, InboxClaimRow, indexed, _first(InboxClaimRow.claim_id, InboxClaimRow, run_id))
    _copy(connection, CitationRow, {"claim_id": CitationRow.claim_id + shift}, CitationRow.claim_id < STEP)


def _copy_texts(connection: Connection, suffix: str, run_id: str) -> None:
    """Store the texts that every second claim of the copy has, and note which text each of them is in the place of."""
    connection.execute(
        text("CREATE TEMPORARY TABLE IF NOT EXISTS copied_text (old_id INTEGER PRIMARY KEY, new_id INTEGER)")
    )
    connection.execute(delete(_COPIED))
    copied = select(ClaimRow.text_id).where(_first(ClaimRow.id, ClaimRow, run_id), ClaimRow.id % 2 == 0)
    texts = select(ClaimRow.text_id, func.min(ClaimRow.text).label("text")).group_by(ClaimRow.text_id)
    old = connection.execute(texts.where(ClaimRow.text_id.in_(copied))).all()
    shared = share_texts(connection, [row.text + suffix for row in old])
    new = [{"old_id": row.text_id, "new_id": shared[row.text + suffix]} for row in old]
    connection.execute(insert(_COPIED), new)


def _text_of_copy(claim_id: Any, text_id: Any) -> ColumnElement[int]:
    new = select(_COPIED.c.new_id).where(_COPIED.c.old_id == text_id).scalar_subquery()
    return case((claim_id % 2 == 0, new), else_=text_id)


def _other_hash(connection: Connection) -> ColumnElement[Any]:
    """Return a hash that no row has yet, as the database keeps hashes."""
    if connection.dialect.name == "sqlite":
        return func.randomblob(32)
    return func.concat(func.md5(cast(func.random(), String)), func.md5(cast(func.random(), String)))


def _first(number: Any, row: Any, run_id: str) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = (number < STEP) & (row.run_id == run_id)
    return condition


def _copy(connection: Connection, row: type[Base], changed: dict[str, Any], where: ColumnElement[bool]) -> None:
    names = [one.name for one in row.__table__.columns]
    values = [changed.get(name, row.__table__.columns[name]) for name in names]
    connection.execute(insert(row).from_select(names, select(*values).where(where)))
