"""What a run may spend: answers are begun only while what they will take still fits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from faithview.domain.errors import InvalidInput, JudgeFailed
from faithview.domain.result import Usage
from faithview.domain.sample import Sample
from faithview.judges.base import Judge

if TYPE_CHECKING:  # these bring a validation library with them, which the embedded judge does not need
    from faithview.judges.llm.asking import Call
    from faithview.judges.llm.client import Reply
    from faithview.judges.llm.judge import LlmJudge


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most calls and US dollars that one go at a run may take; None is no limit."""

    max_calls: int | None = None
    max_cost: float | None = None

    @property
    def are_set(self) -> bool:
        """Whether there is any limit."""
        return self.max_calls is not None or self.max_cost is not None

    def less(self, usage: Usage) -> "Limits":
        """Return what is left after this was spent."""
        return Limits(
            max_calls=None if self.max_calls is None else max(0, self.max_calls - usage.llm_calls),
            max_cost=None if self.max_cost is None else max(0.0, self.max_cost - (usage.cost_usd or 0.0)),
        )


NO_LIMITS = Limits()


class BudgetSpent(Exception):
    """A call was not made because it would have gone beyond the limits; the answer stays as it was."""


def check_limits(judge: Judge, limits: Limits) -> None:
    """Raise InvalidInput if the limits cannot be kept, because no price is known."""
    if limits.max_cost is not None and _is_llm(judge) and _llm(judge).price is None:
        raise InvalidInput(
            f"No price is known for {judge.name} at {_llm(judge).host}, so a limit on the cost cannot be kept. Give a "
            "price file with --judge-option prices=FILE, or limit the calls with --max-calls."
        )


class Budget:
    """What one go at a run has spent and holds back for answers under way. Used from one event loop.

    The number of calls is never exceeded. The cost of an answer is known only after it; what is held back for one is
    its estimate or the most that an answer has cost so far, whichever is more.
    """

    def __init__(self, limits: Limits, judge: Judge) -> None:
        self._limits = limits
        self._judge = judge
        self._calls = 0
        self._cost = 0.0
        self._held_calls = 0
        self._held_cost = 0.0
        self._under_way = 0
        self._costliest = 0.0
        self._changed = asyncio.Condition()
        self.reason: str | None = None

    @asynccontextmanager
    async def allow(self, sample: Sample) -> AsyncIterator["Allowance"]:
        """Hold back what an answer will take, waiting for answers under way where it does not fit beside them.

        Raises:
            BudgetSpent: it does not fit any more; `reason` says so.
        """
        allowance = Allowance(self, *self._expect(sample))
        async with self._changed:
            await self._changed.wait_for(lambda: self._fits(allowance) or not self._under_way or self.reason)
            if self.reason is not None and (allowance.calls or allowance.cost):
                raise BudgetSpent
            if not self._fits(allowance):
                self.spend_up(f"the next answer takes about {allowance.calls} more")
                self._changed.notify_all()
                raise BudgetSpent
            self._under_way += 1
            self._held_calls += allowance.calls
            self._held_cost += allowance.cost
        try:
            yield allowance
        finally:
            async with self._changed:
                self._under_way -= 1
                self._held_calls -= allowance.calls
                self._held_cost -= allowance.cost
                self._cost += allowance.spent_cost
                self._costliest = max(self._costliest, allowance.spent_cost)
                self._changed.notify_all()

    def take_call(self, allowance: "Allowance") -> None:
        """Count a call, from what is held back for the answer or from what is free; raises BudgetSpent."""
        if allowance.calls > 0:
            allowance.calls -= 1
            self._held_calls -= 1
        elif self._limits.max_calls is not None and self._calls + self._held_calls >= self._limits.max_calls:
            self.spend_up("an answer under way needed another one")
            raise BudgetSpent
        self._calls += 1

    def give_back_call(self) -> None:
        """Take back a call that brought no reply."""
        self._calls -= 1

    def count(self, usage: Usage) -> None:
        """Count the calls of a judge that makes them by itself."""
        self._calls += usage.llm_calls

    def spend_up(self, because: str) -> None:
        """Say that nothing more is begun, and why."""
        limits = self._limits
        parts = []
        if limits.max_calls is not None:
            parts.append(f"{self._calls} of at most {limits.max_calls} calls")
        if limits.max_cost is not None:
            parts.append(f"${self._cost:.4f} of at most ${limits.max_cost:g}")
        self.reason = (
            f"Stopped within the budget: {' and '.join(parts)} spent, and {because}. "
            "Resume the run to go on with the answers that are left."
        )

    def _expect(self, sample: Sample) -> tuple[int, float]:
        if not _is_llm(self._judge):
            return 1, self._costliest
        estimate = _llm(self._judge).estimate([sample])
        if not estimate.calls:
            return 0, 0.0
        return estimate.calls, max(estimate.cost_usd or 0.0, self._costliest)

    def _fits(self, allowance: "Allowance") -> bool:
        limits = self._limits
        calls = self._calls + self._held_calls + allowance.calls
        cost = self._cost + self._held_cost + allowance.cost
        return (limits.max_calls is None or calls <= limits.max_calls) and (
            limits.max_cost is None or cost <= limits.max_cost
        )


class Allowance:
    """What is held back for one answer: `calls` that it may still make, and its `cost`."""

    def __init__(self, budget: Budget, calls: int, cost: float) -> None:
        self._budget = budget
        self.calls = calls
        self.cost = cost
        self.spent_cost = 0.0

    def judge_with(self, judge: Judge) -> "Judge":
        """Return the judge as one whose every call is counted here."""
        return cast(Judge, _Counted(_llm(judge), self)) if _is_llm(judge) else judge

    def settle(self, judge: Judge, usage: Usage) -> None:
        """Note what the answer took; its calls too, where they were not counted one by one."""
        self.spent_cost = usage.cost_usd or 0.0
        if not _is_llm(judge):
            self._budget.count(usage)

    async def call(self, judge: "LlmJudge", call: "Call") -> "Reply":
        """Make one call if it may be made."""
        self._budget.take_call(self)
        try:
            return await judge.client.complete(call.prompt, call.schema, max_tokens=call.max_tokens)
        except JudgeFailed:
            self._budget.give_back_call()
            raise


class _Counted:
    """An LLM judge that makes its calls through an allowance."""

    def __init__(self, judge: "LlmJudge", allowance: Allowance) -> None:
        self._judge = judge
        self._allowance = allowance
        self.name = judge.name
        self.fingerprint = judge.fingerprint

    async def judge(self, sample: Sample) -> object:
        return await self._judge.judge_with(sample, self._send)

    async def aclose(self) -> None:
        await self._judge.aclose()

    async def _send(self, call: "Call") -> "Reply":
        return await self._allowance.call(self._judge, call)


def _is_llm(judge: Judge) -> bool:
    return hasattr(judge, "judge_with")


def _llm(judge: Judge) -> "LlmJudge":
    return cast("LlmJudge", judge)
