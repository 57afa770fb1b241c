"""Text written by a model: corrected sentences of an answer, and answers to questions.

The chunks and all that a model wrote before are between fences; a reply is read and repaired like a ruling.
An answer in plain text is an answer too: nothing but its words was asked for.
"""

from collections.abc import Mapping, Sequence

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Json, Sample
from faithview.judges.capabilities import FlawedSentence
from faithview.judges.llm.asking import NO_QUESTION, Asker
from faithview.judges.llm.prompts import fence_chunks, fence_items, fence_text, shipped_prompt
from faithview.judges.llm.replies.schemas import Rewritings, WrittenAnswer

REWRITE, GENERATE = "rewrite", "generate"

_NONE = "(None.)"
_AS_JSON = "Reply with one JSON object of the given form and nothing else."


async def rewrite(asker: Asker, sentences: Sequence[FlawedSentence]) -> tuple[str, ...]:
    """Return the sentences as the chunks have it, in their order; "" for one that is to be removed.

    Raises:
        JudgeFailed: no usable reply came.
    """
    data = {"sentences": _listed(sentences)}
    _, items = await asker.ask_list(REWRITE, Rewritings, "sentence", len(sentences), may_be_cut=False, data=data)
    return tuple(item.text for item in items.values())


async def generate(asker: Asker, rejected: Sequence[Claim]) -> tuple[str, ...]:
    """Return an answer to the sample's question from its chunks; the sample's own answer is not sent.

    Raises:
        JudgeFailed: no usable reply came.
    """
    reply = await asker.ask(GENERATE, WrittenAnswer, data={"rejected": _rejected(rejected)})
    return (reply.answer,)


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
