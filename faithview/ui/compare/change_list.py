"""The changed answers of a comparison as a list to walk through, one of them open."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.comparison import Change
from faithview.services.comparison.filters import main_side
from faithview.ui.components.answer_list import RowPayload
from faithview.ui.components.component_files import read_script, read_styles
from faithview.ui.components.selection import component_selection, keep_choice
from faithview.ui.components.verdict_styles import browser_styles
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.verdicts import STATE_WORDS

_HEIGHT = 640  # px; the styles make the list as high as its rows where it is above the answers
_mount = st.components.v2.component(
    "faithview.change_list",
    css=read_styles("answer_list", "change_list"),
    js=read_script("answer_list"),
)


def change_list(changes: Sequence[Change], *, key: str, selected: str | None) -> str | None:
    """Draw the changes in the order given; return the row's own id of the one that is open.

    Args:
        changes: the changes of one page.
        key: the component's key, unique on the page.
        selected: the change that the page wants open, None for none.
    """
    known = {change.key for change in changes}
    selection = component_selection(key, subject="changes", requested=selected)
    chosen = selection.choice if isinstance(selection.choice, str) and selection.choice in known else None
    _mount(
        key=key,
        height="content",
        data={
            "subject": "changes",
            "turn": selection.turn,
            "selected": chosen,
            "height": _HEIGHT,
            "page_keys": {},
            "styles": browser_styles(),
            "rows": [build_row(change) for change in changes],
        },
        on_choice_change=keep_choice,
    )
    return chosen


def build_row(change: Change) -> RowPayload:
    """Return what the list draws of a change: question, score before and now, segment and main cause."""
    scores = [
        fmt.share(score) if score is not None else STATE_WORDS[state]
        for score, state in (
            (change.baseline, change.baseline_state),
            (change.candidate, change.candidate_state),
        )
    ]
    parts = [change.segment, _what(change)]
    return {
        "key": change.key,
        "score": " → ".join(scores),
        "state": STATE_WORDS[change.candidate_state],
        "bar": [],
        "bar_words": "",
        "title": change.question or change.key,
        "segment": " · ".join(part for part in parts if part) or None,
    }


def _what(change: Change) -> str:
    side = main_side(change)
    if side is not None:
        return CAUSE_WORDS[side.cause].name(is_won=side.is_won)
    changed = [word for word, has in (("Answer", change.answer_changed), ("chunks", change.context_changed)) if has]
    words = " and ".join(changed).capitalize()
    return f"{words} changed, the score did not" if changed and change.difference == 0 else ""
