"""The parameters of single pages in the address: filters, order and the open item. One action writes the address once.

The address names the whole selection, so a link opens it. An address without parameters, such as the sidebar's link,
opens the session's last selection on that page and writes nothing: an address that changes by itself would add a step
to the browser's history and trap the back button.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from faithview.domain.answer import AnswerFilter, LabelState, Order
from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.comparison import Cause
from faithview.domain.result import State
from faithview.services.comparison.compared_runs import CauseSide
from faithview.services.weak_spots.sources import ChunkFault
from faithview.ui import session
from faithview.ui.address import BASELINE, CANDIDATE, TAB, AddressField, clear, write_together

_T = TypeVar("_T", bound=StrEnum)

RUN, ROW, CLAIM = AddressField("run"), AddressField("row"), AddressField("claim")
STATE, VERDICT, TYPE, SEGMENT, LABEL = map(AddressField, ("state", "verdict", "type", "segment", "label"))
CONFIDENCE, CHUNK, SEARCH, ORDER = map(AddressField, ("confidence", "chunk", "q", "order"))
# What lists fewer answers; clearing the filters takes these out of the address.
ANSWER_FILTERS = (STATE, VERDICT, TYPE, SEGMENT, LABEL, CONFIDENCE, CHUNK, SEARCH)
_ANSWERS_FIELDS = (ROW, CLAIM, *ANSWER_FILTERS, ORDER)
_CLAIM_DIGITS = 6
_ANSWERS_PATH = "answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersPlace:
    """The selection on Inspect. `row` and `claim` are None if the page chooses; `claim` is 0 for no claim."""

    filters: AnswerFilter
    order: Order
    row: str | None
    claim: int | None


def answers_place(run_id: str) -> AnswersPlace:
    """Return the place that the address names, or the session's last one where it names none."""
    texts = _read_answers_place(run_id)
    low, high = _confidence_ends(texts.get(CONFIDENCE.name, ""))
    return AnswersPlace(
        filters=AnswerFilter(
            states=_members(State, texts.get(STATE.name)),
            verdicts=_members(Verdict, texts.get(VERDICT.name)),
            hallucination_types=_members(HallucinationType, texts.get(TYPE.name)),
            segments=tuple(split_names(texts.get(SEGMENT.name, ""))),
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
    _go_to_answer(run_id, {ROW: row, CLAIM: None if claim is None else str(claim)})


def change_answer_filters(run_id: str, changes: Mapping[AddressField, str | None]) -> None:
    """Filter or order the list differently; its first answer opens."""
    _go_to_answer(run_id, {ROW: None, CLAIM: None, **{field: value or None for field, value in changes.items()}})


def clear_answer_filters(run_id: str) -> None:
    """List all answers."""
    change_answer_filters(run_id, dict.fromkeys(ANSWER_FILTERS))


def join_names(names: Iterable[str]) -> str:
    r"""Return names as one text for the address, with a comma between them; a comma within a name becomes "\,"."""
    return ",".join(name.replace("\\", "\\\\").replace(",", "\\,") for name in names)


def split_names(text: str) -> list[str]:
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


def _read_answers_place(run_id: str) -> Mapping[str, str]:
    named = {field.name: text for field in _ANSWERS_FIELDS if (text := field.get()) is not None}
    if not named and RUN.get() is None:
        has_arrived = session.PAGES.get()[0] != _ANSWERS_PATH
        if has_arrived:
            session.INSPECT_START.set(session.INSPECT_PLACE.get())
        before_run, before = session.INSPECT_START.get()
        # Rows and chunks are those of one run.
        of_run = (ROW.name, CLAIM.name, CHUNK.name)
        named = {name: text for name, text in before.items() if before_run == run_id or name not in of_run}
    session.INSPECT_PLACE.set((run_id, named))
    return named


def _go_to_answer(run_id: str, changes: Mapping[AddressField, str | None]) -> None:
    _, before = session.INSPECT_PLACE.get()
    texts = {field: before.get(field.name) for field in _ANSWERS_FIELDS} | dict(changes)
    session.INSPECT_PLACE.set((run_id, {field.name: text for field, text in texts.items() if text is not None}))
    write_together({RUN: run_id, **texts})


def _members(of: type[_T], text: str | None) -> tuple[_T, ...]:
    """Return the members that a text names; what is none of them does not count."""
    known = {member.value: member for member in of}
    names = [name.strip().casefold().replace(" ", "_") for name in (text or "").split(",")]
    return tuple(known[name] for name in dict.fromkeys(names) if name in known)


def _confidence_ends(text: str) -> tuple[float | None, float | None]:
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


# What Changes shows between two runs: which answers, for which cause, of which segment, and the pair that is open. The
# segment is not named as that of Answers is: who goes from one page to the other takes neither along.
SHOWN, CAUSE, WITHIN, PAIR, DOCUMENT = (
    AddressField(name) for name in ("changes", "cause", "within", "pair", "document")
)


def go_to_pair(baseline: str, candidate: str, **changes: str | None) -> None:
    """Write two runs, by their ids, and what is chosen between them into the address, as one step of its history.

    The changes are by the names of the parameters; None takes one out.
    """
    fields = {BASELINE: baseline, CANDIDATE: candidate}
    write_together({**fields, **{AddressField(name): value for name, value in changes.items()}})


def cause_name(side: CauseSide) -> str:
    """Return a cause in one direction as the address names it: "document_edited.lost"."""
    return f"{side.cause.value}.{'won' if side.is_won else 'lost'}"


def find_cause(name: str | None) -> CauseSide | None:
    """Return the cause and direction that `cause_name` named; None for anything else, since it comes from outside."""
    cause, _, direction = (name or "").partition(".")
    if cause not in set(Cause) or direction not in ("won", "lost"):
        return None
    return CauseSide(cause=Cause(cause), is_won=direction == "won")


_LEVEL, _SOURCE = AddressField("level"), AddressField("source")
_DOCUMENTS = "documents"


def is_by_document() -> bool:
    """Return whether the address asks for documents instead of single chunks."""
    return _LEVEL.get() == _DOCUMENTS


def select_level(*, by_document: bool) -> None:
    """Show documents, or single chunks (the default, which stays out of the address)."""
    if by_document == is_by_document():
        return
    clear(_SOURCE)
    _LEVEL.set(_DOCUMENTS if by_document else None)


def selected_source() -> str | None:
    """Return the chunk or document that the address names."""
    return _SOURCE.get()


def select_source(item: ChunkFault) -> None:
    """Open a chunk or a document."""
    _SOURCE.set(source_name(item))


def source_name(item: ChunkFault) -> str:
    """Return the name of a chunk or a document in the address; chunks with one id may have several texts."""
    return item.name if item.text_id is None else f"{item.text_id}"


def sources_address() -> dict[str, str]:
    """Return this page's parameters, to be taken along to another page.

    `st.switch_page` puts its parameters first on the page that is left (seen with 1.67.0); without these the way back
    would lead to another list.
    """
    return {field.name: value for field in (TAB, _LEVEL, _SOURCE) if (value := field.get()) is not None}
