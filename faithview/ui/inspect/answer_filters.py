"""The filters and the order of a run's answers, kept in the address."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.views import AnswerFilter, Order
from faithview.services.results.answers import list_segments
from faithview.ui.shell import address, app
from faithview.wording.verdicts import STATE_WORDS, VERDICTS

_T = TypeVar("_T")

SEARCH_LABEL = "Search the answers"
# The filters' keys are their names in the address.
CLEARED: dict[str, object] = {"state": None, "verdict": None, "type": None, "segment": None, "q": ""}
_ORDER_WORDS = {
    Order.HARM: "Most harm first",
    Order.UNSURE: "Judge least sure",
    Order.WRONG: "Most claims wrong",
    Order.WORST: "Lowest score",
    Order.BEST: "Highest score",
    Order.FILE: "File order",
}


def choose_filters(run: Run) -> tuple[AnswerFilter, Order]:
    """Draw the filters and the order; return what is chosen."""
    segments = list_segments(app.services(), run.run_id)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        chosen_state = _choice("State", "state", {s: STATE_WORDS[s] for s in State})
        verdict = _choice("Verdict", "verdict", {v: VERDICTS[v].word for v in Verdict})
        kind = _choice("Hallucination", "type", {h: h.value for h in HallucinationType})
        segment = _choice("Segment", "segment", {s: s for s in segments}, width=180)
        search = st.text_input(
            SEARCH_LABEL,
            key="q",
            bind="query-params",
            placeholder="Question, answer or id",
            type="search",
            label_visibility="collapsed",
            width="stretch",
        )
        order = st.selectbox(
            "Order",
            list(Order),
            format_func=_ORDER_WORDS.__getitem__,
            key="order",
            bind="query-params",
            label_visibility="collapsed",
            width=135,
        )
    chosen = AnswerFilter(
        states=_some(chosen_state),
        verdicts=_some(verdict),
        hallucination_types=_some(kind),
        segments=_some(segment),
        search=search or None,
    )
    if chosen != AnswerFilter():
        address.name_run()
    return chosen, order or Order.HARM


def _some(choice: _T | None) -> tuple[_T, ...]:
    return () if choice is None else (choice,)


def _choice(label: str, key: str, options: Mapping[_T, str], *, width: int = 150) -> _T | None:
    """Draw a filter that is kept in the address; None means no restriction. The label is the placeholder."""
    return st.selectbox(
        label,
        list(options),
        index=None,
        format_func=options.__getitem__,
        key=key,
        bind="query-params",
        placeholder=label,
        label_visibility="collapsed",
        width=width,
    )
