"""What every page looks at: in the address, so that a link opens the same view, and in the session across pages."""

from datetime import UTC, datetime

from faithview.domain.buckets import is_plausible
from faithview.domain.views import View
from faithview.ui.shell import session
from faithview.ui.shell.address_field import PROJECT, AddressField, clear, write_together

_RUN, _ROW, _CLAIM = AddressField("run"), AddressField("row"), AddressField("claim")
_CHECK, _VIEW, _RANGE = AddressField("check"), AddressField("view"), AddressField("range")
BASELINE, CANDIDATE = AddressField("baseline"), AddressField("candidate")
_SERIES, _SLICE = AddressField("series"), AddressField("slice")
# What pages select within a run or between two: nothing of it is there in another series.
_PARTS = map(AddressField, ("cause", "pair", "source", "document", "within"))
_SELECTIONS = (_RUN, _ROW, _CLAIM, BASELINE, CANDIDATE, _RANGE, _SLICE, *_PARTS)
_CLAIM_DIGITS, _CHECK_DIGITS = 6, 9


def selected_run() -> str | None:
    """Return the run that the address names, else the last one viewed in this session."""
    return _RUN.get() or session.RUN.get()


def run_to_show() -> str | None:
    """Return the run that the address names; where it names none, what such an address of this page showed before.

    At first that is the last run viewed in this session. Whoever chooses another run and goes back sees it again.
    """
    before, page = session.PAGES.get()
    if before != page:
        session.RUN_START.set(session.RUN.get())
    return _RUN.get() or session.RUN_START.get()


def select_run(run_id: str | None) -> None:
    """View another run; the row and the claim of the old one leave the address."""
    if run_id is not None and _RUN.get() != run_id:
        write_together({_RUN: run_id, **(dict.fromkeys((_ROW, _CLAIM)) if _RUN.is_set() else {})})
    session.RUN.set(run_id)


def keep_run(run_id: str) -> None:
    """Remember the run in view for this session without changing the address.

    Opening a page does not change the selection: an address written then would add a step to the browser's history
    that leads back to the page that writes it again.
    """
    session.RUN.set(run_id)
    if not _RUN.is_set():
        session.RUN_START.set(run_id)


def forget_run() -> None:
    """View no run."""
    clear(_RUN, _ROW, _CLAIM)
    session.RUN.clear()
    session.RUN_START.clear()


def named_run() -> str | None:
    """Return the run that the address itself names: the one in view, else the newer or the older one compared."""
    return _RUN.get() or CANDIDATE.get() or BASELINE.get()


def selected_series() -> str | None:
    """Return the series that the address names."""
    return _SERIES.get()


def select_series(name: str | None) -> None:
    """Put a series into the address; None takes it out."""
    _SERIES.set(name)


def change_series(name: str | None) -> None:
    """Put another series into the address, or none; no run is in view, and what was selected leaves the address."""
    write_together({**dict.fromkeys(_SELECTIONS), _SERIES: name})
    session.RUN.clear()
    session.RUN_START.clear()


def series_link(name: str) -> dict[str, str]:
    """Return the address parameters of a series."""
    return {_SERIES.name: name}


def selected_claim() -> int | None:
    """Return the number of the claim in the address, which holds the number or the claim's public id."""
    number = (_CLAIM.get() or "").rpartition("-")[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= _CLAIM_DIGITS else None


def select_claim(number: int | None) -> None:
    """Select a claim of the row, or none."""
    if number is None:
        clear(_CLAIM)
    elif selected_claim() != number:
        _CLAIM.set(str(number))


def selected_view() -> str | None:
    """Return whose verdicts the address asks for, else those shown last in this session.

    An address that named some on this page and does not any more is that of the step before: somebody went back.
    """
    is_back = session.VIEW_PLACE.get() == (session.PAGES.get()[1], True)
    return _VIEW.get() or (None if is_back else session.VIEW.get())


def select_view(view: str) -> None:
    """Show somebody's verdicts; the judge's are the default and stay out of the address."""
    _VIEW.set(None if view == View.JUDGE else str(view))
    session.VIEW.set(str(view))
    session.VIEW_PLACE.set((session.PAGES.get()[1], _VIEW.is_set()))


def view_link(view: str) -> dict[str, str]:
    """Return the address parameters of somebody's verdicts."""
    return {_VIEW.name: str(view)}


def selected_check() -> int | None:
    """Return the spot-check that the address names."""
    return _CHECK.number(digits=_CHECK_DIGITS)


def select_check(number: int | None) -> None:
    """Open a spot-check, or none."""
    _CHECK.set(None if number is None else str(number))


def selected_range() -> tuple[datetime, datetime] | None:
    """Return the span of time that the address names, in UTC; None where it names none."""
    first, _, last = (_RANGE.get() or "").partition("..")
    try:
        low, high = datetime.fromisoformat(first), datetime.fromisoformat(last)
    except ValueError:
        return None
    if low.tzinfo is None or high.tzinfo is None or low > high or not (is_plausible(low) and is_plausible(high)):
        return None
    return low.astimezone(UTC), high.astimezone(UTC)


def select_range(span: tuple[datetime, datetime] | None) -> None:
    """Select a span of time, or none."""
    if span is None:
        clear(_RANGE)
        return
    # One parameter for both ends: each parameter written is a step of the browser's history.
    ends = (moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") for moment in span)
    _RANGE.set("..".join(ends))


def selected_slice() -> str | None:
    """Return the id of the slice of the run whose answers alone the address asks for."""
    return _SLICE.get()


def leave_slice() -> None:
    """Ask for the answers of all slices again."""
    clear(_SLICE)


def slice_link(run_id: str, slice_id: str) -> dict[str, str]:
    """Return the address parameters of a slice of a run."""
    return {**link(run_id), _SLICE.name: slice_id}


def check_link(number: int | None) -> dict[str, str]:
    """Return the address parameters of a spot-check; none for the list of all."""
    return {} if number is None else {_CHECK.name: str(number)}


def link(run_id: str, row: str | None = None, claim: int | None = None) -> dict[str, str]:
    """Return the address parameters of a run, a row or a claim."""
    parameters = {**_project(), **_view(), _RUN.name: run_id}
    if row is not None:
        parameters[_ROW.name] = row
    if claim is not None:
        parameters[_CLAIM.name] = str(claim)
    return parameters


def pair_link(baseline: str, candidate: str) -> dict[str, str]:
    """Return the address parameters of two runs that are compared, by their ids."""
    return {**_project(), BASELINE.name: baseline, CANDIDATE.name: candidate}


def _view() -> dict[str, str]:
    """Return the parameter of the verdicts that are shown: a link leads to the same."""
    view = session.VIEW.get()
    return {} if view in (None, View.JUDGE) else view_link(view)


def _project() -> dict[str, str]:
    """Return the parameter of the session's project: a link may be opened in another tab."""
    project = session.PROJECT.get()
    return {} if project is None else {PROJECT.name: project}
