"""Judges served by OpenAI, or by any server that speaks its protocol. The only module that imports the SDK.

Chat completions and not the newer Responses, because that is what compatible servers speak. No sampling parameter is
sent: reasoning models refuse them.
"""

import json
import os
from collections.abc import Mapping
from typing import Any, Final

import openai
from openai.types.chat import ChatCompletion
from pydantic import BaseModel

from faithview.domain.run import JudgeSpec
from faithview.judges.llm.client import (
    NO_KEY,
    RETRIES,
    TIMEOUT_S,
    BatchLost,
    BatchOutcome,
    BatchRequest,
    Finish,
    LlmClient,
    Pause,
    Prompt,
    Reply,
    TokenUsage,
    instructions_for,
    schema_of,
)
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.options import LlmOptions

_KEY, _BASE_URL = "OPENAI_API_KEY", "OPENAI_BASE_URL"
_ENDPOINT: Final = "/v1/chat/completions"
_OVER = ("completed", "failed", "expired", "cancelled")


def build(spec: JudgeSpec, *, retries: int = RETRIES) -> LlmJudge:
    """Build the judge, without a key too: then its calls fail. `retries` says how often a call is repeated.

    Raises:
        JudgeUnavailable: an option cannot be used.
    """
    options = LlmOptions.from_spec(spec)
    client = OpenAiClient(
        options.model,
        concurrency=options.concurrency,
        timeout_s=options.timeout_s,
        retries=retries,
        reasoning=options.reasoning,
    )
    return LlmJudge(client, options)


class OpenAiClient(LlmClient):
    """One model. The SDK's client is made once and keeps its connections."""

    vendor, title, own_host, errors = "openai", "OpenAI", "api.openai.com", openai
    # Older servers know "max_tokens" only. None: the server's own limit is lower than ours, and it knows it best.
    limit_names: tuple[str | None, ...] = ("max_completion_tokens", "max_tokens", None)

    def __init__(
        self,
        model: str,
        *,
        concurrency: int = 32,
        timeout_s: float = TIMEOUT_S,
        retries: int = RETRIES,
        reasoning: str | None = None,
    ) -> None:
        key = os.environ.get(_KEY, "").strip()
        pause = Pause()
        sdk = openai.AsyncOpenAI(
            api_key=key or NO_KEY,
            max_retries=retries,
            timeout=timeout_s,
            # Redirects are not followed: the user has not named the other server.
            http_client=openai.DefaultAioHttpClient(
                follow_redirects=False, event_hooks={"request": [pause.before], "response": [pause.after]}
            ),
        )
        missing = (
            f"Judge 'openai:{model}' needs a key: set the environment variable {_KEY} (or {_BASE_URL}, for your own "
            "server without a key)."
        )
        super().__init__(
            model,
            sdk,
            secrets=(key,),
            missing=None if key or os.environ.get(_BASE_URL) else missing,
            concurrency=concurrency,
            timeout_s=timeout_s,
            reasoning=reasoning,
        )

    async def submit_batch(self, requests: list[BatchRequest]) -> str:
        """Upload the requests as a file and start a batch over it."""
        lines = [
            {
                "custom_id": request.custom_id,
                "method": "POST",
                "url": _ENDPOINT,
                "body": self._body(request.prompt, request.schema, request.max_tokens, self.reply_form),
            }
            for request in requests
        ]
        document = "\n".join(map(json.dumps, lines)).encode()
        with self._translated():
            file = await self._sdk.files.create(file=("faithview.jsonl", document), purpose="batch")
            batch = await self._sdk.batches.create(completion_window="24h", endpoint=_ENDPOINT, input_file_id=file.id)
        return str(batch.id)

    async def batch_is_done(self, batch_id: str) -> bool:
        """Return whether the batch has ended, well or not."""
        with self._translated():
            return (await self._sdk.batches.retrieve(batch_id)).status in _OVER

    async def collect_batch(self, batch_id: str) -> Mapping[str, BatchOutcome]:
        """Return the contents of the batch's output and error files."""
        with self._translated():
            batch = await self._sdk.batches.retrieve(batch_id)
            if batch.status == "failed":
                reason = "; ".join(e.message or "" for e in (batch.errors.data or [])) if batch.errors else ""
                raise BatchLost(f"OpenAI could not process batch {batch_id}: {self.scrub(reason)}")
            names = [name for name in (batch.output_file_id, batch.error_file_id) if name]
            files = [(await self._sdk.files.content(name)).text for name in names]
            lines = [json.loads(line) for text in files for line in text.split("\n") if line.strip()]
        return {line["custom_id"]: self._outcome(line) for line in lines}

    def _outcome(self, line: dict[str, Any]) -> BatchOutcome:
        response = line.get("response") or {}
        if response.get("status_code") != 200:
            reason = json.dumps(line.get("error") or response.get("body") or "no reply")
            return BatchOutcome(error=f"OpenAI did not answer this request of the batch: {self.scrub(reason)}")
        return BatchOutcome(reply=self._reply(ChatCompletion.construct(**response["body"]), ""))

    def _body(self, prompt: Prompt, schema: type[BaseModel], max_tokens: int, form: str) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": instructions_for(prompt, schema, form)},
                {"role": "user", "content": prompt.context + prompt.task},
            ],
        }
        if self.limit_names[0] is not None:
            body[self.limit_names[0]] = max_tokens
        if self._reasoning is not None:
            body["reasoning_effort"] = self._reasoning
        if form == "schema":
            named = {"name": schema.__name__, "schema": schema_of(schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    async def _send(self, body: dict[str, Any]) -> Reply:
        # As `extra_body` it is sent unchanged and replaces the arguments. Otherwise the SDK would walk through
        # messages and schema by their types: a third of the processor time of a call.
        raw = await self._sdk.chat.completions.with_raw_response.create(model=self.model, messages=(), extra_body=body)
        try:
            completion = raw.parse()
        except (ValueError, openai.OpenAIError):
            completion = None
        return self._reply(completion, raw.text)

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

    async def _list_models(self) -> str:
        return str((await self._sdk.models.with_raw_response.list()).text)


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
