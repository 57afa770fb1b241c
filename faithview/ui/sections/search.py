"""Parts of the search page: claims of all runs."""

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.services.views import ClaimPage
from faithview.ui import format as fmt
from faithview.ui import nav, shell, state
from faithview.ui.components.claim_list import claim_list
from faithview.ui.components.verdicts import VERDICTS

_PAGE_SIZE = 25
_PAGE_KEY = "search.page"


def ask() -> tuple[str, ClaimPage]:
    """Draw the search, kept in the address; return what is looked for and the page of claims in view."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Claims that hold",
            key="find",
            bind="query-params",
            type="search",
            placeholder="words of a claim, whatever the case",
            on_change=_to_first_page,
        )
        verdict = st.selectbox(
            "Verdict",
            list(Verdict),
            index=None,
            format_func=lambda v: VERDICTS[v].word,
            key="claim_verdict",
            bind="query-params",
            placeholder="All verdicts",
            width=200,
            on_change=_to_first_page,
        )
    number = int(st.session_state.get(_PAGE_KEY, 1))
    searched = text.strip()
    return searched, shell.services().search_claims(
        searched, verdict=verdict, offset=(number - 1) * _PAGE_SIZE, limit=_PAGE_SIZE
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
        st.switch_page(nav.INSPECT, query_params=state.link(hit.run_id, hit.key, hit.claim_number))


def _to_first_page() -> None:
    st.session_state[_PAGE_KEY] = 1
