"""`nli`: every sentence is entailed (1), neutral (0.5) or contradicted (0); the score is the mean. One call.

Sentences that claim nothing (greetings, remarks about the chunks) are left out.
"""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.base import Expected, Outcome, quote_flaws, sentence_text
from faithview.judges.llm.methods.sentences import SentenceJudge
from faithview.judges.llm.replies.anchoring import cited_chunks, evidence_from
from faithview.judges.llm.replies.repairs import Repairs
from faithview.judges.llm.replies.schemas import Entailment, NliReply, SentenceEntailment

# A sentence without a claim has no score, and is left out before any is asked for.
SCORES = {Entailment.ENTAILMENT: 1.0, Entailment.NEUTRAL: 0.5, Entailment.CONTRADICTION: 0.0}

_VERDICTS = {
    Entailment.ENTAILMENT: Verdict.SUPPORTED,
    Entailment.NEUTRAL: Verdict.NOT_MENTIONED,
    Entailment.CONTRADICTION: Verdict.CONTRADICTED,
}


class Nli:
    """Natural language inference, all sentences in one call, so that the chunks are sent once."""

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
    evidence = evidence_from(item.evidence, sample, repairs)
    return Claim(
        text=sentence_text(sample.answer, place),
        verdict=_VERDICTS[item.label],
        spans=(span_at(sample.answer, *place),),
        support_score=SCORES[item.label],
        explanation=item.explanation,
        supporting_chunk_ids=cited_chunks(evidence),
        evidence=evidence,
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
