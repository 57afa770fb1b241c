"""The four tools that are pulled from: where their servers are, and how their records are asked for, page by page.

A page is the lines of the file that it brings, and the place where the next one begins: a value for JSON, None after
the last page. Each tool's own API description says what it is asked for; `tests/services/pulls` answers as they do.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote, unquote
from uuid import UUID

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.formats.limits import load_json
from faithview.services.pulls.server import Address, Server

Environment = Mapping[str, str]
Json = dict[str, Any]
Page = tuple[list[Json], Any]

# Spans are asked for this much longer before and after the window, so its traces are whole.
_MARGIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked of a server: the project, and the traces that began at `since` or later and before `until`.

    `page_size` is None for the tool's own; `say` prints a sentence. `lacks` collects what the server does not serve.
    """

    server: Server
    project: str
    since: datetime | None
    until: datetime
    page_size: int | None
    say: Callable[[str], None]
    lacks: set[str] = field(default_factory=set)

    def window(self) -> tuple[str | None, str]:
        """Return the first and the last time of the spans to ask for, as ISO 8601."""
        since = None if self.since is None else (self.since - _MARGIN).isoformat()
        return since, (self.until + _MARGIN).isoformat()

    def size(self, most: int) -> int:
        """Return how many records to ask for at once."""
        return min(self.page_size or most, most)

    def objects(self, found: Any, *path: str) -> list[Json]:
        """Return the list of objects at a path of a reply; raises PullFailed if there is none."""
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise PullFailed(
                f"{self.server.host} answered with JSON that has no list of {path[-1] if path else 'records'}; "
                "check --url."
            )
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool whose server can be read.

    Attributes:
        name: its name on the command line.
        title: its name in messages.
        reader: the format that reads the lines.
        noun: what a line is called while they arrive.
        address: the address of the server, from the environment or from a given URL.
        project: the project that the tool's own variable names; None if the key belongs to one project.
        page: asks for a page, the first one at None.
        trace: a record's trace, its own id in it, and when it began ("" if it has no time of its own).
    """

    name: str
    title: str
    reader: str
    noun: str
    address: Callable[[Environment, str | None], Address]
    project: Callable[[Environment], str] | None
    page: Callable[[Ask, Any], Page]
    trace: Callable[[Json], tuple[str, str, str]]


def _variable(environment: Environment, *names: str) -> str:
    """Return the first variable that is not empty, without surrounding spaces and quotation marks."""
    return next(filter(None, (environment.get(name, "").strip().strip("\"'") for name in names)), "")


def _text(item: Any, *path: str) -> str:
    for name in path:
        item = item.get(name) if isinstance(item, dict) else None
    return item if isinstance(item, str) else ""


# --- Phoenix: the spans of a project with their annotations; those of a whole trace are on its root.


def _phoenix_address(environment: Environment, url: str | None) -> Address:
    headers = {}
    for item in filter(None, environment.get("PHOENIX_CLIENT_HEADERS", "").split(",")):
        name, found, value = item.partition("=")
        if not found:
            raise InvalidInput("PHOENIX_CLIENT_HEADERS cannot be read; write name=value, with commas between headers.")
        headers[unquote(name).strip()] = unquote(value).strip()
    if key := _variable(environment, "PHOENIX_API_KEY"):
        headers.setdefault("Authorization", f"Bearer {key}")
    named = _variable(environment, "PHOENIX_ENDPOINT", "PHOENIX_COLLECTOR_ENDPOINT", "PHOENIX_BASE_URL")
    host = _variable(environment, "PHOENIX_HOST").replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - not a place to call
    if not named and "://" not in host:
        port = _variable(environment, "PHOENIX_PORT") or "6006"
        host = f"http://{host or 'localhost'}" if ":" in host else f"http://{host or 'localhost'}:{port}"
    named = named.rstrip("/").removesuffix("/v1/traces")
    return Address(url=url or named or host, headers=headers, variables=("PHOENIX_API_KEY",))


def _phoenix_page(ask: Ask, cursor: str | None) -> Page:
    path = f"/v1/projects/{quote(ask.project, safe='')}"
    if cursor is None:
        _check_phoenix_project(ask, path)
    since, until = ask.window()
    found = ask.server.get(f"{path}/spans", limit=ask.size(500), start_time=since, end_time=until, cursor=cursor)
    spans = ask.objects(found, "data")
    if not all(_text(span, "context", "span_id") for span in spans):
        raise PullFailed(f"{ask.server.host} sent a span without an id.")
    notes = list(_phoenix_notes(ask, path, "span", [span["context"]["span_id"] for span in spans]))
    roots = {_text(span, "context", "trace_id"): span for span in spans if not span.get("parent_id")}
    notes += _phoenix_notes(ask, path, "trace", list(roots))
    by_span = {span["context"]["span_id"]: span for span in spans}
    for note in notes:
        if about := by_span.get(_text(note, "span_id")) or roots.get(_text(note, "trace_id")):
            about.setdefault("annotations", []).append(note)
    return spans, found.get("next_cursor")


def _check_phoenix_project(ask: Ask, path: str) -> None:
    try:
        found = ask.server.get(path)
    except PullFailed as error:
        if error.status != 404:
            raise
        names = [repr(_text(item, "name")) for item in ask.objects(ask.server.get("/v1/projects"), "data")]
        raise PullFailed(
            f"{ask.server.host} has no project {ask.project!r} (status 404); it has {', '.join(names[:5]) or 'none'}.",
            status=404,
        ) from None
    if not isinstance(found, dict) or not isinstance(found.get("data"), dict):
        raise PullFailed(f"{ask.server.host} answered with JSON that has no project; check --url.")


def _phoenix_notes(ask: Ask, path: str, kind: str, ids: list[str]) -> Iterator[Json]:
    for group in _groups(ids, 100):
        cursor: Any = None
        while kind not in ask.lacks:
            try:
                named = {f"{kind}_ids": group, "limit": 1000, "cursor": cursor}
                found = ask.server.get(f"{path}/{kind}_annotations", **named)
            except PullFailed as error:
                if error.status not in (404, 405):
                    raise
                ask.lacks.add(kind)  # versions of Phoenix differ
                ask.say(f"{ask.server.host} does not serve {kind} annotations; only the spans are fetched.")
                break
            yield from ask.objects(found, "data")
            before, cursor = cursor, found.get("next_cursor")
            if cursor is None or cursor == before:
                break


# --- MLflow 3: the traces of an experiment with their assessments, each with its spans.


def _mlflow_address(environment: Environment, url: str | None) -> Address:
    base = url or _variable(environment, "MLFLOW_TRACKING_URI")
    if not base.lower().startswith(("http://", "https://")):
        what = "is not the address of a server" if base else "is not set"  # not shown: it may hold a password
        raise InvalidInput(
            f"MLFLOW_TRACKING_URI {what}; name the server with --url. `mlflow server` starts one over a folder or a "
            "database."
        )
    name, password = (_variable(environment, f"MLFLOW_TRACKING_{key}") for key in ("USERNAME", "PASSWORD"))
    if name and password:
        variables = ("MLFLOW_TRACKING_USERNAME", "MLFLOW_TRACKING_PASSWORD")
        return Address(url=base, login=(name, password), variables=variables)
    token = _variable(environment, "MLFLOW_TRACKING_TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Address(url=base, headers=headers, variables=("MLFLOW_TRACKING_TOKEN",))


def _mlflow_page(ask: Ask, place: list[Any] | None) -> Page:
    experiment, token = place or (_mlflow_experiment(ask), None)
    since = f"timestamp_ms >= {round(ask.since.timestamp() * 1000)} AND " if ask.since else ""
    body = {
        "locations": [{"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": experiment}}],
        "filter": f"{since}timestamp_ms < {round(ask.until.timestamp() * 1000)}",
        "max_results": ask.size(100),
        "order_by": ["timestamp_ms ASC"],  # oldest first, so new traces move no others to another page
        **({"page_token": token} if token else {}),
    }
    found = ask.server.post("/api/3.0/mlflow/traces/search", body)
    infos = ask.objects(found, "traces") if found != {} else []  # MLflow leaves an empty list out
    if not all(_text(info, "trace_id") for info in infos):
        raise PullFailed(f"{ask.server.host} sent a trace without an id; FaithView reads MLflow 3 and newer.")
    lines = [{"info": info, "data": {"spans": _mlflow_spans(ask, info["trace_id"])}} for info in infos]
    following = found.get("next_page_token") if infos else None
    return lines, [experiment, following] if following else None


def _mlflow_experiment(ask: Ask) -> str:
    for path, name in [("get-by-name", "experiment_name"), ("get", "experiment_id")]:
        if name == "experiment_id" and not ask.project.isdigit():
            break
        try:
            found = ask.server.get(f"/api/2.0/mlflow/experiments/{path}", **{name: ask.project})
        except PullFailed as error:
            # A 404 without MLflow's message comes from another server, so it gets its own message.
            if error.status != 404 or "experiment" not in str(error).lower().partition("it says:")[2]:
                raise
            continue
        if experiment := _text(found, "experiment", "experiment_id"):
            return experiment
        raise PullFailed(f"{ask.server.host} did not answer with an experiment; check --url.")
    raise PullFailed(
        f"{ask.server.host} has no experiment {ask.project!r} (status 404); check --source-project.", status=404
    )


def _mlflow_spans(ask: Ask, trace_id: str) -> list[Json]:
    try:
        return ask.objects(ask.server.get("/ajax-api/2.0/mlflow/get-trace-artifact", request_id=trace_id), "spans")
    except PullFailed as error:
        if error.status != 404:
            raise
        ask.say(f"The trace {trace_id} has no spans and therefore no chunks.")
        return []


# --- Langfuse 4: observations, each with the fields of its trace, and then the scores.

_OBSERVATION_FIELDS = "core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context"
# Longer values in metadata are cut off unless their key is asked for.
_CUT_OFF_AT = 200


def _langfuse_address(environment: Environment, url: str | None) -> Address:
    variables = ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")
    public, secret = (_variable(environment, name) for name in variables)
    if not public or not secret:
        raise InvalidInput(f"Langfuse needs two keys: set {' and '.join(variables)} in the environment.")
    base = url or _variable(environment, "LANGFUSE_BASE_URL", "LANGFUSE_HOST") or "https://cloud.langfuse.com"
    return Address(url=base, login=(public, secret), variables=variables)


def _langfuse_page(ask: Ask, place: list[Any] | None) -> Page:
    if place is None:
        known = ask.objects(ask.server.get("/api/public/projects"), "data")
        if ask.project and not any(ask.project in (_text(item, "id"), _text(item, "name")) for item in known):
            names = ", ".join(repr(_text(item, "name")) for item in known)
            raise InvalidInput(
                f"The key in LANGFUSE_SECRET_KEY belongs to the project {names}, not {ask.project!r}; set the keys of "
                f"{ask.project!r}."
            )
    kind, cursor, cut_off = place or ["observations", None, []]
    if kind == "observations":
        items, following, cut_off = _langfuse_observations(ask, cursor, cut_off)
        return items, ["observations", following, cut_off] if following else ["scores", None, []]
    # A trace may be scored long after it began, so there is no last time.
    since = ask.since and ask.since.isoformat().replace("+00:00", "Z")
    found = ask.server.get(
        "/api/public/v3/scores",
        limit=ask.size(100), fields="details,subject,annotation", fromTimestamp=since, cursor=cursor,
    )  # fmt: skip
    following = found.get("meta", {}).get("cursor")
    return ask.objects(found, "data"), ["scores", following, []] if following else None


def _langfuse_observations(ask: Ask, cursor: str | None, cut_off: list[str]) -> tuple[list[Json], Any, list[str]]:
    since, until = ask.window()
    for _ in range(10):  # twice is usual
        found = ask.server.get(
            "/api/public/v2/observations",
            limit=ask.size(200),
            fields=_OBSERVATION_FIELDS,
            fromStartTime=since and since.replace("+00:00", "Z"),
            toStartTime=until.replace("+00:00", "Z"),
            cursor=cursor,
            expandMetadata=",".join(cut_off) or None,
        )
        items = ask.objects(found, "data")
        longer = {
            name
            for item in items
            for name, value in (item.get("metadata") or {}).items()
            if isinstance(value, str) and len(value) >= _CUT_OFF_AT and "," not in name and name not in cut_off
        }
        if not longer:
            break
        cut_off = sorted([*cut_off, *longer])
    # Version 4 sends input and output as JSON in a string.
    items = [{**item, **{name: _parsed(item[name]) for name in ("input", "output") if name in item}} for item in items]
    return items, found.get("meta", {}).get("cursor"), cut_off


def _parsed(value: Any) -> Any:
    try:
        return load_json(value) if isinstance(value, str) and value[:1] in ("{", "[", '"') else value
    except ValueError:  # a text that begins like JSON
        return value


def _langfuse_trace(item: Json) -> tuple[str, str, str]:
    subject = item.get("subject") or {}
    of_subject = _text(subject, "traceId") or _text(subject, "id")
    return _text(item, "traceId") or of_subject, _text(item, "id"), _text(item, "startTime")


# --- LangSmith: the runs of a project, each with its feedback.

# The fields that the SDK asks for when it lists runs.
_RUN_FIELDS = [
    "app_path", "completion_cost", "completion_tokens", "dotted_order", "end_time", "error", "events", "extra",
    "feedback_stats", "first_token_time", "id", "inputs", "name", "outputs", "parent_run_id", "parent_run_ids",
    "prompt_cost", "prompt_tokens", "reference_example_id", "run_type", "session_id", "start_time", "status", "tags",
    "total_cost", "total_tokens", "trace_id",
]  # fmt: skip


def _langsmith_variable(environment: Environment, name: str) -> str:
    return _variable(environment, f"LANGSMITH_{name}", f"LANGCHAIN_{name}")


def _langsmith_address(environment: Environment, url: str | None) -> Address:
    key, workspace = (_langsmith_variable(environment, name) for name in ("API_KEY", "WORKSPACE_ID"))
    if not key:
        raise InvalidInput("LangSmith needs a key: set LANGSMITH_API_KEY in the environment.")
    base = url or _langsmith_variable(environment, "ENDPOINT") or "https://api.smith.langchain.com"
    headers = {"x-api-key": key, **({"X-Tenant-Id": workspace} if workspace else {})}
    return Address(url=base, headers=headers, variables=("LANGSMITH_API_KEY",))


def _langsmith_page(ask: Ask, place: list[Any] | None) -> Page:
    project, cursor = place or (_langsmith_project(ask), None)
    since, until = ask.window()
    body = {
        "session": [project],
        "filter": f'lt(start_time, "{until}")',
        **({"start_time": since} if since else {}),
        "select": _RUN_FIELDS,
        "limit": ask.size(100),
        **({"cursor": cursor} if cursor else {}),
    }
    found = ask.server.post("/runs/query", body)
    runs = {_text(run, "id"): run for run in ask.objects(found, "runs")}
    if "" in runs:
        raise PullFailed(f"{ask.server.host} sent a run without an id.")
    # Without the summary it is unknown whether there is feedback.
    with_feedback = [name for name, run in runs.items() if "feedback_stats" not in run or run["feedback_stats"]]
    for group in _groups(with_feedback, 50):
        offset = 0
        while items := ask.objects(ask.server.get("/feedback", run=group, limit=100, offset=offset)):
            for item in items:
                runs[_text(item, "run_id")].setdefault("feedback", []).append(item)
            offset += len(items)
            if len(items) < 100:
                break
    cursor = (found.get("cursors") or {}).get("next") if runs else None
    return list(runs.values()), [project, cursor] if cursor else None


def _langsmith_project(ask: Ask) -> str:
    try:
        found = [ask.server.get(f"/sessions/{UUID(ask.project)}")]
    except ValueError:
        found = ask.objects(ask.server.get("/sessions", name=ask.project, limit=1))
    if not found:
        raise PullFailed(
            f"{ask.server.host} has no project {ask.project!r} that this key can read; check --source-project."
        )
    if project := _text(found[0], "id"):
        return project
    raise PullFailed(f"{ask.server.host} answered with a project without an id; check --url.")


def _groups(ids: list[str], size: int) -> Iterator[list[str]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            name="langfuse",
            title="Langfuse",
            reader="langfuse",
            noun="record",
            address=_langfuse_address,
            project=None,
            page=_langfuse_page,
            trace=_langfuse_trace,
        ),
        Tool(
            name="phoenix",
            title="Phoenix",
            reader="phoenix-spans",
            noun="span",
            address=_phoenix_address,
            project=lambda environment: _variable(environment, "PHOENIX_PROJECT", "PHOENIX_PROJECT_NAME"),
            page=_phoenix_page,
            trace=lambda span: (
                _text(span, "context", "trace_id"),
                _text(span, "context", "span_id"),
                _text(span, "start_time"),
            ),
        ),
        Tool(
            name="mlflow",
            title="MLflow",
            reader="mlflow",
            noun="trace",
            address=_mlflow_address,
            project=lambda environment: _variable(environment, "MLFLOW_EXPERIMENT_NAME", "MLFLOW_EXPERIMENT_ID"),
            page=_mlflow_page,
            trace=lambda line: (line["info"]["trace_id"], "", _text(line, "info", "request_time")),
        ),
        Tool(
            name="langsmith",
            title="LangSmith",
            reader="langsmith",
            noun="run",
            address=_langsmith_address,
            project=lambda environment: _langsmith_variable(environment, "PROJECT"),
            page=_langsmith_page,
            trace=lambda run: (_text(run, "trace_id") or run["id"], run["id"], _text(run, "start_time")),
        ),
    )
}


def find_tool(name: str) -> Tool:
    """Return the tool of that name. Raises InvalidInput if there is none."""
    if (tool := TOOLS.get(name.strip().lower())) is None:
        raise InvalidInput(f"There is no source {name!r}; FaithView pulls from {', '.join(TOOLS)}.")
    return tool
