"""Chunk ablation: judge an answer again without one of its chunks, to see whether a claim depends on it."""

from dataclasses import dataclass, replace
from enum import StrEnum

from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import JudgeFailed, NotFound
from faithview.domain.pairing import match_claims
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import JudgeSpec
from faithview.judges.registry import create_judge
from faithview.services.container import Store
from faithview.services.judge_catalogue import to_build
from faithview.services.results import get_answer_at, get_run
from faithview.services.runs.judge_answer import check_sample, run_blocking
from faithview.stats.text_matching import pair_claim_texts

_CACHED = "chunk ablation"


class Effect(StrEnum):
    """The effect of a chunk on a claim.

    `necessary`: without it the claim loses its support. `redundant`: without it other chunks still support the claim.
    `conflicting`: without it the claim is supported, or no longer contradicted. `none`: without it the claim is as
    unsupported as with it. `unknown`: the answer, judged again, does not have the claim.
    """

    NECESSARY = "necessary"
    REDUNDANT = "redundant"
    CONFLICTING = "conflicting"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """A claim's verdict with all chunks (`before`) and without one of them (`after`).

    `after` is None if the answer, judged again, does not have the claim. `judge` is the fingerprint of the second
    judge, which may be newer than the run's; None if no chunk was left to judge against.
    """

    chunk_id: str
    effect: Effect
    before: Verdict
    after: Verdict | None
    explanation: str
    usage: Usage
    judge: str | None = None


def judge_without_chunk(store: Store, run_id: str, row: int, number: int, chunk_id: str) -> Ablation:
    """Judge an answer again with the run's judge, without one chunk, and compare a claim's verdicts.

    Nothing is stored. The embedded judge takes milliseconds; an LLM judge costs as much as for any answer.

    Args:
        store: the store.
        run_id: the run.
        row: the answer's position, from 1.
        number: the claim's number, from 1.
        chunk_id: the chunk to leave out.

    Raises:
        NotFound: there is no such run, row, claim or chunk.
        JudgeUnavailable: the run's judge is not available here.
        JudgeFailed: the judge could not judge the answer without the chunk.
    """
    run = get_run(store, run_id)
    answer = get_answer_at(store, run.run_id, row)
    claims = answer.result.claims
    if not 1 <= number <= len(claims):
        raise NotFound(f"Row {row} of run {run.run_id} has no claim {number}.")
    sample = answer.sample
    if all(chunk.chunk_id != chunk_id for chunk in sample.chunks):
        raise NotFound(f"Row {row} of run {run.run_id} has no chunk {chunk_id!r}.")
    others = tuple(chunk for chunk in sample.chunks if chunk.chunk_id != chunk_id)
    result = check_sample(replace(sample, chunks=others), judge=run.judge, threshold=run.threshold)
    judge = None if result.state is State.EMPTY_CONTEXT else _fingerprint(run.judge)
    if result.state is State.FAILED:
        raise JudgeFailed(f"The answer could not be judged without chunk {chunk_id!r}: {result.error}")
    before = claims[number - 1].verdict
    if result.state is State.EMPTY_CONTEXT:
        # Without a chunk no claim is supported, so no judge was called.
        after: Verdict | None = Verdict.NOT_MENTIONED
        explanation = "No other chunk was retrieved."
    else:
        match = _same_claim(claims, number - 1, result)
        after, explanation = (None, "") if match is None else (match.verdict, match.explanation)
    return Ablation(
        chunk_id=chunk_id,
        effect=_effect(before, after),
        before=before,
        after=after,
        explanation=explanation,
        usage=result.usage,
        judge=judge,
    )


def judge_without_chunk_once(store: Store, run_id: str, row: int, number: int, chunk_id: str) -> Ablation:
    """Return the result of `judge_without_chunk`, cached until the run changes; raises the same errors."""
    return store.cache.get(
        _CACHED,
        (run_id, row, number, chunk_id),
        _revision(store, run_id),
        lambda: judge_without_chunk(store, run_id, row, number, chunk_id),
    )


def find_ablation(store: Store, run_id: str, row: int, number: int, chunk_id: str) -> Ablation | None:
    """Return the cached result of `judge_without_chunk_once`, or None. No judge is called."""

    def refuse() -> Ablation:
        raise _NotCached

    try:
        return store.cache.get(_CACHED, (run_id, row, number, chunk_id), _revision(store, run_id), refuse)
    except _NotCached:
        return None


class _NotCached(Exception):
    """The cache does not have the result."""


def _revision(store: Store, run_id: str) -> int:
    return get_run(store, run_id).revision


def _fingerprint(spec: JudgeSpec) -> str:
    async def read_fingerprint() -> str:
        judge = create_judge(to_build(spec))
        try:
            return judge.fingerprint
        finally:
            await judge.aclose()

    return run_blocking(read_fingerprint())


def _same_claim(claims: tuple[Claim, ...], index: int, result: Result) -> Claim | None:
    pairs = match_claims(
        [claim.claim_hash for claim in claims],
        [claim.claim_hash for claim in result.claims],
        text_of=lambda: ([claim.text for claim in claims], [claim.text for claim in result.claims]),
        pair_texts=pair_claim_texts,
    )
    partner = next((pair.candidate for pair in pairs if pair.baseline == index), None)
    return None if partner is None else result.claims[partner]


def _effect(before: Verdict, after: Verdict | None) -> Effect:
    if after is None:
        return Effect.UNKNOWN
    if before is Verdict.SUPPORTED:
        return Effect.REDUNDANT if after is Verdict.SUPPORTED else Effect.NECESSARY
    if after is Verdict.SUPPORTED or (before is Verdict.CONTRADICTED and after is not Verdict.CONTRADICTED):
        return Effect.CONFLICTING
    return Effect.NONE
