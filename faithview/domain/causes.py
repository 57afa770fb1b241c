"""Why claims broke or were fixed; the causes' shares add up to the difference.

The first rule that applies names the cause (see `Cause`). A claim that is supported in one of two answers and not in
the other rests on the chunks that it cites where it is supported. A claim that only one answer makes is about the chunk
that it cites, or else shares most words with, and only what differs between the two contexts counts: an edited chunk
explains an invention only if it is about the edited sentences.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from faithview.domain.comparison import Cause, ChunkChange, ChunkPair, ClaimChange, ClaimPair, Term
from faithview.domain.content_hashes import fold
from faithview.domain.pairing import ChunkFacts

# If a smaller share of a claim's words is in a text, the claim is about something else.
CLOSE = 1 / 4

_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_STEM = 5  # letters: "accept", "accepted" and "acceptance" are one word
_STOP_WORDS = frozenset({
    "all", "also", "and", "any", "are", "been", "but", "can", "each", "every", "for", "from", "had", "has", "have",
    "into", "its", "may", "more", "must", "not", "only", "our", "over", "own", "per", "than", "that", "the", "their",
    "then", "there", "they", "this", "was", "when", "which", "who", "will", "with", "you",
})  # fmt: skip


def closest_chunk(claim: str, chunks: Sequence[frozenset[str]]) -> int | None:
    """Return the index of the chunk that shares most words with a claim that cites none.

    None if no chunk has a share of them of at least `CLOSE`.

    Args:
        claim: its text.
        chunks: the `subject_words` of the chunks of its answer.
    """
    words = subject_words(claim)
    share, at = max(((_share(words, chunk), -at) for at, chunk in enumerate(chunks)), default=(0.0, 0))
    return -at if share >= CLOSE else None


def subject_words(text: str) -> frozenset[str]:
    """Return the words that identify a text's subject: numbers, and words of at least three letters as stems."""
    return frozenset(
        word.removesuffix("s")[:_STEM]
        for word in _WORD.findall(text.casefold())
        if word not in _STOP_WORDS and (len(word) > 2 or word.isdigit())
    )


def _share(words: frozenset[str], text: frozenset[str]) -> float:
    return len(words & text) / len(words) if words else 0.0


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """The known content of a version of the knowledge base: hashes of its chunks, their ids, and their folded texts.

    The texts are long, and are loaded only for a chunk whose hash is unknown.
    """

    hashes: AbstractSet[str]
    ids: AbstractSet[str]
    load_text: Callable[[], str] = str

    def holds(self, chunk: ChunkFacts, text: str) -> bool:
        """Whether it has the chunk's text, or a longer one that contains it."""
        return chunk.chunk_hash in self.hashes or fold(text) in self.load_text()


@dataclass(frozen=True, kw_only=True)
class AnswerFacts:
    """The facts about an answer from which causes are found.

    `claims` and `texts` are the texts of its claims and chunks. `supported` says for each claim whether it is
    supported, and `cited` holds the indexes of the chunks that its verdict is based on, best first. `knowledge` is None
    if the version is not known.
    """

    claims: Sequence[str]
    supported: Sequence[bool]
    cited: Sequence[Sequence[int]]
    chunks: Sequence[ChunkFacts]
    texts: Sequence[str]
    knowledge: Knowledge | None = None

    @cached_property
    def hashes(self) -> frozenset[str]:
        """The hashes of the chunks."""
        return frozenset(chunk.chunk_hash for chunk in self.chunks)

    @cached_property
    def sentences(self) -> list[list[str]]:
        """The sentences of each chunk."""
        return [[fold(s) for s in _SENTENCE_END.split(text) if s.strip()] for text in self.texts]


def find_terms(
    baseline: AnswerFacts, candidate: AnswerFacts, *, claims: Iterable[ClaimPair], chunks: Sequence[ChunkPair]
) -> tuple[Term, ...]:
    """Return the term of each claim or pair of claims, with its cause; terms with value 0 are left out.

    The values add up to the candidate's faithfulness minus the baseline's. Both must have a claim.
    """
    finder = _Causes(baseline, candidate, chunks)
    terms = []
    for pair in claims:
        before = None if pair.baseline is None else baseline.supported[pair.baseline]
        after = None if pair.candidate is None else candidate.supported[pair.candidate]
        value = (before is False) / len(baseline.claims) - (after is False) / len(candidate.claims)
        if value != 0:
            terms.append(
                Term(
                    baseline=None if pair.baseline is None else pair.baseline + 1,
                    candidate=None if pair.candidate is None else pair.candidate + 1,
                    value=value,
                    cause=finder.find(pair, before, after),
                    flipped=before is not None and after is not None and before != after,
                )
            )
    return tuple(terms)


