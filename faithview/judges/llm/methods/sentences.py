"""`nli` and `sentence`: every sentence of the answer is ruled on, all in one call.

By `nli` a sentence is entailed (1), neutral (0.5) or contradicted (0). `sentence` says for each how much of it the
chunks bear out: with 1 it is supported, between 0 and 1 partially supported, with 0 not mentioned, and contradicted if
a chunk says otherwise. The score is the mean. Sentences that claim nothing (greetings, remarks about the chunks) are
left out.
"""

from statistics import fmean

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.methods.method import (
    Method,
    Outcome,
    is_remark,
    make_claim,
    nothing_claimed,
    quote_flaws,
    sentence_text,
    sentences_of,
)
from faithview.judges.llm.prompts import fence_items
from faithview.judges.llm.replies.reading import Repair
from faithview.judges.llm.replies.schemas import NliReply, SentenceEntailment, SentenceFaithfulness, SentenceReply

_Item = SentenceEntailment | SentenceFaithfulness


class Sentences(Method):
    """One of the two methods."""

    def __init__(self, name: str, schema: type[NliReply] | type[SentenceReply]) -> None:
        self.name = name
        self.steps = (name,)
        self._schema = schema

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its sentences become claims and the mean of their scores the answer's."""
        places = sentences_of(sample.answer)
        if not places:
            return nothing_claimed(abstained=False)
        texts = [sample.answer[start:end] for start, end in places]
        remarks = {number for number, text in enumerate(texts, start=1) if is_remark(text)}

        def flaws(item: _Item) -> list[str]:
            is_ruled = item.is_claim and item.sentence not in remarks
            return quote_flaws(item.verdict, item.evidence, sample) if is_ruled else []

        listed = fence_items("sentences", [{"sentence": n, "text": text} for n, text in enumerate(texts, start=1)])
        reply, items = await asker.ask_list(
            self.name, self._schema, "sentence", len(texts), flaws=flaws, data={"sentences": listed}
        )
        claims = {number: item for number, item in items.items() if item.is_claim}
        asker.repairs[Repair.NO_CLAIM] += len(remarks & claims.keys())
        ruled = [(item, places[number - 1]) for number, item in claims.items() if number not in remarks]
        # An answer with a sentence that chunks bear out or deny says something, whatever the model says of the whole.
        if not ruled or (reply.abstained and not any(item.evidence for item, _ in ruled)):
            return nothing_claimed(abstained=reply.abstained or bool(remarks))
        score = fmean(item.score for item, _ in ruled)
        judged = [
            make_claim(
                sentence_text(sample.answer, place),
                item.verdict,
                (span_at(sample.answer, *place),),
                asker,
                quotes=item.evidence,
                wrong=item.wrong,
                support_score=item.score,
                explanation=item.explanation,
            )
            for item, place in ruled
        ]
        return Outcome(state=State.JUDGED, claims=tuple(judged), score=score, metrics={self.name: score})


NLI = Sentences("nli", NliReply)
SENTENCE = Sentences("sentence", SentenceReply)
