"""How a model judges a file: speed, repeats, limits and batches, with an estimate of calls and cost."""

from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.services.datasets import Dataset
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.ui.parts.judge_choice import Choice, estimate_line
from faithview.ui.shell import cached
from faithview.wording import numbers as fmt

_MOST_REPEATS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The chosen options. `repeat` is how often each answer is judged; batches judge once and take no limits."""

    concurrency: int = 8
    limits: Limits = NO_LIMITS
    use_cache: bool = True
    repeat: int = 1
    by_batches: bool = False


def choose_options(dataset: Dataset, choice: Choice) -> RunOptions:
    """Draw the options and, above them, the estimate; nothing for a judge that calls no model."""
    if choice.spec is None or choice.offer.host is None:
        return RunOptions()
    estimate = st.empty()
    by_batches = choice.offer.has_methods and st.checkbox(
        "Use the vendor's batch API", key="upload.batch", help=_BATCH_HELP
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        concurrency = st.number_input(
            "Answers at a time", 1, 256, 16, key="upload.concurrency", width=160, disabled=by_batches
        )
        repeat = st.number_input(
            "Times per answer",
            1,
            _MOST_REPEATS,
            1,
            key="upload.repeat",
            width=140,
            disabled=by_batches,
            help=_REPEAT_HELP,
        )
        calls = st.number_input(
            "Most calls",
            1,
            None,
            None,
            key="upload.max_calls",
            placeholder="No limit",
            width=190,
            disabled=by_batches,
        )
        cost = st.number_input(
            "Most dollars",
            0.0,
            None,
            None,
            0.1,
            key="upload.max_cost",
            placeholder="No limit",
            width=190,
            disabled=by_batches,
        )
    asks_again = st.checkbox("Judge answers again that were judged before", key="upload.no_cache")
    options = RunOptions(
        concurrency=concurrency,
        limits=NO_LIMITS if by_batches else Limits(max_calls=calls, max_cost=cost),
        use_cache=not asks_again,
        repeat=1 if by_batches else repeat,
        by_batches=by_batches,
    )
    with estimate:
        _estimate(dataset, choice, options)
    return options


def _estimate(dataset: Dataset, choice: Choice, options: RunOptions) -> None:
    if choice.spec is None:
        return
    try:
        estimate = cached.estimate(
            dataset,
            choice.spec,
            use_cache=options.use_cache,
            repeat=options.repeat,
            is_batch=options.by_batches,
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.markdown(estimate_line(estimate))


_BATCH_HELP = (
    "All answers are submitted together and judged within a day, at about half the price. A batch takes no limits and "
    "no repeats. The run continues while the dashboard runs, and can be resumed later."
)
_REPEAT_HELP = (
    "Judges the same answers several times, each time as a separate run. The differences are the judge's noise."
)
