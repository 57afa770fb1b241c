"""How often a run's answers retrieved each chunk, and the verdicts of the claims that cite it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, case, func, select

from faithview.domain.answer import View
from faithview.domain.certainty import UNSTATED, Certainty, certainty_of
from faithview.domain.claim import WORST_FIRST, Verdict
from faithview.domain.knowledge import document_name
from faithview.store import dialect
from faithview.store.claims import CLAIM_TEXT, SETTLED, effective_verdict, judge_of_claim
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import CitationRow, ClaimRow, ResultRow, SampleChunkRow, SampleRow, is_of_runs

# How much of a text a list shows; the rest stays in the database.
_SHOWN_CHARACTERS = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkUse:
    """One chunk's text in one run.

    `retrieved` counts answers whose context contains it; `cited` counts claims that cite it, by verdict (without those
    labelled "not a claim"). `first_row` is an answer that retrieved it.
    """

    text_id: int
    chunk_id: str
    document: str | None
    retrieved: int
    first_row: int
    cited: Mapping[Verdict, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A claim that cites a chunk; or an answer that retrieved it, with `claim`, `text` and `verdict` None.

    `verdict` follows the view, None if reviewers said that it is not a claim. `explanation` is the judge's, empty if
    reviewers changed the verdict. `certainty` is how sure the judge is of the verdict. `question` is truncated for
    lists. `claim_id` is the claim's id in the database.
    """

    row: int
    key: str
    question: str | None
    claim: int | None = None
    text: str | None = None
    verdict: Verdict | None = None
    explanation: str = ""
    certainty: Certainty = UNSTATED
    claim_id: int | None = None


def list_chunk_uses(db: Database, run_id: str, *, view: View = View.JUDGE) -> list[ChunkUse]:
    """Return how each chunk that a run's answers retrieved was used, the most retrieved first."""
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
        .where(is_of_runs(run_id))
        .group_by(link.chunk_id, verdict_column)
    )
    cited: dict[int, dict[Verdict, int]] = {}
    with db.read() as connection:
        for text_id, verdict, count in connection.execute(citing).all():
            if verdict is not None:
                cited.setdefault(text_id, {})[Verdict(verdict)] = count
        rows = connection.execute(retrieved).all()
        documents: dict[int, str | None] = {}
        for batch in dialect.batches(rows):
            metas = select(link.sample_id, link.chunk_id, link.meta).where(
                link.sample_id.in_({row.sample_id for row in batch}), link.chunk_id.in_([row.chunk_id for row in batch])
            )
            documents.update((text_id, document_name(meta)) for _, text_id, meta in connection.execute(metas).all())
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
    """Return how many claims of a run cite at least one chunk."""
    query = (
        select(func.count(CitationRow.claim_id.distinct()))
        .join(ClaimRow, ClaimRow.id == CitationRow.claim_id)
        .where(is_of_runs(run_id))
    )
    with db.read() as connection:
        total: int = connection.execute(query).scalar_one()
    return total


def list_citing_claims(
    db: Database, run_id: str, text_ids: Sequence[int], *, limit: int, view: View = View.JUDGE
) -> tuple[Citation, ...]:
    """Return the claims of a run that cite any of these chunks: worst verdict first, then in the order of the file."""
    link = SampleChunkRow
    effective = effective_verdict(view)
    # Claims labelled "not a claim" come last.
    ranks = {verdict.value: rank for rank, verdict in enumerate(WORST_FIRST)}
    # Selected, because PostgreSQL sorts distinct rows only by selected columns.
    rank = case(ranks, value=effective, else_=len(ranks)).label("rank")
    citing = (
        select(rank, ResultRow.position, ClaimRow.number, ClaimRow.id)
        .distinct()  # a claim may cite several chunks of a document
        .join(CitationRow, CitationRow.claim_id == ClaimRow.id)
        .join(link, (link.sample_id == ClaimRow.sample_id) & (link.position == CitationRow.chunk_position))
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(is_of_runs(run_id))
        .order_by(rank, ResultRow.position, ClaimRow.number)
    )
    with db.read() as connection:
        first = _first_of(connection, citing, link.chunk_id, text_ids, limit)
        citations: dict[int, Citation] = {}
        for batch in dialect.batches([row.id for row in first]):
            query = (
                select(
                    ClaimRow.id,
                    ResultRow.position,
                    SampleRow.key,
                    func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"),
                    ClaimRow.number,
                    CLAIM_TEXT,
                    ClaimRow.verdict,
                    ClaimRow.explanation,
                    ClaimRow.confidence,
                    judge_of_claim().label("judge"),
                    ClaimReviewRow.source,
                    effective.label("effective"),
                )
                .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
                .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
                .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
                .where(ClaimRow.id.in_(batch))
            )
            for row in connection.execute(query):
                citations[row.id] = Citation(
                    row=row.position,
                    key=row.key,
                    question=row.question,
                    claim=row.number,
                    text=row.text,
                    verdict=None if row.effective is None else Verdict(row.effective),
                    explanation=row.explanation if row.effective == row.verdict else "",
                    certainty=_certainty(row, view),
                    claim_id=row.id,
                )
    return tuple(citations[row.id] for row in first)


def _certainty(row: Row[Any], view: View) -> Certainty:
    certainty = certainty_of(Verdict(row.verdict), row.confidence, row.judge)
    if row.source not in SETTLED:
        return certainty
    return certainty.once_labelled() if view is View.JUDGE else UNSTATED


def list_retrieving_answers(db: Database, run_id: str, text_ids: Sequence[int], *, limit: int) -> tuple[Citation, ...]:
    """Return answers of a run whose context contains any of these chunks, in the order of the file."""
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
    return tuple(Citation(row=row.position, key=row.key, question=row.question) for row in rows)


def _first_of(connection: Connection, query: Any, column: Any, ids: Sequence[int], limit: int) -> list[Any]:
    """Return the first distinct rows of an ordered query whose column is among the ids; there may be many ids."""
    if len(ids) <= dialect.BATCH_SIZE:
        return list(connection.execute(query.where(column.in_(ids)).limit(limit)))
    # One statement cannot take this many ids. They are a large part of the run's, so the first rows are found soon.
    wanted = set(ids)
    first: list[Any] = []
    rows = connection.execute(query.add_columns(column), execution_options={"yield_per": dialect.BATCH_SIZE})
    for row in rows:
        # A claim or answer with several of the chunks appears several times in succession.
        if row[-1] in wanted and (not first or row[:-1] != first[-1][:-1]):
            first.append(row)
        if len(first) == limit:
            break
    rows.close()
    return first
