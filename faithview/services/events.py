"""Events, recorded by users or detected from the runs, each with the runs before and after it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from faithview.domain.buckets import is_plausible
from faithview.domain.errors import InvalidInput
from faithview.domain.event import Event, EventKind
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import find_unstorable
from faithview.domain.series import has_trend
from faithview.formats.files.aliases import fold_name
from faithview.formats.rows.timestamps import PointInTime, parse_timestamp
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.store import events

_MAX_LABEL = 500
_MAX_VALUE = 200
# Columns that describe how answers were made, normalised as names are compared.
_COLUMNS: Mapping[EventKind, frozenset[str]] = {
    EventKind.MODEL: frozenset(
        {"model", "model_name", "model_id", "llm", "llm_model", "generator", "generator_model", "generation_model"}
    ),
    EventKind.PROMPT: frozenset({"prompt_version", "prompt_name", "prompt_id", "prompt_hash"}),
}
_TITLES = {
    EventKind.KNOWLEDGE_BASE: "Knowledge base",
    EventKind.PROMPT: "Prompt",
    EventKind.MODEL: "Model",
    EventKind.JUDGE: "Judge",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A change between two times that have no value in common, with one run of each."""

    old: str
    new: str
    before: Run
    after: Run


def parse_time(text: str) -> PointInTime:
    """Parse a time that a user wrote; without a time zone it is taken as UTC and marked so.

    Raises:
        InvalidInput: it is not a time, is ambiguous, or is outside the years 1970 to 2199.
    """
    moment = parse_timestamp(text)
    if moment is None:
        raise InvalidInput(
            f"The time {text!r} cannot be read, is ambiguous or is outside the years 1970 to 2199; "
            "write it as 2025-03-31T14:05:00Z."
        )
    return moment


def add_event(
    store: Store,
    label: str,
    *,
    at: datetime,
    kind: EventKind | None = None,
    kb_version: str | None = None,
    created_by: str | None = None,
    series: str | None = None,
) -> Event:
    """Record an event; it applies to all series.

    Args:
        store: the store.
        label: what happened, in a few words.
        at: when it happened, with its time zone.
        kind: what it changed; by default the knowledge base if its version is given, otherwise "other".
        kb_version: the knowledge base's version from then on.
        created_by: who recorded it.
        series: the series whose runs around it are returned; None for all runs.

    Returns:
        The event with the runs around it.

    Raises:
        InvalidInput: the label is empty or too long, a text cannot be stored, or the time has no time zone or is
            not in the years 1970 to 2199.
    """
    label = " ".join(label.split())
    if not 1 <= len(label) <= _MAX_LABEL:
        raise InvalidInput(f"An event's label needs 1 to {_MAX_LABEL} characters, not {len(label)}.")
    for name, text in (("label", label), ("knowledge base's version", kb_version), ("name", created_by)):
        if text is not None and find_unstorable(text) is not None:
            raise InvalidInput(f"The {name} {text!r} contains a character that cannot be stored; remove it.")
    if at.utcoffset() is None:
        raise InvalidInput(f"The time {at} has no time zone; add one, for example UTC.")
    if not is_plausible(at):
        raise InvalidInput(f"The time {at} is outside the years 1970 to 2199; give the day on which it happened.")
    kind = kind or (EventKind.KNOWLEDGE_BASE if kb_version else EventKind.OTHER)
    event = Event(at=at.astimezone(UTC), kind=kind, label=label, kb_version=kb_version or None)
    event_id = events.add_event(store.db, event, now=datetime.now(UTC), created_by=created_by)
    return _with_runs(replace(event, event_id=event_id), _by_time(store, series))


def delete_event(store: Store, event_id: int) -> None:
    """Delete a recorded event; raises NotFound."""
    events.delete_event(store.db, event_id)


def list_events(store: Store, *, series: str | None = None) -> list[Event]:
    """Return the recorded and the detected events, oldest first, with the runs around them.

    Events are detected within one series, because everything differs between data sets. None treats all runs as one
    series.

    An event is detected if two consecutive times have no version of the knowledge base, no judge, no model or no prompt
    in common; several judges of the same answers are not a change of judge. A detected event that a user also recorded
    between the same runs is listed once.
    """
    times = _by_time(store, series)
    stored = [_with_runs(event, times) for event in events.list_events(store.db)]
    detected: list[Event] = []
    for event in _detect(store, times):
        known = next((n for n, other in enumerate(stored) if _is_same(other, event, times)), None)
        if known is None:
            detected.append(event)
        elif stored[known].kb_version is None and event.kb_version is not None:
            stored[known] = replace(stored[known], kb_version=event.kb_version)
    return sorted([*stored, *detected], key=lambda event: event.at)


