"""Parts of the search page: claims of all runs."""

import pandas as pd
import streamlit as st

from faithview.domain.claim import Verdict
from faithview.services.views import ClaimHit, ClaimPage
from faithview.ui import format as fmt
from faithview.ui import nav, shell, state
from faithview.ui.components.verdicts import VERDICTS

_PAGE_SIZE = 25
_PAGE_KEY = "search.page"


def ask() -> ClaimPage:
    """Draw the search, kept in the address, and return the page of claims in view."""
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
    return shell.services().search_claims(
        text.strip(), verdict=verdict, offset=(number - 1) * _PAGE_SIZE, limit=_PAGE_SIZE
    )


def hits(page: ClaimPage) -> None:
    """Draw the claims found; a click on one opens it beside its chunks."""
    if not page.total:
        st.markdown("No claim matches. Look for fewer words, or choose all verdicts.")
        return
    first = page.offset + 1
    last = page.offset + len(page.hits)
    st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.plural(page.total, 'claim')}, newest run first")
    event = st.dataframe(
        pd.DataFrame([_row(hit) for hit in page.hits]),
        key=f"search.hits.{page.offset}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        row_height=52,
        height="content",
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=340),
            "verdict": st.column_config.TextColumn("Verdict", width=150),
            "why": st.column_config.TextColumn("Why", width=220),
            "question": st.column_config.TextColumn("Question", width=200),
            "run": st.column_config.TextColumn("Run", width=150),
        },
        alt="Claims that match the search, with verdict, reason, question and run.",
    )
    if page.total > _PAGE_SIZE:
        st.pagination(-(-page.total // _PAGE_SIZE), key=_PAGE_KEY)
    if event.selection.rows:
        hit = page.hits[event.selection.rows[0]]
        st.switch_page(nav.INSPECT, query_params=state.link(hit.run_id, hit.key, hit.claim_number))


def _to_first_page() -> None:
    st.session_state[_PAGE_KEY] = 1


def _row(hit: ClaimHit) -> dict[str, str | None]:
    style = VERDICTS[hit.verdict]
    return {
        "claim": hit.text,
        "verdict": f"{style.glyph} {style.word}",
        "why": hit.explanation,
        "question": hit.question,
        "run": hit.run_name,
    }
