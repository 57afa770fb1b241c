"""Parts of the queue page: a finished spot-check: its result, the judge's mistakes and the reviewer's own labels."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.spot_check import SpotCheck
from faithview.services.review.queue import get_queue_progress
from faithview.services.review.reveals import QueueResult
from faithview.ui.queue.result_card import result_card
from faithview.ui.queue.result_list import show_mistakes, show_results
from faithview.ui.shell import app
from faithview.wording import numbers as fmt


def finished_result(check: SpotCheck, name: str | None, own: Sequence[QueueResult] = ()) -> None:
    """Draw the result of a spot-check in which every claim has all its labels.

    Args:
        check: the spot-check.
        name: the reviewer; None for somebody without a name.
        own: the reviewer's labels in it.
    """
    result = result_card(check, name, in_list=False)
    mistakes, labels = f"Mistakes ({fmt.count(len(result.mistakes))})", f"Your labels ({fmt.count(len(own))})"
    parts = [part for part, rows in ((mistakes, result.mistakes), (labels, own)) if rows]
    if not parts:
        return
    key = f"queue.result.{check.spot_check_id}"
    chosen = st.segmented_control(
        "Show", parts, default=parts[0], required=True, key=f"{key}.part", label_visibility="collapsed"
    )
    if chosen == labels:
        show_results(own, key=f"{key}.own")
    else:
        show_mistakes(result.mistakes, key=f"{key}.mistakes")


def result_without_name(check: SpotCheck) -> None:
    """Draw the result for somebody who has given no name, once it is there."""
    progress = get_queue_progress(app.services(), check.spot_check_id)
    if progress.done >= progress.items:
        finished_result(check, None)
