"""Judges the answers of a preflight again: each is stored as soon as it is judged, so a stopped preflight continues.

The claims are those that the run's judge found. A judge that can verify given claims gets them; any other judges the
whole answer again, and its claims are matched with the stored ones.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from faithview.domain.answer import AnswerDetail
from faithview.domain.certainty import leans_to_support
from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.pairing import is_own_id
from faithview.domain.preflight import (
    ChunkState,
    JudgedAgain,
    NewPassage,
    NewVerdict,
    PlannedAnswer,
    PreflightRecord,
    Verdicts,
)
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import Run
from faithview.domain.sample import Chunk, Sample, free_id
from faithview.judges.base import Judge
from faithview.judges.capabilities import SupportsBudget, SupportsGivenClaims
from faithview.judges.registry import create_judge
from faithview.services.container import Store
from faithview.services.judge_catalogue import answers_at_a_time, to_build, with_workers
from faithview.services.runs.budget import Allowance, Budget, BudgetSpent, Limits, check_limits
from faithview.services.runs.judge_answer import judge_one
from faithview.stats.pairing import match_claims
from faithview.store import preflights, results

if TYPE_CHECKING:  # these import a validation library that the embedded judge does not need
    from faithview.judges.llm.asking import Call
    from faithview.judges.llm.client import Reply

OnJudged: TypeAlias = Callable[[JudgedAgain], None]

_NOTHING_LEFT = "The new version has none of the answer's chunks."
# How many answers are read at a time.
_PAGE = 100
# How many judged answers are stored in one transaction, at most.
_BATCH = 20
# A model's verdicts are paid for, so they are stored at least this often.
_LONGEST_WAIT_S = 1.0


async def judge_pending(
    store: Store,
    record: PreflightRecord,
    run: Run,
    *,
    concurrency: int,
    workers: int,
    limits: Limits,
    on_judged: OnJudged | None,
) -> str | None:
    """Judge the answers of a preflight that are not judged yet, and record its end.

    Returns:
        Why it stopped before the end, if it did: the budget is spent.

    Raises:
        JudgeUnavailable: the judge cannot be built.
        InvalidInput: the judge is not the one that the preflight was begun with, or has no price for a cost limit.
    """
    spec = with_workers(record.judge, workers)
    judge = create_judge(to_build(spec, concurrency=concurrency))
    try:
        _check_judge(record, judge)
        check_limits(judge, limits)
        budget = Budget(limits, judge, given_claims=True) if limits.are_set else None
        work = _Work(store, record, run, judge, budget)
        await work.judge_all(at_a_time=answers_at_a_time(spec, concurrency), on_judged=on_judged)
    finally:
        await judge.aclose()
    if preflights.count_pending(store.db, record.preflight_id) == 0:
        preflights.finish_preflight(store.db, record.preflight_id, now=datetime.now(UTC))
    return None if budget is None else budget.reason


def new_context(sample: Sample, planned: PlannedAnswer, passages: Mapping[int, NewPassage]) -> Sample:
    """Return an answer with each retrieved chunk as the new version has it."""
    replaced = {chunk.position: chunk for chunk in planned.chunks if chunk.state is not ChunkState.FOREIGN}
    chunks: list[Chunk] = []
    given: set[int] = set()
    for position, chunk in enumerate(sample.chunks):
        if position not in replaced:
            chunks.append(chunk)
            continue
        new = [number for number in replaced[position].new if number not in given]
        given.update(new)
        for passage in (passages[number] for number in new):
            # Numbers identify nothing: a numbered passage keeps the number of the chunk that it replaces.
            chunk_id = passage.chunk_id if is_own_id(passage.chunk_id) else chunk.chunk_id
            chunks.append(replace(chunk, text=passage.text, chunk_id=chunk_id))
    return _with_chunks(sample, chunks)


def context_ahead(sample: Sample, planned: PlannedAnswer, passages: Mapping[int, NewPassage]) -> Sample:
    """Return an answer with only the new passages that come before its chunks."""
    chunks = [Chunk(text=passages[number].text, chunk_id=passages[number].chunk_id) for number in planned.ahead]
    return _with_chunks(sample, chunks)


def list_samples_to_judge(
    details: Mapping[int, AnswerDetail],
    planned: Sequence[PlannedAnswer],
    passages: Mapping[int, NewPassage],
    *,
    is_run_judge: bool,
) -> list[Sample]:
    """Return what the judge gets for these answers, in order: for an estimate of its cost."""
    samples = []
    for answer in planned:
        detail = details.get(answer.row)
        if detail is None or not answer.is_judged:
            continue
        if answer.is_changed:
            samples.append(new_context(detail.sample, answer, passages))
        if answer.ahead:
            samples.append(context_ahead(detail.sample, answer, passages))
        if not is_run_judge:
            samples.append(detail.sample)
    return samples


def _with_chunks(sample: Sample, chunks: Sequence[Chunk]) -> Sample:
    taken: set[str] = set()
    unique = []
    for rank, chunk in enumerate(chunks, start=1):
        chunk_id = free_id(chunk.chunk_id or str(rank), taken)
        taken.add(chunk_id)
        unique.append(replace(chunk, chunk_id=chunk_id, rank=rank))
    return replace(sample, chunks=tuple(unique))


def _check_judge(record: PreflightRecord, judge: Judge) -> None:
    if judge.fingerprint != record.fingerprint:
        raise InvalidInput(
            f"Preflight {record.preflight_id} was begun with judge {record.fingerprint}, but the judge is now "
            f"{judge.fingerprint}. Start the preflight again with the new version of the knowledge base."
        )


@dataclass
class _Work:
    """Judges pending answers; the passages of the new version are read once."""

    store: Store
    record: PreflightRecord
    run: Run
    judge: Judge
    budget: Budget | None

    def __post_init__(self) -> None:
        self._passages = preflights.load_passages(self.store.db, self.record.preflight_id)
        self._stored_at = monotonic()

    async def judge_all(self, *, at_a_time: int, on_judged: OnJudged | None) -> None:
        pending = await asyncio.to_thread(
            preflights.load_plan, self.store.db, self.record.preflight_id, only_pending=True
        )
        for first in range(0, len(pending), _PAGE):
            page = pending[first : first + _PAGE]
            details = await asyncio.to_thread(
                results.load_details, self.store.db, self.run.run_id, [planned.row for planned in page]
            )
            waiting = iter([(planned, details[planned.row]) for planned in page if planned.row in details])
            done: list[tuple[int, JudgedAgain]] = []
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(max(1, at_a_time)):
                        group.create_task(self._judge_next(waiting, done, on_judged))
            except ExceptionGroup as errors:
                raise errors.exceptions[0] from None
            finally:
                # An answer that was judged is stored even if the next one fails, or the user stops.
                preflights.save_judged(self.store.db, self.record.preflight_id, done)
            if self.budget is not None and self.budget.reason is not None:
                return

    async def _judge_next(
        self,
        waiting: Iterator[tuple[PlannedAnswer, AnswerDetail]],
        done: list[tuple[int, JudgedAgain]],
        on_judged: OnJudged | None,
    ) -> None:
        for planned, detail in waiting:
            try:
                judged = await self._judge_answer(planned, detail)
            except BudgetSpent:
                return
            done.append((planned.row, judged))
            if on_judged is not None:
                on_judged(judged)
            if len(done) >= _BATCH or monotonic() - self._stored_at >= _LONGEST_WAIT_S:
                self._stored_at = monotonic()
                batch, done[:] = done[:], []
                await asyncio.to_thread(preflights.save_judged, self.store.db, self.record.preflight_id, batch)
            await asyncio.sleep(0)  # lets other tasks run, even if the judge never waits

    async def _judge_answer(self, planned: PlannedAnswer, detail: AnswerDetail) -> JudgedAgain:
        sample, claims = detail.sample, detail.result.claims
        wanted = {
            "after": new_context(sample, planned, self._passages) if planned.is_changed else None,
            "ahead": context_ahead(sample, planned, self._passages) if planned.ahead else None,
            "before": None if self.record.is_run_judge else sample,
        }
        verdicts: dict[str, Verdicts | None] = dict.fromkeys(wanted)
        usage, error = Usage(), None
        for name, asked in wanted.items():
            if asked is None or error is not None:
                continue
            result = await self._judge_sample(asked, claims)
            usage += result.usage
            if result.state is State.FAILED:
                error = result.error or "The judge failed."
            else:
                verdicts[name] = _verdicts(claims, result)
        return JudgedAgain(**verdicts, error=error, usage=usage)

    async def _judge_sample(self, sample: Sample, claims: Sequence[Claim]) -> Result:
        if not sample.has_context:
            return Result(state=State.EMPTY_CONTEXT, judge=self.judge.name)
        if self.budget is None:
            return await judge_one(self._asked(claims, None), sample, threshold=self.run.threshold)
        async with self.budget.allow(sample) as allowance:
            result = await judge_one(self._asked(claims, allowance), sample, threshold=self.run.threshold)
            allowance.settle(self.judge, result.usage)
            return result

    def _asked(self, claims: Sequence[Claim], allowance: Allowance | None) -> Judge:
        if isinstance(self.judge, SupportsGivenClaims) and self.judge.verifies_given:
            return _Verifying(self.judge, claims, allowance)
        return self.judge if allowance is None else allowance.limit(self.judge)


class _Verifying:
    """A judge that verifies these claims of every answer it gets, within the budget if there is one."""

    def __init__(self, judge: SupportsGivenClaims, claims: Sequence[Claim], allowance: Allowance | None) -> None:
        self._judge = judge
        self._claims = claims
        self._allowance = allowance
        self.name = judge.name
        self.fingerprint = judge.fingerprint

    async def judge(self, sample: Sample) -> Result:
        return await self._judge.verify_with(sample, self._claims, self._send)

    async def aclose(self) -> None:
        await self._judge.aclose()

    async def _send(self, call: "Call") -> "Reply":
        judge: SupportsBudget = self._judge
        return await (judge.complete(call) if self._allowance is None else self._allowance.send(judge, call))


def _verdicts(claims: Sequence[Claim], result: Result) -> Verdicts:
    """Return the verdicts of the second judging by the numbers of the stored claims."""
    if result.state is State.EMPTY_CONTEXT:
        gone = NewVerdict(verdict=Verdict.NOT_MENTIONED, explanation=_NOTHING_LEFT)
        return dict.fromkeys(range(1, len(claims) + 1), gone)
    pairs = match_claims([claim.text for claim in claims], [claim.text for claim in result.claims])
    return {
        pair.baseline + 1: _to_verdict(result.claims[pair.candidate], result.judge)
        for pair in pairs
        if pair.baseline is not None and pair.candidate is not None
    }


def _to_verdict(claim: Claim, judge: str) -> NewVerdict:
    return NewVerdict(
        verdict=claim.verdict,
        explanation=claim.explanation,
        cites=claim.supporting_chunk_ids,
        is_unsure=leans_to_support(claim.verdict, claim.support_score, claim.decided_by or judge),
    )
