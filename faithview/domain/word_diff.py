"""What changed between two texts, word by word: two versions of a chunk, or two answers to one question."""

import re
from dataclasses import dataclass
from enum import StrEnum

# A word with the white space after it, so that the pieces of one side joined are that text again.
_TOKEN = re.compile(r"\w+(?:['’.,:/-]\w+)*\s*|[^\w\s]\s*|\s+")


class Change(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words that stayed, went or came, with the white space after it."""

    kind: Change
    text: str


def diff_words(old: str, new: str) -> tuple[Piece, ...]:
    """Return the shortest edit of words that makes `new` of `old`; where words were replaced, the old ones come first.

    The pieces that are not `removed`, joined, are exactly `new`; those that are not `added` are `old` but for the white
    space after unchanged words. Words are compared without regard to white space, and with regard to case.
    """
    from rapidfuzz.distance import Indel  # here, so that `import faithview` stays quick

    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    pieces: list[Piece] = []
    removed, added = "", ""
    for step in Indel.opcodes([token.strip() for token in before], [token.strip() for token in after]):
        if step.tag != "equal":
            removed += "".join(before[step.src_start : step.src_end])
            added += "".join(after[step.dest_start : step.dest_end])
            continue
        pieces += _replaced(removed, added)
        pieces.append(Piece(Change.SAME, "".join(after[step.dest_start : step.dest_end])))
        removed, added = "", ""
    return (*pieces, *_replaced(removed, added))


def _replaced(removed: str, added: str) -> list[Piece]:
    return [piece for piece in (Piece(Change.REMOVED, removed), Piece(Change.ADDED, added)) if piece.text]
