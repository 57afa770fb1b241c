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
from faithview.ui import address, opened_store, session
from faithview.ui.address import AddressWidget
from faithview.ui.browser_memory import remember, remembered
from faithview.wording import numbers as fmt

_SWITCH = AddressWidget("shell.series")
_COOKIE = "faithview_series"


def choose_series(page: str, place: DeltaGenerator) -> None:
    """Settle which series is in view, and draw the switch where there are several.

    Args:
        page: the address of the page that is about to be drawn.
        place: where the switch is drawn.
    """
    listed = list_series(opened_store.store().db)
    newest = listed[0].name if listed else None
    chosen = _resolve(listed, page)
    session.SERIES.set(chosen)
    if chosen is not None and (address.named_run() is None or has_trend(chosen)):
        session.NEXT_SERIES.set(chosen)
    if address.selected_series() != chosen:
        is_clear = address.named_run() is not None or chosen == newest
        address.select_series(None if is_clear else chosen)
    session.SERIES_PLACE.set((page, address.selected_series() is not None))
    names = [series.name for series in listed]
    if chosen is not None and chosen not in names:
        names.append(chosen)
    if len(names) > 1:
        _switch(place, names, chosen)
        remember(_COOKIE, session.NEXT_SERIES.get() or "")


def in_view() -> str | None:
    """Return the name of the series in view; None if there is no run."""
    return session.SERIES.get()


def say_all(place: DeltaGenerator) -> None:
    """Say, on a page or a part of one that does not follow the switch, that it shows all series."""
    if len(list_series(opened_store.store().db)) > 1:
        place.caption("All series", width="content")


def others_with_trend() -> list[Series]:
    """Return the other series whose runs follow on each other, that with the newest answers first."""
    return [series for series in list_series(opened_store.store().db) if series.has_trend and series.name != in_view()]


def _resolve(listed: Sequence[Series], page: str) -> str | None:
    names = [series.name for series in listed]
    of_run = _series_of_named_run()
    if of_run is not None:  # not among the names where all runs of its series are archived
        return of_run
    named = address.selected_series()
    if named in names:
        return named
    if named is not None and names:
        st.info(
            f"There is no series {fmt.literal(named)} in this store; the newest is shown.", icon=":material/link_off:"
        )
        return names[0]
    # The address of this page no longer names a series: the user went back to before the switch.
    is_back = session.SERIES_PLACE.get() == (page, True) and address.named_run() is None
    last = session.NEXT_SERIES.get() if session.NEXT_SERIES.is_set() else remembered(_COOKIE)
    return last if last in names and not is_back else next(iter(names), None)


def _series_of_named_run() -> str | None:
    reference = address.named_run()
    if reference is None:
        return None
    try:
        return get_run(opened_store.store(), reference).series
    except NotFound:  # the page says so
        return None


def _switch(place: DeltaGenerator, names: Sequence[str], chosen: str | None) -> None:
    with place:
        st.selectbox(
            "Series",
            names,
            key=_SWITCH.show(chosen),
            on_change=_SWITCH.on_choice(_show_chosen),
            help=_HELP,
        )


def _show_chosen() -> None:
    show(str(_SWITCH.value()))


def show(name: str) -> None:
    """Put another series in view on the page that is open, in a callback; what was selected of the old one is left."""
    in_address = None if name == newest_series(opened_store.store()) else name
    session.NEXT_SERIES.set(name)
    session.SERIES_PLACE.set((session.SERIES_PLACE.get()[0], in_address is not None))
    address.change_series(in_address)


_HELP = (
    "Runs over the same questions form a series. Each page shows the runs of one series, or says *All series*. "
    "You can move a run to another series on *Answers*."
)
