"""Notes on claims, written separately or given with labels."""

from typing import Any

from sqlalchemy import Connection, Row, insert, literal, select

from faithview.domain.audit import Action
from faithview.domain.claim import ClaimRef
from faithview.domain.errors import NotFound
from faithview.domain.label import Note
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.review import LabelRow, NoteRow
from faithview.store.schema.runs import ClaimRow, SampleRow, public_claim_id


def add_note(db: Database, note: Note) -> None:
    """Store a note on a claim, outside any label; raises NotFound if the claim is not in the store."""
    with db.write() as connection:
        insert_note(connection, note)


def insert_note(connection: Connection, note: Note) -> None:
    """Do what `add_note` does in the caller's transaction."""
    place = note.place
    claim = (
        select(ClaimRow.id, ClaimRow.sample_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(SampleRow.run_id == place.run_id, SampleRow.position == place.row, ClaimRow.number == place.claim_number)
    )
    row = connection.execute(claim).one_or_none()
    if row is None:
        raise NotFound(f"Run {place.run_id} has no claim {place.claim_number} in row {place.row}.")
    connection.execute(
        insert(NoteRow),
        {
            "run_id": place.run_id,
            "sample_id": row.sample_id,
            "claim_id": row.id,
            "author": note.author,
            "at": note.at,
            "text": note.text,
        },
    )
    claim_id = public_claim_id(place.run_id, place.row, place.claim_number)
    record(connection, Action.NOTE_ADDED, run_id=place.run_id, subject=claim_id)


def list_thread(db: Database, place: ClaimRef) -> list[Note]:
    """Return all notes on a claim, oldest first, including those given with labels."""
    of_claim = (
        SampleRow.run_id == place.run_id,
        SampleRow.position == place.row,
        ClaimRow.number == place.claim_number,
    )
    with db.read() as connection:
        return sorted(
            (
                _to_note(row)
                for query in (_select_notes(), _label_notes())
                for row in connection.execute(query.where(*of_claim))
            ),
            key=lambda note: note.at,
        )


def list_notes_between(db: Database, run_id: str, first: int, last: int) -> dict[int, list[Note]]:
    """Return the notes, outside labels, on claims of the rows from one position to another, by position."""
    query = (
        _select_notes().where(NoteRow.run_id == run_id, SampleRow.position.between(first, last)).order_by(NoteRow.id)
    )
    by_row: dict[int, list[Note]] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            by_row.setdefault(row.position, []).append(_to_note(row))
    return by_row


def has_notes(db: Database, run_id: str) -> bool:
    """Return whether the run has a note on a claim, outside labels."""
    with db.read() as connection:
        return connection.execute(select(NoteRow.id).where(NoteRow.run_id == run_id).limit(1)).first() is not None


def _select_notes() -> Any:
    return (
        select(
            NoteRow.author,
            NoteRow.at,
            NoteRow.text,
            literal(False).label("is_of_label"),
            SampleRow.run_id,
            SampleRow.position,
            ClaimRow.number,
        )
        .select_from(NoteRow)
        .join(ClaimRow, ClaimRow.id == NoteRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
    )


def _label_notes() -> Any:
    return (
        select(
            LabelRow.reviewer.label("author"),
            LabelRow.at,
            LabelRow.note.label("text"),
            literal(True).label("is_of_label"),
            SampleRow.run_id,
            SampleRow.position,
            ClaimRow.number,
        )
        .select_from(LabelRow)
        .join(ClaimRow, ClaimRow.id == LabelRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(LabelRow.note.is_not(None))
    )


def _to_note(row: Row[Any]) -> Note:
    return Note(
        place=ClaimRef(run_id=row.run_id, row=row.position, claim_number=row.number),
        author=row.author,
        at=row.at,
        text=row.text,
        is_of_label=bool(row.is_of_label),
    )
