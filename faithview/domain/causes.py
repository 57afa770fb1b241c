"""Why claims broke or were fixed. The causes' shares add up to the difference.

The first rule that applies names the cause (see `Cause`); for a fixed claim the rules are applied with the sides
exchanged. If the answer changed, a chunk explains a claim only if the claim is about it: an edited chunk does not
explain an invention on another subject, and no chunk explains a claim that went wrong while its own chunk is unchanged.
`matching` decides which chunks of two contexts are the same and which are edited.

The closeness of a claim and a text is the share of the claim's words that are in the text. Only sentences that differ
count: an edited chunk explains a claim if the claim is about the edited sentences.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
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


class Origin(StrEnum):
    """Which context has the text that a claim is about.

    `kept`: in both contexts. `changed`: in one of them only. `nowhere`: in neither.
    """

    KEPT = "kept"
    CHANGED = "changed"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOrigin:
    """The origin of a claim; `chunk` is the index of the chunk with the changed text, None for the other origins."""

    origin: Origin
    chunk: int | None = None


@dataclass(frozen=True, kw_only=True)
class ContextText:
    """The chunks of a context and of the context that it is compared with."""

    chunks: Sequence[str]
    others: Sequence[str]

    @cached_property
    def kept(self) -> list[frozenset[str]]:
        """For each chunk the words of its sentences that the other context has as well."""
        return [_words(s for s in sentences if s in self._other_sentences) for sentences in self._sentences]

    @cached_property
    def changed(self) -> list[frozenset[str]]:
        """For each chunk the words of its sentences that the other context lacks."""
        return [_words(s for s in sentences if s not in self._other_sentences) for sentences in self._sentences]

    @cached_property
    def _sentences(self) -> list[list[str]]:
        return [_sentences(chunk) for chunk in self.chunks]

    @cached_property
    def _other_sentences(self) -> frozenset[str]:
        return frozenset(sentence for chunk in self.others for sentence in _sentences(chunk))


def find_origin(
    claim: str, context: ContextText, *, cited: Sequence[int] = (), changed_chunks: Sequence[int] = ()
) -> ClaimOrigin:
    """Return what an unsupported claim is about.

    Args:
        claim: its text.
        context: the chunks of its answer, or of the answer that it is compared with.
        cited: the chunks that its verdict is based on, best first; if there are any, the claim is about them.
        changed_chunks: the chunks that are not in the other context unchanged.
    """
    words = _words([claim])
    looked_at = list(cited) or range(len(context.chunks))
    kept = max((_share(words, context.kept[at]) for at in looked_at), default=0.0)
    changed, chunk = max(((_share(words, context.changed[at]), -at) for at in looked_at), default=(0.0, 0))
    if cited:
        is_changed = changed > kept or (changed == kept and cited[0] in changed_chunks)
        at = -chunk if changed > 0 else cited[0]
        return ClaimOrigin(origin=Origin.CHANGED, chunk=at) if is_changed else ClaimOrigin(origin=Origin.KEPT)
    if changed >= CLOSE and changed > kept:
        return ClaimOrigin(origin=Origin.CHANGED, chunk=-chunk)
    return ClaimOrigin(origin=Origin.KEPT if kept >= CLOSE else Origin.NOWHERE)


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
    """Return the words that identify a text's subject, cut to their stems."""
    return _words([text])


def is_still_told(old_claim: str, new_claim: str, context: ContextText, *, cited: Sequence[int]) -> bool:
    """Whether the text that supported a claim is still there although a chunk that it cited is not.

    This is decided by the words that the new wording dropped, or by all of the claim's words if it dropped none.

    Args:
        old_claim: the supported wording.
        new_claim: the wording that is not supported.
        context: the chunks of the answer with the supported wording.
        cited: the chunks that the supported wording is based on.
    """
    old, new = _words([old_claim]), _words([new_claim])
    words = old - new or old
    kept = _share(words, frozenset().union(*(context.kept[at] for at in cited)))
    return kept > 0 and kept >= _share(words, frozenset().union(*(context.changed[at] for at in cited)))


def _share(words: frozenset[str], text: frozenset[str]) -> float:
    return len(words & text) / len(words) if words else 0.0


def _sentences(text: str) -> list[str]:
    return [fold(sentence) for sentence in _SENTENCE_END.split(text) if sentence.strip()]


