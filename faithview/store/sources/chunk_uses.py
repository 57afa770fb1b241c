"""How retrieved chunks were used in a run: retrieved how often, cited by claims of which verdict."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, case, func, select

from faithview.domain.claim import Verdict
from faithview.domain.views import View
from faithview.store.database import Database
from faithview.store.review.effective_verdicts import effective_verdict
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ChunkRow, CitationRow, ClaimRow, ResultRow, SampleChunkRow, SampleRow

_T = TypeVar("_T")

_BATCH = 500
# The gravest first; what people say is no claim comes after all of them.
_GRAVITY = (Verdict.CONTRADICTED, Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED, Verdict.SUPPORTED)
# What a list shows of a text; the rest stays in the database.
_SHOWN_CHARACTERS = 240
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """An answer to look at for a chunk.

    A claim that cites it, with the verdict that counts (None where people said that it is no claim) and the judge's
    reason, if it is the judge's; or an answer that retrieved it, and then `claim` and `text` are None too. `question`
    is cut to what a list can show.
    """

    row: int
    key: str
    question: str | None
    claim: int | None = None
    text: str | None = None
    verdict: Verdict | None = None
    explanation: str = ""


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
    verdict_column = effective_verdict(view)
    citing = (
        select(link.chunk_id, verdict_column, func.count())
        .join(CitationRow, CitationRow.claim_id == ClaimRow.id)
        .join(link, (link.sample_id == ClaimRow.sample_id) & (link.position == CitationRow.chunk_position))
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(ClaimRow.run_id == run_id)
        .group_by(link.chunk_id, verdict_column)
    )
    cited: dict[int, dict[Verdict, int]] = {}
    with db.read() as connection:
        for text_id, verdict, count in connection.execute(citing).all():
            if verdict is not None:
                cited.setdefault(text_id, {})[Verdict(verdict)] = count
        rows = connection.execute(retrieved).all()
        documents: dict[int, str | None] = {}
        for batch in _batches(rows):
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


def count_citing_claims(db: Database, run_id: str) -> int:
    """Return how many claims of a run cite any chunk."""
    query = (
        select(func.count(CitationRow.claim_id.distinct()))
        .join(ClaimRow, ClaimRow.id == CitationRow.claim_id)
        .where(ClaimRow.run_id == run_id)
    )
    with db.read() as connection:
        total: int = connection.execute(query).scalar_one()
    return total


def list_citing_claims(
    db: Database, run_id: str, text_ids: Sequence[int], *, limit: int, view: View = View.JUDGE
) -> tuple[Witness, ...]:
    """Return the claims of a run that cite any of these chunks, the gravest first, then in the order of the file."""
    link = SampleChunkRow
    effective = effective_verdict(view)
    gravity = case({verdict.value: at for at, verdict in enumerate(_GRAVITY)}, value=effective, else_=len(_GRAVITY))
    rank = gravity.label("gravity")  # by its name: PostgreSQL sorts what is distinct by selected columns only
    citing = (
        select(rank, ResultRow.position, ClaimRow.number, ClaimRow.id)
        .distinct()  # a claim may cite several chunks of a document, and counts once
        .join(CitationRow, CitationRow.claim_id == ClaimRow.id)
        .join(link, (link.sample_id == ClaimRow.sample_id) & (link.position == CitationRow.chunk_position))
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(ClaimRow.run_id == run_id)
        .order_by(rank, ResultRow.position, ClaimRow.number)
    )
    with db.read() as connection:
        first = _first_of(connection, citing, link.chunk_id, text_ids, limit)
        found: dict[int, Witness] = {}
        for batch in _batches([row.id for row in first]):
            query = (
                select(
                    ClaimRow.id,
                    ResultRow.position,
                    SampleRow.key,
                    func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"),
                    ClaimRow.number,
                    ClaimRow.text,
                    ClaimRow.verdict,
                    ClaimRow.explanation,
                    effective.label("effective"),
                )
                .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
                .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
                .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
                .where(ClaimRow.id.in_(batch))
            )
            for row in connection.execute(query):
                found[row.id] = Witness(
                    row=row.position,
                    key=row.key,
                    question=row.question,
                    claim=row.number,
                    text=row.text,
                    verdict=None if row.effective is None else Verdict(row.effective),
                    explanation=row.explanation if row.effective == row.verdict else "",
                )
    return tuple(found[row.id] for row in first)


def list_retrieving_answers(db: Database, run_id: str, text_ids: Sequence[int], *, limit: int) -> tuple[Witness, ...]:
    """Return answers of a run whose context holds any of these chunks, in the order of the file."""
    link = SampleChunkRow
    query = (
        select(
            ResultRow.position, SampleRow.key, func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question")
        )
        .distinct()
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .join(link, link.sample_id == ResultRow.sample_id)
        .where(ResultRow.run_id == run_id)
        .order_by(ResultRow.position)
    )
    with db.read() as connection:
        rows = _first_of(connection, query, link.chunk_id, text_ids, limit)
    return tuple(Witness(row=row.position, key=row.key, question=row.question) for row in rows)


def load_texts(db: Database, text_ids: Sequence[int]) -> dict[int, str]:
    """Return the texts of these chunks."""
    found: dict[int, str] = {}
    with db.read() as connection:
        for batch in _batches(text_ids):
            query = select(ChunkRow.id, ChunkRow.text).where(ChunkRow.id.in_(batch))
            found.update((row.id, row.text) for row in connection.execute(query))
    return found


def _first_of(connection: Connection, query: Any, column: Any, ids: Sequence[int], limit: int) -> list[Any]:
    """Return the first different rows of an ordered query whose column is among the ids, however many these are."""
    if len(ids) <= _BATCH:
        return list(connection.execute(query.where(column.in_(ids)).limit(limit)))
    # No statement takes so many. They are a good part of the run's, so that the first are soon met.
    wanted = set(ids)
    first: list[Any] = []
    rows = connection.execute(query.add_columns(column), execution_options={"yield_per": _BATCH})
    for row in rows:
        # What cites or holds several of the chunks comes several times, one after the other.
        if row[-1] in wanted and (not first or row[:-1] != first[-1][:-1]):
            first.append(row)
        if len(first) == limit:
            break
    rows.close()
    return first


def _batches(ids: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """Yield the ids in as many pieces as a statement's parameters allow."""
    return (ids[first : first + _BATCH] for first in range(0, len(ids), _BATCH))


def _document(meta: Mapping[str, Any]) -> str | None:
    return next((str(meta[name]) for name in _DOCUMENTS if meta.get(name)), None)
