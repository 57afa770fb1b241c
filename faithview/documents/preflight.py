"""The document of `faithview kb preflight --json`."""

from faithview.documents.base import Count, Document, entry
from faithview.documents.comparison import ComparisonDocument


class PreflightDocument(Document):
    """The effect that an update of the knowledge base would have on the answers of a run."""

    run_id: str = entry("The run whose answers were checked.", "run.run_id")
    run_name: str = entry("The run's name.", "run.name")
    kb_version: str = entry("The version that the run used.", "kb_version")
    new_version: str = entry("Name of the version that was checked.", "new_version")
    judge: str = entry("The judge that judged.", "judge.name")
    is_run_judge: bool = entry(
        "Whether it is the run's own; another judge judges the answers with both versions.", "is_run_judge"
    )
    added: Count = entry("Documents that were added.")
    edited: Count = entry("Documents that were edited.")
    removed: Count = entry("Documents that were removed.")
    unchanged: Count = entry("Documents that are the same.", "documents.unchanged")
    is_complete: bool = entry("Whether all documents were compared.", "documents.is_complete")
    answers: Count = entry("The run's judged answers.")
    answers_affected: Count = entry("Those whose chunks change, which are judged again.")
    answers_pending: Count = entry("Those of them that are not judged yet.")
    answers_failed: Count = entry("Those of them that the judge failed on.")
    chunks_not_in_stored_version: Count = entry("Retrieved chunks that the stored version lacks.", "chunks.foreign")
    claims_broken: Count = entry("Claims that the new version no longer supports.")
    claims_fixed: Count = entry("Claims that only the new version supports.")
    comparison: ComparisonDocument | None = entry(
        "The affected answers, compared with themselves on the new version; null if there are none."
    )
