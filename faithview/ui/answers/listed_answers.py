"""The answers of a run as a list with pages: the search, the filters and the order, and the answer that is open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from faithview.domain.answer import AnswerFilter, AnswerPage, LabelState, Order, View
from faithview.domain.claim import HallucinationType
from faithview.domain.errors import NotFound
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.services.weak_spots.slices import open_slice
from faithview.store.answers import count_to_check, list_answers, list_segments
from faithview.store.results import get_answer
from faithview.ui import address, opened_store, page_addresses
from faithview.ui.address import AddressField, AddressWidget, page_turner
from faithview.ui.page_addresses import AnswersPlace
from faithview.ui.widgets import run_menu
from faithview.ui.widgets.downloads import run_download
from faithview.wording import numbers as fmt
from faithview.wording.plain_text import plain_text
from faithview.wording.slices import slice_words
from faithview.wording.verdict_styles import CHECK_STYLE, STATE_WORDS, VERDICTS

SEARCH_LABEL = "Search the answers"
_KEY = "inspect.filter"
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


def choose_filters(run: Run, at: AnswersPlace) -> None:
    """Draw the line; a choice changes the address before the next run of the script."""
    run_id, filters = run.run_id, at.filters
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _text_field(
            run_id, page_addresses.SEARCH, SEARCH_LABEL, filters.search, placeholder="Question, answer or id", width=200
        )
        chips = _chips(filters)
        with st.popover(
            f"Filter ({len(chips)})" if chips else "Filter", icon=":material/filter_list:", width="content"
        ):
            _filter_form(run, filters)
        order = _widget(page_addresses.ORDER)
        st.selectbox(
            "Order",
            list(_ORDER_WORDS),
            format_func=_ORDER_WORDS.__getitem__,
            key=order.show(at.order.value),
            on_change=order.on_choice(partial(_change_order, run_id, order)),
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
                key=f"inspect.chip.{field.name}",
                on_click=partial(page_addresses.change_answer_filters, run_id, {field: None}),
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
            on_click=partial(
                page_addresses.change_answer_filters, run.run_id, {page_addresses.LABEL: LabelState.TO_CHECK.value}
            ),
        )


def nothing_matches(run: Run) -> None:
    """Explain that no answer matches, and offer to clear the filters."""
    st.markdown("No answer matches these filters.")
    st.button(
        "Clear the filters",
        icon=":material/filter_alt_off:",
        key="empty.clear",
        on_click=partial(page_addresses.clear_answer_filters, run.run_id),
    )


def _filter_form(run: Run, filters: AnswerFilter) -> None:
    run_id = run.run_id
    left, right = st.columns(2)
    with left:
        _choices(run_id, page_addresses.VERDICT, "Verdict", _VERDICT_WORDS, filters.verdicts)
        _choices(run_id, page_addresses.TYPE, "Hallucination", _TYPE_WORDS, filters.hallucination_types)
        _confidence(run_id, filters)
        _text_field(
            run_id, page_addresses.CHUNK, "Chunk that the claim is based on", filters.chunk, placeholder="Id of a chunk"
        )
    with right:
        _choices(run_id, page_addresses.LABEL, "Labels", _label_words(run, filters), filters.label_states)
        _choices(run_id, page_addresses.STATE, "Answer", _STATE_WORDS, filters.states)
        segments = {name: name for name in list_segments(opened_store.store().db, run_id)}
        if segments:
            _choices(
                run_id,
                page_addresses.SEGMENT,
                "Segment",
                segments,
                [name for name in filters.segments if name in segments],
            )
    st.caption("Within one filter, any value matches. Filters of claims must all match the same claim.")


def _label_words(run: Run, filters: AnswerFilter) -> Mapping[str, str]:
    """Return the words of the label states that can list something; states in the address are kept."""
    left_out = () if run.judge.may_be_near_cut else {LabelState.TO_CHECK}.difference(filters.label_states)
    return {state: words for state, words in _LABEL_WORDS.items() if state not in left_out}


def _choices(run_id: str, field: AddressField, label: str, words: Mapping[str, str], chosen: Sequence[str]) -> None:
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
    run_id: str, field: AddressField, label: str, text: str | None, *, placeholder: str, width: int | None = None
) -> None:
    widget = _widget(field)
    st.text_input(
        label,
        key=widget.show(text or ""),
        type="search",
        placeholder=placeholder,
        label_visibility="collapsed" if width else "visible",
        width=width or "stretch",
        on_change=widget.on_choice(lambda: page_addresses.change_answer_filters(run_id, {field: widget.text()})),
    )


def _confidence(run_id: str, filters: AnswerFilter) -> None:
    widget = _widget(page_addresses.CONFIDENCE)
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


def _widget(field: AddressField) -> AddressWidget:
    return AddressWidget(f"{_KEY}.{field.name}")


def _change_choices(run_id: str, field: AddressField) -> None:
    chosen = _widget(field).value()
    page_addresses.change_answer_filters(
        run_id, {field: page_addresses.join_names(str(name) for name in chosen) if isinstance(chosen, list) else None}
    )


def _change_order(run_id: str, widget: AddressWidget) -> None:
    order = str(widget.value())
    page_addresses.change_answer_filters(run_id, {page_addresses.ORDER: None if order == Order.HARM else order})


def _change_confidence(run_id: str, widget: AddressWidget) -> None:
    ends = widget.value()
    if not isinstance(ends, tuple):
        return
    low, high = ends
    words = f"{fmt.fixed(low, 2) if low > 0 else ''}-{fmt.fixed(high, 2) if high < 1 else ''}"
    page_addresses.change_answer_filters(run_id, {page_addresses.CONFIDENCE: None if words == "-" else words})


def filter_words(filters: AnswerFilter) -> str:
    """Return the filters and the search as plain text, separated by " · "; empty for none."""
    words = [plain_text(text) for _, text in _chips(filters)]
    return " · ".join([*words, f"“{filters.search}”"] if filters.search else words)


def _chips(filters: AnswerFilter) -> list[tuple[AddressField, str]]:
    """Return the filters in words; the search has its own field."""
    low, high = filters.least_confidence, filters.most_confidence
    parts = [
        (page_addresses.VERDICT, " or ".join(_VERDICT_WORDS[name] for name in filters.verdicts)),
        (page_addresses.TYPE, " or ".join(filters.hallucination_types)),
        (page_addresses.LABEL, " or ".join(_LABEL_WORDS[name] for name in filters.label_states)),
        (page_addresses.STATE, " or ".join(_STATE_WORDS[name] for name in filters.states)),
        (page_addresses.SEGMENT, " or ".join(fmt.literal(name) for name in filters.segments)),
        (page_addresses.CONFIDENCE, "" if low is None and high is None else f"confidence {_range_words(filters)}"),
        (page_addresses.CHUNK, f"chunk {fmt.literal(filters.chunk)}" if filters.chunk else ""),
    ]
    return [(field, words) for field, words in parts if words]


def _range_words(filters: AnswerFilter) -> str:
    low, high = _range(filters)
    return f"{fmt.fixed(low, 2)}–{fmt.fixed(high, 2)}"


_ORDER_HELP = (
    "*Most harm first*: by the worst claim, contradictions first, then by severity times the judge's confidence; a "
    "reviewer's verdict counts as certain. *Judge least sure*: by the lowest confidence of a claim. *Most wrong "
    "claims*: by the number of claims that are not fully supported."
)


_PAGE_SIZE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of the list, with what the page looks at and the view that it was loaded for."""

    run: Run
    at: AnswersPlace
    view: View
    page: AnswerPage
    number: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.page.total // _PAGE_SIZE))


