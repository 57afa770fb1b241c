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


class Metrics:
    """The counters of one service."""

    def __init__(self, routes: tuple[str, ...]) -> None:
        """Make them, all zero; requests to addresses other than `routes` are counted together."""
        self._routes = routes
        registry = self._registry = CollectorRegistry()
        self._requests = Counter(
            "faithview_requests",
            "Requests by address, method and status.",
            ("route", "method", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "faithview_request_seconds",
            "Time from a request's first byte to its reply, by address.",
            ("route",),
            registry=registry,
            buckets=_SECONDS,
        )
        self._errors = Counter("faithview_errors", "Replies with status 500 and above.", ("status",), registry=registry)
        self._build = Gauge("faithview_build_info", "Version and judge.", ("version", "judge"), registry=registry)
        self._judge_seconds = Histogram(
            "faithview_judge_seconds",
            "Judging time, by kind of request.",
            ("task",),
            registry=registry,
            buckets=_SECONDS,
        )
        self._answers = Counter(
            "faithview_answers",
            'Answers judged, by state and by whether they are faithful ("": not judged).',
            ("state", "faithful"),
            registry=registry,
        )
        self._verdicts = Counter("faithview_verdicts", "Claims, by verdict.", ("verdict",), registry=registry)
        self._guarded = Counter("faithview_guarded", "Answers guarded, by outcome.", ("outcome",), registry=registry)
        self._corrected = Counter(
            "faithview_corrected", "Answers corrected, by whether they changed.", ("changed",), registry=registry
        )
        self._logged = Counter(
            "faithview_logged_answers",
            "Answers to store: accepted, refused, or lost because the store was unavailable.",
            ("outcome",),
            registry=registry,
        )
        self._spans = Counter("faithview_spans", "OpenTelemetry spans received.", registry=registry)
        self._traced = Counter(
            "faithview_traced_answers",
            "Answers found in spans, and those that could not be stored, with the reason.",
            ("outcome",),
            registry=registry,
        )

    def watch(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a figure that is asked for when the metrics are read."""
        Gauge(f"faithview_{name}", description, registry=self._registry).set_function(value)

    def name_judge(self, judge: str) -> None:
        """Say which version this is, and which judge the service has."""
        self._build.labels(__version__, judge).set(1)

    def route_of(self, scope: Scope) -> str:
        """Return the address that a request is counted under: ours, or one name for all others."""
        return scope["path"] if scope["path"] in self._routes else _OTHER

    def count_request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request and its reply; status 499 is a client that did not wait for one."""
        route = self.route_of(scope)
        method = scope["method"] if scope["method"] in _METHODS else _OTHER
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if status >= 500:
            self._errors.labels(str(status)).inc()

    def text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        text: Any = generate_latest(self._registry)
        return bytes(text)

    def count_judged(self, task: str, result: Result, seconds: float) -> None:
        """Count an answer that the judge returned."""
        faithful = {True: "yes", False: "no", None: ""}[result.is_faithful]
        self._answers.labels(result.state.value, faithful).inc()
        self._judge_seconds.labels(task).observe(seconds)
        for verdict in result.verdicts:
            self._verdicts.labels(verdict.value).inc()

    def count_guarded(self, *, passed: bool) -> None:
        """Count an answer that was let through or blocked."""
        self._guarded.labels("passed" if passed else "blocked").inc()

    def count_corrected(self, *, changed: bool) -> None:
        """Count an answer that was to be corrected."""
        self._corrected.labels("yes" if changed else "no").inc()

    def count_logged(self, outcome: str, answers: int) -> None:
        """Count answers to be stored."""
        self._logged.labels(outcome).inc(answers)

    def count_spans(self, spans: int) -> None:
        """Count spans that were received."""
        self._spans.inc(spans)

    def count_traced(self, outcome: str, answers: int) -> None:
        """Count what spans held."""
        if answers:
            self._traced.labels(outcome).inc(answers)
