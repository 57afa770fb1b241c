"""The part of a comparison's report on the knowledge base: documents that changed, and the claims that rest on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.knowledge_base import DocumentChangeKind
from faithview.domain.views import View
from faithview.services.comparison.comparison import Comparison
from faithview.services.container import Services
from faithview.services.knowledge.changes import (
    ChangedDocument,
    KnowledgeChanges,
    ShownClaim,
    compare_knowledge,
    has_update,
    list_claims,
    load_passages,
)
from faithview.services.report.highlights import Piece, mark_changes
from faithview.wording import knowledge as words
from faithview.wording.knowledge import OUTCOME_WORDS, chunk_name

__all__ = ["KnowledgePart", "knowledge_part"]

_MOST_DOCUMENTS = 100
_MOST_PASSAGES = 20
_MOST_CLAIMS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    verdict: Verdict
    text: str
    quotes: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    outcome: str
    key: str
    before: _Side | None
    after: _Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    one: ChangedDocument
    passages: Sequence[tuple[str, str, list[Piece]]]
    claims: Sequence[_Claim]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgePart:
    """What the report says of the knowledge base; `documents` have their texts where the report has texts."""

    changes: KnowledgeChanges
    counts: str
    sentences: Sequence[str]
    notes: Sequence[str]
    documents: Sequence[_Document]
    left_out: int


def knowledge_part(services: Services, comparison: Comparison, *, with_texts: bool) -> KnowledgePart | None:
    """Return the part of the report; None where both runs used one version, or none is known."""
    if not has_update(comparison):
        return None
    view = View.JUDGE if comparison.view is View.JUDGE else View.REVIEWED
    changes = compare_knowledge(services, comparison.baseline.run_id, comparison.candidate.run_id, view=view)
    shown = changes.changed[:_MOST_DOCUMENTS] if with_texts else ()
    sentences = (
        words.broken_sentence(broken=changes.broken, beside=changes.broken_beside, all_broken=changes.all_broken),
        words.fixed_sentence(fixed=changes.fixed, all_fixed=changes.all_fixed),
        words.counted_on(changes.pairs),
    )
    missing = ((words.SEEN_ONLY, changes.is_stored), (words.INCOMPLETE, changes.documents.is_complete))
    return KnowledgePart(
        changes=changes,
        counts=words.document_counts(
            **{kind.value: len(changes.documents.of_kind(kind)) for kind in DocumentChangeKind},
            unchanged=changes.documents.unchanged,
        ),
        sentences=[sentence for sentence in sentences if sentence],
        notes=[note for note, is_fine in missing if not is_fine],
        documents=[_document(services, one) for one in shown],
        left_out=len(changes.changed) - len(shown) if with_texts else 0,
    )


def _document(services: Services, one: ChangedDocument) -> _Document:
    passages = []
    for passage in load_passages(services, one.document, limit=_MOST_PASSAGES):
        text = passage.after if passage.after is not None else passage.before or ""
        if passage.before is not None and passage.after is not None:
            change, pieces = "edited", mark_changes(passage.before, passage.after)
        else:
            change, pieces = ("added" if passage.before is None else "removed"), [Piece(text, "")]
        passages.append((change, chunk_name(passage.chunk_id, text), pieces))
    claims = list_claims(services, one.claims.claims[:_MOST_CLAIMS])
    return _Document(one=one, passages=passages, claims=[_claim(shown) for shown in claims])


def _claim(shown: ShownClaim) -> _Claim:
    before, after = (
        None
        if side is None or detail is None
        else _Side(verdict=side.verdict, text=detail.text, quotes=[(q.chunk_id, q.quote) for q in detail.quotes[:2]])
        for side, detail in ((shown.claim.before, shown.before), (shown.claim.after, shown.after))
    )
    return _Claim(outcome=OUTCOME_WORDS[shown.claim.outcome.value], key=shown.claim.key, before=before, after=after)