def find_row(run: Run, at: AnswersPlace) -> AnswersPlace:
    """Return the place with the answer's key where the address has its position; tell the reader if there is none."""
    if at.row is None:
        return at
    try:
        key = get_answer(opened_store.store().db, run.run_id, at.row).sample.key
    except NotFound:
        st.info(f"The run has no row {fmt.literal(at.row)}; the first row is shown.", icon=":material/link_off:")
        page_addresses.open_answer(run.run_id, None)
        return replace(at, row=None, claim=None)
    if key != at.row:
        page_addresses.open_answer(run.run_id, key, at.claim)
    return replace(at, row=key)


def load_list(run: Run, at: AnswersPlace, view: View) -> Listing:
    """Return the page of the list that holds the answer in view; without one, the first."""
    page = list_answers(
        opened_store.store().db, run.run_id, at.filters, view=view, order=at.order, limit=_PAGE_SIZE, around=at.row
    )
    return Listing(run=run, at=at, view=view, page=page, number=page.offset // _PAGE_SIZE + 1)


def turn_pages(listing: Listing) -> None:
    """Draw below the list which of its answers are shown, the other pages, and the download of the run."""
    first = listing.page.offset + 1
    last = first + len(listing.page.rows) - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.count(listing.page.total)}", width="content")
        page_turner(
            "inspect.pages",
            pages=listing.pages,
            number=listing.number,
            on_turn=lambda number: _turn_to(listing, number),
            most_shown=5,
        )
        run_download(listing.run, listing.view)


def _turn_to(listing: Listing, number: int) -> None:
    """Open the first answer of another page of the list."""
    at = listing.at
    page = list_answers(
        opened_store.store().db,
        listing.run.run_id,
        at.filters,
        view=listing.view,
        order=at.order,
        offset=(number - 1) * _PAGE_SIZE,
        limit=1,
    )
    if page.rows:
        page_addresses.open_answer(listing.run.run_id, page.rows[-1].key)


def within_slice(run: Run, filters: AnswerFilter, view: View) -> AnswerFilter:
    """Return the filters, restricted to the slice in the address if there is one, and say so on the page."""
    slice_id = address.selected_slice()
    if slice_id is None:
        return filters
    rows = open_slice(opened_store.store(), run.run_id, slice_id, view=view)
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
            on_click=address.leave_slice,
        )
    return replace(filters, positions=rows.positions)
