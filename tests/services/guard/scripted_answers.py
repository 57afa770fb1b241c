"""A judge for tests that knows each sentence: what it says of "Good.", "Bad 1.", "False 2." and the like."""

import re
from dataclasses import dataclass, field

from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at

_VERDICTS = {
    "Good": Verdict.SUPPORTED,
    "Part": Verdict.PARTIALLY_SUPPORTED,
    "Bad": Verdict.NOT_MENTIONED,
    "False": Verdict.CONTRADICTED,
}
_SENTENCE = re.compile(r"(Good|Part|Bad|False)\b[^.]*\.")


@dataclass(slots=True)
class SentenceJudge:
    """Judges by the first word of each sentence.

    `seen` are the samples so far. An answer with the word "unjudgeable" fails; `fails_from` is the number of the
    judgement, from 1, from which all fail, `fails_until` of the first that does not. Each judgement takes one call, ten
    tokens and a cent.
    """

    name: str = "sentences"
    fingerprint: str = "sentences/1"
    fails_from: int | None = None
    fails_until: int = 0
    seen: list[Sample] = field(default_factory=list)

    async def judge(self, sample: Sample) -> Result:
        self.seen.append(sample)
        fails = len(self.seen) < self.fails_until
        if fails or "unjudgeable" in sample.answer or (self.fails_from and len(self.seen) >= self.fails_from):
            raise JudgeFailed("The model gave no JSON.")
        claims = tuple(
            Claim(text=found[0], verdict=_VERDICTS[found[1]], spans=(span_at(sample.answer, *found.span()),))
            for found in _SENTENCE.finditer(sample.answer)
        )
        usage = Usage(llm_calls=1, prompt_tokens=10, completion_tokens=1, cost_usd=0.01)
        state = State.JUDGED if claims else State.ABSTAINED if "cannot tell" in sample.answer else State.NO_CLAIMS
        return Result(state=state, judge=self.name, claims=claims, usage=usage)

    async def aclose(self) -> None:
        """Nothing to release."""
