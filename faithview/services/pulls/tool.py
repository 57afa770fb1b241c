"""The interface of tools that can be pulled from: the tool, the address of its server, and the pull."""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from faithview.domain.errors import PullFailed
from faithview.services.pulls.part_file import PartFile, storable

if TYPE_CHECKING:
    from faithview.services.pulls.pull_server import Server

Params = Mapping[str, str | int | list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The address of a server, and the credentials for it.

    Attributes:
        url: the base URL as the user or the environment gives it; its name and password become basic authentication.
        headers: sent with every request.
        key_variables: the environment variables that hold the key, for messages.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    key_variables: tuple[str, ...] = ()


def basic(name: str, password: str) -> str:
    """Return the `Authorization` header for a name and a password."""
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode("ascii")


Environment = Mapping[str, str]
Json = dict[str, Any]

# Spans are requested for this much longer before and after the window, so its traces are complete.
_MARGIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """A pull in progress.

    Attributes:
        server: the tool's server.
        part: the records so far.
        project: as the user named it; "" if not named.
        since, until: which traces to take: those that began at `since` or later and before `until`.
        page_size: how many records to ask for at once; None for the tool's own.
        say: prints a sentence.
        on_page: called after each page.
    """

    server: "Server"
    part: PartFile
    project: str
    since: datetime | None
    until: datetime
    page_size: int | None
    say: Callable[[str], None]
    on_page: Callable[[], None]

    def spans_since(self) -> datetime | None:
        """Return the start of the requested spans, early enough for spans that began before `since`."""
        return self.since - _MARGIN if self.since is not None else None

    def spans_until(self) -> datetime:
        """Return the end of the requested spans, late enough to complete the last traces."""
        return self.until + _MARGIN

    def size(self, usual: int, most: int) -> int:
        """Return the page size for this kind of record."""
        return min(self.page_size or usual, most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool whose server can be read.

    Attributes:
        name: its name on the command line.
        title: its name in messages.
        reader: the format that reads the lines.
        noun: the name of the records that are counted while they arrive.
        streams: the kinds of records that are counted.
        address: the address of the server, from the environment or from a given URL.
        project: the project that the tool's own variable names.
        fetch: fills the part file; records in it are not fetched again.
        lines: yields the objects of the file, one per line.
        needs_project: whether a project has to be named.
    """

    name: str
    title: str
    reader: str
    noun: str
    streams: tuple[str, ...]
    address: Callable[[Environment, str | None], Address]
    project: Callable[[Environment], str]
    fetch: Callable[[Pull], None]
    lines: Callable[[PartFile], Iterator[Json]]
    needs_project: bool = True


def variable(environment: Environment, *names: str) -> str:
    """Return the first variable that is not empty, without surrounding spaces and quotation marks."""
    for name in names:
        if value := environment.get(name, "").strip().strip("\"'"):
            return value
    return ""


def objects(server: "Server", found: Any, *path: str) -> list[Json]:
    """Return the list of objects at a path of a reply.

    Raises:
        PullFailed: there is none, so this is another server or another version of it.
    """
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise PullFailed(
            f"{server.host} answered with JSON that has no list of {path[-1] if path else 'records'}; check --url."
        )
    return found


def text(item: Mapping[str, Any], name: str) -> str:
    """Return a text of a record, "" if missing."""
    value = item.get(name)
    return value if isinstance(value, str) else ""


def place(server: "Server", value: Any) -> str | None:
    """Return the server's name for the next page; None if there is none.

    Raises:
        PullFailed: it is neither a text nor a number.
    """
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise PullFailed(f"{server.host} sent a next page that is not a string; check --url.")
    return storable(str(value))


def record_id(item: Mapping[str, Any]) -> str:
    """Return a record's id, or a hash of its content, because two records without an id may differ."""
    if given := text(item, "id"):
        return given
    return sha256(json.dumps(item, sort_keys=True, ensure_ascii=True, default=str).encode()).hexdigest()


def batches(ids: list[str], size: int) -> Iterator[list[str]]:
    """Yield the ids in groups of this size."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def began_within(part: PartFile, starts: Iterable[str]) -> bool:
    """Return whether the earliest of these times is in the window of a pull; unreadable times count as inside."""
    moments = [moment for moment in map(_parsed_time, starts) if moment is not None]
    if not moments:
        return True
    since, until = _parsed_time(part.request["since"]), _parsed_time(part.request["until"])
    return (since is None or min(moments) >= since) and (until is None or min(moments) < until)


def _parsed_time(written: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
