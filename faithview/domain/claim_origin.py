"""Which text a claim is about: text that both of two contexts have, or text that only one of them has.

A claim and a text are as close as the share of the claim's words that the text has. Only sentences count that differ:
an edited chunk explains a claim if the claim is about the sentences that were edited.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from faithview.domain.content_hashes import fold

# A claim of which a text has a smaller share of words is about something else.
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
    """Where the text is that a claim is about.

    `kept`: in both contexts. `changed`: in one of them only. `nowhere`: no chunk has it.
    """

    KEPT = "kept"
    CHANGED = "changed"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOrigin:
    """What a claim is about; `chunk` is the index of the chunk with the changed text, None for the other origins."""

    origin: Origin
    chunk: int | None = None


@dataclass(frozen=True, kw_only=True)
class ContextText:
    """The chunks of a context, beside those of the context that it is compared with."""

    chunks: Sequence[str]
    others: Sequence[str]

    @cached_property
    def kept(self) -> list[frozenset[str]]:
        """For each chunk the words of its sentences that the other context has too."""
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
    """Return what a claim that is not supported is about.

    Args:
        claim: its text.
        context: the chunks of its answer, or of the answer that it is compared with.
        cited: the chunks that its verdict rests on, the best first; where there are some, the claim is about these.
        changed_chunks: the chunks that the other context does not have as they are.
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
    """Return which chunk a claim that cites none is about, as an index: the one with most of its words.

    None where no chunk has a share of them as large as `CLOSE`.

    Args:
        claim: its text.
        chunks: the `subject_words` of the chunks of its answer.
    """
    words = subject_words(claim)
    share, at = max(((_share(words, chunk), -at) for at, chunk in enumerate(chunks)), default=(0.0, 0))
    return -at if share >= CLOSE else None


def subject_words(text: str) -> frozenset[str]:
    """Return the words that tell what a text is about, cut to their stems."""
    return _words([text])


def is_still_told(old_claim: str, new_claim: str, context: ContextText, *, cited: Sequence[int]) -> bool:
    """Whether the text that a claim rested on is still there although a chunk that it cited is not.

    The words that the new wording dropped decide, all of the claim's words where it dropped none.

    Args:
        old_claim: the supported wording.
        new_claim: the wording that is not supported.
        context: the chunks of the answer with the supported wording.
        cited: the chunks that the supported wording rests on.
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
    """Return what tells a text's subject: numbers, and words of three letters and more, cut to their first letters."""
    return frozenset(
        word.removesuffix("s")[:_STEM]
        for text in texts
        for word in _WORD.findall(text.casefold())
        if word not in _STOP_WORDS and (len(word) > 2 or word.isdigit())
    )
