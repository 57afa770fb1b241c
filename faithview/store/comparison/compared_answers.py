"""The answers of a run as a comparison needs them: narrow rows first, claims, chunks and texts only where asked for."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from faithview.domain import identity
from faithview.domain.claim import Verdict
from faithview.domain.label import Label
from faithview.domain.matching import ChunkFacts
from faithview.domain.result import State
from faithview.domain.scoring import review_answer
from faithview.domain.views import View
from faithview.store.database import Database
from faithview.store.review.effective_verdicts import effective_verdict
from faithview.store.review.label_rows import LABELS, to_label
from faithview.store.runs.results_under import results_under
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import ChunkRow, CitationRow, ClaimRow, SampleChunkRow, SampleRow

_BATCH = 500
# Columns by which other tools name a row; the row's key is looked for in them and they in each other.
_ID_COLUMNS = ("id", "external_id", "question_id", "sample_id", "record_id", "example_id", "uuid", "uid")
# Where a row tells everything that the retriever returned, what was cut off before the model included.
_RETRIEVED = "retrieved_chunk_ids"
# Looked up, for hundreds of thousands of calls of the enumeration take a second.
_VERDICTS = {verdict.value: verdict for verdict in Verdict}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """One answer; `score` and `is_faithful` are as the view says, `cluster` tells questions apart."""

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
    external_ids: frozenset[str]
    retrieved: frozenset[str]


class StoredClaim(NamedTuple):
    """One claim; `number` is None for one that people found, whose text is `text`. `verdict` None is no claim.

    `cited` are positions in the answer's context, best first.
    """

    claim_id: int
    number: int | None
    claim_hash: str
    verdict: Verdict | None
    cited: tuple[int, ...]
    text: str | None = None


class StoredChunk(NamedTuple):
    """One retrieved chunk: what it is known by, and where its text is."""

    facts: ChunkFacts
    text_id: int


def load_answers(db: Database, run_id: str, view: View, *, row: int | None = None) -> list[StoredAnswer]:
    """Return the answers of a run in the order of the file, or the one in that row."""
    scores = results_under(view).c
    query = (
        select(
            SampleRow.position,
            SampleRow.id,
            SampleRow.key,
            SampleRow.question,
            SampleRow.answer,
            SampleRow.context_hash,
            SampleRow.extra,
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
    if row is not None:
        query = query.where(SampleRow.position == row)
    with db.read() as connection:
        return [
            StoredAnswer(
                row=found.position,
                sample_id=found.id,
                key=found.key,
                question=found.question,
                answer=found.answer,
                context_hash=found.context_hash,
                cluster=found.cluster,
                segment=found.segment,
                state=State(found.state),
                score=found.faithfulness if found.state == State.JUDGED else None,
                is_faithful=found.is_faithful,
                external_ids=_external_ids(found.extra),
                retrieved=_retrieved(found.extra),
            )
            for found in connection.execute(query).all()
        ]


def load_claims(db: Database, sample_ids: Sequence[int], view: View) -> dict[int, list[StoredClaim]]:
    """Return the claims of each answer in their order, under people's verdicts where the view asks for them."""
    claims: dict[int, list[StoredClaim]] = {}
    with db.read() as connection:
        for batch in _batches(sample_ids):
            cited: dict[int, list[int]] = {}
            citations = (
                select(CitationRow.claim_id, CitationRow.chunk_position)
                .join(ClaimRow, ClaimRow.id == CitationRow.claim_id)
                .where(ClaimRow.sample_id.in_(batch))
                .order_by(CitationRow.claim_id, CitationRow.ordinal)
            )
            for claim_id, position in connection.execute(citations).all():
                cited.setdefault(claim_id, []).append(position)
            query = (
                select(ClaimRow.sample_id, ClaimRow.id, ClaimRow.number, ClaimRow.claim_hash, effective_verdict(view))
                .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
                .where(ClaimRow.sample_id.in_(batch))
                .order_by(ClaimRow.sample_id, ClaimRow.number)
            )
            for sample_id, claim_id, number, digest, effective in connection.execute(query).all():
                claims.setdefault(sample_id, []).append(
                    StoredClaim(
                        claim_id=claim_id,
                        number=number,
                        claim_hash=digest,
                        verdict=_VERDICTS[effective] if effective else None,
                        cited=tuple(cited.get(claim_id, ())),
                    )
                )
        if view is not View.JUDGE:
            for sample_id, missed in _missed(connection, sample_ids).items():
                claims.setdefault(sample_id, []).extend(missed)
    return claims


