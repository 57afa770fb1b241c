"""What some judges can do beyond judging an answer. Ask with `isinstance`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.base import Judge

if TYPE_CHECKING:  # these import a validation library, which the embedded judge does not need
    from faithview.judges.llm.asking import Call, Send
    from faithview.judges.llm.client import BatchClient, Reply
    from faithview.judges.llm.cost import Estimate, Price


@runtime_checkable
class SupportsBudget(Judge, Protocol):
    """A judge that asks a model, and whose calls can be estimated, priced and sent one by one by the caller."""

    @property
    def host(self) -> str:
        """The host that is called."""
        ...

    @property
    def price(self) -> "Price | None":
        """The model's price at this host; None if it is not known."""
        ...

    def estimate(self, samples: Iterable[Sample]) -> "Estimate":
        """Return what judging these samples will take; sends nothing."""
        ...

    async def judge_with(self, sample: Sample, send: "Send", *, discount: float = 0.0) -> Result:
        """Judge one answer, sending its calls with `send`; `discount` is the share taken off their price."""
        ...

    async def complete(self, call: "Call") -> "Reply":
        """Send one call; raises JudgeFailed."""
        ...


@runtime_checkable
class SupportsBatches(Judge, Protocol):
    """A judge whose calls can be collected and sent through its vendor's batch endpoint."""

    @property
    def batch_client(self) -> "BatchClient | None":
        """What sends batches; None if this judge's vendor takes none."""
        ...

    @property
    def batch_discount(self) -> float:
        """The share that a batch takes off the price, from 0 to 1."""
        ...

    async def judge_with(self, sample: Sample, send: "Send", *, discount: float = 0.0) -> Result:
        """Judge one answer, sending its calls with `send`; `discount` is the share taken off their price."""
        ...
