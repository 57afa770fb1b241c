"""A vendor's client: one prompt in, one reply out. What differs between vendors is in `openai.py` and `anthropic.py`.

The SDKs repeat calls that meet lost connections, time limits and error statuses, with their own waits. Added here: at
most so many calls at a time, a pause of all calls after a rate limit, the first call alone, so a wrong key or
address is met once, and a request that the server takes.
"""

import asyncio
import json
import os
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from faithview.domain.diagnosis import Fault
from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.judges.capabilities import host_of, server_label
from faithview.judges.llm.replies.schemas import lean_schema

# How often a call is repeated.
RETRIES = 6

# The key for a user's own server that needs none; SDKs require some text.
NO_KEY = "no-key-needed"

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 120.0
_SHOWN_CHARACTERS = 300
_KEY = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{6,}|(?i:bearer)\s+\S+|(?i:x-api-key)\W+\S+")
_USER_INFO = re.compile(r"(https?://)[^/@\s]+@")

# The statuses of a server that does not know a part of the request; llama.cpp has written some with status 500.
_MALFORMED = (400, 415, 422, 501)
_NO_GRAMMAR = re.compile("grammar|schema|--jinja")
_IS_ABOUT_LENGTH = re.compile("max_(completion_)?tokens|in the completion")
_NO_MODEL = re.compile(r"model\b.*(not exist|not found|no such)|(invalid|unknown|a valid|no such) model|deployment")
_IS_ABOUT_REASONING = re.compile("reasoning|effort|thinking")
# No other question fares better: a wrong key, no credit, no access, no such model or address.
_HOPELESS = (401, 402, 403, 404)
_WHAT_TO_CHECK = {401: "Check the key.", 403: "Check the key.", 404: "Check the model's name and the address."}
_FAULTS = {401: Fault.KEY, 402: Fault.QUOTA, 403: Fault.ACCESS, 408: Fault.TIMEOUT, 429: Fault.RATE_LIMIT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a model, with the shared parts first, so vendors can cache them.

    `instructions` are the same for every answer, `context` (the chunks) for every question about one answer; `task` is
    this question alone. `context` is empty where the question needs no chunks; `reuses_context` says that several
    questions follow each other on the same context, so caching it pays off.
    """

    instructions: str
    context: str
    task: str
    reuses_context: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """Tokens of one reply. `prompt` counts all tokens sent, including those read from or written to a cache."""

    prompt: int = 0
    completion: int = 0
    cache_read: int = 0
    cache_write: int = 0


class Finish(StrEnum):
    """Why a model stopped."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's reply, unparsed."""

    text: str
    finish: Finish = Finish.COMPLETE
    usage: TokenUsage = TokenUsage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request. `call_id` is unique within an answer, or a batch, and the same whenever the answer is judged again.

    It has at most 64 letters, digits, "-" and "_".
    """

    call_id: str
    prompt: Prompt
    schema: type[BaseModel]
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOutcome:
    """The outcome of one question of a batch: a reply, or an error that says why there is none."""

    reply: Reply | None = None
    error: str | None = None


class CallFailed(JudgeFailed):
    """No reply came. `fault` is what a person has to look at.

    `is_hopeless`: no other question would fare better (a wrong key, an unknown model). `is_malformed`: the server does
    not know a part of the request.
    """

    def __init__(self, text: str, fault: Fault, *, is_hopeless: bool = False, is_malformed: bool = False) -> None:
        super().__init__(text)
        self.fault = fault
        self.is_hopeless = is_hopeless
        self.is_malformed = is_malformed


class BatchLost(JudgeFailed):
    """The vendor could not process a batch at all; its requests will have no replies."""


class Pause:
    """After a rate limit all calls of a client wait, and not only the one that met it."""

    def __init__(self) -> None:
        self._until = 0.0
        self._wait_s = 0.0

    async def before(self, _request: Any) -> None:
        """Wait until the pause is over; not all until the same moment, which would be the same burst again."""
        while (left := self._until - monotonic()) > 0:  # noqa: ASYNC110 - it may be longer by then
            await asyncio.sleep(left * random.uniform(1, 1.25))  # noqa: S311 - jitter

    async def after(self, response: Any) -> None:
        """Begin a pause if this is a rate limit: as long as the server says, or else twice as long as the last one."""
        if response.status_code != 429:
            self._wait_s = 0.0
            return
        if monotonic() >= self._until:  # else the call belongs to the burst that the pause is for
            self._wait_s = min(2 * self._wait_s, _LONGEST_PAUSE_S) or _FIRST_PAUSE_S
        wait_s = _retry_after_s(response.headers) or self._wait_s
        if wait_s > _LONGEST_PAUSE_S:
            response.headers["x-should-retry"] = "false"  # one of the SDKs would sleep for days
        else:
            self._until = max(self._until, monotonic() + wait_s)


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(KeyError, ValueError):
            return float(headers[name]) / unit
    return None


class LlmClient(ABC):
    """One model at one vendor. Use it from one event loop, for any number of questions at a time.

    Attributes:
        vendor: the vendor's name as in the judge's: "openai".
        model: the model's name as the vendor knows it.
        host: the host (and port) that is called.
        server: the server's part of a fingerprint (see `server_label`); "" for the vendor's own server.
        missing: a sentence about the key that is not set, with which every call fails; None if none is missing.
        reply_form: how the form of a reply is asked for: as a "schema", or in the "prompt" where a server knows none.
    """

    vendor: str
    title: str
    sdk: Any  # the module
    connect: Any  # makes the SDK's client
    limit_names: tuple[str | None, ...]  # of the parameter with the length of a reply, best first
    list_query: ClassVar[Mapping[str, int]] = {}  # for a list of models

    def __init__(
        self,
        model: str,
        *,
        concurrency: int = 32,
        timeout_s: float = 180.0,
        retries: int = RETRIES,
        reasoning: str | None = None,
    ) -> None:
        """Read the environment and make the SDK's client, which keeps its connections; nothing is sent."""
        key, url = f"{self.vendor.upper()}_API_KEY", f"{self.vendor.upper()}_BASE_URL"
        credentials = self._find_credentials(os.environ.get(key, "").strip())
        pause = Pause()
        self._client = self.connect(
            **({"api_key": NO_KEY} if credentials is None else credentials),
            max_retries=retries,
            timeout=timeout_s,
            # Redirects are not followed: the user has not named the other server.
            http_client=self.sdk.DefaultAioHttpClient(
                follow_redirects=False, event_hooks={"request": [pause.before], "response": [pause.after]}
            ),
        )
        self.model = model
        self.host = host_of(str(self._client.base_url))
        self.server = server_label(str(self._client.base_url), vendors_own=f"api.{self.vendor}.com")
        self.missing: str | None = None
        if credentials is None and not os.environ.get(url):
            self.missing = (
                f"Judge '{self.vendor}:{model}' needs a key: set the environment variable {key} (or {url}, for your "
                "own server without a key)."
            )
        self.reply_form: Literal["schema", "prompt"] = "schema"
        self._secrets = tuple((credentials or {}).values())
        self._timeout_s = timeout_s
        self._reasoning = reasoning
        self._slots = asyncio.Semaphore(concurrency)
        self._first = asyncio.Lock()
        self._has_answered = False
        self._heeds_schemas = False
        self._hopeless: CallFailed | None = None

    def _find_credentials(self, key: str) -> dict[str, str] | None:
        """Return the SDK's arguments with the `key`, or what is set in its place; None if nothing is."""
        return {"api_key": key} if key else None

    def limit_calls(self, concurrency: int) -> None:
        """Cap concurrent calls at `concurrency`. Call it before the first call."""
        self._slots = asyncio.Semaphore(concurrency)

    async def complete(self, call: Call) -> Reply:
        """Ask for a reply that fits the call's schema.

        Until one call has had a reply, calls are made one at a time.

        Raises:
            JudgeFailed: no reply came. After an error that no other call can escape, none is made any more.
            JudgeUnavailable: a key is missing.
        """
        if self.missing is not None:
            raise JudgeUnavailable(self.missing)
        async with self._slots:
            if not self._has_answered:
                async with self._first:
                    if not self._has_answered:  # another call may have had a reply in the meantime
                        return await self._ask(call)
            return await self._ask(call)

    async def list_models(self) -> tuple[str, ...]:
        """Return the names of the models that the server lists, in its order.

        Raises:
            JudgeFailed: it gave no list.
        """
        with self._translated():
            # Not parsed by the SDK: it fails on anything but a list.
            raw = await self._client.models.with_raw_response.list(extra_query=self.list_query)
            try:
                models = json.loads(raw.http_response.text)["data"] or ()  # Ollama writes null where it has none
                return tuple(str(model["id"]) for model in models)
            except (ValueError, TypeError, KeyError):
                raise ValueError("the reply is not a list of models") from None

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    def scrub(self, text: str) -> str:
        """Return a text without keys, in one line, and not too long."""
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        text = _USER_INFO.sub(r"\1", _KEY.sub("[key]", " ".join(text.split())))
        return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + " …"

    async def _ask(self, call: Call) -> Reply:
        if self._hopeless is not None:
            raise self._hopeless.with_traceback(None)
        try:
            reply = await self._ask_in_form(call)
        except CallFailed as error:
            # After a first reply, a refusal may be about one text (a firewall's), unless it is about key or credit.
            if error.is_hopeless and (not self._has_answered or error.fault in (Fault.KEY, Fault.QUOTA)):
                self._hopeless = error
            raise
        self._has_answered = True
        is_models_own = reply.finish is Finish.COMPLETE and reply.usage.prompt
        if is_models_own and not self._heeds_schemas and self.reply_form == "schema":
            # Some servers accept a schema and do not heed it.
            self._heeds_schemas = "{" in reply.text
            self.reply_form = "schema" if self._heeds_schemas else "prompt"
        return reply

    async def _ask_in_form(self, call: Call) -> Reply:
        """Ask with a schema; a server that refuses one is told the form in the prompt from then on."""
        try:
            return await self._ask_within(call, self.reply_form)
        except CallFailed as error:
            is_about_form = error.is_malformed and self.reply_form == "schema" and not self._has_answered
            if error.is_hopeless or not is_about_form:
                raise
        reply = await self._ask_within(call, "prompt")
        self.reply_form = "prompt"
        return reply

    async def _ask_within(self, call: Call, form: str) -> Reply:
        """Ask with a limit on the reply's length that the server knows: models differ in its name."""
        while True:
            names = self.limit_names
            try:
                with self._translated():
                    return await self._send(self._body(call, form))
            except CallFailed as error:
                if len(names) < 2 or not (error.is_malformed and _IS_ABOUT_LENGTH.search(str(error))):
                    raise
            if self.limit_names == names:  # of many calls at a time the first changes it
                self.limit_names = names[1:]

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Within it, what the SDK raises becomes `CallFailed`, without keys."""
        at = f"{self.title} at {self.host}"
        try:
            yield
        except self.sdk.APIStatusError as error:
            raise self._refusal(error, at) from None
        except self.sdk.APIConnectionError as error:
            cause = error
            while cause.__cause__ is not None:
                cause = cause.__cause__
            if isinstance(cause, TimeoutError):
                text, fault = f"{at} gave no reply within {self._timeout_s:g} s.", Fault.TIMEOUT
            else:
                said = self.scrub(str(cause)) or type(cause).__name__
                text, fault = f"{at} could not be reached: {said}.", Fault.UNREACHABLE
            raise CallFailed(text, fault, is_hopeless=True) from None
        except (ValueError, self.sdk.APIError) as error:
            raise CallFailed(f"{at} sent no reply: {self.scrub(str(error))}.", Fault.NO_API) from None

    def _refusal(self, error: Any, at: str) -> CallFailed:
        body = error.body.get("error", error.body) if isinstance(error.body, dict) else {}
        said = str((body.get("message") if isinstance(body, dict) else None) or error.message)
        code, status = str(getattr(error, "code", None)), error.status_code
        text = f"{at} replied with status {status}: {self.scrub(said)}"
        fault = _FAULTS.get(status, Fault.SERVER if status >= 500 else Fault.REJECTED)
        if code == "insufficient_quota":
            fault = Fault.QUOTA
        elif status in (400, 404) and (code == "model_not_found" or _NO_MODEL.search(said.lower())):
            fault = Fault.MODEL
        elif status == 404:
            fault = Fault.ADDRESS
        if status in _WHAT_TO_CHECK:
            text = f"{text.rstrip('.')}. {_WHAT_TO_CHECK[status]}"
        is_hopeless = status in _HOPELESS or fault in (Fault.MODEL, Fault.QUOTA)
        is_malformed = status in _MALFORMED or (status == 500 and _NO_GRAMMAR.search(said.lower()) is not None)
        if self._reasoning and is_malformed and _IS_ABOUT_REASONING.search(said.lower()):
            advice = f"Leave out the judge option reasoning={self._reasoning}, or choose another value."
            text = f"{text.rstrip('.')}. {advice}"
            is_hopeless = True
        return CallFailed(text, fault, is_hopeless=is_hopeless, is_malformed=is_malformed)

    @abstractmethod
    async def submit_batch(self, calls: Sequence[Call]) -> str:
        """Submit the questions of a batch; return the vendor's id of it."""

    @abstractmethod
    async def batch_is_done(self, batch_id: str) -> bool:
        """Return whether the vendor has finished the batch, successfully or not."""

    @abstractmethod
    async def collect_batch(self, batch_id: str) -> Mapping[str, BatchOutcome]:
        """Return the outcomes of the questions by their ids; questions without an outcome are left out.

        Raises:
            BatchLost: the batch as a whole failed.
            JudgeFailed: the vendor could not be asked.
        """

    @abstractmethod
    def _body(self, call: Call, form: str) -> dict[str, Any]:
        """Return the request for one question."""

    @abstractmethod
    async def _send(self, body: dict[str, Any]) -> Reply:
        """Send a request."""


def instructions_for(call: Call, form: str) -> str:
    """Return the instructions, with the reply's form if it is not sent as a schema."""
    if form == "schema":
        return call.prompt.instructions
    told = json.dumps(lean_schema(call.schema), separators=(",", ":"))
    return f"{call.prompt.instructions}\n# The form of the reply\n\nReply with JSON of this schema:\n\n{told}\n"
