"""What bounds the work: the lines before the judge and before the store."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from faithview.domain.live import Appended, LogRecord
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.server.errors import Refused
from faithview.server.limits import Line
from faithview.server.settings import Limits
from faithview.services.container import Store
from faithview.services.live.append import append_answers
from tests.server.conftest import ANSWER, CONTEXT, Start
from tests.services.scripted import ScriptedJudge

pytestmark = pytest.mark.process  # takes long

_BODY = {"answer": ANSWER, "context": CONTEXT}


async def _asked(line: Line, gate: asyncio.Event) -> object:
    try:
        async with line.place():
            await gate.wait()
            return "done"
    except Refused as refused:
        return refused.status_code


def test_a_request_that_is_given_up_leaves_its_place() -> None:
    async def scenario() -> object:
        line, gate = Line("wait", at_once=1, waiting=5), asyncio.Event()
        tasks = [asyncio.create_task(_asked(line, gate)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        gate.set()
        assert (line.running, line.waiting) == (0, 0)
        return await _asked(line, gate)

    assert asyncio.run(scenario()) == "done"


@dataclass
class _SlowJudge(ScriptedJudge):
    given_up: list[str] = field(default_factory=list)

    async def judge(self, sample: Sample) -> Result:
        try:
            await asyncio.sleep(3600)
        finally:
            self.given_up.append(sample.answer)
        return await ScriptedJudge.judge(self, sample)


def test_an_answer_that_takes_too_long_is_told_and_given_up(start: Start) -> None:
    judge = _SlowJudge()
    client = start(judge, warms_up=False, limits=Limits(judge_seconds=0.05))
    reply = client.post("/check", json=_BODY)
    assert (reply.status_code, reply.json()["error"]["type"]) == (504, "judge_timeout")
    _wait_for(lambda: bool(judge.given_up))
    assert judge.given_up == [ANSWER]


def test_a_full_line_before_the_judge_says_when_to_come_back(start: Start) -> None:
    client = start(_SlowJudge(), warms_up=False, limits=Limits(judgements_at_once=1, waiting=0, judge_seconds=2))
    with ThreadPoolExecutor(3) as pool:
        replies = [future.result() for future in [pool.submit(client.post, "/check", json=_BODY) for _ in range(3)]]
    assert Counter(reply.status_code for reply in replies) == {504: 1, 503: 2}
    assert {reply.headers.get("retry-after") for reply in replies} == {None, "5"}


def test_more_than_fits_before_the_store_is_refused_and_not_held(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()

    def append(store: Store, records: Sequence[LogRecord]) -> Appended:
        assert may_go_on.wait(60)
        return append_answers(store, records)

    monkeypatch.setattr("faithview.server.endpoints.append_answers", append)
    monkeypatch.setattr("faithview.server.endpoints._MOST_WRITES_WAITING", 2)
    client = start()
    with ThreadPoolExecutor(6) as pool:
        bodies = [json.dumps({"answers": [{"answer": "a", "context": "c", "id": str(n)}]}) for n in range(6)]
        headers = {"Content-Type": "application/json"}
        asked = [pool.submit(client.post, "/log", content=body, headers=headers) for body in bodies]
        _wait_for(lambda: sum(future.done() for future in asked) == 3)
        may_go_on.set()
        assert Counter(future.result().status_code for future in asked) == {200: 3, 503: 3}


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
