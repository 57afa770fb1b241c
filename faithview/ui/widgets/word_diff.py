"""Two versions of a text in one, word by word: removed words struck out, added words underlined."""

import hashlib
from typing import TypedDict

import streamlit as st

from faithview.ui.frontend.component_files import read_script, read_styles
from faithview.wording import numbers as fmt
from faithview.wording.word_diff import Change, Piece, diff_words

_mount = st.components.v2.component(
    "faithview.word_diff",
    css=read_styles("reading", "word_diff"),
    js=read_script("word_diff"),
)


class PiecePayload(TypedDict):
    """A run of words; `kind` is "same", "removed" or "added"."""

    kind: str
    text: str


class DiffPayload(TypedDict):
    """The two texts as one; `words` says how much changed."""

    parts: list[PiecePayload]
    words: str


def show_word_diff(old: str, new: str, *, key: str, title: str = "") -> None:
    """Draw the changes from `old` to `new`; long unchanged stretches are folded.

    Args:
        old: the text as it was.
        new: the text as it is. Of texts beyond a hundred thousand characters only their common beginning and end are
            compared.
        key: the component's key, unique on the page.
        title: whose text it is, for example a chunk's id; shown beside how much has changed.
    """
    digest = hashlib.blake2b(f"{title} {len(old)} {old}{new}".encode(), digest_size=12).hexdigest()
    _mount(key=key, height="content", data={"subject": digest, "title": title, **build_diff(old, new)})


def build_diff(old: str, new: str) -> DiffPayload:
    """Return what the view draws of two texts."""
    pieces = diff_words(old, new)
    return {"parts": [{"kind": piece.kind.value, "text": piece.text} for piece in pieces], "words": count_words(pieces)}


def count_words(pieces: tuple[Piece, ...]) -> str:
    """Write how many words were removed and added."""
    counts = {kind: sum(len(p.text.split()) for p in pieces if p.kind is kind) for kind in Change}
    removed, added = counts[Change.REMOVED], counts[Change.ADDED]
    if not removed and not added:
        return "The words are the same."
    return f"{fmt.plural(removed, 'word')} removed, {fmt.count(added)} added"
