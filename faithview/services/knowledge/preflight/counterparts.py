"""What the new version of a knowledge base has in place of a chunk that an answer retrieved."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.comparison import ChunkChange
from faithview.domain.content_hashes import fold
from faithview.domain.knowledge import Passage, document_name, document_title
from faithview.domain.pairing import CHUNK_FLOOR, ChunkFacts, is_own_id
from faithview.domain.preflight import ChunkState, PreflightDocument
from faithview.domain.sample import Chunk
from faithview.services.container import Store
from faithview.services.knowledge.documents import DocumentChanges, compare_documents
from faithview.stats.text_matching import find_contained
from faithview.store.samples import load_chunk_texts

# How many words identify the start of a passage in a chunk that contains several.
_ANCHOR = 6
# A passage of another document is a part of a removed one only if this share of its words is in it, in order.
_VERBATIM = 0.99

# A passage with the index of its document among those that differ.
_Placed = tuple[Passage, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What takes the place of a passage or a chunk: new passages by their indexes in the new version."""

    state: ChunkState
    document: int | None = None
    new: tuple[int, ...] = ()


_FOREIGN = Replacement(state=ChunkState.FOREIGN)


class Counterparts:
    """Compares two versions, and finds the counterparts of retrieved chunks.

    Args:
        store: the store.
        before: the passages of the version that the run used.
        documents: the chunks of the new version, in the order of its file.
    """

    def __init__(self, store: Store, before: Sequence[Passage], documents: Sequence[Chunk]) -> None:
        self._store = store
        self._before = before
        self.chunks = documents
        self.after = [_to_passage(chunk, at) for at, chunk in enumerate(documents)]
        self.changes: DocumentChanges = compare_documents(before, self.after, texts_of=self._texts_of)
        self.documents = tuple(
            PreflightDocument(
                name=change.name,
                title=change.title,
                kind=change.kind,
                passages=len(change.passages),
                is_named=change.is_named,
            )
            for change in self.changes.changed
        )
        self._new_hashes = {passage.chunk_hash for passage in self.after}
        self._by_hash: dict[str, list[Passage]] = defaultdict(list)
        self._by_id: dict[str, Passage] = {}
        for passage in before:
            self._by_hash[passage.chunk_hash].append(passage)
            if passage.has_own_id:
                self._by_id.setdefault(passage.chunk_id, passage)
        self._replaced = self._find_replacements()

    @property
    def new_passages(self) -> Mapping[int, int]:
        """The passages whose texts are in no document of the old version, with the indexes of their documents."""
        known = {passage.chunk_hash for passage in self._before}
        return {
            _index(change.after): number
            for number, document in enumerate(self.changes.changed)
            for change in document.passages
            if change.after is not None and change.after.chunk_hash not in known
        }

    def find_all(self, retrieved: Iterable[ChunkFacts], texts: Mapping[str, str]) -> dict[str, Replacement | None]:
        """Return by its hash what takes the place of each retrieved chunk; None if it stays as it is.

        A chunk is a passage of the old version with its text or its id, or it contains passages or is a part of one.

        Args:
            retrieved: the chunks; of several with one text the first one's id counts.
            texts: the texts by hash, of those whose text no passage has.
        """
        found: dict[str, Replacement | None] = {}
        others: dict[str, str] = {}
        for chunk in retrieved:
            if chunk.chunk_hash in found or chunk.chunk_hash in others:
                continue
            passage = self._find_passage(chunk)
            if chunk.chunk_hash in self._new_hashes:
                found[chunk.chunk_hash] = None
            elif passage is not None:
                found[chunk.chunk_hash] = self._replaced.get(passage.rank)
            else:
                others[chunk.chunk_hash] = texts[chunk.chunk_hash]
        return found | self._place(others)

    def is_known(self, chunk: ChunkFacts) -> bool:
        """Return whether a passage of the old version has the chunk's text or its own id."""
        return self._find_passage(chunk) is not None

    def title_of(self, chunk: ChunkFacts) -> str:
        """Return the title of the passage that a retrieved chunk is; "" if it has none."""
        passage = self._find_passage(chunk)
        return (passage.title or "") if passage is not None else ""

    def _find_passage(self, chunk: ChunkFacts) -> Passage | None:
        same = self._by_hash.get(chunk.chunk_hash, [])
        named = next((passage for passage in same if passage.chunk_id == chunk.chunk_id), None)
        if named is not None or same:
            return named or same[0]
        return self._by_id.get(chunk.chunk_id) if is_own_id(chunk.chunk_id) else None

    def _find_replacements(self) -> dict[int, Replacement]:
        """Return what takes the place of each passage that changes, by its rank in the old version."""
        found: dict[int, Replacement] = {}
        gone: list[_Placed] = []
        added: list[_Placed] = []
        edited: list[_Placed] = []
        for number, document in enumerate(self.changes.changed):
            for change in document.passages:
                if change.before is not None and change.before.chunk_hash not in self._new_hashes:
                    gone.append((change.before, number))
                if change.after is not None:
                    (added if change.kind is ChunkChange.ADDED else edited).append((change.after, number))
                if change.before is not None and change.after is not None:
                    found[change.before.rank] = Replacement(
                        state=ChunkState.EDITED, document=number, new=(_index(change.after),)
                    )
        parts = self._find_parts(gone, added, edited)
        for passage, number in gone:
            paired = found[passage.rank].new if passage.rank in found else ()
            new = tuple(sorted({*paired, *parts.get(passage.rank, ())}))
            state = ChunkState.EDITED if new else ChunkState.REMOVED
            found[passage.rank] = Replacement(state=state, document=number, new=new)
        return found

    def _find_parts(
        self, gone: Sequence[_Placed], added: Sequence[_Placed], edited: Sequence[_Placed]
    ) -> dict[int, set[int]]:
        """Return the new passages that a passage was split into, or joined with.

        Within a document the parts may be edited; in another one they must be verbatim, because documents on similar
        subjects are often worded alike.
        """
        both = [*added, *edited]
        old, split, joined = (self._texts_of([p for p, _ in passages]) for passages in (gone, added, both))
        parts: dict[int, set[int]] = defaultdict(set)
        found = [
            *((gone[pair.after], added[pair.before], pair) for pair in find_contained(split, old, floor=CHUNK_FLOOR)),
            *((gone[pair.before], both[pair.after], pair) for pair in find_contained(old, joined, floor=CHUNK_FLOOR)),
        ]
        for (passage, document), (part, other), pair in found:
            if document == other or pair.similarity >= _VERBATIM:
                parts[passage.rank].add(_index(part))
        return parts

    def _place(self, texts: Mapping[str, str]) -> dict[str, Replacement | None]:
        """Return the replacements of chunks that contain passages or are a part of one."""
        if not texts:
            return {}
        old = [fold(text) for text in self._texts_of(self._before)]
        anchors: dict[str, list[int]] = defaultdict(list)
        for at, text in enumerate(old):
            anchors[" ".join(text.split(" ", _ANCHOR)[:_ANCHOR])].append(at)
        found: dict[str, Replacement | None] = {}
        for digest, text in texts.items():
            folded = fold(text)
            inside = _find_anchored(folded, anchors, old)
            around = [] if inside or not folded else [at for at, whole in enumerate(old) if folded in whole]
            found[digest] = self._replace_joined(inside) if inside else self._replace_part(folded, around)
        return found

    def _replace_joined(self, inside: Sequence[int]) -> Replacement | None:
        """Return the replacement of a chunk that contains these passages."""
        replaced = [self._replaced.get(self._before[at].rank) for at in inside]
        changed = [one for one in replaced if one is not None]
        if not changed:
            return None
        new: list[int] = []
        for at, one in zip(inside, replaced, strict=True):
            new += self._same_text(self._before[at]) if one is None else one.new
        state = ChunkState.EDITED if new else ChunkState.REMOVED
        return Replacement(state=state, document=changed[0].document, new=tuple(dict.fromkeys(new)))

    def _same_text(self, passage: Passage) -> list[int]:
        return [_index(other) for other in self.after if other.chunk_hash == passage.chunk_hash][:1]

    def _replace_part(self, part: str, around: Sequence[int]) -> Replacement | None:
        """Return the replacement of a chunk that is a part of these passages."""
        if not around:
            return _FOREIGN
        changed = [one for at in around if (one := self._replaced.get(self._before[at].rank)) is not None]
        if len(changed) < len(around):
            return None  # one of them stays
        if any(part in fold(self.chunks[at].text) for one in changed for at in one.new):
            return None
        return changed[0]

    def _texts_of(self, passages: Sequence[Passage]) -> list[str]:
        stored = load_chunk_texts(self._store.db, [p.text_id for p in passages if p.text_id >= 0])
        return [stored[p.text_id] if p.text_id >= 0 else self.chunks[_index(p)].text for p in passages]


def _to_passage(chunk: Chunk, at: int) -> Passage:
    # The new version's texts are not stored, so their ids are negative.
    return Passage(
        chunk_id=chunk.chunk_id or str(at + 1),
        chunk_hash=chunk.chunk_hash,
        rank=at + 1,
        text_id=-at - 1,
        document=document_name(chunk.metadata),
        title=document_title(chunk.metadata),
    )


def _index(passage: Passage) -> int:
    """Return the place of a passage of the new version in its file, from 0."""
    return -passage.text_id - 1


def _find_anchored(text: str, anchors: Mapping[str, Sequence[int]], passages: Sequence[str]) -> list[int]:
    """Return the passages that a text contains, in their order in it."""
    words = text.split(" ")
    found: dict[int, None] = {}
    for at in range(len(words) - _ANCHOR + 1):
        for number in anchors.get(" ".join(words[at : at + _ANCHOR]), ()):
            if number not in found and passages[number] in text:
                found[number] = None
    return list(found)
