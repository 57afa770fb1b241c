"""The budget of a run: an answer is started only if its expected calls and cost still fit."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from faithview.domain.errors import InvalidInput, JudgeFailed
from faithview.domain.result import Result, Usage
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.capabilities import SupportsBudget, SupportsGivenClaims
from faithview.wording import numbers as fmt

if TYPE_CHECKING:  # these import a validation library that the embedded judge does not need
    from faithview.judges.llm.asking import Call
    from faithview.judges.llm.client import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The maximum calls and US dollars for judging or resuming a run; None for no limit."""

    max_calls: int | None = None
    max_cost: float | None = None

    @property
    def are_set(self) -> bool:
        """Whether there is any limit."""
        return self.max_calls is not None or self.max_cost is not None

    def less(self, usage: Usage) -> "Limits":
        """Return the limits that are left after this usage."""
        return Limits(
            max_calls=None if self.max_calls is None else max(0, self.max_calls - usage.llm_calls),
            max_cost=None if self.max_cost is None else max(0.0, self.max_cost - (usage.cost_usd or 0.0)),
        )


NO_LIMITS = Limits()


class BudgetSpent(Exception):
    """A call was not made because it would have exceeded the limits; the answer stays pending."""


def check_limits(judge: Judge, limits: Limits) -> None:
    """Raise InvalidInput if there is a cost limit but no known price."""
    if limits.max_cost is not None and isinstance(judge, SupportsBudget) and judge.price is None:
        raise InvalidInput(
            f"No price is known for {judge.name} at {judge.host}, so a cost limit cannot be enforced. Give a "
            "price file with --judge-option prices=FILE, or limit the calls with --max-calls."
        )


class Budget:
    """The amounts spent on a run and reserved for answers under way. Used from one event loop.

    The limit on calls is never exceeded. The cost of an answer is known only afterwards, so its estimate or the cost of
    the most expensive answer so far is reserved, whichever is more. `reason` says why the run stopped.
    """

    def __init__(self, limits: Limits, judge: Judge, *, given_claims: bool = False) -> None:
        """Allow nothing yet; with `given_claims` a judge that can verify known claims is expected to do so."""
        self._limits = limits
        self._judge = judge
        self._given_claims = given_claims
        self._calls = 0
        self._cost = 0.0
        self._reserved_calls = 0
        self._reserved_cost = 0.0
        self._under_way = 0
        self._costliest = 0.0
        self._changed = asyncio.Condition()
        self.reason: str | None = None

    @asynccontextmanager
    async def allow(self, sample: Sample) -> AsyncIterator["Allowance"]:
        """Reserve the expected cost of an answer; if it does not fit, wait for the answers under way to end.

        Raises:
            BudgetSpent: it no longer fits; `reason` says so.
        """
        allowance = Allowance(self, *self._expect(sample))
        async with self._changed:
            await self._changed.wait_for(lambda: self._fits(allowance) or not self._under_way or self.reason)
            if self.reason is not None and (allowance.calls or allowance.cost):
                raise BudgetSpent
            if not self._fits(allowance):
                self.stop(f"the next answer takes about {allowance.calls} more")
                self._changed.notify_all()
                raise BudgetSpent
            self._under_way += 1
            self._reserved_calls += allowance.calls
            self._reserved_cost += allowance.cost
        try:
            yield allowance
        finally:
            async with self._changed:
                self._under_way -= 1
                self._reserved_calls -= allowance.calls
                self._reserved_cost -= allowance.cost
                self._cost += allowance.spent_cost
                self._costliest = max(self._costliest, allowance.spent_cost)
                self._changed.notify_all()

    def take_call(self, allowance: "Allowance") -> None:
        """Count a call, from the answer's reservation or from the free budget; raises BudgetSpent."""
        if allowance.calls > 0:
            allowance.calls -= 1
            self._reserved_calls -= 1
        elif self._limits.max_calls is not None and self._calls + self._reserved_calls >= self._limits.max_calls:
            self.stop("an answer in progress needed another call")
            raise BudgetSpent
        self._calls += 1

    def give_back_call(self) -> None:
        """Uncount a call that got no reply."""
        self._calls -= 1

    def count(self, usage: Usage) -> None:
        """Count the calls of a judge that cannot count them one by one."""
        self._calls += usage.llm_calls

    def stop(self, because: str) -> None:
        """Start no more answers, and record the reason."""
        limits = self._limits
        parts = []
        if limits.max_calls is not None:
            parts.append(f"{self._calls} of at most {limits.max_calls} calls")
        if limits.max_cost is not None:
            parts.append(f"{fmt.dollars(self._cost)} of at most ${limits.max_cost:g}")
        self.reason = (
            f"Stopped within the budget: {' and '.join(parts)} spent, and {because}. "
            "Resume the run to judge the remaining answers."
        )

    def _expect(self, sample: Sample) -> tuple[int, float]:
        if not isinstance(self._judge, SupportsBudget):
            return 1, self._costliest
        if self._given_claims and isinstance(self._judge, SupportsGivenClaims) and self._judge.verifies_given:
            estimate = self._judge.estimate_given([sample])
        else:
            estimate = self._judge.estimate([sample])
        if not estimate.calls:
            return 0, 0.0
        return estimate.calls, max(estimate.cost_usd or 0.0, self._costliest)

    def _fits(self, allowance: "Allowance") -> bool:
        limits = self._limits
        calls = self._calls + self._reserved_calls + allowance.calls
        cost = self._cost + self._reserved_cost + allowance.cost
        return (limits.max_calls is None or calls <= limits.max_calls) and (
            limits.max_cost is None or cost <= limits.max_cost
        )


class Allowance:
    """The reservation for one answer: the `calls` that it may still make, and its `cost`."""

    def __init__(self, budget: Budget, calls: int, cost: float) -> None:
        self._budget = budget
        self.calls = calls
        self.cost = cost
        self.spent_cost = 0.0

    def limit(self, judge: Judge) -> Judge:
        """Return the judge with every call counted here; a judge that cannot count calls is returned unchanged."""
        return _CountedJudge(judge, self) if isinstance(judge, SupportsBudget) else judge

    def settle(self, judge: Judge, usage: Usage) -> None:
        """Record the usage of the answer, including its calls if they were not counted one by one."""
        self.spent_cost = usage.cost_usd or 0.0
        if not isinstance(judge, SupportsBudget):
            self._budget.count(usage)

    async def send(self, judge: SupportsBudget, call: "Call") -> "Reply":
        """Make one call if the budget allows it; raises BudgetSpent if not."""
        self._budget.take_call(self)
        try:
            return await judge.complete(call)
        except JudgeFailed:
            self._budget.give_back_call()
            raise


class _CountedJudge:
    """A judge that sends its calls through an allowance."""

    def __init__(self, judge: SupportsBudget, allowance: Allowance) -> None:
        self._judge = judge
        self._allowance = allowance
        self.name = judge.name
        self.fingerprint = judge.fingerprint

    async def judge(self, sample: Sample) -> Result:
        return await self._judge.judge_with(sample, self._send)

    async def aclose(self) -> None:
        await self._judge.aclose()

    async def _send(self, call: "Call") -> "Reply":
        return await self._allowance.send(self._judge, call)
