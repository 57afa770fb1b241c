"""The vendors' batch endpoints, as far as judging needs them: a batch is done when the test says so."""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.judges.llm.server import Answer, Raw, Request, Say, schema_of, sensible_reply, wire_body

Reply = Callable[[dict[str, Any]], dict[str, Any] | None]


class Batches:
    """A script for a server. `done` says whether batches end; `respond` replies to a request's body, None for an error.

    `submitted` are the batches by their ids: for each, the requests' bodies by their custom ids.
    """

    def __init__(self) -> None:
        self.done = True
        self.status = "completed"
        self.forgotten: set[str] = set()
        self.respond: Reply = _sensible
        self.submitted: dict[str, dict[str, dict[str, Any]]] = {}
        self._uploaded: dict[str, dict[str, Any]] = {}

    def __call__(self, request: Request) -> Answer:
        path = request.path
        if path == "/v1/files":
            self._uploaded = {line["custom_id"]: line["body"] for line in _lines_of_upload(request.raw)}
            return {"id": "file-1", "object": "file", "purpose": "batch", "bytes": 1, "created_at": 1, "filename": "f"}
        if path == "/v1/batches":
            return self._openai(self._keep(self._uploaded))
        if path == "/v1/messages/batches":
            return self._anthropic(self._keep({r["custom_id"]: r["params"] for r in request.body["requests"]}), request)
        if path.endswith("/content"):
            return Raw(content=self._results(path.split("/")[-2], is_anthropic=False), content_type="text/plain")
        if path.endswith("/results"):
            return Raw(content=self._results(path.split("/")[-2], is_anthropic=True), content_type="application/binary")
        name = path.rsplit("/", 1)[-1]
        return self._anthropic(name, request) if "/messages/" in path else self._openai(name)

    def _keep(self, bodies: dict[str, dict[str, Any]]) -> str:
        name = f"batch_{len(self.submitted) + 1}"
        self.submitted[name] = bodies
        return name

    def _openai(self, name: str) -> dict[str, Any]:
        failed = {"errors": {"object": "list", "data": [{"code": "x", "message": "the file is bad"}]}}
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": "file-1",
            "completion_window": "24h",
            "created_at": 1,
            "status": self.status if self.done else "in_progress",
            "output_file_id": name if self.done and self.status == "completed" else None,
            **(failed if self.status == "failed" else {}),
        }

    def _anthropic(self, name: str, request: Request) -> dict[str, Any]:
        url = f"http://{request.headers['host']}/v1/messages/batches/{name}/results"
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if self.done else "in_progress",
            "request_counts": {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
            "created_at": "2026-01-01T00:00:00Z",
            "expires_at": "2026-01-02T00:00:00Z",
            "results_url": url if self.done else None,
        }

    def _results(self, name: str, *, is_anthropic: bool) -> bytes:
        lines = []
        for custom_id, body in reversed(self.submitted[name].items()):  # in no order that could be relied on
            if custom_id in self.forgotten:
                continue
            reply = self.respond(body)
            wire = None if reply is None else wire_body(Say(text=json.dumps(reply)), is_anthropic=is_anthropic)
            lines.append(json.dumps(_line(custom_id, wire, is_anthropic=is_anthropic)))
        return "\n".join(lines).encode()


def _line(custom_id: str, wire: dict[str, Any] | None, *, is_anthropic: bool) -> dict[str, Any]:
    if is_anthropic:
        error = {"type": "error", "error": {"type": "api_error", "message": "overloaded"}}
        result = {"type": "errored", "error": error} if wire is None else {"type": "succeeded", "message": wire}
        return {"custom_id": custom_id, "result": result}
    if wire is None:
        return {"custom_id": custom_id, "response": None, "error": {"code": "x", "message": "overloaded"}}
    return {"custom_id": custom_id, "response": {"status_code": 200, "body": wire}, "error": None}


def _sensible(body: dict[str, Any]) -> dict[str, Any]:
    content = body["messages"][-1]["content"]
    text = content if isinstance(content, str) else "".join(block["text"] for block in content)
    return sensible_reply(schema_of(body), text)


def _lines_of_upload(raw: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in re.findall(rb'^\{"custom_id".*\}', raw, re.MULTILINE)]
