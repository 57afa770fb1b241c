"""What changed in the knowledge base as a JSON document."""

from typing import Any

from faithview.domain.knowledge_base import DocumentChange, DocumentChangeKind
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.knowledge.changes import KnowledgeChanges, ShownClaim, list_claims, load_passages
from faithview.services.knowledge.documents import DocumentChanges
from faithview.services.knowledge.resting_claims import DocumentClaims
from faithview.store.knowledge.claim_details import ClaimDetail

__all__ = ["knowledge_document", "versions_document"]


def versions_document(services: Services, before: str, after: str, documents: DocumentChanges) -> dict[str, Any]:
    """Return two stored versions side by side, without claims."""
    return {
        "before": {"version": before, "documents": documents.before},
        "after": {"version": after, "documents": documents.after},
        **_counts(documents),
        "is_seen_in_answers_only": False,
        "runs": None,
        "documents": [_document(services, document) for document in documents.changed],
    }


def knowledge_document(services: Services, changes: KnowledgeChanges) -> dict[str, Any]:
    """Return what changed in the knowledge base between two runs, with the claims that rest on each document."""
    documents = changes.documents
    return {
        "before": {"version": changes.baseline.kb_version, "documents": documents.before},
        "after": {"version": changes.candidate.kb_version, "documents": documents.after},
        **_counts(documents),
        "is_seen_in_answers_only": not changes.is_stored,
        "runs": {
            "baseline": _run(changes.baseline),
            "candidate": _run(changes.candidate),
            "view": changes.view.value,
            "pairs": changes.pairs,
            "broken": {
                "all": changes.all_broken,
                "resting_on_changes": changes.broken,
                "beside_changes": changes.broken_beside,
            },
            "fixed": {"all": changes.all_fixed, "resting_on_changes": changes.fixed},
            "chunks_not_in_stored_version": changes.foreign,
        },
        "documents": [
            {**_document(services, one.document), "claims": _claims(services, one.claims)} for one in changes.changed
        ],
    }


def _counts(documents: DocumentChanges) -> dict[str, Any]:
    return {
        **{kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind},
        "unchanged": documents.unchanged,
        "is_complete": documents.is_complete,
    }


def _run(run: Run) -> dict[str, str]:
    return {"run_id": run.run_id, "name": run.name}


def _document(services: Services, document: DocumentChange) -> dict[str, Any]:
    texts = load_passages(services, document)
    return {
        "name": document.name,
        "title": document.title,
        "change": document.kind.value,
        "unchanged_passages": document.unchanged,
        "passages": [
            {"change": change.kind.value, "chunk_id": text.chunk_id, "before": text.before, "after": text.after}
            for change, text in zip(document.passages, texts, strict=True)
        ],
    }


def _claims(services: Services, claims: DocumentClaims) -> dict[str, Any]:
    return {
        "before": claims.before,
        "after": claims.after,
        "broken": claims.broken,
        "fixed": claims.fixed,
        "broken_beside": len(claims.beside),
        "list": [_claim(shown) for shown in list_claims(services, claims.claims)],
    }


def _claim(shown: ShownClaim) -> dict[str, Any]:
    claim = shown.claim
    return {
        "outcome": claim.outcome.value,
        "key": claim.key,
        "baseline_row": claim.baseline_row,
        "candidate_row": claim.candidate_row,
        "before": None
        if claim.before is None
        else _side(shown.before, claim.before.number, claim.before.verdict.value),
        "after": None if claim.after is None else _side(shown.after, claim.after.number, claim.after.verdict.value),
    }


def _side(detail: ClaimDetail | None, number: int | None, verdict: str) -> dict[str, Any]:
    return {
        "claim": number,
        "text": "" if detail is None else detail.text,
        "verdict": verdict,
        "evidence": [] if detail is None else [{"chunk_id": q.chunk_id, "quote": q.quote} for q in detail.quotes],
    }
