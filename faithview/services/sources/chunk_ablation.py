"""What if a chunk were gone: the answer judged again without it."""

from dataclasses import dataclass, replace
from enum import StrEnum

from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import JudgeFailed, NotFound
from faithview.domain.matching import match_claims
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import JudgeSpec
from faithview.judges.registry import create_judge
from faithview.services.container import Services
from faithview.services.judge_catalogue import to_build
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import get_run
from faithview.services.runs.judge_answer import check_sample, run_blocking


class Effect(StrEnum):
    """What a chunk does for a claim.

    `necessary`: without it the claim loses its support. `redundant`: without it the claim stays supported, by other
    chunks. `conflicting`: without it the claim is supported, or not contradicted any more. `none`: without it the claim
    is as unsupported as with it. `unknown`: judged again, the answer has no such claim.
    """

    NECESSARY = "necessary"
    REDUNDANT = "redundant"
    CONFLICTING = "conflicting"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """A claim with one chunk gone: the verdict before and after, None where the claim was not found again.

    `judge` is the fingerprint of the judge that judged it again, None where none was asked because no chunk was left;
    the verdict before is by the run's own, which may be an older version.
    """

    chunk_id: str
    effect: Effect
    before: Verdict
    after: Verdict | None
    explanation: str
    usage: Usage
    judge: str | None = None


def without_chunk_once(services: Services, run_id: str, row: int, number: int, chunk_id: str) -> WhatIf:
    """Return what `without_chunk` says, asked only once while the run stays the same; raises what that raises."""
    return services.cache.get(
        "what if", (run_id, row, number, chunk_id), _state(services, run_id),
        lambda: without_chunk(services, run_id, row, number, chunk_id),
    )  # fmt: skip


def find_answered(services: Services, run_id: str, row: int, number: int, chunk_id: str) -> WhatIf | None:
    """Return what was answered before by `without_chunk_once`; None where nobody asked. No judge is called."""

    def never() -> WhatIf:
        raise _NotAsked

    try:
        return services.cache.get("what if", (run_id, row, number, chunk_id), _state(services, run_id), never)
    except _NotAsked:
        return None


class _NotAsked(Exception):
    """Nobody has asked yet."""


def _state(services: Services, run_id: str) -> int:
    return get_run(services, run_id).revision


def without_chunk(services: Services, run_id: str, row: int, number: int, chunk_id: str) -> WhatIf:
    """Judge one answer again without one of its chunks, by the run's own judge, and say what that does to a claim.

    Nothing is stored. The embedded judge answers at once; an LLM judge is called, which costs what judging one answer
    costs.

    Args:
        services: FaithView.
        run_id: the run.
        row: the answer's position, from 1.
        number: the claim's, from 1.
        chunk_id: the chunk that is taken away.

    Raises:
        NotFound: there is no such run, row, claim or chunk.
        JudgeUnavailable: the run's judge cannot be built here.
        JudgeFailed: it could not judge the answer without the chunk.
    """
    run = get_run(services, run_id)
    answer = get_answer_at(services, run.run_id, row)
    claims = answer.result.claims
    if not 1 <= number <= len(claims):
        raise NotFound(f"Row {row} of run {run.run_id} has no claim {number}.")
    sample = answer.sample
    if all(chunk.chunk_id != chunk_id for chunk in sample.chunks):
        raise NotFound(f"Row {row} of run {run.run_id} has no chunk {chunk_id!r}.")
    rest = tuple(chunk for chunk in sample.chunks if chunk.chunk_id != chunk_id)
    result = check_sample(replace(sample, chunks=rest), judge=run.judge, threshold=run.threshold)
    asked = None if result.state is State.EMPTY_CONTEXT else _fingerprint(run.judge)
    if result.state is State.FAILED:
        raise JudgeFailed(f"The answer could not be judged without chunk {chunk_id!r}: {result.error}")
    before = claims[number - 1].verdict
    if result.state is State.EMPTY_CONTEXT:
        # Without any chunk nothing is supported; that takes no judge.
        after: Verdict | None = Verdict.NOT_MENTIONED
        explanation = "No other chunk was retrieved."
    else:
        found = _same_claim(claims, number - 1, result)
        after, explanation = (None, "") if found is None else (found.verdict, found.explanation)
    return WhatIf(
        chunk_id=chunk_id,
        effect=_effect(before, after),
        before=before,
        after=after,
        explanation=explanation,
        usage=result.usage,
        judge=asked,
    )


def _fingerprint(spec: JudgeSpec) -> str:
    async def ask() -> str:
        built = create_judge(to_build(spec))
        try:
            return built.fingerprint
        finally:
            await built.aclose()

    return run_blocking(ask())


def _same_claim(claims: tuple[Claim, ...], at: int, result: Result) -> Claim | None:
    pairs = match_claims(
        [claim.claim_hash for claim in claims],
        [claim.claim_hash for claim in result.claims],
        text_of=lambda: ([claim.text for claim in claims], [claim.text for claim in result.claims]),
    )
    index = next((pair.candidate for pair in pairs if pair.baseline == at), None)
    return None if index is None else result.claims[index]


def _effect(before: Verdict, after: Verdict | None) -> Effect:
    if after is None:
        return Effect.UNKNOWN
    if before is Verdict.SUPPORTED:
        return Effect.REDUNDANT if after is Verdict.SUPPORTED else Effect.NECESSARY
    if after is Verdict.SUPPORTED or (before is Verdict.CONTRADICTED and after is not Verdict.CONTRADICTED):
        return Effect.CONFLICTING
    return Effect.NONE
