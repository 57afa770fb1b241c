"""The parameters of single pages in the address: filters, order and the open item. One action writes the address once.

The address names the whole selection, so a link opens it. An address without parameters, such as the sidebar's link,
opens the session's last selection on that page and writes nothing: an address that changes by itself would add a step
to the browser's history and trap the back button.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode

import streamlit as st

from faithview.domain.answer import AnswerFilter, LabelState, Order
from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.comparison import Cause, Change
from faithview.domain.inbox import Facet, InboxFilter, make_filter
from faithview.domain.result import State
from faithview.services.comparison.compared_runs import CauseSide, ChangeFilter, Shown
from faithview.services.weak_spots.sources import ChunkFault, Fault
from faithview.ui import address, session
from faithview.ui.address import BASELINE, CANDIDATE, TAB, AddressField, clear, write_together
from faithview.ui.session import ComparedPair

_T = TypeVar("_T", bound=StrEnum)

RUN, ROW, CLAIM = AddressField("run"), AddressField("row"), AddressField("claim")
STATE, VERDICT, TYPE, SEGMENT, LABEL = map(AddressField, ("state", "verdict", "type", "segment", "label"))
CONFIDENCE, CHUNK, SEARCH, ORDER = map(AddressField, ("confidence", "chunk", "q", "order"))
# What lists fewer answers; clearing the filters takes these out of the address.
ANSWER_FILTERS = (STATE, VERDICT, TYPE, SEGMENT, LABEL, CONFIDENCE, CHUNK, SEARCH)
_ANSWERS_FIELDS = (ROW, CLAIM, *ANSWER_FILTERS, ORDER)
_CLAIM_DIGITS = 6
_ANSWERS_PATH, _CLAIMS_PATH = "answers", "claims"


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


# The segment is not named as that of Answers is: who goes from one page to the other takes neither along.
_SHOWN, _CAUSE, _SEGMENT, _PAIR = (AddressField(name) for name in ("changes", "cause", "within", "pair"))
_PAIR_FIELDS = (BASELINE, CANDIDATE, _SHOWN, _CAUSE, _SEGMENT, _PAIR)
_ROW_DIGITS = 9

ChangedRows = tuple[int, int]


def restore_pair(series: str | None, *, is_arrival: bool) -> None:
    """Decide which runs an address without runs shows; call it before anything else reads the address.

    Args:
        series: the series in view. A pair of another series is not kept.
        is_arrival: whether the page before was another one. Then the last pair is shown again; else the user went back
            to an address without runs.
    """
    if is_arrival:
        session.COMPARE_UNNAMED.set(session.COMPARE_LAST.get())
    kept = session.COMPARE_UNNAMED.get()
    if kept is not None and kept.series != series:
        session.COMPARE_UNNAMED.clear()


def forget_pair() -> None:
    """Forget the pair that is kept in the session: a run of it is gone."""
    session.COMPARE_UNNAMED.clear()
    session.COMPARE_LAST.clear()


def show_default_pair(baseline: str, candidate: str, *, series: str | None, is_step: bool) -> None:
    """Compare two default runs until the user chooses others; see `DefaultPair`."""
    values = {BASELINE.name: baseline, CANDIDATE.name: candidate}
    session.COMPARE_UNNAMED.set(ComparedPair(series=series, values=values, is_chosen=False, is_step=is_step))


def keep_pair(series: str | None) -> None:
    """Keep the chosen pair for the user's return; a default pair is computed again then."""
    unnamed = session.COMPARE_UNNAMED.get()
    if is_pair_named() or (unnamed is not None and unnamed.is_chosen):
        session.COMPARE_LAST.set(ComparedPair(series=series, values=_pair_values(), is_chosen=True))


def is_pair_named() -> bool:
    """Return whether the address itself names a run."""
    return BASELINE.is_set() or CANDIDATE.is_set()


