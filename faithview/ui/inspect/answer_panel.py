"""One answer of a run beside its chunks, with everything that can be done to its claims."""

import streamlit as st

from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.views import AnswerDetail, AnswerRow, View
from faithview.services.results.answers import get_answer
from faithview.services.review.labels import get_reviewed_answer
from faithview.ui.components.answer_view import answer_view
from faithview.ui.inspect.ablation import what_if
from faithview.ui.inspect.label_bar import label_in_place
from faithview.ui.inspect.label_keys import marks_of, take_keys
from faithview.ui.inspect.missed_claims import mark_button, missed_claim
from faithview.ui.parts.judge_notes import judge_notes
from faithview.ui.shell import address, app
from faithview.wording import numbers as fmt
from faithview.wording.views import VIEW_WORDS

_HEIGHT = 455  # leaves room beneath for the label buttons


def answer_panel(run: Run, row: AnswerRow, view: View) -> None:
    """Draw the answer; the selected claim goes into the address and can be labelled."""
    detail = get_answer(app.services(), run.run_id, row.key)
    _answer_line(detail, row, view)
    reviewed = get_reviewed_answer(app.services(), detail)
    marks = marks_of(detail, reviewed)
    chosen = answer_view(
        detail.sample,
        detail.result,
        key="inspect.answer",
        claim=address.selected_claim(),
        height=_HEIGHT,
        reviewed=reviewed,
        view=view,
        row=row.key,
        marks=marks,
    )
    if chosen is not None:
        address.select_row(row.key)
    address.select_claim(chosen)
    judge_notes(detail.result)
    judged = len(detail.result.claims)
    if chosen is not None and chosen <= judged:
        label_in_place(run.run_id, detail.position, chosen)
        what_if(run, detail, chosen)
    elif chosen is not None:
        missed_claim(detail, reviewed.missed[chosen - judged - 1], chosen)
    elif judged:
        st.caption("Select a claim, with ← → or a click, to label it.")
    if detail.result.state is not State.PENDING:
        mark_button(detail)
    take_keys(None if chosen is None else marks[chosen - 1])


def _answer_line(detail: AnswerDetail, row: AnswerRow, view: View) -> None:
    result, sample = detail.result, detail.sample
    # An id is shown as code, to be copied; a code span can hold neither a backtick nor a line break.
    is_plain = "`" not in sample.key and sample.key.isprintable()
    parts = [f"`{sample.key}`" if is_plain else fmt.literal(sample.key)]
    if row.faithfulness is not None:
        faithful = "faithful" if row.is_faithful else "not faithful"
        parts.append(f"faithfulness {VIEW_WORDS[view]} **{fmt.share(row.faithfulness)}**, {faithful}")
    if result.faithfulness_weighted is not None and view is View.JUDGE:
        parts.append(f"weighted {fmt.share(result.faithfulness_weighted)}")
    if sample.segment:
        parts.append(fmt.literal(sample.segment))
    if sample.timestamp:
        parts.append(fmt.day(sample.timestamp))
    st.caption(" · ".join(parts))
