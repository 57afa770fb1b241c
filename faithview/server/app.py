"""The service put together: routes, what they need, and the gate around them."""

import asyncio
import base64
import hashlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib import resources
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from jinja2 import Environment, StrictUndefined
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from faithview.documents.answers import CheckDocument
from faithview.documents.diagnosis import HealthDocument, ReadyDocument
from faithview.documents.guard import CorrectionDocument, GuardDocument, GuardedDocument
from faithview.documents.live import LogDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.result import State
from faithview.server import errors, request_bodies
from faithview.server.errors import Kind, Refused, described
from faithview.server.gate import OPEN, PROTOBUF, TRACES, Gate
from faithview.server.log_writer import LogWriter
from faithview.server.metrics import CONTENT_TYPE, Metrics
from faithview.server.request_bodies import BODIES
from faithview.server.routes import AnswerLog, Judging, Probes, TraceReceiver
from faithview.server.settings import ServerSettings
from faithview.server.waiting_line import WaitingLine
from faithview.services.container import Store
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.services.live.append import append_answers
from faithview.version import __version__

_log = logging.getLogger(__name__)

_ANSWER = "The office opens at 9 am, and parking is free."
# A judge that does not work now may work later: its model is still being copied, say.
_RETRY_S = 10.0
_CONTEXT = ["The office opens at 9 am.", "Parking costs 7 euros."]


