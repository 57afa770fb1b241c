"""The answers of a run for comparisons: narrow rows first, then claims and chunks of the pairs that changed.

A comparison of large runs reads a million rows. They are read one at a time and turned into few small objects, because
the garbage collector visits every live object.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, select

from faithview.domain import content_hashes
from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.label import Label
from faithview.domain.pairing import ChunkFacts
from faithview.domain.result import State
from faithview.domain.scoring import apply_labels
from faithview.store import dialect
from faithview.store.claims import effective_verdict, results_under
from faithview.store.database import Database
from faithview.store.reviews import LABELS, to_label
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import ChunkRow, CitationRow, ClaimRow, ResultRow, SampleChunkRow, SampleRow


class StoredAnswer(NamedTuple):
    """One answer.

    `score`, None if it has none, and `is_faithful` follow the view. Answers to one question have the same `cluster`.
    """

    row: int
    sample_id: int
    key: str
    question: str | None
    answer: str
    context_hash: str
    cluster: str
    segment: str | None
    state: State
    score: float | None
    is_faithful: bool | None


class StoredScore(NamedTuple):
    """A judged answer's score, without its texts."""

    sample_id: int
    score: float


class StoredClaim(NamedTuple):
    """One claim.

    `verdict` follows the view; None if reviewers said that it is not a claim. A claim that reviewers added has no
    `number`.
    """

    claim_id: int
    number: int | None
    claim_hash: str
    verdict: Verdict | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk(ChunkFacts):
    """One retrieved chunk; `text_id` is the id of its text."""

    text_id: int


def load_answers(db: Database, run_id: str, view: View = View.JUDGE) -> list[StoredAnswer]:
    """Return the answers of a run in the order of the file."""
    scores = results_under(view).c
    query = (
        select(
            SampleRow.position,
            SampleRow.id,
            SampleRow.key,
            SampleRow.question,
            SampleRow.answer,
            SampleRow.context_hash,
            scores.cluster,
            scores.segment,
            scores.state,
            scores.faithfulness,
            scores.is_faithful,
        )
        .join(scores.sample_id.table, scores.sample_id == SampleRow.id)
        .where(SampleRow.run_id == run_id)
        .order_by(SampleRow.position)
    )
    with db.read() as connection:
        return [
            StoredAnswer(
                row=row.position,
                sample_id=row.id,
                key=row.key,
                question=row.question,
                answer=row.answer,
                context_hash=row.context_hash,
                cluster=row.cluster,
                segment=row.segment,
                state=State(row.state),
                score=row.faithfulness if row.state == State.JUDGED else None,
                is_faithful=row.is_faithful,
            )
            for row in connection.execute(query)
        ]


def load_scores(db: Database, run_id: str) -> dict[int, StoredScore]:
    """Return the judge's scores of a run's judged answers by their rows, in the order of the file."""
    query = (
        select(ResultRow.position, ResultRow.sample_id, ResultRow.faithfulness)
        .where(
            ResultRow.run_id == run_id,
            ResultRow.state == State.JUDGED,
        )
        .order_by(ResultRow.position)
    )
    with db.read() as connection:
        return {
            row: StoredScore(sample_id, score)
            for row, sample_id, score in connection.execute(query)
            if score is not None
        }


def load_claims(db: Database, sample_ids: Sequence[int], view: View = View.JUDGE) -> dict[int, list[StoredClaim]]:
    """Return the claims of each answer in their order, with reviewers' verdicts if the view uses them."""
    query = (
        select(ClaimRow.sample_id, ClaimRow.id, ClaimRow.number, ClaimRow.claim_hash)
        .add_columns(effective_verdict(view).label("effective"), ClaimRow.text)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(dialect.among(ClaimRow.sample_id, sample_ids))
        .order_by(ClaimRow.sample_id, ClaimRow.number)
    )
    # A dict, because hundreds of thousands of calls of the enumeration take a second.
    verdicts = {verdict.value: verdict for verdict in Verdict}
    claims: dict[int, list[StoredClaim]] = {}
    with db.read() as connection:
        for sample_id, claim_id, number, digest, effective, text in connection.execute(query):
            verdict = verdicts[effective] if effective else None
            claims.setdefault(sample_id, []).append(StoredClaim(claim_id, number, digest, verdict, text))
        for sample_id, claim in _load_missed_claims(connection, sample_ids) if view is not View.JUDGE else ():
            claims.setdefault(sample_id, []).append(claim)
    return claims


def load_citations(db: Database, claims: Iterable[StoredClaim]) -> dict[int, tuple[int, ...]]:
    """Return by claim id the positions of the cited chunks in the answer's context, best first.

    Claims without citations are missing.
    """
    query = (
        select(CitationRow.claim_id, CitationRow.chunk_position)
        .where(dialect.among(CitationRow.claim_id, [claim.claim_id for claim in claims if claim.number is not None]))
        .order_by(CitationRow.claim_id, CitationRow.ordinal)
    )
    cited: dict[int, tuple[int, ...]] = {}
    with db.read() as connection:
        for claim_id, position in connection.execute(query):
            cited[claim_id] = (*cited.get(claim_id, ()), position)
    return cited


def load_contexts(db: Database, sample_ids: Sequence[int]) -> dict[int, list[StoredChunk]]:
    """Return the chunks of each answer in their order; answers without chunks are missing."""
    link = SampleChunkRow
    query = (
        select(link.sample_id, link.external_id, link.rank, link.chunk_id, ChunkRow.chunk_hash)
        .join(ChunkRow, ChunkRow.id == link.chunk_id)
        .where(dialect.among(link.sample_id, sample_ids))
        .order_by(link.sample_id, link.position)
    )
    contexts: dict[int, list[StoredChunk]] = {}
    with db.read() as connection:
        for sample_id, external_id, rank, text_id, digest in connection.execute(query):
            chunk = StoredChunk(chunk_id=external_id, chunk_hash=digest, rank=rank, text_id=text_id)
            contexts.setdefault(sample_id, []).append(chunk)
    return contexts


def find_samples(db: Database, run_id: str, rows: Sequence[int]) -> dict[int, int]:
    """Return the sample ids of a run's rows."""
    query = select(SampleRow.position, SampleRow.id).where(
        SampleRow.run_id == run_id, dialect.among(SampleRow.position, rows)
    )
    with db.read() as connection:
        return dict(connection.execute(query).all())


def _load_missed_claims(connection: Connection, sample_ids: Sequence[int]) -> Iterable[tuple[int, StoredClaim]]:
    """Yield (answer, claim) for the claims that reviewers added because the judge had missed them."""
    labels: dict[int, list[Label]] = {}
    query = LABELS.where(dialect.among(LabelRow.sample_id, sample_ids), LabelRow.claim_id.is_(None))
    for row in connection.execute(query.order_by(LabelRow.id)):
        labels.setdefault(row.sample_id, []).append(to_label(row))
    for sample_id, history in labels.items():
        for label in apply_labels((), history).missed:
            text = label.corrected_text or ""
            digest = content_hashes.claim_hash(text)
            if label.verdict is not None:
                yield sample_id, StoredClaim(-label.label_id, None, digest, label.verdict, text)
