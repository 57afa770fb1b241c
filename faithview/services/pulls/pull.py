"""Pull a tool's records into a file that `faithview import` and `faithview evaluate` read.

Each page that comes is one line of `FILE.part`: its records, and the place where the next page begins. So whatever ends
a pull, the same request goes on behind the last whole page; the file itself is written at the end.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.domain.private_file import private
from faithview.formats.files.atomic_file import STANDARD_OUTPUT, atomic_file, refuse_database
from faithview.hosts import is_loopback
from faithview.services.pulls.tools import Ask, Environment, Json, Tool

_AGO = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
# What a part file must agree in with the request that goes on with it, by the names that messages use.
_ASKED = ("source", "server", "--source-project", "--since", "--until")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The request of a pull.

    Attributes:
        tool: the source.
        project: the project's name or id; "" for the one that the tool's own variable names.
        since, until: as the user writes them: a date, a time, or an age such as 7d.
        url: the server's address; None for the one in the tool's own variable.
        page_size: how many records to ask for at once; None for the tool's own.
        restart: discard the records of an earlier pull.
    """

    tool: Tool
    project: str = ""
    since: str = ""
    until: str = ""
    url: str | None = None
    page_size: int | None = None
    restart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """The result of a pull.

    Attributes:
        destination: the file.
        lines: how many lines it has.
        host: the server's host.
        project: the project as the user named it.
        since, until: the window, as ISO 8601; `since` is "" if there is none.
        resumed: how many records an earlier pull had fetched.
        records: how many records the tool sent, together with those.
    """

    destination: Path
    lines: int
    host: str
    project: str
    since: str
    until: str
    resumed: int
    records: int


class PullStopped(PullFailed):
    """The pull ended early and kept its records for the next one."""


def pull_file(
    request: Request,
    destination: Path,
    *,
    environment: Environment,
    say: Callable[[str], None],
    on_records: Callable[[int], None] = lambda _: None,
    wait: Callable[[float], None] = time.sleep,
) -> Pulled:
    """Fetch a tool's records and write them to a file, one JSON object per line.

    Args:
        request: what to pull.
        destination: the file to write; until it is complete, the records are in a file beside it, named `.part`.
        environment: where the tool's own variables are: its key, its address, its project.
        say: prints a sentence.
        on_records: called with the number of records after each page.
        wait: sleeps that many seconds.

    Raises:
        InvalidInput: a value of the request or the environment is not valid; nothing is written.
        PullFailed: the server fails before it has sent anything; nothing is written.
        PullStopped: the server fails later; its records are kept for the same request.
    """
    from faithview.services.pulls.server import Server  # no other command needs httpx

    tool = request.tool
    project = request.project.strip() or (tool.project(environment) if tool.project else "")
    if not project and tool.project:
        raise InvalidInput(f"Name the project of {tool.title} with --source-project.")
    _check_destination(destination)
    with Server(tool.address(environment, request.url), say=say, wait=wait) as server:
        if server.sends_key_openly and not is_loopback(server.host_name):
            say(f"warning: {server.host} is reached over http, so others on the network can read the key.")
        asked = (tool.name, server.base_url, project, request.since.strip(), request.until.strip())
        part = destination.with_name(destination.name + ".part")
        if request.restart:
            part.unlink(missing_ok=True)
        # A request that goes on has the window of its first try.
        window = _begin(part, asked, _window(request))
        since, until = datetime.fromisoformat(window[0]) if window[0] else None, datetime.fromisoformat(window[1])
        resumed = sum(len(records) for records, _ in _pages(part))
        if resumed:
            say(f"Continuing after the {resumed:,} records that an earlier pull has fetched.")
        ask = Ask(server=server, project=project, since=since, until=until, page_size=request.page_size, say=say)
        count = resumed
        try:
            for count in _fetch(ask, tool, part):
                on_records(count)
            lines = _write(tool, part, destination, since, until)
        except BaseException as error:
            if not count:
                part.unlink()
            elif isinstance(error, PullFailed):
                raise PullStopped(
                    f"{error} {count:,} records are kept in {str(part)!r}; run the same command to continue after "
                    "them, or with --restart to begin again.",
                    status=error.status,
                ) from error
            raise
        part.unlink()
        if not lines:
            say(f"note: {server.host} has no {tool.noun} in {project!r} in that time; {destination} is empty.")
        return Pulled(
            destination=destination,
            lines=lines,
            host=server.host,
            project=project,
            since=window[0],
            until=window[1],
            resumed=resumed,
            records=count,
        )


