"""Parts of a chunk that a model reads at a time: they overlap, and end where sentences end."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from faithview.judges.text.sentences import Range, split_sentences_quickly, trim

# A quarter of a window may be read again in the next: a statement and the sentence it refers to stay together.
_PARTS = 4

_LINE = re.compile(r"[^\n]*\S[^\n]*")


def windows(text: str, tokens: Sequence[Range], most: int) -> list[Range]:
    """Return parts of at most `most` tokens that cover the text; none if it is only whitespace.

    A text that fits is one part. `tokens` are the places of the text's tokens.
    """
    whole = trim(text, 0, len(text))
    if whole[0] == whole[1]:
        return []
    ends = [end for _, end in tokens]
    # The numbers of the tokens with which sentences begin.
    begins = [bisect_right(ends, start) for start, _ in sentences(text, *whole)]
    found: list[Range] = []
    first = 0
    while first + most < len(tokens):
        last = max((begin for begin in begins if first < begin <= first + most), default=first + most)
        found.append(trim(text, tokens[first][0], tokens[last - 1][1]))
        overlap = max(first + 1, last - most // _PARTS)
        first = min((begin for begin in begins if overlap <= begin <= last), default=overlap)
    if not found:
        return [whole]
    return [*found, trim(text, tokens[first][0], whole[1])]


def sentences(text: str, start: int, end: int) -> list[Range]:
    """Return the sentences of a part of a text; the end of a line ends a sentence too."""
    return [piece for line in _LINE.finditer(text, start, end) for piece in split_sentences_quickly(text, *line.span())]