class WarmUp:
    """Has `answers` answers judged at once, one for each process of the judge, until it works; 0 does nothing."""

    def __init__(self, guard: FaithfulnessGuard, *, answers: int) -> None:
        self._guard = guard
        self._answers = answers
        self._task: asyncio.Task[None] | None = None
        self.is_done = not answers

    def start(self) -> None:
        """Start; call it in the event loop."""
        if not self.is_done:
            self._task = asyncio.create_task(self._run(), name="faithview-warm-up")

    async def stop(self) -> None:
        """Give up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while not await self._works():  # noqa: ASYNC110 - no event says that a judge works by now
            await asyncio.sleep(_RETRY_S)
        self.is_done = True

    async def _works(self) -> bool:
        judged = await asyncio.gather(
            *(self._guard.acheck(answer=_ANSWER, context=_CONTEXT) for _ in range(self._answers))
        )
        failed = next((found.result.error for found in judged if found.result.state is State.FAILED), None)
        if failed is not None:
            _log.error("The judge does not work, so the service is not ready; it will be tried again: %s", failed)
        return failed is None


_ROUTES = ("/check", "/guard", "/correct", "/log", TRACES, "/health", "/ready", "/metrics", "/openapi.json", "/docs")

_FOR_CLIENTS = (errors.UNAUTHORIZED, errors.WRONG_HOST, errors.INTERNAL)
_FOR_BODIES = (
    errors.BAD_REQUEST,
    errors.TOO_LARGE,
    errors.UNSUPPORTED_TYPE,
    errors.INVALID,
    errors.BUSY,
    *_FOR_CLIENTS,
)

Endpoint = Callable[[Request], Awaitable[Response]]


def create_app(settings: ServerSettings, guard: FaithfulnessGuard, store: Store) -> ASGIApp:
    """Return the service as an ASGI application. The caller closes guard and store after it.

    Args:
        settings: hosts, tokens and limits.
        guard: judges the answers.
        store: the store that logged answers go to.
    """
    counts = Metrics(_ROUTES)
    limits = settings.limits
    line = WaitingLine(at_once=limits.judgements_at_once, waiting=limits.waiting, seconds=limits.judge_seconds)
    writer = LogWriter(partial(append_answers, store))
    receiver = TraceReceiver(writer, counts, settings.joining)
    warm_up = WarmUp(guard, answers=settings.workers if settings.warms_up else 0)
    counts.name_judge(settings.judge)
    counts.watch("judging", "Answers with the judge.", lambda: line.running)
    counts.watch("waiting_for_judge", "Answers that wait for the judge.", lambda: line.waiting)
    counts.watch("log_queue", "Logged answers that wait to be stored.", lambda: writer.waiting)
    counts.watch("held_spans", "Spans that wait for the rest of their traces.", lambda: receiver.spans)

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        writer.start()
        receiver.start()
        warm_up.start()
        try:
            yield
        finally:
            await warm_up.stop()
            await receiver.stop()
            await writer.stop()

    app = FastAPI(lifespan=running, docs_url=None, redoc_url=None, openapi_url=None)
    judging = Judging(guard, line, counts)
    probes = Probes(store=store.is_reachable, judge_works=lambda: warm_up.is_done)
    _add_routes(app.router, judging, AnswerLog(writer, counts), receiver, probes, counts)
    document = describe(app)
    page = docs_page(document)
    app.router.add_api_route("/openapi.json", _constant(errors.json_response(document)), include_in_schema=False)
    app.router.add_api_route("/docs", _constant(page), include_in_schema=False)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(FaithViewError, _not_judged)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)  # the gate logs it
    gated: ASGIApp = Gate(app, settings, counts)
    if not settings.cors_origins:
        return gated
    return CORSMiddleware(
        gated,
        allow_origins=list(settings.cors_origins),
        allow_methods=["GET", "POST"],
        allow_headers=["authorization", "content-type"],
        expose_headers=["retry-after"],
    )


def _add_routes(
    router: APIRouter, judging: Judging, log: AnswerLog, receiver: TraceReceiver, probes: Probes, counts: Metrics
) -> None:
    post = partial(_add_post, router)
    judged = (*_FOR_BODIES, errors.JUDGE_TIMEOUT)
    post("/check", judging.check, request_bodies.CheckBody, CheckDocument, judged, "Judge an answer claim by claim")
    post(
        "/guard",
        judging.guard,
        request_bodies.GuardBody,
        GuardDocument | GuardedDocument,
        judged,
        "Check whether an answer may be sent",
    )
    post("/correct", judging.correct, request_bodies.CheckBody, CorrectionDocument, judged, "Correct an answer")
    post("/log", log.log, request_bodies.LogBody, LogDocument, _FOR_BODIES, "Store answers of a live application")
    binary = {"schema": {"type": "string", "format": "binary"}}
    router.add_api_route(
        TRACES,
        receiver.receive,
        methods=["POST"],
        summary="Receive OpenTelemetry spans (OTLP/HTTP)",
        description="Spans of the generative AI conventions or of OpenInference; the answers in them are stored.",
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {PROTOBUF: binary, "application/json": {"schema": {"type": "object"}}},
            }
        },
        responses={
            200: {
                "description": "All spans were accepted.",
                "content": {PROTOBUF: binary, "application/json": {"schema": {"type": "object"}}},
            },
            **described(*(kind for kind in _FOR_BODIES if kind is not errors.INVALID)),
        },
    )
    router.add_api_route(
        "/health",
        probes.health,
        summary="Check that the service is alive",
        responses={200: {"model": HealthDocument}, **described(errors.INTERNAL)},
    )
    unready = {"model": ReadyDocument, "description": "The judge or the store does not work."}
    router.add_api_route(
        "/ready",
        probes.ready,
        summary="Check that judge and store work",
        responses={200: {"model": ReadyDocument}, 503: unready, **described(errors.INTERNAL)},
    )

    async def read_metrics(request: Request) -> Response:
        del request
        return Response(counts.text(), headers={"Content-Type": CONTENT_TYPE})

    router.add_api_route(
        "/metrics",
        read_metrics,
        summary="Metrics for Prometheus",
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The metrics."},
            **described(*_FOR_CLIENTS),
        },
    )


def _add_post(
    router: APIRouter,
    path: str,
    endpoint: Endpoint,
    body: type[Any],
    reply: Any,
    kinds: tuple[Kind, ...],
    summary: str,
) -> None:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
    router.add_api_route(
        path,
        endpoint,
        methods=["POST"],
        summary=summary,
        description=endpoint.__doc__ or "",
        openapi_extra={"requestBody": {"required": True, "content": content}},
        responses={200: {"model": reply}, **described(*kinds)},
    )


def _constant(response: Response) -> Endpoint:
    async def answer(request: Request) -> Response:
        del request
        return response

    return answer


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)  # noqa: S101 - what it was registered for
    return error.response()


async def _not_judged(_request: Request, error: Exception) -> Response:
    """Answer where the judge itself cannot be used, which a client cannot change."""
    return Refused(errors.BUSY, f"The judge cannot be used now: {type(error).__name__}.", retry_after_s=5).response()


async def _unexpected(_request: Request, _error: Exception) -> Response:
    return errors.internal_error().response()


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - what it was registered for
    if error.status_code == errors.METHOD_NOT_ALLOWED.status:
        response = Refused(errors.METHOD_NOT_ALLOWED, "This address does not accept this method.").response()
        response.headers.update(error.headers or {})
        return response
    return Refused(errors.NOT_FOUND, "There is no such address; `/docs` lists them.").response()


_DESCRIPTION = (
    "Judges answers by the chunks that were retrieved for them, claim by claim. Every error has the body "
    '`{"schema_version", "error": {"type", "message", "field"}}`. If the service has a token, send it as '
    "`Authorization: Bearer TOKEN`."
)


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    document = get_openapi(title="FaithView", version=__version__, description=_DESCRIPTION, routes=app.routes)
    _, bodies = models_json_schema(
        [(body, "validation") for body in BODIES], ref_template="#/components/schemas/{model}"
    )
    components = document.setdefault("components", {})
    schemas = {**components.get("schemas", {}), **bodies["$defs"]}
    for unused in ("HTTPValidationError", "ValidationError"):  # FastAPI's own errors, which nothing answers with
        schemas.pop(unused, None)
    components["schemas"] = dict(sorted(schemas.items()))
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if path not in OPEN:
                operation["security"] = [{"token": []}, {}]
    return document


def docs_page(document: dict[str, Any]) -> Response:
    """Return the page."""
    folder = resources.files("faithview.server")
    style = (folder / "docs.css").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shape"] = _shape
    template = environment.from_string((folder / "docs.html").read_text(encoding="utf-8"))
    body = template.render(document=document, style=style)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    headers = {"Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"}
    return Response(body, headers=headers, media_type="text/html; charset=utf-8")


def _shape(schema: dict[str, Any]) -> str:
    """Return a schema in a few words: `text`, `list of ChunkBody`, `number or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_shape(part) for part in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_shape(schema.get('items', {}))}{_at_most(schema, 'maxItems')}"
    return f"{'text' if kind == 'string' else kind}{_at_most(schema, 'maxLength')}"


def _at_most(schema: dict[str, Any], key: str) -> str:
    return f" (at most {schema[key]:,})" if key in schema else ""
