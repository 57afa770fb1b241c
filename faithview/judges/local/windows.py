"""Long chunks are read in windows that overlap, so that nothing of a chunk is left out.

A window ends where a sentence or a line ends. Only a sentence longer than a window is cut inside.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from faithview.judges.text.sentences import Range, split_sentences_quickly, trim

# Where each token of a text stands in it.
Offsets = Callable[[str], Sequence[Range]]

_LINE = re.compile(r"[^\n]*\S[^\n]*")

# The share of a window that is read again in the next: a statement and the sentence it refers to stay together.
_OVERLAP = 0.25


def sentences(text: str, start: int, end: int) -> list[Range]:
    """Return the sentences of a part of a chunk; the end of a line ends a sentence too."""
    return [piece for line in _LINE.finditer(text, start, end) for piece in split_sentences_quickly(text, *line.span())]


def windows(text: str, offsets: Offsets, *, most: int) -> list[Range]:
    """Return windows of at most about `most` tokens that cover the text; none where it holds only white space.

    A text that fits is one window. `most` is kept but for the tokens between sentences, so who has a hard limit checks
    what came out and calls `halves`.
    """
    start, end = trim(text, 0, len(text))
    if start == end:
        return []
    if len(offsets(text[start:end])) <= most:
        return [(start, end)]
    pieces = [piece for unit in sentences(text, start, end) for piece in _pieces(text, unit, offsets, most)]
    found: list[Range] = []
    first = 0
    while True:
        last = _fill(pieces, first, most)
        found.append((pieces[first][0][0], pieces[last - 1][0][1]))
        if last == len(pieces):
            return found
        first = _step_back(pieces, first, last, most)


def halves(text: str, window: Range) -> tuple[Range, Range] | None:
    """Return two windows that overlap and cover one that is too long; None where it is too short to be cut."""
    start, end = window
    overlap = (end - start) // 8
    middle = (start + end) // 2
    if overlap == 0:
        return None
    return trim(text, start, middle + overlap), trim(text, middle - overlap, end)


def _pieces(text: str, unit: Range, offsets: Offsets, most: int) -> list[tuple[Range, int]]:
    """Return a sentence with the number of its tokens, cut where it alone is longer than a window."""
    start, end = unit
    tokens = offsets(text[start:end])
    if len(tokens) <= most:
        return [(unit, len(tokens))]
    step = max(1, most // 4)
    cuts = [start + tokens[at][0] for at in range(step, len(tokens), step)]
    edges = [start, *(cut for cut in dict.fromkeys(cuts) if start < cut < end), end]
    trimmed = [trim(text, a, b) for a, b in pairwise(edges)]
    return [((a, b), step) for a, b in trimmed if a < b]


def _fill(pieces: Sequence[tuple[Range, int]], first: int, most: int) -> int:
    """Return the number after the last piece that fits into a window that begins with `first`."""
    size, last = pieces[first][1], first + 1
    while last < len(pieces) and size + pieces[last][1] <= most:
        size += pieces[last][1]
        last += 1
    return last


def _step_back(pieces: Sequence[tuple[Range, int]], first: int, last: int, most: int) -> int:
    """Return the first piece of the next window: as many of the last ones as fit into the overlap."""
    size, at = 0, last
    while at - 1 > first and size + pieces[at - 1][1] <= most * _OVERLAP:
        at -= 1
        size += pieces[at][1]
    return at
