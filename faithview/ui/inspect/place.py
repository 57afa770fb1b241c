"""What Inspect looks at, besides the run: filters, order, answer and claim. One action writes the address once.

The address names the whole place, so that a link opens it. An address that names nothing of it, as the sidebar's link
does, opens the place that the session was at last, and writes nothing: an address written then would be a step of the
browser's history that leads nowhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.result import State
from faithview.domain.views import AnswerFilter, LabelState, Order
from faithview.ui.shell import session
from faithview.ui.shell.address_field import AddressField, write_together

_T = TypeVar("_T", bound=StrEnum)

RUN, ROW, CLAIM = AddressField("run"), AddressField("row"), AddressField("claim")
STATE, VERDICT, TYPE, SEGMENT, LABEL = map(AddressField, ("state", "verdict", "type", "segment", "label"))
CONFIDENCE, CHUNK, SEARCH, ORDER = map(AddressField, ("confidence", "chunk", "q", "order"))
# What lists fewer answers; clearing the filters takes these out of the address.
FILTERS = (STATE, VERDICT, TYPE, SEGMENT, LABEL, CONFIDENCE, CHUNK, SEARCH)
_FIELDS = (ROW, CLAIM, *FILTERS, ORDER)
_CLAIM_DIGITS = 6
_PATH = "inspect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What the page looks at. `row` and `claim` are None where the page chooses; `claim` is 0 where none is wanted."""

    filters: AnswerFilter
    order: Order
    row: str | None
    claim: int | None


def current(run_id: str) -> Place:
    """Return the place that the address names, or the session's last one where it names none."""
    texts = _read(run_id)
    low, high = _ends(texts.get(CONFIDENCE.name, ""))
    return Place(
        filters=AnswerFilter(
            states=_members(State, texts.get(STATE.name)),
            verdicts=_members(Verdict, texts.get(VERDICT.name)),
            hallucination_types=_members(HallucinationType, texts.get(TYPE.name)),
            segments=tuple(split(texts.get(SEGMENT.name, ""))),
            label_states=_members(LabelState, texts.get(LABEL.name)),
            least_confidence=low,
            most_confidence=high,
            chunk=texts.get(CHUNK.name),
            search=texts.get(SEARCH.name),
        ),
        order=next(iter(_members(Order, texts.get(ORDER.name))), Order.HARM),
        row=texts.get(ROW.name),
        claim=_claim_number(texts.get(CLAIM.name)),
    )


def open_answer(run_id: str, row: str | None, claim: int | None = None) -> None:
    """Open an answer of the list, and a claim of it; None for what the page would open by itself, 0 for no claim."""
    _go(run_id, {ROW: row, CLAIM: None if claim is None else str(claim)})


def change_filters(run_id: str, changes: Mapping[AddressField, str | None]) -> None:
    """Filter or order the list differently; its first answer opens."""
    _go(run_id, {ROW: None, CLAIM: None, **{field: value or None for field, value in changes.items()}})


def clear_filters(run_id: str) -> None:
    """List all answers."""
    change_filters(run_id, dict.fromkeys(FILTERS))


def join(names: Iterable[str]) -> str:
    r"""Return names as one text for the address, with a comma between them; a comma within a name becomes "\,"."""
    return ",".join(name.replace("\\", "\\\\").replace(",", "\\,") for name in names)


def split(text: str) -> list[str]:
    """Return the names that `join` put into one text."""
    names, name, is_escaped = list[str](), "", False
    for letter in text:
        if is_escaped or letter not in "\\,":
            name, is_escaped = name + letter, False
        elif letter == "\\":
            is_escaped = True
        else:
            names, name = [*names, name], ""
    return [*names, name] if text else []


def _read(run_id: str) -> Mapping[str, str]:
    named = {field.name: text for field in _FIELDS if (text := field.get()) is not None}
    if not named and RUN.get() is None:
        has_arrived = session.PAGES.get()[0] != _PATH
        if has_arrived:
            session.INSPECT_START.set(session.INSPECT_PLACE.get())
        before_run, before = session.INSPECT_START.get()
        # Rows and chunks are those of one run.
        of_run = (ROW.name, CLAIM.name, CHUNK.name)
        named = {name: text for name, text in before.items() if before_run == run_id or name not in of_run}
    session.INSPECT_PLACE.set((run_id, named))
    return named


def _go(run_id: str, changes: Mapping[AddressField, str | None]) -> None:
    _, before = session.INSPECT_PLACE.get()
    texts = {field: before.get(field.name) for field in _FIELDS} | dict(changes)
    session.INSPECT_PLACE.set((run_id, {field.name: text for field, text in texts.items() if text is not None}))
    write_together({RUN: run_id, **texts})


def _members(of: type[_T], text: str | None) -> tuple[_T, ...]:
    """Return the members that a text names; what is none of them does not count."""
    known = {member.value: member for member in of}
    names = [name.strip().casefold().replace(" ", "_") for name in (text or "").split(",")]
    return tuple(known[name] for name in dict.fromkeys(names) if name in known)


def _ends(text: str) -> tuple[float | None, float | None]:
    low, _, high = text.partition("-")
    return _share(low), _share(high)


def _share(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


def _claim_number(text: str | None) -> int | None:
    number = (text or "").rpartition("-")[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= _CLAIM_DIGITS else None
