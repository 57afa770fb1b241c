"""The answers of a run as a list with pages: the search, the filters and the order, and the answer that is open."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import TypeVar

import streamlit as st

from faithview.domain.answer import AnswerFilter, AnswerPage, LabelState, Order, View
from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.errors import NotFound
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.services.weak_spots.slices import open_slice
from faithview.store.answers import count_to_check, list_answers, list_segments
from faithview.store.results import get_answer
from faithview.ui import opened_store
from faithview.ui.address import ROW, AddressWidget, Param, go, page_turner
from faithview.ui.widgets import run_menu
from faithview.ui.widgets.downloads import run_download
from faithview.wording import numbers as fmt
from faithview.wording.plain_text import plain_text
from faithview.wording.slices import slice_words
from faithview.wording.verdict_styles import CHECK_STYLE, STATE_WORDS, VERDICTS

SEARCH_LABEL = "Search the answers"
_KEY = "inspect.filter"
_PAGE_SIZE = 50
_T = TypeVar("_T", bound=StrEnum)
_ORDER_WORDS: Mapping[str, str] = {
    Order.HARM: "Most harm first",
    Order.UNSURE: "Judge least sure",
    Order.WRONG: "Most wrong claims",
    Order.WORST: "Lowest score",
    Order.BEST: "Highest score",
    Order.FILE: "File order",
}
_LABEL_WORDS: Mapping[str, str] = {
    LabelState.LABELLED: "labelled",
    LabelState.UNLABELLED: "not labelled",
    LabelState.DIFFERS: "judge and reviewers differ",
    LabelState.TO_CHECK: CHECK_STYLE.word,
}
_VERDICT_WORDS = {verdict.value: style.word for verdict, style in VERDICTS.items()}
_STATE_WORDS = {state.value: STATE_WORDS[state] for state in State}
_TYPE_WORDS = {kind.value: kind.value for kind in HallucinationType}
_ORDER_HELP = (
    "*Most harm first*: by the worst claim, contradictions first, then by severity times the judge's confidence; a "
    "reviewer's verdict counts as certain. *Judge least sure*: by the lowest confidence of a claim. *Most wrong "
    "claims*: by the number of claims that are not fully supported."
)


# ---- the address


def _members(of: type[_T]) -> Callable[[str], tuple[_T, ...]]:
    """Return what reads the members that a text names; what is none of them does not count."""
    known = {member.value: member for member in of}

    def parse(text: str) -> tuple[_T, ...]:
        names = [name.strip().casefold().replace(" ", "_") for name in text.split(",")]
        return tuple(known[name] for name in dict.fromkeys(names) if name in known)

    return parse


def join_names(names: Iterable[str]) -> str:
    r"""Return names as one text for the address, with a comma between them; a comma within a name becomes "\,"."""
    return ",".join(name.replace("\\", "\\\\").replace(",", "\\,") for name in names)


def split_names(text: str) -> tuple[str, ...]:
    """Return the names that `join_names` put into one text."""
    names, name, is_escaped = list[str](), "", False
    for letter in text:
        if is_escaped or letter not in "\\,":
            name, is_escaped = name + letter, False
        elif letter == "\\":
            is_escaped = True
        else:
            names, name = [*names, name], ""
    return (*names, name) if text else ()


def _confidence_ends(text: str) -> tuple[float | None, float | None]:
    """Return the ends of a range such as "0.2-0.8", of which one may be missing."""

    def share(end: str) -> float | None:
        try:
            value = float(end)
        except ValueError:
            return None
        return value if 0 <= value <= 1 else None

    low, _, high = text.partition("-")
    return share(low), share(high)


STATE, VERDICT = Param("state", _members(State)), Param("verdict", _members(Verdict))
TYPE, LABEL = Param("type", _members(HallucinationType)), Param("label", _members(LabelState))
SEGMENT, CONFIDENCE = Param("segment", split_names), Param("confidence", _confidence_ends)
CHUNK, SEARCH = Param("chunk", str), Param("q", str)
ORDER, SLICE = Param("order", _members(Order)), Param("slice", str)
_FILTERS = (STATE, VERDICT, TYPE, LABEL, SEGMENT, CONFIDENCE, CHUNK, SEARCH)


def named_filter() -> AnswerFilter:
    """Return the filter that the address names."""
    low, high = CONFIDENCE.get() or (None, None)
    return AnswerFilter(
        states=STATE.get() or (),
        verdicts=VERDICT.get() or (),
        hallucination_types=TYPE.get() or (),
        segments=SEGMENT.get() or (),
        label_states=LABEL.get() or (),
        least_confidence=low,
        most_confidence=high,
        chunk=CHUNK.get(),
        search=SEARCH.get(),
    )


def named_order() -> Order:
    """Return the order that the address names, else the most harmful answers first."""
    return next(iter(ORDER.get() or ()), Order.HARM)


def _change(run_id: str, **changes: str | None) -> None:
    """Filter or order the list differently; its first answer opens."""
    go(run=run_id, row=None, claim=None, **{name: text or None for name, text in changes.items()})


# ---- the filters


def choose_filters(run: Run, filters: AnswerFilter) -> None:
    """Draw the line; a choice changes the address before the next run of the script."""
    run_id = run.run_id
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _text_field(run_id, SEARCH.name, SEARCH_LABEL, filters.search, placeholder="Question, answer or id", width=200)
        chips = _chips(filters)
        words = f"Filter ({len(chips)})" if chips else "Filter"
        with st.popover(words, icon=":material/filter_list:", key="inspect.filters", on_change="rerun") as popover:
            if popover.open:
                _filter_form(run, filters)
        order = _widget(ORDER.name)
        st.selectbox(
            "Order",
            list(_ORDER_WORDS),
            format_func=_ORDER_WORDS.__getitem__,
            key=order.show(named_order().value),
            on_change=order.on_choice(lambda: _change(run_id, order=_order_name(order))),
            label_visibility="collapsed",
            help=_ORDER_HELP,
            width=180,
        )
        _to_check_button(run, filters)
        run_menu.ask_model_button(run, key="inspect.ask_model")
        for field, words in chips:
            st.button(
                words,
                icon=":material/close:",
                icon_position="right",
                type="tertiary",
                key=f"inspect.chip.{field}",
                on_click=partial(_change, run_id, **{field: None}),
            )


def _to_check_button(run: Run, filters: AnswerFilter) -> None:
    """Draw the button that lists the claims near the judge's cut; nothing if there are none, or they are listed."""
    if LabelState.TO_CHECK in filters.label_states:
        return
    if number := count_to_check(opened_store.store().db, run.run_id):
        st.button(
            f"{fmt.count(number)} to check",
            icon=CHECK_STYLE.material,
            type="tertiary",
            key="inspect.to_check",
            help=CHECK_STYLE.note,
            on_click=partial(_change, run.run_id, **{LABEL.name: LabelState.TO_CHECK.value}),
        )