def is_default_step() -> bool | None:
    """Return whether the default pair is a significant step; None if the user chose the runs."""
    unnamed = session.COMPARE_UNNAMED.get()
    return None if is_pair_named() or unnamed is None or unnamed.is_chosen else unnamed.is_step


def compared_runs() -> tuple[str | None, str | None]:
    """Return the baseline and the candidate that the address names, or the session's if it names none."""
    return _pair_value(BASELINE), _pair_value(CANDIDATE)


def compare_runs(baseline: str, candidate: str) -> None:
    """Compare two other runs; the cause and the answer of the old pair are dropped, the segment is kept."""
    if compared_runs() == (baseline, candidate):
        return
    _write_pair({BASELINE: baseline, CANDIDATE: candidate, _CAUSE: None, _PAIR: None})
    session.COMPARE_PAGE.clear()


def change_filter(*, default: Shown, segments: frozenset[str]) -> ChangeFilter:
    """Return the filter of the changed answers that the address asks for.

    Args:
        default: what is listed if the address does not say.
        segments: those of the pair; unknown segments in the address are ignored.
    """
    shown, segment = _pair_value(_SHOWN), _pair_value(_SEGMENT)
    return ChangeFilter(
        shown=Shown(shown) if shown in set(Shown) else default,
        side=find_cause(_pair_value(_CAUSE)),
        segment=segment if segment in segments else None,
    )


def select_change_filter(wanted: ChangeFilter) -> None:
    """Filter the changed answers, from the list's first page."""
    _filter_changes(
        {
            _SHOWN: wanted.shown.value,
            _CAUSE: None if wanted.side is None else cause_name(wanted.side),
            _SEGMENT: wanted.segment,
        }
    )


def select_shown_changes(shown: Shown) -> None:
    """List answers that changed for better, for worse, or all; the other filters stay."""
    _filter_changes({_SHOWN: shown.value})


def select_cause(side: CauseSide | None) -> None:
    """List answers that changed for one cause; None for every cause."""
    _filter_changes({_CAUSE: None if side is None else cause_name(side)})


def select_changed_segment(segment: str | None) -> None:
    """List answers of one segment; None for all."""
    _filter_changes({_SEGMENT: segment})


def _filter_changes(changed: Mapping[AddressField, str | None]) -> None:
    """Change filters, and only these: others may have changed since the page was drawn."""
    _write_pair({**changed, _PAIR: None})
    session.COMPARE_PAGE.clear()


def is_change_selected() -> bool:
    """Return whether the address names an answer of the list."""
    return _pair_value(_PAIR) is not None


def selected_change(changes: Mapping[str, ChangedRows]) -> ChangedRows | None:
    """Return the rows of the two answers that the address names; None for none.

    Args:
        changes: by the row's own id, the rows of either run. An id that is none of them may be two positions, "12-14".
    """
    name = _pair_value(_PAIR) or ""
    if name in changes:
        return changes[name]
    before, _, after = name.partition("-")
    if not all(row.isascii() and row.isdecimal() and len(row) <= _ROW_DIGITS for row in (before, after)):
        return None
    return int(before), int(after)


def select_change(change: Change | None) -> None:
    """Open the two answers of a change, or let the list open its first."""
    _write_pair({_PAIR: None if change is None else change.key})


def turn_changes_page(number: int) -> None:
    """Turn to a page of the list; its first change opens."""
    session.COMPARE_PAGE.set(number)
    select_change(None)


def is_judge_pair_accepted(fingerprints: tuple[str, str]) -> bool:
    """Return whether this session has accepted the warning that these two judges differ."""
    return fingerprints in session.ACCEPTED_JUDGE_PAIRS.get()


def accept_judge_pair(fingerprints: tuple[str, str]) -> None:
    """Accept, for this session, the warning that these two judges differ."""
    session.ACCEPTED_JUDGE_PAIRS.set((*session.ACCEPTED_JUDGE_PAIRS.get(), fingerprints))


