"""The browser's memory: short texts in cookies, and the contents of the form for one answer.

A cookie keeps a text across reloads, so links do not share it. Streamlit forgets a widget that is not drawn, and
everything when a tab is reloaded. The session therefore keeps the form as it was last sent, and the browser keeps its
current contents, sent or not, in the tab's own storage. The texts are never put in the address.
"""

from collections.abc import Mapping, Sequence
from urllib.parse import unquote

import streamlit as st

from faithview.ui import session
from faithview.ui.frontend.component_files import read_script, read_styles

_mount_cookie = st.components.v2.component("faithview.remember", js=read_script("browser_memory"))
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


_mount_form = st.components.v2.component(
    "faithview.form_memory",
    css=read_styles("form_memory"),
    js=read_script("form_memory"),
)
_KEY = "check.memory"
_CHOICE = "check.split"
# By the key of its widget, where the browser finds the field.
_FIELDS = {
    "check.question": ".st-key-check-question input",
    "check.answer": ".st-key-check-answer textarea",
    "check.chunks": ".st-key-check-chunks textarea",
}


def restore_form(splits: Sequence[str]) -> None:
    """Fill the form with what it held before, where its widgets have been forgotten; call it before they are drawn.

    `splits` are the ways in which chunks may be separated; the first is the default.
    """
    kept = {_CHOICE: splits[0], **session.CHECK_FORM.get()}
    for name, text in kept.items():
        if session.widget_value(name) is None:
            session.set_widget(name, text)


def keep_form(splits: Sequence[str], *, action: str, needed: Sequence[str]) -> None:
    """Remember what the form holds now; call it after the widgets are drawn.

    `action` is the label of its button, which rests in the browser while one of the `needed` fields is empty.
    `restore_form` has filled the fields that this page does not draw, so they keep their texts.
    """
    values = {name: str(session.widget_value(name) or "") for name in (*_FIELDS, _CHOICE)}
    session.CHECK_FORM.set(values)
    _mount_form(
        key=_KEY,
        height="content",
        data={
            "key": "faithview.check",
            "values": values,
            "fields": dict(_FIELDS),
            "choice": {"name": _CHOICE, "place": ".st-key-check-split", "options": list(splits)},
            "main": "check.answer",
            "edited": f"Edited since the last result: press {action}.",
            "needed": list(needed),
            "submit": ".st-key-check-submit",
        },
        on_draft_change=lambda: take_draft(splits),
    )


def take_draft(splits: Sequence[str]) -> None:
    """Fill the form with what the browser kept, which comes from outside."""
    state = session.widget_value(_KEY)
    draft = state.get("draft") if isinstance(state, Mapping) else None
    if not isinstance(draft, Mapping):
        return
    texts = {name: draft.get(name) for name in _FIELDS}
    split = draft.get(_CHOICE)
    if all(isinstance(text, str) for text in texts.values()) and split in splits:
        session.set_widgets({**texts, _CHOICE: split})
