"""The reader: the list of answers, one answer with its claims, and its chunks, linked by click and by key.

A choice is on screen at once. It is reported as a row, a claim and, for a label, a verdict; the callback puts it into
the address or the store, and the run of the script that follows reads it from there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM
from faithview.services.review.labels import UNDO
from faithview.ui import session
from faithview.ui.reader.payload import DRAWN_STYLES, Payload

_HERE = Path(__file__).parent
_mount = st.components.v2.component(
    "faithview.reader",
    css=(_HERE / "reader.css").read_text(encoding="utf-8"),
    js=(_HERE / "reader.js").read_text(encoding="utf-8"),
)
# What the keys 1 to 5 choose.
CHOICES = (*(verdict.value for verdict in Verdict), NOT_A_CLAIM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a person chose in the reader.

    `row` is the key of the answer, None without a list; `claim` its number from 1, None for none. `verdict` is one of
    `CHOICES` to label that claim, `UNDO` to take the label back, None for neither.
    """

    row: str | None
    claim: int | None
    verdict: str | None


def reader(
    answer: Payload | None,
    *,
    key: str,
    on_choice: Callable[[Choice], None],
    claim: int | None,
    row: str | None = None,
    rows: Sequence[Payload] | None = None,
    height: str = "max(26rem, calc(100dvh - 24rem))",
) -> None:
    """Draw the list, the answer and its chunks.

    Args:
        answer: the answer (see `payload`), None where the list has none.
        key: the component's key, unique in the dashboard. It stays the same from one answer to the next.
        on_choice: is called, before the next run of the script, with what the person chose.
        claim: the claim that is chosen, from 1; None for none. It is the page's: what the address says.
        row: the key of the answer in the list, or what else tells it from the next, which is read from its beginning.
        rows: the list (see `payload.list_row`); None for an answer by itself.
        height: as CSS.
    """
    number = 0 if answer is None else len(answer["claims"])
    can_label = answer is not None and any(one["can_label"] or one["can_undo"] for one in answer["claims"])
    _mount(
        key=key,
        height="content",
        data={
            "seen": _number(_reported(key)),
            "row": row,
            "claim": claim if claim in range(1, number + 1) else None,
            "rows": None if rows is None else list(rows),
            "answer": answer,
            "choices": list(CHOICES) if can_label else [],
            "styles": DRAWN_STYLES,
            "height": height,
        },
        on_choice_change=lambda: _report(key, on_choice),
    )


def _reported(key: str) -> Mapping[str, object]:
    state = session.widget_value(key)
    choice = state.get("choice") if isinstance(state, Mapping) else None
    return choice if isinstance(choice, Mapping) else {}


def _number(choice: Mapping[str, object]) -> int:
    number = choice.get("number")
    return number if isinstance(number, int) and 0 < number < 2**53 else 0


def _report(key: str, on_choice: Callable[[Choice], None]) -> None:
    """Hand a choice on, if it has the form of one: it comes from outside."""
    choice = _reported(key)
    row, claim, verdict = (choice.get(name) for name in ("row", "claim", "verdict"))
    if not (row is None or isinstance(row, str)) or not (claim is None or isinstance(claim, int)):
        return
    if verdict is None or (isinstance(verdict, str) and verdict in (*CHOICES, UNDO)):
        on_choice(Choice(row=row, claim=claim, verdict=verdict if isinstance(verdict, str) else None))
