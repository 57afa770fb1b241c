"""Claims: which claims are not fully supported, in any run of the series in view, and how reviewers label them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from faithview.domain.certainty import CALIBRATED
from faithview.domain.inbox import (
    OPEN_VERDICTS,
    TO_CHECK,
    ClaimGroup,
    Facet,
    FacetValue,
    InboxFilter,
    InboxPage,
    LabelOutcome,
    make_filter,
)
from faithview.services.review import inbox
from faithview.services.review.inbox import CHECK_THIS, PAGE_SIZE, TO_LABEL, GivenLabel
from faithview.services.review.labels import LabelProvenance
from faithview.store.runs import count_runs
from faithview.ui import address, identity, navigation, opened_store, page_setup, series, session
from faithview.ui.address import AddressWidget, Param, page_turner, whole_number
from faithview.ui.reader.reader import CHOICES
from faithview.ui.service_calls import show_message, write
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import first_line
from faithview.wording import numbers as fmt
from faithview.wording.inbox import FACETS, LABEL_STATES, group_words, latest_words, value_words
from faithview.wording.verdict_styles import CHECK_STYLE, NOT_A_CLAIM_WORD, judged_label, verdict_word

page_setup.require_app()

_WORDS, _PAGE = Param("find", str), Param("page", whole_number)
# Not the names of other pages: "run" would take the series switch along.
_FIELDS = {facet: f"{facet.value}s" for facet in Facet}
_MESSAGES = "inbox"
# From 65 px on, Streamlit wraps texts in a row.
_HEIGHT, _ROW_HEIGHT = 590, 66  # px
_NOBODY = "Nobody"
_FIND_HELP = 'Finds claims with all words, in any order. Quotation marks find a phrase: "members limit".'
_NOTES: Mapping[Facet, str] = {
    Facet.VERDICT: "The agreed label, or the judge's verdict if there is none.",
    Facet.DOCUMENT: "The document of the first chunk that a claim cites; the 30 with the most claims.",
}
_TEXT = st.column_config.TextColumn


# ---- the address


def named_filter() -> InboxFilter:
    """Return the filter that the address names."""
    return make_filter(_WORDS.get() or "", {facet: st.query_params.get_all(name) for facet, name in _FIELDS.items()})


def named_page() -> int:
    """Return the page of the list that the address names, from 1."""
    return max(1, _PAGE.get() or 1)


def filter_link(filters: InboxFilter, page: int = 1) -> dict[str, str | list[str]]:
    """Return the address parameters of a page of the claims that a filter lets through."""
    parameters: dict[str, str | list[str]] = {_FIELDS[facet]: list(values) for facet, values in filters.chosen.items()}
    if filters.words:
        parameters[_WORDS.name] = filters.words
    if page > 1:
        parameters[_PAGE.name] = str(page)
    return parameters


def show(filters: InboxFilter, page: int = 1) -> None:
    """List other claims, as one step of the browser's history; for a callback."""
    if (filters, page) == (named_filter(), named_page()):
        return
    st.query_params.from_dict({**series.carried(with_run=True), **filter_link(filters, page)})


# ---- what is listed


def choose_tab(filters: InboxFilter) -> None:
    """Draw the tabs, which say how many claims they list."""
    tabs = {"all": ("Not fully supported", InboxFilter()), "to label": ("To label", TO_LABEL)}
    if (name := identity.current_reviewer()) is not None:
        tabs["mine"] = ("Assigned to me", make_filter("", {**TO_LABEL.chosen, Facet.ASSIGNEE: [name]}))
    tabs["check"] = (CHECK_STYLE.word.capitalize(), CHECK_THIS)
    counts = {
        key: inbox.count_claims(opened_store.store(), wanted, series=series.in_view())
        for key, (_, wanted) in tabs.items()
    }
    if not counts["check"] and filters != CHECK_THIS:
        del tabs["check"]  # most judges have no such claims
    widget = AddressWidget("inbox.tab")
    key = widget.show(next((key for key, (_, wanted) in tabs.items() if wanted == filters), None))

    def open_tab() -> None:
        if (chosen := tabs.get(str(widget.value()))) is not None:  # None: the open tab was pressed again
            show(chosen[1])

    st.segmented_control(
        "Tabs",
        list(tabs),
        format_func=lambda tab: f"{tabs[tab][0]} {fmt.count(counts[tab])}",
        key=key,
        label_visibility="collapsed",
        on_change=widget.on_choice(open_tab),
    )


def choose_words(filters: InboxFilter) -> None:
    """Draw the field for words of a claim."""
    widget = AddressWidget("inbox.find")
    st.text_input(
        "Find in claims",
        key=widget.show(filters.words),
        type="search",
        placeholder='Words of a claim; "a phrase"',
        help=_FIND_HELP,
        label_visibility="collapsed",
        width=280,
        on_change=widget.on_choice(lambda: show(make_filter(widget.text() or "", named_filter().chosen))),
    )


