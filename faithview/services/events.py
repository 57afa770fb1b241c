"""Events, recorded by users or detected from the runs, each with the runs before and after it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby

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
_COLUMNS: Mapping[str, EventKind] = {
    **dict.fromkeys(
        ("model", "model_name", "model_id", "llm", "llm_model", "generator", "generator_model", "generation_model"),
        EventKind.MODEL,
    ),
    **dict.fromkeys(("prompt_version", "prompt_name", "prompt_id", "prompt_hash"), EventKind.PROMPT),
}
_TITLES = {
    EventKind.KNOWLEDGE_BASE: "Knowledge base",
    EventKind.PROMPT: "Prompt",
    EventKind.MODEL: "Model",
    EventKind.JUDGE: "Judge",
}


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
    when = {run.run_id: run.as_of for group in times for run in group}
    listed = [_with_runs(event, times) for event in events.list_events(store.db)]
    recorded = len(listed)
    for event in _detect(store, times):
        before, after = when[str(event.before_run_id)], when[str(event.after_run_id)]
        for number, other in enumerate(listed[:recorded]):
            if other.kind is event.kind and before < other.at <= after:
                listed[number] = replace(other, kb_version=other.kb_version or event.kb_version)
                break
        else:
            listed.append(event)
    return sorted(listed, key=lambda event: event.at)


def list_settings(store: Store, run_ids: tuple[str, ...]) -> Mapping[str, Mapping[EventKind, str]]:
    """Return by run the model and the prompt of its answers, if all its rows name the same ones."""
    # The rows' own columns never change, so they are read again only for new runs.
    return store.cache.get("how answers were made", run_ids, None, lambda: _read_settings(store, run_ids))


def _by_time(store: Store, series: str | None) -> list[list[Run]]:
    """Return the complete runs that have a trend, oldest answers first, grouped by time.

    Repeats are left out.
    """
    runs = [
        run
        for run in list_runs(store, series=series)
        if has_trend(run.series) and run.status is RunStatus.COMPLETE and run.repeat_of is None
    ]
    runs.sort(key=lambda run: (run.as_of, run.created_at))
    return [list(group) for _, group in groupby(runs, key=lambda run: run.as_of)]


def _with_runs(event: Event, times: Sequence[list[Run]]) -> Event:
    before = next((group for group in reversed(times) if group[0].as_of < event.at), [])
    after = next((group for group in times if group[0].as_of >= event.at), [])
    if before and after:
        first, second = _pair_of_runs(before, after)
        return replace(event, before_run_id=first.run_id, after_run_id=second.run_id)
    ids = [group[-1].run_id if group else None for group in (before, after)]
    return replace(event, before_run_id=ids[0], after_run_id=ids[1])


def _pair_of_runs(before: Sequence[Run], after: Sequence[Run]) -> tuple[Run, Run]:
    """Return one run of each time, of the same judge if possible."""
    for second in reversed(after):
        for first in reversed(before):
            if (first.fingerprint, first.judge.method) == (second.fingerprint, second.judge.method):
                return first, second
    return before[-1], after[-1]


def _detect(store: Store, times: Sequence[list[Run]]) -> Iterator[Event]:
    settings = list_settings(store, tuple(run.run_id for group in times for run in group))
    values: dict[EventKind, Callable[[Run], str | None]] = {
        EventKind.KNOWLEDGE_BASE: lambda run: run.kb_version,
        EventKind.JUDGE: lambda run: run.fingerprint,
        EventKind.MODEL: lambda run: settings[run.run_id].get(EventKind.MODEL),
        EventKind.PROMPT: lambda run: settings[run.run_id].get(EventKind.PROMPT),
    }
    for kind, value_of in values.items():
        last: list[Run] = []
        for group in times:
            known = [run for run in group if value_of(run)]
            if not known:
                continue  # without a known value no change is known
            if last and {value_of(run) for run in last}.isdisjoint({value_of(run) for run in known}):
                before, after = _pair_of_runs(last, known)
                yield Event(
                    at=after.as_of,
                    kind=kind,
                    label=f"{_TITLES[kind]}: {value_of(before)} → {value_of(after)}",
                    kb_version=after.kb_version if kind is EventKind.KNOWLEDGE_BASE else None,
                    is_detected=True,
                    before_run_id=before.run_id,
                    after_run_id=after.run_id,
                )
            last = known


def _read_settings(store: Store, run_ids: Sequence[str]) -> dict[str, dict[EventKind, str]]:
    """Return the values that all rows share; a column that varies within a run does not describe the run."""
    found: dict[str, dict[EventKind, str]] = {}
    for run_id, rows in events.sample_extras(store.db, run_ids).items():
        settings = found[run_id] = {}
        for column, value in (rows[0] if rows else {}).items():
            kind = _COLUMNS.get(fold_name(column))
            is_shared = isinstance(value, str) and all(row.get(column) == value for row in rows)
            if kind is not None and is_shared and 0 < len(value) <= _MAX_VALUE:
                settings.setdefault(kind, value)
    return found
