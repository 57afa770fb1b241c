"""What changed between two texts, word by word: two versions of a chunk, or two answers to one question."""

import re
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Indel

# A word with the whitespace after it, so joining the pieces of one side gives its text.
_TOKEN = re.compile(r"\w+(?:['’.,:/-]\w+)*\s*|[^\w\s]\s*|\s+")

# Comparing words takes memory by the square of their number: about 50 MB for two texts of this many characters.
_COMPARED = 100_000
_REWRITTEN = 0.4


class Change(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive words that stayed, were removed or were added, with the whitespace after them."""

    kind: Change
    text: str


def diff_words(old: str, new: str) -> tuple[Piece, ...]:
    """Return the shortest edit of words that makes `new` of `old`; where words were replaced, the old ones come first.

    The pieces that are not `removed`, joined, are exactly `new`; those that are not `added` are `old` except for the
    whitespace after unchanged words. Words are compared with their case and without whitespace. In texts of more than
    100,000 characters only the common beginning and the common end are marked as unchanged.
    """
    if max(len(old), len(new)) > _COMPARED:
        return _diff_ends(old, new)
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    pieces: list[Piece] = []
    removed, added = "", ""
    for step in Indel.opcodes([_bare(token) for token in before], [_bare(token) for token in after]):
        if step.tag != "equal":
            removed += "".join(before[step.src_start : step.src_end])
            added += "".join(after[step.dest_start : step.dest_end])
            continue
        pieces += _replaced(removed, added)
        pieces.append(Piece(Change.SAME, "".join(after[step.dest_start : step.dest_end])))
        removed, added = "", ""
    return (*pieces, *_replaced(removed, added))


def is_rewritten(old: str, new: str) -> bool:
    """Return whether more than 40% of the words differ: such texts are easier to read side by side."""
    pieces = diff_words(old, new)
    # An unchanged word is in both texts.
    weights = {Change.SAME: 2, Change.REMOVED: 1, Change.ADDED: 1}
    total = sum(weights[piece.kind] * len(piece.text.split()) for piece in pieces)
    changed = sum(len(piece.text.split()) for piece in pieces if piece.kind is not Change.SAME)
    return changed > _REWRITTEN * total


def _bare(token: str) -> str:
    """Return the word without the whitespace after it; whitespace alone becomes one space.

    Never "": rapidfuzz compares by numbers, and that of "" is that of a NUL character.
    """
    return token.strip() or " "


def _common_ends(old: str, new: str) -> tuple[int, int]:
    """Return how many characters the texts have in common at their beginning, and after it at their end."""
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    room = shorter - start
    return start, next((at for at in range(room) if old[-1 - at] != new[-1 - at]), room)


def _diff_ends(old: str, new: str) -> tuple[Piece, ...]:
    start, end = _common_ends(old, new)
    pieces = (
        Piece(Change.SAME, old[:start]),
        Piece(Change.REMOVED, old[start : len(old) - end]),
        Piece(Change.ADDED, new[start : len(new) - end]),
        Piece(Change.SAME, old[len(old) - end :]),
    )
    return tuple(piece for piece in pieces if piece.text)


def _replaced(removed: str, added: str) -> list[Piece]:
    return [piece for piece in (Piece(Change.REMOVED, removed), Piece(Change.ADDED, added)) if piece.text]
