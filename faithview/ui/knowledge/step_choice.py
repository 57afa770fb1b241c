"""Which two versions are looked at: an update of the knowledge base, or the two runs that the address names."""

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.run import Run
from faithview.services.comparison.baselines import find_pair
from faithview.services.knowledge.steps import KnowledgeStep, list_steps
from faithview.services.results.runs import get_run
from faithview.ui.knowledge import address
from faithview.ui.shell import app, series
from faithview.ui.shell.address_widget import AddressWidget
from faithview.wording import numbers as fmt

Pair = tuple[Run, Run]

_STEP = AddressWidget("knowledge.step")


def choose_step() -> Pair | None:
    """Draw the choice of the update and return the runs before and after it; None where the series has no two runs."""
    steps = list_steps(app.services(), series=series.in_view())
    pair = _named_pair() or _default_pair(steps)
    if pair is None:
        return None
    offered = {_key((step.baseline, step.candidate)): _step_words(step) for step in steps}
    offered.setdefault(_key(pair), f"{pair[0].name} → {pair[1].name}")
    st.selectbox(
        "Update",
        list(offered),
        format_func=offered.__getitem__,
        key=_STEP.show(_key(pair)),
        label_visibility="collapsed",
        on_change=_STEP.on_choice(_select),
        width=460,
    )
    return pair


def _select() -> None:
    baseline, _, candidate = str(_STEP.value()).partition(" ")
    address.select_runs(baseline, candidate)


def _named_pair() -> Pair | None:
    before, after = (_find_run(reference) for reference in address.selected_runs())
    return None if before is None or after is None else (before, after)


def _default_pair(steps: list[KnowledgeStep]) -> Pair | None:
    if steps:
        return steps[0].baseline, steps[0].candidate
    return find_pair(app.services(), series.in_view())


def _find_run(reference: str | None) -> Run | None:
    if reference is None:
        return None
    try:
        return get_run(app.services(), reference)
    except NotFound:
        st.info(
            f"There is no run {fmt.literal(reference)} in this store; the newest update is shown.",
            icon=":material/link_off:",
        )
        return None


def _key(pair: Pair) -> str:
    return f"{pair[0].run_id} {pair[1].run_id}"


def _step_words(step: KnowledgeStep) -> str:
    return f"{fmt.day(step.event.at)}   {step.event.label}"
