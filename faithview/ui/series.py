"""The series in view, and the switch in the sidebar that chooses it; the rules are in `domain/series.py`.

A run in the address selects its series, so a link to it opens correctly. The default series stays out of the address,
as the default of every other choice does: it is that of the newest run.
"""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.errors import NotFound
from faithview.domain.series import Series, has_trend
from faithview.services.results import get_run
from faithview.services.series import newest_series
from faithview.store.series import list_series
from faithview.ui import opened_store, session
from faithview.ui.address import RUN, SERIES, AddressWidget, named_run
from faithview.wording import numbers as fmt

_SWITCH = AddressWidget("shell.series")


def choose_series(place: DeltaGenerator) -> None:
    """Settle which series is in view, and draw the switch where there are several."""
    listed = list_series(opened_store.store().db)
    chosen = _find_series(listed)
    names = [series.name for series in listed]
    session.SERIES.set(chosen)
    session.DEFAULT_SERIES.set(names[0] if names else None)
    if chosen is not None and chosen not in names:  # all its runs are archived
        names.append(chosen)
    if len(names) > 1:
        with place:
            st.selectbox(
                "Series",
                names,
                key=_SWITCH.show(chosen),
                on_change=_SWITCH.on_choice(lambda: show(str(_SWITCH.value()))),
                help=_HELP,
            )


def in_view() -> str | None:
    """Return the name of the series in view; None if there is no run."""
    return session.SERIES.get()


def carried(*, with_run: bool) -> dict[str, str]:
    """Return what the sidebar's links take along: the run in view where a page shows one, else its series.

    Answers that were checked one at a time are left behind: a saved one is opened once, and no other page shows it.
    """
    run, name = named_run(), in_view()
    if name is None or (run is not None and not has_trend(name)):
        return {}
    if run is not None and with_run:
        return {RUN.name: run}
    return {} if name == session.DEFAULT_SERIES.get() else {SERIES.name: name}


def say_all(place: DeltaGenerator) -> None:
    """Say, on a page or a part of one that does not follow the switch, that it shows all series."""
    if len(list_series(opened_store.store().db)) > 1:
        place.caption("All series", width="content")


def others_with_trend() -> list[Series]:
    """Return the other series whose runs follow on each other, that with the newest answers first."""
    return [series for series in list_series(opened_store.store().db) if series.has_trend and series.name != in_view()]


def show(name: str) -> None:
    """Put another series in view on the page that is open, in a callback; what was selected of the old one is left."""
    is_default = name == newest_series(opened_store.store())
    st.query_params.from_dict({} if is_default else {SERIES.name: name})


def _find_series(listed: Sequence[Series]) -> str | None:
    if (run := named_run()) is not None:
        try:
            return get_run(opened_store.store(), run).series
        except NotFound:  # the page says so
            pass
    names = [series.name for series in listed]
    named = SERIES.get()
    if named is not None and named not in names and names:
        st.info(
            f"There is no series {fmt.literal(named)} in this store; the newest is shown.", icon=":material/link_off:"
        )
    return named if named in names else next(iter(names), None)


_HELP = (
    "Runs over the same questions form a series. Each page shows the runs of one series, or says *All series*. "
    "You can move a run to another series on *Answers*."
)
