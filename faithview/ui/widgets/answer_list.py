"""The answers of a run as a list to walk through, one of them open."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

import streamlit as st

from faithview.domain.answer import AnswerRow
from faithview.domain.result import State
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.widgets.selection import component_selection, keep_choice
from faithview.wording import numbers
from faithview.wording.verdict_styles import STATE_WORDS, VERDICTS, count_words

_mount = st.components.v2.component(
    "faithview.answer_list",
    css=read_styles("answer_list"),
    js=read_script("answer_list"),
)


_NO_KEYS: Mapping[str, str] = MappingProxyType({})


class RowPayload(TypedDict):
    """One answer as the list draws it; `score` is None if the state's word replaces it.

    `bar` holds the numbers of claims by verdict, `bar_words` says them.
    """

    key: str
    score: str | None
    state: str
    bar: list[tuple[str, int]]
    bar_words: str
    title: str
    segment: str | None


def answer_list(
    rows: Sequence[AnswerRow],
    *,
    key: str,
    selected: str | None,
    height: int | None = 620,
    page_keys: Mapping[str, str] = _NO_KEYS,
) -> str | None:
    """Draw the answers in the order given; return the key of the one that is open.

    Args:
        rows: the answers, worst first as a rule.
        key: the component's key, unique on the page.
        selected: the row that the page wants open, None for none. A row that is not in the list is not shown open.
        height: in pixels; None for as much as the window has left, so the page itself need not scroll.
        page_keys: by key ("/", "?"), a CSS selector of the field that it goes to or the button that it presses.

    Returns:
        The key of the chosen row, None if none is chosen or the chosen one is not in the list. What the person
        chose last wins over a `selected` that was asked for before.
    """
    known = {row.key for row in rows}
    selection = component_selection(key, subject="rows", requested=selected)
    chosen = selection.choice if isinstance(selection.choice, str) and selection.choice in known else None
    _mount(
        key=key,
        height="content" if height is None else height,
        data={
            "subject": "rows",
            "turn": selection.turn,
            "selected": chosen,
            "height": height,
            "page_keys": dict(page_keys),
            "styles": browser_styles(),
            "rows": build_rows(rows),
        },
        on_choice_change=keep_choice,
    )
    return chosen


def build_rows(rows: Sequence[AnswerRow]) -> list[RowPayload]:
    """Return what the list draws of each row."""
    return [
        {
            "key": row.key,
            "score": numbers.share(row.faithfulness) if row.state is State.JUDGED else None,
            "state": STATE_WORDS[row.state],
            "bar": [(str(verdict), row.claims[verdict]) for verdict in VERDICTS if row.claims.get(verdict)],
            "bar_words": count_words(row.claims),
            "title": row.question or row.answer,
            "segment": row.segment,
        }
        for row in rows
    ]
