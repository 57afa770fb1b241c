"""A preflight in words: outcomes, reasons, the findings in sentences, and passages with their changed words marked."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from faithview.domain.preflight import (
    ASSUMPTION,
    Outcome,
    OutcomeCounts,
    PreflightRecord,
    PreflightResult,
    Projection,
    QuestionToAsk,
    Reason,
)
from faithview.wording import numbers as fmt
from faithview.wording.knowledge import INCOMPLETE, document_counts

OUTCOME_WORDS: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.BROKEN: "Would break",
        Outcome.OVERTAKEN: "Overtaken",
        Outcome.UNKNOWN: "Uncertain",
        Outcome.FIXED: "Would be fixed",
        Outcome.UNSUPPORTED: "Still not supported",
        Outcome.SUPPORTED: "Still supported",
    }
)
OUTCOME_RULES: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.BROKEN: "The new version no longer supports these claims.",
        Outcome.OVERTAKEN: (
            "The evidence stays, but new passages match the question better and do not support these claims. The "
            "application will probably answer from them."
        ),
        Outcome.UNKNOWN: "FaithView cannot say whether these claims hold; the reason is given with each.",
        Outcome.FIXED: "These claims are not supported now, and the new version supports them.",
    }
)
REASON_WORDS: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.EDITED: "a retrieved passage was edited",
        Reason.REMOVED: "a retrieved passage was removed",
        Reason.ADDED: "a new passage matches the question better",
        Reason.NOT_IN_VERSION: "its evidence is missing from the stored version",
        Reason.NOT_LISTED: "the judge did not find the claim again",
        Reason.JUDGE_UNSURE: "the judge is unsure whether the edited text supports it",
        Reason.JUDGE_FAILED: "the judge failed",
        Reason.ADDED_BY_REVIEWER: "a reviewer added it, so no judge has a verdict on it",
        Reason.PENDING: "not judged yet",
    }
)
BOUNDS = "The lower end counts overtaken and uncertain claims as unsupported, the upper end as supported."
_WORDS_AROUND = 8

__all__ = [
    "ASSUMPTION",
    "BOUNDS",
    "INCOMPLETE",
    "OUTCOME_RULES",
    "OUTCOME_WORDS",
    "REASON_WORDS",
    "changes_words",
    "finding_words",
    "further_words",
    "judge_words",
    "mark_passage",
    "passage_words",
    "projection_words",
    "questions_words",
    "unplaced_words",
    "versions_words",
    "whole_words",
]


def versions_words(record: PreflightRecord, *, arrow: str = "->") -> str:
    """Write which versions are compared: "2026-09 -> kb-october.jsonl"."""
    return f"{record.kb_version} {arrow} {record.new_version or record.source or 'the new version'}"


def changes_words(record: PreflightRecord) -> str:
    """Write how many documents differ."""
    counts = record.counts
    return document_counts(added=counts.added, edited=counts.edited, removed=counts.removed, unchanged=counts.unchanged)


def finding_words(counts: OutcomeCounts) -> str:
    """Write how many claims would break, in one sentence; overtaken claims are named apart."""
    if not counts.breaking:
        return "No claim is known to break." if counts.unknown else "No claim would break."
    parts = []
    if counts.broken:
        parts.append(f"{fmt.plural(counts.broken, 'claim')} would break")
    if counts.overtaken:
        noun = fmt.plural(counts.overtaken, "claim")
        parts.append(f"{noun} {fmt.verb(counts.overtaken, 'is', 'are')} overtaken by new passages")
    return f"{' and '.join(parts)}."


def further_words(counts: OutcomeCounts) -> str:
    """Write how many claims would be fixed and how many are uncertain; "" if none."""
    parts = []
    if counts.fixed:
        parts.append(f"{fmt.plural(counts.fixed, 'claim')} would be fixed.")
    if counts.unknown:
        parts.append(f"{fmt.plural(counts.unknown, 'claim')} {fmt.verb(counts.unknown, 'is', 'are')} uncertain.")
    return " ".join(parts)


def projection_words(projection: Projection, *, arrow: str = "->") -> str:
    """Write the run's faithfulness now and as it would become, with its bounds: "0.92 -> 0.88 (0.85 to 0.90)"."""
    if projection.before is None or projection.after is None:
        return "unknown: no answer of the run has a score"
    decimals = fmt.decimals_to_tell(projection.before, projection.after, projection.after - projection.before)
    shown = f"{fmt.fixed(projection.before, decimals)} {arrow} {fmt.fixed(projection.after, decimals)}"
    if projection.worst == projection.best:
        return shown
    return f"{shown} ({fmt.fixed(projection.worst, decimals)} to {fmt.fixed(projection.best, decimals)})"


