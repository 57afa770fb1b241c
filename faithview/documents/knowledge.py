"""Knowledge bases, and what changed from one version to the next."""

from faithview.documents.base import Count, Document, Part, Position, Time, entry
from faithview.domain.claim import Verdict
from faithview.domain.comparison import ChunkChange
from faithview.domain.knowledge import DocumentChangeKind


class KnowledgeBaseFigures(Part):
    """A stored version of the knowledge base."""

    version: str = entry("Its name, as in runs.")
    chunks: Count = entry("Its chunks.")
    source: str | None = entry("The file that it was read from.")
    created_at: Time = entry("When it was stored.")


class KnowledgeBaseDocument(KnowledgeBaseFigures, Document):
    """A version that was just stored."""


class KnowledgeBasesDocument(Document):
    """The stored versions."""

    knowledge_bases: list[KnowledgeBaseFigures] = entry("The versions, in the order they were stored.")


class VersionSize(Part):
    """A version and how many documents it has."""

    version: str | None = entry("The version's name.")
    documents: Count = entry("Its documents.")


class ChangedPassage(Part):
    """A chunk that was added, removed or edited."""

    change: ChunkChange = entry("The kind of change.")
    chunk_id: str = entry("Its id.")
    before: str | None = entry("Its text before.")
    after: str | None = entry("Its text after.")


class QuotedChunk(Part):
    """A quote that a verdict is based on."""

    chunk_id: str = entry("The chunk.")
    quote: str = entry("The words.")


class RestingSide(Part):
    """A claim in one of the runs."""

    claim: Position | None = entry("The claim's number; null for one that reviewers added.", "number")
    text: str = entry("Its text.")
    verdict: Verdict = entry("The judge's verdict.")
    evidence: list[QuotedChunk] = entry("The quotes that the verdict is based on.")


class RestingClaimChange(Part):
    """A claim that is based on a changed document."""

    outcome: str = entry("Its outcome.")
    key: str = entry("The row's id.")
    baseline_row: Position = entry("The row in the baseline.")
    candidate_row: Position = entry("The row in the candidate.")
    before: RestingSide | None = entry("The claim before.")
    after: RestingSide | None = entry("The claim after.")


class RestingClaims(Part):
    """The claims that are based on a document."""

    before: Count = entry("Claims before.")
    after: Count = entry("Claims after.")
    broken: Count = entry("Claims that broke.")
    fixed: Count = entry("Claims that were fixed.")
    broken_beside: Count = entry("Claims that broke and are not based on changed text.")
    claims: list[RestingClaimChange] = entry("The claims.", name="list")


class ChangedDocumentPart(Part):
    """A document that changed."""

    name: str = entry("Its name.")
    title: str | None = entry("Its title.")
    change: DocumentChangeKind = entry("The kind of change.", "kind")
    unchanged_passages: Count = entry("Chunks that are the same.", "unchanged")
    passages: list[ChangedPassage] = entry("Chunks that changed.")


class ChangedDocumentWithClaims(ChangedDocumentPart):
    """A document that changed, with the claims that are based on it."""

    claims: RestingClaims = entry("The claims that are based on it.")


class RunName(Part):
    """A run."""

    run_id: str = entry("Its id.")
    name: str = entry("Its name.")


class BrokenCounts(Part):
    """Claims that broke."""

    all: Count = entry("All of them.", "all_broken")
    resting_on_changes: Count = entry("Those that are based on changed text.", "broken")
    beside_changes: Count = entry(
        "Those in answers that retrieved a changed document, but are not based on changed text.", "broken_beside"
    )


class FixedCounts(Part):
    """Claims that were fixed."""

    all: Count = entry("All of them.", "all_fixed")
    resting_on_changes: Count = entry("Those that are based on changed text.", "fixed")


class RunsOverVersions(Part):
    """The runs whose claims are counted."""

    baseline: RunName = entry("The run over the older version.")
    candidate: RunName = entry("The run over the newer version.")
    pairs: Count = entry("Answers that both have.")
    broken: BrokenCounts = entry("Claims that broke.")
    fixed: FixedCounts = entry("Claims that were fixed.")
    chunks_not_in_stored_version: Count = entry("Chunks of the answers that the stored versions lack.", "foreign")


class KnowledgeChangesDocument(Document):
    """Two versions of the knowledge base, side by side."""

    before: VersionSize = entry("The older version.")
    after: VersionSize = entry("The newer version.")
    added: Count = entry("Documents that were added.")
    edited: Count = entry("Documents that were edited.")
    removed: Count = entry("Documents that were removed.")
    unchanged: Count = entry("Documents that are the same.")
    is_complete: bool = entry("Whether all documents were compared.")
    is_seen_in_answers_only: bool = entry("Whether only chunks of answers are known, because no version is stored.")
    runs: RunsOverVersions | None = entry("The runs whose claims are counted; null if there are none.")
    documents: list[ChangedDocumentWithClaims | ChangedDocumentPart] = entry(
        "The documents that changed, with their claims if there are runs."
    )
