"""Two versions of a knowledge base side by side: what changed in its documents, and the claims that rest on it."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.comparison import CAUSES_WITHOUT_CLAIMS
from faithview.domain.content_hashes import fold
from faithview.domain.errors import NotFound
from faithview.domain.knowledge_base import DocumentChange, Passage
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.pair_decisions import claim_decisions
from faithview.services.comparison.pairing import pair_runs
from faithview.services.container import Services
from faithview.services.knowledge.documents import DocumentChanges, compare_documents
from faithview.services.knowledge.resting_claims import DocumentClaims, RestingClaim, Touched, find_resting_claims
from faithview.store.comparison import cached_comparisons, pair_decisions
from faithview.store.knowledge import claim_details, passages
from faithview.store.knowledge.claim_details import ClaimDetail
from faithview.store.runs.samples import load_chunk_texts

__all__ = [
    "ChangedDocument",
    "KnowledgeChanges",
    "PassageText",
    "ShownClaim",
    "compare_knowledge",
    "compare_versions",
    "has_update",
    "list_claims",
    "load_passages",
]

_SEPARATOR = "\x1e"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDocument:
    """A document that changed, with the claims that rest on what changed in it."""

    document: DocumentChange
    claims: DocumentClaims


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeChanges:
    """What changed in the knowledge base between two runs, and the claims that rest on it.

    `is_stored` says that both versions are stored; otherwise the passages are those that the runs' answers retrieved,
    and documents that nobody's question retrieved are missing. `changed` starts with the documents on which most claims
    broke. Claims are counted on `pairs`, the pairs of answers with a score in both runs: `broken` and `fixed` of them
    rest on a document that changed, `all_broken` and `all_fixed` are all of the comparison. `broken_beside` counts
    claims that broke in answers that retrieved such a document, and that rest on none. `foreign` counts retrieved
    chunks that the stored version of their run does not have, whose claims are therefore under no document.
    """

    baseline: Run
    candidate: Run
    view: View
    is_stored: bool
    documents: DocumentChanges
    changed: tuple[ChangedDocument, ...]
    pairs: int
    broken: int
    broken_beside: int
    fixed: int
    all_broken: int
    all_fixed: int
    foreign: int
    compared_rows: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageText:
    """A passage that changed, with its text before and now; None on the side that does not have it."""

    chunk_id: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClaim:
    """A claim with what a list shows of it, before and now; a side is None where that answer does not make it."""

    claim: RestingClaim
    question: str | None
    before: ClaimDetail | None
    after: ClaimDetail | None


def has_update(comparison: Comparison) -> bool:
    """Return whether the two runs name different versions of the knowledge base."""
    before, after = comparison.baseline.kb_version, comparison.candidate.kb_version
    return before is not None and after is not None and before != after


def compare_versions(services: Services, before: str, after: str) -> DocumentChanges:
    """Return the documents that differ between two stored versions.

    Raises:
        NotFound: one of them is not stored.
    """
    sides = [passages.list_version(services.db, version) for version in (before, after)]
    for version, side in zip((before, after), sides, strict=True):
        if not side:
            raise NotFound(
                f"Knowledge base {version!r} is not stored. `faithview kb list` lists the stored versions, and "
                "`faithview kb add` stores one."
            )
    return compare_documents(*sides, texts_of=lambda wanted: _load_texts(services, wanted))


def compare_knowledge(
    services: Services, baseline: str, candidate: str, *, view: View = View.JUDGE
) -> KnowledgeChanges:
    """Return what changed in the knowledge base between two runs, by id or unique name; cached until one changes.

    Raises:
        NotFound: there is no such run.
        InvalidInput: they are one and the same, or no answer is in both.
    """
    comparison = compare_runs(services, baseline, candidate, view=view)
    before, after = comparison.baseline, comparison.candidate
    stamp = cached_comparisons.make_stamp(services.db, before, after, view)
    return services.comparison_cache.get(
        "knowledge", (before.run_id, after.run_id, view), stamp, lambda: _compare(services, comparison)
    )


def load_passages(services: Services, document: DocumentChange, *, limit: int | None = None) -> tuple[PassageText, ...]:
    """Return the texts of a document's first `limit` changed passages (all of them by default)."""
    shown = document.passages[:limit]
    texts = load_chunk_texts(
        services.db, [side.text_id for change in shown for side in (change.before, change.after) if side is not None]
    )
    return tuple(
        PassageText(
            chunk_id=change.passage.chunk_id,
            before=None if change.before is None else texts[change.before.text_id],
            after=None if change.after is None else texts[change.after.text_id],
        )
        for change in shown
    )


