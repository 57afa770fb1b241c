"""The claims of a list in the place of a run's answers: one goes on through the list, and back to it."""

import json
from collections.abc import Mapping

import streamlit as st

from faithview.domain.answer import AnswerFilter, AnswerRow, View
from faithview.domain.inbox import ClaimGroup, InboxPage
from faithview.domain.run import Run
from faithview.store.answers import list_answers
from faithview.ui import address, navigation, opened_store, page_addresses, session
from faithview.ui.answers.listed_answers import PAGE_KEYS
from faithview.ui.page_addresses import AnswersPlace, WalkedClaims
from faithview.ui.widgets.answer_list import LABELLED, RowPayload, answer_list
from faithview.ui.widgets.listed_claims import claims_words, load_claims
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import NOT_A_CLAIM_WORD, verdict_word

_KEY = "inspect.claims"


def load_walk(walk: WalkedClaims | None, run: Run, at: AnswersPlace) -> InboxPage | None:
    """Return the list that the address names; None for none, and where it does not have an answer of that name."""
    if walk is None or at.row is None:
        return None
    page = load_claims(walk.filters, walk.page)
    is_listed = any((group.run_id, group.key) == (run.run_id, at.row) for group in page.groups)
    return page if is_listed else None


def way_back(walk: WalkedClaims, page: InboxPage) -> None:
    """Draw the button that leads back to the list."""
    words = fmt.literal(claims_words(walk.filters, page.total_groups))
    if st.button(words, icon=":material/arrow_back:", type="tertiary", key="inspect.back"):
        series = address.selected_series()
        shown = {} if series is None else address.series_link(series)
        st.switch_page(navigation.CLAIMS, query_params={**page_addresses.inbox_link(walk.filters, walk.page), **shown})


def choose_claim(page: InboxPage, run: Run, at: AnswersPlace) -> str:
    """Draw the list, with the claim in view as the open one; return that one's name in the list."""
    of_answer = [group for group in page.groups if (group.run_id, group.key) == (run.run_id, at.row)]
    opened = next((group for group in of_answer if group.claim_number == at.claim), of_answer[0])
    rows = [_row(group) for group in page.groups]
    answer_list(
        rows,
        key=_KEY,
        selected=_name(opened),
        height=None,
        page_keys=PAGE_KEYS,
        on_choice=_walk,
        others=(page.offset > 0, page.offset + len(page.groups) < page.total_groups),
        on_turn=_turn,
    )
    first, last = page.offset + 1, page.offset + len(page.groups)
    st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.count(page.total_groups)}")
    return _name(opened)


def answer_of(page: InboxPage, run: Run, at: AnswersPlace, view: View) -> AnswerRow | None:
    """Return the answer in view as a list has it."""
    positions = tuple(group.row for group in page.groups if (group.run_id, group.key) == (run.run_id, at.row))
    found = list_answers(opened_store.store().db, run.run_id, AnswerFilter(positions=positions), view=view, limit=1)
    return next(iter(found.rows), None)


def _walk() -> None:
    """Open the claim that the browser names, which comes from outside: the page looks it up as it does any address."""
    reported = session.widget_value(_KEY)
    choice = reported.get("choice") if isinstance(reported, Mapping) else None
    value = choice.get("value") if isinstance(choice, Mapping) else None
    try:
        run_id, key, number = json.loads(value if isinstance(value, str) else "")
    except (TypeError, ValueError):
        return
    if isinstance(run_id, str) and isinstance(key, str) and isinstance(number, int):
        page_addresses.walk_to(run_id, key, number)


def _turn(step: int) -> None:
    """Open the first claim of the list's next page, or the last one of the page before."""
    walk = page_addresses.walked_claims()
    if walk is None:
        return
    groups = load_claims(walk.filters, walk.page + step).groups
    if groups:
        group = groups[0 if step > 0 else -1]
        turned = page_addresses.WalkedClaims(filters=walk.filters, page=walk.page + step)
        page_addresses.walk_to(group.run_id, group.key, group.claim_number, turned=turned)


def _name(group: ClaimGroup) -> str:
    return json.dumps([group.run_id, group.key, group.claim_number])


def _row(group: ClaimGroup) -> RowPayload:
    word = NOT_A_CLAIM_WORD if group.verdict is None else verdict_word(group.verdict)
    return {
        "key": _name(group),
        "score": "",
        "state": "",
        "fault": None
        if group.verdict is None
        else {"verdict": group.verdict.value, "words": group.text, "is_quoted": True},
        "counts": word,
        "title": (group.question or group.run_name) if group.verdict is not None else group.text,
        "note": group.run_name if group.question else None,
        "labelled": LABELLED if group.label_state.is_labelled else None,
        "is_labelled": group.label_state.is_labelled,
    }
