"""`nli`: each sentence is entailed (1), neutral (0.5) or contradicted (0); the score is the mean.

All sentences are judged in one call, as for `sentence`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Generic, TypeVar

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.method import (
    Expected,
    Outcome,
    is_remark,
    make_claim,
    nothing_claimed,
    quote_flaws,
    sentence_text,
    sentences_of,
)
from faithview.judges.llm.prompts import fence_items
from faithview.judges.llm.replies.find_json import Repair, Repairs
from faithview.judges.llm.replies.listing import Form
from faithview.judges.llm.replies.schemas import (
    Entailment,
    NliReply,
    SentenceEntailment,
    SentenceFaithfulness,
    SentenceReply,
)

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
        """One call, with this many reply tokens per sentence."""
        count = len(sentences_of(sample.answer))
        return (Expected(step=self.step, calls=1, completion_tokens=20 + self.tokens * count),)


def _listed(sample: Sample, ranges: Sequence[tuple[int, int]]) -> str:
    """Return the answer's sentences as a fenced, numbered list."""
    texts = [sample.answer[start:end] for start, end in ranges]
    return fence_items("sentences", [{"sentence": n, "text": text} for n, text in enumerate(texts, start=1)])


# A sentence without a claim has no score, and is left out before any is asked for.
SCORES = {Entailment.ENTAILMENT: 1.0, Entailment.NEUTRAL: 0.5, Entailment.CONTRADICTION: 0.0}

_VERDICTS = {
    Entailment.ENTAILMENT: Verdict.SUPPORTED,
    Entailment.NEUTRAL: Verdict.NOT_MENTIONED,
    Entailment.CONTRADICTION: Verdict.CONTRADICTED,
}


class Nli:
    """Natural language inference, all sentences in one call, so the chunks are sent once."""

    name = label = "nli"
    steps = ("nli",)
    main_step = "nli"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its sentences become claims."""
        return await _JUDGE.judge(sample, asker)

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call."""
        return _JUDGE.expect(sample)


def _flaws(item: SentenceEntailment, sample: Sample) -> list[str]:
    if item.label not in (Entailment.ENTAILMENT, Entailment.CONTRADICTION):
        return []
    return quote_flaws(item.evidence, sample, f"is {item.label.value}")


def _claim(item: SentenceEntailment, place: tuple[int, int], sample: Sample, repairs: Repairs) -> Claim:
    return make_claim(
        sentence_text(sample.answer, place),
        _VERDICTS[item.label],
        (span_at(sample.answer, *place),),
        sample,
        repairs,
        quotes=item.evidence,
        wrong=item.wrong,
        support_score=SCORES[item.label],
        explanation=item.explanation,
    )


_JUDGE: SentenceJudge[NliReply, SentenceEntailment] = SentenceJudge(
    step="nli",
    kind="label",
    schema=NliReply,
    item=SentenceEntailment,
    is_claim=lambda item: item.label is not Entailment.NO_CLAIM,
    flaws=_flaws,
    score=lambda item: SCORES[item.label],
    claim=_claim,
    tokens=70,
)
