"""A cascade that asks an LLM: its calls are estimated, limited, and sent in batches like those of an LLM judge."""

from collections.abc import Iterable

from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.capabilities import SupportsThreads
from faithview.judges.cascade.cuts import Cuts
from faithview.judges.cascade.judge import CascadeJudge, unsure_claims
from faithview.judges.llm.asking import Send
from faithview.judges.llm.cost import Estimate
from faithview.judges.llm.judge import LlmJudge


class LlmCascade(LlmJudge):
    """Asks a model about the claims that the default judge is unsure of, all of an answer's in one call."""

    def __init__(self, first: SupportsThreads, asked: LlmJudge, cuts: Cuts) -> None:
        super().__init__(asked.client, asked.options)
        self._first = first
        self._cuts = cuts
        self._asked = asked
        self._cascade = CascadeJudge(first, asked, cuts)
        self.name = self._cascade.name
        self.fingerprint = self._cascade.fingerprint
        self.verifies_given = False

    def estimate(self, samples: Iterable[Sample], *, given: Iterable[float] | None = None) -> Estimate:
        """Return what judging these samples will take; nothing is sent, and the default judge judges each of them."""
        samples = list(samples)
        unsure = [len(unsure_claims(self._first.judge_now(sample), self._cuts)) for sample in samples]
        return super().estimate(samples, given=unsure if given is None else given)

    async def judge_with(self, sample: Sample, send: Send, *, discount: float = 0.0) -> Result:
        """Judge one answer, sending its calls with `send`; `discount` is the share taken off their price."""
        return await self._cascade.judge_by(
            sample, lambda claims: self._asked.verify_with(sample, claims, send, discount=discount)
        )
