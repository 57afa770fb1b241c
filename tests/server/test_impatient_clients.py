"""Clients that do not wait for the reply."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.types import ASGIApp, Message

from faithview import FaithfulnessGuard, Result, Sample
from faithview.server.app import create_app
from faithview.server.settings import Limits, ServerSettings
from faithview.services.container import Store
from tests.server.conftest import ANSWER, CONTEXT
from tests.services.scripted import ScriptedJudge

pytestmark = pytest.mark.process  # takes long


@dataclass(slots=True)
class _Client:
    """A client at the other end of a connection: sends `pieces` of a body, then waits until it leaves."""

    pieces: list[bytes]
    path: str = "/check"
    leaves: asyncio.Event = field(default_factory=asyncio.Event)
    sent: list[Message] = field(default_factory=list)

    async def ask(self, app: ASGIApp) -> int:
        """Send the request and return the status of the reply."""
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": self.path, "headers": headers, "query_string": b""}
        await app(
            {**scope, "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 1)}, self._give, self._take
        )
        return int(self.sent[0]["status"])

    async def _give(self) -> Message:
        if self.pieces:
            piece = self.pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self.pieces)}
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def _take(self, message: Message) -> None:
        self.sent.append(message)


def _body(answer: str = ANSWER) -> list[bytes]:
    return [json.dumps({"answer": answer, "context": CONTEXT}).encode()]


@dataclass
class _HeldJudge(ScriptedJudge):
    """Judges nothing before it is let go, and counts the answers that it was given and those that were given up."""

    given: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)

    async def judge(self, sample: Sample) -> Result:
        self.given[sample.answer] += 1
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.given_up[sample.answer] += 1
            raise
        return await ScriptedJudge.judge(self, sample)


async def _until(is_so: Any) -> None:
    async with asyncio.timeout(30):
        while not is_so():  # noqa: ASYNC110 - the judge lives on another event loop
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("path", ["/check", "/guard", "/correct"])
def test_a_client_that_leaves_is_judged_no_more_and_one_in_line_never(services: Store, path: str) -> None:
    judge = _HeldJudge()

    async def scenario(guard: FaithfulnessGuard) -> list[int]:
        limits = Limits(judgements_at_once=1)
        app = create_app(ServerSettings(limits=limits, warms_up=False), guard, services)
        first, second, third = (_Client(_body(f"{ANSWER} {n}"), path) for n in ("first", "second", "third"))
        asked = [asyncio.create_task(first.ask(app))]
        await _until(lambda: judge.given)
        asked += [asyncio.create_task(client.ask(app)) for client in (second, third)]
        await asyncio.sleep(0)
        second.leaves.set()
        statuses = [await asked[1]]
        assert not asked[0].done()
        first.leaves.set()
        statuses.append(await asked[0])
        await _until(lambda: judge.given_up)
        guard._background._portal.start_task_soon(judge.may_end.set)
        return [*statuses, await asked[2]]

    with FaithfulnessGuard(judge) as guard:
        assert asyncio.run(scenario(guard)) == [499, 499, 200]
    assert set(judge.given) == {f"{ANSWER} first", f"{ANSWER} third"}
    assert set(judge.given_up) == {f"{ANSWER} first"}