def list_claims(services: Services, claims: Sequence[RestingClaim]) -> tuple[ShownClaim, ...]:
    """Return claims with their texts and the sentences that their verdicts rest on."""
    sides = [side for claim in claims for side in (claim.before, claim.after) if side is not None]
    details = claim_details.load_claim_details(services.db, {side.claim_id for side in sides if side.text is None})
    shown = []
    for claim in claims:
        before, after = (
            None
            if side is None
            else details.get(side.claim_id)
            or ClaimDetail(
                key=claim.key,
                question=None,
                text=side.text or "",
                verdict=side.verdict,
                confidence=None,
                explanation="",
            )
            for side in (claim.before, claim.after)
        )
        question = next((side.question for side in (after, before) if side is not None), None)
        shown.append(ShownClaim(claim=claim, question=question, before=before, after=after))
    return tuple(shown)


def _compare(services: Services, comparison: Comparison) -> KnowledgeChanges:
    before, after, view = comparison.baseline, comparison.candidate, comparison.view
    versions = [_list_version(services, run) for run in (before, after)]
    retrieved = [passages.list_retrieved(services.db, run.run_id) for run in (before, after)]
    is_stored = all(versions)
    documents = compare_documents(
        *(versions if is_stored else retrieved),
        texts_of=lambda wanted: _load_texts(services, wanted),
        is_whole=is_stored,
    )
    finder = [
        _TouchedTexts(services, documents.changed, versions[side] if is_stored else retrieved[side], is_older=side == 0)
        for side in (0, 1)
    ]
    touched = [finder[side].find(retrieved[side]) for side in (0, 1)]
    claims = _claims(services, comparison, touched, documents=len(documents.changed))
    # One claim may rest on several documents.
    resting = {id(claim): claim for of_document in claims for claim in of_document.claims}.values()
    beside = {id(claim) for of_document in claims for claim in of_document.beside}
    terms = [t for change in comparison.changes for t in change.terms if t.cause not in CAUSES_WITHOUT_CLAIMS]
    changed = [
        ChangedDocument(document=document, claims=of_document)
        for document, of_document in zip(documents.changed, claims, strict=True)
    ]
    # Stable: documents on which as many claims broke stay in their order.
    changed.sort(key=lambda one: (-one.claims.broken, -one.claims.fixed))
    return KnowledgeChanges(
        baseline=before,
        candidate=after,
        view=view,
        is_stored=is_stored,
        documents=documents,
        changed=tuple(changed),
        pairs=comparison.pairing.scored,
        broken=sum(claim.outcome.is_broken for claim in resting),
        broken_beside=len(beside),
        fixed=sum(claim.outcome.is_fixed for claim in resting),
        all_broken=sum(term.value < 0 for term in terms),
        all_fixed=sum(term.value > 0 for term in terms),
        foreign=sum(one.foreign for one in finder) if is_stored else 0,
        compared_rows=frozenset((change.baseline_row, change.candidate_row) for change in comparison.changes),
    )


def _list_version(services: Services, run: Run) -> list[Passage]:
    return [] if run.kb_version is None else passages.list_version(services.db, run.kb_version)


