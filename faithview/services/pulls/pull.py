"""Pull a tool's records into a file: the request, continuing after an abort, and writing the file."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.domain.private_file import private
from faithview.formats.files.atomic_file import STANDARD_OUTPUT, atomic_file, refuse_database
from faithview.hosts import is_loopback
from faithview.services.pulls.langfuse import LANGFUSE
from faithview.services.pulls.langsmith import LANGSMITH
from faithview.services.pulls.mlflow import MLFLOW
from faithview.services.pulls.part_file import PartFile
from faithview.services.pulls.phoenix import PHOENIX
from faithview.services.pulls.tool import Environment, Pull, Tool

_SUFFIX = ".part"
_AGO = re.compile(r"(\d{1,6})([mhdw])")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
# The user's request; a file with another value of these belongs to another pull.
_ASKED = {"source": "source", "url": "server", "project": "--project", "since_text": "--since", "until_text": "--until"}


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

    Records are kept in `destination` + ".part" until all are fetched. The same request continues from there.

    Args:
        request: what to pull.
        destination: the file to write.
        environment: where the tool's own variables are: its key, its address, its project.
        say: prints a sentence.
        on_records: called with the number of records after each page.
        wait: sleeps that many seconds.

    Raises:
        InvalidInput: a value of the request or the environment is not valid; nothing is written.
        PullFailed: the server fails before it has sent anything; nothing is written.
        PullStopped: the server fails later; its records are kept for the same request.
    """
    from httpx import InvalidURL  # no other command needs httpx

    from faithview.services.pulls.pull_server import Server

    tool = request.tool
    address = tool.address(environment, request.url)
    project = request.project.strip() or tool.project(environment)
    if not project and tool.needs_project:
        raise InvalidInput(f"Name the project of {tool.title} with --source-project.")
    now = datetime.now(UTC)
    since = _option_time(request.since, "--since", now) if request.since else None
    until = _option_time(request.until, "--until", now) if request.until else now
    if since is not None and since >= until:
        raise InvalidInput("--since must be earlier than --until, and not in the future.")
    _check_destination(destination)
    with Server(address, say=say, wait=wait) as server:
        if server.base_url.startswith("http://") and address.headers and not is_loopback(_host_name(server.host)):
            say(f"warning: {server.host} is reached over http, so others on the network can read the key.")
        asked = {
            "source": tool.name,
            "url": server.base_url,
            "project": project,
            "since_text": request.since.strip(),
            "until_text": request.until.strip(),
        }
        window = {"since": since.isoformat() if since else "", "until": until.isoformat()}
        with _part_file(destination, {**asked, **window}, asked, restart=request.restart) as part:
            resumed = part.count()
            if resumed:
                say(f"Continuing after the {resumed:,} records that an earlier pull has fetched.")
            pull = Pull(
                server=server,
                part=part,
                project=project,
                since=datetime.fromisoformat(part.request["since"]) if part.request["since"] else None,
                until=datetime.fromisoformat(part.request["until"]),
                page_size=request.page_size,
                say=say,
                on_page=lambda: on_records(part.count(*tool.streams)),
            )
            try:
                tool.fetch(pull)
            except (InvalidURL, UnicodeEncodeError):
                raise PullFailed(
                    f"{server.host} sent an id that cannot be requested: it is too long or contains an incomplete "
                    "character."
                ) from None
            lines = _write_lines(tool, part, destination)
            if not lines:
                say(f"note: {server.host} has no {tool.noun} in {project!r} in that time; {destination} is empty.")
            return Pulled(
                destination=destination,
                lines=lines,
                host=server.host,
                project=project,
                since=part.request["since"],
                until=part.request["until"],
                resumed=resumed,
                records=part.count(),
            )


def _option_time(written: str, option: str, now: datetime) -> datetime:
    written = written.strip()
    if match := _AGO.fullmatch(written.lower()):
        try:
            return now - int(match[1]) * _UNITS[match[2]]
        except OverflowError:
            raise InvalidInput(f"{option} {written!r} is too long ago.") from None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        raise InvalidInput(
            f"{option} {written!r} is not a valid time; write 2026-03-01, 2026-03-01T09:00:00Z, or how long ago: "
            "30m, 12h, 7d."
        ) from None
    # A date or a time without a zone is in UTC, as the tools' own pages send it.
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _host_name(host: str) -> str:
    return host.rpartition(":")[0].strip("[]") if ":" in host else host


def _check_destination(destination: Path) -> None:
    if destination == STANDARD_OUTPUT:
        raise InvalidInput("A pull keeps fetched records next to its file, so the file needs a name; give one with -o.")
    if destination.is_dir():
        raise InvalidInput(f"{str(destination)!r} is a folder; name a file in it.")
    if destination.exists() and not destination.is_file():
        raise InvalidInput(f"{str(destination)!r} is not a regular file; name another one with -o.")
    if not destination.parent.is_dir():
        raise InvalidInput(f"There is no folder {str(destination.parent)!r}.")
    refuse_database(destination)


@contextmanager
def _part_file(
    destination: Path, request: Mapping[str, str], asked: Mapping[str, str], *, restart: bool
) -> Iterator[PartFile]:
    """Yield the part file; it is removed at the end or if it is empty, and kept after an error."""
    path = destination.with_name(destination.name + _SUFFIX)
    part = PartFile(path, request)
    differing = [label for name, label in _ASKED.items() if part.request.get(name) != asked[name]]
    if restart and part.is_resumed:
        part.remove()
        part = PartFile(path, request)
    elif differing:
        part.close()
        raise InvalidInput(
            f"{str(path)!r} is from a pull with a different {' and '.join(differing)}. Finish that pull, name another "
            "file with -o, or discard what it fetched with --restart."
        )
    try:
        yield part
    except BaseException as error:
        kept = part.count()
        if not kept:
            part.remove()
            raise
        part.close()
        if isinstance(error, PullFailed):
            raise PullStopped(
                f"{error} {kept:,} records are kept in {str(path)!r}; run the same command to continue after them.",
                status=error.status,
            ) from error
        raise
    part.remove()


def _write_lines(tool: Tool, part: PartFile, destination: Path) -> int:
    count = 0
    with atomic_file(destination) as temporary, open(temporary, "wb", opener=private) as out:
        for line in tool.lines(part):
            out.write(_line(line) + b"\n")
            count += 1
    return count


def _line(record: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which UTF-8 cannot hold
        return json.dumps(record).encode()


TOOLS: dict[str, Tool] = {tool.name: tool for tool in (LANGFUSE, PHOENIX, MLFLOW, LANGSMITH)}


def find_tool(name: str) -> Tool:
    """Return the tool of that name.

    Raises:
        InvalidInput: there is none.
    """
    if (tool := TOOLS.get(name.strip().lower())) is None:
        raise InvalidInput(f"There is no source {name!r}; FaithView pulls from {', '.join(TOOLS)}.")
    return tool
