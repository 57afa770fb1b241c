"""A run in figures, at the head of Answers: the finding, the score, the counts, what went wrong, the report."""

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from faithview.domain.answer import AnswerFilter, View
from faithview.domain.claim import Verdict
from faithview.domain.run import Run, RunSummary
from faithview.services.reports.run_report import ReportScope
from faithview.services.results import RunTroubles, get_summary, list_troubles
from faithview.services.review.corrected_score import correct_score
from faithview.ui import address, opened_store
from faithview.ui.answers import listed_answers
from faithview.ui.widgets import run_menu
from faithview.ui.widgets.downloads import run_report
from faithview.ui.widgets.first_line import FirstLine, draw_score
from faithview.ui.widgets.verdict_table import verdict_bar
from faithview.wording import findings
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import FAITHFUL_IN_RUN
from faithview.wording.findings import (
    SHOWN_GAPS,
    decided_words,
    failed_words,
    gap_words,
    repaired_words,
    retry_words,
    weak_words,
)
from faithview.wording.live import inclusion_words, sample_words
from faithview.wording.runs import judging_words
from faithview.wording.verdict_styles import VERDICTS


def run_troubles(summary: RunSummary) -> None:
    """Draw errors, what is missing, claims that cannot be checked, and repairs; nothing if nothing went wrong."""
    troubles = list_troubles(opened_store.store(), summary.run.run_id)
    repaired = ""
    if troubles.repaired:
        repairs = [(repair.text, repair.answers) for repair in troubles.repairs]
        repaired = f"The judge's replies were repaired {repaired_words(troubles.repaired, repairs)}."
    if troubles.errors:
        _errors(summary, troubles, repaired)
    elif repaired:
        st.caption(fmt.literal(repaired))
    lines = [gap_words(gap.text, gap.answers) for gap in troubles.gaps[:SHOWN_GAPS]]
    lines += [weak_words(weakness, *counts) for weakness, counts in troubles.weak.items()]
    for line in lines:
        st.caption(f":material/warning: {fmt.literal(line)}")


def _errors(summary: RunSummary, troubles: RunTroubles, repaired: str) -> None:
    words = failed_words(troubles.failed, summary.rows, len(troubles.errors))
    with st.expander(f":material/error: {words}"):
        for trouble in troubles.errors:
            # As plain text: a server's words are data.
            st.text(f"{fmt.plural(trouble.answers, 'answer')}: {trouble.text}")
        st.caption(f"{retry_words(summary.run.run_id)}.")
        if repaired:
            st.caption(fmt.literal(repaired))


def run_header(run: Run, line: FirstLine, filters: AnswerFilter) -> None:
    """Draw the finding and the figures, with the answers that the score leaves out.

    The score is the judge's, with the corrected one next to it where there is a spot-check; claims are counted by the
    verdicts that the list shows: the reviewers' where there are any.
    """
    store = opened_store.store()
    summary = get_summary(store, run.run_id, view=View.REVIEWED)
    corrected = correct_score(store, run.run_id)
    note = f":gray[corrected {fmt.score(corrected)}]" if corrected.mean is not None else ""
    draw_score(line, get_summary(store, run.run_id, view=View.JUDGE).score, _FIGURES_HELP, note=note)
    with line.next_step:
        run_menu.run_menu(summary.run, page="inspect")
        run_report(summary.run, _scope(filters, address.link(run.run_id)))
    run_menu.archived_note(summary.run)
    parts = [_verdict_count(verdict, summary) for verdict in Verdict if any(summary.claims.values())]
    if summary.score.mean is not None:
        faithful = f"{fmt.count(summary.faithful_rows)} of {fmt.plural(summary.score.judged, 'answer')} faithful"
        faithful += f" ({fmt.thresholds(run.threshold)})"
        parts.append(f":gray[{faithful}]")
    if left_out := fmt.left_out(summary.states):
        parts.append(f":gray[{left_out}]")
    if summary.score.unscored and summary.score.bounds:
        parts.append(f":gray[bounds {fmt.ends(summary.score.bounds)}]")
    if summary.decided_by:
        parts.append(f":gray[decided by {fmt.literal(decided_words(summary))}]")
    parts += [
        f":gray[{fmt.literal(words)}]"
        for words in (
            sample_words(summary),
            inclusion_words(*summary.inclusion),
            judging_words(run, summary.usage),
        )
        if words
    ]
    figures = "&nbsp; ".join(f":small[{part}]" for part in parts)
    with st.container(key="inspect-figures", gap="xsmall"):
        st.markdown(findings.run_finding(summary))
        verdict_bar(summary.claims)
        if figures:
            st.markdown(figures)
    run_troubles(summary)


def _scope(filters: AnswerFilter, named: Mapping[str, str]) -> ReportScope:
    """Return what the list shows, with the address that opens it for others too."""
    page = st.context.url
    query = urlencode({**st.query_params.to_dict(), **named})
    return ReportScope(
        filters=filters,
        words=listed_answers.filter_words(filters),
        order=listed_answers.named_order(),
        link=f"{page}?{query}" if page else None,
    )


def _verdict_count(verdict: Verdict, summary: RunSummary) -> str:
    style = VERDICTS[verdict]
    return f":{style.streamlit_colour}[{style.material} {fmt.count(summary.claims[verdict])} {style.word}]"


_FIGURES_HELP = (
    "Faithfulness by the judge: the mean share of supported claims per judged answer, with a 95% interval. The claims "
    f"below are counted by reviewers' verdicts where there are any. {FAITHFUL_IN_RUN}"
)
