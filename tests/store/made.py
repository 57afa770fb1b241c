"""Samples, results and stored runs for tests."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from faithview import Chunk, Claim, Evidence, Result, Sample, State, Verdict
from faithview.domain.claim import ClaimType, HallucinationType, Importance, Mismatch, Severity
from faithview.domain.result import Usage
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.domain.spans import Span
from faithview.store.database import Database
from faithview.store.runs import results, runs

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
WORKER = "elsewhere:1:a"
# What breaks naive storing and showing: two scripts, emoji, controls, markup, a text that SQL would read.
HOSTILE = "\x01\u202eשלום\u200f 👩‍👧 e\u0301 <script>alert(1)</script> $x_1$ **b** {0} %s '; DROP TABLE run; --\r\n\t"


def make_run(run_id: str = "r1", *, name: str | None = None, as_of: datetime = NOW) -> Run:
    """Return a run that is not stored yet."""
    return Run(
        run_id=run_id,
        name=name or run_id,
        status=RunStatus.PENDING,
        judge=JudgeSpec(name="lexical"),
        fingerprint="lexical/1",
        created_at=as_of,
        as_of=as_of,
    )


def make_result(*verdicts: Verdict, state: State | None = None, usage: Usage | None = None) -> Result:
    """Return a result with one claim for each verdict."""
    return Result(
        state=state or (State.JUDGED if verdicts else State.NO_CLAIMS),
        judge="lexical",
        claims=tuple(Claim(text=f"Claim {n}.", verdict=verdict) for n, verdict in enumerate(verdicts, start=1)),
        error="It broke." if state is State.FAILED else None,
        usage=usage or Usage(),
    )


def full_sample() -> Sample:
    """Return a sample with every field set, hostile texts included."""
    return Sample(
        answer=f"A {HOSTILE} end",
        question=f"Q {HOSTILE}",
        key=f"k {HOSTILE}",
        segment=f"s {HOSTILE}",
        reference=f"ref {HOSTILE}",
        timestamp=datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC) + timedelta(hours=1),
        extra={"n": 1, "x": 0.1, "t": HOSTILE, "list": [None, True, {"deep": [1e300]}], "ключ": "é"},
        chunks=(
            Chunk(
                text=f"C {HOSTILE}", chunk_id=f"id {HOSTILE}", rank=3, score=-0.25, metadata={"u": HOSTILE, "z": [1]}
            ),
            Chunk(text="same  text", chunk_id="b"),
            Chunk(text="same text", chunk_id="c"),
            Chunk(text="same text", chunk_id="d"),
            Chunk(text="", chunk_id="empty"),
        ),
    )


def full_result(sample: Sample) -> Result:
    """Return a result for `full_sample` with every field set."""
    first = Claim(
        text=HOSTILE,
        verdict=Verdict.CONTRADICTED,
        spans=(Span(start=0, end=1), Span(start=4, end=6)),
        confidence=0.1 + 0.2,
        support_score=1 / 3,
        explanation=f"because {HOSTILE}",
        claim_type=ClaimType.DEFINITION,
        importance=Importance.MEDIUM,
        hallucination_type=HallucinationType.CONFLATION,
        severity=Severity.LOW,
        correction=HOSTILE,
        supporting_chunk_ids=("d", sample.chunks[0].chunk_id),
        evidence=(
            Evidence(chunk_id="c", quote="text", span=Span(start=5, end=9)),
            Evidence(chunk_id="b", quote=HOSTILE, span=None),
            Evidence(chunk_id="c", quote="same", span=Span(start=0, end=4)),
        ),
        mismatches=(Mismatch(0, 1), Mismatch(4, 6, "c", 5, 9)),
    )
    return Result(
        state=State.JUDGED,
        judge="lexical",
        claims=(first, Claim(text="plain", verdict=Verdict.SUPPORTED)),
        suggestions=(HOSTILE, "b"),
        answer_score=0.7,
        usage=Usage(
            llm_calls=1,
            cached_calls=2,
            prompt_tokens=3,
            cached_prompt_tokens=1,
            completion_tokens=4,
            cost_usd=0.0125,
        ),
        seconds=0.5,
        metrics={"answer_relevance": 0.1 + 0.2, f"context_relevance[{HOSTILE}]": 1.0},
        raw_reply=HOSTILE,
        warnings=(HOSTILE, "w"),
    )


def store_run(
    db: Database, samples: Sequence[Sample], judged: Sequence[Result | None] = (), *, run: Run | None = None
) -> Run:
    """Store a run and the results of its first rows (None leaves one pending), and finish it."""
    run = run or make_run()
    runs.create_run(db, run, samples)
    runs.take_run(db, run.run_id, worker=WORKER, now=NOW)
    rows = [(n, samples[n - 1], result) for n, result in enumerate(judged, start=1) if result is not None]
    results.save_results(db, run.run_id, rows, worker=WORKER, now=NOW, seconds=0.5)
    runs.finish_run(db, run.run_id, worker=WORKER, status=RunStatus.COMPLETE, now=NOW)
    return runs.get_run(db, run.run_id, now=NOW)
