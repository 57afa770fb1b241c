"""A run's score corrected by a spot-check: the estimate, the labels behind it, and how many more would help."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from faithview.domain.answer import View
from faithview.domain.run import Run, RunSummary
from faithview.domain.scoring import RunScore
from faithview.services.results import summarise_runs
from faithview.services.review.corrected_score import (
    Correction,
    correct_run,
    correct_score,
    count_settled,
    list_corrections,
    why_no_score,
)
from faithview.stats.corrected_score import Estimate, NotEnoughLabels, UnknownLabels
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.ui import address, navigation, opened_store
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import CORRECTED_HELP, judge_only
from faithview.wording.numbers import VIEW_WORDS

ColumnConfig = Any  # of Streamlit, which does not name its type

# Columns of a table of runs that the judge's verdicts alone would fill.
_NOT_CORRECTED = ("unsupported", "left_out")


def shown_view(run: Run, view: View) -> View:
    """Draw the corrected score in the corrected view; return whose verdicts the single answers show."""
    if view is not View.CORRECTED:
        return view
    corrected_score(run)
    return View.REVIEWED


def corrected_score(run: Run) -> None:
    """Draw the corrected score of a run beside the judge's and the labels' own, or why there is none and what to do."""
    correction = correct_run(opened_store.store(), run.run_id)
    reason = why_no_score(correction)
    if correction is None:
        _ask(reason or "", "Draw a spot-check")
        return
    if reason is not None:
        _ask(fmt.literal(reason), "Continue labelling", check=correction.check.spot_check_id)
        return
    st.markdown(corrected_text(correction), help=CORRECTED_HELP)


def header_score(run: Run, reviewed: RunScore) -> tuple[RunScore, str]:
    """Return the score at the head of a page in the corrected view, and in a word whose it is.

    It is the corrected score, or the `reviewed` one of the run where there is no corrected score to show.
    """
    score = correct_score(opened_store.store(), run.run_id)
    return (score, VIEW_WORDS[View.CORRECTED]) if score.mean is not None else (reviewed, VIEW_WORDS[View.REVIEWED])


def who_checked(run: Run) -> None:
    """Draw in a line whether reviewers have checked the judge on this run, and how far to trust their labels.

    The corrected score itself is in the finding above it.
    """
    correction = correct_run(opened_store.store(), run.run_id)
    if correction is None or correction.headline is None:
        name = None if correction is None else f"*{fmt.literal(correction.check.name)}*"
        in_check = 0 if correction is None else correction.labels
        labelled = count_settled(opened_store.store(), run.run_id)
        st.markdown(f":small[{judge_only(labelled=labelled, check=name, in_check=in_check)}]")
        return
    st.markdown(f":small[Checked by reviewers: {_labels_text(correction)}.]", help=CORRECTED_HELP)


def corrected_text(correction: Correction) -> str:
    """Return the corrected score in Markdown, with what it rests on."""
    score, reason = correction.score, why_no_score(correction)
    if isinstance(score, NotEnoughLabels) or reason is not None:
        return fmt.literal(reason or "")
    # What limits the figure stands before it, on a line of its own: readers stop at the number.
    limits = []
    if score.unknown is not None:
        limits.append(_unknown_text(correction, score.unknown))
    if correction.answers_since:
        limits.append(
            f"This is about the {fmt.plural(correction.answers, 'answer')} judged when the spot-check was drawn; "
            f"{fmt.plural(correction.answers_since, 'answer')} {fmt.verb(correction.answers_since, 'was', 'were')} "
            "judged since."
        )
    parts = [
        f"Faithfulness corrected **{_estimate(score.corrected)}**",
        f"judge {fmt.share(score.judge)}",
        f"labels only {_estimate(score.labels_only)}",
        _labels_text(correction),
    ]
    if correction.left_out:
        parts.append(f"{fmt.plural(correction.left_out, 'label')} from elsewhere left out")
    if correction.needed:
        wanted = fmt.plus_minus(correction.half_width)
        parts.append(f"label about {fmt.count(correction.needed)} more to reach {wanted}")
    figures = " &nbsp; ".join(f":small[{part}]" for part in parts)
    return f":small[:material/info: {' '.join(limits)}]\n\n{figures}" if limits else figures


def _labels_text(correction: Correction) -> str:
    return f"{fmt.plural(correction.labels, 'label')} of *{fmt.literal(correction.check.name)}*"


def nothing_corrected() -> None:
    """Explain that no run has a corrected score, and lead to the page that makes one."""
    _ask(
        "No run has a corrected score yet. It needs a spot-check: a random sample of claims for reviewers to label.",
        "Draw a spot-check",
    )


def basis_text(correction: Correction | None) -> str:
    """Return in a few words what a run's corrected score rests on, for a cell of a table."""
    if correction is None:
        return "no spot-check"
    if isinstance(correction.score, NotEnoughLabels):
        return f"{fmt.count(correction.score.needed)} more to label"
    more = correction.needed
    if correction.headline is None:
        is_few = more and correction.half_width == HEADLINE_HALF_WIDTH
        return f"too few labels: about {fmt.count(more)} more" if is_few else "labels are missing or differ"
    used = fmt.plural(correction.labels, "label")
    if correction.skipped or correction.disagreements:
        used += f", {fmt.count(correction.skipped)} skipped, {fmt.count(correction.disagreements)} disputed"
    return f"{used}; {fmt.count(more)} more for {fmt.plus_minus(correction.half_width)}" if more else used