def scroll_to_change() -> None:
    """Scroll the open change into view once: the view scrolls each time that the token has changed."""
    session.COMPARE_SCROLL_TOKEN.set(session.COMPARE_SCROLL_TOKEN.get() + 1)


def toggle_cause(now: ChangeFilter, side: CauseSide) -> ChangeFilter:
    """Return the filter after a click on a cause, which sets it or lifts it."""
    if now.side == side:
        return ChangeFilter(shown=now.shown, segment=now.segment)
    return ChangeFilter(shown=Shown.ALL, side=side, segment=now.segment)


def toggle_segment(now: ChangeFilter, segment: str) -> ChangeFilter:
    """Return the filter after a click on a segment, which sets it or lifts it."""
    return ChangeFilter(shown=now.shown, side=now.side, segment=None if now.segment == segment else segment)


def cause_name(side: CauseSide) -> str:
    """Return a cause in one direction as the address and the charts name it: "document_edited.lost"."""
    return f"{side.cause.value}.{'won' if side.is_won else 'lost'}"


def find_cause(name: str | None) -> CauseSide | None:
    """Return the cause and direction that `side_name` named; None for anything else, since it comes from outside."""
    cause, _, direction = (name or "").partition(".")
    if cause not in set(Cause) or direction not in ("won", "lost"):
        return None
    return CauseSide(cause=Cause(cause), is_won=direction == "won")


def clicked_name(selection: Mapping[str, Any] | None) -> str | None:
    """Return the name of the bar or row clicked in a chart; None if the selection was lifted."""
    points = (selection or {}).get("points") or []
    for point in points:
        data = point.get("customdata")
        name = data[0] if isinstance(data, list | tuple) and data else data
        if isinstance(name, str):
            return name
    return None


def _pair_value(field: AddressField) -> str | None:
    return _pair_values().get(field.name)


def _pair_values() -> dict[str, str]:
    """Return what is looked at: what the address says, over what the session keeps for an address without runs."""
    named = {field.name: value for field in _PAIR_FIELDS if (value := field.get()) is not None}
    unnamed = session.COMPARE_UNNAMED.get()
    return named if is_pair_named() or unnamed is None else {**unnamed.values, **named}


def _write_pair(changes: Mapping[AddressField, str | None]) -> None:
    """Write everything that is looked at, with these changes, in one step; nothing if nothing changes."""
    before = _pair_values()
    chosen = {field.name: value for field, value in changes.items() if value is not None}
    after = {name: value for name, value in before.items() if name not in {field.name for field in changes}} | chosen
    others = [field for field in changes if field not in _PAIR_FIELDS]
    if after != before or any(field.is_set() for field in others):
        write_together({field: after.get(field.name) for field in _PAIR_FIELDS} | dict.fromkeys(others))


_INBOX_WORDS, _INBOX_PAGE = AddressField("find"), AddressField("page")
_PAGE_DIGITS = 6
# Not the names of other pages: "run" would take the series switch along.
_FACET_NAMES = {facet: f"{facet.value}s" for facet in Facet}


def inbox_filter() -> InboxFilter:
    """Return the filter that the address names."""
    chosen = {facet: st.query_params.get_all(name) for facet, name in _FACET_NAMES.items()}
    return make_filter(_INBOX_WORDS.get() or "", chosen)


def inbox_page() -> int:
    """Return the page of the list, from 1."""
    return max(1, _INBOX_PAGE.number(digits=_PAGE_DIGITS) or 1)


def write_inbox(filters: InboxFilter, *, page_number: int = 1) -> None:
    """Write a filter and a page, as one step of the browser's history; call it in a callback."""
    if (filters, page_number) == (inbox_filter(), inbox_page()):
        return
    parameters = inbox_link(filters, page_number)
    if (series := address.selected_series()) is not None:
        parameters |= address.series_link(series)
    st.query_params.from_dict(parameters)


