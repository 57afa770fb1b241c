"""`faithview audit`: who did what, when and to which object."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.domain.audit import AuditFilter, Kind
from faithview.domain.errors import InvalidInput
from faithview.domain.retention import parse_days
from faithview.wording import numbers as fmt
from faithview.wording.audit import ACTIONS, object_words


def audit(
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="TIME", help="From then on: 7d, 12h, 2025-03-31 or 2025-03-31T14:05+02:00."),
    ] = None,
    who: Annotated[str | None, typer.Option("--who", metavar="NAME", help="Only what this person did.")] = None,
    kind: Annotated[
        Kind | None,
        typer.Option("--kind", metavar="KIND", help=f"List only what is about this: {', '.join(Kind)}."),
    ] = None,
    find: Annotated[str, typer.Option("--find", metavar="TEXT", help="Only rows with this text, ignoring case.")] = "",
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many, the newest.")] = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """List who did what, the newest first."""
    from faithview.services.audit import log

    wanted = AuditFilter(who=who, kind=kind, since=_moment(since), words=find.strip())
    with open_services(db) as services:
        entries = list(islice(log.iterate_entries(services, wanted), limit))
    if as_json:
        from faithview.documents.live import AuditDocument

        output.print_json(AuditDocument.of(entries=entries))
        return
    rows = [
        [
            fmt.day_and_time(entry.at),
            entry.who,
            ACTIONS[entry.action],
            object_words(entry) or "–",
            entry.detail or "–",
            fmt.count(entry.items),
        ]
        for entry in entries
    ]
    output.print_table("Audit log", ["at", "who", "what", "object", "detail", "items "], rows)


def _moment(text: str | None) -> datetime | None:
    """Return the moment that --since names: a time, or a span before now."""
    from faithview.services.trends.events import parse_time

    if text is None:
        return None
    try:
        return datetime.now(UTC) - timedelta(days=parse_days(text))
    except InvalidInput:
        return parse_time(text).at
