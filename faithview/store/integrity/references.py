"""What is lost, doubled or orphaned where no foreign key says so."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Select, func, or_, select

from faithview.store.integrity.tables import EMPTIED, ROWS_AT_A_TIME, named, several
from faithview.store.schema.inbox import InboxClaimRow, InboxNameRow
from faithview.store.schema.runs import (
    CitationRow,
    ClaimRow,
    ClaimTextRow,
    EvidenceRow,
    ResultRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
)

_NAMED = (InboxClaimRow.segment_id, InboxClaimRow.document_id)


def reference_problems(connection: Connection) -> Iterator[str]:
    """Yield what is lost, doubled or orphaned, where no foreign key says so."""
    counted = select(SampleRow.run_id, func.count().label("rows")).group_by(SampleRow.run_id).subquery()
    claimed = select(ClaimRow.sample_id, func.count().label("claims")).group_by(ClaimRow.sample_id).subquery()
    cited = select(SampleChunkRow.sample_id, func.count().label("chunks")).group_by(SampleChunkRow.sample_id).subquery()
    queries: dict[str, Select[Any]] = {
        "runs have another number of answers than they were stored with": select(RunRow.id)
        .join(counted, counted.c.run_id == RunRow.id, isouter=True)
        .where(func.coalesce(counted.c.rows, 0) != RunRow.rows),
        "answers have no result": select(SampleRow.id)
        .join(ResultRow, ResultRow.sample_id == SampleRow.id, isouter=True)
        .where(ResultRow.sample_id.is_(None)),
        "results are not of the run or the row of their answer": select(ResultRow.sample_id)
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .where(or_(SampleRow.run_id != ResultRow.run_id, SampleRow.position != ResultRow.position)),
        "results have another number of claims than they count": select(ResultRow.sample_id)
        .join(claimed, claimed.c.sample_id == ResultRow.sample_id, isouter=True)
        .where(func.coalesce(claimed.c.claims, 0) != ResultRow.claims),
        "claims are not of the run of their answer": select(ClaimRow.id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(SampleRow.run_id != ClaimRow.run_id),
        "claims are not in the inbox": select(ClaimRow.id)
        .join(InboxClaimRow, InboxClaimRow.claim_id == ClaimRow.id, isouter=True)
        .where(InboxClaimRow.claim_id.is_(None), ClaimRow.run_id.not_in(EMPTIED)),
        "claims have no text": select(ClaimRow.id)
        .join(ClaimTextRow, ClaimTextRow.id == ClaimRow.text_id, isouter=True)
        .where(ClaimTextRow.id.is_(None), ClaimRow.run_id.not_in(EMPTIED)),
        "claims have another text in the inbox": select(ClaimRow.id)
        .join(InboxClaimRow, InboxClaimRow.claim_id == ClaimRow.id)
        .where(InboxClaimRow.text_id != ClaimRow.text_id),
        "claims in the inbox have a segment or document without a name": select(InboxClaimRow.claim_id).where(
            or_(
                *(column.is_not(None) & column.not_in(select(InboxNameRow.id)) for column in _NAMED),
            )
        ),
        **{
            f"{name} name a chunk that their answer does not have": select(row.claim_id)
            .join(ClaimRow, ClaimRow.id == row.claim_id)
            .join(cited, cited.c.sample_id == ClaimRow.sample_id, isouter=True)
            .where(or_(row.chunk_position < 0, row.chunk_position >= func.coalesce(cited.c.chunks, 0)))
            for name, row in (("citations", CitationRow), ("quotations", EvidenceRow))
        },
    }
    for words, query in queries.items():
        found = connection.execute(query.limit(ROWS_AT_A_TIME)).scalars().all()
        if found:
            yield f"{several(len(found))} {words}: {named(found)}."
