"""The data of a run's judged answers: texts, columns, chunks and citations, in a few wide queries."""

from typing import Any, NamedTuple

from sqlalchemy import select

from faithview.domain.answer import View
from faithview.domain.result import State
from faithview.store.claims import CLAIM_TEXT, results_under
from faithview.store.database import Database
from faithview.store.schema.runs import CitationRow, ClaimRow, SampleChunkRow, SampleRow, is_of_runs


class AnswerFact(NamedTuple):
    """One judged answer. `cluster` identifies its question and `claims` counts the claims in its score.

    A tuple, like the others here, because tens of thousands of them are read at once.
    """

    sample_id: int
    position: int
    segment: str | None
    cluster: str
    faithfulness: float
    claims: int
    question: str | None
    answer: str
    extra: dict[str, Any]


class ChunkFact(NamedTuple):
    """A chunk as one answer retrieved it; `position` counts from 0 and `rank` is the file's, usually from 1."""

    sample_id: int
    position: int
    chunk_id: str
    rank: int
    score: float | None
    meta: dict[str, Any]


class ClaimFact(NamedTuple):
    """A claim of the judge."""

    sample_id: int
    text: str


class CitationFact(NamedTuple):
    """A chunk that a claim cites; `ordinal` is 0 for the most important one."""

    sample_id: int
    ordinal: int
    chunk_position: int


def list_answers(db: Database, run_id: str, *, view: View) -> list[AnswerFact]:
    """Return the judged answers of a run under a view's verdicts, in the order of the file."""
    scores = results_under(view).c
    query = (
        select(
            scores.sample_id,
            scores.position,
            scores.segment,
            scores.cluster,
            scores.faithfulness,
            scores.claims,
            SampleRow.question,
            SampleRow.answer,
            SampleRow.extra,
        )
        .join(SampleRow, SampleRow.id == scores.sample_id)
        .where(scores.run_id == run_id, scores.state == State.JUDGED, scores.faithfulness.is_not(None))
        .order_by(scores.position)
    )
    with db.read() as connection:
        return [AnswerFact._make(row) for row in connection.execute(query).all()]


def list_chunks(db: Database, run_id: str) -> list[ChunkFact]:
    """Return the chunks that the answers of a run retrieved."""
    link = SampleChunkRow
    query = (
        select(link.sample_id, link.position, link.external_id, link.rank, link.score, link.meta)
        .join(SampleRow, SampleRow.id == link.sample_id)
        .where(SampleRow.run_id == run_id)
    )
    with db.read() as connection:
        return [ChunkFact._make(row) for row in connection.execute(query).all()]


def list_claims(db: Database, run_id: str) -> list[ClaimFact]:
    """Return the claims of a run."""
    query = select(ClaimRow.sample_id, CLAIM_TEXT).where(is_of_runs(run_id))
    with db.read() as connection:
        return [ClaimFact._make(row) for row in connection.execute(query).all()]


def list_citations(db: Database, run_id: str) -> list[CitationFact]:
    """Return the citations of a run's claims."""
    query = (
        select(ClaimRow.sample_id, CitationRow.ordinal, CitationRow.chunk_position)
        .join(ClaimRow, ClaimRow.id == CitationRow.claim_id)
        .where(is_of_runs(run_id))
    )
    with db.read() as connection:
        return [CitationFact._make(row) for row in connection.execute(query).all()]
