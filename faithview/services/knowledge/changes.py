"""Two versions of a knowledge base compared: the changed documents, and the claims that rest on them.

Chunks belong to the document that their metadata name; a chunk without one is its own document. Documents match if they
have the same name, the same text, or, one to one, similar texts. Passages of two documents are matched like the chunks
of two answers (`domain.pairing`).

"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from faithview.domain.answer import View
from faithview.domain.certainty import UNSTATED
from faithview.domain.comparison import CAUSES_WITHOUT_CLAIMS, ChunkChange
from faithview.domain.content_hashes import fold
from faithview.domain.errors import NotFound
from faithview.domain.knowledge import DocumentChange, DocumentChangeKind, Passage, PassageChange
from faithview.domain.pairing import CHUNK_FLOOR, TextPair, match_chunks
from faithview.domain.run import Run
from faithview.services.comparison.changes import claim_decisions, pair_runs
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.knowledge.resting_claims import DocumentClaims, RestingClaim, Touched, find_resting_claims
from faithview.stats.text_matching import pair_chunk_texts
from faithview.store import comparisons, knowledge
from faithview.store.knowledge import ClaimDetail
from faithview.store.samples import load_chunk_texts
from faithview.wording.knowledge import first_words

TextsOf = Callable[[Sequence[Passage]], Sequence[str]]

# The maximum number of text pairs to compare word by word; a million take about a second.
_MOST_COMPARED = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentChanges:
    """The difference between two versions of a knowledge base.

    `before` and `after` count the documents of each version, and `unchanged` those that are the same in both.
    `is_complete` is False if too many texts differ to tell renamed and edited ones from new ones.
    """

    changed: tuple[DocumentChange, ...]
    unchanged: int
    before: int
    after: int
    is_complete: bool = True

    def of_kind(self, kind: DocumentChangeKind) -> list[DocumentChange]:
        """Return the documents that were added, edited or removed."""
        return [document for document in self.changed if document.kind is kind]


def compare_documents(
    before: Sequence[Passage], after: Sequence[Passage], *, texts_of: TextsOf, is_whole: bool = True
) -> DocumentChanges:
    """Return the documents that differ between two versions: added, then edited, then removed ones.

    Args:
        before: the passages of the older version.
        after: those of the newer one.
        texts_of: returns the texts of passages; called only for those without an equal.
        is_whole: False if the passages are only those that answers retrieved. A passage that only one side retrieved is
            then not a change of a document that both sides retrieved.
    """
    old, new = _group_passages(before, after)
    pairs = [(old.pop(key), new.pop(key)) for key in [key for key in new if key in old]]
    differing = [pair for pair in pairs if pair[0].texts != pair[1].texts]
    moved, old_left, new_left = _same_texts(list(old.values()), list(new.values()))
    matcher = _Matcher(
        texts_of, [*(one for pair in differing for one in pair), *old_left, *new_left], is_whole=is_whole
    )
    alike, removed, added = matcher.pair(old_left, new_left)
    edited = [change for pair in (*differing, *alike) if (change := matcher.find_edits(*pair)) is not None]
    kept = len(pairs) + len(moved) + len(alike)
    return DocumentChanges(
        changed=(
            *(matcher.alone(document, DocumentChangeKind.ADDED) for document in added),
            *edited,
            *(matcher.alone(document, DocumentChangeKind.REMOVED) for document in removed),
        ),
        unchanged=kept - len(edited),
        before=kept + len(removed),
        after=kept + len(added),
        is_complete=matcher.is_complete,
    )


@dataclass(slots=True)
class _Document:
    name: str | None
    passages: list[Passage] = field(default_factory=list)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(sorted(passage.chunk_hash for passage in self.passages))

    @property
    def title(self) -> str | None:
        title = next((passage.title for passage in self.passages if passage.title), None)
        return None if title == self.name else title


_Documents = dict[tuple[str, str], _Document]


def _group_passages(before: Sequence[Passage], after: Sequence[Passage]) -> tuple[_Documents, _Documents]:
    named = [any(passage.document for passage in side) for side in (before, after) if side]
    # A file without document names is compared by chunk ids with one that has them.
    by_name = all(named)
    return _group_side(before, by_name=by_name), _group_side(after, by_name=by_name)


def _group_side(passages: Iterable[Passage], *, by_name: bool) -> _Documents:
    documents: _Documents = {}
    for passage in passages:
        name = passage.document if by_name and passage.document else None
        if name is None and passage.has_own_id:
            name = passage.chunk_id
        key = ("text", passage.chunk_hash) if name is None else ("name", name)
        document = documents.setdefault(key, _Document(name))
        if name is not None or not document.passages:  # a second copy of an unnamed text is ignored
            document.passages.append(passage)
    return documents


_Pairs = list[tuple[_Document, _Document]]


def _same_texts(old: list[_Document], new: list[_Document]) -> tuple[_Pairs, list[_Document], list[_Document]]:
    """Pair the documents with different names and the same texts."""
    by_texts: dict[tuple[str, ...], list[_Document]] = {}
    for document in new:
        by_texts.setdefault(document.texts, []).append(document)
    pairs, left = [], []
    for document in old:
        same = by_texts.get(document.texts)
        if same:
            pairs.append((document, same.pop(0)))
        else:
            left.append(document)
    return pairs, left, [document for rest in by_texts.values() for document in rest]


class _Matcher:
    """Matches differing documents, and their passages, by their words."""

    def __init__(self, texts_of: TextsOf, documents: Iterable[_Document], *, is_whole: bool) -> None:
        passages = [passage for document in documents for passage in document.passages]
        self._texts = {p.text_id: text for p, text in zip(passages, texts_of(passages), strict=True)}
        self._kinds = (ChunkChange.EDITED, ChunkChange.ADDED, ChunkChange.REMOVED)[: None if is_whole else 1]
        self.is_complete = True

    def pair(self, old: list[_Document], new: list[_Document]) -> tuple[_Pairs, list[_Document], list[_Document]]:
        """Pair the documents with different names and similar texts; also return the unpaired ones of each side."""
        whole = [["\n".join(self._list_texts(document.passages)) for document in side] for side in (old, new)]
        found = self._pair_texts(*whole, floor=CHUNK_FLOOR)
        taken, given = {pair.before for pair in found}, {pair.after for pair in found}
        return (
            [(old[pair.before], new[pair.after]) for pair in found],
            [document for at, document in enumerate(old) if at not in taken],
            [document for at, document in enumerate(new) if at not in given],
        )

    def find_edits(self, old: _Document, new: _Document) -> DocumentChange | None:
        """Return how a document was edited; None if unchanged."""
        pairs = match_chunks(old.passages, new.passages, text_of=self._list_texts, pair_texts=self._pair_texts)
        changes = [
            PassageChange(
                kind=pair.change,
                before=None if pair.baseline is None else old.passages[pair.baseline],
                after=None if pair.candidate is None else new.passages[pair.candidate],
            )
            for pair in pairs
            if pair.change in self._kinds
        ]
        if not changes:
            return None
        changes.sort(key=lambda change: (change.after is None, change.passage.rank))
        same = sum(pair.change in (ChunkChange.SAME, ChunkChange.MOVED) for pair in pairs)
        return self._change(new, DocumentChangeKind.EDITED, changes, unchanged=same, title=new.title or old.title)

    def alone(self, document: _Document, kind: DocumentChangeKind) -> DocumentChange:
        """Return the change of a document that only one version has."""
        if kind is DocumentChangeKind.ADDED:
            changes = [PassageChange(kind=ChunkChange.ADDED, after=passage) for passage in document.passages]
        else:
            changes = [PassageChange(kind=ChunkChange.REMOVED, before=passage) for passage in document.passages]
        return self._change(document, kind, changes, unchanged=0, title=document.title)

    def _list_texts(self, passages: Sequence[Passage]) -> list[str]:
        return [self._texts[passage.text_id] for passage in passages]

    def _pair_texts(
        self, before: Sequence[str], after: Sequence[str], *, floor: float, certain: Collection[tuple[int, int]] = ()
    ) -> list[TextPair]:
        """Pair texts as `domain.pairing.PairChunkTexts`, if they are few enough to compare."""
        pairs: list[TextPair] = []
        taken, given = set(), set()
        for i, j in sorted(certain):
            if i not in taken and j not in given:
                pairs.append(TextPair(before=i, after=j, similarity=1.0))
                taken.add(i)
                given.add(j)
        left = [i for i in range(len(before)) if i not in taken]
        right = [j for j in range(len(after)) if j not in given]
        if not left or not right:
            return pairs
        if len(left) * len(right) > _MOST_COMPARED:
            self.is_complete = False
            return pairs
        found = pair_chunk_texts([before[i] for i in left], [after[j] for j in right], floor=floor)
        alike = [TextPair(before=left[p.before], after=right[p.after], similarity=p.similarity) for p in found]
        return [*pairs, *alike]

    def _change(
        self,
        document: _Document,
        kind: DocumentChangeKind,
        passages: Sequence[PassageChange],
        *,
        unchanged: int,
        title: str | None,
    ) -> DocumentChange:
        name = document.name
        return DocumentChange(
            name=first_words(self._texts[document.passages[0].text_id]) if name is None else name,
            is_named=name is not None,
            title=title,
            kind=kind,
            passages=tuple(passages),
            unchanged=unchanged,
        )


_SEPARATOR = "\x1e"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDocument:
    """A changed document, with the claims that rest on the changes."""

    document: DocumentChange
    claims: DocumentClaims


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
    question: str | None
    before: ClaimDetail | None
    after: ClaimDetail | None


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
            raise NotFound(
                f"Knowledge base {version!r} is not stored. `faithview kb list` lists the stored versions, and "
                "`faithview kb add` stores one."
            )
    return compare_documents(*sides, texts_of=lambda wanted: _load_texts(store, wanted))


def compare_knowledge(store: Store, baseline: str, candidate: str, *, view: View = View.JUDGE) -> KnowledgeChanges:
    """Return the changes of the knowledge base between two runs, by id or unique name; cached until a run changes.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the runs are the same, or have no answer in common.
    """
    comparison = compare_runs(store, baseline, candidate, view=view)
    before, after = comparison.baseline, comparison.candidate
    stamp = comparisons.make_stamp(store.db, before, after, view)
    return store.comparison_cache.get(
        "knowledge", (before.run_id, after.run_id, view), stamp, lambda: _compute_changes(store, comparison)
    )


def load_passages(store: Store, document: DocumentChange, *, limit: int | None = None) -> tuple[PassageText, ...]:
    """Return the texts of a document's first `limit` changed passages (all of them by default)."""
    shown = document.passages[:limit]
    texts = load_chunk_texts(
        store.db, [side.text_id for change in shown for side in (change.before, change.after) if side is not None]
    )
    return tuple(
        PassageText(
            chunk_id=change.passage.chunk_id,
            before=None if change.before is None else texts[change.before.text_id],
            after=None if change.after is None else texts[change.after.text_id],
        )
        for change in shown
    )


