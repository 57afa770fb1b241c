"""How much of an answer and its chunks the rules look at, so that no text takes all day; the rest is named."""

from dataclasses import replace

from faithview.domain.sample import Chunk, Sample

# About forty pages, and a long book. Time grows with both, to a few seconds at most.
MOST_OF_ANSWER = 100_000
MOST_OF_CHUNKS = 1_500_000
# A cut is made at white space where there is some near it, so that no word is judged by its half.
_NEAR = 1_000


def within_reach(sample: Sample) -> tuple[Sample, tuple[str, ...]]:
    """Return the part of a sample that is looked at, and a sentence on each part that is not.

    Places in what is left are places in the whole: texts are cut at their ends only, and chunks keep their ids.
    """
    warnings: list[str] = []
    answer = _cut(sample.answer, MOST_OF_ANSWER)
    if len(answer) < len(sample.answer):
        warnings.append(
            f"The answer has {len(sample.answer):,} characters; it was not looked at beyond the first {len(answer):,}."
        )
    chunks = _first_chunks(sample.chunks)
    if chunks is not sample.chunks:
        total = sum(len(chunk.text) for chunk in sample.chunks)
        seen = sum(len(chunk.text) for chunk in chunks)
        warnings.append(f"The chunks have {total:,} characters; they were not looked at beyond the first {seen:,}.")
    if not warnings:
        return sample, ()
    return replace(sample, answer=answer, chunks=chunks), tuple(warnings)


def _first_chunks(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    if sum(len(chunk.text) for chunk in chunks) <= MOST_OF_CHUNKS:
        return chunks
    left = MOST_OF_CHUNKS
    kept = []
    for chunk in chunks:
        text = _cut(chunk.text, left)
        left -= len(text)
        kept.append(replace(chunk, text=text))
    return tuple(kept)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    end = next((at for at in range(most, max(0, most - _NEAR), -1) if text[at].isspace()), most)
    return text[:end]
