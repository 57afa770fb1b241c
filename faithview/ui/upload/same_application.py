"""The question whether a file belongs to a series over the same questions, where its ids do not say so."""

from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import unused_name
from faithview.domain.series import CHECKED_ANSWERS, name_series
from faithview.services.datasets import Dataset
from faithview.services.results.series import list_series
from faithview.ui.shell import app, cached
from faithview.wording.series import same_application_markdown

ANSWER_FIRST = "Say whether it is the same application, or choose a series."

_YES, _NO = "Yes, add it", "No, new series"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesAnswer:
    """What a person answered: `series` is the one to add the run to; `is_open` says that the answer is missing.

    Where nothing had to be asked, `series` is None and the run joins its series by its ids.
    """

    is_open: bool = False
    is_new: bool = False
    series: str | None = None

    def series_for(self, run_name: str) -> str | None:
        """Return the series of a run of that name; None where it joins one by its ids, or starts its own."""
        if not self.is_new:
            return self.series
        return unused_name(
            name_series(run_name), {CHECKED_ANSWERS, *(known.name for known in list_series(app.services()))}
        )


def ask_same_application(dataset: Dataset) -> SeriesAnswer:
    """Ask whether the file is the same application as a series with its questions, unless its ids say so.

    Draws nothing where there is no such series.
    """
    try:
        placement = cached.placement(dataset)
    except FaithViewError:  # why the file cannot be read is shown where it is read to be judged
        return SeriesAnswer()
    if placement.by_ids or (not placement.joins and placement.alike is None):
        return SeriesAnswer()
    chosen = st.segmented_control(
        same_application_markdown(placement),
        [_YES, _NO],
        key=f"upload.same.{dataset.content_key}",
        help="Overview, Trends and Compare show the runs of one series together.",
    )
    if chosen is None:
        return SeriesAnswer(is_open=True)
    if chosen == _NO:
        return SeriesAnswer(is_new=True)
    return SeriesAnswer(series=placement.series if placement.joins else placement.alike)
