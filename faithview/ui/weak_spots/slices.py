"""The slices that score lower than the rest of a run: the finding, its first step, and the table that opens them."""

from collections.abc import Iterator
from dataclasses import dataclass

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
    not_searched_words,
    noticeable_words,
    plain_slice,
    searched_words,
    slice_figures,
    slice_words,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A row of the table: a slice found, or another slice within it, which has a mean and n only."""

    definition: SliceDefinition
    mean: float
    answers: int
    found: FoundSlice | None = None


def load_slices(run: Run, view: View) -> RunSlices:
    """Load the slices of a run that score lower than the rest."""
    with st.spinner("Looking for slices that score lower", show_time=False):
        return find_slices(opened_store.store(), run.run_id, view=view)


def draw_finding(slices: RunSlices) -> None:
    """Draw the strongest slice in a sentence, or that there is none and which segment is the lowest."""
    note = view_note(slices.view)
    if not slices.slices:
        text = searched_words(slices.answers, slices.tested, slices.noticeable)
        lowest = lowest_words(list_segments(slices))
        st.markdown(" ".join(part for part in (text, lowest, note) if part), help=_power(slices) or None)
        return
    worst = slices.slices[0]
    figures = slice_figures(
        worst.mean, worst.elsewhere, worst.difference, worst.interval, len(worst.positions), worst.p_value
    )
    st.markdown(f"Clearest weak spot: **{slice_words(worst.definition)}**, {figures}. {note}", help=FIGURES_HELP)


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
    """Draw the slices found, each with those within it; a click on a row opens its answers."""
    if not slices.slices:
        st.caption(f"{_left_out(slices)} {_not_searched(slices)}", help=_HELP)
        return
    lines = list(_lines(slices))
    event = st.dataframe(
        pd.DataFrame([_slice_row(line) for line in lines]),
        key=f"slices.{slices.run.run_id}.{slices.view}",
        hide_index=True,
        placeholder="",
        on_select="rerun",
        # By cell: selecting rows would add a column of check boxes.
        selection_mode="single-cell",
        column_config=_COLUMNS,
        alt="Slices of the run that score lower than the rest, the most certain first.",
    )
    number = opened(event, len(lines))
    if number is not None:
        _open(slices, lines[number].definition)
    st.caption(
        f"Click a row to open its answers. {_left_out(slices)} {_not_searched(slices)}",
        help=f"{_HELP} {_noticeable(slices)}",
    )


def _open(slices: RunSlices, definition: SliceDefinition) -> None:
    st.switch_page(navigation.ANSWERS, query_params=address.slice_link(slices.run.run_id, definition.slice_id))


def _lines(slices: RunSlices) -> Iterator[_Line]:
    for low in slices.slices:
        yield _Line(definition=low.definition, mean=low.mean, answers=len(low.positions), found=low)
        for part in low.parts:
            yield _Line(definition=part.definition, mean=part.mean, answers=len(part.positions))


def _slice_row(line: _Line) -> dict[str, object]:
    low = line.found
    name = plain_slice(line.definition)
    if low is None:
        return {"slice": f"└ within it: {name}", "score": line.mean, "n": line.answers}
    if low.overlaps:
        name += f", not {fmt.listed([plain_slice(other) for other in low.overlaps])}"
    return {
        "slice": name,
        "score": line.mean,
        "n": line.answers,
        "elsewhere": low.elsewhere,
        "difference": fmt.signed(low.difference),
        "interval": fmt.signed_ends(low.interval),
        "p": fmt.p_number(low.p_value),
    }


def _left_out(slices: RunSlices) -> str:
    left_out = fmt.left_out(slices.left_out)
    return (
        f"{fmt.plural(slices.answers, 'answer')} with a score; {fmt.plural(slices.tested, 'slice')} of at least "
        f"{_size(slices, slices.fewest)} looked at{f'; left out: {left_out}' if left_out else ''}."
    )


def _not_searched(slices: RunSlices) -> str:
    return fmt.literal(not_searched_words(slices.not_searched))


def _noticeable(slices: RunSlices) -> str:
    return f"No other weak spots were found. {_power(slices)}" if slices.noticeable else ""


def _power(slices: RunSlices) -> str:
    """Return which weak spots would have been noticed."""
    if not slices.tested or not slices.noticeable:
        return ""
    return noticeable_words(slices.noticeable, name=lambda size: _size(slices, size))


def _size(slices: RunSlices, size: int) -> str:
    return fmt.plural(size, "answer" if slices.questions == slices.answers else "question")


_COLUMNS = {
    "slice": st.column_config.TextColumn("Slice", width=280),
    "score": st.column_config.NumberColumn("Score", format="%.2f", width=62, help="Mean faithfulness of the slice."),
    "n": st.column_config.NumberColumn("n", width=56, help="Answers of the slice that count. A click opens them."),
    "elsewhere": st.column_config.NumberColumn(
        "Elsewhere",
        format="%.2f",
        width=84,
        help="Mean faithfulness of the answers outside this row and the rows above it.",
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
        help="The p-value of the difference, adjusted for all slices that were tested (Westfall and Young 1993).",
    ),
}
_HELP = (
    "A slice is a set of answers that have something in common: the segment, a column of the file, a document or a "
    "value in its chunks' metadata, a word of the question or of a claim, what the question asks, or how long the "
    "answer is. Each is compared with the rest of the run. Scores are shuffled among the answers many times to see "
    "how low the lowest slice gets by chance, so at most one run in twenty without a slice shows any. Answers to one "
    "question stay together. Once a slice is found, its answers are set aside and the search continues with the "
    "others, so answers in two slices are counted once. Columns that hold a label or a score, by their names, are not "
    "looked at, because they would repeat the score. A slice says where answers are unfaithful, not why."
)