def list_settings(store: Store, run_ids: tuple[str, ...]) -> Mapping[str, Mapping[EventKind, str]]:
    """Return by run the model and the prompt of its answers, if all its rows name the same ones."""
    # The rows' own columns never change, so they are read again only for new runs.
    return store.cache.get("how answers were made", run_ids, None, lambda: _read_settings(store, run_ids))


def _by_time(store: Store, series: str | None) -> list[list[Run]]:
    """Return the complete runs that have a trend, oldest answers first, grouped by time.

    Repeats are left out.
    """
    listed = list_runs(store, series=series)
    listed = [run for run in listed if has_trend(run.series)]
    runs = [run for run in listed if run.status is RunStatus.COMPLETE and run.repeat_of is None]
    runs.sort(key=lambda run: (run.as_of, run.created_at))
    return [list(group) for _, group in groupby(runs, key=lambda run: run.as_of)]


def _with_runs(event: Event, times: Sequence[list[Run]]) -> Event:
    before = [group for group in times if group[0].as_of < event.at][-1:]
    after = [group for group in times if group[0].as_of >= event.at][:1]
    if before and after:
        first, second = _pair_of_runs(before[0], after[0])
        return replace(event, before_run_id=first.run_id, after_run_id=second.run_id)
    return replace(
        event,
        before_run_id=before[0][-1].run_id if before else None,
        after_run_id=after[0][-1].run_id if after else None,
    )


def _pair_of_runs(before: Sequence[Run], after: Sequence[Run]) -> tuple[Run, Run]:
    """Return one run of each time, of the same judge if possible."""
    for second in reversed(after):
        for first in reversed(before):
            if (first.fingerprint, first.judge.method) == (second.fingerprint, second.judge.method):
                return first, second
    return before[-1], after[-1]


def _is_same(recorded: Event, detected: Event, times: Sequence[list[Run]]) -> bool:
    """Return whether the recorded event has the kind of the detected one and is between its runs."""
    when = {run.run_id: run.as_of for group in times for run in group}
    before, after = when[str(detected.before_run_id)], when[str(detected.after_run_id)]
    return recorded.kind is detected.kind and before < recorded.at <= after


def _detect(store: Store, times: Sequence[list[Run]]) -> Iterator[Event]:
    ids = tuple(run.run_id for group in times for run in group)
    settings = list_settings(store, ids)
    values: dict[EventKind, Callable[[Run], str | None]] = {
        EventKind.KNOWLEDGE_BASE: lambda run: run.kb_version,
        EventKind.JUDGE: lambda run: run.fingerprint,
        EventKind.MODEL: lambda run: settings[run.run_id].get(EventKind.MODEL),
        EventKind.PROMPT: lambda run: settings[run.run_id].get(EventKind.PROMPT),
    }
    for kind, value_of in values.items():
        for change in _changes(times, value_of):
            yield Event(
                at=change.after.as_of,
                kind=kind,
                label=f"{_TITLES[kind]}: {change.old} → {change.new}",
                kb_version=change.new if kind is EventKind.KNOWLEDGE_BASE else None,
                is_detected=True,
                before_run_id=change.before.run_id,
                after_run_id=change.after.run_id,
            )


def _changes(times: Sequence[list[Run]], value_of: Callable[[Run], str | None]) -> Iterator[_Change]:
    last: list[Run] = []
    for group in times:
        known = [run for run in group if value_of(run)]
        if not known:
            continue  # without a known value no change is known
        if last and {value_of(run) for run in last}.isdisjoint({value_of(run) for run in known}):
            before, after = _pair_of_runs(last, known)
            yield _Change(old=str(value_of(before)), new=str(value_of(after)), before=before, after=after)
        last = known


def _read_settings(store: Store, run_ids: Sequence[str]) -> dict[str, dict[EventKind, str]]:
    extras = events.sample_extras(store.db, run_ids)
    return {run_id: _settings(rows) for run_id, rows in extras.items()}


def _settings(rows: Sequence[Mapping[str, Any]]) -> dict[EventKind, str]:
    """Return the values that all rows share; a column that varies within a run does not describe the run."""
    settings: dict[EventKind, str] = {}
    for kind, names in _COLUMNS.items():
        for column in rows[0] if rows else ():
            values = {row.get(column) if isinstance(row.get(column), str) else None for row in rows}
            value = next(iter(values))
            if fold_name(column) in names and len(values) == 1 and value and len(value) <= _MAX_VALUE:
                settings.setdefault(kind, value)
    return settings
