"""The head of Changes: its name, and the choice of the two runs to compare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.event import Event
from faithview.domain.run import Run
from faithview.services.events import list_events
from faithview.services.results import get_run, list_runs
from faithview.services.run_pairs import find_default_pair
from faithview.ui import opened_store, page_addresses, series, session
from faithview.ui.address import AddressWidget
from faithview.ui.widgets.first_line import FirstLine, first_line, name_runs
from faithview.wording import numbers as fmt
from faithview.wording.comparison import short_names

_LISTED_RUNS = 200
_SWAP = "compare.swap"
_EVENT = AddressWidget("compare.event")
# In pixels: beside each other and the tabs on a wide screen, in lines of their own on a narrow one.
_PICKER_WIDTH, _EVENT_WIDTH = 225, 340


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The two runs to compare, and the page's first line."""

    baseline: Run
    candidate: Run
    line: FirstLine


def choose_runs(tabs: Mapping[str, str]) -> Chosen | None:
    """Draw the page's first line with its tabs and the choice of the two runs, and return them.

    The runs of the series in view are offered. None if the address names no pair and the series has none.
    """
    shown = series.in_view()
    page_addresses.restore_pair(shown, is_arrival=not session.is_widget_kept(_SWAP))
    runs = list_runs(opened_store.store(), series=shown, limit=_LISTED_RUNS)
    pair = _resolve_runs(runs)
    if pair is None:
        return None
    baseline, candidate = pair
    if candidate.preflight_of is None:
        page_addresses.keep_pair(shown)
    line = first_line(pair_name(baseline, candidate), tabs=tabs)
    known = {run.run_id: run for run in (baseline, candidate, *runs)}
    ordered = {run.run_id: run for run in sorted(known.values(), key=lambda run: run.as_of, reverse=True)}
    with line.choices:
        before = _picker("Before", ordered, baseline, other=candidate)
        st.button("Swap", key=_SWAP, on_click=page_addresses.compare_runs, args=(candidate.run_id, baseline.run_id))
        after = _picker("Now", ordered, candidate, other=baseline)
        _event_picker(baseline, candidate)
    if (before, after) != (baseline.run_id, candidate.run_id):
        page_addresses.compare_runs(before, after)
        st.rerun()
    return Chosen(baseline=baseline, candidate=candidate, line=line)


def pair_name(baseline: Run, candidate: Run) -> str:
    """Return what the page is called: "Help centre 2026-w42 vs. w43"."""
    return f"{baseline.name} vs. {short_names([baseline.name, candidate.name])[1]}"


def default_words() -> str:
    """Return why these two runs are compared if the user did not choose them; "" if the user did."""
    is_step = page_addresses.is_default_step()
    if is_step is None:
        return ""
    if is_step:
        return "Showing the last significant change in this series."
    return "Showing the two newest runs; no change in this series is significant."


def _resolve_runs(runs: Sequence[Run]) -> tuple[Run, Run] | None:
    """Return the runs that are named; a missing one, or both, are the best of these, newest first."""
    before, after = (
        None if reference is None else _find_run(reference) for reference in page_addresses.compared_runs()
    )
    if before is not None and after is not None:
        return before, after
    named = after or before
    if named is None or not page_addresses.is_pair_named():
        page_addresses.forget_pair()
        default = find_default_pair(opened_store.store(), series.in_view())
        if default is None:
            return None
        if not page_addresses.is_pair_named():
            page_addresses.show_default_pair(
                default.baseline.run_id, default.candidate.run_id, series=series.in_view(), is_step=default.is_step
            )
        return default.baseline, default.candidate
    others = [run for run in runs if run.run_id != named.run_id]
    if after is not None:
        others = [run for run in others if run.is_before(after)] or others
    same = [run for run in others if run.fingerprint == named.fingerprint and run.repeat_of is None]
    other = next(iter(same or others), None)
    if other is None:
        return None
    return (other, named) if after is not None else (named, other)


def _find_run(reference: str) -> Run | None:
    try:
        return get_run(opened_store.store(), reference)
    except NotFound:
        if page_addresses.is_pair_named():
            st.info(f"There is no run {fmt.literal(reference)} in this store.", icon=":material/link_off:")
        return None


def _picker(label: str, known: dict[str, Run], run: Run, *, other: Run) -> str:
    options = [run_id for run_id in known if run_id != other.run_id or run.run_id == other.run_id]
    words = name_runs(known.values())
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
        st.caption(label, width="content")
        # Both runs are part of the key, so a link to others wins over what the widget remembers.
        chosen = st.selectbox(
            label,
            options,
            index=options.index(run.run_id),
            format_func=words.__getitem__,
            key=f"compare.{label}.{run.run_id}.{other.run_id}",
            label_visibility="collapsed",
            width=_PICKER_WIDTH,
        )
    return str(chosen)


def _event_picker(baseline: Run, candidate: Run) -> None:
    """Draw the events with a run on both sides; one that is chosen sets the runs around it."""
    events = list_events(opened_store.store(), series=series.in_view())
    known = [event for event in reversed(events) if event.before_run_id and event.after_run_id]
    if not known:
        return
    shown = (baseline.run_id, candidate.run_id)
    at = next((at for at, event in enumerate(known) if (event.before_run_id, event.after_run_id) == shown), None)
    label = "Event" if at is None else f"{known[at].at.day} {known[at].at:%b}"
    with st.popover(label, icon=":material/event:", type="tertiary", key="compare.events"):
        st.selectbox(
            "Before and after an event",
            range(len(known)),
            index=None,
            format_func=lambda at: f"{fmt.day(known[at].at)}   {known[at].label}",
            placeholder="Choose an event",
            key=_EVENT.show(at),
            on_change=_EVENT.on_choice(lambda: _compare_around(known)),
            width=_EVENT_WIDTH,
        )


def _compare_around(known: Sequence[Event]) -> None:
    at = _EVENT.value()
    if isinstance(at, int) and 0 <= at < len(known):
        event = known[at]
        page_addresses.compare_runs(str(event.before_run_id), str(event.after_run_id))
