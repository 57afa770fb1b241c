"""Knowledge bases."""

from faithview.documents.base import Count, Document, Part, Time, entry


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
