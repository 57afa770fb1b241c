"""`/health` and `/ready`: whether the service is alive, and whether it can work."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from faithview.documents.service import HealthDocument, ReadyDocument
from faithview.server.errors import json_response
from faithview.services.store_probe import StoreProbe
from faithview.version import __version__


class Probes:
    """Says how the service is; `judge_works` is called in the event loop."""

    def __init__(self, *, store: StoreProbe, judge_works: Callable[[], bool]) -> None:
        self._store = store
        self._judge_works = judge_works

    async def health(self, request: Request) -> Response:
        """Say that the service is alive."""
        del request
        return json_response(HealthDocument(version=__version__))

    async def ready(self, request: Request) -> Response:
        """Say whether judge and store work: 200 if both do, else 503."""
        del request
        store, judge = await self._store.works(), self._judge_works()
        ready = store and judge
        return json_response(ReadyDocument(ready=ready, judge=judge, store=store), status=200 if ready else 503)
