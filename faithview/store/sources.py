"""The chunks that a run's answers retrieved, and the claims that cite them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import and_, func, select

from faithview.domain.answer import View
from faithview.domain.certainty import UNSTATED, Certainty, certainty_of
from faithview.domain.claim import Verdict
from faithview.store import dialect
from faithview.store.claims import SETTLED, effective_verdict, judge_of_claim
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import (
    ChunkRow,
    CitationRow,
    ClaimRow,
    ResultRow,
    SampleChunkRow,
    SampleRow,
    is_of_runs,
)

# Lists show the start of a question; the rest stays in the database.
_QUESTION = func.substr(SampleRow.question, 1, 240).label("question")


class Retrieved(NamedTuple):
    """A chunk that an answer retrieved; `text_id` is the id of its text, and `meta` its metadata in the file."""

    row: int
    text_id: int
    chunk_hash: str
    chunk_id: str
    meta: Mapping[str, Any]


class Citing(NamedTuple):
    """A claim, once for each chunk that it cites, or once with `text_id` None if it cites none.

    `verdict` follows the view, None if reviewers said that it is not a claim. Answers to one question have the same
    `cluster`.
    """

    row: int
    number: int
    claim_id: int
    cluster: str
    text: str
    verdict: str | None
    text_id: int | None


def list_retrieved(db: Database, run_id: str) -> list[Retrieved]:
    """Return the chunks that the answers of a run retrieved, in the order of the file."""
    link = SampleChunkRow
    query = (
        select(ResultRow.position, link.chunk_id, ChunkRow.chunk_hash, link.external_id, link.meta)
        .join(ResultRow, ResultRow.sample_id == link.sample_id)
        .join(ChunkRow, ChunkRow.id == link.chunk_id)
        .where(ResultRow.run_id == run_id)
        .order_by(ResultRow.position, link.position)
    )
    with db.read() as connection:
        return [Retrieved._make(row) for row in connection.execute(query)]


def list_citing(db: Database, run_id: str, *, view: View) -> list[Citing]:
    """Return the claims of a run with the chunks that they cite, the best first, in the order of the file."""
    link = SampleChunkRow
    query = (
        select(
            ResultRow.position,
            ClaimRow.number,
            ClaimRow.id,
            ResultRow.cluster,
            ClaimRow.text,
            effective_verdict(view),
            link.chunk_id,
        )
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .outerjoin(CitationRow, CitationRow.claim_id == ClaimRow.id)
        .outerjoin(link, and_(link.sample_id == ClaimRow.sample_id, link.position == CitationRow.chunk_position))
        .where(is_of_runs(run_id))
        .order_by(ResultRow.position, ClaimRow.number, CitationRow.ordinal)
    )
    with db.read() as connection:
        return [Citing._make(row) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedClaim:
    """A claim as lists show it; or an answer alone, with `row`, `key` and `question` only.

    `row` and `number` are its places in its run and its answer, from 1, and `key` is the answer's id. `verdict` follows
    the view, None if reviewers said that it is not a claim. `certainty` and `explanation` are about the judge's
    verdict, and empty if reviewers gave another one. `quotes` are (chunk's id, words), the best first.
    """

    row: int
    key: str
    question: str | None
    number: int | None = None
    text: str = ""
    verdict: Verdict | None = None
    certainty: Certainty = UNSTATED
    explanation: str = ""
    quotes: tuple[tuple[str, str], ...] = ()


def load_claims(db: Database, claim_ids: Collection[int], *, view: View) -> dict[int, ListedClaim]:
    """Return claims by their database ids; quotes that are not verbatim in their chunk are left out."""
    link = SampleChunkRow
    cited = select(ClaimRow.id, link.position, link.external_id).join(link, link.sample_id == ClaimRow.sample_id)
    query = (
        select(
            ClaimRow.id,
            SampleRow.position,
            SampleRow.key,
            _QUESTION,
            ClaimRow.number,
            ClaimRow.text,
            ClaimRow.verdict,
            effective_verdict(view).label("effective"),
            ClaimRow.confidence,
            ClaimRow.explanation,
            ClaimRow.evidence,
            judge_of_claim().label("judge"),
            ClaimReviewRow.source,
        )
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
    )
    chunk_ids: dict[tuple[int, int], str] = {}
    details: dict[int, ListedClaim] = {}
    with db.read() as connection:
        for row in connection.execute(cited.where(dialect.among(ClaimRow.id, claim_ids))):
            chunk_ids[row.id, row.position] = row.external_id
        for row in connection.execute(query.where(dialect.among(ClaimRow.id, claim_ids))):
            certainty = certainty_of(Verdict(row.verdict), row.confidence, row.judge)
            if row.source in SETTLED:
                certainty = certainty.once_labelled() if view is View.JUDGE else UNSTATED
            details[row.id] = ListedClaim(
                row=row.position,
                key=row.key,
                question=row.question,
                number=row.number,
                text=row.text,
                verdict=None if row.effective is None else Verdict(row.effective),
                certainty=certainty,
                explanation=row.explanation if row.effective == row.verdict else "",
                quotes=tuple(
                    (chunk_ids[row.id, position], quote) for position, quote, *span in row.evidence or () if span
                ),
            )
    return details


def list_answers(db: Database, run_id: str, rows: Sequence[int]) -> list[ListedClaim]:
    """Return answers of a run, without claims, in the given order of their rows."""
    query = select(SampleRow.position, SampleRow.key, _QUESTION).where(SampleRow.run_id == run_id)
    with db.read() as connection:
        found = {
            row: ListedClaim(row=row, key=key, question=question)
            for row, key, question in connection.execute(query.where(dialect.among(SampleRow.position, rows)))
        }
    return [found[row] for row in rows]
