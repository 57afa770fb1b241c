"""A judge's result for one answer, and its row in an export."""

from typing import Annotated, Literal

from pydantic import BeforeValidator

from faithview.documents.base import Count, Document, Given, Number, Offsets, Part, Seconds, Share, Time, entry
from faithview.documents.labels import LabelRow
from faithview.domain.claim import ClaimType, HallucinationType, Importance, Mismatch, Severity, Verdict
from faithview.domain.scoring import State


class QuotedEvidence(Part):
    """Words of a chunk behind the verdict. `start` and `end` are null if the chunk does not contain them verbatim."""

    chunk_id: str = entry("The chunk's id.")
    start: Count | None = entry("Where the quote begins in the chunk, in code points.", "span.start", default=None)
    end: Count | None = entry("Where it ends; that code point is not part of it.", "span.end", default=None)
    quote: str = entry("The quoted words.")


def _without_place(mismatch: object) -> object:
    if not isinstance(mismatch, Mismatch):
        return mismatch
    has_chunk = mismatch.chunk_id is not None
    return mismatch._asdict() if has_chunk else {**mismatch._asdict(), "chunk_start": None, "chunk_end": None}


class MismatchedWords(Part):
    """Wrong words of the answer, and the words of a chunk that contradict them, if any."""

    start: Count = entry("Where the words begin in the answer, in code points.")
    end: Count = entry("Where they end; that code point is not part of them.")
    chunk_id: str | None = entry("The chunk that contradicts them; null if none does.")
    chunk_start: Count | None = entry("Where its words begin in the chunk, in code points.")
    chunk_end: Count | None = entry("Where they end; that code point is not part of them.")


class JudgedClaim(Part):
    """A statement of the answer with the judge's verdict on it."""

    text: str = entry("The claim as it was judged; it may be rephrased as a self-contained sentence.")
    verdict: Verdict = entry("What the chunks say about the claim.")
    confidence: Share | None = entry("The judge's probability that its verdict is right; null if it states none.")
    claim_type: ClaimType | None = entry("What kind of statement it is.")
    importance: Importance | None = entry("How important it is to the answer.")
    explanation: str = entry("The judge's reason.")
    hallucination_type: HallucinationType | None = entry("How an unsupported claim goes wrong.")
    severity: Severity | None = entry("How much harm an unsupported claim can do.")
    correction: str | None = entry("What the chunks say instead, if the judge states it.")
    supporting_chunk_ids: list[str] = entry("The chunks that the verdict is based on, best first.")
    answer_spans: list[Offsets] = entry(
        "Where the answer says it: code points `[start, end)`. Empty if unknown.", "spans"
    )
    evidence: list[QuotedEvidence] = entry(
        "The quotes that the verdict is based on; for a claim that is not mentioned, the nearest passages."
    )
    mismatches: list[Annotated[MismatchedWords, BeforeValidator(_without_place)]] = entry(
        "The wrong words, if the judge marks them."
    )
    support_score: Share | None = entry("The judge's probability that the claim is supported; it ranks claims.")
    decided_by: str | None = entry("The judge that gave the verdict, if the judge is a cascade; null otherwise.")


class CheckDocument(Document):
    """One answer, judged claim by claim."""

    faithfulness: Share | None = entry("Supported claims / all claims; null if nothing was judged.")
    faithfulness_weighted: Share | None = entry(
        "The mean weight of the verdicts (1, 0.5, 0, -1), not below 0; null if nothing was judged."
    )
    is_faithful: bool | None = entry(
        "Whether no claim is contradicted or not mentioned, and faithfulness is at least the threshold."
    )
    no_claims: bool = entry("Whether the answer has no claims.")
    state: State = entry("The answer's state.")
    error: str | None = entry("Why the answer could not be judged.")
    judge: str = entry("The judge's name.")
    claims: list[JudgedClaim] = entry("The claims in the order of the answer.")
    suggestions: list[str] = entry("The judge's advice on the answer as a whole.")
    metrics: dict[str, Number] = entry("Further figures by name, each from 0 to 1.")
    warnings: list[str] = entry("What is missing from the result, or was repaired in it.")
    raw_reply: str | None = entry("The model's last reply, if the answer failed because of it.")
    llm_calls: Count = entry("Calls of a model.", "usage.llm_calls")
    prompt_tokens: Count = entry("Tokens sent.", "usage.prompt_tokens")
    completion_tokens: Count = entry("Tokens received.", "usage.completion_tokens")
    cost_usd: Number | None = entry("The cost of the calls in US dollars; null if no price is known.", "usage.cost_usd")


