"""Servers as users set them up, with the errors that they really write (`docs/model-servers.md` says what to set)."""

import json
from typing import Any

from tests.judges.llm.server import Answer, Request, Say, Status, schema_of, sensible_reply

# What each prompt is for, by words of it: a server without schemas is not told in another way.
_BY_WORDS = {
    "list the claims of an answer and check": "SingleReply",
    "list the claims": "Extraction",
    "check claims": "Verification",
}


def reply_to(request: Request, finish: str = "complete") -> Say:
    """The sensible reply, by the schema or else by the words of the prompt."""
    schema = schema_of(request.body) or next(name for words, name in _BY_WORDS.items() if words in request.system)
    return Say(text=json.dumps(sensible_reply(schema, request.user)), finish=finish)


def has_form(request: Request) -> bool:
    """Whether the form of the reply stands in the instructions."""
    return "# The form of the reply" in request.system


def _format(request: Request) -> str:
    return str(request.body.get("response_format", {}).get("type", ""))


def ollama(request: Request) -> Answer:
    """It takes a schema and heeds it; a model's reasoning comes before it, in the text."""
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
    """A model without structured output; the server knows no other JSON mode."""
    if _format(request) == "json_object":
        return Status(code=400, message="'response_format.type' must be 'json_schema' or 'text'")
    if _format(request) == "json_schema":
        return Status(code=400, message="Structured output (json_schema) is not supported by this model's engine.")
    if "tools" in request.body:
        return Status(code=400, message="This model does not support tool use.")
    return Say(text=f"Here is the JSON:\n```json\n{reply_to(request).text}\n```")


def llama_cpp(request: Request) -> Answer:
    """Started without --jinja, with a build whose grammars do not know a part of the schema."""
    if _format(request) == "json_schema":
        return Status(code=500, message="failed to parse grammar: unrecognized schema")
    if "tools" in request.body:
        return Status(code=500, message="tools param requires --jinja flag")
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


def anthropic_with_a_short_model(request: Request) -> Answer:
    body: dict[str, Any] = request.body
    if body["max_tokens"] > 8_192:
        said = f"max_tokens: {body['max_tokens']} > 8192, which is the maximum allowed number of output tokens for m"
        return Status(code=400, message=said)
    return reply_to(request)
