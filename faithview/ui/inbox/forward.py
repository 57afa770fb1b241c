"""Leads from an old address of the inbox to the inbox, without a step in the browser's history."""

from pathlib import Path

import streamlit as st

from faithview.domain.inbox import Facet, InboxFilter, make_filter
from faithview.ui.components.component_files import read_component_files
from faithview.ui.inbox import address
from faithview.wording.verdicts import VERDICTS

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "faithview.forward", js=read_component_files("drawing.js", "forward.js", folder=_FOLDER)
)
_WORDS = {style.word: verdict.value for verdict, style in VERDICTS.items()}


def forward() -> None:
    """Open the inbox with what the address asks for: `find` are words, `claim_verdict` is a verdict in words."""
    verdict = _WORDS.get(st.query_params.get("claim_verdict", ""))
    filters: InboxFilter = make_filter(
        st.query_params.get("find", ""), {} if verdict is None else {Facet.VERDICT: [verdict]}
    )
    href = address.href(filters)
    st.markdown(f"The search is part of the inbox now: [open the inbox]({href}).")
    _mount(key="search.forward", height=1, data={"href": href})
