"""The claims of two runs that rest on documents that changed between their versions of the knowledge base.

A claim rests on the passages that it cites; a claim without citations rests on the passage of its answer with most of
its words, if any has a quarter of them. A claim broke if it is not supported now and was supported, or not made,
before; it was fixed if it was not supported before and is supported, or no longer made, now.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from faithview.domain.answer import View
from faithview.domain.causes import closest_chunk, subject_words
from faithview.domain.claim import Verdict
from faithview.domain.content_hashes import claim_hash, fold
from faithview.domain.errors import NotFound
from faithview.domain.knowledge import DocumentChange, Passage
from faithview.domain.run import Run
from faithview.services.comparison.changes import is_preflight
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.knowledge.documents import DocumentChanges, compare_documents
from faithview.services.knowledge.versions import not_stored
from faithview.stats.matching import match
from faithview.store import knowledge, revisions
from faithview.store.samples import load_chunk_texts
from faithview.store.sources import (
    Citing,
    ListedClaim,
    Retrieved,
    list_answers,
    list_citing,
    list_retrieved,
    load_claims,
)


class Outcome(StrEnum):
    """How a claim changed, the worst outcome first."""

    BROKE = "broke"
    NEW_UNSUPPORTED = "new_unsupported"
    FIXED = "fixed"
    DROPPED = "dropped"
    UNSUPPORTED = "unsupported"
    GONE = "gone"
    NEW = "new"
    SUPPORTED = "supported"


_BROKEN = (Outcome.BROKE, Outcome.NEW_UNSUPPORTED)
_FIXED = (Outcome.FIXED, Outcome.DROPPED)
# Outcomes by whether the claim was supported before and is now; None if that answer does not make it.
_OUTCOMES: Mapping[tuple[bool | None, bool | None], Outcome] = {
    (True, False): Outcome.BROKE,
    (None, False): Outcome.NEW_UNSUPPORTED,
    (False, True): Outcome.FIXED,
    (False, None): Outcome.DROPPED,
    (False, False): Outcome.UNSUPPORTED,
    (True, None): Outcome.GONE,
    (None, True): Outcome.NEW,
    (True, True): Outcome.SUPPORTED,
}
_WORST_FIRST = list(Outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingClaim:
    """A claim that rests, before or now, on a changed passage, or that broke beside one.

    Rows are positions from 1 in each run. `before` and `after` are the claim's ids in the database, None on a side that
    does not make it.
    """

    outcome: Outcome
    key: str
    baseline_row: int
    candidate_row: int
    before: int | None
    after: int | None


@dataclass(slots=True, kw_only=True)
class ChangedDocument:
    """A changed document with the claims that rest on its changes, the worst first.

    `before` and `after` count those of the older and of the newer answers. `beside` are claims that broke in answers
    that retrieved the document, but do not rest on a changed document.
    """

    document: DocumentChange
    claims: list[RestingClaim] = field(default_factory=list)
    beside: list[RestingClaim] = field(default_factory=list)
    before: int = 0
    after: int = 0

    @property
    def broken(self) -> int:
        """How many are not supported now, and were supported or not made before."""
        return self.count(*_BROKEN)

    @property
    def fixed(self) -> int:
        """How many were not supported before, and are supported or not made now."""
        return self.count(*_FIXED)

    def count(self, *outcomes: Outcome) -> int:
        """Return how many had one of these outcomes."""
        return sum(claim.outcome in outcomes for claim in self.claims)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeChanges:
    """The changes of the knowledge base between two runs, and the claims that rest on them.

    `is_stored` says that both versions are stored; otherwise the passages are those that the runs' answers retrieved,
    and documents that no answer retrieved are missing. `changed` starts with the documents on which most claims broke.
    Claims are counted on `pairs`, the pairs of answers with a score in both runs: `broken` and `fixed` of them rest on
    a document that changed, `all_broken` and `all_fixed` are all of the comparison. `broken_beside` counts claims that
    broke in answers that retrieved such a document without resting on one. `foreign` counts retrieved chunks that are
    missing from the stored version of their run; their claims are under no document.
    """

    baseline: Run
    candidate: Run
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

    @property
    def broken_touching(self) -> int:
        """How many claims broke that rest on a changed document or are in an answer that retrieved one."""
        return self.broken + self.broken_beside


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageText:
    """A changed passage with its text before and now; None on a side without it."""

    chunk_id: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClaim:
    """A claim as lists show it, before and now; a side is None if that answer does not make it."""

    claim: RestingClaim
    before: ListedClaim | None
    after: ListedClaim | None


def has_update(comparison: Comparison) -> bool:
    """Return whether the two runs name different versions of the knowledge base."""
    before, after = comparison.baseline.kb_version, comparison.candidate.kb_version
    return before is not None and after is not None and before != after


def compare_versions(store: Store, before: str, after: str) -> DocumentChanges:
    """Return the documents that differ between two stored versions.

    Raises:
        NotFound: one of them is not stored.
    """
    sides = [knowledge.list_version(store.db, version) for version in (before, after)]
    for version, side in zip((before, after), sides, strict=True):
        if not side:
            raise NotFound(not_stored(version))
    return compare_documents(*sides, texts_of=partial(_load_texts, store))


def compare_knowledge(store: Store, baseline: str, candidate: str) -> KnowledgeChanges:
    """Return the changes of the knowledge base between two runs, by id or unique name; cached until a run changes.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the runs are the same, or have no answer in common.
    """
    comparison = compare_runs(store, baseline, candidate)
    runs = comparison.baseline, comparison.candidate
    stored = {base.version: base.created_at for base in knowledge.list_knowledge_bases(store.db)}
    state = (
        tuple(revisions.list_revisions(store.db, [run.run_id for run in runs]).items()),
        tuple(stored.get(run.kb_version or "") for run in runs),
    )
    subject = tuple(run.run_id for run in runs)
    return store.comparison_cache.get("knowledge", subject, state, partial(_compute_changes, store, comparison))


def load_passages(store: Store, document: DocumentChange, *, limit: int | None = None) -> list[PassageText]:
    """Return the texts of a document's first `limit` changed passages (all of them by default)."""
    shown = document.passages[:limit]
    texts = load_chunk_texts(
        store.db, [side.text_id for change in shown for side in (change.before, change.after) if side is not None]
    )
    return [
        PassageText(
            chunk_id=change.passage.chunk_id,
            before=None if change.before is None else texts[change.before.text_id],
            after=None if change.after is None else texts[change.after.text_id],
        )
        for change in shown
    ]


