"""How retrieved chunks were used in a run: retrieved how often, cited by claims of which verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select

from faithview.domain.claim import Verdict
from faithview.domain.views import View
from faithview.store.database import Database
from faithview.store.review_schema import ClaimReviewRow
from faithview.store.schema import ChunkRow, CitationRow, ClaimRow, ResultRow, SampleChunkRow

_BATCH = 500
# A chunk's metadata that say which document it is from, the plainest first.
_DOCUMENTS = ("document", "document_id", "doc_id", "article_id", "source", "file", "url", "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkUse:
    """One chunk's text in one run.

    `retrieved` counts answers whose context holds it; `cited` counts claims that cite it, by verdict (what people said
    is no claim is not counted). `first_row` is an answer that retrieved it.
    """

    text_id: int
    chunk_id: str
    document: str | None
    retrieved: int
    first_row: int
    cited: Mapping[Verdict, int] = field(default_factory=dict)


def list_chunk_uses(db: Database, run_id: str, *, view: View = View.JUDGE) -> list[ChunkUse]:
    """Return how every chunk that a run's answers retrieved was used, the most retrieved first."""
    link = SampleChunkRow
    retrieved = (
        select(
            link.chunk_id,
            func.min(link.external_id).label("external_id"),
            func.count(link.sample_id.distinct()).label("retrieved"),
            func.min(ResultRow.position).label("row"),
            func.min(link.sample_id).label("sample_id"),
        )
        .join(ResultRow, ResultRow.sample_id == link.sample_id)
        .where(ResultRow.run_id == run_id)
        .group_by(link.chunk_id)
    )
    review = ClaimReviewRow.__table__
    citing = (
        select(link.chunk_id, ClaimRow.verdict, review.c.verdict.label("people"), review.c.source, func.count())
        .join(CitationRow, CitationRow.claim_id == ClaimRow.id)
        .join(link, (link.sample_id == ClaimRow.sample_id) & (link.position == CitationRow.chunk_position))
        .outerjoin(review, review.c.claim_id == ClaimRow.id)
        .where(ClaimRow.run_id == run_id)
        .group_by(link.chunk_id, ClaimRow.verdict, review.c.verdict, review.c.source)
    )
    cited: dict[int, dict[Verdict, int]] = {}
    with db.read() as connection:
        for text_id, judged, people, source, count in connection.execute(citing).all():
            effective = judged if view is View.JUDGE or source is None else people
            if effective is not None:
                counts = cited.setdefault(text_id, {})
                counts[Verdict(effective)] = counts.get(Verdict(effective), 0) + count
        rows = connection.execute(retrieved).all()
        documents: dict[int, str | None] = {}
        for first in range(0, len(rows), _BATCH):
            batch = rows[first : first + _BATCH]
            metas = select(link.sample_id, link.chunk_id, link.meta).where(
                link.sample_id.in_({row.sample_id for row in batch}), link.chunk_id.in_([row.chunk_id for row in batch])
            )
            documents.update((text_id, _document(meta)) for _, text_id, meta in connection.execute(metas).all())
    return sorted(
        (
            ChunkUse(
                text_id=row.chunk_id,
                chunk_id=row.external_id,
                document=documents.get(row.chunk_id),
                retrieved=row.retrieved,
                first_row=row.row,
                cited=cited.get(row.chunk_id, {}),
            )
            for row in rows
        ),
        key=lambda use: (-use.retrieved, use.chunk_id),
    )


def load_texts(db: Database, text_ids: list[int]) -> dict[int, str]:
    """Return the texts of a few chunks."""
    with db.read() as connection:
        query = select(ChunkRow.id, ChunkRow.text).where(ChunkRow.id.in_(text_ids))
        return {row.id: row.text for row in connection.execute(query)}


def _document(meta: Mapping[str, Any]) -> str | None:
    return next((str(meta[name]) for name in _DOCUMENTS if meta.get(name)), None)
