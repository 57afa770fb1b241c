"""Parts of the search page: claims of all runs."""

from collections.abc import Mapping

import streamlit as st

from faithview.domain.views import ClaimPage
from faithview.services.results.answers import search_claims
from faithview.ui.components.claim_list import claim_list
from faithview.ui.shell import address, app, nav, session
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICTS

_PAGE_SIZE = 25
_PAGE_KEY = "search.page"
# By name in the address, the keys of the fields; and what the address said last.
_KEYS = {"find": "search.find", "claim_verdict": "search.verdict"}
_VERDICTS = {style.word: verdict for verdict, style in VERDICTS.items()}


def ask() -> tuple[str, ClaimPage]:
    """Draw the search, kept in the address; return what is looked for and the page of claims in view."""
    _follow_address()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Claims that hold",
            key=_KEYS["find"],
            type="search",
            placeholder="words of a claim, whatever the case",
            on_change=_to_first_page,
        )
        word = st.selectbox(
            "Verdict",
            list(_VERDICTS),
            index=None,
            key=_KEYS["claim_verdict"],
            placeholder="All verdicts",
            width=200,
            on_change=_to_first_page,
        )
    _tell_address({"find": text.strip(), "claim_verdict": word or ""})
    number = session.widget_page(_PAGE_KEY)
    searched = text.strip()
    return searched, search_claims(
        app.services(), searched, verdict=_VERDICTS.get(word or ""), offset=(number - 1) * _PAGE_SIZE, limit=_PAGE_SIZE
    )


def hits(searched: str, page: ClaimPage) -> None:
    """Draw the claims found; one that is clicked opens beside its chunks."""
    if not page.total:
        st.markdown("No claim matches. Look for fewer words, or choose all verdicts.")
        return
    first = page.offset + 1
    last = page.offset + len(page.hits)
    st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.plural(page.total, 'claim')}, newest run first")
    opened = claim_list(page.hits, key="search.hits", searched=searched)
    if page.total > _PAGE_SIZE:
        st.pagination(-(-page.total // _PAGE_SIZE), key=_PAGE_KEY)
    if opened is not None:
        hit = page.hits[opened]
        asked = {name: st.query_params[name] for name in _KEYS if name in st.query_params}
        st.switch_page(nav.INSPECT, query_params=asked | address.link(hit.run_id, hit.key, hit.claim_number))


def _follow_address() -> None:
    """Put into the fields what the address asks for, if it has changed by other means than the fields.

    Streamlit's own binding cannot be used here: `st.switch_page` puts its parameters first on the page that is left
    (seen with 1.67.0), and takes none that are bound, so that going back from a claim would lose the search.
    """
    asked = {name: st.query_params.get(name, "") for name in _KEYS}
    if asked == session.SEARCH_ADDRESS.get() and session.widget_value(_KEYS["find"]) is not None:
        return
    session.set_widget(_KEYS["find"], asked["find"])
    verdict = asked["claim_verdict"] if asked["claim_verdict"] in _VERDICTS else None
    session.set_widget(_KEYS["claim_verdict"], verdict)
    session.SEARCH_ADDRESS.set(asked)
    _to_first_page()


def _tell_address(asked: Mapping[str, str]) -> None:
    for name, value in asked.items():
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value and name in st.query_params:
            del st.query_params[name]
    session.SEARCH_ADDRESS.set(dict(asked))


def _to_first_page() -> None:
    session.set_widget(_PAGE_KEY, 1)
