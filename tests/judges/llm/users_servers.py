"""Servers as users set them up, with the errors that they really write (`docs/model-servers.md` says what to set)."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.judges.llm.server import Answer, Request, Say, Status, fenced, sensible_reply

Model = Callable[[Request], str]


def reply_to(request: Request, finish: str = "complete") -> Say:
    """The sensible reply."""
    return Say(text=json.dumps(sensible_reply(request.schema, request.user)), finish=finish)


def has_form(request: Request) -> bool:
    """Whether the form of the reply stands in the instructions."""
    return "# The form of the reply" in request.system


def _format(request: Request) -> str:
    return str(request.body.get("response_format", {}).get("type", ""))


def ollama(request: Request) -> Answer:
    """An older one: it takes a schema and heeds it; a model's reasoning comes before it, in the text."""
    return Say(text=f"<think>\nThe user wants JSON.\n</think>\n\n{reply_to(request).text}")


def ollama_without_the_model(request: Request) -> Answer:
    return Status(code=404, message='model "m" not found, try pulling it first')


def takes_schemas_and_does_not_heed_them(request: Request) -> Answer:
    """An old server: unknown parameters are ignored, so the model never sees the form."""
    if has_form(request) or "Its JSON schema" in request.user:
        return reply_to(request)
    return Say(text="Sure! The first claim is **supported** by chunk 1.")


def vllm_with_a_short_context(request: Request) -> Answer:
    """Its context holds prompt and reply together, and ours leaves no room for the prompt."""
    limit = request.body.get("max_completion_tokens", request.body.get("max_tokens", 0))
    if limit > 4_000:
        said = (
            f"'max_tokens' or 'max_completion_tokens' is too large: {limit}. This model's maximum context length is "
            f"8192 tokens and your request has 1200 input tokens ({limit} > 8192 - 1200)."
        )
        return Status(code=400, message=said)
    return reply_to(request)


def lm_studio(request: Request) -> Answer:
    """A model without structured output."""
    if _format(request) == "json_schema":
        return Status(code=400, message="Structured output (json_schema) is not supported by this model's engine.")
    return Say(text=f"Here is the JSON:\n```json\n{reply_to(request).text}\n```")


def llama_cpp(request: Request) -> Answer:
    """A build whose grammars do not know a part of the schema."""
    if _format(request) == "json_schema":
        return Status(code=500, message="failed to parse grammar: unrecognized schema")
    return reply_to(request)


def reasoning_model(request: Request) -> Answer:
    """It refuses sampling parameters and the old name of the limit."""
    for name in ("temperature", "top_p", "seed"):
        if name in request.body:
            return Status(code=400, message=f"Unsupported value: '{name}' does not support this value with this model.")
    if "max_tokens" in request.body:
        said = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        return Status(code=400, message=said, error_code="unsupported_parameter")
    return reply_to(request)


def reasons_up_to_the_limit(request: Request) -> Answer:
    """All tokens went into reasoning, so the reply is empty; with more room it is whole."""
    if request.body.get("max_completion_tokens", 0) <= 16_000:
        return Say(text="", finish="truncated")
    return reply_to(request)


def azure_with_an_old_model(request: Request) -> Answer:
    """It knows the old name of the limit only."""
    if "max_completion_tokens" in request.body:
        return Status(code=400, message="Unrecognized request argument supplied: max_completion_tokens")
    return reply_to(request)


_FILTERED = (
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify "
    "your prompt and retry."
)


def azure_with_a_filter(request: Request) -> Answer:
    return Status(code=400, message=_FILTERED, error_code="content_filter")


def azure_without_the_deployment(request: Request) -> Answer:
    return Status(
        code=404, message="The API deployment for this resource does not exist.", error_code="DeploymentNotFound"
    )


def wrong_key(request: Request) -> Answer:
    return Status(code=401, message="Incorrect API key provided.")


def no_credit(request: Request) -> Answer:
    return Status(code=402, message="Insufficient credits. Add more.")


def gateway_without_the_model(request: Request) -> Answer:
    """A gateway that says it with status 400."""
    return Status(code=400, message="m is not a valid model ID")


def refuses(request: Request) -> Answer:
    return Say(text="I'm sorry, I cannot assist with that.", finish="refused")


def literal_model(request: Request) -> str:
    """A model of few words: chunk 1 supports the sentences of the answer that it has, and contradicts all others."""
    schema = request.schema
    chunk = fenced(request.user, "chunk 1")
    if schema != "Verification":
        said = [text.strip() for text in re.findall(r"[^.]+\.", fenced(request.user, "answer"))]
        claims = [{"quote": text, "text": text, "type": "factual", "importance": "high"} for text in said]
        if schema == "SingleReply":
            rulings = [_ruling(claim["text"], chunk) for claim in claims]
            claims = [{**claim, **ruling} for claim, ruling in zip(claims, rulings, strict=True)]
            return json.dumps({"claims": claims, "abstained": False, "suggestions": []})
        return json.dumps({"claims": claims, "abstained": False})
    listed = [json.loads(line) for line in fenced(request.user, "claims").splitlines()]
    rulings = [{"claim": claim["claim"], **_ruling(claim["text"], chunk)} for claim in listed]
    return json.dumps({"rulings": rulings, "suggestions": []})


