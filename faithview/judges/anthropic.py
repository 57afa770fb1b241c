"""Judges served by Anthropic, or by a server that speaks its protocol. The only module that imports the SDK.

No sampling parameter is sent, because the SDK has none any more.
"""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import anthropic
from anthropic.types import Message

from faithview.domain.run import JudgeSpec
from faithview.judges.llm.client import (
    RETRIES,
    BatchOutcome,
    Call,
    Finish,
    LlmClient,
    Reply,
    TokenUsage,
    instructions_for,
)
from faithview.judges.llm.judge import LlmJudge, build_judge
from faithview.judges.llm.replies.schemas import lean_schema

# With one of these set the SDK finds credentials by itself; it does not look elsewhere on its own.
_SDK_CREDENTIALS = ("ANTHROPIC_PROFILE", "ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_IDENTITY_TOKEN_FILE")

_CACHED = {"type": "ephemeral"}
_FINISHES = {
    "refusal": Finish.REFUSED,
    **dict.fromkeys(("max_tokens", "model_context_window_exceeded", "pause_turn"), Finish.TRUNCATED),
}


def build(spec: JudgeSpec, *, retries: int = RETRIES) -> LlmJudge:
    """Build the judge, without a key too: then its calls fail. `retries` says how often a call is repeated.

    Raises:
        JudgeUnavailable: an option cannot be used.
    """
    return build_judge(AnthropicClient, spec, retries=retries)


class AnthropicClient(LlmClient):
    """One model."""

    vendor, title, sdk = "anthropic", "Anthropic", anthropic
    connect = staticmethod(partial(anthropic.AsyncAnthropic, open_telemetry=False))
    limit_names: tuple[str | None, ...] = ("max_tokens",)
    list_query: ClassVar = {"limit": 1_000}  # the API allows no more

    def _find_credentials(self, key: str) -> dict[str, str] | None:
        token = os.environ.get("ANTHROPIC_AUTH_TOKEN", "").strip()
        if key or token:
            return {"api_key": key} if key else {"auth_token": token}
        return {} if any(os.environ.get(name) for name in _SDK_CREDENTIALS) else None

    async def submit_batch(self, calls: Sequence[Call]) -> str:
        """Start a batch."""
        bodies: list[Any] = [
            {
                "custom_id": call.call_id,
                "params": self._body(call, self.reply_form),
            }
            for call in calls
        ]
        with self._translated():
            return str((await self._client.messages.batches.create(requests=bodies)).id)

    async def batch_is_done(self, batch_id: str) -> bool:
        """Return whether the batch has ended, well or not."""
        with self._translated():
            return bool((await self._client.messages.batches.retrieve(batch_id)).processing_status == "ended")

    async def collect_batch(self, batch_id: str) -> Mapping[str, BatchOutcome]:
        """Return what became of the requests."""
        with self._translated():
            decoder = await self._client.messages.batches.results(batch_id)
            return {item.custom_id: self._outcome(item.result) async for item in decoder}

    def _outcome(self, result: Any) -> BatchOutcome:
        message = getattr(result, "message", None)
        if message is not None:
            return BatchOutcome(reply=self._reply(message, ""))
        error = getattr(getattr(result, "error", None), "error", None)
        detail = self.scrub(str(getattr(error, "message", "") or getattr(result, "type", "no reply")))
        return BatchOutcome(error=f"Anthropic did not answer this request of the batch: {detail}")

    def _body(self, call: Call, form: str) -> dict[str, Any]:
        prompt = call.prompt
        content: list[dict[str, Any]] = []
        if prompt.context:
            # Writing to the cache costs a quarter more than sending, so only texts that are read again are marked.
            mark = {"cache_control": _CACHED} if prompt.reuses_context else {}
            content.append({"type": "text", "text": prompt.context, **mark})
        content.append({"type": "text", "text": prompt.task})
        instructions = instructions_for(call, form)
        body: dict[str, Any] = {
            "model": self.model,
            "system": [{"type": "text", "text": instructions, "cache_control": _CACHED}],
            "messages": [{"role": "user", "content": content}],
            "max_tokens": call.max_tokens,
        }
        output: dict[str, Any] = {}
        if self._reasoning is not None:
            # The model decides how much to think, within the effort. A budget of tokens is what older models take.
            body["thinking"] = {"type": "adaptive"}
            output["effort"] = self._reasoning
        if form == "schema":
            output["format"] = {
                "type": "json_schema",
                "schema": {**lean_schema(call.schema), "title": call.schema.__name__},
            }
        return {**body, "output_config": output} if output else body

    async def _send(self, body: dict[str, Any]) -> Reply:
        # As `extra_body` it is sent unchanged and replaces the arguments. Otherwise the SDK would walk through
        # messages and schema by their types. `max_tokens` decides on its time limit.
        raw = await self._client.messages.with_raw_response.create(
            model=self.model, messages=(), max_tokens=body["max_tokens"], extra_body=body
        )
        try:
            message = await raw.parse()
        except (ValueError, anthropic.AnthropicError):
            message = None
        return self._reply(message, raw.http_response.text)

    def _reply(self, message: Any, text: str) -> Reply:
        """Return the reply in a message; `text` is what came in its place if there is none, such as a web page."""
        if not isinstance(message, Message) or message.content is None:
            return Reply(text=self.scrub(text))
        said = "".join(block.text for block in message.content if block.type == "text")
        return Reply(text=said, finish=_FINISHES.get(str(message.stop_reason), Finish.COMPLETE), usage=_usage(message))


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
