"""Answers of a comparison without a partner, and pairs that may belong together."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.domain.comparison import Suggestion, Unpaired
from faithview.domain.run import Run
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.pair_decisions import PairDecision
from faithview.ui.compare.pair_decisions import deciding_reviewer, sign_in_button, store_decisions
from faithview.ui.shell import address, nav, session
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import STATE_WORDS

_SUGGESTIONS_A_PAGE = 10


def unpaired_answers(comparison: Comparison) -> None:
    """Draw the answers without a partner, suggested pairs first; nothing where every answer has one."""
    pairing = comparison.pairing
    if not (pairing.only_in_baseline or pairing.only_in_candidate or pairing.key_conflicts):
        return
    st.header("Answers without a partner", anchor=False, help=_HELP)
    if pairing.key_conflicts:
        st.markdown(
            f"{fmt.plural(pairing.key_conflicts, 'row')} with an id that both runs use for different questions; not "
            "paired by id."
        )
    if pairing.suggestions:
        _suggestions(comparison)
    left, right = st.columns(2, gap="medium")
    with left:
        _alone(pairing.only_in_baseline, comparison.baseline, word="before")
    with right:
        _alone(pairing.only_in_candidate, comparison.candidate, word="now")


def _suggestions(comparison: Comparison) -> None:
    suggestions = comparison.pairing.suggestions
    st.markdown(f"{fmt.plural(len(suggestions), 'pair')} of questions are similar. Are they the same question?")
    name = deciding_reviewer()
    if name is None:
        sign_in_button("Give your name to decide", key="compare.sign_pairs")
    pages = -(-len(suggestions) // _SUGGESTIONS_A_PAGE)
    page = min(pages, session.widget_page("compare.suggestions")) if pages > 1 else 1
    first = (page - 1) * _SUGGESTIONS_A_PAGE
    for suggestion in suggestions[first : first + _SUGGESTIONS_A_PAGE]:
        _suggestion(comparison, suggestion, name)
    if pages > 1:
        st.pagination(pages, key="compare.suggestions")


def _suggestion(comparison: Comparison, suggestion: Suggestion, name: str | None) -> None:
    rows = f"{suggestion.baseline_row}-{suggestion.candidate_row}"
    before, after, similarity, actions = st.columns([4, 4, 0.8, 2.6], vertical_alignment="center", gap="small")
    before.text(suggestion.baseline_question)
    after.text(suggestion.candidate_question)
    similarity.markdown(f":small[:gray[{fmt.percent(suggestion.similarity)} similar]]")
    with actions.container(horizontal=True, gap="xsmall"):
        for label, icon, together in (("Confirm", "link", True), ("Not the same", "link_off", False)):
            choice = PairDecision(
                baseline_row=suggestion.baseline_row,
                candidate_row=suggestion.candidate_row,
                belong_together=together,
            )
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"compare.pair.{rows}.{'yes' if together else 'no'}",
                disabled=name is None,
                on_click=store_decisions,
                args=(comparison, [choice], name or ""),
            )


def _alone(rows: Sequence[Unpaired], run: Run, *, word: str) -> None:
    st.markdown(f":small[**{fmt.plural(len(rows), 'answer')} only {word}**, in {fmt.literal(run.name)}]")
    if not rows:
        return
    frame = pd.DataFrame(
        [{"question": row.question or "–", "key": row.key, "state": STATE_WORDS[row.state]} for row in rows]
    )
    event = st.dataframe(
        frame,
        key=f"compare.alone.{word}",
        hide_index=True,
        height=min(280, 36 * (len(rows) + 1) + 2),
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "question": st.column_config.TextColumn("Question", width=300),
            "key": st.column_config.TextColumn("Row", width=80),
            "state": st.column_config.TextColumn("State", width=80),
        },
        alt=f"Answers that only the run {word} has.",
    )
    if event.selection.rows:
        st.switch_page(nav.INSPECT, query_params=address.link(run.run_id, rows[event.selection.rows[0]].key))


_HELP = (
    "Answers that only one run has; no figure above includes them. Similar questions are offered as pairs and paired "
    "once a person confirms it. Click a row to open the answer."
)
