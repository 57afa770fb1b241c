"""`faithview event`: what happened that may show in the scores."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import MOST_ID, JsonOption, StoreOptions, YesOption, command
from faithview.domain.event import EventKind
from faithview.services import events
from faithview.services.series import newest_series
from faithview.store import events as stored_events
from faithview.wording import numbers as fmt

app = typer.Typer(help="Manage events shown on the trend, such as releases and knowledge-base updates.")


@command(
    app,
    "add",
    "faithview event add 'New prompt' --at 2026-11-02",
    "faithview event add Update --at 2026-11-02T09:00Z",
)
def add(
    place: StoreOptions,
    label: Annotated[str, typer.Argument(metavar="LABEL", help="What happened, in a few words.")],
    at: Annotated[
        str,
        typer.Option(
            "--at", metavar="TIME", help="The time, such as 2025-03-31T14:05:00+02:00; UTC if no zone is given."
        ),
    ],
    kind: Annotated[
        EventKind | None,
        typer.Option(
            "--kind", help="The part that changed (default: the knowledge base with --kb-version, otherwise other)."
        ),
    ] = None,
    kb_version: Annotated[
        str | None,
        typer.Option("--kb-version", metavar="VERSION", help="The knowledge base's version since the event."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Put a marker on the trend, for example for a knowledge-base update."""
    moment = events.parse_time(at)
    if moment.is_assumed_utc:
        output.say(f"note: {at!r} has no time zone and was read as UTC.")
    with place.open() as store:
        event = events.add_event(
            store, label, at=moment.at, kind=kind, kb_version=kb_version, series=newest_series(store)
        )
    words = f"Added event {event.event_id}, {fmt.day_and_time(event.at)}: {event.label}"
    output.show(event, [words], as_json=as_json)


@command(app, "list", "faithview event list", "faithview event list --series support --json")
def list_events(
    place: StoreOptions,
    series: Annotated[
        str | None,
        typer.Option("--series", metavar="NAME", help="The series (default: the one with the newest answers)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the recorded events and those detected from the runs of a series, oldest first."""
    with place.open() as store:
        listed = events.list_events(store, series=series or newest_series(store))
    rows = [
        [
            "detected" if event.event_id is None else str(event.event_id),
            fmt.day_and_time(event.at),
            event.kind,
            event.label,
            event.before_run_id or "–",
            event.after_run_id or "–",
        ]
        for event in listed
    ]
    table = output.Table("Events", ["id", "at", "kind", "label", "run before", "run after"], rows)
    output.show({"events": listed}, table, as_json=as_json)


@command(app, "delete", "faithview event delete 4", "faithview event delete 4 --yes")
def delete(
    place: StoreOptions,
    event_id: Annotated[
        int, typer.Argument(metavar="ID", min=1, max=MOST_ID, help="The event's number; detected ones have none.")
    ],
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete a recorded event."""
    with place.open() as store:
        event = next((event for event in stored_events.list_events(store.db) if event.event_id == event_id), None)
        if event is not None:  # else deleting says that there is none
            output.confirm(f"Delete event {event_id} ({event.label!r})?", yes=yes, as_json=as_json)
        events.delete_event(store, event_id)
    output.show(event, f"Deleted event {event_id}.", as_json=as_json)
