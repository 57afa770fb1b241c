"""The answers of a run as a list with pages, and the one that is open."""

from dataclasses import dataclass, replace

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.run import Run
from faithview.domain.views import AnswerPage, AnswerRow, View
from faithview.services.results.answers import get_answer, list_answers
from faithview.ui.components.answer_list import answer_list
from faithview.ui.inspect import place
from faithview.ui.inspect.answer_filters import SEARCH_LABEL
from faithview.ui.inspect.place import Place
from faithview.ui.parts.downloads.page_downloads import answers_download
from faithview.ui.shell import app
from faithview.ui.shell.address_widget import page_turner
from faithview.wording import numbers as fmt

_PAGE_SIZE = 50
_NOTE = ".st-key-labels_note input"
_PAGE_KEYS = {
    "/": f'input[aria-label="{SEARCH_LABEL}"]',
    "?": ".st-key-inspect_keys button",
    "n": _NOTE,
    "Escape": _NOTE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of the list, with what the page looks at and the view that it was loaded for."""

    run: Run
    at: Place
    view: View
    page: AnswerPage
    number: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.page.total // _PAGE_SIZE))


def find_row(run: Run, at: Place) -> Place:
    """Return the place with the answer's key where the address has its position; tell the reader if there is none."""
    if at.row is None:
        return at
    try:
        key = get_answer(app.services(), run.run_id, at.row).sample.key
    except NotFound:
        st.info(
            f"The run has no row {fmt.literal(at.row)}; the first of the list is shown.", icon=":material/link_off:"
        )
        place.open_answer(run.run_id, None)
        return replace(at, row=None, claim=None)
    if key != at.row:
        place.open_answer(run.run_id, key, at.claim)
    return replace(at, row=key)


def load_list(run: Run, at: Place, view: View) -> Listing:
    """Return the page of the list that holds the answer in view; without one, the first."""
    page = list_answers(
        app.services(), run.run_id, at.filters, view=view, order=at.order, limit=_PAGE_SIZE, around=at.row
    )
    return Listing(run=run, at=at, view=view, page=page, number=page.offset // _PAGE_SIZE + 1)


def choose_answer(listing: Listing) -> AnswerRow:
    """Draw the list with its pages; return the answer that is open."""
    rows = listing.page.rows
    keys = [row.key for row in rows]
    row = listing.at.row
    opened = row if row in keys else keys[0]
    chosen = answer_list(rows, key="inspect.list", selected=opened, height=None, page_keys=_PAGE_KEYS) or opened
    if chosen != (row or keys[0]):
        place.open_answer(listing.run.run_id, chosen)
    page_turner(
        "inspect.pages",
        pages=listing.pages,
        number=listing.number,
        on_turn=lambda number: _turn_to(listing, number),
        most_shown=5,
    )
    first = listing.page.offset + 1
    last = first + len(rows) - 1
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xxsmall"):
        st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.count(listing.page.total)}", width="content")
        answers_download(listing.run, listing.at.filters, listing.at.order, listing.view)
        if st.button("Keys", type="tertiary", icon=":material/keyboard:", key="inspect_keys"):
            _key_sheet()
    return next(row for row in rows if row.key == chosen)


def _turn_to(listing: Listing, number: int) -> None:
    """Open the first answer of another page of the list."""
    at = listing.at
    page = list_answers(
        app.services(),
        listing.run.run_id,
        at.filters,
        view=listing.view,
        order=at.order,
        offset=(number - 1) * _PAGE_SIZE,
        limit=1,
    )
    if page.rows:
        place.open_answer(listing.run.run_id, page.rows[0].key)


@st.dialog("Keys")
def _key_sheet() -> None:
    st.markdown("\n".join(["| Key | Does |", "| --- | --- |", *(f"| {key} | {what} |" for key, what in _KEYS)]))
    st.caption("Keys rest while you type in a field.")


_KEYS = (
    ("J, K", "next and previous answer"),
    ("← →", "next and previous claim; in the claim list also ↑ ↓, Home and End"),
    ("Esc", "no claim selected"),
    ("Enter", "open the answer in focus"),
    ("1 – 5", "label the selected claim, in the order of the buttons"),
    ("U", "undo your label of the selected claim"),
    ("N", "write a note; Esc leaves it"),
    ("/", "search the answers"),
    ("?", "this sheet"),
)
