"""A row of the lists on Overview: an icon, a sentence, and one link."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row that is being drawn; `key` is that of its link."""

    key: str

    def link(self, action: str, page: str, parameters: Mapping[str, str]) -> None:
        """Draw the link, which opens a page at an address."""
        if st.button(action, key=self.key, type="tertiary"):
            st.switch_page(page, query_params=dict(parameters))


@contextmanager
def list_row(key: str, icon: str, text: str, *, help_text: str | None = None) -> Iterator[ListRow]:
    """Draw the icon and the sentence; what is drawn inside of the context follows on the same line.

    Args:
        key: the key of the link, unique in the dashboard.
        icon: the name of a Material icon.
        text: the sentence in Markdown.
        help_text: the explanation behind the question mark; None for none.
    """
    with st.container(
        key=f"overview-row-{key.replace('.', '-')}",
        horizontal=True,
        vertical_alignment="center",
        gap="small",
        wrap=False,
    ):
        st.markdown(f":material/{icon}:", width="content")
        st.markdown(text, width="stretch", help=help_text)
        yield ListRow(key)
