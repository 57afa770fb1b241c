"""Judges served by OpenAI, or by any server that speaks its protocol. The only module that imports the SDK.

Chat completions and not the newer Responses, because that is what compatible servers speak. No sampling parameter is
sent: reasoning models refuse them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import openai
from openai.types.chat import ChatCompletion

from faithview.domain.run import JudgeSpec
from faithview.judges.llm.client import (
    RETRIES,
    BatchLost,
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

_ENDPOINT: Final = "/v1/chat/completions"
_OVER = ("completed", "failed", "expired", "cancelled")


def build(spec: JudgeSpec, *, retries: int = RETRIES) -> LlmJudge:
    """Build the judge, without a key too: then its calls fail. `retries` says how often a call is repeated.

    Raises:
        JudgeUnavailable: an option cannot be used.
    """
    return build_judge(OpenAiClient, spec, retries=retries)


class OpenAiClient(LlmClient):
    """One model."""

    vendor, title, sdk, connect = "openai", "OpenAI", openai, openai.AsyncOpenAI
    # Older servers know "max_tokens" only. None: the server's own limit is lower than ours, and it knows it best.
    limit_names: tuple[str | None, ...] = ("max_completion_tokens", "max_tokens", None)

    async def submit_batch(self, calls: Sequence[Call]) -> str:
        """Upload the requests as a file and start a batch over it."""
        lines = [
            {
                "custom_id": call.call_id,
                "method": "POST",
                "url": _ENDPOINT,
                "body": self._body(call, self.reply_form),
            }
            for call in calls
        ]
        document = "\n".join(map(json.dumps, lines)).encode()
        with self._translated():
            file = await self._client.files.create(file=("faithview.jsonl", document), purpose="batch")
            batch = await self._client.batches.create(
                completion_window="24h", endpoint=_ENDPOINT, input_file_id=file.id
            )
        return str(batch.id)

    async def batch_is_done(self, batch_id: str) -> bool:
        """Return whether the batch has ended, well or not."""
        with self._translated():
            return (await self._client.batches.retrieve(batch_id)).status in _OVER

    async def collect_batch(self, batch_id: str) -> Mapping[str, BatchOutcome]:
        """Return the contents of the batch's output and error files."""
        with self._translated():
            batch = await self._client.batches.retrieve(batch_id)
            if batch.status == "failed":
                reason = "; ".join(e.message or "" for e in (batch.errors.data or [])) if batch.errors else ""
                raise BatchLost(f"OpenAI could not process batch {batch_id}: {self.scrub(reason)}")
            names = [name for name in (batch.output_file_id, batch.error_file_id) if name]
            files = [(await self._client.files.content(name)).text for name in names]
            lines = [json.loads(line) for text in files for line in text.split("\n") if line.strip()]
        return {line["custom_id"]: self._outcome(line) for line in lines}

    def _outcome(self, line: dict[str, Any]) -> BatchOutcome:
        response = line.get("response") or {}
        if response.get("status_code") != 200:
            reason = json.dumps(line.get("error") or response.get("body") or "no reply")
            return BatchOutcome(error=f"OpenAI did not answer this request of the batch: {self.scrub(reason)}")
        return BatchOutcome(reply=self._reply(ChatCompletion.construct(**response["body"]), ""))

    def _body(self, call: Call, form: str) -> dict[str, Any]:
        prompt = call.prompt
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": instructions_for(call, form)},
                {"role": "user", "content": prompt.context + prompt.task},
            ],
        }
        if self.limit_names[0] is not None:
            body[self.limit_names[0]] = call.max_tokens
        if self._reasoning is not None:
            body["reasoning_effort"] = self._reasoning
        if form == "schema":
            named = {"name": call.schema.__name__, "schema": lean_schema(call.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    async def _send(self, body: dict[str, Any]) -> Reply:
        # As `extra_body` it is sent unchanged and replaces the arguments. Otherwise the SDK would walk through
        # messages and schema by their types: a third of the processor time of a call.
        raw = await self._client.chat.completions.with_raw_response.create(
            model=self.model, messages=(), extra_body=body
        )
        try:
            completion = raw.parse()
        except (ValueError, openai.OpenAIError):
            completion = None
        return self._reply(completion, raw.http_response.text)

    def _reply(self, completion: Any, text: str) -> Reply:
        """Return the reply in a completion; `text` is what came in its place if there is none, such as a web page."""
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            return Reply(text=self.scrub(text))
        choice, message = completion.choices[0], completion.choices[0].message
        if message.refusal or choice.finish_reason == "content_filter":
            finish = Finish.REFUSED
        else:
            finish = Finish.TRUNCATED if choice.finish_reason == "length" else Finish.COMPLETE
        return Reply(text=message.refusal or message.content or "", finish=finish, usage=_usage(completion))


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
