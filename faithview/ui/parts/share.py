"""Share: copies the finding in a sentence and a link to what is in view."""

from collections.abc import Mapping

import streamlit as st

from faithview.ui.components.component_files import read_script, read_styles
from faithview.wording.plain_text import plain_text

_mount = st.components.v2.component(
    "faithview.share",
    css=read_styles("share"),
    js=read_script("share"),
)


def share(finding: str, *, parameters: Mapping[str, str], key: str) -> None:
    """Draw the button that copies a finding and the page's address.

    Args:
        finding: the sentence, in the Markdown that the page shows.
        parameters: what the link names even where the address leaves it out, because it is the default today: a run
            that is the newest now will not be the newest for whoever opens the link.
        key: the button's key, unique on the page.
    """
    _mount(
        key=key,
        width="content",
        height="content",
        data={"sentence": plain_text(finding), "parameters": dict(parameters)},
    )
