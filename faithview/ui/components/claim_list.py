"""The claims that a search found in all runs, as a list; each opens the answer that makes it."""

from collections.abc import Sequence
from typing import TypedDict

import streamlit as st

from faithview.domain.views import ClaimHit
from faithview.ui.components.component_files import read_component_files
from faithview.ui.components.verdict_styles import browser_styles
from faithview.wording.verdicts import claim_verdict_words

_mount = st.components.v2.component(
    "faithview.claim_list",
    css=read_component_files("claim_list.css"),
    js=read_component_files("drawing.js", "claim_list.js"),
)


class ClaimPart(TypedDict):
    """A stretch of a claim; `is_match` marks the searched words. The parts of a claim join to its text."""

    text: str
    is_match: bool


class HitPayload(TypedDict):
    """One claim as the list draws it; `id` is its public id, `words` is its verdict in words."""

    id: str
    verdict: str
    words: str
    parts: list[ClaimPart]
    explanation: str
    question: str | None
    run: str


def claim_list(hits: Sequence[ClaimHit], *, key: str, height: int | None = 600, searched: str = "") -> int | None:
    """Draw the claims in the order given; return the index of the one that was just opened.

    Args:
        hits: the claims.
        key: the component's key, unique on the page.
        height: in pixels; None to fit the claims.
        searched: the words searched for; a claim marks them, ignoring case.

    Returns:
        The index into `hits` in the one run of the script that follows a click or Enter on it, else None.
    """
    result = _mount(
        key=key,
        height="content" if height is None else height,
        data={"hits": build_hits(hits, searched), "height": height, "styles": browser_styles()},
        on_opened_change=_note_opening,
    )
    opened = result.get("opened")
    return next((at for at, hit in enumerate(hits) if hit.claim_id == opened), None)


def build_hits(hits: Sequence[ClaimHit], searched: str) -> list[HitPayload]:
    """Return what the list draws of each claim."""
    return [
        {
            "id": hit.claim_id,
            "verdict": str(hit.verdict),
            "words": claim_verdict_words(hit.verdict, hit.confidence),
            "parts": split_at_matches(hit.text, searched),
            "explanation": hit.explanation,
            "question": hit.question,
            "run": hit.run_name,
        }
        for hit in hits
    ]


def split_at_matches(text: str, searched: str) -> list[ClaimPart]:
    """Return the text cut at every match of the searched words, ignoring case.

    Case is folded as the search folds it, a character at a time because "ß" folds to two.
    """
    needle = searched.casefold()
    folded: list[str] = []
    origins: list[int] = []  # for each folded character, which one of the text it came from
    for at, character in enumerate(text):
        folded += (letters := character.casefold())
        origins += [at] * len(letters)
    haystack = "".join(folded)
    parts: list[ClaimPart] = []
    done = 0
    place = haystack.find(needle) if needle else -1
    while place >= 0:
        start, end = origins[place], origins[place + len(needle) - 1] + 1
        if start > done:
            parts.append({"text": text[done:start], "is_match": False})
        if end > done:
            parts.append({"text": text[max(start, done) : end], "is_match": True})
        done = max(done, end)
        place = haystack.find(needle, place + len(needle))
    if done < len(text) or not parts:
        parts.append({"text": text[done:], "is_match": False})
    return parts


def _note_opening() -> None:
    """Do nothing: Streamlit reports only what has a callback; the opening is read from the component's result."""
