"""Judging all sentences of an answer in one call, for the methods that work sentence by sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from faithview.domain.claim import Claim
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.fences import fence_items
from faithview.judges.llm.methods.base import Expected, Outcome, nothing_claimed, sentences_of
from faithview.judges.llm.parsing import by_number, check_numbers


class _Ruled(Protocol):
    @property
    def sentence(self) -> int: ...


_Item = TypeVar("_Item", bound=_Ruled)
_Reply = TypeVar("_Reply", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceJudge(Generic[_Reply, _Item]):
    """One question about all sentences of an answer.

    `step` is the prompt, the figure's name and the method's; `kind` what is said about a sentence, for the model.
    `problems` says what is wrong with an item, `score` is its share of the mean, and `claim` makes a claim of it and of
    the sentence's place.
    """

    step: str
    kind: str
    schema: type[_Reply]
    items: Callable[[_Reply], Sequence[_Item]]
    abstained: Callable[[_Reply], bool]
    problems: Callable[[_Item, Sample], list[str]]
    score: Callable[[_Item], float]
    claim: Callable[[_Item, tuple[int, int], Sample], Claim]
    tokens: int

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its sentences become claims and the mean of their scores the answer's."""
        ranges = sentences_of(sample.answer)
        if not ranges:
            return nothing_claimed(abstained=False)

        def check(reply: _Reply) -> list[str]:
            items = self.items(reply)
            problems = check_numbers(f"{self.kind} for sentence", [item.sentence for item in items], len(ranges))
            return problems + [problem for item in items for problem in self.problems(item, sample)]

        data = {"sentences": _listed(sample, ranges)}
        reply = await asker.ask(self.step, self.schema, check=check, data=data)
        if self.abstained(reply):
            return nothing_claimed(abstained=True)
        ruled = by_number(self.items(reply), lambda item: item.sentence)
        score = fmean(self.score(item) for item in ruled)
        return Outcome(
            state=State.JUDGED,
            claims=tuple(self.claim(item, place, sample) for item, place in zip(ruled, ranges, strict=True)),
            score=score,
            metrics={self.step: score},
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call, with so many tokens a sentence in its reply."""
        count = len(sentences_of(sample.answer))
        return (Expected(step=self.step, calls=1, completion_tokens=20 + self.tokens * count),)


def _listed(sample: Sample, ranges: Sequence[tuple[int, int]]) -> str:
    """Return the answer's sentences as a fenced, numbered list."""
    texts = [sample.answer[start:end] for start, end in ranges]
    return fence_items("sentences", [{"sentence": n, "text": text} for n, text in enumerate(texts, start=1)])
