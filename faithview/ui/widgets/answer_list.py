"""The answers of a run as a list to walk through, one of them open."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

import streamlit as st

from faithview.domain.answer import AnswerRow, FaultyClaim
from faithview.domain.claim import WORST_FIRST
from faithview.domain.result import State
from faithview.ui import session
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.widgets.selection import component_selection, keep_choice
from faithview.wording import numbers
from faithview.wording.findings import unsupported_words
from faithview.wording.verdict_styles import CHECK_THIS, STATE_WORDS, count_words

_mount = st.components.v2.component(
    "faithview.answer_list",
    css=read_styles("answer_list"),
    js=read_script("answer_list"),
)


_NO_KEYS: Mapping[str, str] = MappingProxyType({})


class FaultPayload(TypedDict):
    """The style whose sign a row has, and the words at fault; `is_quoted` where these are from the answer."""

    verdict: str
    words: str
    is_quoted: bool


class RowPayload(TypedDict):
    """One answer as the list draws it; `score` is None if the state's word replaces it.

    `fault` is None for an answer without claims; `counts` says how many claims have which verdict. `note` is a last
    line. `labelled` says what reviewers have labelled, None for nothing, and `is_labelled` whether that
    is the claim that the row names.
    """

    key: str
    score: str | None
    state: str
    fault: FaultPayload | None
    counts: str
    title: str
    note: str | None
    labelled: str | None
    is_labelled: bool


def answer_list(
    rows: Sequence[RowPayload],
    *,
    key: str,
    selected: str | None,
    height: int | None = 620,
    page_keys: Mapping[str, str] = _NO_KEYS,
    on_choice: Callable[[], None] = keep_choice,
    others: tuple[bool, bool] = (False, False),
    on_turn: Callable[[int], None] | None = None,
) -> str | None:
    """Draw the rows in the order given; return the key of the one that is open.

    Args:
        rows: what `build_rows` or `build_claim_rows` returned.
        key: the component's key, unique on the page.
        selected: the row that the page wants open, None for none. A row that is not in the list is not shown open.
        height: in pixels; None for as much as the window has left, so the page itself need not scroll.
        page_keys: by key ("/", "?"), a CSS selector of the field that it goes to or the button that it presses.
        on_choice: is called after each choice, before the next run of the script.
        others: whether the list has another page before these rows, and after them.
        on_turn: is called with -1 or 1 after a step beyond the first or the last row, before the next run of the
            script, if the list has another page there.

    Returns:
        The key of the chosen row. What the person chose last wins over a `selected` that was asked for before, unless
        it is not in the list: then `selected` counts, and None if that is not there either.
    """
    known = {row["key"] for row in rows}
    selection = component_selection(key, subject="rows", requested=selected)
    chosen = next((row for row in (selection.choice, selected) if isinstance(row, str) and row in known), None)
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
            "others": dict(zip(("before", "after"), others, strict=True)),
            "rows": list(rows),
        },
        on_choice_change=on_choice,
        on_turned_change=lambda: _turn(key, on_turn),
    )
    return chosen


def _turn(key: str, on_turn: Callable[[int], None] | None) -> None:
    reported = session.widget_value(key)
    step = reported.get("turned") if isinstance(reported, Mapping) else None
    if on_turn is not None and step in (-1, 1):
        on_turn(step)


def build_rows(rows: Sequence[AnswerRow]) -> list[RowPayload]:
    """Return what the list draws of each answer."""
    return [
        {
            "key": row.key,
            "score": numbers.share(row.faithfulness) if row.state is State.JUDGED else None,
            "state": STATE_WORDS[row.state],
            "fault": _fault(row),
            "counts": count_words(row.claims),
            "title": row.question or row.answer,
            "note": None,
            "labelled": _labelled_words(row),
            "is_labelled": row.worst is not None and row.worst.is_labelled,
        }
        for row in rows
    ]


LABELLED = "A reviewer has labelled this claim"


def _labelled_words(row: AnswerRow) -> str | None:
    if not row.labelled:
        return None
    if row.worst is None:
        return f"{numbers.plural(row.labelled, 'claim')} labelled"
    return LABELLED if row.worst.is_labelled else f"{numbers.plural(row.labelled, 'other claim')} labelled"


def _fault(row: AnswerRow) -> FaultPayload | None:
    if row.worst is not None:
        return {"verdict": str(row.worst.verdict), "words": fault_words(row.worst), "is_quoted": True}
    worst = next((verdict for verdict in WORST_FIRST if row.claims.get(verdict)), None)
    if worst is None:
        return None
    style = CHECK_THIS if row.to_check else str(worst)
    return {"verdict": style, "words": unsupported_words(row.claims, to_check=row.to_check), "is_quoted": False}


def fault_words(claim: FaultyClaim) -> str:
    """Return what is wrong with a claim: "15 minutes ≠ 5 minutes", the words at fault, or else the claim itself."""
    pairs = [(words, against) for words, against in claim.words if len(words) <= _LONGEST_WORDS]
    told = [f"{words} ≠ {against}" for words, against in pairs if against and len(against) <= _LONGEST_WORDS]
    if told:
        return ", ".join(told)
    words = [words for words, _ in pairs if len(words.split()) > 1 or any(letter.isdigit() for letter in words)]
    return " … ".join(words) or claim.text  # one word says too little of what is wrong


_LONGEST_WORDS = 60  # characters: longer ones are read no faster than the claim itself
