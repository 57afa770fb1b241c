"""What the service answers with, for the OpenAPI document. The replies themselves are written by `services/exports`."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Verdict = Literal["supported", "partially_supported", "not_mentioned", "contradicted"]
State = Literal["judged", "no_claims", "abstained", "empty_context", "failed"]
Offsets = Annotated[list[int], Field(min_length=2, max_length=2, description="Code points `[start, end)`.")]
Share = Annotated[float, Field(ge=0, le=1)]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


class EvidenceReply(_Reply):
    """Words of a chunk that the verdict rests on; without `start` and `end` where they do not stand there verbatim."""

    chunk_id: str
    start: int | None
    end: int | None
    quote: str


class MismatchReply(_Reply):
    """Words of the answer that are at fault, and the words of a chunk that stand against them, if there are any."""

    start: int
    end: int
    chunk_id: str | None
    chunk_start: int | None
    chunk_end: int | None


class ClaimReply(_Reply):
    """A statement of the answer with the judge's verdict on it."""

    text: str
    verdict: Verdict
    confidence: Share | None
    support_score: Share | None = Field(description="The judge's probability that the claim is supported.")
    claim_type: str | None
    importance: str | None
    explanation: str
    hallucination_type: str | None
    severity: str | None
    correction: str | None
    supporting_chunk_ids: list[str]
    answer_spans: list[Offsets]
    evidence: list[EvidenceReply]
    mismatches: list[MismatchReply]


class CheckReply(_Reply):
    """The judge's result, as `faithview check --json` prints it."""

    faithfulness: Share | None = Field(description="Supported claims / all claims; null where nothing was judged.")
    faithfulness_weighted: Share | None
    is_faithful: bool | None = Field(
        description="No claim contradicted or not mentioned, and faithfulness at least the threshold."
    )
    no_claims: bool
    state: State
    error: str | None = Field(description="Why the answer could not be judged.")
    judge: str
    claims: list[ClaimReply]
    suggestions: list[str]
    metrics: dict[str, float]
    warnings: list[str]
    raw_reply: str | None
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class IssueReply(_Reply):
    """A claim that is not fully supported; `number` counts all claims of the answer from 1."""

    number: int
    spans: list[Offsets]
    claim: ClaimReply


class GuardCheckReply(_Reply):
    """Whether an answer may be sent, and what is wrong with it."""

    passed: bool
    score: Share | None
    reason: str = Field(description="Why it does not pass; empty where it does.")
    answer: str
    highlighted: str = Field(description="The answer as HTML, all of it escaped, `<mark>` around each problem.")
    issues: list[IssueReply]
    state: State
    judge: str


class EditReply(_Reply):
    """One change: `[start, end)` of the given answer became `replacement`."""

    start: int
    end: int
    replacement: str
    claim_numbers: list[int]
    reason: str


class GuardReply(GuardCheckReply):
    """What may be sent. With `correct` this is about the corrected answer, and `before` about the given one."""

    changed: bool | None = Field(default=None, description="With `correct`: whether the answer was changed.")
    before: GuardCheckReply | None = Field(default=None, description="With `correct`: the check of the given answer.")
    edits: list[EditReply] | None = Field(default=None, description="With `correct`: what was changed.")
    notes: list[str] | None = Field(default=None, description="With `correct`: what else there is to say.")


class CorrectReply(_Reply):
    """The corrected answer, which was not judged again; `/guard` with `correct` does that."""

    answer: str
    changed: bool
    edits: list[EditReply]
    notes: list[str]
    before: GuardCheckReply = Field(description="The check of the given answer.")


class RefusedReply(_Reply):
    """An answer that was not stored: its place in the request, from 0, and why."""

    index: int
    id: str | None
    message: str


class LogReply(_Reply):
    """How many answers are in the store now, those included that were there before under the same id."""

    accepted: int
    refused: list[RefusedReply]


class HealthReply(_Reply):
    """The service is alive."""

    status: Literal["ok"]
    version: str


class ReadyReply(_Reply):
    """Whether the service can work."""

    ready: bool
    judge: bool
    store: bool
