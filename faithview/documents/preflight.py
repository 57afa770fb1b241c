"""The effect of an update of the knowledge base, before it is published."""

from faithview.documents.base import Count, Document, Part, Position, Share, Time, entry
from faithview.domain.claim import Verdict
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.preflight import ASSUMPTION, Outcome, Reason


class OutcomeFigures(Part):
    """Claims by outcome."""

    broken: Count = entry("Claims that the new version no longer supports.")
    overtaken: Count = entry(
        "Supported claims whose evidence stays, but new passages match the question better and do not support them."
    )
    unknown: Count = entry("Uncertain claims; the reason is given with each.")
    fixed: Count = entry("Claims that only the new version supports.")
    unsupported: Count = entry("Claims that are still not supported.")
    supported: Count = entry("Claims that are still supported.")


class NewVersion(Part):
    """The version that was checked."""

    version: str | None = entry("The name that it will have.", "new_version")
    source: str | None = entry("Its file or folder.")


class ProjectedFaithfulness(Part):
    """The run's mean faithfulness with the new version, if answers and retrieval stay the same."""

    answers: Count = entry("The judged answers.")
    before: Share | None = entry("The mean now.")
    after: Share | None = entry("The mean with the new version; unknown claims keep their verdicts.")
    worst: Share | None = entry("The mean if overtaken and unknown claims are not supported.")
    best: Share | None = entry("The mean if they are.")


class ForecastPassage(Part):
    """A retrieved chunk and its replacement."""

    document: str = entry("The document.")
    title: str | None = entry("Its title.")
    chunk_id: str = entry("The retrieved chunk; for an overtaken claim, the new passage.")
    before: str = entry("The chunk's text.")
    after: str | None = entry("The text of the new version; null if it was removed.")
    is_overtaking: bool = entry("Whether `after` is another passage, which matches the question better.")


class ForecastClaim(Part):
    """A claim and its outcome."""

    row: Position = entry("The answer's row in the run.")
    key: str = entry("The row's id.")
    claim: Position | None = entry("The claim's number; null for one that reviewers added.", "number")
    text: str = entry("Its text.")
    question: str | None = entry("The question.")
    segment: str | None = entry("The answer's segment.")
    outcome: Outcome = entry("The outcome.")
    reason: Reason = entry("The reason for the outcome.")
    before: Verdict = entry("Its verdict now, by the view.")
    after: Verdict | None = entry("Its verdict by the new version; null if unknown.")
    explanation: str = entry("The judge's explanation.")
    passages: list[ForecastPassage] = entry("The passages that the outcome is due to.")


class ForecastDocument(Part):
    """A document that differs."""

    name: str = entry("Its name.", "document.name")
    title: str | None = entry("Its title.", "document.title")
    change: DocumentChangeKind = entry("The kind of change.", "document.kind")
    passages: Count = entry("Chunks that changed.", "document.passages")
    outcomes: OutcomeFigures = entry("The claims that it affects.", "counts")
    questions: Count = entry("Questions to ask again because of it.")


class ForecastSegment(Part):
    """A segment of the run."""

    segment: str | None = entry("Its name; null for answers without one.")
    answers: Count = entry("Its answers.")
    outcomes: OutcomeFigures = entry("Its affected claims.", "counts")
    questions: Count = entry("Its questions to ask again.")


class EnteringPassage(Part):
    """A new passage that would probably be retrieved for a question."""

    document: str = entry("Its document.")
    chunk_id: str = entry("Its id.")
    rank: Position = entry("Its rank among the chunks of the answer.")


class ForecastQuestion(Part):
    """A question to ask again after the update."""

    row: Position = entry("The answer's row in the run.")
    key: str = entry("The row's id.")
    question: str | None = entry("The question.")
    segment: str | None = entry("The answer's segment.")
    outcomes: OutcomeFigures = entry("The outcomes of its claims.", "counts")
    entering: list[EnteringPassage] = entry("New passages that would probably be retrieved.")
    answer_changes: bool = entry(
        "Whether its answer would probably change: a claim breaks or is overtaken, or at least half of the retrieved "
        "passages would be new."
    )


class PreflightDocument(Document):
    """The effect that an update of the knowledge base would have on the answers of a run."""

    preflight_id: str = entry("Its id.", "record.preflight_id")
    run_id: str = entry("The run whose answers were checked.", "record.run_id")
    run_name: str = entry("The run's name.")
    kb_version: str = entry("The version that the run used.", "record.kb_version")
    new: NewVersion = entry("The version that was checked.", "record")
    created_at: Time = entry("When it began.", "record.created_at")
    finished_at: Time | None = entry("When all answers were judged; null if some are not.", "record.finished_at")
    judge: str = entry("The judge that judged again.", "record.judge.name")
    is_run_judge: bool = entry(
        "Whether it is the run's own; another judge judges both versions.", "record.is_run_judge"
    )
    added: Count = entry("Documents that were added.", "record.counts.added")
    edited: Count = entry("Documents that were edited.", "record.counts.edited")
    removed: Count = entry("Documents that were removed.", "record.counts.removed")
    unchanged: Count = entry("Documents that are the same.", "record.counts.unchanged")
    is_complete: bool = entry("Whether all documents were compared.", "record.counts.is_complete")
    answers_judged: Count = entry("Answers that are judged again.", "record.answers")
    answers_pending: Count = entry("Those that are not judged yet.", "pending")
    answers_failed: Count = entry("Those that the judge failed on.", "failed")
    chunks_not_in_stored_version: Count = entry("Retrieved chunks that the stored version lacks.", "record.unplaced")
    outcomes: OutcomeFigures = entry("The affected claims by outcome.", "counts")
    faithfulness: ProjectedFaithfulness = entry("The run's faithfulness as it would become.", "projection")
    assumption: str = entry("The assumption behind these figures, as a sentence.", default=ASSUMPTION)
    documents: list[ForecastDocument] = entry("The documents that differ, those that break most first.")
    segments: list[ForecastSegment] = entry("The segments, those that break most first.")
    claims: list[ForecastClaim] = entry("The claims that change or are unknown, the worst first.", "claims")
    questions: list[ForecastQuestion] = entry("The questions to ask again, the most urgent first.")
    llm_calls: Count = entry("Calls to a model.", "usage.llm_calls")
    cost_usd: float | None = entry("Their cost in US dollars; null if no price is known.", "usage.cost_usd", low=0)
