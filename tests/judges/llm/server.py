"""A server that speaks OpenAI's and Anthropic's wire formats over real HTTP, and every way in which they go wrong.

It needs nothing but asyncio. What it replies is scripted: a function from the request to a reply or a fault.
"""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

PROMPT_TOKENS = 1_000
COMPLETION_TOKENS = 100
CACHED_TOKENS = 400


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request as it arrived; `number` counts from 1 in the order of arrival."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    number: int
    at: float

    @property
    def body(self) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(self.raw)
        return parsed

    @property
    def is_anthropic(self) -> bool:
        return self.path.endswith("/messages")

    @property
    def schema(self) -> str:
        """The name of the reply's schema, which tells which question this is; else by words of the prompt."""
        return schema_of(self.body) or next((name for words, name in _BY_WORDS.items() if words in self.system), "")

    @property
    def system(self) -> str:
        body = self.body
        return (
            "".join(block["text"] for block in body["system"]) if "system" in body else body["messages"][0]["content"]
        )

    @property
    def user(self) -> str:
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else "".join(block["text"] for block in content)


# What each prompt is for, by words of it: a server without schemas is not told in another way.
_BY_WORDS = {
    "list the claims of an answer and check": "SingleReply",
    "list the claims": "Extraction",
    "check claims": "Verification",
}


def schema_of(body: dict[str, Any]) -> str:
    if "response_format" in body:
        return str(body["response_format"].get("json_schema", {}).get("name", ""))
    if "output_config" in body:
        return str(body["output_config"].get("format", {}).get("schema", {}).get("title", ""))
    return ""


@dataclass(frozen=True, kw_only=True)
class Say:
    """A reply of the model: its text, and why it stopped ("complete", "truncated", "refused")."""

    text: str
    finish: str = "complete"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Status:
    """An error status with a vendor's kind of body; `error` is the object in it if the server has another one."""

    code: int
    message: str = "trouble"
    error_code: str | None = None
    error: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Raw:
    """Any bytes with status 200; `cut` closes the connection after so many of them."""

    content: bytes
    content_type: str = "application/json"
    cut: int | None = None
    pause_s: float = 0.0  # between single bytes: a stream that trickles


class Drop:
    """Close the connection without a word."""


class Hang:
    """Never reply."""


Answer = Say | Status | Raw | Drop | Hang | dict[str, Any]
Script = Callable[[Request], Answer]


