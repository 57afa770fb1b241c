"""`/health`, `/ready` and `/metrics`: whether the dashboard's server is alive, its store answers, and figures.

The figures are for Prometheus: how many requests, open pages and judged runs. No label holds a text.
"""

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from faithview.domain.errors import InvalidInput
from faithview.services.schema import StoreProbe
from faithview.ui.opened_store import served_projects, settings_of, store_works
from faithview.ui.serving.gate import Place
from faithview.version import __version__

_FRESH = {"Cache-Control": "no-store"}


def probes(place: Place) -> list[Route]:
    """Return the routes, which every client may call: they reveal nothing about the stored data."""
    store = StoreProbe(store_works)

    async def health(request: Request) -> Response:
        del request
        return JSONResponse({"status": "ok", "version": __version__}, headers=_FRESH)

    async def ready(request: Request) -> Response:
        del request
        works = await store.works()
        return JSONResponse({"ready": works, "store": works}, status_code=200 if works else 503, headers=_FRESH)

    return [Route(place.under("health"), health), Route(place.under("ready"), ready)]


_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Application = Callable[[_Message, _Receive, _Send], Awaitable[None]]

# As the service counts a client that did not wait for a reply.
_CLIENT_GONE = 499
_PROBES = ("health", "ready", "metrics")
# What Streamlit serves, by the beginning of its path.
_KINDS = {"_stcore/upload_file": "upload", "_stcore/": "streamlit", "media/": "media", "static/": "static"}


class Figures:
    """The metrics of a dashboard, and the route that shows them.

    Raises:
        InvalidInput: the Prometheus package is not installed.
    """

    def __init__(self, place: Place) -> None:
        try:
            from faithview.server.metrics import CONTENT_TYPE, RequestMetrics
        except ModuleNotFoundError as error:
            raise InvalidInput(f"--metrics needs {error.name}: pip install 'faithview[serve]'.") from error
        self._place, self._type = place, CONTENT_TYPE
        self._sessions = 0
        self._metrics = RequestMetrics(self._kind_of)
        self._metrics.name_judge("")
        self._metrics.watch("sessions", "Pages that are open in a browser.", lambda: self._sessions)
        self._metrics.watch("judging_runs", "Runs that processes of this dashboard judge.", _judging)

    @property
    def route(self) -> Route:
        """The route; who may reach the dashboard may read it."""
        return Route(self._place.under("metrics"), self._show)

    def counting(self, app: _Application) -> _Application:
        """Return the application with its requests and open pages counted."""

        async def counted(scope: _Message, receive: _Receive, send: _Send) -> None:
            if scope["type"] == "websocket":
                self._sessions += 1
                try:
                    await app(scope, receive, send)
                finally:
                    self._sessions -= 1
            elif scope["type"] == "http":
                await self._count(app, scope, receive, send)
            else:
                await app(scope, receive, send)

        return counted

    async def _count(self, app: _Application, scope: _Message, receive: _Receive, send: _Send) -> None:
        status, start = _CLIENT_GONE, time.perf_counter()

        async def noting(message: _Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, noting)
        finally:
            self._metrics.count_request(scope, status, time.perf_counter() - start)

    async def _show(self, request: Request) -> Response:
        del request
        return Response(self._metrics.text(), headers={"Cache-Control": "no-store"}, media_type=self._type)

    def _kind_of(self, path: str) -> str | None:
        """Return what a path is counted under: a probe, a kind of file, or a page; pages are not told apart."""
        rest = path.removeprefix(self._place.under("")).lstrip("/")
        if rest in _PROBES:
            return f"/{rest}"
        kind = next((kind for start, kind in _KINDS.items() if rest.startswith(start)), None)
        return kind or ("page" if "/" not in rest and "." not in rest else None)


def _judging() -> float:
    from faithview.ui.opened_store import workers_over  # here, because `app` needs this package

    return sum(len(workers_over(settings_of(project)).run_ids()) for project in served_projects())
