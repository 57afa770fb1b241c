"""`nli`: every sentence is entailed (1), neutral (0.5) or contradicted (0); the score is the mean. One call."""

from collections.abc import Sequence
from statistics import fmean

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.fences import fence_items
from faithview.judges.llm.methods.base import Expected, Outcome, cited, nothing_claimed, sentences_of
from faithview.judges.llm.parsing import by_number, check_chunks, check_numbers, evidence_from
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
        ranges = sentences_of(sample.answer)
        if not ranges:
            return nothing_claimed(abstained=False)

        def check(reply: NliReply) -> list[str]:
            problems = check_numbers("label for sentence", [s.sentence for s in reply.sentences], len(ranges))
            for item in reply.sentences:
                where = f"the label for sentence {item.sentence}"
                problems += check_chunks(where, [q.chunk for q in item.evidence], sample)
                if item.label is not Entailment.NEUTRAL and not item.evidence:
                    problems.append(f"{where} is {item.label.value}, but no chunk is quoted")
            return problems

        reply = await asker.ask("nli", NliReply, check=check, data={"sentences": list_sentences(sample, ranges)})
        if reply.abstained:
            return nothing_claimed(abstained=True)
        labelled = by_number(reply.sentences, lambda item: item.sentence)
        score = fmean(SCORES[item.label] for item in labelled)
        return Outcome(
            state=State.JUDGED,
            claims=tuple(_claim(item, r, sample) for item, r in zip(labelled, ranges, strict=True)),
            score=score,
            metrics={"nli": score},
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call; a sentence takes about 70 tokens."""
        return (Expected(step="nli", calls=1, completion_tokens=20 + 70 * len(sentences_of(sample.answer))),)


def list_sentences(sample: Sample, ranges: Sequence[tuple[int, int]]) -> str:
    """Return the answer's sentences as a fenced, numbered list."""
    texts = [sample.answer[start:end] for start, end in ranges]
    return fence_items("sentences", [{"sentence": n, "text": text} for n, text in enumerate(texts, start=1)])


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