def nothing_matches(run: Run) -> None:
    """Explain that no answer matches, and offer to clear the filters."""
    st.markdown("No answer matches these filters.")
    st.button(
        "Clear the filters",
        icon=":material/filter_alt_off:",
        key="empty.clear",
        on_click=partial(_change, run.run_id, **dict.fromkeys(one.name for one in _FILTERS)),
    )


def _filter_form(run: Run, filters: AnswerFilter) -> None:
    run_id = run.run_id
    left, right = st.columns(2)
    with left:
        _choices(run_id, VERDICT.name, "Verdict", _VERDICT_WORDS, filters.verdicts)
        _choices(run_id, TYPE.name, "Hallucination", _TYPE_WORDS, filters.hallucination_types)
        _confidence(run_id, filters)
        _text_field(run_id, CHUNK.name, "Chunk that the claim is based on", filters.chunk, placeholder="Id of a chunk")
    with right:
        _choices(run_id, LABEL.name, "Labels", _label_words(run, filters), filters.label_states)
        _choices(run_id, STATE.name, "Answer", _STATE_WORDS, filters.states)
        segments = {name: name for name in list_segments(opened_store.store().db, run_id)}
        if segments:
            _choices(
                run_id,
                SEGMENT.name,
                "Segment",
                segments,
                [name for name in filters.segments if name in segments],
            )
    st.caption("Within one filter, any value matches. Filters of claims must all match the same claim.")


def _label_words(run: Run, filters: AnswerFilter) -> Mapping[str, str]:
    """Return the words of the label states that can list something; states in the address are kept."""
    left_out = () if run.judge.may_be_near_cut else {LabelState.TO_CHECK}.difference(filters.label_states)
    return {state: words for state, words in _LABEL_WORDS.items() if state not in left_out}


def _choices(run_id: str, field: str, label: str, words: Mapping[str, str], chosen: Sequence[str]) -> None:
    widget = _widget(field)
    st.multiselect(
        label,
        list(words),
        format_func=words.__getitem__,
        key=widget.show([str(name) for name in chosen]),
        on_change=widget.on_choice(partial(_change_choices, run_id, field)),
        placeholder="Any",
    )


def _text_field(
    run_id: str, field: str, label: str, text: str | None, *, placeholder: str, width: int | None = None
) -> None:
    widget = _widget(field)
    st.text_input(
        label,
        key=widget.show(text or ""),
        type="search",
        placeholder=placeholder,
        label_visibility="collapsed" if width else "visible",
        width=width or "stretch",
        on_change=widget.on_choice(lambda: _change(run_id, **{field: widget.text()})),
    )


def _confidence(run_id: str, filters: AnswerFilter) -> None:
    widget = _widget(CONFIDENCE.name)
    st.slider(
        "Judge's confidence",
        0.0,
        1.0,
        step=0.05,
        key=widget.show(_range(filters)),
        on_change=widget.on_choice(partial(_change_confidence, run_id, widget)),
    )


def _range(filters: AnswerFilter) -> tuple[float, float]:
    low = 0.0 if filters.least_confidence is None else filters.least_confidence
    high = 1.0 if filters.most_confidence is None else filters.most_confidence
    return min(low, high), max(low, high)