class _Causes:
    """Finds causes for two answers; the sides are 0, the baseline, and 1, the candidate."""

    def __init__(self, baseline: AnswerFacts, candidate: AnswerFacts, chunks: Sequence[ChunkPair]) -> None:
        self._sides = (baseline, candidate)
        edited = [pair for pair in chunks if pair.change is ChunkChange.EDITED]
        self._edited = ({pair.baseline for pair in edited}, {pair.candidate for pair in edited})

    def find(self, pair: ClaimPair, before: bool | None, after: bool | None) -> Cause:
        """Return the cause of a pair of claims, by whether either is supported (None: not made)."""
        at = (pair.baseline, pair.candidate)
        if before is False and after is False:
            return Cause.OTHER
        wrong = 0 if before is False else 1
        own, other = at[wrong], at[1 - wrong]
        if own is not None and other is not None:
            return self._flipped(own, other, wrong, is_same=pair.change is ClaimChange.SAME)
        return self._alone(own or 0, wrong)

    def _flipped(self, own: int, other: int, wrong: int, *, is_same: bool) -> Cause:
        """Return why a claim that one answer supports, `other`, is not supported by the side `wrong`."""
        lost, kept = self._sides[wrong], self._sides[1 - wrong]
        missing = [at for at in kept.cited[other] if kept.chunks[at].chunk_hash not in lost.hashes]
        if missing:
            edited = [at for at in missing if at in self._edited[1 - wrong]]
            return self._chunk_cause((edited or missing)[0], 1 - wrong)
        if not is_same:
            return Cause.ANSWER_REWRITTEN
        beside = [at for at, chunk in enumerate(lost.chunks) if chunk.chunk_hash not in kept.hashes]
        others = [at for at in beside if at not in self._edited[wrong]]
        return self._chunk_cause((others or beside)[0], wrong) if beside else Cause.JUDGE_NOISE

    def _alone(self, own: int, wrong: int) -> Cause:
        """Return why one answer has an unsupported claim that the other does not make.

        A chunk that only one context has explains the claim if the claim is about it: the claim garbles it, or it would
        have prevented the claim. If no chunk has anything of the claim, the context explains it if at least half of the
        candidate's is new; a single new chunk among others does not.
        """
        facts, words = self._sides[wrong], subject_words(self._sides[wrong].claims[own])
        cited = facts.cited[own]
        places = [(wrong, cited or range(len(facts.chunks)))]
        if not cited:
            places.append((1 - wrong, range(len(self._sides[1 - wrong].chunks))))
        is_kept = bool(cited)
        for side, among in places:
            shared = max((_share(words, self._parts[side][at][0]) for at in among), default=0.0)
            changed, at = max(((_share(words, self._parts[side][at][1]), -at) for at in among), default=(0.0, 0))
            if changed > shared and (cited or changed >= CLOSE):
                return self._chunk_cause(-at, side)
            is_kept = is_kept or shared >= CLOSE
        before, after = self._sides
        changed_chunks = [at for at, chunk in enumerate(after.chunks) if chunk.chunk_hash not in before.hashes]
        new = [at for at in changed_chunks if at not in self._edited[1]]
        return Cause.RETRIEVED if new and not is_kept and 2 * len(new) >= len(after.chunks) else Cause.ANSWER_REWRITTEN

    def _chunk_cause(self, at: int, side: int) -> Cause:
        """Return the cause for a chunk that is only in this side's context."""
        chunk, known = self._sides[side].chunks[at], self._sides[1 - side].knowledge
        if at in self._edited[side]:
            return Cause.DOCUMENT_EDITED
        is_held = known is None or known.holds(chunk, self._sides[side].texts[at])
        if known is not None and not is_held and chunk.has_own_id and chunk.chunk_id in known.ids:
            return Cause.DOCUMENT_EDITED
        if side == 1:
            return Cause.RETRIEVED
        return Cause.NOT_RETRIEVED if is_held else Cause.DOCUMENT_REMOVED

    @cached_property
    def _parts(self) -> list[list[tuple[frozenset[str], frozenset[str]]]]:
        """For each chunk of either side the words of its sentences that the other side has as well, and of the rest."""
        found = []
        for side in (0, 1):
            theirs = {sentence for chunk in self._sides[1 - side].sentences for sentence in chunk}
            found.append(
                [
                    (
                        subject_words(" ".join(s for s in sentences if s in theirs)),
                        subject_words(" ".join(s for s in sentences if s not in theirs)),
                    )
                    for sentences in self._sides[side].sentences
                ]
            )
        return found
