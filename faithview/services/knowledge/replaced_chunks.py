"""What a new version of a knowledge base has in place of the chunks that answers retrieved.

A retrieved chunk is a passage of the stored version with its text or its own id, or it contains passages or is a part
of one. Passages of the two versions are paired as in `documents`; a passage that was split, or joined with another, is
replaced by all its parts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

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
    `foreign` counts the retrieved texts that the stored version lacks: their changes are unknown, and they stay.
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

    def texts_of(chunks: Sequence[Passage | StoredChunk]) -> list[str]:
        stored = load_chunk_texts(store.db, [chunk.text_id for chunk in chunks if chunk.text_id >= 0])
        return [stored[c.text_id] if c.text_id >= 0 else new[-c.text_id - 1].text for c in chunks]

    @cache
    def text_of(chunk: Passage | StoredChunk) -> str:
        return fold(texts_of([chunk])[0])

    documents = compare_documents(before, after, texts_of=texts_of)
    kept = {chunk.chunk_hash: chunk for chunk in reversed(new)}
    known = {passage.chunk_hash for passage in before}
    fresh = [passage for passage in after if passage.chunk_hash not in known]
    # Each old passage that the new version lacks, with the passage that it is paired with and those of its document.
    gone = {
        change.before.rank: (change.after, {c.after for c in document.passages})
        for document in documents.changed
        for change in document.passages
        if change.before is not None and change.before.chunk_hash not in kept
    }

    @cache
    def find_new(old: Passage) -> list[Chunk]:
        paired, beside = gone[old.rank]
        return [
            new[one.rank - 1]
            for one in fresh
            if one == paired
            or (one in beside and _is_part(text_of(one), text_of(old)))
            # Other documents are often worded alike, so a part of theirs must be verbatim.
            or _is_inside(text_of(one), text_of(old))
            or _is_inside(text_of(old), text_of(one))
        ]

    by_text = {passage.chunk_hash: passage for passage in reversed(before)}
    by_text_and_id = {(passage.chunk_hash, passage.chunk_id): passage for passage in before}
    by_id = {passage.chunk_id: passage for passage in reversed(before) if passage.has_own_id}
    found: dict[str, tuple[Passage, Chunk | None]] = {}
    foreign = 0
    for digest, chunk in retrieved.items():
        own = by_text_and_id.get((digest, chunk.chunk_id)) or by_text.get(digest)
        own = own or (by_id.get(chunk.chunk_id) if chunk.has_own_id else None)
        if digest in kept:
            if own is not None:
                found[digest] = (own, kept[digest])
            continue
        around = [] if own else [passage for passage in before if _is_inside(text_of(chunk), text_of(passage))]
        inside = [] if own else [passage for passage in before if _is_inside(text_of(passage), text_of(chunk))]
        inside.sort(key=lambda passage: text_of(chunk).find(text_of(passage)))
        old = [own] if own else inside or around[:1]
        foreign += not old
        lost = [passage for passage in old if passage.rank in gone]
        if not lost or (not inside and any(passage.rank not in gone for passage in around)):
            continue
        parts = [part for one in old for part in (find_new(one) if one in lost else [Chunk(text=text_of(one))])]
        text = "\n\n".join(dict.fromkeys(part.text for part in parts))
        if not (around and _is_inside(text_of(chunk), fold(text))):
            found[digest] = (lost[0], Chunk(text=text, metadata=parts[0].metadata) if parts else None)
    changed = frozenset(digest for digest in found if digest not in kept)
    return ReplacedChunks(found=found, changed=changed, foreign=foreign, documents=documents)


def _is_part(one: str, other: str) -> bool:
    """Return whether most words of the shorter text are in the longer one, in the same order."""
    words = [_WORD.findall(text.casefold()) for text in (one, other)]
    shorter = min(map(len, words))
    return shorter > 0 and LCSseq.similarity(*words) >= CHUNK_FLOOR * shorter


def _is_inside(one: str, other: str) -> bool:
    return bool(one) and one in other
