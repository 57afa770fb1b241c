"""Which claims, and which chunks, of two answers to one question are the same, or edited forms of each other.

Texts are compared by functions that callers pass in (`stats.text_matching` has them), because those need more than the
standard library.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from faithview.domain.comparison import ChunkChange, ChunkPair, ClaimChange, ClaimPair

# Below this two claims say different things. Two statements about one subject ("Starter costs €9", "Team costs €19")
# reach 0.6, a changed figure in an otherwise equal claim 0.9.
CLAIM_FLOOR = 0.65
# At this share of common words or above, a chunk is an edited form of another; two different paragraphs share 0.2.
CHUNK_FLOOR = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPair:
    """Two texts that belong together, as indexes from 0, and their similarity in [0, 1]."""

    before: int
    after: int
    similarity: float


class PairClaimTexts(Protocol):
    """Pairs the texts of claims one to one, none less similar than the floor and none of the refused pairs."""

    def __call__(
        self, before: Sequence[str], after: Sequence[str], *, floor: float, refused: Collection[tuple[int, int]] = ()
    ) -> list[TextPair]:
        """Return the pairs whose similarities have the largest sum."""
        ...


class PairChunkTexts(Protocol):
    """Pairs the texts of chunks one to one: the certain pairs, and others that are at least as similar as the floor."""

    def __call__(
        self, before: Sequence[str], after: Sequence[str], *, floor: float, certain: Collection[tuple[int, int]] = ()
    ) -> list[TextPair]:
        """Return the pairs whose similarities have the largest sum."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFacts:
    """What matching needs of a chunk. `chunk_id` is its own id, or its number where it has none."""

    chunk_id: str
    chunk_hash: str
    rank: int

    @property
    def has_own_id(self) -> bool:
        """Whether the id came with the chunk."""
        return is_own_id(self.chunk_id)


def is_own_id(chunk_id: str) -> bool:
    """Return whether an id came with its chunk; chunks without one are numbered, and numbers say nothing."""
    return not chunk_id.split("#")[0].isdecimal()


_Chunk = TypeVar("_Chunk", bound=ChunkFacts)


def match_claims(
    baseline: Sequence[str],
    candidate: Sequence[str],
    *,
    text_of: Callable[[], tuple[Sequence[str], Sequence[str]]],
    pair_texts: PairClaimTexts,
    choices: Mapping[tuple[int, int], bool] | None = None,
    floor: float = CLAIM_FLOOR,
) -> tuple[ClaimPair, ...]:
    """Match claims one to one: equal ones first, the others so that the sum of similarities is largest.

    Args:
        baseline: the claims' hashes (`identity.claim_hash`).
        candidate: the same of the later answer.
        text_of: returns the texts of both sides; called only if some claim has no equal.
        pair_texts: pairs the texts of claims that have no equal.
        choices: pairs of indexes that a person matched (True) or separated (False), the oldest decision first.
        floor: claims less similar than this are not matched, in [0, 1].

    Returns:
        The pairs by the baseline's order, lost claims among them, new ones at the end.
    """
    choices = choices or {}
    pairs: list[ClaimPair] = []
    taken: set[int | None] = set()
    given: set[int | None] = set()
    for (b, c), matched in reversed(list(choices.items())):
        # The newest decision comes first: two people may have matched one claim with two others.
        if matched and b < len(baseline) and c < len(candidate) and b not in taken and c not in given:
            change = _change(baseline[b] == candidate[c])
            pairs.append(ClaimPair(baseline=b, candidate=c, similarity=1.0, change=change))
            taken.add(b)
            given.add(c)
    equal: dict[str, list[int]] = defaultdict(list)
    for c, digest in enumerate(candidate):
        if c not in given:
            equal[digest].append(c)
    for b, digest in enumerate(baseline):
        others = equal.get(digest)
        if not others or b in taken:
            continue
        same = next((c for c in others if choices.get((b, c)) is not False), None) if choices else others[0]
        if same is None:
            continue
        others.remove(same)
        taken.add(b)
        given.add(same)
        pairs.append(ClaimPair(baseline=b, candidate=same, similarity=1.0, change=ClaimChange.SAME))
    left = [b for b in range(len(baseline)) if b not in taken]
    right = [c for c in range(len(candidate)) if c not in given]
    if left and right:
        texts = text_of()
        for pair in pair_texts(
            [texts[0][b] for b in left],
            [texts[1][c] for c in right],
            floor=floor,
            refused={
                (left.index(b), right.index(c))
                for (b, c), matched in choices.items()
                if not matched and b in left and c in right
            },
        ):
            b, c = left[pair.before], right[pair.after]
            pairs.append(ClaimPair(baseline=b, candidate=c, similarity=pair.similarity, change=ClaimChange.REWORDED))
            taken.add(b)
            given.add(c)
    lost = [
        ClaimPair(baseline=b, candidate=None, similarity=0.0, change=ClaimChange.LOST) for b in left if b not in taken
    ]
    new = [
        ClaimPair(baseline=None, candidate=c, similarity=0.0, change=ClaimChange.NEW) for c in right if c not in given
    ]
    return (*sorted([*pairs, *lost], key=lambda pair: pair.baseline or 0), *new)


