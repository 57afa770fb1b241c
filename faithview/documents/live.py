"""The service's replies about logged answers."""

from faithview.documents.base import Count, Document, Part, entry


class RefusedAnswer(Part):
    """An answer that was not stored."""

    index: Count = entry("Its place in the request, from 0.")
    id: str | None = entry("Its id, if it has one.", "record_id")
    message: str = entry("The reason.", "reason")


class LogDocument(Document):
    """The result of logging answers."""

    accepted: Count = entry("Answers that are in the store now, including those already stored under the same id.")
    refused: list[RefusedAnswer] = entry("Answers that were not stored.")
