"""`nli`: every sentence is entailed (1), neutral (0.5) or contradicted (0); the score is the mean. One call."""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.base import Expected, Outcome, cited
from faithview.judges.llm.methods.sentences import SentenceJudge
from faithview.judges.llm.parsing import check_chunks, evidence_from
from faithview.judges.llm.schemas import Entailment, NliReply, SentenceEntailment

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


def _problems(item: SentenceEntailment, sample: Sample) -> list[str]:
    where = f"the label for sentence {item.sentence}"
    problems = check_chunks(where, [q.chunk for q in item.evidence], sample)
    if item.label is not Entailment.NEUTRAL and not item.evidence:
        problems.append(f"{where} is {item.label.value}, but no chunk is quoted")
    return problems


def _claim(item: SentenceEntailment, place: tuple[int, int], sample: Sample) -> Claim:
    return Claim(
        text=sample.answer[place[0] : place[1]],
        verdict=_VERDICTS[item.label],
        spans=(span_at(sample.answer, *place),),
        support_score=SCORES[item.label],
        explanation=item.explanation,
        supporting_chunk_ids=cited(item.evidence, sample),
        evidence=evidence_from(item.evidence, sample),
    )


_JUDGE: SentenceJudge[NliReply, SentenceEntailment] = SentenceJudge(
    step="nli",
    kind="label",
    schema=NliReply,
    items=lambda reply: reply.sentences,
    abstained=lambda reply: reply.abstained,
    problems=_problems,
    score=lambda item: SCORES[item.label],
    claim=_claim,
    tokens=70,
)
