"""The choice of the two runs to compare, and of whose verdicts count."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.event import Event
from faithview.domain.run import Run, RunStatus
from faithview.domain.views import View
from faithview.services.results.runs import get_run, list_runs
from faithview.services.trends.events import list_events
from faithview.ui.compare import address
from faithview.ui.parts.view_switch import ALL_VIEWS, view_switch
from faithview.ui.shell import app, session
from faithview.wording import numbers as fmt

_LISTED_RUNS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The two runs to compare, and whose verdicts count."""

    baseline: Run
    candidate: Run
    view: View


def choose_runs() -> Chosen | None:
    """Draw the choice of the two runs and of the view, and return them; None where there are not two runs."""
    runs = list_runs(app.services(), limit=_LISTED_RUNS)
    if len(runs) < 2:
        return None
    baseline, candidate = _resolve_runs(runs)
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


def comparable(runs: Sequence[Run]) -> tuple[Run, Run]:
    """Return the two newest runs that are comparable; the two newest where no two are.

    Args:
        runs: at least two, newest answers first.
    """
    known = [run for run in runs if run.repeat_of is None and run.status is RunStatus.COMPLETE]
    for at, candidate in enumerate(known):
        for baseline in known[at + 1 :]:
            if baseline.fingerprint == candidate.fingerprint:
                return baseline, candidate
    return runs[1], runs[0]


def _resolve_runs(runs: Sequence[Run]) -> tuple[Run, Run]:
    named = [None if reference is None else _find_run(reference) for reference in address.selected_runs()]
    before, after = named
    if before is not None and after is not None:
        return before, after
    if after is not None:
        older = [run for run in runs if run.is_before(after)]
        same = [run for run in older if run.fingerprint == after.fingerprint and run.repeat_of is None]
        others = [run for run in runs if run.run_id != after.run_id]
        return (same or older or others)[0], after
    if before is not None:
        others = [run for run in runs if run.run_id != before.run_id]
        same = [run for run in others if run.fingerprint == before.fingerprint and run.repeat_of is None]
        return before, (same or others)[0]
    return comparable(runs)


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
    known = [e for e in reversed(list_events(app.services())) if e.before_run_id and e.after_run_id]
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
