"""The parts of the judges page, and the choice of one."""

import streamlit as st

CARDS, PAIR, REVIEWERS, FILES = "Judges", "Side by side", "Reviewers", "Labelled files"


def choose_part() -> str:
    """Draw the choice, which is in the address, and return it."""
    chosen = st.segmented_control(
        "Part",
        [CARDS, PAIR, REVIEWERS, FILES],
        default=CARDS,
        required=True,
        key="judges",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or CARDS
