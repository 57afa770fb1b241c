"""`sentence`: for every sentence how much of it the chunks bear out, and its wrong words. One call.

A sentence with the score 1 is supported, one between 0 and 1 partially supported, one with 0 not mentioned; if a chunk
says otherwise, it is contradicted. Sentences that claim nothing (greetings, remarks about the chunks) are left out.
"""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.method import Expected, Outcome, make_claim, needs_quote, quote_flaws, sentence_text
from faithview.judges.llm.methods.nli import SentenceJudge
from faithview.judges.llm.replies.find_json import Repairs
from faithview.judges.llm.replies.schemas import SentenceFaithfulness, SentenceReply


class Sentences:
    """Sentence by sentence, all in one call."""

    name = label = "sentence"
    steps = ("sentence",)
    main_step = "sentence"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its sentences become claims."""
        return await _JUDGE.judge(sample, asker)

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call."""
        return _JUDGE.expect(sample)


def _problems(item: SentenceFaithfulness) -> list[str]:
    if item.is_claim and item.score == 1 and (item.contradicted or item.wrong):
        return ["has the score 1, and yet is contradicted or has wrong words"]
    return []


def _flaws(item: SentenceFaithfulness, sample: Sample) -> list[str]:
    if not item.is_claim or not needs_quote(_verdict(item)):
        return []  # nothing can be quoted for what is absent
    return quote_flaws(item.evidence, sample, f"has the score {item.score:g}" if item.score else "is contradicted")


def _verdict(item: SentenceFaithfulness) -> Verdict:
    if item.contradicted:
        return Verdict.CONTRADICTED
    if item.score in (0, 1):
        return Verdict.SUPPORTED if item.score else Verdict.NOT_MENTIONED
    return Verdict.PARTIALLY_SUPPORTED


def _claim(item: SentenceFaithfulness, place: tuple[int, int], sample: Sample, repairs: Repairs) -> Claim:
    return make_claim(
        sentence_text(sample.answer, place),
        _verdict(item),
        (span_at(sample.answer, *place),),
        sample,
        repairs,
        quotes=item.evidence,
        wrong=item.wrong,
        support_score=item.score,
        explanation=item.explanation,
    )


_JUDGE: SentenceJudge[SentenceReply, SentenceFaithfulness] = SentenceJudge(
    step="sentence",
    kind="ruling",
    schema=SentenceReply,
    item=SentenceFaithfulness,
    is_claim=lambda item: item.is_claim,
    problems=_problems,
    flaws=_flaws,
    score=lambda item: item.score,
    claim=_claim,
    tokens=90,
)
