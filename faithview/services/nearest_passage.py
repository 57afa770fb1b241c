"""The passage of the chunks that is nearest to a claim that no chunk mentions: where a person looks first.

It is not evidence. It is the one that the judge names, or else the sentence that shares most words with the claim; rare
words count more.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Chunk
from faithview.domain.spans import Span
from faithview.judges.text.lexicon import FUNCTION_WORDS
from faithview.judges.text.sentences import split_sentences_quickly
from faithview.stats.search_words import stems_of

_MOST_CHARACTERS = 100_000  # of the chunks together: more takes longer than a person should wait for


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Words of a chunk; the chunk's name, and the place in its text."""

    chunk_id: str
    span: Span


def find_nearest_passages(claims: Sequence[Claim], chunks: Sequence[Chunk]) -> Mapping[int, Passage]:
    """Return the nearest passages by the numbers, from 1, of claims that are not mentioned and rest on no chunk.

    The first passage that the judge quotes is the nearest. Without one it is a sentence: words such as "the" do not
    count, a claim that shares no word with any sentence has no passage, and of equally near sentences the first counts.
    """
    found: dict[int, Passage] = {}
    wanted: dict[int, frozenset[str]] = {}
    for number, claim in enumerate(claims, start=1):
        if claim.verdict is not Verdict.NOT_MENTIONED or claim.supporting_chunk_ids:
            continue
        quoted = next((item for item in claim.evidence if item.span is not None), None)
        if quoted is not None and quoted.span is not None:
            found[number] = Passage(chunk_id=quoted.chunk_id, span=quoted.span)
        else:
            wanted[number] = _words_of(claim.text)
    if not wanted or sum(len(chunk.text) for chunk in chunks) > _MOST_CHARACTERS:
        return found
    sentences = [
        (chunk.chunk_id, start, end, _words_of(chunk.text[start:end]))
        for chunk in chunks
        for start, end in split_sentences_quickly(chunk.text, 0, len(chunk.text))
    ]
    spread = Counter(stem for *_, stems in sentences for stem in stems)
    rarity = {stem: math.log(1 + len(sentences) / count) for stem, count in spread.items()}
    for number, stems in wanted.items():
        near = [math.fsum(rarity[stem] for stem in stems & of) for *_, of in sentences]
        nearest = max(near, default=0.0)
        if nearest > 0:
            chunk_id, start, end, _ = sentences[near.index(nearest)]
            found[number] = Passage(chunk_id=chunk_id, span=Span(start=start, end=end))
    return found


def _words_of(text: str) -> frozenset[str]:
    return frozenset(stems_of(text)) - FUNCTION_WORDS
