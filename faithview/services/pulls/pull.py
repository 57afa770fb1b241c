"""Pull a tool's records into a file that `faithview import` and `faithview evaluate` read.

Each page that comes is one line of `FILE.part`: its records, and the place where the next page begins. So whatever ends
a pull, the same request goes on behind the last whole page; the file itself is written at the end.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.domain.private_file import private
from faithview.formats.files.atomic_file import STANDARD_OUTPUT, atomic_file, refuse_database
from faithview.services.pulls.tools import START, Ask, Json, Tool, read_time, seconds

_AGO = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
# Spans are asked for this much longer before and after the window, so its traces are whole.
_MARGIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """The result of a pull.

    Attributes:
        lines: how many lines the file has.
        host: the server's host.
        since, until: the window, as ISO 8601; `since` is None if there is none.
        resumed: how many records an earlier pull had fetched.
        records: how many records the tool sent, together with those.
    """

    lines: int
    host: str
    since: str | None
    until: str
    resumed: int
    records: int


class PullStopped(PullFailed):
    """The pull ended early and kept its records for the next one."""


def pull_file(
    tool: Tool,
    destination: Path,
    *,
    project: str,
    since: str = "",
    until: str = "",
    url: str | None = None,
    page_size: int = 100,
    say: Callable[[str], None],
    on_records: Callable[[int], None] = lambda _: None,
) -> Pulled:
    """Fetch a tool's records and write them to a file, one JSON object per line.

    Args:
        tool: the source; its key is in its own environment variables.
        destination: the file to write; until it is complete, the records are in a file beside it, named `.part`.
        project: the project's name or id; "" for a tool whose key belongs to one project.
        since: fetch the traces that began then or later: a date, a time, or an age such as 7d; "" for all.
        until: fetch the traces that began before then; "" for now.
        url: the server's address; None for the one in the tool's own variable.
        page_size: how many records to ask for at once, at most 100.
        say: prints a sentence.
        on_records: called with the number of records after each page.

    Raises:
        InvalidInput: a value is not valid; nothing is written.
        PullFailed: the server fails before it has sent anything; nothing is written.
        PullStopped: the server fails later; its records are kept for the same request.
    """
    if (
        destination == STANDARD_OUTPUT
        or (destination.exists() and not destination.is_file())
        or not destination.parent.is_dir()
    ):
        raise InvalidInput(
            f"A pull keeps fetched records next to its file, so the file needs a name in a folder that exists, and not "
            f"{str(destination)!r}; give one with -o."
        )
    refuse_database(destination)
    now = datetime.now(UTC)
    begin, end = _time(since, "--since", now) if since else None, _time(until, "--until", now) if until else now
    if begin is not None and begin >= end:
        raise InvalidInput("--since must be earlier than --until, and not in the future.")
    part = destination.with_name(destination.name + ".part")
    with tool.connect(url, say) as server:
        asked = json.dumps([tool.name, str(server.base_url), project, since, until]).encode()
        page: Json = {"since": begin and _iso(begin), "until": _iso(end), "rows": [], "next": START}
        records = 0
        for page in _pages(part, asked):  # the window is that of the first try
            records += len(page["rows"])
        if resumed := records:
            say(f"Continuing after the {resumed:,} records that an earlier pull has fetched.")
        ask = Ask(
            server=server,
            project=project,
            since=page["since"] and _iso(read_time(page["since"]) - _MARGIN),
            until=_iso(read_time(page["until"]) + _MARGIN),
            page_size=page_size,
        )
        try:
            while page["next"] is not None:
                page = {**page, **_fetch(tool, ask, page["next"])}
                _append(part, asked, page)
                records += len(page["rows"])
                on_records(records)
        except PullFailed as error:
            if not part.exists():
                raise
            raise PullStopped(
                f"{error} {records:,} records are kept in {str(part)!r}; run the same command to continue after them, "
                "or remove that file to begin again.",
                status=error.status,
            ) from error
        lines = _write(part, asked, destination, page["since"], page["until"])
        part.unlink()
        return Pulled(
            lines=lines, host=server.host, since=page["since"], until=page["until"], resumed=resumed, records=records
        )


def _time(written: str, option: str, now: datetime) -> datetime:
    if match := _AGO.fullmatch(written.strip().lower()):
        return now - timedelta(**{_UNITS[match[2]]: int(match[1])})
    try:
        return read_time(written.strip())
    except ValueError:
        raise InvalidInput(
            f"{option} {written!r} is not a valid time; write 2026-03-01, 2026-03-01T09:00:00Z, or how long ago: "
            "30m, 12h, 7d."
        ) from None


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")  # the form that all tools read


def _pages(part: Path, asked: bytes) -> Iterator[Json]:
    """Yield the pages that are kept for a request."""
    if not part.exists():
        return
    with open(part, "rb") as file:
        if file.readline().strip() != asked:
            raise InvalidInput(
                f"{str(part)!r} is not from a pull with this source, server, --source-project, --since and --until. "
                "Finish that pull, name another file with -o, or remove that file."
            )
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:  # a kill cut it off, and it was fetched again
                continue


def _append(part: Path, asked: bytes, page: Json) -> None:
    with open(part, "ab", opener=private) as file:
        if not file.tell():
            file.write(asked)
        file.write(b"\n" + json.dumps(page).encode())


def _fetch(tool: Tool, ask: Ask, place: Any) -> Json:
    try:
        rows, following = tool.page(ask, place)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise PullFailed(f"{ask.server.host} does not answer as {tool.title} does; check --url.") from error
    if following == place:
        raise PullFailed(f"{ask.server.host} named the same next page twice; the pull would never end.")
    return {"rows": rows, "next": following}


def _write(part: Path, asked: bytes, destination: Path, since: str | None, until: str) -> int:
    """Write each record of the traces that began in the window, once."""
    began: dict[str, float] = {}
    for page in _pages(part, asked):
        for trace, _, start, _ in page["rows"]:
            if start is not None:
                began[trace] = min(began.get(trace, start), start)
    first = seconds(since) if since else -math.inf
    chosen = {trace for trace, start in began.items() if first <= start < seconds(until)}
    written: set[tuple[str, str]] = set()
    with atomic_file(destination) as temporary, open(temporary, "wb", opener=private) as out:
        for page in _pages(part, asked):
            for trace, own, _, record in page["rows"]:
                if trace in chosen and (trace, own) not in written:
                    written.add((trace, own))
                    out.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    return len(written)