def load_contexts(db: Database, sample_ids: Sequence[int]) -> dict[int, list[StoredChunk]]:
    """Return the chunks of each answer in their order; answers without chunks are missing."""
    link = SampleChunkRow
    found: dict[int, list[StoredChunk]] = {}
    with db.read() as connection:
        for batch in _batches(sample_ids):
            query = (
                select(link.sample_id, link.external_id, link.rank, link.chunk_id, ChunkRow.chunk_hash)
                .join(ChunkRow, ChunkRow.id == link.chunk_id)
                .where(link.sample_id.in_(batch))
                .order_by(link.sample_id, link.position)
            )
            for sample_id, external_id, rank, text_id, digest in connection.execute(query).all():
                facts = ChunkFacts(chunk_id=external_id, chunk_hash=digest, rank=rank)
                found.setdefault(sample_id, []).append(StoredChunk(facts=facts, text_id=text_id))
    return found


def find_samples(db: Database, run_id: str, rows: Sequence[int]) -> dict[int, int]:
    """Return the ids in the store of a run's rows."""
    with db.read() as connection:
        return {
            row: sample_id
            for batch in _batches(rows)
            for row, sample_id in connection.execute(
                select(SampleRow.position, SampleRow.id).where(
                    SampleRow.run_id == run_id, SampleRow.position.in_(batch)
                )
            )
        }


def load_claim_texts(db: Database, claim_ids: Iterable[int]) -> dict[int, str]:
    """Return the texts of claims by their ids in the store."""
    with db.read() as connection:
        return {
            claim_id: text
            for batch in _batches(sorted(set(claim_ids)))
            for claim_id, text in connection.execute(select(ClaimRow.id, ClaimRow.text).where(ClaimRow.id.in_(batch)))
        }


def load_chunk_texts(db: Database, text_ids: Iterable[int]) -> dict[int, str]:
    """Return the texts of chunks by their ids in the store."""
    with db.read() as connection:
        return {
            text_id: text
            for batch in _batches(sorted(set(text_ids)))
            for text_id, text in connection.execute(select(ChunkRow.id, ChunkRow.text).where(ChunkRow.id.in_(batch)))
        }


def _missed(connection: Connection, sample_ids: Sequence[int]) -> dict[int, list[StoredClaim]]:
    """Return the claims that people found in the answers and that count."""
    labels: dict[int, list[Label]] = {}
    for batch in _batches(sample_ids):
        query = LABELS.where(LabelRow.sample_id.in_(batch), LabelRow.claim_id.is_(None)).order_by(LabelRow.id)
        for row in connection.execute(query):
            labels.setdefault(row.sample_id, []).append(to_label(row))
    return {
        sample_id: [
            StoredClaim(
                claim_id=-label.label_id,
                number=None,
                claim_hash=identity.claim_hash(label.corrected_text or ""),
                verdict=label.verdict,
                cited=(),
                text=label.corrected_text or "",
            )
            for label in review_answer((), history).missed
            if label.verdict is not None
        ]
        for sample_id, history in labels.items()
    }


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(ids), _BATCH):
        yield ids[first : first + _BATCH]


def _external_ids(extra: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(
        str(value)
        for name, value in extra.items()
        if name.casefold() in _ID_COLUMNS and isinstance(value, str | int) and not isinstance(value, bool)
    )


def _retrieved(extra: Mapping[str, Any]) -> frozenset[str]:
    """Return the ids in the column, which is a list, a list as JSON, or names between commas."""
    value = extra.get(_RETRIEVED)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = value.split(",")
    return frozenset(str(item).strip() for item in value) if isinstance(value, list) else frozenset()
