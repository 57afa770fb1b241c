"""Which claims, and which chunks, of two answers to one question are the same, or versions of each other."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from faithview.domain.comparison import ChunkChange, ChunkPair, ClaimChange, ClaimPair

if TYPE_CHECKING:
    import numpy as np

FloatArray: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"

# Below this two claims say different things. Two statements about one subject ("Starter costs €9", "Team costs €19")
# reach 0.6, a changed figure in an otherwise equal claim 0.9.
CLAIM_FLOOR = 0.65
# METHODS, "The causes add up": from here on a chunk is an edited form of another.
CHUNK_FLOOR = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFacts:
    """A chunk as far as matching goes: `chunk_id` is its own id, or its number where it has none."""

    chunk_id: str
    chunk_hash: str
    rank: int

    @property
    def has_own_id(self) -> bool:
        """Whether the id came with the chunk; chunks without one are numbered, and numbers say nothing."""
        return not self.chunk_id.split("#")[0].isdecimal()


_Chunk = TypeVar("_Chunk", bound=ChunkFacts)


def match_claims(
    baseline: Sequence[str],
    candidate: Sequence[str],
    *,
    text_of: Callable[[], tuple[Sequence[str], Sequence[str]]],
    choices: Mapping[tuple[int, int], bool] | None = None,
    floor: float = CLAIM_FLOOR,
) -> tuple[ClaimPair, ...]:
    """Match claims one to one: equal ones first, the others so that the sum of similarities is largest.

    Args:
        baseline: the claims' hashes (`identity.claim_hash`).
        candidate: the same of the later answer.
        text_of: returns the texts of both sides; called only if some claim has no equal.
        choices: pairs of indexes that a person matched (True) or took apart (False), the oldest word first.
        floor: claims less similar than this are not matched, in [0, 1].

    Returns:
        The pairs by the baseline's order, lost claims among them, new ones at the end.
    """
    choices = choices or {}
    pairs: list[ClaimPair] = []
    taken: set[int | None] = set()
    given: set[int | None] = set()
    for (b, c), matched in reversed(list(choices.items())):
        # The newest word comes first: what two people said may claim one claim twice.
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
        found = next((c for c in equal.get(digest, ()) if choices.get((b, c)) is not False), None)
        if b in taken or found is None:
            continue
        equal[digest].remove(found)
        taken.add(b)
        given.add(found)
        pairs.append(ClaimPair(baseline=b, candidate=found, similarity=1.0, change=ClaimChange.SAME))
    left = [b for b in range(len(baseline)) if b not in taken]
    right = [c for c in range(len(candidate)) if c not in given]
    if left and right:
        texts = text_of()
        for b, c, similarity in _assign(
            _by_letter([texts[0][b] for b in left], [texts[1][c] for c in right]),
            floor=floor,
            refused={
                (left.index(b), right.index(c))
                for (b, c), matched in choices.items()
                if not matched and b in left and c in right
            },
        ):
            pairs.append(
                ClaimPair(baseline=left[b], candidate=right[c], similarity=similarity, change=ClaimChange.REWORDED)
            )
            taken.add(left[b])
            given.add(right[c])
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
) -> tuple[ChunkPair, ...]:
    """Match the chunks of two contexts: the same text, else the same id, else a similar text.

    Args:
        baseline: the chunks of the earlier answer.
        candidate: those of the later one.
        text_of: returns the texts of chunks; called only for those without an equal.

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
    right = sorted(c for found in free.values() for c in found)
    for b, c, similarity in _edited(baseline, candidate, left, right, text_of):
        pairs.append(ChunkPair(baseline=b, candidate=c, similarity=similarity, change=ChunkChange.EDITED))
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
) -> list[tuple[int, int, float]]:
    if not left or not right:
        return []
    named = {
        (i, j)
        for i, b in enumerate(left)
        for j, c in enumerate(right)
        if baseline[b].has_own_id and baseline[b].chunk_id == candidate[c].chunk_id
    }
    before = text_of([baseline[b] for b in left])
    after = text_of([candidate[c] for c in right])
    found = _assign(_by_word(before, after), floor=CHUNK_FLOOR, certain=named)
    return [(left[i], right[j], similarity) for i, j, similarity in found]


def _by_word(before: Sequence[str], after: Sequence[str]) -> FloatArray:
    """Return the shares of words that stand in both texts in the same order, 2 common / all, of each with each.

    Words, not characters: two paragraphs of one help centre share six characters in ten, and two words.
    """
    import numpy as np
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    return process.cdist(
        [text.casefold().split() for text in before],
        [text.casefold().split() for text in after],
        scorer=Indel.normalized_similarity,
        score_cutoff=CHUNK_FLOOR,
        dtype=np.float64,
    )


def _by_letter(before: Sequence[str], after: Sequence[str]) -> FloatArray:
    """Return how alike short texts are with their words in alphabetical order, in [0, 1], of each with each."""
    import numpy as np
    from rapidfuzz import fuzz, process, utils

    likeness = process.cdist(
        before, after, scorer=fuzz.token_sort_ratio, processor=utils.default_process, dtype=np.float64
    )
    return likeness / 100


def _assign(
    likeness: FloatArray,
    *,
    floor: float,
    certain: set[tuple[int, int]] | None = None,
    refused: set[tuple[int, int]] | None = None,
) -> list[tuple[int, int, float]]:
    """Return the pairs of an assignment with the largest sum of similarities, none below the floor (Kuhn 1955)."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    worth = np.where(likeness >= floor, likeness, 0.0)
    for i, j in certain or ():
        worth[i, j] = 2.0  # above every sum of two similarities that taking it could cost
    for i, j in refused or ():
        worth[i, j] = 0.0
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [(int(i), int(j), float(likeness[i, j])) for i, j in zip(rows, columns, strict=True) if worth[i, j] > 0]


def _change(is_equal: bool) -> ClaimChange:
    return ClaimChange.SAME if is_equal else ClaimChange.REWORDED
