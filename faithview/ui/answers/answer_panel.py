"""One answer of a run beside its chunks, with everything that can be done to its claims."""

import streamlit as st

from faithview.domain.answer import AnswerDetail, AnswerFilter, AnswerRow, View
from faithview.domain.claim import ClaimRef
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.services.given_labels import GivenByPeople, Mark, given_label_of
from faithview.services.review.labels import get_reviewed_answer
from faithview.store.answers import list_matching_claims
from faithview.store.results import get_answer
from faithview.ui import opened_store, page_addresses, session
from faithview.ui.answers.labels import label_in_place, mark_button, marks_of, missed_claim, take_keys
from faithview.ui.page_addresses import AnswersPlace
from faithview.ui.widgets.answer_payload import GivenMark
from faithview.ui.widgets.answer_view import answer_view
from faithview.ui.widgets.judge_notes import judge_notes
from faithview.ui.widgets.notes import claim_notes
from faithview.wording import numbers as fmt
from faithview.wording.findings import unsupported_words
from faithview.wording.numbers import VIEW_WORDS
from faithview.wording.verdict_styles import VERDICTS

_HELP = "Labels that came with the data set. They do not affect any score in this run."


def given_labels(detail: AnswerDetail) -> None:
    """Draw what the data set says of the answer; nothing if it says nothing."""
    given = given_label_of(detail.sample)
    if given is None:
        return
    if not given.marks:
        st.caption(whole_line(given), help=_HELP)
        return
    with st.expander(whole_line(given)):
        st.caption(_HELP)
        for mark in given.marks:
            with st.container(gap=None):
                st.caption(mark_line(mark, detail))
                st.text(detail.sample.answer[mark.start : mark.end])


def _marked_words(detail: AnswerDetail) -> list[tuple[int, int, GivenMark]]:
    given = given_label_of(detail.sample)
    return [
        (mark.start, mark.end, {"verdict": str(mark.verdict), "words": _said(mark)})
        for mark in (given.marks if given else None) or ()
    ]


def _said(mark: Mark) -> str:
    words = f"marked {VERDICTS[mark.verdict].word}"
    return f"{words}: {mark.note}" if mark.note else words


def whole_line(given: GivenByPeople) -> str:
    """Return in Markdown what the data set says of the answer as a whole."""
    who = fmt.literal(given.by)
    if given.is_faithful is None:
        return f"{who}: the label of this answer cannot be read: {fmt.literal(given.problem)}."
    said = "faithful" if given.is_faithful else "not faithful"
    marked = "" if given.marks is None else f", {fmt.plural(len(given.marks), 'mark')}"
    return f"{who}: labelled **{said}**{marked}"


def mark_line(mark: Mark, detail: AnswerDetail) -> str:
    """Return in Markdown what an annotator marked, and what the judge says about the same words."""
    claims = detail.result.claims
    judged = [
        f"claim {number}: {VERDICTS[claims[number - 1].verdict].word} by the judge" for number in mark.claims(claims)
    ]
    parts = [
        f"marked **{VERDICTS[mark.verdict].word}**",
        *([fmt.literal(mark.note)] if mark.note else []),
        *(judged or ["not part of any claim that the judge found"]),
    ]
    return " · ".join(parts)


def notes_line(run: Run, row: AnswerRow, number: int | None) -> None:
    """Draw the notes on the selected claim."""
    if number is not None and number <= sum(row.claims.values()):
        place = ClaimRef(run_id=run.run_id, row=row.position, claim_number=number)
        claim_notes(place, key=f"inspect.{run.run_id}.{row.position}.{number}")


def answer_panel(run: Run, at: AnswersPlace, row: AnswerRow, view: View, *, listed: str | None = None) -> None:
    """Draw the answer; the selected claim goes into the address and can be labelled.

    `listed` is what the list on the page calls it, where that is not its key.
    """
    detail = get_answer(opened_store.store().db, run.run_id, row.key)
    with st.container(key="answer-figures", horizontal=True, vertical_alignment="center", gap="small"):
        _answer_line(detail, row, view)
        tools = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
    reviewed = get_reviewed_answer(opened_store.store(), detail)
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
        row=listed or row.key,
        marks=marks,
        given=_marked_words(detail),
    )
    if chosen != (wanted if wanted in range(1, len(marks) + 1) else None):
        page_addresses.open_answer(run.run_id, row.key, chosen or 0)
    judge_notes(detail.result)
    judged = len(detail.result.claims)
    with st.container(gap="xsmall"):
        if chosen is not None and chosen <= judged:
            label_in_place(run.run_id, detail.position, chosen)
        elif chosen is not None:
            missed_claim(detail, reviewed.missed[chosen - judged - 1], chosen)
    given_labels(detail)
    with tools:
        if detail.result.state is not State.PENDING:
            mark_button(detail)
        notes_line(run, row, chosen)
    mark, is_judged = (None, False) if chosen is None else (marks[chosen - 1], chosen <= judged)
    take_keys(mark, has_claims=bool(marks), is_judged=is_judged)


def _wanted_claim(detail: AnswerDetail, at: AnswersPlace, row: AnswerRow, view: View) -> int | None:
    """Return the claim that the address names, else the one that the page opens the answer with; None for no claim."""
    if at.row == row.key and at.claim is not None:
        return at.claim or None
    subject = f"{detail.run_id} {detail.position} {view} {at.filters}"
    opened, first = session.INSPECT_FIRST_CLAIM.get()
    if opened != subject:
        first = _first_claim(detail, at.filters, row, view)
        session.INSPECT_FIRST_CLAIM.set((subject, first))
    return first


def _first_claim(detail: AnswerDetail, filters: AnswerFilter, row: AnswerRow, view: View) -> int | None:
    """Return the claim with the most expected harm; with filters for claims, the first that they ask for."""
    if not filters.is_about_claims:
        return None if row.worst is None else row.worst.number
    found = list_matching_claims(opened_store.store().db, detail.run_id, detail.position, filters, view=view)
    return next(iter(found), None)


def _answer_line(detail: AnswerDetail, row: AnswerRow, view: View) -> None:
    sample = detail.sample
    parts = [fmt.code(sample.key)]
    if any(row.claims.values()):
        words = unsupported_words(row.claims, to_check=row.to_check)
        parts.insert(0, f"**{words[0].upper()}{words[1:]}**")
    if row.faithfulness is not None:
        faithful = "faithful" if row.is_faithful else "not faithful"
        parts.append(f"{fmt.share(row.faithfulness)} {VIEW_WORDS[view]}, {faithful}")
    if sample.segment:
        parts.append(fmt.literal(sample.segment))
    if sample.timestamp:
        parts.append(fmt.day(sample.timestamp))
    st.caption(" · ".join(parts), width="stretch")
