"""Servers that answer as Langfuse, Phoenix, MLflow and LangSmith do, over real HTTP, with the faults of real ones.

What they take and answer follows the tools' own descriptions: the OpenAPI documents of Langfuse (version 4) and of
Phoenix (20.3), MLflow's `service.proto` (3.17) with the handler of trace artifacts, and the SDK of LangSmith (0.15). A
parameter that is not in them, or a larger page than they allow, is refused.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests import http_server
from tests.http_server import Handler

Json = dict[str, Any]
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
PROJECT = "help desk"
TRACES = 7
# The traces with a person's annotation beside the judge's.
ANNOTATED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request as it came in."""

    method: str
    path: str
    params: dict[str, list[str]]
    headers: dict[str, str]
    body: Any

    @property
    def place(self) -> str:
        """Which page is asked for, in the words of the tool; "" for the first."""
        given = self.body or self.first
        return str(given.get("cursor") or given.get("page_token") or "")

    @property
    def first(self) -> dict[str, str]:
        """The first value of each parameter."""
        return {name: values[0] for name, values in self.params.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer. A `broken` one ends in the middle, as when the connection is lost."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    broken: bool = False
    text: str | None = None

    @property
    def content(self) -> bytes:
        return (json.dumps(self.body) if self.text is None else self.text).encode()


Answers = Callable[[Seen], Reply]
# What may be asked for, by the path: the parameters, or the keys of a query, and the largest page.
DESCRIBED = {
    "/v1/projects/[^/]+/spans": ({"cursor", "limit", "start_time", "end_time"}, 1000),
    "/v1/projects/[^/]+/(span|trace)_annotations": ({"span_ids", "trace_ids", "cursor", "limit"}, 10_000),
    "/api/2.0/mlflow/experiments/get-by-name": ({"experiment_name"}, 0),
    "/api/3.0/mlflow/traces/search": ({"locations", "filter", "max_results", "order_by", "page_token"}, 500),
    "/ajax-api/2.0/mlflow/get-trace-artifact": ({"request_id"}, 0),
    "/api/public/projects": (set(), 0),
    "/api/public/v2/observations": (
        {"fields", "expandMetadata", "limit", "cursor", "fromStartTime", "toStartTime"}, 1000
    ),
    "/api/public/v3/scores": ({"fields", "limit", "cursor", "fromTimestamp", "toTimestamp"}, 100),
    "/sessions": ({"name", "limit"}, 100),
    "/runs/query": ({"session", "filter", "start_time", "select", "limit", "cursor"}, 100),
    "/feedback": ({"run", "limit", "offset"}, 100),
}  # fmt: skip


@dataclass(slots=True)
class ToolServer:
    """A running server: what it was asked, and the faults that it still has to show."""

    answers: Answers
    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    faults: list[tuple[str, Reply]] = field(default_factory=list)
    refuses: Callable[[Seen], bool] = lambda _: False

    def fail(self, path: str, *replies: Reply) -> None:
        """Answer the next requests for a path (a regular expression) with these, one after the other."""
        self.faults += [(path, reply) for reply in replies]

    def asked(self, path: str) -> list[Seen]:
        """Return the requests for a path (a regular expression)."""
        return [seen for seen in self.seen if re.search(path, seen.path)]

    def reply(self, seen: Seen) -> Reply:
        self.seen.append(seen)
        for index, (path, reply) in enumerate(self.faults):
            if re.search(path, seen.path):
                del self.faults[index]
                return reply
        if self.refuses(seen):
            return Reply(status=418, body={"message": "no more for now"})
        reply = self.answers(seen)
        return reply if reply.status == 401 or _is_described(seen) else Reply(status=422, text="not in the description")


def _is_described(seen: Seen) -> bool:
    given = seen.body or seen.first
    for path, (names, most) in DESCRIBED.items():
        if re.fullmatch(path, seen.path):
            return given.keys() <= names and int(given.get("limit", given.get("max_results", 0))) <= most
    return False


@contextmanager
def serving(answers: Answers) -> Iterator[ToolServer]:
    """Run a server for the length of a block."""
    server = ToolServer(answers)

    class Tool(Handler):
        def answer(self, body: bytes) -> None:
            parts = urlsplit(self.path)
            reply = server.reply(
                Seen(
                    method=self.command,
                    path=unquote(parts.path),
                    params=parse_qs(parts.query),
                    headers={name.lower(): value for name, value in self.headers.items()},
                    body=json.loads(body) if body else None,
                )
            )
            content = reply.content
            headers = {"Content-Type": "application/json", "Content-Length": str(len(content)), **reply.headers}
            self.begin(reply.status, headers)
            self.wfile.write(content[: len(content) // 2] if reply.broken else content)
            if reply.broken:
                self.close_connection = True

    with http_server.serving(Tool) as server.url:
        yield server


def when(number: int, seconds: float = 0.0) -> str:
    """Return when the trace of a number began, or a time after that."""
    return (START + timedelta(hours=number, seconds=seconds)).isoformat().replace("+00:00", "Z")


def question(number: int) -> str:
    return f"How many members fit, in case {number}?"


def score(number: int) -> float:
    return (number % 5) / 4


def _within(written: str, low: str | None, high: str | None) -> bool:
    moment = datetime.fromisoformat(written)
    return (low is None or moment >= datetime.fromisoformat(low)) and (
        high is None or moment < datetime.fromisoformat(high)
    )


def _after(items: list[Json], cursor: str | None, size: int) -> tuple[list[Json], str | None]:
    """Return a page and the next cursor, which says where it begins."""
    start = int(base64.b64decode(cursor)) if cursor else 0
    end = start + size
    return items[start:end], base64.b64encode(str(end).encode()).decode() if end < len(items) else None


# --- Phoenix


def phoenix(seen: Seen) -> Reply:
    """Answer as Phoenix does."""
    if seen.headers.get("authorization") != "Bearer phx-secret-key":
        return Reply(status=401, text="Invalid token")
    if not seen.path.startswith(f"/v1/projects/{PROJECT}/"):
        return Reply(status=404, text="Project with identifier no such not found")
    first = seen.first
    if seen.path.endswith("/spans"):
        spans = [s for s in _phoenix_spans() if _within(s["start_time"], first.get("start_time"), first["end_time"])]
        found, cursor = _after(spans, first.get("cursor"), int(first["limit"]))
        return Reply(body={"data": found, "next_cursor": cursor})
    kind = "span_id" if seen.path.endswith("/span_annotations") else "trace_id"
    notes = [note for note in _phoenix_notes() if note.get(kind) in seen.params[f"{kind}s"]]
    return Reply(body={"data": notes, "next_cursor": None})


def _phoenix_spans() -> list[Json]:
    spans: list[Json] = []
    for number in range(TRACES):
        context = {"trace_id": f"{number:032x}"}
        common = {"status_code": "OK", "status_message": "", "events": []}
        root = {"input.value": question(number), "output.value": "Up to 50 members."}
        found = {
            "input.value": question(number),
            "retrieval.documents.0.document.content": "Up to 20 members.",
            "retrieval.documents.0.document.id": "inbox",
        }
        spans += [
            {"id": f"a{number}", "name": "retrieve", "context": {**context, "span_id": f"{number:015x}2"},
             "span_kind": "RETRIEVER", "parent_id": f"{number:015x}1", "start_time": when(number, 1),
             "end_time": when(number, 2), "attributes": found, **common},
            {"id": f"b{number}", "name": "rag", "context": {**context, "span_id": f"{number:015x}1"},
             "span_kind": "CHAIN", "parent_id": None, "start_time": when(number), "end_time": when(number, 3),
             "attributes": root, **common},
        ]  # fmt: skip
    return spans[::-1]


def _phoenix_notes() -> list[Json]:
    def note(number: int, note_id: str, kind: str, value: float) -> Json:
        about = {"trace_id": f"{number:032x}"} if kind == "HUMAN" else {"span_id": f"{number:015x}1"}
        return {"id": note_id, **about, "name": "faithfulness", "annotator_kind": kind,
                "result": {"label": None, "score": value, "explanation": "Counted."}, "metadata": {},
                "identifier": "ada" if kind == "HUMAN" else "", "source": "API", "user_id": None,
                "created_at": when(number, 60), "updated_at": when(number, 60)}  # fmt: skip

    notes = [note(number, f"n{number}", "LLM", score(number)) for number in range(TRACES)]
    return [*notes, note(ANNOTATED, "person", "HUMAN", 0.0)]


# --- MLflow


def mlflow(seen: Seen) -> Reply:
    """Answer as a tracking server of MLflow 3 does."""
    if seen.headers.get("authorization") != "Bearer mlf-secret-key":
        return Reply(status=401, text="You are not authenticated.")
    if seen.path == "/api/2.0/mlflow/experiments/get-by-name":
        if seen.first["experiment_name"] == PROJECT:
            return Reply(body={"experiment": {"experiment_id": "12", "name": PROJECT}})
        return _mlflow_error(404, "RESOURCE_DOES_NOT_EXIST", f"Could not find experiment with name {seen.first}")
    if seen.path == "/api/3.0/mlflow/traces/search":
        limits = dict(re.findall(r"timestamp_ms (>=|<) (\d+)", seen.body["filter"]))
        found = [
            info
            for info in map(_mlflow_info, range(TRACES))
            if int(limits.get(">=", 0)) / 1000
            <= datetime.fromisoformat(info["request_time"]).timestamp()
            < int(limits["<"]) / 1000
        ]
        page, token = _after(found, seen.body.get("page_token"), seen.body["max_results"])
        return Reply(body={**({"traces": page} if page else {}), **({"next_page_token": token} if token else {})})
    if seen.path == "/ajax-api/2.0/mlflow/get-trace-artifact":
        number = int(seen.first["request_id"].removeprefix("tr-"))
        if number == 0:
            return _mlflow_error(404, "NOT_FOUND", "Trace data not found for path=traces.json")
        return Reply(body={"spans": _mlflow_spans(number)}, headers={"Content-Type": "text/plain"})
    return Reply(status=404, text="<!doctype html><title>404 Not Found</title>", headers={"Content-Type": "text/html"})


def _mlflow_error(status: int, code: str, message: str) -> Reply:
    return Reply(status=status, body={"error_code": code, "message": message})


def _mlflow_info(number: int) -> Json:
    def assessment(assessment_id: str, kind: str, by: str, value: float) -> Json:
        return {"assessment_id": assessment_id, "assessment_name": "faithfulness", "trace_id": f"tr-{number}",
                "source": {"source_type": kind, "source_id": by}, "create_time": when(number, 60),
                "last_update_time": when(number, 60), "feedback": {"value": value}, "rationale": "Counted.",
                "valid": True}  # fmt: skip

    people = [assessment("person", "HUMAN", "ada", 0.0)] if number == ANNOTATED else []
    return {"trace_id": f"tr-{number}", "request_time": when(number), "execution_duration": "0.2s", "state": "OK",
            "trace_location": {"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": "12"}},
            "trace_metadata": {}, "tags": {}, "request_preview": json.dumps({"question": question(number)}),
            "response_preview": '"Up to 50 members."',
            "assessments": [assessment(f"a{number}", "LLM_JUDGE", "gpt-x", score(number)), *people]}  # fmt: skip


def _mlflow_spans(number: int) -> list[Json]:
    documents = json.dumps([{"page_content": "Up to 20 members.", "metadata": {"doc_uri": "inbox"}, "id": "inbox"}])
    asked = json.dumps({"question": question(number)})
    spans: list[Json] = [
        {"trace_id": "x", "span_id": "root", "parent_span_id": None, "name": "rag", "events": [],
         "attributes": {"mlflow.spanInputs": asked, "mlflow.spanOutputs": '"Up to 50 members."'}},
        {"trace_id": "x", "span_id": "leaf", "parent_span_id": "root", "name": "retrieve", "events": [],
         "attributes": {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanInputs": asked,
                        "mlflow.spanOutputs": documents}},
    ]  # fmt: skip
    return spans


# --- Langfuse


def langfuse(seen: Seen) -> Reply:
    """Answer as a server of Langfuse 4 does."""
    if (refused := _langfuse_start(seen)) is not None:
        return refused
    first = seen.first
    if seen.path == "/api/public/v2/observations":
        shown = {*first.get("expandMetadata", "").split(",")}
        found = [
            {**item, "input": json.dumps(item["input"]), "output": json.dumps(item["output"]),
             "metadata": {k: v if k in shown else v[:200] for k, v in item["metadata"].items()}}
            for number in reversed(range(TRACES))
            for item in _langfuse_observations(number)
            if _within(item["startTime"], first.get("fromStartTime"), first["toStartTime"])
        ]  # fmt: skip
        page, cursor = _after(found, first.get("cursor"), int(first["limit"]))
        return Reply(body={"data": page, "meta": {"cursor": cursor} if cursor else {}})
    if seen.path == "/api/public/v3/scores":
        scores = [item for number in range(TRACES) for item in _langfuse_scores(number)]
        found = [_scored_by_4(item) for item in scores]
        session = {**found[0], "id": "of-session", "subject": {"kind": "session", "id": "s1"}}
        page, cursor = _after([*found, session], first.get("cursor"), int(first["limit"]))
        return Reply(body={"data": page, "meta": {"limit": 2, **({"cursor": cursor} if cursor else {})}})
    return _langfuse_error(
        404, "This endpoint is not available on deployments running in Langfuse v4 events_only mode."
    )


def _langfuse_start(seen: Seen) -> Reply | None:
    login = base64.b64encode(b"pk-lf-public:sk-lf-secret").decode()
    if seen.headers.get("authorization") != f"Basic {login}":
        return _langfuse_error(401, "Invalid credentials. Confirm that you've configured the correct host.")
    if seen.path == "/api/public/projects":
        return Reply(body={"data": [{"id": "project-1", "name": PROJECT}]})
    return None


def _langfuse_error(status: int, message: str) -> Reply:
    return Reply(status=status, body={"message": message, "error": "Error"})


def _langfuse_observations(number: int) -> list[Json]:
    common = {"traceId": f"trace-{number}", "level": "DEFAULT", "environment": "default", "userId": "u1",
              "sessionId": None, "version": None, "release": None, "tags": ["de"], "traceName": "rag"}  # fmt: skip
    return [
        {"id": f"leaf-{number}", "type": "RETRIEVER", "name": "retrieve", "parentObservationId": f"root-{number}",
         "isRootObservation": False, "startTime": when(number, 1), "endTime": when(number, 2),
         "input": question(number), "output": [{"page_content": "Up to 20 members.", "metadata": {"id": "inbox"}}],
         "metadata": {}, **common},
        {"id": f"root-{number}", "type": "SPAN", "name": "rag", "parentObservationId": None, "isRootObservation": True,
         "startTime": when(number), "endTime": when(number, 3), "input": {"question": question(number)},
         "output": {"answer": "Up to 50 members."}, "metadata": {"prompt": "Answer from the context. " * 20},
         **common},
    ]  # fmt: skip


def _langfuse_scores(number: int) -> list[Json]:
    def one(score_id: str, source: str, value: float) -> Json:
        return {"id": score_id, "traceId": f"trace-{number}", "observationId": None, "name": "faithfulness",
                "value": value, "dataType": "NUMERIC", "source": source, "comment": "Counted.",
                "authorUserId": "ada" if source == "ANNOTATION" else None, "timestamp": when(number, 60),
                "createdAt": when(number, 60), "updatedAt": when(number, 60)}  # fmt: skip

    return [one(f"s{number}", "EVAL", score(number)), *([one("person", "ANNOTATION", 0.0)] * (number == ANNOTATED))]


def _scored_by_4(item: Json) -> Json:
    own = {name: value for name, value in item.items() if name not in ("traceId", "observationId")}
    return {**own, "projectId": "project-1", "subject": {"kind": "trace", "id": item["traceId"]}}


# --- LangSmith


def langsmith(seen: Seen) -> Reply:
    """Answer as LangSmith does."""
    if seen.headers.get("x-api-key") != "lsv2_pt_secret_key":
        return Reply(status=401, body={"detail": "Invalid token"})
    if seen.path == "/sessions":
        known = seen.first["name"] == PROJECT
        return Reply(body=[{"id": "6a3ce3a5-0000-4000-8000-000000000001", "name": PROJECT}] if known else [])
    if seen.path == "/runs/query":
        (high,) = re.findall(r'lt\(start_time, "([^"]+)"\)', seen.body["filter"])
        runs = [run for run in _langsmith_runs() if _within(run["start_time"], seen.body.get("start_time"), high)]
        page, cursor = _after(runs, seen.body.get("cursor"), seen.body["limit"])
        return Reply(body={"runs": page, "cursors": {"next": cursor, "prev": None}})
    if seen.path == "/feedback":
        notes = [note for note in _langsmith_feedback() if note["run_id"] in seen.params["run"]]
        start, size = int(seen.first["offset"]), int(seen.first["limit"])
        return Reply(body=notes[start : start + size])
    return Reply(status=404, body={"detail": "Not Found"})


def _langsmith_runs() -> list[Json]:
    runs = []
    for number in range(TRACES):
        common: Json = {"trace_id": f"root-{number}", "session_id": "6a3ce3a5-0000-4000-8000-000000000001",
                        "error": None, "status": "success", "extra": {}, "tags": []}  # fmt: skip
        runs += [
            {"id": f"leaf-{number}", "name": "retrieve", "run_type": "retriever", "parent_run_id": f"root-{number}",
             "start_time": when(number, 1), "end_time": when(number, 2), "inputs": {"query": question(number)},
             "outputs": {"documents": [{"page_content": "Up to 20 members.", "metadata": {"id": "inbox"}}]},
             "dotted_order": f"{number}.1", "feedback_stats": {}, **common},
            {"id": f"root-{number}", "name": "rag", "run_type": "chain", "parent_run_id": None,
             "start_time": when(number), "end_time": when(number, 3), "inputs": {"question": question(number)},
             "outputs": {"answer": "Up to 50 members."}, "dotted_order": f"{number}",
             "feedback_stats": {"faithfulness": {"n": 1, "avg": score(number)}}, **common},
        ]  # fmt: skip
    return runs[::-1]


def _langsmith_feedback() -> list[Json]:
    def one(number: int, feedback_id: str, kind: str, value: float) -> Json:
        source: Json = {"type": kind, "metadata": {}, "user_id": "ada" if kind == "app" else None}
        return {"id": feedback_id, "run_id": f"root-{number}", "trace_id": f"root-{number}", "key": "faithfulness",
                "score": value, "value": None, "comment": "Counted.", "correction": None, "feedback_source": source,
                "created_at": when(number, 60), "modified_at": when(number, 60)}  # fmt: skip

    notes = [one(number, f"f{number}", "model", score(number)) for number in range(TRACES)]
    return [*notes, one(ANNOTATED, "person", "app", 0.0)]
