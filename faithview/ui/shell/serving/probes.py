"""`/health` and `/ready` of the dashboard: whether its server is alive, and whether its store answers."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from faithview.services.store_probe import StoreProbe
from faithview.ui.shell.serving.opened_store import store_works
from faithview.ui.shell.serving.place import Place
from faithview.version import __version__

_FRESH = {"Cache-Control": "no-store"}


def probes(place: Place) -> list[Route]:
    """Return the routes, which anybody may ask who reaches the server: they say nothing about what is stored."""
    store = StoreProbe(store_works)

    async def health(request: Request) -> Response:
        del request
        return JSONResponse({"status": "ok", "version": __version__}, headers=_FRESH)

    async def ready(request: Request) -> Response:
        del request
        works = await store.works()
        return JSONResponse({"ready": works, "store": works}, status_code=200 if works else 503, headers=_FRESH)

    return [Route(place.under("health"), health), Route(place.under("ready"), ready)]
