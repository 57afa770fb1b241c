"""Two versions of a text in one, word by word, as HTML."""

from html import escape

import streamlit as st

from faithview.domain.hidden_characters import make_visible
from faithview.wording.word_diff import Change, diff_words

_TAGS = {Change.REMOVED: "del", Change.ADDED: "ins"}


def diff_html(old: str, new: str) -> str:
    """Return `new` with the words that `old` lacks in `<ins>`, and those that are gone in `<del>` at their place.

    The texts are escaped, and their hidden characters made visible. Of texts beyond a hundred thousand characters only
    the common beginning and end count as unchanged.
    """
    parts = []
    for piece in diff_words(old, new):
        text = escape(make_visible(piece.text))
        tag = _TAGS.get(piece.kind)
        parts.append(f"<{tag}>{text}</{tag}>" if tag else text)
    return "".join(parts)


def draw_text(html: str) -> None:
    """Draw a text in which nothing but `<del>`, `<ins>` and `<mark>` is HTML, as long texts are set on every page."""
    st.html(f'<div class="fv-text">{html}</div>')
