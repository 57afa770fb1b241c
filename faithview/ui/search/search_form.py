"""The search form: words and a verdict, which the address remembers."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from faithview.domain.views import ClaimPage
from faithview.services.results.answers import search_claims
from faithview.ui.shell import app, session
from faithview.wording.verdicts import VERDICTS

PAGE_SIZE = 25
PAGE_KEY = "search.page"
# By the name of the address parameter, the key of the field.
FIELD_KEYS = {"find": "search.find", "claim_verdict": "search.verdict"}
_VERDICTS = {style.word: verdict for verdict, style in VERDICTS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The words that were searched for, and one page of the claims that contain them."""

    words: str
    page: ClaimPage


def search_form() -> SearchResult:
    """Draw the form and return the claims that match, one page of them."""
    _follow_address()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Claims containing",
            key=FIELD_KEYS["find"],
            type="search",
            placeholder="part of a claim, in any case",
            on_change=_to_first_page,
        )
        word = st.selectbox(
            "Verdict",
            list(_VERDICTS),
            index=None,
            key=FIELD_KEYS["claim_verdict"],
            placeholder="All verdicts",
            width=200,
            on_change=_to_first_page,
        )
    _write_address({"find": text.strip(), "claim_verdict": word or ""})
    words = text.strip()
    offset = (session.widget_page(PAGE_KEY) - 1) * PAGE_SIZE
    page = search_claims(app.services(), words, verdict=_VERDICTS.get(word or ""), offset=offset, limit=PAGE_SIZE)
    return SearchResult(words=words, page=page)


def _follow_address() -> None:
    """Copy the address into the fields if a link or the back button has changed it.

    Streamlit's own binding would lose the search on the way back from a claim: `st.switch_page` first writes its
    parameters to the page that is left, and refuses bound ones (seen with 1.67.0).
    """
    asked = {name: st.query_params.get(name, "") for name in FIELD_KEYS}
    if asked == session.SEARCH_ADDRESS.get() and session.widget_value(FIELD_KEYS["find"]) is not None:
        return
    session.set_widget(FIELD_KEYS["find"], asked["find"])
    verdict = asked["claim_verdict"] if asked["claim_verdict"] in _VERDICTS else None
    session.set_widget(FIELD_KEYS["claim_verdict"], verdict)
    session.SEARCH_ADDRESS.set(asked)
    _to_first_page()


def _write_address(asked: Mapping[str, str]) -> None:
    for name, value in asked.items():
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value and name in st.query_params:
            del st.query_params[name]
    session.SEARCH_ADDRESS.set(dict(asked))


def _to_first_page() -> None:
    session.set_widget(PAGE_KEY, 1)
