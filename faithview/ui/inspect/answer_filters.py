"""The search, the filters and the order of a run's answers: one line, with the filters behind a button."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from faithview.domain.claim import HallucinationType
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.views import AnswerFilter, LabelState, Order
from faithview.services.results.answers import list_segments
from faithview.ui.inspect import place
from faithview.ui.inspect.place import Place
from faithview.ui.shell import app
from faithview.ui.shell.address_field import AddressField
from faithview.ui.shell.address_widget import AddressWidget
from faithview.wording import numbers as fmt
from faithview.wording.plain_text import plain_text
from faithview.wording.verdicts import STATE_WORDS, VERDICTS

SEARCH_LABEL = "Search the answers"
_KEY = "inspect.filter"
_ORDER_WORDS: Mapping[str, str] = {
    Order.HARM: "Most harm first",
    Order.UNSURE: "Judge least sure",
    Order.WRONG: "Most claims wrong",
    Order.WORST: "Lowest score",
    Order.BEST: "Highest score",
    Order.FILE: "File order",
}
_LABEL_WORDS: Mapping[str, str] = {
    LabelState.LABELLED: "labelled",
    LabelState.UNLABELLED: "not labelled",
    LabelState.DIFFERS: "judge and people differ",
}
_VERDICT_WORDS = {verdict.value: style.word for verdict, style in VERDICTS.items()}
_STATE_WORDS = {state.value: STATE_WORDS[state] for state in State}
_TYPE_WORDS = {kind.value: kind.value for kind in HallucinationType}


def choose_filters(run: Run, at: Place) -> None:
    """Draw the line; a choice changes the address before the next run of the script."""
    run_id, filters = run.run_id, at.filters
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _text_field(run_id, place.SEARCH, SEARCH_LABEL, filters.search, placeholder="Question, answer or id", width=200)
        chips = _chips(filters)
        with st.popover(
            f"Filter ({len(chips)})" if chips else "Filter", icon=":material/filter_list:", width="content"
        ):
            _filter_form(run, filters)
        order = _widget(place.ORDER)
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
        for field, words in chips:
            st.button(
                words,
                icon=":material/close:",
                icon_position="right",
                type="tertiary",
                key=f"inspect.chip.{field.name}",
                help="Remove this filter",
                on_click=partial(place.change_filters, run_id, {field: None}),
            )


def nothing_matches(run: Run) -> None:
    """Explain that no answer matches, and offer to clear the filters."""
    st.markdown("No answer matches these filters.")
    st.button(
        "Clear the filters",
        icon=":material/filter_alt_off:",
        key="empty.clear",
        on_click=partial(place.clear_filters, run.run_id),
    )


def _filter_form(run: Run, filters: AnswerFilter) -> None:
    run_id = run.run_id
    left, right = st.columns(2)
    with left:
        _choices(run_id, place.VERDICT, "Verdict", _VERDICT_WORDS, filters.verdicts)
        _choices(run_id, place.TYPE, "Hallucination", _TYPE_WORDS, filters.hallucination_types)
        _confidence(run_id, filters)
        _text_field(run_id, place.CHUNK, "Chunk that the claim rests on", filters.chunk, placeholder="Id of a chunk")
    with right:
        _choices(run_id, place.LABEL, "Labels", _LABEL_WORDS, filters.label_states)
        _choices(run_id, place.STATE, "Answer", _STATE_WORDS, filters.states)
        segments = {name: name for name in list_segments(app.services(), run_id)}
        if segments:
            _choices(
                run_id, place.SEGMENT, "Segment", segments, [name for name in filters.segments if name in segments]
            )
    st.caption("Within one filter, any value matches. Across filters, one claim must match all.")


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
        on_change=widget.on_choice(lambda: place.change_filters(run_id, {field: widget.text()})),
    )


def _confidence(run_id: str, filters: AnswerFilter) -> None:
    widget = _widget(place.CONFIDENCE)
    st.slider(
        "Judge's confidence",
        0.0,
        1.0,
        step=0.05,
        key=widget.show(_range(filters)),
        on_change=widget.on_choice(partial(_change_confidence, run_id, widget)),
        help="A claim without a confidence is in no range.",
    )


def _range(filters: AnswerFilter) -> tuple[float, float]:
    low = 0.0 if filters.least_confidence is None else filters.least_confidence
    high = 1.0 if filters.most_confidence is None else filters.most_confidence
    return min(low, high), max(low, high)


def _widget(field: AddressField) -> AddressWidget:
    return AddressWidget(f"{_KEY}.{field.name}")


def _change_choices(run_id: str, field: AddressField) -> None:
    chosen = _widget(field).value()
    place.change_filters(
        run_id, {field: place.join(str(name) for name in chosen) if isinstance(chosen, list) else None}
    )


def _change_order(run_id: str, widget: AddressWidget) -> None:
    order = str(widget.value())
    place.change_filters(run_id, {place.ORDER: None if order == Order.HARM else order})


def _change_confidence(run_id: str, widget: AddressWidget) -> None:
    ends = widget.value()
    if not isinstance(ends, tuple):
        return
    low, high = ends
    words = f"{fmt.fixed(low, 2) if low > 0 else ''}-{fmt.fixed(high, 2) if high < 1 else ''}"
    place.change_filters(run_id, {place.CONFIDENCE: None if words == "-" else words})


def filter_words(filters: AnswerFilter) -> str:
    """Return the filters and the search as plain text, separated by " · "; empty for none."""
    words = [plain_text(text) for _, text in _chips(filters)]
    return " · ".join([*words, f"“{filters.search}”"] if filters.search else words)


def _chips(filters: AnswerFilter) -> list[tuple[AddressField, str]]:
    """Return what is filtered by, in words; the search has its own field."""
    low, high = filters.least_confidence, filters.most_confidence
    parts = [
        (place.VERDICT, " or ".join(_VERDICT_WORDS[name] for name in filters.verdicts)),
        (place.TYPE, " or ".join(filters.hallucination_types)),
        (place.LABEL, " or ".join(_LABEL_WORDS[name] for name in filters.label_states)),
        (place.STATE, " or ".join(_STATE_WORDS[name] for name in filters.states)),
        (place.SEGMENT, " or ".join(fmt.literal(name) for name in filters.segments)),
        (place.CONFIDENCE, "" if low is None and high is None else f"confidence {_range_words(filters)}"),
        (place.CHUNK, f"chunk {fmt.literal(filters.chunk)}" if filters.chunk else ""),
    ]
    return [(field, words) for field, words in parts if words]


def _range_words(filters: AnswerFilter) -> str:
    low, high = _range(filters)
    return f"{fmt.fixed(low, 2)}–{fmt.fixed(high, 2)}"


_ORDER_HELP = (
    "Harm: the severity of a claim times the judge's confidence, contradictions first; an answer ranks by its worst "
    "claim. Judge least sure: the lowest confidence of a claim. Most claims wrong: claims that are not fully supported."
)
