"""Judging with the vendors' batch endpoints: within a day instead of at once, at about half the price.

The methods do not know about batches. Each answer is judged with the replies that have arrived; the first request
without a reply ends that attempt and goes into the next batch. When the batch is done, every open answer is judged
again from the start, which costs nothing: a request has the same id each time. So `claims` takes two batches, and one
more if a reply needs to be repaired.

The state between two steps is a `BatchState`, which is stored as JSON: a process that ends in between loses nothing.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from pydantic import TypeAdapter

from faithview.domain.errors import InvalidInput, JudgeFailed
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.capabilities import AsksModel
from faithview.judges.llm.client import BatchLost, BatchOutcome, Call, LlmClient, Reply

# OpenAI takes 50,000 requests and 200 MB a batch, Anthropic 100,000 and 256 MB; escapes and schemas need room too.
MOST_REQUESTS = 50_000
MOST_BYTES = 100_000_000


Keep = Callable[[Mapping[str, Result]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchState:
    """The state of judging with batches. `fingerprint` is the judge's; only that judge can continue.

    `batch_id` is the batch that is being processed; None if there is none. `asked` are the ids of its requests.
    `outcomes` are the replies so far for answers that are still open, by the ids of the requests.
    """

    fingerprint: str
    batch_id: str | None = None
    asked: tuple[str, ...] = ()
    outcomes: Mapping[str, BatchOutcome] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the state as JSON."""
        return _STATE.dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "BatchState":
        """Return the state that `to_json` wrote."""
        return _STATE.validate_json(text)


_STATE = TypeAdapter(BatchState)


async def advance(judge: AsksModel, state: BatchState, samples: Sequence[Sample], *, keep: Keep) -> BatchState:
    """Take one step: collect the batch if it is done, judge what can be judged, submit the next batch.

    Call it again every minute or so with the returned state until every answer has a result. Store the state before
    the next call: the replies for an answer are dropped once it has a result.

    Args:
        judge: built from the same spec each time.
        state: what the last step returned; the first has the judge's fingerprint and nothing else.
        samples: the answers that are not judged yet, each with a key of its own.
        keep: called with the results by key before the next batch is submitted, so little remains to be done between
            submitting and storing the state: a process that is killed in that moment submits the batch twice.

    Raises:
        InvalidInput: the state belongs to another judge.
        JudgeFailed: the vendor cannot be reached or refuses the batch; the state is as it was, so it can be tried
            again.
    """
    client = judge.batch_client
    if state.fingerprint != judge.fingerprint:
        raise InvalidInput(
            f"The batch was started with judge {state.fingerprint}, and the judge is now {judge.fingerprint}; start a "
            "new run."
        )
    if state.batch_id is not None:
        if not await client.batch_is_done(state.batch_id):
            return state
        state = await _collected(client, state, state.batch_id)
    results: dict[str, Result] = {}
    missing: list[Call] = []
    replies_used: dict[str, BatchOutcome] = {}
    for sample in samples:
        replay = _Replay(_prefix(sample), state.outcomes)
        try:
            results[sample.key] = await judge.judge_with(sample, replay, discount=judge.batch_discount)
        except _NotAnsweredYet:
            missing += replay.missing
            replies_used |= replay.used
    if results:
        await keep(results)
    state = replace(state, outcomes=replies_used)
    if missing:
        asked = _fitting(missing)
        batch_id = await client.submit_batch(asked)
        state = replace(state, batch_id=batch_id, asked=tuple(call.call_id for call in asked))
    return state


async def _collected(client: LlmClient, state: BatchState, batch_id: str) -> BatchState:
    """Return the state with the batch's outcomes; every request has one then, even if it is an error."""
    try:
        outcomes = dict(await client.collect_batch(batch_id))
        lost = f"Batch {batch_id} ended without a reply to this request; it may have expired or been cancelled."
    except BatchLost as error:
        outcomes, lost = {}, str(error)
    for custom_id in state.asked:
        outcomes.setdefault(custom_id, BatchOutcome(error=lost))
    return replace(state, batch_id=None, asked=(), outcomes={**state.outcomes, **outcomes})


def _fitting(calls: Sequence[Call]) -> Sequence[Call]:
    """Return as many of the calls as one batch takes, at least one; the others go into the next batch."""
    prompts = (call.prompt for call in calls[:MOST_REQUESTS])
    sizes = accumulate(len(f"{p.instructions}{p.context}{p.task}".encode()) for p in prompts)
    return calls[: max(1, sum(size <= MOST_BYTES for size in sizes))]


class _NotAnsweredYet(Exception):
    """A request has no reply yet."""


class _Replay:
    """Answers calls with the replies of earlier batches, and notes calls without a reply as missing."""

    def __init__(self, prefix: str, outcomes: Mapping[str, BatchOutcome]) -> None:
        self._prefix = prefix
        self._outcomes = outcomes
        self.missing: list[Call] = []
        self.used: dict[str, BatchOutcome] = {}

    async def __call__(self, call: Call) -> Reply:
        """Return the reply to this call."""
        custom_id = f"{self._prefix}-{call.call_id}"
        outcome = self._outcomes.get(custom_id)
        if outcome is None:
            self.missing.append(replace(call, call_id=custom_id))
            raise _NotAnsweredYet
        self.used[custom_id] = outcome
        if outcome.reply is None:
            raise JudgeFailed(outcome.error or "The batch brought no reply to this request.")
        return outcome.reply


def _prefix(sample: Sample) -> str:
    """Return the prefix of the ids of an answer's requests: keys may contain any character, ids may not."""
    return hashlib.sha256(sample.key.encode()).hexdigest()[:24]
