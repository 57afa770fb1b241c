"""One answer of a run beside its chunks, with everything that can be done to its claims."""

import streamlit as st

from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.views import AnswerDetail, AnswerRow, View
from faithview.services.results.answers import get_answer, list_matching_claims
from faithview.services.review.labels import get_reviewed_answer
from faithview.ui.components.answer_view import answer_view
from faithview.ui.inspect import place, team_line
from faithview.ui.inspect.ablation import what_if
from faithview.ui.inspect.given_labels import given_labels
from faithview.ui.inspect.label_bar import label_in_place
from faithview.ui.inspect.label_keys import marks_of, take_keys
from faithview.ui.inspect.missed_claims import mark_button, missed_claim
from faithview.ui.inspect.place import Place
from faithview.ui.parts.judge_notes import judge_notes
from faithview.ui.shell import app
from faithview.wording import numbers as fmt
from faithview.wording.run_findings import unsupported_words
from faithview.wording.views import VIEW_WORDS


def answer_panel(run: Run, at: Place, row: AnswerRow, view: View) -> None:
    """Draw the answer; the selected claim goes into the address and can be labelled."""
    detail = get_answer(app.services(), run.run_id, row.key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _answer_line(detail, row, view)
        tools = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
    reviewed = get_reviewed_answer(app.services(), detail)
    marks = marks_of(detail, reviewed)
    wanted = _wanted_claim(detail, at, row, view)
    chosen = answer_view(
        detail.sample,
        detail.result,
        key="inspect.answer",
        claim=wanted,
        height=None,
        reviewed=reviewed,
        view=view,
        row=row.key,
        marks=marks,
    )
    if chosen != (wanted if wanted in range(1, len(marks) + 1) else None):
        place.open_answer(run.run_id, row.key, chosen or 0)
    judge_notes(detail.result)
    judged = len(detail.result.claims)
    with st.container(gap="xsmall"):
        if chosen is not None and chosen <= judged:
            label_in_place(run.run_id, detail.position, chosen)
        elif chosen is not None:
            missed_claim(detail, reviewed.missed[chosen - judged - 1], chosen)
        elif judged:
            st.caption("Select a claim, with ← → or a click, to label it.")
    given_labels(detail)
    with tools:
        if chosen is not None and chosen <= judged:
            what_if(run, detail, chosen)
        if detail.result.state is not State.PENDING:
            mark_button(detail)
        team_line.notes_line(run, row, chosen)
    take_keys(None if chosen is None else marks[chosen - 1], has_claims=bool(marks))


def _wanted_claim(detail: AnswerDetail, at: Place, row: AnswerRow, view: View) -> int | None:
    """Return the claim that the address names, else the first that the filters ask for; None for no claim."""
    if at.row == row.key and at.claim is not None:
        return at.claim or None
    if not at.filters.is_about_claims:
        return None
    return next(iter(list_matching_claims(app.services(), detail.run_id, detail.position, at.filters, view=view)), None)


def _answer_line(detail: AnswerDetail, row: AnswerRow, view: View) -> None:
    sample = detail.sample
    parts = [fmt.code(sample.key)]
    if row.faithfulness is not None:
        faithful = "faithful" if row.is_faithful else "not faithful"
        claims = f", {unsupported_words(row.claims)}" if any(row.claims.values()) else ""
        parts.append(f"**{fmt.share(row.faithfulness)}** {VIEW_WORDS[view]}, {faithful}{claims}")
    if sample.segment:
        parts.append(fmt.literal(sample.segment))
    if sample.timestamp:
        parts.append(fmt.day(sample.timestamp))
    st.caption(" · ".join(parts), width="stretch")
