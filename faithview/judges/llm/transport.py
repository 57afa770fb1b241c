"""The shared part of all vendors' clients: HTTP with limits and without redirects, retries, and errors without keys."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from functools import lru_cache
from typing import Any, Generic, TypeVar
from urllib.parse import urljoin

from pydantic import BaseModel

from faithview.domain.diagnosis import Fault
from faithview.domain.errors import JudgeFailed
from faithview.domain.reply_body import ACCEPTED, ReplyBody, ReplyDamaged, ReplyRefused, refuse_deep
from faithview.judges.capabilities import host_of
from faithview.judges.llm.client import Finish, Prompt, Reply
from faithview.judges.llm.replies.schemas import lean_schema
from faithview.judges.llm.retries import (
    CallFailed,
    Limiter,
    RetryPolicy,
    Trouble,
    exhausted_for_s,
    limiter_for,
    retry_after_s,
)

_T = TypeVar("_T")

# The key for a user's own server that needs none; SDKs require some text.
NO_KEY = "no-key-needed"

_SHOWN_CHARACTERS = 300
_KEY = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{6,}|(?i:bearer)\s+\S+|(?i:x-api-key)\W+\S+")
_USER_INFO = re.compile(r"(https?://)[^/@\s]+@")


class Mode(IntEnum):
    """How to ask a server for a JSON document, best first; the first calls find out what it supports."""

    SCHEMA = 0
    TOOL = 1
    JSON = 2
    TEXT = 3


# llama.cpp makes a grammar of a schema, of a tool and of JSON. If it cannot, some of its errors name only the samplers.
_GRAMMAR = ("schema", "grammar", "samplers")
_WORDS = {
    Mode.SCHEMA: ("response_format", "structured", "output_config", "output_format", *_GRAMMAR),
    Mode.TOOL: ("tool", "function", *_GRAMMAR),
    Mode.JSON: ("response_format", "json_object", "json mode", *_GRAMMAR),
}
_NOT_KNOWN = ("unknown", "unsupported", "not supported", "unrecognized", "unexpected", "extra", "not permitted")

# The statuses of a server that does not know a part of the request, and what some write with status 500.
_MALFORMED = (400, 415, 422, 501)
_NOT_BUILT_IN = ("--jinja", "grammar", "json schema")

# No other question fares better: a wrong key, no credit, no access, no such model or address.
_HOPELESS = (401, 402, 403, 404)
_WHAT_TO_CHECK = {401: "Check the key.", 403: "Check the key.", 404: "Check the model's name and the address."}
_NO_SUCH_MODEL = ("model", ("not exist", "not found", "not a valid", "invalid model", "unknown model", "no such"))
_FAULTS = {401: Fault.KEY, 403: Fault.ACCESS, 408: Fault.TIMEOUT, 429: Fault.RATE_LIMIT}
# In texts of Python's ssl; a refused connection says "ssl:default" too.
_TLS_WORDS = ("[ssl", "sslerror", "sslcert", "certificate")
# After a first reply one such refusal may be about one text (a firewall's); this many in a row are about all.
_STRIKES = 3

# After this many replies without any field of the form, the server accepts response_format but ignores it.
_FORMLESS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpFailure:
    """A reply with an error status, out of the SDK's hands."""

    status: int
    text: str
    code: str | None
    headers: Mapping[str, str]


class NotSupported(Exception):
    """The server does not know a part of the request; it can be left out or written otherwise."""

    def __init__(self, failure: HttpFailure) -> None:
        super().__init__(failure.text)
        self.failure = failure


