"""The service put together: routes, what they need, and the gate around them."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from faithview.documents.diagnosis import ReadyDocument
from faithview.domain.errors import FaithViewError
from faithview.domain.result import State
from faithview.server.access import JSON, PROTOBUF, TRACES, Gate
from faithview.server.bodies import first_error
from faithview.server.endpoints import Endpoints
from faithview.server.errors import Refused, Reply, busy, described, error_reply
from faithview.server.metrics import Metrics
from faithview.server.settings import ServerSettings
from faithview.server.traces import TraceReceiver
from faithview.services.container import Store
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.version import __version__

_log = logging.getLogger(__name__)

_ANSWER = "The office opens at 9 am, and parking is free."
_CONTEXT = ["The office opens at 9 am.", "Parking costs 7 euros."]
# A judge that does not work now may work later: its model is still being copied, say.
_RETRY_S = 10.0
_DESCRIPTION = (
    "Judges answers by the chunks that were retrieved for them, claim by claim. Every error has the body "
    '`{"schema_version", "error": {"type", "message", "field"}}`. If the service has a token, send it as '
    "`Authorization: Bearer TOKEN`."
)
_ROUTES = ("/check", "/guard", "/correct", "/log", TRACES, "/health", "/ready", "/metrics", "/openapi.json")
# The bodies of spans, which are messages of OpenTelemetry.
_SPANS: dict[str, Any] = {
    PROTOBUF: {"schema": {"type": "string", "format": "binary"}},
    JSON: {"schema": {"type": "object"}},
}


def create_app(settings: ServerSettings, guard: FaithfulnessGuard, store: Store) -> ASGIApp:
    """Return the service as an ASGI application. The caller closes guard and store after it.

    Args:
        settings: hosts, tokens and limits.
        guard: judges the answers.
        store: the store that logged answers go to.
    """
    metrics = Metrics(_ROUTES, judge=settings.judge)
    endpoints = Endpoints(guard, store, metrics, settings.limits)
    receiver = TraceReceiver(endpoints.append, metrics, settings.limits, settings.joining)

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(_warm_up(guard, endpoints.judge_works, judges=settings.warms_up))
        receiving = asyncio.create_task(receiver.run())
        try:
            yield
        finally:
            warming.cancel()
            receiver.stop()
            await asyncio.gather(warming, receiving, return_exceptions=True)

    app = FastAPI(
        title="FaithView",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=running,
        docs_url=None,  # its pages load scripts from another host
        redoc_url=None,
        default_response_class=Reply,
        responses=described(500),
        exception_handlers=dict.fromkeys(
            (HTTPException, RequestValidationError, FaithViewError, Exception), _answer_error
        ),
    )
    _add_routes(app, endpoints, receiver, needs_token=bool(settings.tokens))
    gated: ASGIApp = Gate(app, settings, metrics)
    if not settings.cors_origins:
        return gated
    return CORSMiddleware(
        gated,
        allow_origins=list(settings.cors_origins),
        allow_methods=["GET", "POST"],
        allow_headers=["authorization", "content-type"],
        expose_headers=["retry-after"],
    )


def _add_routes(app: FastAPI, endpoints: Endpoints, receiver: TraceReceiver, *, needs_token: bool) -> None:
    # The gate has looked at the token before the body was read; this says so in the OpenAPI document.
    token = [Depends(HTTPBearer(scheme_name="token", auto_error=False))] if needs_token else []
    for_clients, for_spans = described(401, 421), described(400, 401, 413, 415, 421, 503)
    for_bodies = {**for_spans, **described(422)}
    for path, judge in (("/check", endpoints.check), ("/guard", endpoints.guard), ("/correct", endpoints.correct)):
        responses = {**for_bodies, **described(504)}
        app.add_api_route(path, judge, methods=["POST"], dependencies=token, responses=responses)
    app.add_api_route("/log", endpoints.log, methods=["POST"], dependencies=token, responses=for_bodies)
    app.add_api_route(
        TRACES,
        receiver.receive,
        methods=["POST"],
        summary="Receive OpenTelemetry spans (OTLP/HTTP)",
        dependencies=token,
        openapi_extra={"requestBody": {"required": True, "content": _SPANS}},
        responses={200: {"description": "All spans were accepted.", "content": _SPANS}, **for_spans},
    )
    app.add_api_route("/health", endpoints.health)
    unready = {"model": ReadyDocument, "description": "The judge or the store does not work."}
    app.add_api_route("/ready", endpoints.ready, responses={503: unready})
    text = {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The metrics."}
    app.add_api_route(
        "/metrics",
        endpoints.metrics,
        response_class=Response,
        dependencies=token,
        responses={200: text, **for_clients},
    )


async def _warm_up(guard: FaithfulnessGuard, works: asyncio.Event, *, judges: bool) -> None:
    """Have an answer judged until the judge works; without `judges` it is taken to work."""
    while judges:
        judged = await guard.acheck(answer=_ANSWER, context=_CONTEXT)
        if judged.result.state is not State.FAILED:
            break
        error = judged.result.error
        _log.error("The judge does not work, so the service is not ready; it will be tried again: %s", error)
        await asyncio.sleep(_RETRY_S)
    works.set()


async def _answer_error(_request: Request, error: Exception) -> Response:
    if isinstance(error, RequestValidationError):
        return error_reply(_invalid(error))
    if isinstance(error, FaithViewError):  # the judge itself, which a client cannot change
        return error_reply(busy(f"The judge cannot be used now: {type(error).__name__}."))
    return error_reply(error if isinstance(error, HTTPException) else HTTPException(500))  # the gate logs that one


def _invalid(error: RequestValidationError) -> Refused:
    errors = [{**one, "loc": one["loc"][1:]} for one in error.errors()]  # after "body"
    first = errors[0]
    if first["type"] == "json_invalid":
        return Refused(400, f"The body is not JSON: {first['ctx']['error']} (character {first['loc'][0]}).")
    field, message = first_error(errors)
    return Refused(422, message, field=field or None)