def match_chunks(
    baseline: Sequence[_Chunk],
    candidate: Sequence[_Chunk],
    *,
    text_of: Callable[[Sequence[_Chunk]], Sequence[str]],
    pair_texts: PairChunkTexts,
) -> tuple[ChunkPair, ...]:
    """Match the chunks of two contexts: the same text, else the same id, else a similar text.

    Chunks matched by id or by a similar text are edited forms of each other. Ids that only number chunks do not count.

    Args:
        baseline: the chunks of the earlier answer.
        candidate: those of the later one.
        text_of: returns the texts of chunks; called only for those without an equal.
        pair_texts: pairs the texts of chunks that have no equal.

    Returns:
        The pairs by the baseline's order, removed chunks among them, added ones at the end.
    """
    pairs: list[ChunkPair] = []
    free: dict[str, list[int]] = defaultdict(list)
    for c, chunk in enumerate(candidate):
        free[chunk.chunk_hash].append(c)
    left = []
    for b, chunk in enumerate(baseline):
        if free.get(chunk.chunk_hash):
            c = free[chunk.chunk_hash].pop(0)
            moved = chunk.rank != candidate[c].rank
            change = ChunkChange.MOVED if moved else ChunkChange.SAME
            pairs.append(ChunkPair(baseline=b, candidate=c, similarity=1.0, change=change))
        else:
            left.append(b)
    right = sorted(c for indexes in free.values() for c in indexes)
    pairs += _edited(baseline, candidate, left, right, text_of, pair_texts)
    taken, given = {pair.baseline for pair in pairs}, {pair.candidate for pair in pairs}
    pairs += [
        ChunkPair(baseline=b, candidate=None, similarity=0.0, change=ChunkChange.REMOVED)
        for b in left
        if b not in taken
    ]
    added = [
        ChunkPair(baseline=None, candidate=c, similarity=0.0, change=ChunkChange.ADDED) for c in right if c not in given
    ]
    return (*sorted(pairs, key=lambda pair: pair.baseline or 0), *added)


def _edited(
    baseline: Sequence[_Chunk],
    candidate: Sequence[_Chunk],
    left: Sequence[int],
    right: Sequence[int],
    text_of: Callable[[Sequence[_Chunk]], Sequence[str]],
    pair_texts: PairChunkTexts,
) -> list[ChunkPair]:
    if not left or not right:
        return []
    by_id: dict[str, list[int]] = defaultdict(list)
    for j, c in enumerate(right):
        by_id[candidate[c].chunk_id].append(j)
    named = {(i, j) for i, b in enumerate(left) if baseline[b].has_own_id for j in by_id.get(baseline[b].chunk_id, ())}
    before = text_of([baseline[b] for b in left])
    after = text_of([candidate[c] for c in right])
    return [
        ChunkPair(
            baseline=left[pair.before],
            candidate=right[pair.after],
            similarity=pair.similarity,
            change=ChunkChange.EDITED,
        )
        for pair in pair_texts(before, after, floor=CHUNK_FLOOR, certain=named)
    ]


def _change(is_equal: bool) -> ClaimChange:
    return ClaimChange.SAME if is_equal else ClaimChange.REWORDED
