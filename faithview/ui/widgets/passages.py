"""Two passages of documents side by side: before and after an update, or two that say different things."""

import hashlib
import json
from collections.abc import Sequence
from typing import TypedDict

import streamlit as st

from faithview.domain.spans import Span
from faithview.ui.frontend.component_files import read_script, read_styles
from faithview.wording.word_diff import Change, diff_words, is_rewritten

_mount = st.components.v2.component(
    "faithview.passage_pair",
    css=read_styles("reading", "passages"),
    js=read_script("passage_pair"),
)


class PiecePayload(TypedDict):
    """A run of words; `kind` is "same", "removed", "added" or "boxed"."""

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


def build_boxed(title: str, *, name: str, note: str, text: str, words: Span) -> PassagePayload:
    """Return a passage with these words in a box."""
    cut = (("same", text[: words.start]), ("boxed", words.of(text)), ("same", text[words.end :]))
    parts: list[PiecePayload] = [{"kind": kind, "text": piece} for kind, piece in cut if piece]
    return {"title": title, "name": name, "note": note, "parts": parts}


def mark_changes(before: PassagePayload, after: PassagePayload) -> PassagesPayload:
    """Return two versions of a passage with the changed words marked; in a rewritten one none is."""
    old, new = (_text_of(side) for side in (before, after))
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


def _text_of(side: PassagePayload) -> str:
    return "".join(part["text"] for part in side["parts"])


def show_passages(sides: Sequence[PassagePayload], *, key: str) -> None:
    """Draw passages beside each other, below each other where there is no room; `key` is unique on the page."""
    digest = hashlib.blake2b(json.dumps(sides).encode(), digest_size=12).hexdigest()
    _mount(key=key, height="content", data={"subject": digest, "sides": list(sides)})