def list_claims(store: Store, claims: Sequence[RestingClaim]) -> list[ShownClaim]:
    """Return claims with their texts and the sentences that their verdicts rest on."""
    ids = {side for claim in claims for side in (claim.before, claim.after) if side is not None}
    details = load_claims(store.db, ids, view=View.JUDGE)
    return [
        ShownClaim(claim=claim, before=details.get(claim.before or 0), after=details.get(claim.after or 0))
        for claim in claims
    ]


def _compute_changes(store: Store, comparison: Comparison) -> KnowledgeChanges:
    runs = comparison.baseline, comparison.candidate
    retrieved = [list_retrieved(store.db, run.run_id) for run in runs]
    seen = [knowledge.to_passages(chunks) for chunks in retrieved]
    versions = [knowledge.list_version(store.db, run.kb_version) if run.kb_version else [] for run in runs]
    # A preflight is about the retrieved chunks alone, of which nothing is missing on either side.
    whole = seen if is_preflight(*runs) else versions
    is_stored = all(whole)
    whole = whole if is_stored else seen
    documents = compare_documents(*whole, texts_of=partial(_load_texts, store), is_whole=is_stored)
    older = [(at, one.before, one.after) for at, document in enumerate(documents.changed) for one in document.passages]
    newer = [(at, after, before) for at, before, after in older]
    foreign = 0
    answers = []
    for run, sides, passages, chunks, own in zip(runs, (older, newer), whole, retrieved, seen, strict=True):
        touched, missing = _find_touched(store, sides, passages, own)
        answers.append(_load_answers(store, run, chunks, touched))
        foreign += missing
    changed = [ChangedDocument(document=document) for document in documents.changed]
    counts = Counter[str]()
    for claim, before, after, beside in _match_claims(store, comparison, *answers):
        for at in before | after:
            changed[at].claims.append(claim)
            changed[at].before += at in before
            changed[at].after += at in after
        for at in beside:
            changed[at].beside.append(claim)
        is_resting, is_broken, is_fixed = bool(before | after), claim.outcome in _BROKEN, claim.outcome in _FIXED
        counts.update(all_broken=is_broken, broken=is_broken and is_resting, broken_beside=bool(beside))
        counts.update(all_fixed=is_fixed, fixed=is_fixed and is_resting)
    for one in changed:
        for claims in (one.claims, one.beside):
            claims.sort(key=lambda claim: (_WORST_FIRST.index(claim.outcome), claim.candidate_row))
    return KnowledgeChanges(
        baseline=comparison.baseline,
        candidate=comparison.candidate,
        is_stored=is_stored,
        documents=documents,
        # A stable sort: documents with equal numbers of broken claims keep their order.
        changed=tuple(sorted(changed, key=lambda one: (-one.broken, -one.fixed))),
        pairs=comparison.pairing.scored,
        broken=counts["broken"],
        broken_beside=counts["broken_beside"],
        fixed=counts["fixed"],
        all_broken=counts["all_broken"],
        all_fixed=counts["all_fixed"],
        foreign=foreign if is_stored else 0,
        compared_rows=frozenset((change.baseline_row, change.candidate_row) for change in comparison.changes),
    )


# Indexes of changed documents.
_Documents = frozenset[int]


class _Answers(NamedTuple):
    """The claims of a run by row; and the changed documents that each claim rests on, and each row retrieved."""

    claims: Mapping[int, Sequence[Citing]]
    resting: Mapping[int, _Documents]
    retrieved: Mapping[int, _Documents]