def add_corrections(frame: pd.DataFrame, shown: Sequence[RunSummary]) -> pd.DataFrame:
    """Add to a table of runs with corrected scores the judge's own score, and why a run has no corrected one."""
    store = opened_store.store()
    corrections = list_corrections(store, [summary.run.run_id for summary in shown])
    judged = {s.run.run_id: s.score for s in summarise_runs(store, [summary.run for summary in shown])}
    return frame.assign(
        judged=[fmt.score(judged[summary.run.run_id]) for summary in shown],
        check=[basis_text(corrections[summary.run.run_id]) for summary in shown],
    )


def corrected_columns(plain: Mapping[str, ColumnConfig]) -> dict[str, ColumnConfig]:
    """Return the columns of such a table: those of a table of runs that still apply, and the added ones."""
    renamed = {
        "faithfulness": st.column_config.NumberColumn("Corrected", format="%.2f", help=CORRECTED_HELP),
        "n": st.column_config.NumberColumn("n", help="Labelled answers, or claims where they were drawn singly."),
    }
    columns = {}
    for name, column in plain.items():
        if name not in _NOT_CORRECTED:
            columns[name] = renamed.get(name, column)
        if name == "n":
            columns |= {
                "judged": st.column_config.TextColumn("By the judge", width=155, help=figure_help.JUDGE_MEAN),
                "check": st.column_config.TextColumn("Based on", width=190, help=figure_help.RESTS_ON),
            }
    return columns


def _unknown_text(correction: Correction, unknown: UnknownLabels) -> str:
    missing = [
        f"{fmt.plural(number, 'claim')} {word}"
        for number, word in ((correction.skipped, "skipped"), (correction.disagreements, "disputed"))
        if number
    ]
    wrong, right = fmt.share(unknown.if_wrong), fmt.share(unknown.if_right)
    ends = f"{wrong} if all of these are wrong and {right} if all are right"
    text = fmt.listed(missing)
    return f"{text[:1].upper()}{text[1:]}: the score is {ends}. The interval covers both."


def _estimate(estimate: Estimate) -> str:
    return f"{fmt.share(estimate.score)} ({fmt.ends(estimate.interval)})"


def _ask(sentence: str, action: str, *, check: int | None = None) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[{sentence}]", width="content")
        if st.button(action, key="corrected.go", type="tertiary", icon=":material/checklist:"):
            st.switch_page(navigation.REVIEW, query_params=address.check_link(check))
