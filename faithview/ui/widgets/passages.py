"""Two passages of documents side by side: before and after an update."""

from typing import TypedDict

from faithview.wording.word_diff import Change, diff_words, is_rewritten


class PiecePayload(TypedDict):
    """A run of words; `kind` is "same", "removed" or "added"."""

    kind: str
    text: str


class PassagePayload(TypedDict):
    """A passage: what it is here, its chunk's name, its document, and its words; without words there is no passage."""

    title: str
    name: str
    note: str
    parts: list[PiecePayload]


class PassagesPayload(TypedDict):
    """The passages from left to right."""

    sides: list[PassagePayload]


def build_passage(title: str, *, name: str = "", note: str = "", text: str = "") -> PassagePayload:
    """Return a passage in which nothing is marked."""
    return {"title": title, "name": name, "note": note, "parts": [{"kind": "same", "text": text}] if text else []}


def mark_changes(before: PassagePayload, after: PassagePayload) -> PassagesPayload:
    """Return two versions of a passage with the changed words marked; in a rewritten one none is."""
    old, new = ("".join(part["text"] for part in side["parts"]) for side in (before, after))
    if not old or not new or is_rewritten(old, new):
        return {"sides": [before, after]}
    pieces = diff_words(old, new)
    sides: list[PassagePayload] = []
    for side, other in ((before, Change.ADDED), (after, Change.REMOVED)):
        parts: list[PiecePayload] = [
            {"kind": piece.kind.value, "text": piece.text} for piece in pieces if piece.kind is not other
        ]
        sides.append({**side, "parts": parts})
    return {"sides": sides}
