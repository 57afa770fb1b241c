"""Knowledge bases, and what changed from one version to the next."""

from faithview.documents.base import Count, Document, Length, Offsets, Part, Position, Share, Time, entry
from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.comparison import ChunkChange
from faithview.domain.contradiction import ContradictionKind
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
    verdict: Verdict = entry("Its verdict, by the view.")
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
    view: View = entry("Whose verdicts count.")
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


class FindingDecision(Part):
    """What a person said of a finding."""

    is_confirmed: bool = entry("Whether the finding was confirmed; false if it was dismissed.")
    decided_by: str | None = entry("Who decided; null without log-in.")
    at: Time = entry("When.")


class ContradictedPassage(Part):
    """One of two passages that contradict each other."""

    chunk_id: str = entry("The chunk's id.")
    document: str | None = entry("The document that its metadata name.")
    title: str | None = entry("The title in its metadata.")
    text: str = entry("The whole passage.")
    statement: Offsets = entry("Where the statement is in the text: code points `[start, end)`.")
    words: Offsets = entry("Where the words are in which the two differ.")


class RetrievingQuestion(Part):
    """A question whose answer retrieved one of the passages."""

    row: Position = entry("The row in the run.")
    key: str = entry("The row's id.")
    question: str = entry("The question.")


class ContradictionPart(Part):
    """Two passages that say different things about the same."""

    key: str = entry("Its id in decisions.")
    kind: ContradictionKind = entry("In what the two differ.")
    closeness: Share = entry("How much of the two clauses is alike.")
    is_new: bool = entry("Whether the older version lacks one of the passages.")
    one: ContradictedPassage = entry("One passage.")
    other: ContradictedPassage = entry("The other one.")
    asked: Count = entry("Questions of the run whose answers retrieved either passage.")
    questions: list[RetrievingQuestion] = entry("The first five of them.")
    decision: FindingDecision | None = entry("What a person said of it.")


class KnownWordPart(Part):
    """A known word that is used in the same contexts as a new one."""

    word: str = entry("The word.")
    likeness: Share = entry("How alike the contexts are.")
    is_in_documents: bool = entry("Whether older documents have it.")
    is_in_questions: bool = entry("Whether questions have it.")


class NewTermPart(Part):
    """A word that new documents may use for a known thing."""

    key: str = entry("Its id in decisions.")
    word: str = entry("The word.")
    uses: Count = entry("How often new and edited passages use it.")
    passages: Count = entry("New and edited passages that use it.")
    documents: list[str] = entry("Their documents, the first five.")
    known: list[KnownWordPart] = entry("Known words that it may replace, the most likely first.")
    example: str = entry("A sentence that uses it.")
    decision: FindingDecision | None = entry("What a person said of it.")


class KnowledgeCheckDocument(Document):
    """Contradictions in a knowledge base and new words for known things, before it is published."""

    name: str = entry("The version, or the name of the file or folder.")
    chunks: Count = entry("Its chunks.")
    against: str | None = entry("The older version; null if there is none.")
    run: RunName | None = entry("The run whose questions are given; null if there is none.")
    contradictions: list[ContradictionPart] = entry("Passages that contradict each other, the closest first.")
    terms: list[NewTermPart] = entry("New words for known things, the most frequent first.")
    dismissed_contradictions: Length = entry(
        "Contradictions that people dismissed; `--all` lists them with the others."
    )
    dismissed_terms: Length = entry("Terms that people dismissed; `--all` lists them with the others.")
