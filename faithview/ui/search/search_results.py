"""The results of a search: claims of all runs, the newest run first."""

import streamlit as st

from faithview.ui.components.claim_list import claim_list
from faithview.ui.search.search_form import FIELD_KEYS, PAGE_KEY, PAGE_SIZE, SearchResult
from faithview.ui.shell import address, nav
from faithview.wording import numbers as fmt


def search_results(result: SearchResult) -> None:
    """Draw the claims with their total; a click on one opens it beside its chunks."""
    page = result.page
    if not page.total:
        st.markdown("No claim matches. Try fewer words, or all verdicts.")
        return
    first = page.offset + 1
    last = page.offset + len(page.hits)
    st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.plural(page.total, 'claim')}, newest run first")
    opened = claim_list(page.hits, key="search.hits", searched=result.words)
    if page.total > PAGE_SIZE:
        st.pagination(-(-page.total // PAGE_SIZE), key=PAGE_KEY)
    if opened is not None:
        hit = page.hits[opened]
        search = {name: st.query_params[name] for name in FIELD_KEYS if name in st.query_params}
        st.switch_page(nav.INSPECT, query_params=search | address.link(hit.run_id, hit.key, hit.claim_number))