def inbox_link(filters: InboxFilter, page_number: int) -> dict[str, str | list[str]]:
    """Return the address parameters of a page of the claims that a filter lets through."""
    parameters: dict[str, str | list[str]] = {_INBOX_WORDS.name: filters.words} if filters.words else {}
    parameters |= {_FACET_NAMES[facet]: list(values) for facet, values in filters.chosen.items()}
    if page_number > 1:
        parameters[_INBOX_PAGE.name] = str(page_number)
    return parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedClaims:
    """A page of the list of claims that a reader walks through on the page of answers."""

    filters: InboxFilter
    page: int


def walk_link(filters: InboxFilter, page_number: int) -> dict[str, str]:
    """Return the address parameter that names the list an answer was opened from."""
    return {address.CLAIMS.name: urlencode(inbox_link(filters, page_number), doseq=True) or _WHOLE_LIST}


def walked_claims() -> WalkedClaims | None:
    """Return the list of claims that the address names; None where a reader looks at the answers of a run."""
    text = address.CLAIMS.get()
    if text is None:
        return None
    named = parse_qs(text)
    chosen = {facet: named.get(name, []) for facet, name in _FACET_NAMES.items()}
    page = named.get(_INBOX_PAGE.name, [""])[-1]
    number = int(page) if page.isascii() and page.isdecimal() and len(page) <= _PAGE_DIGITS else 1
    words = named.get(_INBOX_WORDS.name, [""])[-1]
    return WalkedClaims(filters=make_filter(words, chosen), page=max(1, number))


def walk_to(run_id: str, row: str, claim: int, *, turned: WalkedClaims | None = None) -> None:
    """Open another claim of the list that a reader walks through, or of another page of it; call it in a callback."""
    page = {} if turned is None else {address.CLAIMS: walk_link(turned.filters, turned.page)[address.CLAIMS.name]}
    write_together({RUN: run_id, ROW: row, CLAIM: str(claim), **page})


def is_list_of_claims_kept() -> bool:
    """Return whether the order of the list stays: the page before was the list itself, or an answer opened from it."""
    return session.PAGES.get()[0] in (_CLAIMS_PATH, _ANSWERS_PATH)


_WHOLE_LIST = "page=1"  # a parameter without a value would be dropped


_DOCUMENT = AddressField("document")


def selected_step() -> tuple[str | None, str | None]:
    """Return the earlier and the later run that the address names."""
    return BASELINE.get(), CANDIDATE.get()


def select_step(baseline: str, candidate: str) -> None:
    """Look at another step; the document of the old one leaves the address."""
    if selected_step() != (baseline, candidate):
        write_together({BASELINE: baseline, CANDIDATE: candidate, _DOCUMENT: None})


def selected_document() -> str | None:
    """Return the key of the document that the address names."""
    return _DOCUMENT.get()


def select_document(key: str) -> None:
    """Open a document."""
    _DOCUMENT.set(key)


def knowledge_address() -> dict[str, str]:
    """Return this page's parameters, to be taken along to another page, so the way back leads here again."""
    fields = (TAB, BASELINE, CANDIDATE, _DOCUMENT)
    return {field.name: value for field in fields if (value := field.get()) is not None}


_FAULT, _LEVEL, _SOURCE = AddressField("fault"), AddressField("level"), AddressField("source")
_DOCUMENTS = "documents"


def selected_fault() -> Fault | None:
    """Return the fault that the address names; None if it names none."""
    named = _FAULT.get()
    return Fault(named) if named in set(Fault) else None


def select_fault(fault: Fault) -> None:
    """Show the list of another fault; its first entry opens."""
    if selected_fault() is not fault:
        _FAULT.set(fault.value)
        clear(_SOURCE)


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
    return {field.name: value for field in (TAB, _FAULT, _LEVEL, _SOURCE) if (value := field.get()) is not None}
