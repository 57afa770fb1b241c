"""The budget of a run: once it is spent, no more answers are started."""

from dataclasses import dataclass, replace

from faithview.domain.errors import InvalidInput
from faithview.domain.result import Usage
from faithview.judges.base import Judge
from faithview.judges.capabilities import AsksModel
from faithview.wording import numbers as fmt


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The calls and US dollars after which judging or resuming a run starts no more answers; None for no limit."""

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


def check_limits(judge: Judge, limits: Limits) -> None:
    """Raise InvalidInput if there is a cost limit but no known price."""
    if limits.max_cost is not None and isinstance(judge, AsksModel) and judge.price is None:
        raise InvalidInput(
            f"No price is known for {judge.name} at {judge.host}, so a cost limit cannot be enforced. Give a "
            "price file with --judge-option prices=FILE, or limit the calls with --max-calls."
        )


class Spent:
    """What judging a run has used up.

    The calls of an answer are known when it is judged, so the answers that are under way when a limit is reached are
    the most by which it is exceeded: as many as are judged at a time.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._usage = Usage()
        self._stopped = False

    def add(self, usage: Usage) -> None:
        """Count the calls and the cost of one answer; an unknown cost counts as none."""
        self._usage += replace(usage, cost_usd=usage.cost_usd or 0.0)

    def allows_another(self) -> bool:
        """Return whether another answer may be started; False once a limit is reached."""
        left = self._limits.less(self._usage)
        is_over = 0 in (left.max_calls, left.max_cost)
        self._stopped |= is_over
        return not is_over

    @property
    def reason(self) -> str | None:
        """Why answers were left out; None if none was."""
        if not self._stopped:
            return None
        limits, parts = self._limits, []
        if limits.max_calls is not None:
            parts.append(f"{fmt.plural(self._usage.llm_calls, 'call')} of {limits.max_calls:,}")
        if limits.max_cost is not None:
            parts.append(f"{fmt.dollars(self._usage.cost_usd or 0.0)} of ${limits.max_cost:g}")
        return f"The budget is spent: {' and '.join(parts)}. Resume the run to judge the remaining answers."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEstimate:
    """The expected calls and cost of judging. Nothing is sent to estimate them.

    Attributes:
        judge: the judge's name.
        method: how an LLM judge works.
        host: the host that will be called; None if none.
        answers: how many answers there are.
        cached_answers: how many of them the same judge has judged before; they need no call.
        calls: calls of a model.
        prompt_tokens: tokens to send.
        completion_tokens: tokens to receive.
        cost_usd: the cost in US dollars; None if no price is known.
        stable_share: the share of the prompt tokens, in [0, 1], that a vendor's prompt cache may hold.
        prices_as_of: the date of the prices.
        examined_answers: how many answers the figures are estimated from; None if from all, by a judge that asks about
            each.
    """

    judge: str
    method: str
    host: str | None
    answers: int
    cached_answers: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    stable_share: float | None = None
    prices_as_of: str | None = None
    examined_answers: int | None = None
