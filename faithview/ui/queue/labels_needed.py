"""What the labels of a spot-check will give, and how many more its score needs: cached, for both read every claim."""

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.services.review import queue
from faithview.services.review.checks.check_result import get_check_result
from faithview.services.review.checks.expected_width import expected_half_width
from faithview.ui.shell import app
from faithview.wording import numbers as fmt


def expected_words(spot_check_id: int, claims: int) -> str | None:
    """Return what a spot-check of so many claims gives: "Labelling all 16 claims gives the score to about ±0.15"."""
    return _expected_words(app.store_key(), spot_check_id, claims)


@st.cache_data(max_entries=200, ttl=600, show_spinner=False)
def _expected_words(store: str, spot_check_id: int, claims: int) -> str | None:
    try:
        width = expected_half_width(app.services(), queue.get_spot_check(app.services(), spot_check_id))
    except NotFound:
        return None
    if width == 0:
        return f"Labelling {_all(claims)} gives the exact score"
    return f"Labelling {_all(claims)} gives the score to about {fmt.plus_minus(width)}" if width else None


def labels_needed_words(spot_check_id: int, step: int) -> str | None:
    """Return about how many more labels the next precision needs: "about 24 more labels for ±0.05".

    Args:
        spot_check_id: the spot-check that is being labelled.
        step: grows with the number of labels; a new step, or a minute later, means a new estimate.

    Returns:
        None if there is no estimate yet, or nothing more is needed.
    """
    return _labels_needed_words(app.store_key(), spot_check_id, step)


# The estimate takes longer than a key press may take, so it is not repeated for every label.
@st.cache_data(max_entries=200, ttl=60, show_spinner=False)
def _labels_needed_words(store: str, spot_check_id: int, step: int) -> str | None:
    try:
        more = get_check_result(app.services(), spot_check_id).more
    except NotFound:
        return None
    if more is None:
        return None
    return f"about {fmt.plural(more.labels, 'more label')} for {fmt.plus_minus(more.half_width)}"


def _all(claims: int) -> str:
    return "the only claim" if claims == 1 else f"all {fmt.count(claims)} claims"
