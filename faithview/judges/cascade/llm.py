"""A cascade that asks an LLM: its calls are estimated, limited, and sent in batches like those of an LLM judge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.capabilities import FlawedSentence, SupportsThreads, Writing
from faithview.judges.cascade import SHARE_OPTION, asked_spec
from faithview.judges.cascade.cuts import Cuts, read_cuts
from faithview.judges.cascade.judge import CascadeJudge, fingerprint_of, unsure_claims
from faithview.judges.embedded.judge import EmbeddedJudge
from faithview.judges.llm.asking import Call, Send
from faithview.judges.llm.client import BatchClient, Reply
from faithview.judges.llm.cost import Estimate, Price
from faithview.judges.llm.judge import LlmJudge, estimate_verifying
from faithview.judges.llm.options import LlmOptions


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
    def price(self) -> Price | None:
        """The model's price at this host; None if it is not known."""
        return self._llm.price

    @property
    def batch_client(self) -> BatchClient | None:
        """The model's client, if its vendor takes batches; else None."""
        return self._llm.batch_client

    @property
    def batch_discount(self) -> float:
        """The share that a batch takes off the price."""
        return self._llm.batch_discount

    def estimate(self, samples: Iterable[Sample]) -> Estimate:
        """Return what judging these samples will take; nothing is sent, and the default judge judges each of them."""
        return self._llm.estimate_verifying(_asked(samples, self._cuts))

    async def judge_with(self, sample: Sample, send: Send, *, discount: float = 0.0) -> Result:
        """Judge one answer, sending its calls with `send`; `discount` is the share taken off their price."""
        return await self._judge(sample, lambda claims: self._llm.verify_with(sample, claims, send, discount=discount))

    async def complete(self, call: Call) -> Reply:
        """Send one call; raises JudgeFailed."""
        return await self._llm.complete(call)

    async def rewrite(self, sample: Sample, sentences: Sequence[FlawedSentence]) -> Writing:
        """Have the model correct sentences of an answer (see `SupportsRewriting`)."""
        return await self._llm.rewrite(sample, sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeOptions:
    """The spec of such a cascade, understood. Building the judge would need a key, and an estimate does not."""

    asked: LlmOptions
    cuts: Cuts

    @classmethod
    def from_spec(cls, spec: JudgeSpec) -> "CascadeOptions":
        """Read a spec.

        Raises:
            JudgeUnavailable: an option is unknown or its value cannot be used.
        """
        return cls(asked=LlmOptions.from_spec(asked_spec(spec)), cuts=read_cuts(spec.options.get(SHARE_OPTION)))

    def fingerprint(self, asked: str) -> str:
        """Return the cascade's fingerprint, given that of the judge that it asks."""
        return fingerprint_of(asked, self.cuts, EmbeddedJudge().fingerprint)

    def estimate(self, samples: Iterable[Sample], *, price: Price | None) -> Estimate:
        """Return what judging these samples will take; nothing is sent, and the default judge judges each of them."""
        return estimate_verifying(_asked(samples, self.cuts), self.asked, price=price)


def _asked(samples: Iterable[Sample], cuts: Cuts) -> Iterable[tuple[Sample, int]]:
    judge = EmbeddedJudge()
    return ((sample, len(unsure_claims(judge.judge_now(sample), cuts))) for sample in samples)