class Server:
    """The running server. `requests` are all that arrived; `busiest` is how many were open at the same time."""

    def __init__(self, script: Script, *, latency_s: float = 0.0) -> None:
        self.script = script
        self.latency_s = latency_s
        self.requests: list[Request] = []
        self.connections = 0
        self.busiest = 0
        self._open = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def calls(self) -> list[Request]:
        """The requests to a model."""
        return [r for r in self.requests if r.path.endswith(("/chat/completions", "/messages"))]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while (request := await self._read(reader)) is not None:
                self._open += 1
                self.busiest = max(self.busiest, self._open)
                try:
                    if self.latency_s:
                        await asyncio.sleep(self.latency_s)
                    goes_on = await self._reply(request, writer)
                finally:
                    self._open -= 1
                if not goes_on:
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client left, which is what some tests are about
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader) -> Request | None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        request = Request(
            method=method, path=path, headers=headers, raw=raw, number=len(self.requests) + 1, at=perf_counter()
        )
        self.requests.append(request)
        return request

    async def _reply(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Reply; return whether the connection stays open."""
        answer = self.script(request)
        match answer:
            case Drop():
                return False
            case Hang():
                await asyncio.sleep(3600)
                return False
            case Raw():
                return await self._reply_raw(answer, writer)
            case Status():
                body = _error_body(request, answer)
                await self._write(writer, answer.code, json.dumps(body).encode(), answer.headers)
            case Say():
                body = wire_body(answer, is_anthropic=request.is_anthropic)
                await self._write(writer, 200, json.dumps(body).encode(), answer.headers)
            case _:
                await self._write(writer, 200, json.dumps(answer).encode(), {})
        return True

    async def _reply_raw(self, answer: Raw, writer: asyncio.StreamWriter) -> bool:
        head = (
            f"HTTP/1.1 200 OK\r\ncontent-type: {answer.content_type}\r\ncontent-length: {len(answer.content)}\r\n\r\n"
        )
        writer.write(head.encode())
        content = answer.content if answer.cut is None else answer.content[: answer.cut]
        if answer.pause_s:
            for byte in content:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(answer.pause_s)
        else:
            writer.write(content)
        await writer.drain()
        return answer.cut is None

    @staticmethod
    async def _write(writer: asyncio.StreamWriter, code: int, content: bytes, headers: dict[str, str]) -> None:
        extra = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"HTTP/1.1 {code} X\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n{extra}\r\n"
        writer.write(head.encode() + content)
        await writer.drain()


@asynccontextmanager
async def serving(script: Script, *, latency_s: float = 0.0) -> AsyncIterator[tuple[Server, str]]:
    """Run a server for the length of a block; gives it and its address without a path."""
    server = Server(script, latency_s=latency_s)
    port = await server.start()
    try:
        yield server, f"http://127.0.0.1:{port}"
    finally:
        await server.stop()


def wire_body(say: Say, *, is_anthropic: bool) -> dict[str, Any]:
    """The reply as the vendor sends it."""
    return _anthropic_body(say) if is_anthropic else _openai_body(say)


def _openai_body(say: Say) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": say.text, "refusal": None}
    finish = {"complete": "stop", "truncated": "length", "refused": "stop"}[say.finish]
    if say.finish == "refused":
        message = {"role": "assistant", "content": None, "refusal": say.text}
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": message, "logprobs": None}],
        "usage": {
            "prompt_tokens": PROMPT_TOKENS,
            "completion_tokens": COMPLETION_TOKENS,
            "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
            "prompt_tokens_details": {"cached_tokens": CACHED_TOKENS},
        },
    }


def _anthropic_body(say: Say) -> dict[str, Any]:
    reasons = {"complete": "end_turn", "truncated": "max_tokens", "refused": "refusal"}
    return {
        "id": "m-1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": say.text}],
        "stop_reason": reasons[say.finish],
        "stop_sequence": None,
        "usage": {
            "input_tokens": PROMPT_TOKENS - CACHED_TOKENS,
            "cache_read_input_tokens": CACHED_TOKENS,
            "cache_creation_input_tokens": 0,
            "output_tokens": COMPLETION_TOKENS,
        },
    }


def _error_body(request: Request, status: Status) -> dict[str, Any]:
    if status.error is not None:
        return {"error": status.error}
    if request.is_anthropic:
        return {"type": "error", "error": {"type": "api_error", "message": status.message}}
    return {"error": {"message": status.message, "type": "error", "param": None, "code": status.error_code}}


_LISTS = ("claims", "sentences", "questions", "comparisons")


def sensible(request: Request) -> Say:
    """A well-formed reply to any question: the whole answer is one claim, and chunk 1 supports everything."""
    return Say(text=json.dumps(sensible_reply(request.schema, request.user)))


def sensible_reply(schema: str, prompt: str) -> dict[str, Any]:
    answer = fenced(prompt, "answer")
    quote = [{"chunk": 1, "quote": fenced(prompt, "chunk 1")[:20].strip() or "x"}]
    listed = next((fenced(prompt, name) for name in _LISTS if fenced(prompt, name)), "")
    numbers = [next(v for v in json.loads(line).values() if isinstance(v, int)) for line in listed.split("\n") if line]
    stated = {"quote": answer, "text": answer or "x", "type": "factual", "importance": "high"}
    ruling: dict[str, Any] = {
        "evidence": quote,
        "explanation": "Chunk 1 says so.",
        "verdict": "supported",
        "confidence": 0.9,
        "problem": None,
    }
    if schema == "Companions":
        chunks = [name for name in structure(prompt).inside if name.startswith("chunk ")]
        ranked = [{"chunk": n, "relevance": 0.5} for n in range(1, len(chunks) + 1)]
        return {"chunks": ranked, "answer_relevance": 0.75}
    words = {"evidence": quote, "explanation": "", "wrong": ""}
    labelled = {**words, "label": "entailment"}
    rated = {**words, "is_claim": True, "contradicted": False, "score": 1}
    question = {"question": "What?", "answer": answer or "x", "quote": answer}
    replies: dict[str, dict[str, Any]] = {
        "Extraction": {"claims": [stated], "abstained": False},
        "Verification": {"rulings": [{"claim": n, **ruling} for n in numbers], "suggestions": []},
        "SingleReply": {"claims": [{**stated, **ruling}], "abstained": False, "suggestions": []},
        "Ruling": ruling,
        "NliReply": {"sentences": [{"sentence": n, **labelled} for n in numbers], "abstained": False},
        "SentenceReply": {"sentences": [{"sentence": n, **rated} for n in numbers], "abstained": False},
        "Questions": {"questions": [question], "abstained": False},
        "ContextAnswers": {"answers": [{"question": n, "evidence": quote, "answer": "That."} for n in numbers]},
        "Comparisons": {"comparisons": [{"question": n, "explanation": "", "sameness": "same"} for n in numbers]},
        "Rewritings": {"sentences": [{"sentence": n, "text": ""} for n in numbers]},
        "WrittenAnswer": {"answer": fenced(prompt, "chunk 1") or "x"},
    }
    return replies[schema]


_MARK = re.compile(r"^<<<(begin|end) ([a-z]+(?: \d+)?) ([0-9a-f]{12})>>>$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Structure:
    """A prompt as a reader takes it who skips from each fence to its own end: what is outside, and the data by name."""

    outside: list[str]
    inside: dict[str, str]


def structure(prompt: str) -> Structure:
    outside: list[str] = []
    inside: dict[str, str] = {}
    at = 0
    while begin := _MARK.search(prompt, at):
        assert begin[1] == "begin", "an end without a beginning"
        outside += [prompt[at : begin.start()], begin[2]]
        end_line = f"\n<<<end {begin[2]} {begin[3]}>>>"
        end = prompt.index(end_line, begin.end())
        inside[begin[2]] = prompt[begin.end() + 1 : end]
        at = end + len(end_line)
    return Structure(outside=[*outside, prompt[at:]], inside=inside)


def fenced(prompt: str, name: str) -> str:
    """The data of this name; "" if there is none."""
    return structure(prompt).inside.get(name, "")


async def _serve_alone(latency_s: float) -> None:
    server = Server(sensible, latency_s=latency_s)
    sys.stdout.write(f"{await server.start()}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until whoever started this is gone
    await server.stop()


if __name__ == "__main__":
    asyncio.run(_serve_alone(float(sys.argv[1])))
