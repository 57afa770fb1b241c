"""The guard: what it found, what it corrected, and what may be sent."""

from faithview.documents.answers import JudgedClaim
from faithview.documents.base import Count, Document, Number, Offsets, Part, Position, Share, entry
from faithview.domain.scoring import State


class GuardIssue(Part):
    """A claim that is not fully supported."""

    number: Position = entry("The claim's number, counting all claims of the answer.")
    spans: list[Offsets] = entry("Where the answer says it: code points `[start, end)`.")
    claim: JudgedClaim = entry("The claim.")


class GuardFinding(Part):
    """Whether an answer may be sent, and what is wrong with it."""

    passed: bool = entry("Whether it may be sent.")
    score: Share | None = entry("Supported claims / all claims; 1 if there are no claims, null without a judgement.")
    reason: str = entry("Why it does not pass; empty if it does.")
    answer: str = entry("The answer.")
    highlighted: str = entry("The answer as HTML, all of it escaped, with `<mark>` around each problem.")
    issues: list[GuardIssue] = entry("The claims that are not fully supported.")
    state: State = entry("The answer's state.", "result.state")
    judge: str = entry("The judge's name.", "result.judge")


class AnswerEdit(Part):
    """One change: `[start, end)` of the given answer became `replacement`."""

    start: Count = entry("Where the replaced words begin, in code points.")
    end: Count = entry("Where they end; that code point is not part of them.")
    replacement: str = entry("The new words.")
    claim_numbers: list[Position] = entry("The claims that it corrects.")
    reason: str = entry("The reason.")


class _Guarded(Part):
    changed: bool = entry("Whether the answer was changed.")
    before: GuardFinding = entry("The check of the given answer.")
    edits: list[AnswerEdit] = entry("The edits.")
    notes: list[str] = entry("Notes.")


class GuardDocument(GuardFinding, Document):
    """Whether an answer may be sent."""


class GuardedDocument(_Guarded, GuardFinding, Document):
    """The text to send: the check of the corrected answer, and of the given one."""


class CorrectionDocument(Document):
    """The corrected answer, which was not judged again."""

    answer: str = entry("The corrected answer.")
    changed: bool = entry("Whether it was changed.")
    edits: list[AnswerEdit] = entry("The edits.")
    notes: list[str] = entry("Notes.")
    before: GuardFinding = entry("The check of the given answer.", "check")


class _Sent(Part):
    sent: str | None = entry("The text that was printed; null if the answer is blocked.")


class GenerationAttempt(Part):
    """One attempt to write an answer."""

    number: Position = entry("The attempt's number.")
    answer: str = entry("The answer.")
    passed: bool = entry("Whether it passes.")
    score: Share | None = entry("Supported claims / all claims.", "check.score", default=None)
    error: str | None = entry("Why there is no judgement.")
    seconds: Number = entry("How long it took, in seconds.", low=0)
    llm_calls: Count = entry("Calls of a model.", "usage.llm_calls")


class _Generated(Part):
    validated: bool = entry("Whether an attempt passed.")
    abstained: bool = entry("Whether the model says that the chunks do not answer the question.")
    best: Position = entry("The number of the attempt that is shown.")
    attempts: list[GenerationAttempt] = entry("The attempts.")


class SentDocument(_Sent, GuardFinding, Document):
    """`faithview guard --no-correct`: a check, and what was printed."""


class SentGuardedDocument(_Sent, _Guarded, GuardFinding, Document):
    """`faithview guard`: a correction, and what was printed."""


class SentGenerationDocument(_Sent, _Generated, GuardFinding, Document):
    """`faithview guard --generate`: the best attempt, and what was printed."""
