"""Replies of another tool's server with one odd value in them: every place of every reply that a pull asks for.

A pull from such a server ends in a file or in one sentence, whatever the value is; the key is in neither.
"""

import copy
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from faithview.domain.errors import FaithViewError
from tests.services.pulls.pulling import SERVERS, Puller
from tests.services.pulls.tool_server import Answers, Reply, Seen, serving

Path_ = tuple[str | int, ...]
# What is in a place of a reply where something else belongs.
ODD: dict[str, Any] = {
    "nothing": None,
    "empty text": "",
    "text": "9\x00\u202e<script>",
    "half a character": "\ud83d",
    "long text": "x" * 100_000,
    "true": True,
    "zero": 0,
    "negative": -1,
    "huge": 10**400,
    "not a number": float("nan"),
    "infinite": float("inf"),
    "list": [],
    "list of odd things": [None, 1, "x", [], {}],
    "object": {},
    "object of odd things": {"": None, "id": [], "data": {}},
    "deep": json.loads("[" * 200 + "]" * 200),
    "time without a zone": "2026-03-01T09:00:00",
    "time beyond all": "9999-12-31T23:59:59.999999-23:59",
    "no time": "0000-00-00T00:00:00Z",
}
# Whole replies that are none, with their status and headers.
REPLIES: dict[str, Reply] = {
    "no content": Reply(text="", status=204),
    "empty": Reply(text=""),
    "brackets": Reply(text="[" * 200_000),
    "page": Reply(text="<html>Log in</html>", headers={"Content-Type": "text/html"}),
    "no letters": Reply(text="\ufeff{}"),
    "broken": Reply(body={"data": ["x" * 1_000]}, broken=True),
    "wait for ever": Reply(status=429, headers={"Retry-After": "1e400"}),
    "wait a negative time": Reply(status=503, headers={"Retry-After": "-5"}),
    "wait no number": Reply(status=503, headers={"Retry-After": "nan"}),
    "wait until no date": Reply(status=503, headers={"Retry-After": "Mon, 99 Feb 99999 99:99:99 GMT"}),
    "wait beyond all": Reply(status=429, headers={"Retry-After": "99999999999"}),
    "error without words": Reply(status=400, text=""),
    "error of odd words": Reply(status=400, body={"message": {"a": [None, float("nan")]}}),
    "strange status": Reply(status=299, body=[]),
    "redirect to nowhere": Reply(status=302, headers={"Location": "http://[::1"}),
    "redirect to itself": Reply(status=307, headers={"Location": "/"}),
    "odd encoding": Reply(body={}, headers={"Content-Encoding": "br"}),
    "odd characters": Reply(body={}, headers={"Content-Type": "application/json; charset=nothing"}),
}


def questions(source: str, folder: Path) -> list[tuple[Seen, Reply]]:
    """Return what a pull asks of a tool's server, with the replies: one of each kind of question."""
    tool, answers, _ = SERVERS[source]
    found: dict[str, tuple[Seen, Reply]] = {}

    def remember(seen: Seen) -> Reply:
        reply = answers(seen)
        found.setdefault(kind_of(seen), (seen, copy.deepcopy(reply)))
        return reply

    folder.mkdir()
    with serving(remember) as server:
        Puller(folder, server, tool).pull(page_size=500)
    return list(found.values())


def kind_of(seen: Seen) -> str:
    """Return what is asked, without which record it is asked of."""
    return f"{seen.method} {seen.path.rstrip('0123456789')}"


def places(body: Any, *, under: Path_ = ()) -> Iterator[Path_]:
    """Yield every place of a reply, of lists the first item alone."""
    yield under
    if isinstance(body, dict):
        for name, value in body.items():
            yield from places(value, under=(*under, name))
    elif isinstance(body, list) and body:
        yield from places(body[0], under=(*under, 0))


def with_odd(reply: Reply, place: Path_, value: Any) -> Reply:
    """Return a reply with another value in a place."""
    if not place:
        return replace(reply, body=value)
    body = copy.deepcopy(reply.body)
    *above, last = place
    held = body
    for step in above:
        held = held[step]
    held[last] = value
    return replace(reply, body=body)


class OddServer:
    """Answers as a tool does, but for one kind of question."""

    def __init__(self, answers: Answers) -> None:
        """Take the tool."""
        self._answers, self._kind, self._reply = answers, "", Reply()

    def answer(self, kind: str, reply: Reply) -> None:
        """Answer such a question with this reply from now on."""
        self._kind, self._reply = kind, reply

    def __call__(self, seen: Seen) -> Reply:
        """Answer."""
        return self._reply if kind_of(seen) == self._kind else self._answers(seen)


def tried(source: str, folder: Path, *, odd: Sequence[str], replies: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each odd reply that was tried, in words, and what is wrong with the end of the pull; "" for nothing."""
    tool, answers, _ = SERVERS[source]
    asked = questions(source, folder / "asked")
    odd_server = OddServer(answers)
    with serving(odd_server) as server:
        for seen, reply in asked:
            kind = kind_of(seen)
            whole = [(name, REPLIES[name]) for name in replies]
            parts = [
                (f"{name} in {'.'.join(map(str, place)) or 'all'}", with_odd(reply, place, ODD[name]))
                for place in (places(reply.body) if reply.text is None else ())
                for name in odd
            ]
            for words, wrong in (*whole, *parts):
                odd_server.answer(kind, wrong)
                yield f"{source}, {kind}: {words}", _pull(folder / "pulled", server, tool)


def _pull(folder: Path, server: Any, tool: str) -> str:
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    puller = Puller(folder, server, tool)
    del server.seen[:]
    try:
        puller.pull(page_size=500)
    except FaithViewError as error:
        is_sentence = str(error).endswith((".", "…")) or " It says: " in str(error)
        return "" if is_sentence else f"no sentence: {error}"[:300]
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return f"{type(error).__name__}: {error}"[:300]
    try:
        puller.lines  # noqa: B018 - that each line is JSON
    except ValueError as error:
        return f"a line is no JSON: {error}"
    return f"it asked {len(server.seen)} times" if len(server.seen) > 1_000 else ""