def _words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that identify the texts' subject: numbers, and words of at least three letters as stems."""
    return frozenset(
        word.removesuffix("s")[:_STEM]
        for text in texts
        for word in _WORD.findall(text.casefold())
        if word not in _STOP_WORDS and (len(word) > 2 or word.isdigit())
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """The known content of a version of the knowledge base: hashes of its chunks, and its chunks' ids.

    `contained` are hashes of retrieved chunks that are part of a longer text in it.
    """

    hashes: AbstractSet[str]
    ids: AbstractSet[str]
    contained: AbstractSet[str] = frozenset()

    def holds(self, chunk: ChunkFacts) -> bool:
        """Whether the chunk's text is in the knowledge base."""
        return chunk.chunk_hash in self.hashes or chunk.chunk_hash in self.contained


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTexts:
    """The texts of an answer's claims and chunks, "" where a text was not loaded."""

    claims: Sequence[str] = ()
    chunks: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """The facts about an answer from which causes are found.

    `supported` says for each claim whether it is supported, None for "not a claim". `cited` holds for each claim the
    indexes of the chunks that its verdict is based on, best first. `retrieved` are ids of the chunks that the retriever
    returned, including those below the cut, if the row has them. `knowledge` is None if the version is not known.
    `texts` are needed if both the answer and its chunks changed; without them only citations show what a claim is
    about. `hashes` are those of its chunks and `counted` is the number of claims that count; both follow from the rest.
    """

    supported: Sequence[bool | None]
    cited: Sequence[Sequence[int]]
    chunks: Sequence[ChunkFacts]
    retrieved: AbstractSet[str] = frozenset()
    knowledge: Knowledge | None = None
    texts: AnswerTexts = AnswerTexts()
    hashes: frozenset[str] = field(init=False)
    counted: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hashes", frozenset(chunk.chunk_hash for chunk in self.chunks))
        object.__setattr__(self, "counted", sum(supported is not None for supported in self.supported))


def find_terms(
    baseline: AnswerFacts, candidate: AnswerFacts, *, claims: Sequence[ClaimPair], chunks: Sequence[ChunkPair]
) -> tuple[Term, ...]:
    """Return what each claim adds to the difference of two judged answers, and why; terms with value 0 are left out.

    The values add up to the candidate's faithfulness minus the baseline's. Both must have a claim that counts.
    """
    older = _Side(facts=baseline, other=candidate, chunks=chunks, alone=Cause.EVIDENCE_REMOVED)
    turned = [_turned(chunk) for chunk in chunks]
    newer = _Side(facts=candidate, other=baseline, chunks=turned, alone=Cause.EVIDENCE_ADDED)
    terms = []
    for pair in claims:
        before = None if pair.baseline is None else baseline.supported[pair.baseline]
        after = None if pair.candidate is None else candidate.supported[pair.candidate]
        value = (before is False) / baseline.counted - (after is False) / candidate.counted
        if value == 0:
            continue
        terms.append(
            Term(
                baseline=None if pair.baseline is None else pair.baseline + 1,
                candidate=None if pair.candidate is None else pair.candidate + 1,
                value=value,
                cause=_cause(pair, before, after, older, newer),
                flipped=before is not None and after is not None and before != after,
            )
        )
    return tuple(terms)


@dataclass(frozen=True, kw_only=True)
class _Side:
    """One of two answers. `chunks` are matched as if it were the baseline.

    `alone` is the cause if the other side's knowledge base does not have the chunk.
    """

    facts: AnswerFacts
    other: AnswerFacts
    chunks: Sequence[ChunkPair]
    alone: Cause

    @cached_property
    def text(self) -> ContextText:
        return ContextText(chunks=_chunk_texts(self.facts), others=_chunk_texts(self.other))

    @cached_property
    def changed(self) -> list[int]:
        """The chunks whose text the other context does not have."""
        return [at for at, chunk in enumerate(self.facts.chunks) if chunk.chunk_hash not in self.other.hashes]

    @cached_property
    def _edited(self) -> frozenset[int | None]:
        return frozenset(pair.baseline for pair in self.chunks if pair.change is ChunkChange.EDITED)

    def claim_text(self, claim: int) -> str:
        texts = self.facts.texts.claims
        return texts[claim] if claim < len(texts) else ""

    def is_edited_in_context(self, chunk: int) -> bool:
        """Whether the other context has the chunk in another wording."""
        return chunk in self._edited

    def chunk_cause(self, chunk: int) -> Cause:
        """Return the cause for a chunk that is only in this side's context."""
        facts, known = self.facts.chunks[chunk], self.other.knowledge
        if self.is_edited_in_context(chunk):
            return Cause.EVIDENCE_EDITED
        if known is None or known.holds(facts):
            return Cause.CONTEXT_CHANGED
        return Cause.EVIDENCE_EDITED if facts.has_own_id and facts.chunk_id in known.ids else self.alone


def _cause(pair: ClaimPair, before: bool | None, after: bool | None, older: _Side, newer: _Side) -> Cause:
    if before is False and after is False:
        return Cause.ANSWER_LENGTH
    cause = None
    if before and after is False:
        cause = _lost_support(pair, older, newer)
    elif before is False and after:
        cause = _lost_support(_turned_claim(pair), newer, older)
    if cause is not None:
        return cause
    if pair.candidate is not None and after is False:
        return _changed_answer(pair.candidate, newer, older, newer=newer)
    return _changed_answer(pair.baseline or 0, older, newer, newer=newer)


def _lost_support(pair: ClaimPair, old: _Side, new: _Side) -> Cause | None:
    """Return why a claim supported in `old` is not in `new`; None if its evidence is unknown."""
    if pair.baseline is None or pair.candidate is None:
        return None
    is_same = pair.change is ClaimChange.SAME
    hashes = new.facts.hashes
    if is_same and old.facts.hashes == hashes:
        return Cause.JUDGE_NOISE
    evidence = old.facts.cited[pair.baseline]
    chunks = old.facts.chunks
    missing = [at for at in evidence if chunks[at].chunk_hash not in hashes]
    wordings = old.claim_text(pair.baseline), new.claim_text(pair.candidate)
    if missing and not is_same and is_still_told(*wordings, old.text, cited=evidence):
        return Cause.ANSWER_CHANGED
    if not missing and is_same:
        return Cause.DISTRACTION if hashes - old.facts.hashes else Cause.JUDGE_NOISE
    if not evidence:
        return None
    if not missing:
        ranks = {chunk.chunk_hash: chunk.rank for chunk in new.facts.chunks}
        has_fallen = all(ranks[chunks[at].chunk_hash] > chunks[at].rank for at in evidence)
        return Cause.RANKED_LOWER if has_fallen else Cause.ANSWER_CHANGED
    return _lost_chunk(missing, old, new)


def _lost_chunk(missing: Sequence[int], old: _Side, new: _Side) -> Cause:
    """Return why evidence of `old`, the chunks at `missing`, is not in the context of `new`."""
    if any(old.is_edited_in_context(at) for at in missing):
        return Cause.EVIDENCE_EDITED
    chunk = old.facts.chunks[missing[0]]
    if chunk.has_own_id and chunk.chunk_id in new.facts.retrieved:
        return Cause.RANKED_LOWER
    if new.facts.knowledge is None:
        return Cause.NO_LONGER_RETRIEVED
    if new.facts.knowledge.holds(chunk):
        return Cause.NOT_RETRIEVED
    return old.chunk_cause(missing[0])


def _changed_answer(claim: int, side: _Side, other: _Side, *, newer: _Side) -> Cause:
    """Return why an answer has an unsupported claim that the other answer does not have.

    A text that is in only one of the contexts explains the claim if the claim is about it: the claim garbles this text,
    or the text would have prevented it. If no chunk has anything of the claim, the context explains it if at least half
    of the context is new; a single new chunk among others does not.

    Args:
        claim: the claim's index on its side.
        side: the answer that has it.
        other: the other answer.
        newer: the candidate, one of the two.
    """
    text, cited = side.claim_text(claim), side.facts.cited[claim]
    own = find_origin(text, side.text, cited=cited, changed_chunks=side.changed)
    if own.chunk is not None:
        return side.chunk_cause(own.chunk)
    theirs = find_origin(text, other.text)
    if theirs.chunk is not None and not cited:
        return other.chunk_cause(theirs.chunk)
    if Origin.KEPT in (own.origin, theirs.origin):
        return Cause.ANSWER_CHANGED
    causes = [newer.chunk_cause(chunk) for chunk in newer.changed]
    new = [cause for cause in causes if cause is not Cause.EVIDENCE_EDITED]
    if not new or 2 * len(new) < len(newer.facts.chunks):
        return Cause.ANSWER_CHANGED
    return Cause.EVIDENCE_ADDED if Cause.EVIDENCE_ADDED in new else Cause.CONTEXT_CHANGED


def _chunk_texts(facts: AnswerFacts) -> Sequence[str]:
    return facts.texts.chunks or [""] * len(facts.chunks)


def _turned(pair: ChunkPair) -> ChunkPair:
    return ChunkPair(baseline=pair.candidate, candidate=pair.baseline, similarity=pair.similarity, change=pair.change)


def _turned_claim(pair: ClaimPair) -> ClaimPair:
    return ClaimPair(baseline=pair.candidate, candidate=pair.baseline, similarity=pair.similarity, change=pair.change)
