"""Runs the service: one process that answers, and the judge's own processes."""

import signal
from collections.abc import Callable

import uvicorn
from prometheus_client import disable_created_metrics

from faithview.hosts import bind
from faithview.server.app import create_app
from faithview.server.settings import ServerSettings
from faithview.services.container import Store
from faithview.services.guard.guard import FaithfulnessGuard

# An idle connection is kept this long; a load balancer's own limit should be shorter.
_KEEP_ALIVE_S = 75


def serve(settings: ServerSettings, guard: FaithfulnessGuard, store: Store, *, on_start: Callable[[int], None]) -> None:
    """Answer requests until SIGTERM or Ctrl-C.

    Then no new connections are taken, requests under way are answered within `stop_seconds`, and what was logged is
    stored. `on_start` is called with the port when the service listens.

    Raises:
        InvalidInput: the address cannot be listened on.
    """
    disable_created_metrics()  # type: ignore[no-untyped-call]  # that one function has no types
    with bind(settings.host, settings.port, server="service") as listening:
        listening.listen()
        config = uvicorn.Config(
            create_app(settings, guard, store),
            log_config=None,
            access_log=False,
            ws="none",
            lifespan="on",
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=int(settings.limits.stop_seconds),
        )
        on_start(listening.getsockname()[1])
        # Once stopped, uvicorn raises the signal again for its former handler; here it is ignored, and this returns.
        before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            uvicorn.Server(config).run([listening])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
