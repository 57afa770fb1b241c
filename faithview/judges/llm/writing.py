"""Text written by a model: corrected sentences of an answer, and answers to questions.

The chunks and all that a model wrote before are between fences; a reply is read and repaired like a ruling.
An answer in plain text is an answer too: nothing but its words was asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import JudgeFailed
from faithview.domain.sample import Json, Sample
from faithview.judges.capabilities import FlawedSentence, Writing
from faithview.judges.llm.asking import NO_QUESTION, Asker, Send
from faithview.judges.llm.cost import Price, usage_of
from faithview.judges.llm.prompts import PromptTemplate, fence_chunks, fence_items, fence_text, shipped_prompt
from faithview.judges.llm.replies.schemas import Rewritings, WrittenAnswer

REWRITE, GENERATE = "rewrite", "generate"

_NONE = "(None.)"
_AS_JSON = "Reply with one JSON object of the given form and nothing else."


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes with one model."""

    send: Send
    price: Price | None
    max_tokens: int
    name: str

    async def rewrite(self, sample: Sample, sentences: Sequence[FlawedSentence]) -> Writing:
        """Return the sentences as the chunks have it, in their order; "" for one that is to be removed."""
        prompt = shipped_prompt(REWRITE)
        asker = self._asker(sample, prompt)
        try:
            _, items = await asker.ask_list(
                REWRITE,
                Rewritings,
                "sentence",
                len(sentences),
                may_be_cut=False,
                data={"sentences": _listed(sentences)},
            )
        except JudgeFailed as error:
            return self._writing(asker, prompt, (), error=str(error))
        return self._writing(asker, prompt, tuple(item.text for item in items.values()))

    async def generate(self, sample: Sample, rejected: Sequence[Claim]) -> Writing:
        """Return an answer to the sample's question from its chunks; the sample's own answer is not sent."""
        prompt = shipped_prompt(GENERATE)
        asker = self._asker(sample, prompt)
        try:
            reply = await asker.ask(
                GENERATE,
                WrittenAnswer,
                from_text=lambda text: WrittenAnswer(answer=text),
                data={"rejected": _rejected(rejected)},
            )
        except JudgeFailed as error:
            return self._writing(asker, prompt, (), error=str(error))
        return self._writing(asker, prompt, (reply.answer,))

    def _asker(self, sample: Sample, prompt: PromptTemplate) -> Asker:
        return Asker(sample=sample, send=self.send, prompts={prompt.step: prompt}, max_tokens=self.max_tokens)

    def _writing(
        self, asker: Asker, prompt: PromptTemplate, texts: tuple[str, ...], *, error: str | None = None
    ) -> Writing:
        return Writing(
            texts=texts, usage=usage_of(asker.replies, self.price), writer=f"{self.name}/{prompt.label}", error=error
        )


def generation_prompt(sample: Sample, rejected: Sequence[Claim]) -> str:
    """Return what a model is told to answer a question, as one text for a model that is asked in another way."""
    question = sample.question
    values: Mapping[str, str] = {
        "chunks": fence_chunks(sample.chunks),
        "question": fence_text("question", question) if question else NO_QUESTION,
        "rejected": _rejected(rejected),
    }
    filled = shipped_prompt(GENERATE).fill(values)
    instructions = filled.instructions.replace(_AS_JSON, "Reply with the answer and nothing else.")
    return instructions + filled.context + filled.task


def _listed(sentences: Sequence[FlawedSentence]) -> str:
    items: list[dict[str, Json]] = []
    for number, sentence in enumerate(sentences, start=1):
        wrong: list[Json] = [_problem(claim) for claim in sentence.wrong]
        right: list[Json] = [claim.text for claim in sentence.right]
        items.append({"sentence": number, "text": sentence.text, "wrong": wrong, "right": right})
    return fence_items("sentences", items)


def _problem(claim: Claim) -> dict[str, Json]:
    said: dict[str, Json] = {"claim": claim.text, "verdict": claim.verdict.value}
    if claim.explanation:
        said["explanation"] = claim.explanation
    if claim.verdict is Verdict.CONTRADICTED and claim.correction:
        said["correction"] = claim.correction
    return said


def _rejected(claims: Sequence[Claim]) -> str:
    items: list[dict[str, Json]] = [{"claim": claim.text, "verdict": claim.verdict.value} for claim in claims]
    return fence_items("rejected", items) if items else _NONE
