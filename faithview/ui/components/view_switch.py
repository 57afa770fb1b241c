"""Whose verdicts the figures of a page show: the judge's, or those that people settled on."""

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st

from faithview.services.views import View

# What stands beside every figure.
VIEW_WORDS: Mapping[View, str] = MappingProxyType(
    {View.JUDGE: "by the judge", View.REVIEWED: "reviewed", View.CORRECTED: "corrected"}
)
_OFFERED = (View.JUDGE, View.REVIEWED)


def view_switch() -> View:
    """Draw the switch, kept in the address as `view`, and return what it stands at."""
    chosen = st.segmented_control(
        "Verdicts",
        [view.value for view in _OFFERED],
        default=View.JUDGE.value,
        required=True,
        key="view",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
        help=_HELP,
    )
    return View(chosen or View.JUDGE)


_HELP = (
    "Judge: the verdicts as the judge gave them. Reviewed: a person's verdict in place of the judge's wherever there "
    "is one; where reviewers are tied, the judge's until somebody settles it."
)
