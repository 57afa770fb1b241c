"""Two parts of the compare page beside each other, or below each other where the page is too narrow for both."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.ui.components.component_files import FRONTEND

_STYLES = FRONTEND / "page_layout.css"


def side_by_side(key: str, *, widths: tuple[float, float]) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two containers beside each other, in the ratio of the widths; below each other on a narrow page.

    Streamlit's columns fall below each other only on a phone. The styles use the classes that it gives to containers
    with a key.
    """
    st.html(_STYLES)
    with st.container(key=f"compare_pair_{key}"):
        left, right = st.columns(widths, gap="medium")
    return left, right
