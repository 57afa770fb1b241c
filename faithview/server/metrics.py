"""What the service counts, for Prometheus. No label holds a text, a token or an address of a client."""

from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import Scope

from faithview.domain.result import Result
from faithview.version import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OTHER = "other"
_COUNTERS = {
    "requests": ("Requests by address, method and status.", ("route", "method", "status")),
    "errors": ("Replies with status 500 and above.", ("status",)),
    "answers": (
        'Answers judged, by state and by whether they are faithful ("": not judged).',
        ("state", "faithful"),
    ),
    "verdicts": ("Claims, by verdict.", ("verdict",)),
    "guarded": ("Answers guarded, by outcome.", ("outcome",)),
    "corrected": ("Answers corrected, by whether they changed.", ("changed",)),
    "logged_answers": ("Answers to store: accepted, refused, or lost because the store was unavailable.", ("outcome",)),
    "spans": ("OpenTelemetry spans received.", ()),
    "traced_answers": ("Answers found in spans, and those that could not be stored, with the reason.", ("outcome",)),
}


class Metrics:
    """The counters of one service, all zero at first; requests to addresses other than `routes` are one."""

    def __init__(self, routes: tuple[str, ...], *, judge: str) -> None:
        self._routes = routes
        registry = self._registry = CollectorRegistry()
        self._counters = {
            name: Counter(f"faithview_{name}", text, labels, registry=registry)
            for name, (text, labels) in _COUNTERS.items()
        }
        self._request_seconds, self.judge_seconds = (
            Histogram(f"faithview_{name}_seconds", text, (label,), registry=registry, buckets=_SECONDS)
            for name, text, label in (
                ("request", "Time from a request's first byte to its reply, by address.", "route"),
                ("judge", "Judging time, by kind of request.", "task"),
            )
        )
        build = Gauge("faithview_build_info", "Version and judge.", ("version", "judge"), registry=registry)
        build.labels(__version__, judge).set(1)

    def watch(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a figure that is asked for when the metrics are read."""
        Gauge(f"faithview_{name}", description, registry=self._registry).set_function(value)

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        """Add to a counter, which has these values of its labels."""
        counter = self._counters[name]
        if by:
            (counter.labels(*labels) if labels else counter).inc(by)

    def count_request(self, scope: Scope, status: int, seconds: float) -> str:
        """Count a request and its reply, and return its address, or "other"; status 499 did not wait for a reply."""
        route: str = scope["path"] if scope["path"] in self._routes else _OTHER
        self.count("requests", route, scope["method"] if scope["method"] in _METHODS else _OTHER, str(status))
        self._request_seconds.labels(route).observe(seconds)
        if status >= 500:
            self.count("errors", str(status))
        return route

    def count_result(self, result: Result) -> None:
        """Count an answer that the judge returned, and its claims."""
        self.count("answers", result.state.value, {True: "yes", False: "no", None: ""}[result.is_faithful])
        for verdict in result.verdicts:
            self.count("verdicts", verdict.value)

    def text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        text: Any = generate_latest(self._registry)
        return bytes(text)
