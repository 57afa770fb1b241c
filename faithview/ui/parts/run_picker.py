"""The run that a page shows: the select box that chooses it, and the run that the address names."""

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.run import Run
from faithview.services.results.runs import get_run, list_runs
from faithview.ui.shell import address, app, series
from faithview.ui.shell.shell_line import ShellLine
from faithview.wording import numbers as fmt

_LISTED_RUNS = 200


def choose_run(line: ShellLine, *, width: int = 340) -> Run | None:
    """Draw the select box with the runs of the series in view, in its place of the line; return the run in view.

    None if there are no runs. What is wrong with the address is said below the line. `width` is the box's, in px.
    """
    services = app.services()
    runs = list_runs(services, series=series.in_view(), limit=_LISTED_RUNS)
    if not runs:
        return None
    with line.note:
        run = _find_run(address.run_to_show())
    if run is None or run.series != series.in_view():  # the run viewed last may be of another series
        run = runs[0]
    address.keep_run(run.run_id)
    known = {r.run_id: r for r in ([] if run in runs else [run]) + runs}
    # The run is part of the key, so that a link to another run wins over what the widget remembers.
    chosen = line.what.selectbox(
        "Run",
        list(known),
        index=list(known).index(run.run_id),
        format_func=lambda run_id: f"{known[run_id].name}   {fmt.run_line(known[run_id])}",
        key=f"inspect.run.{run.run_id}",
        label_visibility="collapsed",
        width=width,
    )
    if chosen != run.run_id:
        address.select_run(chosen)
        st.rerun()
    return run


def _find_run(reference: str | None) -> Run | None:
    if reference is None:
        return None
    try:
        return get_run(app.services(), reference)
    except NotFound:
        st.info(
            f"There is no run {fmt.literal(reference)} in this store; the newest is shown.", icon=":material/link_off:"
        )
        address.forget_run()
        return None
