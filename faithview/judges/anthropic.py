"""Judges served by Anthropic, or by a server that speaks its protocol. The only module that imports the SDK.

No sampling parameter is sent, because the SDK has none any more. A tool is forced only on servers that know no
structured output: newer models refuse it.
"""

import json
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import anthropic
from anthropic.types import Message
from pydantic import BaseModel

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.capabilities import host_of, server_label
from faithview.judges.llm.client import BatchLost, BatchOutcome, BatchRequest, Finish, Prompt, Reply, TokenUsage
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.options import LlmOptions
from faithview.judges.llm.replies.schemas import lean_schema
from faithview.judges.llm.retries import RetryPolicy
from faithview.judges.llm.transport import (
    NO_KEY,
    HttpFailure,
    Mode,
    NotSupported,
    SdkErrors,
    Translated,
    Transport,
    bounded_client,
    instructions_for,
    is_about_reasoning,
    read_model_names,
)

VENDOR = "anthropic"
HOST = "api.anthropic.com"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
TOKEN_VARIABLE = "ANTHROPIC_AUTH_TOKEN"  # noqa: S105 - a variable's name
BASE_URL_VARIABLE = "ANTHROPIC_BASE_URL"

# With one of these set the SDK finds credentials by itself; it does not look elsewhere on its own.
SDK_CREDENTIALS = ("ANTHROPIC_PROFILE", "ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_IDENTITY_TOKEN_FILE")

_CACHED = {"type": "ephemeral"}
_TOOL = "report"
_MOST_LISTED = 1_000  # models in a list; the API allows no more

# "max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for …"
_LIMIT = re.compile(r"max_tokens: \d+ > (\d+)")


def build(spec: JudgeSpec, *, policy: RetryPolicy | None = None) -> LlmJudge:
    """Build the judge; `policy` says how often a call is tried again (None: as a run does).

    Raises:
        JudgeUnavailable: there is no key, or an option cannot be used.
    """
    options = LlmOptions.from_spec(spec)
    client = AnthropicClient(
        options.model,
        concurrency=options.concurrency,
        timeout_s=options.timeout_s,
        policy=policy,
        reasoning=options.reasoning,
    )
    return LlmJudge(client, options)


