"""A vendor's server that runs beside a test, in a thread of its own, for code that brings its own event loop."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from tests.judges.llm.server import Script, Server, fenced, sensible, serving

KEY = "sk-test-0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Vendor:
    """A running server."""

    server: Server
    url: str

    @property
    def environment(self) -> Mapping[str, str]:
        """The SDKs' own variables, pointing here."""
        return {
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "OPENAI_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": KEY,
        }

    @property
    def calls(self) -> int:
        """How many times a model was asked."""
        return len(self.server.calls)

    def calls_by_answer(self, schema: str) -> Counter[str]:
        """How many times this question was asked about each answer."""
        return Counter(fenced(r.user, "answer") for r in self.server.calls if r.schema == schema)


@contextmanager
def running(script: Script = sensible, *, latency_s: float = 0.0) -> Iterator[Vendor]:
    """Run a server for the length of a block."""
    ready = threading.Event()
    found: list[Vendor] = []
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        async with serving(script, latency_s=latency_s) as (server, url):
            found.append(Vendor(server, url))
            ready.set()
            await stop.wait()

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        finally:
            loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10), "the server did not start"
    try:
        yield found[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


@contextmanager
def configured(
    monkeypatch: pytest.MonkeyPatch, script: Script = sensible, *, latency_s: float = 0.0
) -> Iterator[Vendor]:
    """Run a server that the environment variables of the SDKs lead to."""
    with running(script, latency_s=latency_s) as started:
        for name, value in started.environment.items():
            monkeypatch.setenv(name, value)
        yield started
