"""The choice of the two runs to compare, and of whose verdicts count."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.event import Event
from faithview.domain.run import Run, RunStatus
from faithview.domain.views import View
from faithview.services.comparison.baselines import find_pair
from faithview.services.results.runs import get_run, list_runs
from faithview.services.trends.events import list_events
from faithview.ui.compare import address
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.shell import app, series, session
from faithview.wording import numbers as fmt

_LISTED_RUNS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The two runs to compare, and whose verdicts count."""

    baseline: Run
    candidate: Run
    view: View


def choose_runs() -> Chosen | None:
    """Draw the choice of the two runs and of the view, and return them.

    The runs of the series in view are offered. None where the address names no pair and the series has none.
    """
    runs = list_runs(app.services(), series=series.in_view(), limit=_LISTED_RUNS)
    pair = _resolve_runs(runs)
    if pair is None:
        return None
    baseline, candidate = pair
    known = {run.run_id: run for run in (baseline, candidate, *runs)}
    ordered = {run.run_id: run for run in sorted(known.values(), key=lambda run: run.as_of, reverse=True)}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        before = _picker("Before", ordered, baseline, other=candidate)
        st.button(
            "Swap",
            key="compare.swap",
            on_click=address.select_runs,
            args=(candidate.run_id, baseline.run_id),
        )
        after = _picker("Now", ordered, candidate, other=baseline)
        _event_picker()
        view = view_switch(offered=ALL_VIEWS)
    if (before, after) != (baseline.run_id, candidate.run_id):
        address.select_runs(before, after)
        st.rerun()
    return Chosen(baseline=baseline, candidate=candidate, view=view)


def _resolve_runs(runs: Sequence[Run]) -> tuple[Run, Run] | None:
    """Return the runs that the address names; a missing one, or both, are the best of these, newest first."""
    before, after = (None if reference is None else _find_run(reference) for reference in address.selected_runs())
    if before is not None and after is not None:
        return before, after
    named = after or before
    if named is None:
        return find_pair(app.services(), series.in_view())
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
        return get_run(app.services(), reference)
    except NotFound:
        st.info(f"There is no run {fmt.literal(reference)} in this store.", icon=":material/link_off:")
        return None


def _picker(label: str, known: dict[str, Run], run: Run, *, other: Run) -> str:
    options = [run_id for run_id in known if run_id != other.run_id or run.run_id == other.run_id]
    several = len({known_run.judge.name for known_run in known.values()}) > 1
    # Both runs are part of the key, so that a link to others wins over what the widget remembers.
    chosen = st.selectbox(
        label,
        options,
        index=options.index(run.run_id),
        format_func=lambda run_id: _run_words(known[run_id], with_judge=several),
        key=f"compare.{label}.{run.run_id}.{other.run_id}",
        width=290,
    )
    return str(chosen)


def _run_words(run: Run, *, with_judge: bool) -> str:
    """Return the words that distinguish a run from the others."""
    parts = [run.name, run.judge.name if with_judge else None, f"{run.as_of.day} {run.as_of:%b}"]
    parts += [f"kb {run.kb_version}" if run.kb_version else None]
    parts += [None if run.status is RunStatus.COMPLETE else fmt.STATUS_WORDS[run.status]]
    return " · ".join(part for part in parts if part)


def _event_picker() -> None:
    """Draw the events with a run on both sides; one that is chosen sets the runs around it."""
    known = [
        e for e in reversed(list_events(app.services(), series=series.in_view())) if e.before_run_id and e.after_run_id
    ]
    if not known:
        return
    key = "compare.event"
    st.selectbox(
        "Around an event",
        range(len(known)),
        index=None,
        format_func=lambda at: f"{fmt.day(known[at].at)}   {known[at].label}",
        placeholder="Before and after…",
        key=key,
        on_change=_compare_around,
        args=(key, known),
        width=150,
    )


def _compare_around(key: str, known: Sequence[Event]) -> None:
    at = session.widget_value(key)
    if isinstance(at, int) and 0 <= at < len(known):
        event = known[at]
        address.select_runs(str(event.before_run_id), str(event.after_run_id))
    session.set_widget(key, None)
