"""What a list shows of claims: their texts, and the sentences that their verdicts rest on."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import case, func, select

from faithview.domain.claim import Verdict
from faithview.store import dialect
from faithview.store.claim_texts import CLAIM_TEXT
from faithview.store.database import Database
from faithview.store.schema.runs import ChunkRow, ClaimRow, EvidenceRow, SampleChunkRow, SampleRow

__all__ = ["ClaimDetail", "Quote", "load_claim_details"]

# How much of a question a list shows.
_SHOWN_CHARACTERS = 240
_FROM_CHUNK = func.substr(ChunkRow.text, EvidenceRow.start + 1, EvidenceRow.end - EvidenceRow.start)
_QUOTE = case((EvidenceRow.quote == "", _FROM_CHUNK), else_=EvidenceRow.quote)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words of a chunk, exactly as they stand there."""

    chunk_id: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDetail:
    """A claim as its judge left it, with the quotes that it rests on, the best first."""

    key: str
    question: str | None
    text: str
    verdict: Verdict
    confidence: float | None
    explanation: str
    quotes: tuple[Quote, ...] = ()


def load_claim_details(db: Database, claim_ids: Collection[int]) -> dict[int, ClaimDetail]:
    """Return claims by their database ids; quotes that do not stand in their chunk word for word are left out."""
    link = SampleChunkRow
    details: dict[int, ClaimDetail] = {}
    with db.read() as connection:
        for batch in dialect.batches(sorted(claim_ids)):
            quotes: dict[int, list[Quote]] = {}
            quoted = (
                select(EvidenceRow.claim_id, link.external_id, _QUOTE.label("quote"))
                .join(ClaimRow, ClaimRow.id == EvidenceRow.claim_id)
                .join(link, (link.sample_id == ClaimRow.sample_id) & (link.position == EvidenceRow.chunk_position))
                .join(ChunkRow, ChunkRow.id == link.chunk_id)
                .where(EvidenceRow.claim_id.in_(batch), EvidenceRow.start.is_not(None))
                .order_by(EvidenceRow.claim_id, EvidenceRow.ordinal)
            )
            for claim_id, chunk_id, quote in connection.execute(quoted):
                quotes.setdefault(claim_id, []).append(Quote(chunk_id=chunk_id, quote=quote))
            query = (
                select(
                    ClaimRow.id,
                    SampleRow.key,
                    func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"),
                    CLAIM_TEXT,
                    ClaimRow.verdict,
                    ClaimRow.confidence,
                    ClaimRow.explanation,
                )
                .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
                .where(ClaimRow.id.in_(batch))
            )
            for row in connection.execute(query):
                details[row.id] = ClaimDetail(
                    key=row.key,
                    question=row.question,
                    text=row.text,
                    verdict=Verdict(row.verdict),
                    confidence=row.confidence,
                    explanation=row.explanation,
                    quotes=tuple(quotes.get(row.id, ())),
                )
    return details