class AnthropicClient:
    """One model. The SDK's client is made once and keeps its connections; it does not retry, `Transport` does."""

    vendor = VENDOR

    def __init__(
        self,
        model: str,
        *,
        concurrency: int = 32,
        timeout_s: float = 180.0,
        policy: RetryPolicy | None = None,
        reasoning: str | None = None,
    ) -> None:
        key = os.environ.get(KEY_VARIABLE, "").strip()
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
        self.model = model
        self._reasoning = reasoning
        self._sdk = _make_sdk(model, key, token, timeout_s)
        self._create = self._sdk.messages.with_raw_response.create
        self._most_tokens: int | None = None  # the most tokens that the model can write, once the server has said it
        self._transport = Transport(
            vendor="Anthropic",
            base_url=str(self._sdk.base_url),
            secrets=(key, token),
            concurrency=concurrency,
            timeout_s=timeout_s,
            policy=policy,
        )

    @property
    def host(self) -> str:
        """The host that is called."""
        return self._transport.host

    @property
    def server(self) -> str:
        """The server's part of a fingerprint; "" for the vendor's own server."""
        return server_label(str(self._sdk.base_url), vendors_own=HOST)

    @property
    def reply_form(self) -> str:
        """How the form of a reply is asked for (see `InspectableClient`)."""
        return self._transport.mode.name.lower()

    async def list_models(self) -> tuple[str, ...]:
        """Return the names of the server's models (see `InspectableClient`)."""

        async def call() -> tuple[str, ...]:
            with Translated(self._transport, _ERRORS):
                raw = await self._sdk.models.with_raw_response.list(limit=_MOST_LISTED)
                # Not parsed by the SDK: it fails on anything but a list.
                return read_model_names(await raw.text())

        return await self._transport.run_plain(call)

    def limit_calls(self, concurrency: int) -> None:
        """Cap concurrent calls at `concurrency`. Call it before the first call."""
        self._transport.concurrency = concurrency

    async def complete(self, prompt: Prompt, schema: type[BaseModel], *, max_tokens: int) -> Reply:
        """Ask one question (see `LlmClient`)."""

        async def call(mode: Mode) -> Reply:
            limit = min(max_tokens, self._most_tokens or max_tokens)
            try:
                return await self._send(self._body(prompt, schema, limit, mode))
            except NotSupported as error:
                # A tool cannot be forced on a model that thinks: that is about the form.
                if self._reasoning is not None and mode is not Mode.TOOL and is_about_reasoning(error.failure):
                    raise self._transport.no_such_reasoning(error.failure, self._reasoning) from None
                known = _LIMIT.search(error.failure.text)
                if known is None or int(known[1]) >= limit:
                    raise
                self._most_tokens = int(known[1])
            return await self._send(self._body(prompt, schema, self._most_tokens, mode))

        reply = await self._transport.in_best_mode(call)
        self._transport.heed_form(prompt, reply, schema)
        return reply

    async def aclose(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def submit_batch(self, requests: list[BatchRequest]) -> str:
        """Start a batch."""
        bodies: list[Any] = [
            {
                "custom_id": request.custom_id,
                "params": self._body(request.prompt, request.schema, request.max_tokens, self._transport.mode),
            }
            for request in requests
        ]

        async def call() -> str:
            with Translated(self._transport, _ERRORS):
                return (await self._sdk.messages.batches.create(requests=bodies)).id

        return await self._transport.run_plain(call)

    async def batch_is_done(self, batch_id: str) -> bool:
        """Return whether the batch has ended, well or not."""

        async def call() -> bool:
            with Translated(self._transport, _ERRORS):
                return (await self._sdk.messages.batches.retrieve(batch_id)).processing_status == "ended"

        return await self._transport.run_plain(call)

    async def collect_batch(self, batch_id: str) -> Mapping[str, BatchOutcome]:
        """Return what became of the requests."""

        async def call() -> dict[str, BatchOutcome]:
            with Translated(self._transport, _ERRORS):
                batch = await self._sdk.messages.batches.retrieve(batch_id)
                self._refuse_other_host(batch_id, batch.results_url)
                decoder = await self._sdk.messages.batches.results(batch_id)
                return {item.custom_id: self._outcome(item.result) async for item in decoder}

        return await self._transport.run_plain(call)

    def _refuse_other_host(self, batch_id: str, url: str | None) -> None:
        """Raise BatchLost if the results are on another host: fetching them would send the key there."""
        there = host_of(url) if url is not None and "://" in url else self.host
        if there not in (self.host, HOST):
            raise BatchLost(
                f"Anthropic at {self.host} has the results of batch {batch_id} at {self._transport.scrub(there)}, "
                "where the key is not sent; they were not fetched."
            )

    def _body(self, prompt: Prompt, schema: type[BaseModel], max_tokens: int, mode: Mode) -> dict[str, Any]:
        content: list[dict[str, Any]] = []
        if prompt.context:
            # Writing to the cache costs a quarter more than sending, so only texts that are read again are marked.
            mark = {"cache_control": _CACHED} if prompt.reuses_context else {}
            content.append({"type": "text", "text": prompt.context, **mark})
        content.append({"type": "text", "text": prompt.task})
        instructions = instructions_for(prompt, schema, mode)
        body: dict[str, Any] = {
            "model": self.model,
            "system": [{"type": "text", "text": instructions, "cache_control": _CACHED}],
            "messages": [{"role": "user", "content": content}],
            "max_tokens": max_tokens,
        }
        if self._reasoning is not None:
            # The model decides how much to think, within the effort. A budget of tokens is what older models take.
            body["thinking"] = {"type": "adaptive"}
            body["output_config"] = {"effort": self._reasoning}
        if mode is Mode.SCHEMA:
            body.setdefault("output_config", {})["format"] = {"type": "json_schema", "schema": _schema(schema)}
        elif mode is Mode.TOOL:
            description = (schema.__doc__ or "").strip()
            body["tools"] = [{"name": _TOOL, "description": description, "input_schema": _schema(schema)}]
            body["tool_choice"] = {"type": "tool", "name": _TOOL}
        return body

    async def _send(self, body: dict[str, Any]) -> Reply:
        with Translated(self._transport, _ERRORS):
            # As `extra_body` it is sent unchanged and replaces the arguments. Otherwise the SDK would walk through
            # messages and schema by their types. `max_tokens` decides on its time limit.
            raw = await self._create(model=self.model, messages=(), max_tokens=body["max_tokens"], extra_body=body)
            self._transport.observe(raw.headers)
            message = await raw.parse()
        return self._reply(message)

    def _reply(self, message: object) -> Reply:
        if not isinstance(message, Message) or message.content is None:
            raise self._transport.garbled("a message without content")
        text = "".join(block.text for block in message.content if block.type == "text")
        for block in message.content:
            if block.type == "tool_use":
                text = json.dumps(block.input)
        match message.stop_reason:
            case "refusal":
                finish = Finish.REFUSED
            case "max_tokens" | "model_context_window_exceeded" | "pause_turn":
                finish = Finish.TRUNCATED
            case _:
                finish = Finish.COMPLETE
        return Reply(text=text, finish=finish, usage=_usage(message))

    def _outcome(self, result: object) -> BatchOutcome:
        message = getattr(result, "message", None)
        if message is not None:
            return BatchOutcome(reply=self._reply(message))
        error = getattr(getattr(result, "error", None), "error", None)
        detail = self._transport.scrub(str(getattr(error, "message", "") or getattr(result, "type", "no reply")))
        return BatchOutcome(error=f"Anthropic did not answer this request of the batch: {detail}")


def _make_sdk(model: str, key: str, token: str, timeout_s: float) -> anthropic.AsyncAnthropic:
    """Make the SDK's client from the environment, without traces of requests."""
    credentials: dict[str, Any] = {}
    if key:
        credentials = {"api_key": key}
    elif token:
        credentials = {"auth_token": token}
    elif any(os.environ.get(name) for name in SDK_CREDENTIALS):
        pass  # it finds them by itself
    elif os.environ.get(BASE_URL_VARIABLE):
        credentials = {"api_key": NO_KEY}
    else:
        raise JudgeUnavailable(
            f"Judge 'anthropic:{model}' needs a key: set the environment variable {KEY_VARIABLE} "
            f"(or {BASE_URL_VARIABLE}, for your own server without a key)."
        )
    return anthropic.AsyncAnthropic(
        **credentials,
        max_retries=0,
        timeout=timeout_s,
        open_telemetry=False,
        http_client=bounded_client(anthropic.DefaultAioHttpClient, anthropic.DefaultAsyncHttpxClient),
    )


@lru_cache(maxsize=64)
def _schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the schema as the API takes it; making it takes a millisecond."""
    return {**anthropic.transform_schema(lean_schema(schema.model_json_schema())), "title": schema.__name__}


def _usage(message: Message) -> TokenUsage:
    usage = message.usage
    if usage is None:
        return TokenUsage()
    read, write = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    return TokenUsage(
        prompt=(usage.input_tokens or 0) + read + write,
        completion=usage.output_tokens or 0,
        cache_read=read,
        cache_write=write,
    )


def _read_error(error: anthropic.APIStatusError) -> HttpFailure:
    return HttpFailure(
        status=error.status_code,
        text=error.api_message or error.message,
        code=error.error_code,
        headers=error.response.headers,
    )


_ERRORS = SdkErrors(
    status=anthropic.APIStatusError,
    connection=anthropic.APIConnectionError,
    base=anthropic.AnthropicError,
    read=_read_error,
)