class Transport:
    """Sends calls to one host. `secrets` are texts that must never be shown."""

    def __init__(
        self,
        *,
        vendor: str,
        base_url: str,
        secrets: tuple[str, ...],
        concurrency: int,
        timeout_s: float,
        policy: RetryPolicy | None = None,
    ) -> None:
        self.host = host_of(base_url)
        self._base_url = base_url
        self.mode = Mode.SCHEMA
        self._vendor = vendor
        self._secrets = tuple(secret for secret in secrets if secret and secret != NO_KEY)
        self.concurrency = concurrency
        self._timeout_s = timeout_s
        self._policy = policy or RetryPolicy()
        self._final: str | None = None
        self._first = asyncio.Lock()
        self._has_answered = False
        self._strikes = 0
        self._formless: int | None = 0  # None once a reply had the form

    async def run(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Make a call at the vendor's pace, again where that may help.

        Until one call has had a reply, calls are made one at a time: with a wrong key or address the first one tells.

        Raises:
            JudgeFailed: no reply came. After an error that no other call can escape, none is made any more.
            NotSupported: the server does not know a part of the request.
        """
        if not self._has_answered:
            async with self._first:
                if not self._has_answered:  # another call may have had a reply in the meantime
                    return await self._run(call)
        return await self._run(call)

    async def _run(self, call: Callable[[], Awaitable[_T]]) -> _T:
        if self._final is not None:
            raise JudgeFailed(self._final)
        try:
            reply = await self._limiter.run(lambda: self._in_time(call), policy=self._policy)
        except JudgeFailed as error:
            self._count_strike(error)
            raise
        self._has_answered, self._strikes = True, 0
        return reply

    def _count_strike(self, error: JudgeFailed) -> None:
        cause = error.__cause__
        if not isinstance(cause, CallFailed):
            return
        if cause.is_final or (cause.trouble is Trouble.UNREACHABLE and not self._has_answered):
            self._strikes += 1
            if not self._has_answered or self._strikes >= _STRIKES:
                self._final = str(error)

    async def run_plain(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Make a call that cannot be written in another way.

        Raises:
            JudgeFailed: no reply came.
        """
        try:
            return await self.run(call)
        except NotSupported as error:
            raise JudgeFailed(self.failure(error.failure).text) from error

    async def in_best_mode(self, call: Callable[[Mode], Awaitable[_T]]) -> _T:
        """Make a call in the best mode that the server supports, which is determined once."""
        used = self.mode

        async def attempt() -> _T:
            nonlocal used
            used = self.mode  # it may have changed while this call waited for its turn
            return await call(used)

        while True:
            try:
                return await self.run(attempt)
            except NotSupported as error:
                if used is Mode.TEXT or not _mentions(error.failure, _WORDS[used]):
                    raise self._given_up(error) from error
                if self.mode is used:  # of many calls at a time the first steps down
                    self.mode = Mode(used + 1)

    def _given_up(self, error: NotSupported) -> JudgeFailed:
        cause = self.failure(error.failure)
        failed = JudgeFailed(cause.text)
        failed.__cause__ = cause
        self._count_strike(failed)
        return failed

    def heed_form(self, prompt: Prompt, reply: Reply, schema: type[BaseModel]) -> None:
        """Put the form into the instructions from now on if the server seems to take it and not to heed it."""
        is_told = prompt.has_form or self.mode not in (Mode.SCHEMA, Mode.TOOL)
        if self._formless is None or is_told or reply.finish is not Finish.COMPLETE:
            return
        if any(f'"{name}"' in reply.text for name in schema.model_fields):
            self._formless = None
            return
        self._formless += 1
        if self._formless >= _FORMLESS:
            self.mode = Mode.JSON

    def failure(self, failure: HttpFailure) -> CallFailed:
        """Return an error status as a failed call."""
        if (elsewhere := self._redirection(failure)) is not None:
            return elsewhere
        detail = self.scrub(failure.text)
        text = f"{self._vendor} at {self.host} replied with status {failure.status}: {detail}"
        if failure.status in _WHAT_TO_CHECK:
            text = f"{text.rstrip('.')}. {_WHAT_TO_CHECK[failure.status]}"
        fault = _fault_of(failure)
        wait = retry_after_s(failure.headers, now=datetime.now(UTC))
        if failure.status == 429 and fault is Fault.QUOTA:
            return CallFailed(text, Trouble.REJECTED, fault=fault, is_final=True)
        if failure.status == 429:
            exhausted = exhausted_for_s(failure.headers, now=datetime.now(UTC))
            return CallFailed(text, Trouble.RATE_LIMITED, fault=fault, wait_s=exhausted if wait is None else wait)
        if failure.status in (503, 529):
            return CallFailed(text, Trouble.OVERLOADED, fault=fault, wait_s=wait)
        if failure.status >= 500 or failure.status in (408, 409):
            return CallFailed(text, Trouble.SERVER, fault=fault, wait_s=wait)
        is_final = failure.status in _HOPELESS or _is_about_the_model(failure)
        return CallFailed(text, Trouble.REJECTED, fault=fault, is_final=is_final)

    def refusal_of(self, failure: HttpFailure) -> CallFailed | NotSupported:
        """Return an error status as what to raise for it: some can be answered by asking in another way."""
        is_malformed = failure.status in _MALFORMED or (failure.status == 500 and _mentions(failure, _NOT_BUILT_IN))
        return NotSupported(failure) if is_malformed else self.failure(failure)

    def no_such_reasoning(self, failure: HttpFailure, reasoning: str) -> CallFailed:
        """Return a refusal of the user's choice of reasoning as a failed call; no other call would fare better."""
        said = self.failure(failure).text.rstrip(".")
        text = f"{said}. Leave out the judge option reasoning={reasoning}, or choose another value."
        return CallFailed(text, Trouble.REJECTED, fault=Fault.REJECTED, is_final=True)

    def unreachable(self, error: Exception) -> CallFailed:
        """Return a connection's trouble as a failed call."""
        cause = error.__cause__ or error
        text = f"{self._vendor} at {self.host} could not be reached: {self.scrub(str(cause)) or type(cause).__name__}."
        is_tls = any(word in text.lower() for word in _TLS_WORDS)
        return CallFailed(text, Trouble.UNREACHABLE, fault=Fault.TLS if is_tls else Fault.UNREACHABLE)

    def refused(self, error: Exception) -> CallFailed:
        """Return a reply that was not read as a failed call; the next one would be no better."""
        return CallFailed(
            f"{self._vendor} at {self.host} {self.scrub(str(error))}.", Trouble.REJECTED, fault=Fault.NO_API
        )

    def _redirection(self, failure: HttpFailure) -> CallFailed | None:
        """Return a redirect as a failed call, because the user has not named the other server."""
        location = failure.headers.get("location")
        if not 300 <= failure.status < 400 or not location:
            return None
        address = urljoin(self._base_url, location)
        there = host_of(address)
        if there == self.host:  # another path, or https in the place of http
            there = address.partition("?")[0]
        text = (
            f"{self._vendor} at {self.host} redirects to {self.scrub(there)}, where nothing was sent; if that is the "
            "right server, make it the judge's address."
        )
        return CallFailed(text, Trouble.REJECTED, fault=Fault.ADDRESS, is_final=True)

    def garbled(self, text: str) -> CallFailed:
        """Return a reply that is none (no JSON, no choices) as a failed call."""
        said = f"{self._vendor} at {self.host} sent no reply: {self.scrub(text)}"
        return CallFailed(said, Trouble.SERVER, fault=Fault.NO_API)

    def observe(self, headers: Mapping[str, str]) -> None:
        """Heed the rate-limit headers of a reply: where nothing is left, all calls wait until there is."""
        wait = exhausted_for_s(headers, now=datetime.now(UTC))
        if wait is not None and wait <= self._policy.patience_s:
            self._limiter.pause(wait)

    def scrub(self, text: str) -> str:
        """Return a text without keys, in one line, and not too long."""
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        text = _USER_INFO.sub(r"\1", _KEY.sub("[key]", " ".join(text.split())))
        return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + " …"

    @property
    def _limiter(self) -> Limiter:
        return limiter_for(f"{self._vendor} {self.host}", limit=self.concurrency)

    async def _in_time(self, call: Callable[[], Awaitable[_T]]) -> _T:
        try:
            # The SDKs' own time limits restart with every byte; a reply that trickles in would never end.
            async with asyncio.timeout(self._timeout_s):
                return await call()
        except TimeoutError as error:
            text = f"{self._vendor} at {self.host} gave no reply within {self._timeout_s:g} s."
            raise CallFailed(text, Trouble.UNREACHABLE, fault=Fault.TIMEOUT) from error


def wants_smaller_limit(failure: HttpFailure, name: str) -> bool:
    """Return whether the server says that it cannot write as long a reply as this parameter allows."""
    words = ("too large", "maximum context length", "at most", "less than", "in the completion", "maximum allowed")
    return _mentions(failure, (name, "in the completion")) and _mentions(failure, words)


def is_unknown_parameter(failure: HttpFailure, name: str) -> bool:
    """Return whether the server says that it does not know this parameter."""
    return _mentions(failure, (name,)) and _mentions(failure, _NOT_KNOWN)


def is_about_reasoning(failure: HttpFailure) -> bool:
    """Return whether the server refuses how much the model should think."""
    return _mentions(failure, ("reasoning", "effort", "thinking"))


def instructions_for(prompt: Prompt, schema: type[BaseModel], mode: Mode) -> str:
    """Return the instructions, with the reply's form if the mode does not send it in another way."""
    if mode in (Mode.SCHEMA, Mode.TOOL):
        return prompt.instructions
    return f"{prompt.instructions}\n# The form of the reply\n\nReply with JSON of this schema:\n\n{_form(schema)}\n"


@lru_cache(maxsize=64)
def _form(schema: type[BaseModel]) -> str:
    return json.dumps(lean_schema(schema.model_json_schema()), separators=(",", ":"))


def _fault_of(failure: HttpFailure) -> Fault:
    """Return what the user should check after this error status."""
    if failure.status == 402 or (failure.status == 429 and failure.code == "insufficient_quota"):
        return Fault.QUOTA
    if failure.status in _FAULTS:
        return _FAULTS[failure.status]
    if failure.status >= 500 or failure.status == 409:
        return Fault.SERVER
    if _is_about_the_model(failure) or (failure.status == 404 and _mentions(failure, ("model", "deployment"))):
        return Fault.MODEL
    return Fault.ADDRESS if failure.status == 404 else Fault.REJECTED


def _is_about_the_model(failure: HttpFailure) -> bool:
    word, troubles = _NO_SUCH_MODEL
    return failure.code == "model_not_found" or (_mentions(failure, (word,)) and _mentions(failure, troubles))


def _mentions(failure: HttpFailure, words: tuple[str, ...]) -> bool:
    text = failure.text.lower()
    return any(word in text for word in words)


_E = TypeVar("_E", bound=Exception)


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkErrors(Generic[_E]):
    """An SDK's exceptions: for an error status, for connection problems, and the base class. `read` reads the first."""

    status: type[_E]
    connection: type[Exception]
    base: type[Exception]
    read: Callable[[_E], HttpFailure]


class Translated(Generic[_E]):
    """Within it, what the SDK raises becomes `CallFailed` or `NotSupported`."""

    def __init__(self, transport: Transport, errors: SdkErrors[_E]) -> None:
        self._transport = transport
        self._errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        errors = self._errors
        if isinstance(error, errors.status):
            raise self._transport.refusal_of(errors.read(error)) from None
        # The SDKs treat any exception of their client as a connection problem.
        cause = error.__cause__ if isinstance(error, errors.connection) else error
        if isinstance(cause, ReplyRefused):
            raise self._transport.refused(cause) from None
        if isinstance(cause, ReplyDamaged):
            raise self._transport.garbled(f"{cause}.") from None
        if isinstance(error, errors.connection):
            raise self._transport.unreachable(error) from None
        if isinstance(error, errors.base | ValueError):  # ValueError: the body is not JSON
            raise self._transport.garbled(str(error)) from None


def read_model_names(body: str) -> tuple[str, ...]:
    """Return the names in a server's list of models, in its order.

    Raises:
        ValueError: it is not such a list.
    """
    try:
        document = json.loads(body)
    except ValueError:
        raise ValueError("the reply is not JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("data") or [], list):
        raise ValueError("the reply is not a list of models")
    # Ollama writes null where it has none.
    return tuple(str(model["id"]) for model in document.get("data") or () if isinstance(model, dict) and "id" in model)


_Client = TypeVar("_Client")

# A model writes 64,000 tokens at most, which is 300 KB. `parts` are lists and objects; a reply has about a dozen.
MOST_BYTES, MOST_PARTS = 16 << 20, 100_000
# The results of a batch come together: 50,000 replies of ten times what is usual.
MOST_BATCH_BYTES, MOST_BATCH_PARTS = 512 << 20, 5_000_000
LEVELS = 100
_BATCH_RESULTS = ("/content", "/results")
# They describe the body as it was sent.
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def bounded_client(leanest: type[_Client], usual: type[_Client]) -> _Client:
    """Return a client of the SDK's own kind that is bounded.

    Args:
        leanest: the one over aiohttp, which takes a third less of the processor for a call than the SDK's own.
        usual: the SDK's own, for where aiohttp is not installed.
    """
    try:
        return _bounded_client(leanest)
    except RuntimeError:
        return _bounded_client(usual)


def _bounded_client(kind: type[_Client]) -> _Client:
    bounded: Any = type("Bounded", (_Bounded, kind), {})
    client: _Client = bounded(follow_redirects=False, headers={"Accept-Encoding": ACCEPTED})
    return client


class _Bounded:
    """A wrapper of httpx clients, for whichever version the SDK uses."""

    async def send(self, request: Any, **options: Any) -> Any:
        """Send a request and return its reply, read and unpacked.

        Raises:
            ReplyRefused: it is larger or deeper than any reply is, or packed in another way than was asked for.
            ReplyDamaged: it cannot be unpacked.
        """
        # The SDK asks for a stream where it wants one; a body in memory is read in the same way.
        options["stream"] = True
        response = await super().send(request, **options)  # type: ignore[misc]  # a mixin's
        is_batch = request.method == "GET" and request.url.path.endswith(_BATCH_RESULTS)
        most, parts = (MOST_BATCH_BYTES, MOST_BATCH_PARTS) if is_batch else (MOST_BYTES, MOST_PARTS)
        try:
            taken = ReplyBody(response.headers.get_list("content-encoding"), most=most)
            async for block in response.aiter_raw():
                taken.take(block)
            body = taken.whole()
        finally:
            await response.aclose()
        refuse_deep(body, levels=LEVELS, parts=parts)
        read = type(response)(
            response.status_code,
            headers=[pair for pair in response.headers.multi_items() if pair[0].lower() not in _OF_THE_WIRE],
            content=body,
            request=request,
            extensions=response.extensions,
        )
        read.elapsed = response.elapsed
        return read