def _claims(
    services: Services, comparison: Comparison, touched: Sequence[Touched], *, documents: int
) -> tuple[DocumentClaims, ...]:
    before, after, view = comparison.baseline, comparison.candidate, comparison.view
    with_changed = [
        passages.find_samples_with(services.db, run.run_id, side)
        for run, side in zip((before, after), touched, strict=True)
    ]
    decisions = pair_decisions.list_decisions(services.db, before.run_id, after.run_id)
    pairs = [
        pair
        for pair in pair_runs(services.db, before, after, view=view, decisions=decisions).pairs
        if pair.is_scored and (pair.before.sample_id in with_changed[0] or pair.after.sample_id in with_changed[1])
    ]
    return find_resting_claims(
        services.db,
        pairs,
        view=view,
        decisions=claim_decisions(decisions),
        before=touched[0],
        after=touched[1],
        documents=documents,
    )


def _load_texts(services: Services, wanted: Sequence[Passage]) -> list[str]:
    texts = load_chunk_texts(services.db, [passage.text_id for passage in wanted])
    return [texts[passage.text_id] for passage in wanted]


class _TouchedTexts:
    """Finds the changed documents that retrieved texts belong to: equal to a changed passage, or a part of one."""

    def __init__(
        self, services: Services, changed: Sequence[DocumentChange], whole: Sequence[Passage], *, is_older: bool
    ) -> None:
        self._services = services
        self._whole = whole
        self._known = {passage.chunk_hash for passage in whole}
        self._sides: list[tuple[int, Passage, Passage | None]] = []
        for at, document in enumerate(changed):
            for change in document.passages:
                own, other = (change.before, change.after) if is_older else (change.after, change.before)
                if own is not None:
                    self._sides.append((at, own, other))
        self.foreign = 0

    def find(self, retrieved: Sequence[Passage]) -> Touched:
        """Return the changed documents of each retrieved text; count the texts that this version does not have."""
        by_hash: Mapping[str, set[int]] = defaultdict(set)
        for at, own, _ in self._sides:
            by_hash[own.chunk_hash].add(at)
        touched = {p.text_id: frozenset(by_hash[p.chunk_hash]) for p in retrieved if p.chunk_hash in by_hash}
        others = [p for p in retrieved if p.chunk_hash not in self._known]
        if others:
            touched |= self._find_parts(others)
        return touched

    def _find_parts(self, others: Sequence[Passage]) -> dict[int, frozenset[int]]:
        """Return those texts that are a part of a changed passage, and not of the passage's other version."""
        texts = {p.text_id: fold(text) for p, text in zip(others, self._texts(others), strict=True)}
        own = _Joined([fold(text) for text in self._texts([side for _, side, _ in self._sides])])
        second = [other for _, _, other in self._sides if other is not None]
        known = {p.text_id: fold(text) for p, text in zip(second, self._texts(second), strict=True)}
        found: dict[int, frozenset[int]] = {}
        for text_id, text in texts.items():
            inside = [self._sides[at] for at in own.find(text)]
            documents = {at for at, _, other in inside if other is None or text not in known[other.text_id]}
            if documents:
                found[text_id] = frozenset(documents)
        whole = _Joined([fold(text) for text in self._texts(self._whole)])
        self.foreign = sum(not whole.find(text) for text_id, text in texts.items() if text_id not in found)
        return found

    def _texts(self, wanted: Sequence[Passage]) -> list[str]:
        return _load_texts(self._services, wanted)


class _Joined:
    """Many texts in one, to be searched at once."""

    def __init__(self, texts: Collection[str]) -> None:
        self._text = _SEPARATOR.join(texts)
        self._starts: list[int] = []
        start = 0
        for text in texts:
            self._starts.append(start)
            start += len(text) + 1

    def find(self, part: str) -> list[int]:
        """Return the indexes of the texts that contain the part; none for an empty one."""
        found: list[int] = []
        at = self._text.find(part) if part else -1
        while at >= 0:
            index = bisect_right(self._starts, at) - 1
            found.append(index)
            following = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._text)
            at = self._text.find(part, following)
        return found
