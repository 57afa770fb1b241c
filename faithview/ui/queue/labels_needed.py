"""How many more labels a spot-check needs: cached, because the estimate reads every label."""

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.services.review.corrected_score import HALF_WIDTH, correct_run
from faithview.services.review.spot_check_design import labels_for
from faithview.stats.spot_check import Unit
from faithview.ui.shell import app


# The estimate takes longer than a key press may take, so it is not repeated for every label.
@st.cache_data(max_entries=200, ttl=60, show_spinner=False)
def labels_left(spot_check_id: int, run_ids: tuple[str, ...], step: int) -> int | None:
    """Return about how many more labels give each run's corrected score to within `HALF_WIDTH`.

    Args:
        spot_check_id: the spot-check that is being labelled.
        run_ids: the runs it was drawn from.
        step: grows with the number of labels; a new step, or a minute later, means a new estimate.

    While a run has too few labels for an estimate of its own, the estimate follows from the judge's score alone.

    Returns:
        None if one of the runs is gone, or is corrected by another spot-check that has more labels.
    """
    total = 0
    for run_id in run_ids:
        try:
            correction = correct_run(app.services(), run_id, half_width=HALF_WIDTH)
        except NotFound:
            return None
        if correction is None or correction.check.spot_check_id != spot_check_id:
            return None
        if correction.needed is not None:
            total += correction.needed.labels
        else:
            unit = Unit(str(correction.check.design["unit"]))
            expected = labels_for(app.services(), [run_id], HALF_WIDTH, unit=unit).labels
            total += max(1, expected - correction.labels)
    return total if run_ids else None