def _ruling(claim: str, chunk: str) -> dict[str, Any]:
    said = next((text for text in re.findall(r"[^.]+\.", chunk) if text.strip() == claim), None)
    closest = max(re.findall(r"[^.]+\.", chunk), key=lambda text: len(set(text.split()) & set(claim.split()))).strip()
    wrong = " ".join(word for word in claim.rstrip(".").split() if word not in closest.rstrip(".").split())
    problem = {"wrong": wrong, "kind": "contradiction", "severity": "high", "correction": closest}
    return {
        "evidence": [{"chunk": 1, "quote": closest}],
        "explanation": f"The chunk says: {closest}",
        "verdict": "contradicted" if said is None else "supported",
        "confidence": 0.9,
        "problem": None if said else problem,
    }


def _all_supported(request: Request) -> str:
    return reply_to(request).text


def _tokens(body: dict[str, Any]) -> int:
    """How many tokens the messages have, at four characters each."""
    return sum(len(message["content"]) for message in body["messages"]) // 4


def _completion(model: str, text: str, *, finish: str, prompt: int, **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": len(text) // 4,
            "total_tokens": prompt + len(text) // 4,
        },
        **more,
    }


@dataclass(frozen=True, kw_only=True)
class Ollama:
    """Ollama as of August 2026, after its `openai/openai.go`, `llm/llama_server.go` and `server/prompt.go`.

    Attributes:
        models: the names that `ollama list` shows.
        context: `num_ctx`, tokens of prompt and reply together.
        predict: `num_predict`, the most tokens of a reply; None for no limit.
        shifts: whether the model's prompts are cut off if they are too long, as most are; else they are refused.
        model: what the model replies.
        lost: what it replies to what is left of a prompt that was cut off; the grammar still gives it the right form.
    """

    models: tuple[str, ...]
    context: int = 4_096
    predict: int | None = None
    shifts: bool = True
    model: Model = literal_model
    lost: Model = _all_supported

    def __call__(self, request: Request) -> Answer:
        """Reply to any request. Fields that Ollama does not know, `max_completion_tokens` too, change nothing."""
        if request.method == "GET":
            listed = [{"id": name, "object": "model", "created": 1, "owned_by": "library"} for name in self.models]
            return {"object": "list", "data": listed or None}
        body = request.body
        known = {name.removesuffix(":latest") for name in self.models}
        if body["model"].removesuffix(":latest") not in known:
            return self._error(404, "not_found_error", f"model '{body['model']}' not found")
        if body.get("reasoning_effort", "none") not in ("none", "minimal", "low", "medium", "high", "xhigh", "max"):
            return self._error(400, "invalid_request_error", f"invalid reasoning value: {body['reasoning_effort']!r}")
        prompt = _tokens(body)
        text = self.model(request)
        if prompt >= self.context:
            if not self.shifts:
                said = (
                    "the prompt is longer than the context length currently available to the model; shorten the "
                    "prompt, adjust the context length in settings, or use a model with a longer context length"
                )
                return self._error(400, "invalid_request_error", said)
            prompt, text = self.context // 2, self.lost(request)
        room = min(self.context - prompt, body.get("max_tokens", self.predict) or self.context)
        is_cut = len(text) // 4 > room
        reply = text[: room * 4] if is_cut else text
        finish = "length" if is_cut else "stop"
        return _completion(body["model"], reply, finish=finish, prompt=prompt, system_fingerprint="fp_ollama")

    @staticmethod
    def _error(code: int, kind: str, message: str) -> Status:
        return Status(code=code, error={"message": message, "type": kind, "param": None, "code": None})


@dataclass(frozen=True, kw_only=True)
class LlamaCpp:
    """`llama-server` of 2026, after its README and what its issues quote.

    Attributes:
        name: the model that it lists; it takes any name in a request.
        context: the tokens of a slot: `-c` divided by `--parallel`.
        grammar_error: what it says about each schema; None if it can make a grammar of them.
        loads: how many requests come before the model is loaded.
        model: what the model replies.
    """

    name: str
    context: int = 4_096
    grammar_error: str | None = None
    loads: int = 0
    model: Model = literal_model

    def __call__(self, request: Request) -> Answer:
        """Reply to any request."""
        if request.number <= self.loads:
            return self._error(503, "unavailable_error", "Loading model")
        if request.method == "GET":
            listed = {"id": self.name, "object": "model", "created": 1, "owned_by": "llamacpp", "meta": {"n_ctx": 1}}
            return {"models": [{"name": self.name, "model": self.name}], "object": "list", "data": [listed]}
        body = request.body
        if self.grammar_error is not None and _format(request) == "json_schema":
            return self._error(400, "invalid_request_error", self.grammar_error)
        prompt = _tokens(body)
        if prompt >= self.context:
            size = f"the available context size ({self.context} tokens)"
            said = f"request ({prompt} tokens) exceeds {size}, try increasing it"
            return self._error(400, "exceed_context_size_error", said, n_prompt_tokens=prompt, n_ctx=self.context)
        text = self.model(request)
        room = min(self.context - prompt, body.get("max_completion_tokens", body.get("max_tokens", self.context)))
        is_cut = len(text) // 4 > room
        reply = text[: room * 4] if is_cut else text
        return _completion(body["model"], reply, finish="length" if is_cut else "stop", prompt=prompt, timings={})

    @staticmethod
    def _error(code: int, kind: str, message: str, **more: int) -> Status:
        return Status(code=code, error={"code": code, "message": message, "type": kind, **more})