def judge_words(result: PreflightResult) -> str:
    """Write which judge judged again, and how much."""
    record = result.record
    judged = fmt.plural(record.answers, "answer")
    if record.is_run_judge:
        return f"{judged} judged again by the run's judge {record.judge.name}"
    return f"{judged} judged by {record.judge.name} with both versions, because it is not the judge of the run"


def unplaced_words(record: PreflightRecord) -> str:
    """Write how many retrieved chunks the stored version lacks; "" if none."""
    if not record.unplaced:
        return ""
    chunks = fmt.plural(record.unplaced, "retrieved chunk")
    verb = fmt.verb(record.unplaced, "is", "are")
    return f"{chunks} {verb} missing from {record.kb_version}, so of the claims that rest on them nothing can be said."


def whole_words(record: PreflightRecord) -> str:
    """Warn if most documents are missing from the new version, which may be only a part of it; "" if not."""
    counts = record.counts
    if counts.removed <= counts.edited + counts.unchanged:
        return ""
    return (
        f"Most documents of {record.kb_version} are missing from the new version and count as removed. Check that it "
        "has all documents, not only the changed ones."
    )


def passage_words(before: str, after: str | None, *, is_other: bool = False) -> str:
    """Write a passage and its new text in one line; `is_other` if the new text is that of another passage."""
    if after is None:
        return f"[-{_start_of(before)}-]"
    return _start_of(after) if is_other else mark_passage(before, after)


def _start_of(text: str) -> str:
    words = text.split()
    return " ".join(words[: 3 * _WORDS_AROUND]) + (" …" if len(words) > 3 * _WORDS_AROUND else "")


def mark_passage(before: str, after: str) -> str:
    """Return the changed words of a passage in one line: "within [-30-] {+14+} days", with a few words around them."""
    from faithview.wording.word_diff import Change, diff_words  # here, because it imports a library

    parts: list[str] = []
    for piece in diff_words(before, after):
        text = " ".join(piece.text.split())
        if not text:
            continue
        if piece.kind is Change.SAME:
            parts.append(_shorten(text, is_first=not parts))
        else:
            parts.append(f"[-{text}-]" if piece.kind is Change.REMOVED else f"{{+{text}+}}")
    if parts and "…" not in parts[-1] and not parts[-1].startswith(("[-", "{+")):
        words = parts[-1].split()
        parts[-1] = " ".join(words[:_WORDS_AROUND]) + (" …" if len(words) > _WORDS_AROUND else "")
    return " ".join(parts)


def _shorten(text: str, *, is_first: bool) -> str:
    words = text.split()
    if is_first:
        return text if len(words) <= _WORDS_AROUND else f"… {' '.join(words[-_WORDS_AROUND:])}"
    if len(words) <= 2 * _WORDS_AROUND:
        return text
    return f"{' '.join(words[:_WORDS_AROUND])} … {' '.join(words[-_WORDS_AROUND:])}"


def questions_words(questions: Sequence[QuestionToAsk], *, shown: int) -> str:
    """Write how many questions to ask again are shown, and how many of all answers would probably change."""
    changing = sum(question.answer_changes for question in questions)
    of_all = "" if shown == len(questions) else f"{fmt.count(shown)} of "
    return f"{of_all}{fmt.plural(len(questions), 'question')}; {fmt.plural(changing, 'answer')} would probably change"
