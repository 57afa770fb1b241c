"""Results: stored as answers are judged, and loaded with their claims."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import (
    Claim,
    ClaimType,
    Evidence,
    HallucinationType,
    Importance,
    Mismatch,
    Severity,
    Verdict,
)
from faithview.domain.errors import NotFound
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import expected_harm
from faithview.domain.spans import Span
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.inbox_index import add_claims
from faithview.store.runs import keep_alive
from faithview.store.samples import load_chunks, to_sample
from faithview.store.schema.runs import (
    CitationRow,
    ClaimRow,
    ResultRow,
    RunRow,
    SampleRow,
    public_claim_id,
)

Judged = tuple[int, Sample, Result]

# Answers with their results.
_ANSWERS: Any = (
    select(SampleRow.__table__, ResultRow.__table__, RunRow.judge, RunRow.threshold)
    .join(ResultRow, ResultRow.sample_id == SampleRow.id)
    .join(RunRow, RunRow.id == SampleRow.run_id)
)


def save_results(
    db: Database, run_id: str, judged: Sequence[Judged], *, worker: str, now: datetime, seconds: float
) -> bool:
    """Store the results of rows, given as (position, sample, result), in one transaction.

    A row that already has a result keeps it. `seconds` is added to the run's working time.

    Returns:
        Whether the run should continue; False once it is to be cancelled.

    Raises:
        RunConflict: the run now belongs to another worker; nothing was written.
    """
    with db.bookkeep() as connection:
        goes_on = keep_alive(connection, run_id, worker=worker, now=now, seconds=seconds)
        query = (
            select(SampleRow.position, SampleRow.id)
            .join(ResultRow, ResultRow.sample_id == SampleRow.id)
            .where(SampleRow.run_id == run_id, dialect.among(SampleRow.position, [row for row, _, _ in judged]))
            .where(ResultRow.state == State.PENDING)
        )
        pending = dict(connection.execute(query).all())
        rows = [(pending[position], sample, result) for position, sample, result in judged if position in pending]
        if rows:
            connection.execute(_UPDATE_RESULT, [_result_values(sample_id, result) for sample_id, _, result in rows])
            _insert_claims(connection, run_id, rows)
        return goes_on


def get_answer(db: Database, run_id: str, key: str) -> AnswerDetail:
    """Return one answer of a run with its claims, by its key or by its position.

    Raises:
        NotFound: the run has no such row.
    """
    query = _ANSWERS.where(SampleRow.run_id == run_id)
    with db.read() as connection:
        row = connection.execute(query.where(dialect.equals(SampleRow.key, key))).first()
        if row is None and key.isdecimal() and key.isascii() and len(key) < 10:
            row = connection.execute(query.where(SampleRow.position == int(key))).first()
        if row is None:
            raise NotFound(f"Run {run_id} has no row {key!r}.")
        return _details(connection, [row])[0]


def list_details(db: Database, run_id: str, *, after: int, limit: int) -> list[AnswerDetail]:
    """Return answers with their claims, in the order of the file, after that position."""
    after_it = _ANSWERS.where(SampleRow.run_id == run_id, SampleRow.position > after)
    query = after_it.order_by(SampleRow.position).limit(limit)
    with db.read() as connection:
        return _details(connection, connection.execute(query).all())


def load_details(db: Database, run_id: str, rows: Sequence[int]) -> dict[int, AnswerDetail]:
    """Return the answers at these rows of a run, with their claims; missing rows are left out."""
    query = _ANSWERS.where(SampleRow.run_id == run_id, dialect.among(SampleRow.position, rows))
    with db.read() as connection:
        return {detail.position: detail for detail in _details(connection, connection.execute(query).all())}


def find_judged(db: Database, *, fingerprint: str, content_hashes: Sequence[str]) -> dict[str, AnswerDetail]:
    """Return by content hash the latest results of a judge with this fingerprint.

    Failed answers are left out, and so are answers without context, which are free to judge.
    """
    latest = (
        select(func.max(SampleRow.id))
        .join(ResultRow, ResultRow.sample_id == SampleRow.id)
        .join(RunRow, RunRow.id == SampleRow.run_id)
        .where(
            SampleRow.content_hash.in_(content_hashes),
            RunRow.fingerprint == fingerprint,
            # A preflight judges given claims, and gives their doubts another verdict.
            RunRow.preflight_of.is_(None),
            ResultRow.state.in_((State.JUDGED, State.NO_CLAIMS, State.ABSTAINED)),
        )
        .group_by(SampleRow.content_hash)
    )
    with db.read() as connection:
        rows = connection.execute(_ANSWERS.where(SampleRow.id.in_(latest))).all()
        return {row.content_hash: detail for row, detail in zip(rows, _details(connection, rows), strict=True)}


_SPENT = (
    "seconds",
    "llm_calls",
    "cached_calls",
    "prompt_tokens",
    "cached_prompt_tokens",
    "completion_tokens",
    "cost_usd",
)
_UPDATE_RESULT = (
    update(ResultRow)
    .where(ResultRow.sample_id == bindparam("b_sample_id"))
    .values(
        {
            name: bindparam(name)
            for name in (
                "state",
                "faithfulness",
                "faithfulness_weighted",
                "is_faithful",
                "answer_score",
                "claims",
                *Verdict,
                "error",
                "suggestions",
                "raw_reply",
                "metrics",
                "warnings",
                "worst_harm",
                "least_confidence",
            )
        }
        # Added to the cost of an answer that failed before and is judged again; unknown if both costs are.
        | {
            name: func.coalesce(column + bindparam(f"b_{name}"), column, bindparam(f"b_{name}"))
            for name, column in ((name, getattr(ResultRow, name)) for name in _SPENT)
        }
    )
)


def _result_values(sample_id: int, result: Result) -> dict[str, object]:
    counts = Counter(result.verdicts)
    return {
        "b_sample_id": sample_id,
        "state": result.state.value,
        "faithfulness": result.faithfulness,
        "faithfulness_weighted": result.faithfulness_weighted,
        "is_faithful": result.is_faithful,
        "answer_score": result.answer_score,
        "claims": len(result.claims),
        **{verdict.value: counts[verdict] for verdict in Verdict},
        "error": result.error,
        "suggestions": list(result.suggestions),
        "b_seconds": result.seconds,
        "b_llm_calls": result.usage.llm_calls,
        "b_cached_calls": result.usage.cached_calls,
        "b_prompt_tokens": result.usage.prompt_tokens,
        "b_cached_prompt_tokens": result.usage.cached_prompt_tokens,
        "b_completion_tokens": result.usage.completion_tokens,
        "b_cost_usd": result.usage.cost_usd,
        "raw_reply": result.raw_reply,
        "metrics": dict(result.metrics) or None,
        "warnings": list(result.warnings) or None,
        "worst_harm": max((expected_harm(c.verdict, c.severity, c.confidence) for c in result.claims), default=None),
        "least_confidence": min((c.confidence for c in result.claims if c.confidence is not None), default=None),
    }


def _insert_claims(connection: Connection, run_id: str, rows: Iterable[tuple[int, Sample, Result]]) -> None:
    claims: list[tuple[Claim, Sample]] = []
    values, cited = [], []
    for sample_id, sample, result in rows:
        positions = {chunk.chunk_id: position for position, chunk in enumerate(sample.chunks)}
        for number, claim in enumerate(result.claims, start=1):
            claims.append((claim, sample))
            cited.append([positions[chunk_id] for chunk_id in claim.supporting_chunk_ids])
            quotes = [
                [positions[item.chunk_id], item.quote, *(_to_list(item.span) if item.span else ())]
                for item in claim.evidence
            ]
            values.append(_claim_values(sample_id, run_id, number, claim) | {"evidence": quotes or None})
    if not values:
        return
    returning = insert(ClaimRow).returning(ClaimRow.id, sort_by_parameter_order=True)
    ids = connection.execute(returning, values).scalars().all()
    add_claims(connection, run_id, ((i, *claim) for i, claim in zip(ids, claims, strict=True)))
    citations = [
        {"claim_id": claim_id, "ordinal": ordinal, "chunk_position": position}
        for claim_id, positions in zip(ids, cited, strict=True)
        for ordinal, position in enumerate(positions)
    ]
    if citations:
        connection.execute(insert(CitationRow), citations)


def _to_list(span: Span) -> list[int]:
    return [span.start, span.end, span.occurrence]


def _claim_values(sample_id: int, run_id: str, number: int, claim: Claim) -> dict[str, object]:
    return {
        "sample_id": sample_id,
        "run_id": run_id,
        "number": number,
        "claim_hash": claim.claim_hash,
        "text": claim.text,
        "verdict": claim.verdict,
        "confidence": claim.confidence,
        "support_score": claim.support_score,
        "explanation": claim.explanation,
        "claim_type": claim.claim_type,
        "importance": claim.importance,
        "hallucination_type": claim.hallucination_type,
        "severity": claim.severity,
        "correction": claim.correction,
        "spans": [_to_list(span) for span in claim.spans],
        "mismatches": [list(item) for item in claim.mismatches] or None,
        "decided_by": claim.decided_by,
    }


def _details(connection: Connection, rows: Sequence[Row[Any]]) -> list[AnswerDetail]:
    ids = [row.id for row in rows]
    chunks = load_chunks(connection, ids)
    claims = _load_claims(connection, ids, chunks)
    return [_detail(row, to_sample(row, chunks.get(row.id, ())), claims.get(row.id, ())) for row in rows]


def _detail(row: Row[Any], sample: Sample, claims: Sequence[Claim]) -> AnswerDetail:
    state = State(row.state)
    result = Result(
        state=state,
        judge=row.judge,
        claims=tuple(claims),
        error=row.error,
        suggestions=tuple(row.suggestions),
        answer_score=row.answer_score,
        threshold=row.threshold,
        usage=Usage(
            llm_calls=row.llm_calls,
            cached_calls=row.cached_calls,
            prompt_tokens=row.prompt_tokens,
            cached_prompt_tokens=row.cached_prompt_tokens or 0,
            completion_tokens=row.completion_tokens,
            cost_usd=row.cost_usd,
        ),
        seconds=row.seconds,
        metrics=row.metrics or {},
        raw_reply=row.raw_reply,
        warnings=tuple(row.warnings or ()),
        # Only another tool's score can lack claims.
        given_score=row.faithfulness if state is State.JUDGED and not claims else None,
    )
    ids = tuple(public_claim_id(row.run_id, row.position, number) for number in range(1, len(claims) + 1))
    return AnswerDetail(run_id=row.run_id, position=row.position, sample=sample, result=result, claim_ids=ids)


def _load_claims(
    connection: Connection, sample_ids: list[int], chunks: Mapping[int, Sequence[Chunk]]
) -> dict[int, list[Claim]]:
    """Return the claims of each sample, whose chunks are given, in their order."""
    rows = connection.execute(
        select(ClaimRow.__table__)
        .where(ClaimRow.sample_id.in_(sample_ids))
        .order_by(ClaimRow.sample_id, ClaimRow.number)
    ).all()
    owned = select(ClaimRow.id).where(ClaimRow.sample_id.in_(sample_ids))
    citations: dict[int, list[int]] = {}
    for row in connection.execute(
        select(CitationRow.__table__)
        .where(CitationRow.claim_id.in_(owned))
        .order_by(CitationRow.claim_id, CitationRow.ordinal)
    ):
        citations.setdefault(row.claim_id, []).append(row.chunk_position)
    claims: dict[int, list[Claim]] = {}
    for row in rows:
        retrieved = chunks.get(row.sample_id, ())
        claim = _to_claim(row, citations.get(row.id, []), retrieved)
        claims.setdefault(row.sample_id, []).append(claim)
    return claims


def _to_claim(row: Row[Any], cited: list[int], chunks: Sequence[Chunk]) -> Claim:
    return Claim(
        text=row.text,
        verdict=Verdict(row.verdict),
        spans=tuple(Span(start=start, end=end, occurrence=occurrence) for start, end, occurrence in row.spans),
        confidence=row.confidence,
        support_score=row.support_score,
        explanation=row.explanation,
        claim_type=ClaimType(row.claim_type) if row.claim_type else None,
        importance=Importance(row.importance) if row.importance else None,
        hallucination_type=HallucinationType(row.hallucination_type) if row.hallucination_type else None,
        severity=Severity(row.severity) if row.severity else None,
        correction=row.correction,
        supporting_chunk_ids=tuple(chunks[position].chunk_id for position in cited),
        evidence=tuple(
            Evidence(
                chunk_id=chunks[position].chunk_id,
                quote=quote,
                span=Span(start=span[0], end=span[1], occurrence=span[2]) if span else None,
            )
            for position, quote, *span in row.evidence or ()
        ),
        mismatches=tuple(Mismatch(*item) for item in row.mismatches or ()),
        decided_by=row.decided_by,
    )