def choose_facets(filters: InboxFilter) -> None:
    """Draw the filters, with the number of claims behind each value; they are counted when the user opens them."""
    words = f"Filter ({len(filters.chosen)})" if filters.chosen else "Filter"
    with st.popover(words, icon=":material/filter_list:", key="inbox.filter", on_change="rerun") as popover:
        if popover.open:
            facets = inbox.count_facets(opened_store.store(), filters, series=series.in_view())
            columns = st.columns(2)
            for number, facet in enumerate(Facet):
                with columns[number % 2]:
                    choose_facet(facet, {one.value: one for one in facets[facet]}, filters)
    if filters != InboxFilter():
        st.button(
            "Clear", icon=":material/close:", type="tertiary", key="inbox.clear", on_click=partial(show, InboxFilter())
        )


def choose_facet(facet: Facet, values: Mapping[str, FacetValue], filters: InboxFilter) -> None:
    """Draw one filter."""
    widget = AddressWidget(f"inbox.{facet}")

    def choose() -> None:
        chosen = widget.value()
        values = [str(value) for value in chosen] if isinstance(chosen, list) else []
        show(named_filter().with_facet(facet, values))

    is_open_only = facet is Facet.VERDICT and not filters.chosen.get(facet)
    st.multiselect(
        FACETS[facet],
        list(values),
        format_func=lambda value: (
            f"{value_words(facet, value, values[value].name)} ({fmt.count(values[value].claims)})"
        ),
        key=widget.show(list(filters.chosen.get(facet, ()))),
        placeholder="Not fully supported" if is_open_only else "Any",
        help=_NOTES.get(facet),
        on_change=widget.on_choice(choose),
    )


def load_page(filters: InboxFilter) -> InboxPage:
    """Return the page of the list that the address names, or its last one where it has fewer."""
    store, offset = opened_store.store(), (named_page() - 1) * PAGE_SIZE
    page = inbox.list_groups(store, filters, series=series.in_view(), offset=offset)
    if page.groups or not page.total_groups:
        return page
    last = (page.total_groups - 1) // PAGE_SIZE
    return inbox.list_groups(store, filters, series=series.in_view(), offset=last * PAGE_SIZE)


# ---- the claims


def verdict_cell(group: ClaimGroup) -> str:
    """Return the verdict on a claim with its icon: the reviewers' where there is one."""
    if group.verdict is None:
        return NOT_A_CLAIM_WORD
    return judged_label(group.verdict, group.certainty)


