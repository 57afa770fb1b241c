"""Why claims broke or were mended, so that the causes' shares add up to the difference.

The first rule that holds names the cause (see `Cause`); where a claim was mended the rules are read with the sides
exchanged. Changed answers are distinguished by whether they cite newly retrieved chunks. Which chunks of two contexts
are the same, and which are edited, is decided in `matching`.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from faithview.domain.comparison import Cause, ChunkChange, ChunkPair, ClaimChange, ClaimPair, Term
from faithview.domain.matching import ChunkFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What is known of a version of the knowledge base: hashes of its chunks, and its chunks' ids.

    `contained` are hashes of retrieved chunks that stand inside a longer text of it.
    """

    hashes: AbstractSet[str]
    ids: AbstractSet[str]
    contained: AbstractSet[str] = frozenset()

    def holds(self, chunk: ChunkFacts) -> bool:
        """Whether the chunk's text is in it."""
        return chunk.chunk_hash in self.hashes or chunk.chunk_hash in self.contained


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """What finding causes needs of an answer.

    `supported` says for each claim whether it is supported, None for "not a claim". `cited` holds for each claim the
    indexes of the chunks that its verdict is based on, best first. `retrieved` are ids of the chunks that the retriever
    returned, those below the cut included, where the row has them. `knowledge` is None where the version is not known.
    `hashes` are those of its chunks and `counted` is the number of claims that count; both follow from the rest.
    """

    supported: Sequence[bool | None]
    cited: Sequence[Sequence[int]]
    chunks: Sequence[ChunkFacts]
    retrieved: AbstractSet[str] = frozenset()
    knowledge: Knowledge | None = None
    hashes: frozenset[str] = field(init=False)
    counted: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hashes", frozenset(chunk.chunk_hash for chunk in self.chunks))
        object.__setattr__(self, "counted", sum(supported is not None for supported in self.supported))


def find_terms(
    baseline: AnswerFacts, candidate: AnswerFacts, *, claims: Sequence[ClaimPair], chunks: Sequence[ChunkPair]
) -> tuple[Term, ...]:
    """Return what each claim adds to the difference of two judged answers, and why; terms of nothing are left out.

    The values add up to the candidate's faithfulness minus the baseline's. Both must have a claim that counts.
    """
    terms = []
    arrival = _arrival(baseline, candidate, chunks)
    for pair in claims:
        before = None if pair.baseline is None else baseline.supported[pair.baseline]
        after = None if pair.candidate is None else candidate.supported[pair.candidate]
        value = (before is False) / baseline.counted - (after is False) / candidate.counted
        if value == 0:
            continue
        if before is False and after is False:
            cause = Cause.ANSWER_LENGTH
        elif before and after is False:
            cause = _lost_support(pair, baseline, candidate, chunks) or arrival
        elif before is False and after:
            turned = [_turned(chunk) for chunk in chunks]
            cause = _lost_support(_turned_claim(pair), candidate, baseline, turned) or arrival
            # The older knowledge base lacks it, so it was added to the newer one.
            cause = Cause.EVIDENCE_ADDED if cause is Cause.EVIDENCE_REMOVED else cause
        else:
            cause = arrival
        terms.append(
            Term(
                baseline=None if pair.baseline is None else pair.baseline + 1,
                candidate=None if pair.candidate is None else pair.candidate + 1,
                value=value,
                cause=cause,
                flipped=before is not None and after is not None and before != after,
            )
        )
    return tuple(terms)


def _lost_support(pair: ClaimPair, old: AnswerFacts, new: AnswerFacts, chunks: Sequence[ChunkPair]) -> Cause | None:
    """Return why a claim supported in `old` is not in `new`; None where evidence is all there, the wording not."""
    if pair.baseline is None:
        return None
    is_same = pair.change is ClaimChange.SAME
    if is_same and old.hashes == new.hashes:
        return Cause.JUDGE_NOISE
    evidence = old.cited[pair.baseline]
    missing = [at for at in evidence if old.chunks[at].chunk_hash not in new.hashes]
    if not missing:
        if is_same:
            return Cause.DISTRACTION if new.hashes - old.hashes else Cause.JUDGE_NOISE
        ranks = {chunk.chunk_hash: chunk.rank for chunk in new.chunks}
        fell = [ranks[old.chunks[at].chunk_hash] > old.chunks[at].rank for at in evidence]
        return Cause.RANKED_LOWER if fell and all(fell) else None
    edited = {chunk.baseline for chunk in chunks if chunk.change is ChunkChange.EDITED}
    if any(at in edited for at in missing):
        return Cause.EVIDENCE_EDITED
    chunk = old.chunks[missing[0]]
    if chunk.has_own_id and chunk.chunk_id in new.retrieved:
        return Cause.RANKED_LOWER
    if new.knowledge is None:
        return Cause.NO_LONGER_RETRIEVED
    if new.knowledge.holds(chunk):
        return Cause.NOT_RETRIEVED
    if chunk.has_own_id and chunk.chunk_id in new.knowledge.ids:
        return Cause.EVIDENCE_EDITED
    return Cause.EVIDENCE_REMOVED


def _arrival(baseline: AnswerFacts, candidate: AnswerFacts, chunks: Sequence[ChunkPair]) -> Cause:
    """Return why the answer changed: for chunks that arrived, or of its own accord.

    A chunk that came in at the end of the list and that no claim cites changes no answer; where half of the context is
    new it is another context, cited or not.
    """
    cited = {at for claim in candidate.cited for at in claim}
    arrived = [(at, chunk) for at, chunk in enumerate(candidate.chunks) if chunk.chunk_hash not in baseline.hashes]
    if 2 * len(arrived) < len(candidate.chunks):
        arrived = [(at, chunk) for at, chunk in arrived if at in cited]
    if not arrived:
        return Cause.ANSWER_CHANGED
    edited = {pair.candidate for pair in chunks if pair.change is ChunkChange.EDITED}
    if any(at in edited for at, _ in arrived):
        return Cause.EVIDENCE_EDITED
    if baseline.knowledge is None:
        return Cause.CONTEXT_CHANGED
    new = [chunk for _, chunk in arrived if not baseline.knowledge.holds(chunk)]
    if any(chunk.has_own_id and chunk.chunk_id in baseline.knowledge.ids for chunk in new):
        return Cause.EVIDENCE_EDITED
    return Cause.EVIDENCE_ADDED if new else Cause.CONTEXT_CHANGED


def _turned(pair: ChunkPair) -> ChunkPair:
    return ChunkPair(baseline=pair.candidate, candidate=pair.baseline, similarity=pair.similarity, change=pair.change)


def _turned_claim(pair: ClaimPair) -> ClaimPair:
    return ClaimPair(baseline=pair.candidate, candidate=pair.baseline, similarity=pair.similarity, change=pair.change)
