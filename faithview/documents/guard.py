"""The guard: what it found, what it corrected, and what may be sent."""

from faithview.documents.answers import JudgedClaim
from faithview.documents.base import Count, Document, Offsets, Part, Position, Share, entry
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


class GuardDocument(GuardFinding, Document):
    """Whether an answer may be sent."""


class GuardedDocument(GuardFinding, Document):
    """The text to send: the check of the corrected answer, and of the given one."""

    changed: bool = entry("Whether the answer was changed.")
    before: GuardFinding = entry("The check of the given answer.")
    edits: list[AnswerEdit] = entry("The edits.")
    notes: list[str] = entry("Notes.")


class CorrectionDocument(Document):
    """The corrected answer, which was not judged again."""

    answer: str = entry("The corrected answer.")
    changed: bool = entry("Whether it was changed.")
    edits: list[AnswerEdit] = entry("The edits.")
    notes: list[str] = entry("Notes.")
    before: GuardFinding = entry("The check of the given answer.", "check")