def draw_table(page: InboxPage, filters: InboxFilter, key: str) -> None:
    """Draw the claims, equal ones as one row; a tick is for the buttons above, a click opens the claim's answer."""
    frame = pd.DataFrame(
        {
            "verdict": verdict_cell(group),
            "claim": group.text,
            # The judge's reasons speak of the judge's verdict.
            "why": "" if group.label_state is LabelOutcome.OVERRULED else group.explanation,
            "where": "; ".join(filter(None, (group_words(group), latest_words(group)))),
            "labels": LABEL_STATES[group.label_state] if group.label_state is not LabelOutcome.UNLABELLED else "",
            "assigned": ", ".join(group.assignees),
        }
        for group in page.groups
    )
    if not frame["assigned"].any():
        frame = frame.drop(columns="assigned")
    event = st.dataframe(
        frame,
        key=key,
        hide_index=True,
        height=min(_HEIGHT, 38 + _ROW_HEIGHT * len(frame)),
        row_height=_ROW_HEIGHT,
        on_select="rerun",
        selection_mode=["multi-row", "single-cell"],
        column_config={
            "verdict": _TEXT("Verdict", width=136),
            "claim": _TEXT("Claim", width=290),
            "why": _TEXT("Why", width=210),
            "where": _TEXT("Where", width=136),
            "labels": _TEXT("Labels", width=100),
            "assigned": _TEXT("Assigned to", width=90),
        },
        alt="Claims with their verdict, the judge's reason, their runs and their labels.",
    )
    cells = event.selection.cells
    if cells and cells[0][0] < len(page.groups):
        group = page.groups[cells[0][0]]
        # Streamlit puts the parameters of the next page into the address of this one first, so the filter goes along.
        here = filter_link(filters, page.offset // PAGE_SIZE + 1)
        st.switch_page(
            navigation.ANSWERS, query_params={**here, **address.link(group.run_id, group.key, group.claim_number)}
        )


def ticked(page: InboxPage, key: str) -> list[int]:
    """Return the ids of the claims that are ticked."""
    state = session.widget_value(key)
    rows = state["selection"]["rows"] if isinstance(state, Mapping) else []
    return [page.groups[row].claim_id for row in rows if row < len(page.groups)]


def draw_actions(filters: InboxFilter, claims: Sequence[int], turn: int) -> None:
    """Draw the buttons that label the ticked claims, and whom to assign them to."""
    for digit, choice in enumerate(CHOICES, start=1):
        st.button(
            verdict_word(choice).capitalize(),
            key=f"inbox.label.{choice}",
            shortcut=str(digit),
            disabled=not claims,
            on_click=partial(label_claims, filters, claims, choice),
        )
    key = f"inbox.assign.{turn}"
    st.selectbox(
        "Assign to",
        [*identity.names_to_choose(), _NOBODY],
        index=None,
        placeholder="Assign to",
        accept_new_options=identity.known_reviewers() is None,
        label_visibility="collapsed",
        key=key,
        width=150,
        disabled=not claims,
        on_change=lambda: assign_claims(filters, claims, session.widget_text(key)),
    )


def act(action: Callable[[], tuple[str, Sequence[GivenLabel]]], filters: InboxFilter) -> None:
    """Do something to claims, and keep for the next run what it did and the labels that it gave; for a callback."""

    def do() -> None:
        words, given = action()
        session.INBOX_DONE.set((filters, words, given))
        session.INBOX_TURN.set(session.INBOX_TURN.get() + 1)

    session.INBOX_DONE.clear()
    write(do, place=_MESSAGES, refusal=identity.why_cannot_label(identity.current_reviewer()))


def label_claims(filters: InboxFilter, claims: Sequence[int], choice: str) -> None:
    """Label the ticked claims."""

    def label() -> tuple[str, Sequence[GivenLabel]]:
        by = LabelProvenance(reviewer=identity.current_reviewer() or "")
        given = inbox.label_groups(opened_store.store(), claims, filters, choice, by, series=series.in_view())
        words = f"Labelled {fmt.plural(len(given), 'claim')}: {verdict_word(choice)}."
        return f"{words} The label counts for equal claims on the same chunks.", given

    act(label, filters)


def assign_claims(filters: InboxFilter, claims: Sequence[int], name: str | None) -> None:
    """Assign the ticked claims to a reviewer, or remove their assignment."""

    def assign() -> tuple[str, Sequence[GivenLabel]]:
        reviewer = None if name == _NOBODY else name
        number = inbox.assign_groups(opened_store.store(), claims, filters, reviewer=reviewer, series=series.in_view())
        return f"{fmt.plural(number, 'claim')} assigned to {fmt.literal(name or _NOBODY)}.", []

    act(assign, filters)


def take_back(filters: InboxFilter, given: Sequence[GivenLabel]) -> None:
    """Take back labels that were given together."""

    def retract() -> tuple[str, Sequence[GivenLabel]]:
        by = LabelProvenance(reviewer=identity.current_reviewer() or "")
        inbox.retract_together(opened_store.store(), given, by)
        return f"Took {fmt.plural(len(given), 'label')} back.", []

    act(retract, filters)


# ---- the page

line = first_line("Claims")
if not empty_state.has_runs():
    empty_state.no_runs("This page will list their claims that are not fully supported.")
    st.stop()

filters = named_filter()
runs = fmt.plural(count_runs(opened_store.store().db, series=series.in_view()), "run")
of_series = f" of {fmt.literal(name)}" if (name := series.in_view()) else ""
is_open_only = set(filters.values(Facet.VERDICT)) <= set(OPEN_VERDICTS)
is_to_check = TO_CHECK in filters.values(Facet.LABEL)  # they are called supported, but only just
which = " that are not fully supported," if is_open_only and not is_to_check else ""
line.what.caption(f"Claims{which} in {runs}{of_series}")

with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
    choose_tab(filters)
    choose_words(filters)
    choose_facets(filters)
page = load_page(filters)
if not page.groups:
    if filters == InboxFilter():
        st.markdown("Every claim in these runs is supported or already resolved.")
    elif filters == CHECK_THIS:
        judges = fmt.listed([f"`{judge}`" for judge in sorted(CALIBRATED)])
        st.markdown(f"No claim in these runs is left to check. Only claims of {judges} read *check this*.")
    else:
        st.markdown("No claim matches these filters.")
    st.stop()

turn = session.INBOX_TURN.get()
# Other claims, or a press over these ones, make another table, in which nothing is ticked.
table = f"inbox.table.{turn}.{'.'.join(str(group.claim_id) for group in page.groups)}"
if identity.can_label(identity.current_reviewer()):
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        draw_actions(filters, ticked(page, table), turn)
elif identity.may_give_name():
    identity.ask_reviewer()
show_message(_MESSAGES)
done = session.INBOX_DONE.get()
with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
    if done is not None and done[0] == filters:
        st.markdown(f":material/check: {done[1]}", width="content")
        if done[2]:
            st.button(
                "Undo",
                icon=":material/undo:",
                type="tertiary",
                key="inbox.undo",
                on_click=partial(take_back, filters, done[2]),
            )
    else:
        first, last = page.offset + 1, page.offset + len(page.groups)
        st.caption(
            f"{fmt.count(first)}–{fmt.count(last)} of {fmt.plural(page.total_groups, 'different claim')}, "
            f"{fmt.plural(page.total_claims, 'time')} in all, most harm first. Click one to open its answer."
        )
draw_table(page, filters, table)
page_turner(
    "inbox.pages",
    pages=-(-page.total_groups // PAGE_SIZE),
    number=page.offset // PAGE_SIZE + 1,
    on_turn=partial(show, filters),
)
