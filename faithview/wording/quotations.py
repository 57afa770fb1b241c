"""Whose words a correction is: quoted from a chunk, or the judge's own."""

from collections.abc import Iterable

from faithview.domain.quotations import stands_in
from faithview.domain.sample import Chunk


def correction_lead(correction: str, chunks: Iterable[Chunk]) -> str:
    """Return what stands before a correction: the chunk that says it word for word, or that the judge wrote it.

    A judge may put a correction together from the claim and a chunk; nobody wrote that sentence.
    """
    source = next((chunk.chunk_id for chunk in chunks if stands_in(correction, chunk.text)), None)
    return "Corrected by the judge: " if source is None else f"Chunk {source} says: "