def _window(request: Request) -> tuple[str, str]:
    now = datetime.now(UTC)
    since = _time(request.since, "--since", now) if request.since else None
    until = _time(request.until, "--until", now) if request.until else now
    if since is not None and since >= until:
        raise InvalidInput("--since must be earlier than --until, and not in the future.")
    return since.isoformat() if since else "", until.isoformat()


def _time(written: str, option: str, now: datetime) -> datetime:
    written = written.strip()
    if match := _AGO.fullmatch(written.lower()):
        return now - timedelta(**{_UNITS[match[2]]: int(match[1])})
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        raise InvalidInput(
            f"{option} {written!r} is not a valid time; write 2026-03-01, 2026-03-01T09:00:00Z, or how long ago: "
            "30m, 12h, 7d."
        ) from None
    # A date or a time without a zone is in UTC, as the tools' own pages send it.
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _check_destination(destination: Path) -> None:
    if destination == STANDARD_OUTPUT:
        raise InvalidInput("A pull keeps fetched records next to its file, so the file needs a name; give one with -o.")
    if destination.exists() and not destination.is_file():
        raise InvalidInput(f"{str(destination)!r} is not a regular file; name another one with -o.")
    if not destination.parent.is_dir():
        raise InvalidInput(f"There is no folder {str(destination.parent)!r}.")
    refuse_database(destination)


def _begin(part: Path, asked: tuple[str, ...], window: tuple[str, str]) -> tuple[str, str]:
    """Begin the part file, or go on with it behind its last whole line; return the window of its request."""
    if not part.exists():
        _append(part, {"asked": asked, "window": window})
        return window
    with open(part, "rb") as file:
        first = file.readline()
        whole = len(first) + sum(len(line) for line in file if line.endswith(b"\n"))
    try:
        begun = json.loads(first)
        earlier, kept = begun["asked"], begun["window"]
    except (ValueError, TypeError, KeyError):
        raise InvalidInput(f"{str(part)!r} is damaged or not from a pull; remove it and pull again.") from None
    differing = [name for name, old, new in zip(_ASKED, earlier, asked, strict=True) if old != new]
    if differing:
        raise InvalidInput(
            f"{str(part)!r} is from a pull with a different {' and '.join(differing)}. Finish that pull, name another "
            "file with -o, or discard what it fetched with --restart."
        )
    with open(part, "r+b") as file:
        file.truncate(whole)
    return kept[0], kept[1]


def _pages(part: Path) -> Iterator[tuple[list[Json], Any]]:
    """Yield the pages of a part file: their records, and the place of the next page."""
    with open(part, "rb") as file:
        file.readline()
        for line in file:
            page = json.loads(line)
            yield page["records"], page["next"]


def _append(part: Path, line: Json) -> None:
    with open(part, "ab", opener=private) as file:
        file.write(json.dumps(line).encode() + b"\n")


def _fetch(ask: Ask, tool: Tool, part: Path) -> Iterator[int]:
    """Fetch and keep the pages that are not there yet; yield the number of records after each."""
    place, count, is_done = None, 0, False
    for records, place in _pages(part):
        count, is_done = count + len(records), place is None
    named: set[str] = set()
    while not is_done:
        named.add(json.dumps(place))
        records, place = tool.page(ask, place)
        if place is not None and json.dumps(place) in named:
            raise PullFailed(f"{ask.server.host} named the same next page twice; the pull would never end.")
        _append(part, {"records": records, "next": place})
        count, is_done = count + len(records), place is None
        yield count


def _write(tool: Tool, part: Path, destination: Path, since: datetime | None, until: datetime) -> int:
    """Write each record of the traces that began in the window, once."""
    began: dict[str, datetime] = {}
    for records, _ in _pages(part):
        for trace, _, start in map(tool.trace, records):
            with suppress(ValueError):  # not a time, or none: a score has none of its own
                moment = datetime.fromisoformat(start)
                moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
                began[trace] = min(began.get(trace, moment), moment)
    chosen = {trace for trace, at in began.items() if (since is None or at >= since) and at < until}
    written: set[tuple[str, str]] = set()
    with atomic_file(destination) as temporary, open(temporary, "wb", opener=private) as out:
        for records, _ in _pages(part):
            for record in records:
                trace, own, _ = tool.trace(record)
                if trace in chosen and (trace, own) not in written:
                    written.add((trace, own))
                    out.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    return len(written)
