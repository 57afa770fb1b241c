"""Which documents two versions of a knowledge base have, and what was added, edited and removed between them.

Chunks belong to the document that their metadata name; those without one are documents of their own. Documents with one
name are the same, so are those with one text, and so are those whose texts are alike, one to one. Passages of two
documents are matched as the chunks of two answers are (`domain.matching`).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from faithview.domain.comparison import ChunkChange
from faithview.domain.knowledge_base import DocumentChange, DocumentChangeKind, Passage, PassageChange
from faithview.domain.matching import CHUNK_FLOOR, TextPair, match_chunks
from faithview.stats.text_matching import pair_chunk_texts
from faithview.wording.knowledge import first_words

__all__ = ["DocumentChanges", "TextsOf", "compare_documents"]

TextsOf = Callable[[Sequence[Passage]], Sequence[str]]

# Pairs of texts to compare word by word; a million take about a second.
_MOST_COMPARED = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentChanges:
    """What two versions of a knowledge base have, and how they differ.

    `before` and `after` count the documents of either version, and `unchanged` those that both have as they are.
    `is_complete` is False where so many texts differ that renamed and edited ones could not be told from new ones.
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
        is_whole: False where the passages are only those that answers retrieved. A passage that only one side
            retrieved then says nothing about a document that both sides retrieved.
    """
    old, new = _group(before, after)
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


def _group(before: Sequence[Passage], after: Sequence[Passage]) -> tuple[_Documents, _Documents]:
    named = [any(passage.document for passage in side) for side in (before, after) if side]
    # A file without names of documents is compared with one that has them by the ids of its chunks.
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
        if name is not None or not document.passages:  # a second copy of a text without a name says nothing
            document.passages.append(passage)
    return documents


_Pairs = list[tuple[_Document, _Document]]


def _same_texts(old: list[_Document], new: list[_Document]) -> tuple[_Pairs, list[_Document], list[_Document]]:
    """Pair the documents that have another name and the same texts."""
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
    """Matches documents that differ, and their passages, by their words."""

    def __init__(self, texts_of: TextsOf, documents: Iterable[_Document], *, is_whole: bool) -> None:
        passages = [passage for document in documents for passage in document.passages]
        self._texts = {p.text_id: text for p, text in zip(passages, texts_of(passages), strict=True)}
        self._kinds = (ChunkChange.EDITED, ChunkChange.ADDED, ChunkChange.REMOVED)[: None if is_whole else 1]
        self.is_complete = True

    def pair(self, old: list[_Document], new: list[_Document]) -> tuple[_Pairs, list[_Document], list[_Document]]:
        """Pair the documents that have another name and texts that are alike; return those left on either side too."""
        whole = [["\n".join(self._list_texts(document.passages)) for document in side] for side in (old, new)]
        found = self._pair_texts(*whole, floor=CHUNK_FLOOR)
        taken, given = {pair.before for pair in found}, {pair.after for pair in found}
        return (
            [(old[pair.before], new[pair.after]) for pair in found],
            [document for at, document in enumerate(old) if at not in taken],
            [document for at, document in enumerate(new) if at not in given],
        )

    def find_edits(self, old: _Document, new: _Document) -> DocumentChange | None:
        """Return how a document was edited; None where it was not."""
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
        """Return a document that only one version has."""
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
        """Pair texts as `domain.matching.PairChunkTexts` says, as far as they are few enough to be compared."""
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
