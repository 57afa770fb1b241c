"""A small button that downloads a report as one HTML file, written only on request."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from faithview.services.exports.tables import file_name
from faithview.ui.shell.projects.membership import while_member


def report_download(make: Callable[[bool], str], *, name: tuple[str, ...], key: str) -> None:
    """Draw the button.

    Args:
        make: returns the report as HTML, with or without texts. It is called in another thread, without Streamlit,
            so it must hold the services that it needs.
        name: the parts of the file's name.
        key: the button's key, unique on the page.
    """
    with st.popover("Report", type="tertiary", icon=":material/description:", key=key), st.container(gap=None):
        for label, with_texts in (("With questions, answers and chunks", True), ("Figures only, no texts", False)):
            st.download_button(
                label,
                data=while_member(partial(_bytes, make, with_texts)),
                file_name=file_name(*name, ending="html"),
                mime="text/html",
                key=f"{key}.{'texts' if with_texts else 'figures'}",
                on_click="ignore",
                type="tertiary",
            )


def _bytes(make: Callable[[bool], str], with_texts: bool) -> bytes:
    return make(with_texts).encode()
