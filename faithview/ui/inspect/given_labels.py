"""What people marked in a labelled data set, below the answer that a judge has judged."""

import streamlit as st

from faithview.domain.views import AnswerDetail
from faithview.services.datasets.given_labels import GivenByPeople, Mark, given_label_of
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICTS

_HELP = "Labels of the data set, given before the judge and without its claims. They count in no score of this run."


def given_labels(detail: AnswerDetail) -> None:
    """Draw what the data set says of the answer; nothing where it says nothing."""
    given = given_label_of(detail.sample)
    if given is None:
        return
    st.caption(whole_line(given), help=_HELP)
    for mark in given.marks or ():
        with st.container(gap=None):
            st.caption(mark_line(mark, detail))
            st.text(detail.sample.answer[mark.start : mark.end])


def whole_line(given: GivenByPeople) -> str:
    """Return in Markdown what the data set says of the answer as a whole."""
    who = fmt.literal(given.by)
    if given.is_faithful is None:
        return f"{who}: the label of this answer cannot be read: {fmt.literal(given.problem)}."
    said = "faithful" if given.is_faithful else "not faithful"
    marked = "" if given.marks is None else f", {fmt.plural(len(given.marks), 'mark')}"
    return f"{who}: people say **{said}**{marked}"


def mark_line(mark: Mark, detail: AnswerDetail) -> str:
    """Return in Markdown what somebody marked, and what the judge says of the same words."""
    claims = detail.result.claims
    judged = [
        f"claim {number}: {VERDICTS[claims[number - 1].verdict].word} by the judge" for number in mark.claims(claims)
    ]
    parts = [
        f"marked **{VERDICTS[mark.verdict].word}**" + (f" by {fmt.literal(mark.by)}" if mark.by else ""),
        *([fmt.literal(mark.note)] if mark.note else []),
        *(judged or ["no claim of the judge"]),
    ]
    return " · ".join(parts)
