"""Judging all sentences of an answer in one call, for the methods that work sentence by sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Generic, TypeVar

from faithview.domain.claim import Claim
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.fences import fence_items
from faithview.judges.llm.methods.base import Expected, Outcome, nothing_claimed, sentences_of
from faithview.judges.llm.methods.remarks import is_remark
from faithview.judges.llm.replies.listing import Form
from faithview.judges.llm.replies.repairs import Repair, Repairs
from faithview.judges.llm.replies.schemas import NliReply, SentenceEntailment, SentenceFaithfulness, SentenceReply

_Item = TypeVar("_Item", bound=SentenceEntailment | SentenceFaithfulness)
_Reply = TypeVar("_Reply", bound=NliReply | SentenceReply)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceJudge(Generic[_Reply, _Item]):
    """One question about all sentences of an answer.

    `step` is the prompt, the figure's name and the method's; `kind` what is said about a sentence, for the model.
    `is_claim` says whether the model takes the sentence for a claim, `problems` why an item cannot be used, `flaws`
    what is asked for once more; `score` is its share of the mean, and `claim` makes a claim of it and of the sentence's
    place.
    """

    step: str
    kind: str
    schema: type[_Reply]
    item: type[_Item]
    is_claim: Callable[[_Item], bool]
    flaws: Callable[[_Item, Sample], list[str]]
    score: Callable[[_Item], float]
    claim: Callable[[_Item, tuple[int, int], Sample, Repairs], Claim]
    tokens: int
    problems: Callable[[_Item], list[str]] = lambda _: []

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its sentences become claims and the mean of their scores the answer's."""
        places = sentences_of(sample.answer)
        if not places:
            return nothing_claimed(abstained=False)
        remarks = [is_remark(sample.answer[start:end]) for start, end in places]

        def is_about_chunks(item: _Item) -> bool:
            return 1 <= item.sentence <= len(places) and remarks[item.sentence - 1]

        form: Form[_Reply, _Item] = Form(
            schema=self.schema,
            name="sentences",
            item=self.item,
            kind=self.kind,
            noun="sentence",
            count=len(places),
            number="sentence",
            problems=lambda item: [] if is_about_chunks(item) else self.problems(item),
            flaws=lambda item: [] if is_about_chunks(item) else self.flaws(item, sample),
            may_be_cut=True,
        )
        reply, items = await asker.ask_list(self.step, form, data={"sentences": _listed(sample, places)})
        claims = [item for item in items.values() if self.is_claim(item)]
        listed_remarks = sum(is_about_chunks(item) for item in claims)
        if listed_remarks:
            asker.repairs.note(Repair.NO_CLAIM, listed_remarks)
        ruled = [(item, places[item.sentence - 1]) for item in claims if not is_about_chunks(item)]
        # An answer with a sentence that chunks bear out or deny says something, whatever the model says of the whole.
        if not ruled or (reply.abstained and not any(item.evidence for item, _ in ruled)):
            return nothing_claimed(abstained=reply.abstained or any(remarks))
        score = fmean(self.score(item) for item, _ in ruled)
        return Outcome(
            state=State.JUDGED,
            claims=tuple(self.claim(item, place, sample, asker.repairs) for item, place in ruled),
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
