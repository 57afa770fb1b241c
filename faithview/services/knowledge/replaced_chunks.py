"""What a new version of a knowledge base has in place of the chunks that answers retrieved.

A retrieved chunk is a passage of the stored version with its text or its own id, or it contains passages or is a part
of one. Passages of the two versions are paired as in `documents`; a passage that was split, or joined with another, is
replaced by all its parts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from faithview.domain.content_hashes import fold
from faithview.domain.knowledge import Passage, document_name, document_title
from faithview.domain.pairing import CHUNK_FLOOR
from faithview.domain.sample import Chunk
from faithview.services.container import Store
from faithview.services.knowledge.documents import DocumentChanges, compare_documents
from faithview.store.compared_answers import StoredChunk
from faithview.store.samples import load_chunk_texts

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedChunks:
    """What changes for retrieved chunks.

    `found` has by the hash of each retrieved chunk the stored passage that it is, and the text and metadata that it
    has in the new version; None if that has nothing of it. `changed` are the hashes of those whose text changes.
    `foreign` counts the retrieved texts that the stored version lacks: nothing is known of them, and they stay.
    `documents` are all documents that differ.
    """

    found: Mapping[str, tuple[Passage, Chunk | None]]
    changed: frozenset[str]
    foreign: int
    documents: DocumentChanges


def find_replaced(
    store: Store, before: Sequence[Passage], new: Sequence[Chunk], retrieved: Mapping[str, StoredChunk]
) -> ReplacedChunks:
    """Find what takes the place of each retrieved chunk.

    Args:
        store: the store.
        before: the passages of the stored version.
        new: the chunks of the new version.
        retrieved: the retrieved chunks by their hashes.
    """
    versions = _Versions(store, before, new)
    found: dict[str, tuple[Passage, Chunk | None]] = {}
    others: list[StoredChunk] = []
    for digest, chunk in retrieved.items():
        old = versions.find_passage(chunk)
        if digest in versions.kept:
            if old is not None:
                found[digest] = (old, versions.kept[digest])
        elif old is None:
            others.append(chunk)
        elif old.rank in versions.gone:
            found[digest] = (old, versions.find_new(old))
    foreign = 0
    whole = [(passage, versions.fold(passage)) for passage in before] if others else []
    for chunk in others:
        text = fold(versions.texts_of([chunk])[0])
        inside = sorted((text.find(part), passage.rank, passage) for passage, part in whole if part and part in text)
        around = [passage for passage, part in whole if text and text in part]
        if inside or around:
            place = versions.join_inside([p for *_, p in inside]) if inside else versions.find_around(text, around)
            if place is not None:
                found[chunk.chunk_hash] = place
        else:
            foreign += 1
    changed = frozenset(digest for digest in found if digest not in versions.kept)
    return ReplacedChunks(found=found, changed=changed, foreign=foreign, documents=versions.documents)


class _Versions:
    """The stored version and the new one: what differs, and what the new one has in place of a passage.

    `kept` are the new version's chunks by their hashes. `gone` has by its rank each old passage whose text the new
    version lacks, with the passage that it is paired with and all new passages of its document.
    """

    def __init__(self, store: Store, before: Sequence[Passage], new: Sequence[Chunk]) -> None:
        self._store = store
        self._new = new
        # The new version's texts are not stored: their ids are negative.
        after = [
            Passage(
                chunk_id=chunk.chunk_id or str(at),
                chunk_hash=chunk.chunk_hash,
                rank=at,
                text_id=-at,
                document=document_name(chunk.metadata),
                title=document_title(chunk.metadata),
            )
            for at, chunk in enumerate(new, start=1)
        ]
        self.documents = compare_documents(before, after, texts_of=self.texts_of)
        self.kept = {chunk.chunk_hash: chunk for chunk in reversed(new)}
        known = {passage.chunk_hash for passage in before}
        self._fresh = [passage for passage in after if passage.chunk_hash not in known]
        self.gone: dict[int, tuple[Passage | None, list[Passage]]] = {}
        for document in self.documents.changed:
            fresh = [c.after for c in document.passages if c.after is not None and c.after.chunk_hash not in known]
            for change in document.passages:
                if change.before is not None and change.before.chunk_hash not in self.kept:
                    self.gone[change.before.rank] = (change.after, fresh)
        self._by_text = {passage.chunk_hash: passage for passage in reversed(before)}
        self._by_text_and_id = {(passage.chunk_hash, passage.chunk_id): passage for passage in before}
        self._by_id = {passage.chunk_id: passage for passage in reversed(before) if passage.has_own_id}
        self._folded: dict[int, str] = {}
        self._found: dict[int, Chunk | None] = {}

    def texts_of(self, chunks: Sequence[Passage | StoredChunk]) -> list[str]:
        stored = load_chunk_texts(self._store.db, [chunk.text_id for chunk in chunks if chunk.text_id >= 0])
        return [stored[c.text_id] if c.text_id >= 0 else self._new[-c.text_id - 1].text for c in chunks]

    def fold(self, passage: Passage) -> str:
        if passage.text_id not in self._folded:
            self._folded[passage.text_id] = fold(self.texts_of([passage])[0])
        return self._folded[passage.text_id]

    def find_passage(self, chunk: StoredChunk) -> Passage | None:
        """Return the old passage with a retrieved chunk's text, or with its own id."""
        same = self._by_text_and_id.get((chunk.chunk_hash, chunk.chunk_id)) or self._by_text.get(chunk.chunk_hash)
        return same or (self._by_id.get(chunk.chunk_id) if chunk.has_own_id else None)

    def find_new(self, old: Passage) -> Chunk | None:
        """Return what the new version has in place of a passage that is gone."""
        if old.rank not in self._found:
            paired, beside = self.gone[old.rank]
            parts = {p.rank for p in beside if p == paired or _is_part(self.fold(p), self.fold(old))}
            # Other documents are often worded alike, so a part of theirs must be verbatim.
            parts |= {p.rank for p in self._fresh if _is_verbatim(self.fold(p), self.fold(old))}
            self._found[old.rank] = _join([self._new[rank - 1] for rank in sorted(parts)])
        return self._found[old.rank]

    def join_inside(self, inside: Sequence[Passage]) -> tuple[Passage, Chunk | None] | None:
        """Return the place of a chunk that contains these passages; None if none of them is gone."""
        changed = [passage for passage in inside if passage.rank in self.gone]
        parts = [self.find_new(p) if p in changed else Chunk(text=self.fold(p)) for p in inside]
        return (changed[0], _join([part for part in parts if part is not None])) if changed else None

    def find_around(self, text: str, around: Sequence[Passage]) -> tuple[Passage, Chunk | None] | None:
        """Return the place of a chunk that is a part of these passages; None if one of them still has it."""
        if any(passage.rank not in self.gone for passage in around):
            return None
        new = [self.find_new(passage) for passage in around]
        return None if any(one and text in fold(one.text) for one in new) else (around[0], new[0])


def _is_part(one: str, other: str) -> bool:
    """Return whether most words of the shorter text are in the longer one, in the same order."""
    words = [_WORD.findall(text.casefold()) for text in (one, other)]
    shorter = min(map(len, words))
    return shorter > 0 and LCSseq.similarity(*words) >= CHUNK_FLOOR * shorter


def _is_verbatim(one: str, other: str) -> bool:
    return bool(one and other) and (one in other or other in one)


def _join(parts: Sequence[Chunk]) -> Chunk | None:
    return Chunk(text="\n\n".join(dict.fromkeys(p.text for p in parts)), metadata=parts[0].metadata) if parts else None
