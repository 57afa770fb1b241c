"""Answers: where does a run go wrong, and is the judge right?"""

import streamlit as st

from faithview.domain.answer import AnswerDetail, AnswerFilter, AnswerRow, View
from faithview.services.review.labels import claim_history
from faithview.store.answers import list_matching_claims
from faithview.store.results import get_answer
from faithview.ui import identity, opened_store, page_setup
from faithview.ui.address import CLAIM, go
from faithview.ui.answers import listed_answers, run_header
from faithview.ui.answers.answer_panel import below_the_answer, given_labels, given_marks, store_label
from faithview.ui.reader import payload
from faithview.ui.reader.reader import Choice, reader
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import choose_run, first_line
from faithview.ui.widgets.judge_notes import judge_notes
from faithview.wording import numbers as fmt

page_setup.require_app()


def first_claim(row: AnswerRow, filters: AnswerFilter, detail: AnswerDetail) -> int | None:
    """Return the claim that an answer is opened with: the first that the filters ask for, else the most harmful."""
    if not filters.is_about_claims:
        return None if row.worst is None else row.worst.number
    found = list_matching_claims(opened_store.store().db, detail.run_id, detail.position, filters, view=View.REVIEWED)
    return next(iter(found), None)


def about(row: AnswerRow, detail: AnswerDetail) -> str:
    """Return which answer it is: its score under the labels, its id, its segment and its day."""
    score = None if row.faithfulness is None else fmt.share(row.faithfulness)
    verdict = score and f"{score}, {'faithful' if row.is_faithful else 'not faithful'}"
    day = detail.sample.timestamp and fmt.day(detail.sample.timestamp)
    return " · ".join(words for words in (detail.sample.key, verdict, detail.sample.segment, day) if words)


line = first_line("Answers")
run = choose_run(line, width=240)  # next to the score and the buttons in a window of 1280 px
if run is None:
    empty_state.no_runs("This page will list a run's answers, the most harmful first, each next to its chunks.")
    st.stop()

filters = listed_answers.named_filter()
with st.container(gap="xsmall"):
    run_header.run_header(run, line, filters)
    listed_answers.choose_filters(run, filters)
    filters = listed_answers.within_slice(run, filters)
named = listed_answers.find_row(run)
page = listed_answers.load_list(run.run_id, filters, around=named)
if not page.total:
    listed_answers.nothing_matches(run)
    st.stop()

row = next((one for one in page.rows if one.key == named), page.rows[0])
detail = get_answer(opened_store.store().db, run.run_id, row.key)
history = claim_history(opened_store.store(), run.run_id, detail.position)
name = identity.current_reviewer()
claim = CLAIM.get() if row.key == named else None
if claim is None:
    claim = first_claim(row, filters, detail)


def choose(choice: Choice, run_id: str = run.run_id) -> None:
    """Label the claim, or open what was chosen."""
    if choice.verdict is not None and choice.row == row.key:
        store_label(detail, choice)
    if choice.row is not None and (choice.row != row.key or choice.claim != claim):
        is_same = choice.row == row.key
        number = choice.claim or 0 if is_same else choice.claim  # 0: the claim that was open is closed
        go(run=run_id, row=choice.row, claim=None if number is None else str(number))


reader(
    payload.answer(
        detail.sample,
        detail.result,
        labels=history,
        reviewer=name if identity.can_label(name) else None,
        given=given_marks(detail),
        about=about(row, detail),
    ),
    key="answers.reader",
    on_choice=choose,
    claim=claim or None,
    row=row.key,
    rows=[payload.list_row(one) for one in page.rows],
    height="max(26rem, calc(100dvh - 23rem))",
)
listed_answers.turn_pages(run, filters, page)
judge_notes(detail.result)
below_the_answer(detail, history, claim or None)
given_labels(detail)
