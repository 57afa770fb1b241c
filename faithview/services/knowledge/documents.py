"""The documents that differ between two versions of a knowledge base.

Chunks belong to the document that their metadata name; a chunk without one is its own document. Documents, and the
passages of two documents, are matched by name, by text, else by similar texts (`stats.matching`).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from faithview.domain.comparison import ChunkChange
from faithview.domain.knowledge import DocumentChange, DocumentChangeKind, Passage, PassageChange
from faithview.stats.matching import match
from faithview.wording.knowledge import first_words

_Item = TypeVar("_Item")
TextsOf = Callable[[Sequence[Passage]], Sequence[str]]

# The characters of both sides that are compared at most, multiplied; so many take about four seconds.
_MOST_COMPARED = 100_000_000_000


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
        texts_of: returns the texts of passages; called only for those of documents without an equal.
        is_whole: False if the passages are only those that answers retrieved. A passage that only one side retrieved is
            then not a change of a document that both sides retrieved.
    """
    # A file without document names is compared by chunk ids with one that has them.
    by_name = all(any(passage.document for passage in side) for side in (before, after) if side)
    old, new = (_group(side, by_name=by_name) for side in (before, after))
    same = {(one.name, one.hashes) for one in old} & {(one.name, one.hashes) for one in new}
    differing = [p for one in (*old, *new) if (one.name, one.hashes) not in same for p in one.passages]
    texts = {p.text_id: text for p, text in zip(differing, texts_of(differing), strict=True)}
    pairs, is_complete = _match(
        old,
        new,
        lambda one: one.name,
        lambda one: one.hashes,
        text=lambda one: "\n".join(texts[p.text_id] for p in one.passages),
    )
    changed: dict[DocumentChangeKind, list[DocumentChange]] = {kind: [] for kind in DocumentChangeKind}
    for i, j in pairs:
        earlier, later = None if i is None else old[i], None if j is None else new[j]
        if earlier is not None and later is not None and earlier.hashes == later.hashes:
            continue
        change, all_compared = _change(earlier, later, texts, is_whole=is_whole)
        is_complete = is_complete and all_compared
        if change.passages:
            changed[change.kind].append(change)
    return DocumentChanges(
        changed=tuple(document for found in changed.values() for document in found),
        unchanged=len(new) - len(changed[DocumentChangeKind.ADDED]) - len(changed[DocumentChangeKind.EDITED]),
        before=len(old),
        after=len(new),
        is_complete=is_complete,
    )


@dataclass(slots=True)
class _Document:
    name: str | None
    passages: list[Passage] = field(default_factory=list)

    @property
    def hashes(self) -> tuple[str, ...]:
        return tuple(sorted(passage.chunk_hash for passage in self.passages))


def _group(passages: Sequence[Passage], *, by_name: bool) -> list[_Document]:
    documents: dict[tuple[str, str], _Document] = {}
    for passage in passages:
        own_id = passage.chunk_id if passage.has_own_id else None
        name = (passage.document if by_name else None) or own_id
        key = ("text", passage.chunk_hash) if name is None else ("name", name)
        document = documents.setdefault(key, _Document(name))
        if name is not None or not document.passages:  # a second copy of an unnamed text is ignored
            document.passages.append(passage)
    return list(documents.values())


def _match(
    before: Sequence[_Item], after: Sequence[_Item], *keys: Callable[[_Item], Hashable], text: Callable[[_Item], str]
) -> tuple[list[tuple[int | None, int | None]], bool]:
    """Return the pairs of `stats.matching.match`, and whether texts were few enough to be compared."""
    pairs = match(before, after, *keys)
    left = sum(len(text(before[i])) for i, j, _ in pairs if i is not None and j is None)
    right = sum(len(text(after[j])) for i, j, _ in pairs if j is not None and i is None)
    is_small = left * right <= _MOST_COMPARED
    if is_small:
        pairs = match(before, after, *keys, text=text)
    return [(i, j) for i, j, _ in pairs], is_small


def _change(
    old: _Document | None, new: _Document | None, texts: Mapping[int, str], *, is_whole: bool
) -> tuple[DocumentChange, bool]:
    """Return the change of a document, without passages if none of them changed."""
    before, after = ([] if one is None else one.passages for one in (old, new))
    pairs, is_complete = _match(
        before,
        after,
        lambda passage: passage.chunk_hash,
        lambda passage: passage.chunk_id if passage.has_own_id else None,
        text=lambda passage: texts[passage.text_id],
    )
    passages = []
    for i, j in pairs:
        earlier, later = None if i is None else before[i], None if j is None else after[j]
        if earlier is None or later is None:
            kind = ChunkChange.ADDED if earlier is None else ChunkChange.REMOVED
            if is_whole or old is None or new is None:
                passages.append(PassageChange(kind=kind, before=earlier, after=later))
        elif earlier.chunk_hash != later.chunk_hash:
            passages.append(PassageChange(kind=ChunkChange.EDITED, before=earlier, after=later))
    passages.sort(key=lambda change: (change.after is None, change.passage.rank))
    name = next(one.name for one in (new, old) if one is not None)
    first = (after or before)[0]
    title = next((passage.title for passage in (*after, *before) if passage.title), None)
    change = DocumentChange(
        name=first_words(texts[first.text_id]) if name is None else name,
        is_named=name is not None,
        title=None if title == name else title,
        kind=DocumentChangeKind.ADDED
        if old is None
        else DocumentChangeKind.REMOVED
        if new is None
        else DocumentChangeKind.EDITED,
        passages=tuple(passages),
        unchanged=sum(
            i is not None and j is not None and before[i].chunk_hash == after[j].chunk_hash for i, j in pairs
        ),
    )
    return change, is_complete
