"""Only the answers of one slice of the run, as the address asks: what the page says of it, and the way back to all."""

from dataclasses import replace

import streamlit as st

from faithview.domain.run import Run
from faithview.domain.views import AnswerFilter, View
from faithview.services.slices.find import open_slice
from faithview.ui.shell import address, app
from faithview.wording import numbers as fmt
from faithview.wording.slices import slice_words


def within_slice(run: Run, filters: AnswerFilter, view: View) -> AnswerFilter:
    """Return the filters, restricted to the slice in the address if there is one, and say so on the page."""
    slice_id = address.selected_slice()
    if slice_id is None:
        return filters
    rows = open_slice(app.services(), run.run_id, slice_id, view=view)
    if rows is None:
        st.info("This run has no such weak spot. All answers are shown.", icon=":material/link_off:")
        return filters
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect-slice"):
        mean = f"mean {fmt.share(rows.mean)}, n {fmt.count(len(rows.positions))}"
        st.markdown(f":material/filter_alt: Slice: {slice_words(rows.definition)} :small[({mean})]", width="content")
        st.button(
            "Show all answers",
            type="tertiary",
            icon=":material/close:",
            key="inspect.slice.leave",
            on_click=address.leave_slice,
        )
    return replace(filters, positions=rows.positions)