def list_claims(store: Store, claims: Sequence[RestingClaim]) -> tuple[ShownClaim, ...]:
    """Return claims with their texts and the sentences that their verdicts rest on."""
    sides = [side for claim in claims for side in (claim.before, claim.after) if side is not None]
    details = knowledge.load_claim_details(store.db, {side.claim_id for side in sides if side.text is None})
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
                certainty=UNSTATED,
                explanation="",
            )
            for side in (claim.before, claim.after)
        )
        question = next((side.question for side in (after, before) if side is not None), None)
        shown.append(ShownClaim(claim=claim, question=question, before=before, after=after))
    return tuple(shown)


def _compute_changes(store: Store, comparison: Comparison) -> KnowledgeChanges:
    before, after, view = comparison.baseline, comparison.candidate, comparison.view
    versions = [_list_version(store, run) for run in (before, after)]
    retrieved = [knowledge.list_retrieved(store.db, run.run_id) for run in (before, after)]
    is_stored = all(versions)
    documents = compare_documents(
        *(versions if is_stored else retrieved),
        texts_of=lambda wanted: _load_texts(store, wanted),
        is_whole=is_stored,
    )
    finder = [
        _TouchedTexts(store, documents.changed, versions[side] if is_stored else retrieved[side], is_older=side == 0)
        for side in (0, 1)
    ]
    touched = [finder[side].find(retrieved[side]) for side in (0, 1)]
    claims = _resting_claims_of(store, comparison, touched, documents=len(documents.changed))
    # One claim may rest on several documents.
    resting = {id(claim): claim for of_document in claims for claim in of_document.claims}.values()
    beside = {id(claim) for of_document in claims for claim in of_document.beside}
    terms = [t for change in comparison.changes for t in change.terms if t.cause not in CAUSES_WITHOUT_CLAIMS]
    changed = [
        ChangedDocument(document=document, claims=of_document)
        for document, of_document in zip(documents.changed, claims, strict=True)
    ]
    # A stable sort: documents with equal numbers of broken claims keep their order.
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