class GivenChunk(Part):
    """A chunk that was retrieved for the answer."""

    id: str = entry("The chunk's id.", "chunk_id")
    text: str = entry("Its text.")
    rank: int = entry("Its place among the chunks.")
    score: Number | None = entry("The retriever's score.")
    metadata: Given = entry("Its metadata.")


class ClaimNote(Part):
    """A note on a claim."""

    author: str = entry("Who wrote it.")
    at: Time = entry("When it was written.")
    text: str = entry("The note.")


class _ClaimId(Part):
    claim_id: str = entry("The claim's id: run, row and number.")


class ExportedClaim(JudgedClaim, _ClaimId):
    """A claim with its labels."""

    labels: list[LabelRow] = entry("The labels that count, and those given after a blind one.")
    effective_verdict: Verdict | Literal["not_a_claim"] = entry(
        "The verdict that counts: the reviewers' or, if there is none, the judge's."
    )
    notes: list[ClaimNote] = entry("Notes on the claim.")


class CallCounts(Part):
    """Calls and tokens of one answer."""

    llm_calls: Count = entry("Calls of a model.")
    cached_calls: Count = entry("Calls that were answered from earlier runs.")
    prompt_tokens: Count = entry("Tokens sent.")
    cached_prompt_tokens: Count = entry("Tokens sent that the vendor read from its own cache.")
    completion_tokens: Count = entry("Tokens received.")
    cost_usd: Number | None = entry("The cost of the calls in US dollars; null if no price is known.")


class JudgeResult(Part):
    """The judge's own result, which no label changes."""

    state: State = entry("The answer's state.")
    faithfulness: Share | None = entry("Supported claims / all claims.")
    is_faithful: bool | None = entry("Whether the judge calls the answer faithful.")


class ExportedAnswer(Document):
    """One line of `faithview export --format jsonl`: an answer with its claims and labels."""

    key: str = entry("The row's id.")
    question: str | None = entry("The question.")
    answer: str = entry("The answer.")
    segment: str | None = entry("Its segment.")
    reference: str | None = entry("The reference answer.")
    timestamp: Time | None = entry("The time of the answer.")
    inclusion_probability: Share = entry("The probability with which the answer was drawn from all answers.")
    state: State = entry("The answer's state, by the reviewers' verdicts where there are any.")
    error: str | None = entry("Why it could not be judged.")
    faithfulness: Share | None = entry("Supported claims / all claims, by the same verdicts.")
    is_faithful: bool | None = entry("Whether it counts as faithful, by the same verdicts.")
    judge: str = entry("The judge's name.")
    chunks: list[GivenChunk] = entry("The chunks, best first.")
    claims: list[ExportedClaim] = entry("The claims in the order of the answer.")
    missed_claims: list[LabelRow] = entry("Claims that the judge missed and reviewers added.")
    extra: Given = entry("The columns that came with the row.")
    suggestions: list[str] = entry("The judge's advice on the answer as a whole.")
    metrics: dict[str, Number] = entry("Further figures by name, each from 0 to 1.")
    warnings: list[str] = entry("What is missing from the result, or was repaired in it.")
    raw_reply: str | None = entry("The model's last reply, if the answer failed because of it.")
    answer_score: Share | None = entry("The judge's probability that the whole answer is faithful.")
    usage: CallCounts = entry("Calls and tokens.")
    seconds: Seconds = entry("How long judging took, in seconds.")
    judge_result: JudgeResult = entry("The judge's own result.")
