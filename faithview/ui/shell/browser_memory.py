"""A short text that the browser keeps over a reload, out of the address, so that no link hands it on."""

from pathlib import Path
from urllib.parse import unquote

import streamlit as st

from faithview.ui.components.component_files import read_component_files

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component("faithview.remember", js=read_component_files("browser_memory.js", folder=_FOLDER))
_DAYS = 90


def remember(name: str, text: str) -> None:
    """Have the browser keep a text as a cookie of that name; "" forgets it. It draws nothing.

    What was kept is there from the next time on that the page is opened, not in this session.
    """
    if remembered(name) != text:
        _mount(key=f"remember.{name}", height=1, data={"name": name, "text": text, "days": _DAYS})


def remembered(name: str) -> str:
    """Return what the browser kept when this session began; "" for nothing. It comes from outside: check it."""
    kept = st.context.cookies.get(name)
    return unquote(kept) if isinstance(kept, str) else ""
