"""`sentence`: every sentence is faithful or not, with a score and the phrases at fault. One call."""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Sample
from faithview.domain.spans import Span, span_at
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.base import Expected, Outcome, cited
from faithview.judges.llm.methods.sentences import SentenceJudge
from faithview.judges.llm.parsing import anchor, check_chunks, evidence_from
from faithview.judges.llm.schemas import SentenceFaithfulness, SentenceReply


class Sentences:
    """Sentence by sentence, all in one call."""

    name = label = "sentence"
    steps = ("sentence",)
    main_step = "sentence"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its sentences become claims, and the phrases at fault their spans."""
        return await _JUDGE.judge(sample, asker)

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """One call."""
        return _JUDGE.expect(sample)


def _problems(item: SentenceFaithfulness, sample: Sample) -> list[str]:
    where = f"the ruling for sentence {item.sentence}"
    problems = check_chunks(where, [q.chunk for q in item.evidence], sample)
    if item.faithful and (item.contradicted or item.problematic_phrases):
        problems.append(f"{where} says faithful, and yet contradicted or with problematic phrases")
    if not item.faithful and not item.problematic_phrases:
        problems.append(f"{where} says not faithful, but names no problematic phrase")
    if (item.faithful or item.contradicted) and not item.evidence:
        problems.append(f"{where} quotes no chunk")
    return problems


def _claim(item: SentenceFaithfulness, place: tuple[int, int], sample: Sample) -> Claim:
    verdict = Verdict.SUPPORTED if item.faithful else Verdict.NOT_MENTIONED
    if item.contradicted:
        verdict = Verdict.CONTRADICTED
    start, end = place
    return Claim(
        text=sample.answer[start:end],
        verdict=verdict,
        spans=_phrases(item, place, sample.answer) or (span_at(sample.answer, start, end),),
        support_score=item.score,
        explanation=item.explanation,
        supporting_chunk_ids=cited(item.evidence, sample),
        evidence=evidence_from(item.evidence, sample),
    )


def _phrases(item: SentenceFaithfulness, place: tuple[int, int], answer: str) -> tuple[Span, ...]:
    """Return the places of the problematic phrases in their sentence; a phrase that is not there is left out."""
    start, end = place
    spans = [anchor(answer[start:end], phrase) for phrase in item.problematic_phrases]
    places = sorted({(start + span.start, start + span.end) for span in spans if span is not None})
    return tuple(span_at(answer, *p) for p in places)


_JUDGE: SentenceJudge[SentenceReply, SentenceFaithfulness] = SentenceJudge(
    step="sentence",
    kind="ruling",
    schema=SentenceReply,
    items=lambda reply: reply.sentences,
    abstained=lambda reply: reply.abstained,
    problems=_problems,
    score=lambda item: item.score,
    claim=_claim,
    tokens=90,
)
