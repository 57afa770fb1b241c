"""Judges served by OpenAI, or by any server that speaks its protocol. The only module that imports the SDK.

Chat completions and not the newer Responses, because that is what compatible servers speak. No sampling parameter is
sent: reasoning models refuse them.
"""

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import openai
from openai.types.chat import ChatCompletion
from pydantic import BaseModel

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.capabilities import server_label
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
    is_unknown_parameter,
    read_model_names,
    wants_smaller_limit,
)

VENDOR = "openai"
HOST = "api.openai.com"
KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"

_ENDPOINT: Final = "/v1/chat/completions"
_OVER = ("completed", "failed", "expired", "cancelled")


def build(spec: JudgeSpec, *, policy: RetryPolicy | None = None) -> LlmJudge:
    """Build the judge; `policy` says how often a call is tried again (None: as a run does).

    Raises:
        JudgeUnavailable: there is no key, or an option cannot be used.
    """
    options = LlmOptions.from_spec(spec)
    client = OpenAiClient(
        options.model,
        concurrency=options.concurrency,
        timeout_s=options.timeout_s,
        policy=policy,
        reasoning=options.reasoning,
    )
    return LlmJudge(client, options)


class OpenAiClient:
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
        if not key and not os.environ.get(BASE_URL_VARIABLE):
            raise JudgeUnavailable(
                f"Judge 'openai:{model}' needs a key: set the environment variable {KEY_VARIABLE} "
                f"(or {BASE_URL_VARIABLE}, for your own server without a key)."
            )
        self.model = model
        self._reasoning = reasoning
        self._sdk = openai.AsyncOpenAI(
            api_key=key or NO_KEY,
            max_retries=0,
            timeout=timeout_s,
            http_client=bounded_client(openai.DefaultAioHttpClient, openai.DefaultAsyncHttpxClient),
        )
        self._create = self._sdk.chat.completions.with_raw_response.create
        self._transport = Transport(
            vendor="OpenAI",
            base_url=str(self._sdk.base_url),
            secrets=(key,),
            concurrency=concurrency,
            timeout_s=timeout_s,
            policy=policy,
        )
        # Older servers know "max_tokens" only. None: the server's own limit is lower than ours, and it knows it best.
        self._limit_name: str | None = "max_completion_tokens"

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
                raw = await self._sdk.models.with_raw_response.list()
                # Not parsed by the SDK: it fails on anything but a list.
                return read_model_names(raw.text)

        return await self._transport.run_plain(call)

    def limit_calls(self, concurrency: int) -> None:
        """Cap concurrent calls at `concurrency`. Call it before the first call."""
        self._transport.concurrency = concurrency

    async def complete(self, prompt: Prompt, schema: type[BaseModel], *, max_tokens: int) -> Reply:
        """Ask one question (see `LlmClient`)."""

        async def call(mode: Mode) -> Reply:
            while True:
                limit_name = self._limit_name
                try:
                    return await self._send(self._body(prompt, schema, max_tokens, mode, limit_name))
                except NotSupported as error:
                    if self._reasoning is not None and is_about_reasoning(error.failure):
                        raise self._transport.no_such_reasoning(error.failure, self._reasoning) from None
                    if _is_filtered(error.failure):
                        return Reply(text=self._transport.scrub(error.failure.text), finish=Finish.REFUSED)
                    other = _other_limit(error.failure, limit_name)
                    if other == limit_name:
                        raise
                    self._limit_name = other

        reply = await self._transport.in_best_mode(call)
        self._transport.heed_form(prompt, reply, schema)
        return reply

    async def aclose(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def submit_batch(self, requests: list[BatchRequest]) -> str:
        """Upload the requests as a file and start a batch over it."""
        lines = [
            json.dumps(
                {
                    "custom_id": request.custom_id,
                    "method": "POST",
                    "url": _ENDPOINT,
                    "body": self._body(
                        request.prompt, request.schema, request.max_tokens, self._transport.mode, self._limit_name
                    ),
                }
            )
            for request in requests
        ]
        document = "\n".join(lines).encode()

        async def call() -> str:
            with Translated(self._transport, _ERRORS):
                file = await self._sdk.files.create(file=("faithview.jsonl", document), purpose="batch")
                batch = await self._sdk.batches.create(
                    completion_window="24h", endpoint=_ENDPOINT, input_file_id=file.id
                )
            return batch.id

        return await self._transport.run_plain(call)

    async def batch_is_done(self, batch_id: str) -> bool:
        """Return whether the batch has ended, well or not."""

        async def call() -> bool:
            with Translated(self._transport, _ERRORS):
                return (await self._sdk.batches.retrieve(batch_id)).status in _OVER

        return await self._transport.run_plain(call)

    async def collect_batch(self, batch_id: str) -> Mapping[str, BatchOutcome]:
        """Return the contents of the batch's output and error files."""

        async def call() -> list[str]:
            with Translated(self._transport, _ERRORS):
                batch = await self._sdk.batches.retrieve(batch_id)
                if batch.status == "failed":
                    reason = "; ".join(e.message or "" for e in (batch.errors.data or [])) if batch.errors else ""
                    raise BatchLost(f"OpenAI could not process batch {batch_id}: {self._transport.scrub(reason)}")
                names = [name for name in (batch.output_file_id, batch.error_file_id) if name]
                return [(await self._sdk.files.content(name)).text for name in names]

        files = await self._transport.run_plain(call)
        lines = [json.loads(line) for text in files for line in text.split("\n") if line.strip()]
        return {line["custom_id"]: self._outcome(line) for line in lines}

    def _body(
        self, prompt: Prompt, schema: type[BaseModel], max_tokens: int, mode: Mode, limit_name: str | None
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": instructions_for(prompt, schema, mode)},
                {"role": "user", "content": prompt.context + prompt.task},
            ],
        }
        if limit_name is not None:
            body[limit_name] = max_tokens
        if self._reasoning is not None:
            body["reasoning_effort"] = self._reasoning
        tool = _tool(schema)
        if mode is Mode.SCHEMA:
            form = {"name": schema.__name__, "schema": tool["function"]["parameters"], "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        elif mode is Mode.TOOL:
            body["tools"] = [tool]
            body["tool_choice"] = {"type": "function", "function": {"name": schema.__name__}}
        elif mode is Mode.JSON:
            body["response_format"] = {"type": "json_object"}
        return body

    async def _send(self, body: dict[str, Any]) -> Reply:
        with Translated(self._transport, _ERRORS):
            # As `extra_body` it is sent unchanged and replaces the arguments. Otherwise the SDK would walk through
            # messages and schema by their types: a third of the processor time of a call.
            raw = await self._create(model=self.model, messages=(), extra_body=body)
            self._transport.observe(raw.headers)
            completion = raw.parse()
        return self._reply(completion)

    def _reply(self, completion: object) -> Reply:
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            raise self._transport.garbled("a completion without choices")
        choice = completion.choices[0]
        message = choice.message
        usage = _usage(completion)
        if message.refusal or choice.finish_reason == "content_filter":
            return Reply(text=message.refusal or message.content or "", finish=Finish.REFUSED, usage=usage)
        text = message.content or ""
        for call in message.tool_calls or []:
            if call.type == "function":
                text = call.function.arguments
        finish = Finish.TRUNCATED if choice.finish_reason == "length" else Finish.COMPLETE
        return Reply(text=text, finish=finish, usage=usage)

    def _outcome(self, line: dict[str, Any]) -> BatchOutcome:
        response = line.get("response") or {}
        if response.get("status_code") != 200:
            reason = json.dumps(line.get("error") or response.get("body") or "no reply")
            return BatchOutcome(
                error=f"OpenAI did not answer this request of the batch: {self._transport.scrub(reason)}"
            )
        return BatchOutcome(reply=self._reply(ChatCompletion.construct(**response["body"])))


def _other_limit(failure: HttpFailure, name: str | None) -> str | None:
    """Return the parameter that limits a reply at a server that refused one; the same if that was not the trouble."""
    if name == "max_completion_tokens" and is_unknown_parameter(failure, name):
        return "max_tokens"
    # A server names the parameter that it knows, which need not be the one that was sent.
    is_too_long = name is not None and any(wants_smaller_limit(failure, n) for n in ("max_tokens", name))
    return None if is_too_long else name


def _is_filtered(failure: HttpFailure) -> bool:
    """Return whether a filter in front of the model refused the texts (Azure's, with status 400)."""
    return failure.code == "content_filter" or "content management policy" in failure.text.lower()


@lru_cache(maxsize=64)
def _tool(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the schema as a strict tool; making it takes a millisecond."""
    tool: dict[str, Any] = dict(openai.pydantic_function_tool(schema))
    function = tool["function"]
    return {**tool, "function": {**function, "parameters": lean_schema(function["parameters"])}}


def _usage(completion: ChatCompletion) -> TokenUsage:
    usage = completion.usage
    if usage is None:
        return TokenUsage()
    details = usage.prompt_tokens_details
    return TokenUsage(
        prompt=usage.prompt_tokens or 0,
        completion=usage.completion_tokens or 0,
        cache_read=(details and details.cached_tokens) or 0,
        cache_write=(details and details.cache_write_tokens) or 0,
    )


def _read_error(error: openai.APIStatusError) -> HttpFailure:
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return HttpFailure(
        status=error.status_code, text=str(message or error.message), code=error.code, headers=error.response.headers
    )


_ERRORS = SdkErrors(
    status=openai.APIStatusError, connection=openai.APIConnectionError, base=openai.OpenAIError, read=_read_error
)