def _match_claims(
    store: Store, comparison: Comparison, older: _Answers, newer: _Answers
) -> Iterator[tuple[RestingClaim, _Documents, _Documents, _Documents]]:
    """Yield each claim with the documents that it rested on, rests on, and broke beside."""
    scored = [one for one in comparison.changes if one.difference is not None]
    rows = [one.candidate_row for one in scored]
    keys = {answer.row: answer.key for answer in list_answers(store.db, comparison.candidate.run_id, rows)}
    for change in scored:
        before, after = older.claims[change.baseline_row], newer.claims[change.candidate_row]
        for i, j, _ in match(before, after, lambda one: claim_hash(one.text), text=lambda one: one.text):
            old, new = None if i is None else before[i], None if j is None else after[j]
            claim = RestingClaim(
                outcome=_OUTCOMES[old and old.verdict == Verdict.SUPPORTED, new and new.verdict == Verdict.SUPPORTED],
                key=keys[change.candidate_row],
                baseline_row=change.baseline_row,
                candidate_row=change.candidate_row,
                before=old and old.claim_id,
                after=new and new.claim_id,
            )
            rested = older.resting[old.claim_id] if old else frozenset()
            rests = newer.resting[new.claim_id] if new else frozenset()
            around = older.retrieved[change.baseline_row] | newer.retrieved[change.candidate_row]
            is_beside = claim.outcome in _BROKEN and not rested | rests
            yield claim, rested, rests, around if is_beside else frozenset()


def _load_answers(
    store: Store, run: Run, retrieved: Sequence[Retrieved], touched: Mapping[int, _Documents]
) -> _Answers:
    chunks: dict[int, list[int]] = defaultdict(list)
    for chunk in retrieved:
        chunks[chunk.row].append(chunk.text_id)
    cited: dict[int, list[Citing]] = defaultdict(list)
    for one in list_citing(store.db, run.run_id, view=View.JUDGE):
        cited[one.claim_id].append(one)
    uncited = {of[0].row for of in cited.values() if of[0].text_id is None}
    texts = load_chunk_texts(store.db, {text_id for row in uncited for text_id in chunks[row]})
    words = {text_id: subject_words(text) for text_id, text in texts.items()}
    none: _Documents = frozenset()
    claims: dict[int, list[Citing]] = defaultdict(list)
    resting = {}
    for claim_id, of in cited.items():
        claim = of[0]
        claims[claim.row].append(claim)
        text_ids = [one.text_id for one in of if one.text_id is not None]
        if not text_ids:
            closest = closest_chunk(claim.text, [words[text_id] for text_id in chunks[claim.row]])
            text_ids = [] if closest is None else [chunks[claim.row][closest]]
        resting[claim_id] = none.union(*(touched.get(text_id, none) for text_id in text_ids))
    around = {row: none.union(*(touched.get(text_id, none) for text_id in ids)) for row, ids in chunks.items()}
    return _Answers(claims, resting, defaultdict(frozenset, around))


def _find_touched(
    store: Store,
    sides: Sequence[tuple[int, Passage | None, Passage | None]],
    whole: Sequence[Passage],
    retrieved: Sequence[Passage],
) -> tuple[dict[int, _Documents], int]:
    """Return the changed documents of each retrieved text: it equals a changed passage, or is a part of one.

    Args:
        store: the store.
        sides: the changed passages: the index of the document, the passage here, and the passage in the other version.
        whole: all passages of this version.
        retrieved: the retrieved texts.

    Returns:
        The indexes of the documents by the text's id, and how many texts are missing from this version.
    """
    documents: dict[str, set[int]] = defaultdict(set)
    for at, own, _ in sides:
        if own is not None:
            documents[own.chunk_hash].add(at)
    touched = {p.text_id: frozenset(documents[p.chunk_hash]) for p in retrieved if p.chunk_hash in documents}
    known = {passage.chunk_hash for passage in whole}
    others = [passage for passage in retrieved if passage.chunk_hash not in known]
    needed = [*others, *whole, *(side for _, *pair in sides for side in pair if side)] if others else []
    texts = {text_id: fold(text) for text_id, text in load_chunk_texts(store.db, {p.text_id for p in needed}).items()}
    stored = "\x1e".join(texts[passage.text_id] for passage in whole) if others else ""
    for passage in others:
        part = texts[passage.text_id]
        # A part that the passage still has in the other version did not change.
        touched[passage.text_id] = frozenset(
            at
            for at, own, other in sides
            if part and own and part in texts[own.text_id] and not (other and part in texts[other.text_id])
        )
    return touched, sum(texts[passage.text_id] not in stored for passage in others)


def _load_texts(store: Store, wanted: Sequence[Passage]) -> list[str]:
    texts = load_chunk_texts(store.db, [passage.text_id for passage in wanted])
    return [texts[passage.text_id] for passage in wanted]
