"""A cascade that asks an LLM: its calls are estimated, limited, and sent in batches like those of an LLM judge."""

from collections.abc import Iterable, Sequence

from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.capabilities import FlawedSentence, SupportsThreads, Writing
from faithview.judges.cascade.cuts import Cuts
from faithview.judges.cascade.judge import CascadeJudge, unsure_claims
from faithview.judges.embedded.judge import EmbeddedJudge
from faithview.judges.llm.asking import Send
from faithview.judges.llm.client import Call, LlmClient, Reply
from faithview.judges.llm.cost import Estimate, Price
from faithview.judges.llm.judge import LlmJudge


class LlmCascade(CascadeJudge):
    """Asks a model about the claims that the default judge is unsure of, all of an answer's in one call."""

    def __init__(self, first: SupportsThreads, asked: LlmJudge, cuts: Cuts) -> None:
        super().__init__(first, asked, cuts)
        self._llm = asked

    @property
    def host(self) -> str:
        """The host that is called."""
        return self._llm.host

    @property
    def missing(self) -> str | None:
        """A sentence about the model's key that is not set; None if none is missing."""
        return self._llm.missing

    @property
    def price(self) -> Price | None:
        """The model's price at this host; None if it is not known."""
        return self._llm.price

    @property
    def batch_client(self) -> LlmClient:
        """The model's client."""
        return self._llm.batch_client

    @property
    def batch_discount(self) -> float:
        """The share that a batch takes off the price."""
        return self._llm.batch_discount

    def estimate(self, samples: Iterable[Sample]) -> Estimate:
        """Return what judging these samples will take; nothing is sent, and the default judge judges each of them."""
        samples, judge = list(samples), EmbeddedJudge()
        return self._llm.estimate(samples, given=[len(unsure_claims(judge.judge_now(s), self._cuts)) for s in samples])

    async def judge_with(self, sample: Sample, send: Send, *, discount: float = 0.0) -> Result:
        """Judge one answer, sending its calls with `send`; `discount` is the share taken off their price."""
        return await self._judge(sample, lambda claims: self._llm.verify_with(sample, claims, send, discount=discount))

    async def complete(self, call: Call) -> Reply:
        """Send one call; raises JudgeFailed."""
        return await self._llm.complete(call)

    async def rewrite(self, sample: Sample, sentences: Sequence[FlawedSentence]) -> Writing:
        """Have the model correct sentences of an answer (see `SupportsRewriting`)."""
        return await self._llm.rewrite(sample, sentences)
