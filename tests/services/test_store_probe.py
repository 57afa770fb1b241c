"""Probes ask whether the store works, however often and however long it takes."""

import asyncio
import threading

import pytest

from faithview.services.schema import StoreProbe


def test_a_store_that_does_not_answer_takes_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faithview.services.schema._PATIENCE_S", 0.01)
    monkeypatch.setattr("faithview.services.schema.REMEMBERED_S", -1.0)
    asked: list[int] = []
    answers = threading.Event()

    def ask() -> bool:
        asked.append(1)
        return answers.wait(30)

    async def probe_often() -> list[bool]:
        probe = StoreProbe(ask)
        found = [await probe.works() for _ in range(5)]
        answers.set()
        monkeypatch.setattr("faithview.services.schema._PATIENCE_S", 30.0)
        return [*found, await probe.works()]

    assert asyncio.run(probe_often()) == [False] * 5 + [True]
    assert len(asked) == 1