def _list_version(store: Store, run: Run) -> list[Passage]:
    return [] if run.kb_version is None else knowledge.list_version(store.db, run.kb_version)


def _resting_claims_of(
    store: Store, comparison: Comparison, touched: Sequence[Touched], *, documents: int
) -> tuple[DocumentClaims, ...]:
    before, after, view = comparison.baseline, comparison.candidate, comparison.view
    with_changed = [
        knowledge.find_samples_with(store.db, run.run_id, side)
        for run, side in zip((before, after), touched, strict=True)
    ]
    decisions = comparisons.list_decisions(store.db, before.run_id, after.run_id)
    pairs = [
        pair
        for pair in pair_runs(store.db, before, after, view=view, decisions=decisions).pairs
        if pair.is_scored and (pair.before.sample_id in with_changed[0] or pair.after.sample_id in with_changed[1])
    ]
    return find_resting_claims(
        store.db,
        pairs,
        view=view,
        decisions=claim_decisions(decisions),
        before=touched[0],
        after=touched[1],
        documents=documents,
    )


def _load_texts(store: Store, wanted: Sequence[Passage]) -> list[str]:
    texts = load_chunk_texts(store.db, [passage.text_id for passage in wanted])
    return [texts[passage.text_id] for passage in wanted]


class _TouchedTexts:
    """Finds the changed documents that retrieved texts belong to: equal to a changed passage, or a part of one."""

    def __init__(
        self, store: Store, changed: Sequence[DocumentChange], whole: Sequence[Passage], *, is_older: bool
    ) -> None:
        self._store = store
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
        """Return the changed documents of each retrieved text; count the texts that are missing from this version."""
        by_hash: Mapping[str, set[int]] = defaultdict(set)
        for at, own, _ in self._sides:
            by_hash[own.chunk_hash].add(at)
        touched = {p.text_id: frozenset(by_hash[p.chunk_hash]) for p in retrieved if p.chunk_hash in by_hash}
        others = [p for p in retrieved if p.chunk_hash not in self._known]
        if others:
            touched |= self._find_parts(others)
        return touched

    def _find_parts(self, others: Sequence[Passage]) -> dict[int, frozenset[int]]:
        """Return the texts that are part of a changed passage, but not of the passage's other version."""
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
        return _load_texts(self._store, wanted)


class _Joined:
    """Many texts joined, to search all at once."""

    def __init__(self, texts: Collection[str]) -> None:
        self._text = _SEPARATOR.join(texts)
        self._starts: list[int] = []
        start = 0
        for text in texts:
            self._starts.append(start)
            start += len(text) + 1

    def find(self, part: str) -> list[int]:
        """Return the indexes of the texts that contain the part; empty for an empty part."""
        found: list[int] = []
        at = self._text.find(part) if part else -1
        while at >= 0:
            index = bisect_right(self._starts, at) - 1
            found.append(index)
            following = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._text)
            at = self._text.find(part, following)
        return found
