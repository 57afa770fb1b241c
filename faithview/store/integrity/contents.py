"""Texts that are not those of their hashes, and quotations that stand elsewhere."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, and_, select
from sqlalchemy.exc import DBAPIError

from faithview.domain import content_hashes
from faithview.store.integrity.tables import EMPTIED, ROWS_AT_A_TIME, named, several
from faithview.store.schema.runs import ChunkRow, ClaimRow, ClaimTextRow, EvidenceRow, SampleChunkRow, SampleRow

_OWN_TEXTS = select(ClaimRow.id, ClaimRow.text, ClaimTextRow.claim_hash).join(
    ClaimTextRow, ClaimTextRow.id == ClaimRow.text_id
)
_SHARED_TEXTS = select(ClaimTextRow.id, ClaimTextRow.text, ClaimTextRow.claim_hash)


def hash_problems(connection: Connection) -> Iterator[str]:
    """Yield the tables whose texts are not those that their hashes were made of."""
    yield from _changed(
        "chunk",
        (
            row.id
            for row in _stream(connection, select(ChunkRow.id, ChunkRow.text, ChunkRow.text_hash, ChunkRow.chunk_hash))
            if (content_hashes.text_hash(row.text), content_hashes.chunk_hash(row.text))
            != (row.text_hash, row.chunk_hash)
        ),
    )
    for table, query in (("claim_text", _SHARED_TEXTS), ("claim", _OWN_TEXTS.where(ClaimRow.text.is_not(None)))):
        rows = _stream(connection, query)
        yield from _changed(table, (row.id for row in rows if content_hashes.claim_hash(row.text) != row.claim_hash))
    yield from _changed("sample", _changed_samples(connection))


def quotation_problems(connection: Connection) -> Iterator[str]:
    """Yield quotations that do not stand where they say in their chunk."""
    query = (
        select(EvidenceRow.claim_id, EvidenceRow.quote, EvidenceRow.start, EvidenceRow.end, ChunkRow.text)
        .join(ClaimRow, ClaimRow.id == EvidenceRow.claim_id)
        .join(
            SampleChunkRow,
            and_(SampleChunkRow.sample_id == ClaimRow.sample_id, SampleChunkRow.position == EvidenceRow.chunk_position),
        )
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
        .where(EvidenceRow.start.is_not(None), ClaimRow.run_id.not_in(EMPTIED))
    )
    found = [row.claim_id for row in _stream(connection, query) if not _stands_there(row)]
    if found:
        yield f"{len(found)} quotations do not stand in their chunk where they should, of claims {named(found)}."


def _stands_there(row: Any) -> bool:
    words = row.text[row.start : row.end]
    # Without words of its own, a quotation is what the chunk has there.
    return bool(words == row.quote if row.quote else len(words) == row.end - row.start)


def _changed_samples(connection: Connection) -> Iterator[int]:
    query = (
        select(
            SampleRow.id, SampleRow.question, SampleRow.answer, SampleRow.content_hash, ChunkRow.text_hash.label("part")
        )
        .join(SampleChunkRow, SampleChunkRow.sample_id == SampleRow.id, isouter=True)
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id, isouter=True)
        .where(SampleRow.content_hash.is_not(None))
        .order_by(SampleRow.id, SampleChunkRow.position)
    )
    for sample_id, grouped in groupby(_stream(connection, query), key=lambda row: row.id):
        rows = list(grouped)
        parts = [row.part for row in rows if row.part is not None]
        first = rows[0]
        hashed = content_hashes.content_hash_of(question=first.question, answer=first.answer, text_hashes=parts)
        if hashed != first.content_hash:
            yield sample_id


def _stream(connection: Connection, query: Select[*tuple[Any, ...]]) -> Iterator[Any]:
    return iter(connection.execution_options(yield_per=ROWS_AT_A_TIME).execute(query))


def _changed(table: str, ids: Iterable[int]) -> Iterator[str]:
    try:
        found = list(ids)
    except DBAPIError as error:
        yield f"A text of {table} cannot be read: {str(error.orig).splitlines()[0]}."
        return
    if found:
        yield f"{several(len(found))} rows of {table} have another text than their hash was made of: {named(found)}."
