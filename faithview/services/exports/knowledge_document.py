"""What changed in the knowledge base as a JSON document."""

from faithview.documents.knowledge import (
    BrokenCounts,
    ChangedDocumentPart,
    ChangedDocumentWithClaims,
    ChangedPassage,
    FixedCounts,
    KnowledgeChangesDocument,
    RestingClaimChange,
    RestingClaims,
    RestingSide,
    RunsOverVersions,
    VersionSize,
)
from faithview.domain.knowledge_base import DocumentChange, DocumentChangeKind
from faithview.services.container import Services
from faithview.services.knowledge.changes import KnowledgeChanges, ShownClaim, list_claims, load_passages
from faithview.services.knowledge.documents import DocumentChanges
from faithview.services.knowledge.resting_claims import ClaimSide, DocumentClaims
from faithview.store.knowledge.claim_details import ClaimDetail

__all__ = ["knowledge_document", "versions_document"]


def versions_document(
    services: Services, before: str, after: str, documents: DocumentChanges
) -> KnowledgeChangesDocument:
    """Return two stored versions side by side, without claims."""
    return KnowledgeChangesDocument.of(
        documents,
        before=VersionSize(version=before, documents=documents.before),
        after=VersionSize(version=after, documents=documents.after),
        **_counts(documents),
        is_seen_in_answers_only=False,
        runs=None,
        documents=[
            ChangedDocumentPart.of(document, passages=_passages(services, document)) for document in documents.changed
        ],
    )


def knowledge_document(services: Services, changes: KnowledgeChanges) -> KnowledgeChangesDocument:
    """Return what changed in the knowledge base between two runs, with the claims that rest on each document."""
    documents = changes.documents
    return KnowledgeChangesDocument.of(
        documents,
        before=VersionSize(version=changes.baseline.kb_version, documents=documents.before),
        after=VersionSize(version=changes.candidate.kb_version, documents=documents.after),
        **_counts(documents),
        is_seen_in_answers_only=not changes.is_stored,
        runs=RunsOverVersions.of(changes, broken=BrokenCounts.of(changes), fixed=FixedCounts.of(changes)),
        documents=[
            ChangedDocumentWithClaims.of(
                one.document, passages=_passages(services, one.document), claims=_claims(services, one.claims)
            )
            for one in changes.changed
        ],
    )


def _counts(documents: DocumentChanges) -> dict[str, int]:
    return {kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}


def _passages(services: Services, document: DocumentChange) -> list[ChangedPassage]:
    texts = load_passages(services, document)
    return [ChangedPassage.of(text, change=change.kind) for change, text in zip(document.passages, texts, strict=True)]


def _claims(services: Services, claims: DocumentClaims) -> RestingClaims:
    listed = [_claim(shown) for shown in list_claims(services, claims.claims)]
    return RestingClaims.of(claims, broken_beside=len(claims.beside), list=listed)


def _claim(shown: ShownClaim) -> RestingClaimChange:
    claim = shown.claim
    return RestingClaimChange.of(claim, before=_side(shown.before, claim.before), after=_side(shown.after, claim.after))


def _side(detail: ClaimDetail | None, side: ClaimSide | None) -> RestingSide | None:
    if side is None:
        return None
    evidence = () if detail is None else detail.quotes
    return RestingSide.of(side, text="" if detail is None else detail.text, evidence=evidence)
