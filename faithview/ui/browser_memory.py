"""The browser's memory: short texts in cookies, which stay when a page is reloaded and which links do not share."""

from pathlib import Path
from urllib.parse import unquote

import streamlit as st

_SCRIPT = Path(__file__).with_name("browser_memory.js")
_mount_cookie = st.components.v2.component("faithview.remember", js=_SCRIPT.read_text(encoding="utf-8"))
_DAYS = 90


def remember(name: str, text: str) -> None:
    """Store a text in a cookie of that name; "" removes it. It draws nothing.

    `remembered` returns the text from the next session on, not in this one.
    """
    if remembered(name) != text:
        _mount_cookie(key=f"remember.{name}", height=1, data={"name": name, "text": text, "days": _DAYS})


def remembered(name: str) -> str:
    """Return the cookie's text as this session began; "" for none. It comes from outside: check it."""
    cookie = st.context.cookies.get(name)
    return unquote(cookie) if isinstance(cookie, str) else ""
