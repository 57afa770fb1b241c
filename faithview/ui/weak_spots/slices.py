"""The slices that score lower than the rest of a run: the finding, its first step, and the table that opens them."""

import pandas as pd
import streamlit as st

from faithview.domain.answer import SliceDefinition, View
from faithview.domain.run import Run
from faithview.services.weak_spots.slices import FoundSlice, RunSlices, find_slices
from faithview.ui import address, navigation, opened_store
from faithview.ui.weak_spots.segments import list_segments, lowest_words
from faithview.ui.widgets.first_line import view_note
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.slices import (
    FIGURES_HELP,
    looked_at,
    not_searched_words,
    nothing_found,
    plain_slice,
    slice_figures,
    slice_words,
)


def load_slices(run: Run, view: View) -> RunSlices:
    """Load the slices of a run that score lower than the rest."""
    with st.spinner("Looking for slices that score lower", show_time=False):
        return find_slices(opened_store.store(), run.run_id, view=view)


def draw_finding(slices: RunSlices) -> None:
    """Draw the strongest slice in a sentence, or that there is none and which segment is the lowest."""
    note = view_note(slices.view)
    if not slices.slices:
        text = nothing_found(slices.answers, slices.tested)
        lowest = lowest_words(list_segments(slices))
        st.markdown(" ".join(part for part in (text, lowest, note) if part))
        return
    worst = slices.slices[0]
    text = f"Clearest weak spot: **{slice_words(worst.definition)}**, {slice_figures(worst.figures)}."
    st.markdown(f"{text} {looked_at(slices.answers, slices.tested)} {note}", help=FIGURES_HELP)


def draw_next_step(slices: RunSlices) -> None:
    """Draw the button that opens the answers of the strongest slice, or those that score lowest where there is none."""
    if slices.slices:
        worst = slices.slices[0]
        label = f"Open its {fmt.plural(len(worst.positions), 'answer')}"
        if st.button(label, type="primary", icon=":material/find_in_page:", key="slices.open"):
            _open(slices, worst.definition)
    elif st.button("Inspect the worst answers", type="primary", icon=":material/find_in_page:", key="slices.inspect"):
        st.switch_page(navigation.ANSWERS, query_params=address.link(slices.run.run_id))


def draw_table(slices: RunSlices) -> None:
    """Draw the slices found; a click on a row opens its answers."""
    click = ""
    if slices.slices:
        click = "Click a row to open its answers. "
        event = st.dataframe(
            pd.DataFrame([_slice_row(low) for low in slices.slices]),
            key=f"slices.{slices.run.run_id}.{slices.view}",
            hide_index=True,
            placeholder="",
            on_select="rerun",
            # By cell: selecting rows would add a column of check boxes.
            selection_mode="single-cell",
            column_config=_COLUMNS,
            alt="Slices of the run that score lower than the rest, the most certain first.",
        )
        number = opened(event, len(slices.slices))
        if number is not None:
            _open(slices, slices.slices[number].definition)
    size = fmt.plural(slices.fewest, "answer" if slices.questions == slices.answers else "question")
    left_out = fmt.left_out(slices.left_out)
    st.caption(
        f"{click}Slices have at least {size}{f'; answers left out: {left_out}' if left_out else ''}. "
        f"{fmt.literal(not_searched_words(slices.not_searched))}",
        help=_HELP,
    )


def _open(slices: RunSlices, definition: SliceDefinition) -> None:
    st.switch_page(navigation.ANSWERS, query_params=address.slice_link(slices.run.run_id, definition.slice_id))


def _slice_row(low: FoundSlice) -> dict[str, object]:
    return {
        "slice": plain_slice(low.definition),
        "score": low.mean,
        "n": len(low.positions),
        "elsewhere": low.figures.elsewhere,
        "difference": fmt.signed(low.figures.difference),
        "interval": fmt.signed_ends(low.figures.interval),
        "p": fmt.p_number(low.figures.p_value),
    }


_COLUMNS = {
    "slice": st.column_config.TextColumn("Slice", width=280),
    "score": st.column_config.NumberColumn("Score", format="%.2f", width=62, help="Mean faithfulness of the slice."),
    "n": st.column_config.NumberColumn("n", width=56, help="Answers of the slice. A click opens them."),
    "elsewhere": st.column_config.NumberColumn(
        "Elsewhere", format="%.2f", width=84, help="Mean faithfulness of the run's other answers."
    ),
    "difference": st.column_config.TextColumn(
        "Difference", width=84, alignment="right", help=figure_help.SLICE_DIFFERENCE
    ),
    "interval": st.column_config.TextColumn(
        "95% interval", width=120, help="The difference's interval, adjusted for all slices that were tested."
    ),
    "p": st.column_config.TextColumn(
        "p",
        width=72,
        alignment="right",
        help="The p-value of the difference, adjusted for all slices that were tested (Benjamini and Hochberg 1995).",
    ),
}
_HELP = (
    "A slice is a set of answers that have something in common: the segment, a value in a column of the file, a "
    "retrieved document or a value in its chunks' metadata, or a word of the question. Each is compared with the rest "
    "of the run by Fisher's exact test, with answers to one question as one unit. The p-values are adjusted for all "
    "slices, so at most one run in twenty without a low slice shows any. A slice that is not low without the answers "
    "of the slices above it is not listed. Columns that hold a label or a score, by their names, are left out, because "
    "they would repeat the score. A slice says where answers are unfaithful, not why."
)