def _widget(field: str) -> AddressWidget:
    return AddressWidget(f"{_KEY}.{field}")


def _change_choices(run_id: str, field: str) -> None:
    chosen = _widget(field).value()
    _change(run_id, **{field: join_names(str(name) for name in chosen) if isinstance(chosen, list) else None})


def _order_name(widget: AddressWidget) -> str | None:
    """Return the chosen order for the address, which leaves the usual one out."""
    chosen = str(widget.value())
    return None if chosen == Order.HARM else chosen


def _change_confidence(run_id: str, widget: AddressWidget) -> None:
    ends = widget.value()
    if not isinstance(ends, tuple):
        return
    low, high = ends
    words = f"{fmt.fixed(low, 2) if low > 0 else ''}-{fmt.fixed(high, 2) if high < 1 else ''}"
    _change(run_id, confidence=None if words == "-" else words)


def filter_words(filters: AnswerFilter) -> str:
    """Return the filters and the search as plain text, separated by " · "; empty for none."""
    words = [plain_text(text) for _, text in _chips(filters)]
    return " · ".join([*words, f"“{filters.search}”"] if filters.search else words)


def _chips(filters: AnswerFilter) -> list[tuple[str, str]]:
    """Return the filters in words; the search has its own field."""
    low, high = filters.least_confidence, filters.most_confidence
    parts = [
        (VERDICT.name, " or ".join(_VERDICT_WORDS[name] for name in filters.verdicts)),
        (TYPE.name, " or ".join(filters.hallucination_types)),
        (LABEL.name, " or ".join(_LABEL_WORDS[name] for name in filters.label_states)),
        (STATE.name, " or ".join(_STATE_WORDS[name] for name in filters.states)),
        (SEGMENT.name, " or ".join(fmt.literal(name) for name in filters.segments)),
        (CONFIDENCE.name, "" if low is None and high is None else f"confidence {_range_words(filters)}"),
        (CHUNK.name, f"chunk {fmt.literal(filters.chunk)}" if filters.chunk else ""),
    ]
    return [(field, words) for field, words in parts if words]


def _range_words(filters: AnswerFilter) -> str:
    low, high = _range(filters)
    return f"{fmt.fixed(low, 2)}–{fmt.fixed(high, 2)}"


# ---- the list


def find_row(run: Run) -> str | None:
    """Return the key of the answer that the address names by key or position; tell the reader if there is none."""
    named = ROW.get()
    if named is None:
        return None
    try:
        return get_answer(opened_store.store().db, run.run_id, named).sample.key
    except NotFound:
        words = f"The run has no row {fmt.literal(named)}; the first row is shown."
        st.info(words, icon=":material/link_off:")
        return None


def load_list(run_id: str, filters: AnswerFilter, *, around: str | None) -> AnswerPage:
    """Return the page of the list that holds the answer with that key; without one, the first."""
    return list_answers(
        opened_store.store().db,
        run_id,
        filters,
        view=View.REVIEWED,
        order=named_order(),
        limit=_PAGE_SIZE,
        around=around,
    )


def turn_pages(run: Run, filters: AnswerFilter, page: AnswerPage) -> None:
    """Draw below the list which of its answers are shown, the other pages, and the download of the run."""
    first, last = page.offset + 1, page.offset + len(page.rows)

    def turn_to(number: int) -> None:
        """Open the first answer of another page of the list."""
        offset = (number - 1) * _PAGE_SIZE
        of_page = list_answers(
            opened_store.store().db,
            run.run_id,
            filters,
            view=View.REVIEWED,
            order=named_order(),
            offset=offset,
            limit=1,
        )
        if of_page.rows:
            go(run=run.run_id, row=of_page.rows[0].key, claim=None)

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.count(page.total)}", width="content")
        page_turner(
            "inspect.pages",
            pages=max(1, -(-page.total // _PAGE_SIZE)),
            number=page.offset // _PAGE_SIZE + 1,
            on_turn=turn_to,
            most_shown=5,
        )
        run_download(run)


def within_slice(run: Run, filters: AnswerFilter) -> AnswerFilter:
    """Return the filters, restricted to the slice in the address if there is one, and say so on the page."""
    slice_id = SLICE.get()
    if slice_id is None:
        return filters
    rows = open_slice(opened_store.store(), run.run_id, slice_id, view=View.REVIEWED)
    if rows is None:
        st.info("This run has no such slice. All answers are shown.", icon=":material/link_off:")
        return filters
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect-slice"):
        mean = f"mean {fmt.share(rows.mean)}, n {fmt.count(len(rows.positions))}"
        st.markdown(f":material/filter_alt: Slice: {slice_words(rows.definition)} :small[({mean})]", width="content")
        st.button(
            "Show all answers",
            type="tertiary",
            icon=":material/close:",
            key="inspect.slice.leave",
            on_click=partial(go, slice=None),
        )
    return replace(filters, positions=rows.positions)
