"""Search from every page, with Ctrl+K, and the sheet of the page's keys, with "?"."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.run import Run
from faithview.services.find_anywhere import LONGEST, Hit, HitKind, find_anywhere
from faithview.services.results import get_run, list_runs
from faithview.ui import address, navigation, opened_store, series, session
from faithview.ui.frontend.component_files import read_script, read_styles
from faithview.ui.page_addresses import CHUNK
from faithview.ui.widgets.key_sheet import EVERYWHERE

_KEY = "shell.search"
_TITLES = {
    HitKind.RUN: "Runs",
    HitKind.CHUNK: "Chunks",
    HitKind.ANSWER: "Answers",
    HitKind.CLAIM: "From the page Claims",
}
_mount = st.components.v2.component("faithview.search", css=read_styles("search"), js=read_script("search"))


class HitPayload(TypedDict):
    """One hit as the list draws it, and the address that it leads to."""

    group: str
    text: str
    note: str
    parameters: Mapping[str, str]


# What else keys do, by the address of the page; Answers and Review have sheets of their own.
_PAGE_KEYS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        navigation.ADDRESSES[navigation.CLAIMS]: (
            ("J, K", "next and previous claim"),
            ("X", "tick or untick the claim"),
            ("1 – 5", "label the ticked claims, in the order of the buttons"),
        ),
    }
)


@st.fragment
def draw(page: str) -> None:
    """Take the keys of every page; nothing of it is seen until one is pressed. Only this part runs for a search.

    Args:
        page: the address of the page.
    """
    words = session.SEARCHED.take()
    with st.container(key="shell-search"):
        result = _mount(
            key=_KEY,
            data={
                "words": words,
                "hits": [] if words is None else _find(words),
                "longest": LONGEST,
                "keys": (*_PAGE_KEYS.get(page, ()), *EVERYWHERE),
            },
            on_words_change=_note_words,
            on_chosen_change=_note_choice,
        )
    chosen = result.get("chosen")
    if isinstance(chosen, Mapping):
        parameters = {str(name): str(value) for name, value in chosen.items()}
        st.switch_page(navigation.ANSWERS, query_params=parameters)


def _find(words: str) -> list[HitPayload]:
    return build_hits(find_anywhere(opened_store.store(), words, within=_run_in_view()))


def build_hits(hits: Sequence[Hit]) -> list[HitPayload]:
    """Return what the list draws of each hit."""
    return [
        {"group": _TITLES[hit.kind], "text": hit.text, "note": hit.note, "parameters": _address_of(hit)} for hit in hits
    ]


def _address_of(hit: Hit) -> dict[str, str]:
    if hit.kind is HitKind.CHUNK:
        return {**address.link(hit.run_id), CHUNK.name: hit.key or ""}
    return address.link(hit.run_id, hit.key, hit.claim_number)


def _run_in_view() -> Run | None:
    """Return the run that was looked at last, else the newest of the series in view; None if there is none."""
    store = opened_store.store()
    reference = address.selected_run()
    if reference is not None:
        try:
            return get_run(store, reference)
        except NotFound:  # the page says so
            pass
    return next(iter(list_runs(store, series=series.in_view(), limit=1)), None)


def _note_words() -> None:
    """Keep the words for the run that follows: others, of the whole page, repeat no search."""
    state = session.widget_value(_KEY)
    words = state.get("words") if isinstance(state, Mapping) else None
    session.SEARCHED.set(str(words)[:LONGEST] if words else None)


def _note_choice() -> None:
    """Do nothing: Streamlit reports only what has a callback; the choice is read from the component's result."""
