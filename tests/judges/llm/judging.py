"""Judges of both vendors against a scripted server, for tests that need not care which."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest.mock import patch

import anthropic._base_client
import openai._base_client

from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.anthropic import AnthropicClient
from faithview.judges.llm import client
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.options import LlmOptions
from faithview.judges.openai import OpenAiClient
from tests.judges.llm.server import Answer, Request, Say, Script, Server, serving

VENDORS = ("openai", "anthropic")
KEY = "sk-test-0123456789abcdef"

# Waits that a test can wait for.
for sdk in (openai, anthropic):
    sdk._base_client.INITIAL_RETRY_DELAY, sdk._base_client.MAX_RETRY_DELAY = 0.01, 0.1
client._FIRST_PAUSE_S, client._LONGEST_PAUSE_S = 0.01, 1.0

_T = TypeVar("_T")


@contextmanager
def environment(url: str, *, key: str = KEY) -> Iterator[None]:
    """The SDKs' own variables, pointing at the server."""
    values = {
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": key,
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": key,
    }
    with patch.dict("os.environ", values):
        yield


def make_judge(
    vendor: str, url: str, *, method: str = "claims", timeout_s: float = 20.0, concurrency: int = 32, **options: str
) -> LlmJudge:
    """A judge of the vendor that calls this server and waits briefly."""
    understood = LlmOptions.from_spec(JudgeSpec(name=f"{vendor}:m", method=method, options=options))
    client_type = OpenAiClient if vendor == "openai" else AnthropicClient
    with environment(url):
        made = client_type("m", concurrency=concurrency, timeout_s=timeout_s, reasoning=understood.reasoning)
    return LlmJudge(made, understood)


def judge_against(
    script: Script, samples: Sequence[Sample], *, vendor: str = "openai", latency_s: float = 0.0, **options: Any
) -> tuple[list[Result], Server]:
    """Judge samples at the same time against a scripted server."""

    async def use(judge: LlmJudge) -> list[Result]:
        return await asyncio.gather(*(judge.judge(sample) for sample in samples))

    return with_judge(script, use, vendor=vendor, latency_s=latency_s, **options)


def with_judge(
    script: Script,
    use: Callable[[LlmJudge], Awaitable[_T]],
    *,
    vendor: str = "openai",
    latency_s: float = 0.0,
    **options: Any,
) -> tuple[_T, Server]:
    """Run something with a judge against a scripted server."""

    async def run() -> tuple[_T, Server]:
        async with serving(script, latency_s=latency_s) as (server, url):
            judge = make_judge(vendor, url, **options)
            try:
                return await use(judge), server
            finally:
                await judge.aclose()

    return asyncio.run(run())


def replies(**by_schema: Any) -> Script:
    """A script that replies to each kind of question with its document, or with the next one of a list of answers."""
    queues = {name: list(value) if isinstance(value, list) else None for name, value in by_schema.items()}

    def script(request: Request) -> Answer:
        queue = queues[request.schema]
        reply = by_schema[request.schema] if queue is None else queue.pop(0)
        return reply if not isinstance(reply, dict) else Say(text=json.dumps(reply))

    return script
