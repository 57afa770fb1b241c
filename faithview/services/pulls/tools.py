"""The four tools that are pulled from: where their servers are, and how their records are asked for, page by page.

A page is its rows, and the place where the next page begins: a value for JSON, `START` for the first page and None
after the last. A reply without what its tool's API description promises raises KeyError, TypeError, AttributeError or
ValueError here; whoever asks for the page says which server that was.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.services.pulls.server import Server

Json = dict[str, Any]
# A record's trace, its own id in the trace, when it began (seconds since 1970; None for a score), and the record.
Row = tuple[str, str, float | None, Json]
Page = tuple[list[Row], Any]
Say = Callable[[str], None]
START = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked of a server: the spans of a project from `since` (None for all) to before `until`, in ISO 8601."""

    server: Server
    project: str
    since: str | None
    until: str
    page_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool whose server can be read.

    Attributes:
        name: its name on the command line.
        title: its name in messages.
        reader: the format that reads the file.
        project_variables: the tool's own variables for the project; none if the key belongs to one project.
        connect: opens the server at an address, or at the one in the tool's own variable; takes a function that says a
            sentence.
        page: asks for a page.
    """

    name: str
    title: str
    reader: str
    project_variables: tuple[str, ...]
    connect: Callable[[str | None, Say], Server]
    page: Callable[[Ask, Any], Page]

    def project(self, named: str) -> str:
        """Return the project that is named, or that the tool's own variable names; "" if the key belongs to one.

        Raises:
            InvalidInput: neither names one.
        """
        project = named.strip() or _variable(*self.project_variables)
        if not project and self.project_variables:
            raise InvalidInput(f"Name the project of {self.title} with --source-project.")
        return project


def read_time(text: str) -> datetime:
    """Return an ISO 8601 time; without a zone it is in UTC, as the tools write it. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def seconds(text: str) -> float:
    """Return an ISO 8601 time in seconds since 1970. Raises ValueError."""
    return read_time(text).timestamp()


def _variable(*names: str) -> str:
    """Return the first variable that is not empty, without surrounding spaces and quotation marks."""
    return next(filter(None, (os.environ.get(name, "").strip().strip("\"'") for name in names)), "")


def _if_there(ask: Ask, path: str, **params: Any) -> Json:
    """Return a reply; an empty one if the server has nothing at the path."""
    try:
        found: Json = ask.server.ask(path, **params)
    except PullFailed as error:
        if error.status != 404:
            raise
        return {}
    return found


# --- Phoenix: the spans of a project with their annotations; those of a whole trace are on its root.


def _connect_phoenix(url: str | None, say: Say) -> Server:
    given = (item.partition("=") for item in _variable("PHOENIX_CLIENT_HEADERS").split(","))
    headers = {unquote(name).strip().lower(): unquote(value).strip() for name, _, value in given if value}
    if key := _variable("PHOENIX_API_KEY"):
        headers.setdefault("authorization", f"Bearer {key}")
    base = url or _variable("PHOENIX_ENDPOINT", "PHOENIX_COLLECTOR_ENDPOINT", "PHOENIX_BASE_URL")
    base = base.rstrip("/").removesuffix("/v1/traces") or "http://localhost:6006"
    return Server(base, keys="PHOENIX_API_KEY", headers=headers, say=say)


def _phoenix_page(ask: Ask, cursor: str) -> Page:
    path = f"/v1/projects/{quote(ask.project, safe='')}"
    found = ask.server.ask(
        f"{path}/spans", limit=ask.page_size, start_time=ask.since, end_time=ask.until, cursor=cursor or None
    )
    spans = {span["context"]["span_id"]: span for span in found["data"]}
    roots = {span["context"]["trace_id"]: span for span in found["data"] if not span.get("parent_id")}
    for kind, about in (("span", spans), ("trace", roots)):
        # Early versions serve no annotations of traces. 10,000 is the most that is sent at once.
        named = {f"{kind}_ids": list(about), "limit": 10_000}
        notes = _if_there(ask, f"{path}/{kind}_annotations", **named) if about else {}
        for note in notes.get("data", []):
            about[note[f"{kind}_id"]].setdefault("annotations", []).append(note)
    rows: list[Row] = [
        (span["context"]["trace_id"], own, seconds(span["start_time"]), span) for own, span in spans.items()
    ]
    return rows, found["next_cursor"]


# --- MLflow 3: the traces of an experiment with their assessments, each with its spans.


def _connect_mlflow(url: str | None, say: Say) -> Server:
    base = url or _variable("MLFLOW_TRACKING_URI")
    if not base.lower().startswith(("http://", "https://")):  # not shown: it may hold a password
        raise InvalidInput(
            "MLFLOW_TRACKING_URI is not the address of a server; name one with --url. `mlflow server` starts one over "
            "a folder or a database."
        )
    login = _variable("MLFLOW_TRACKING_USERNAME"), _variable("MLFLOW_TRACKING_PASSWORD")
    token = _variable("MLFLOW_TRACKING_TOKEN")
    if all(login):
        return Server(base, keys="MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD", login=login, say=say)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Server(base, keys="MLFLOW_TRACKING_TOKEN", headers=headers, say=say)


def _mlflow_page(ask: Ask, place: Any) -> Page:
    experiment, token = place or (_mlflow_experiment(ask), None)
    since = f"timestamp_ms >= {round(seconds(ask.since) * 1000)} AND " if ask.since else ""
    query = {
        "locations": [{"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": experiment}}],
        "filter": f"{since}timestamp_ms < {round(seconds(ask.until) * 1000)}",
        "max_results": ask.page_size,
        "order_by": ["timestamp_ms ASC"],  # oldest first, so new traces move no others to another page
        **({"page_token": token} if token else {}),
    }
    found = ask.server.ask("/api/3.0/mlflow/traces/search", query)
    rows: list[Row] = []
    for info in found.get("traces", []):  # MLflow leaves an empty list out
        own = info["trace_id"]
        data = _if_there(ask, "/ajax-api/2.0/mlflow/get-trace-artifact", request_id=own)
        rows.append((own, "", seconds(info["request_time"]), {"info": info, "data": {"spans": data.get("spans", [])}}))
    following = found.get("next_page_token")
    return rows, [experiment, following] if following else None


def _mlflow_experiment(ask: Ask) -> str:
    if ask.project.isdigit():
        return ask.project
    found = ask.server.ask("/api/2.0/mlflow/experiments/get-by-name", experiment_name=ask.project)
    return str(found["experiment"]["experiment_id"])


# --- Langfuse 4: observations, each with the fields of its trace, and then the scores.

# Longer values in metadata are cut off unless their key is asked for.
_CUT_OFF_AT = 200


def _connect_langfuse(url: str | None, say: Say) -> Server:
    login = _variable("LANGFUSE_PUBLIC_KEY"), _variable("LANGFUSE_SECRET_KEY")
    keys = "LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY"
    if not all(login):
        raise InvalidInput(f"Langfuse needs two keys: set {keys} in the environment.")
    base = url or _variable("LANGFUSE_BASE_URL", "LANGFUSE_HOST") or "https://cloud.langfuse.com"
    return Server(base, keys=keys, login=login, say=say)


def _langfuse_page(ask: Ask, place: Any) -> Page:
    if not place and ask.project:
        known = ask.server.ask("/api/public/projects")["data"]
        if not any(ask.project in (item["id"], item["name"]) for item in known):
            raise InvalidInput(
                f"The key in LANGFUSE_SECRET_KEY is not of the project {ask.project!r}; set the keys of that one."
            )
    kind, cursor, expanded = place or ["observations", None, []]
    if kind == "scores":
        return _langfuse_scores(ask, cursor)
    while True:
        found = ask.server.ask(
            "/api/public/v2/observations",
            limit=ask.page_size,
            fields="core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context",
            fromStartTime=ask.since,
            toStartTime=ask.until,
            cursor=cursor,
            expandMetadata=",".join(expanded) or None,
        )
        values = [pair for item in found["data"] for pair in (item.get("metadata") or {}).items()]
        cut = {name for name, value in values if isinstance(value, str) and len(value) >= _CUT_OFF_AT} - {*expanded}
        if not cut:
            break
        expanded = sorted({*expanded, *cut})
    rows: list[Row] = [(item["traceId"], item["id"], seconds(item["startTime"]), item) for item in found["data"]]
    following = found["meta"].get("cursor")
    return rows, ["observations", following, expanded] if following else ["scores", None, []]


def _langfuse_scores(ask: Ask, cursor: str | None) -> Page:
    # A trace may be scored long after it began, so there is no last time.
    found = ask.server.ask(
        "/api/public/v3/scores",
        limit=ask.page_size,
        fields="details,subject,annotation",
        fromTimestamp=ask.since,
        cursor=cursor,
    )
    rows: list[Row] = []
    for item in found["data"]:
        subject = item["subject"]
        rows.append((subject.get("traceId") or subject["id"], item["id"], None, item))
    following = found["meta"].get("cursor")
    return rows, ["scores", following, []] if following else None


# --- LangSmith: the runs of a project, each with its feedback.

# The fields that the SDK asks for when it lists runs.
_RUN_FIELDS = [
    "app_path", "completion_cost", "completion_tokens", "dotted_order", "end_time", "error", "events", "extra",
    "feedback_stats", "first_token_time", "id", "inputs", "name", "outputs", "parent_run_id", "parent_run_ids",
    "prompt_cost", "prompt_tokens", "reference_example_id", "run_type", "session_id", "start_time", "status", "tags",
    "total_cost", "total_tokens", "trace_id",
]  # fmt: skip


def _connect_langsmith(url: str | None, say: Say) -> Server:
    key, workspace, endpoint = (
        _variable(f"LANGSMITH_{name}", f"LANGCHAIN_{name}") for name in ("API_KEY", "WORKSPACE_ID", "ENDPOINT")
    )
    if not key:
        raise InvalidInput("LangSmith needs a key: set LANGSMITH_API_KEY in the environment.")
    headers = {"x-api-key": key, **({"X-Tenant-Id": workspace} if workspace else {})}
    base = url or endpoint or "https://api.smith.langchain.com"
    return Server(base, keys="LANGSMITH_API_KEY", headers=headers, say=say)


def _langsmith_page(ask: Ask, place: Any) -> Page:
    project, cursor = place or (_langsmith_project(ask), None)
    query = {
        "session": [project],
        "filter": f'lt(start_time, "{ask.until}")',
        **({"start_time": ask.since} if ask.since else {}),
        "select": _RUN_FIELDS,
        "limit": ask.page_size,
        **({"cursor": cursor} if cursor else {}),
    }
    found = ask.server.ask("/runs/query", query)
    runs = {run["id"]: run for run in found["runs"]}
    # Without the summary it is unknown whether there is feedback.
    with_feedback = [own for own, run in runs.items() if run.get("feedback_stats", True)]
    notes: list[Json] = []
    while with_feedback:
        more = ask.server.ask("/feedback", run=with_feedback, limit=100, offset=len(notes))
        notes += more
        if len(more) < 100:
            break
    for note in notes:
        runs[note["run_id"]].setdefault("feedback", []).append(note)
    rows: list[Row] = [(run["trace_id"], own, seconds(run["start_time"]), run) for own, run in runs.items()]
    following = (found["cursors"] or {}).get("next")
    return rows, [project, following] if following else None


def _langsmith_project(ask: Ask) -> str:
    found = ask.server.ask("/sessions", name=ask.project, limit=1)
    if not found:
        raise PullFailed(
            f"{ask.server.host} has no project {ask.project!r} that this key can read; check --source-project."
        )
    return str(found[0]["id"])


TOOLS = {
    "langfuse": Tool(
        name="langfuse",
        title="Langfuse",
        reader="langfuse",
        project_variables=(),
        connect=_connect_langfuse,
        page=_langfuse_page,
    ),
    "phoenix": Tool(
        name="phoenix",
        title="Phoenix",
        reader="phoenix-spans",
        project_variables=("PHOENIX_PROJECT", "PHOENIX_PROJECT_NAME"),
        connect=_connect_phoenix,
        page=_phoenix_page,
    ),
    "mlflow": Tool(
        name="mlflow",
        title="MLflow",
        reader="mlflow",
        project_variables=("MLFLOW_EXPERIMENT_NAME", "MLFLOW_EXPERIMENT_ID"),
        connect=_connect_mlflow,
        page=_mlflow_page,
    ),
    "langsmith": Tool(
        name="langsmith",
        title="LangSmith",
        reader="langsmith",
        project_variables=("LANGSMITH_PROJECT", "LANGCHAIN_PROJECT"),
        connect=_connect_langsmith,
        page=_langsmith_page,
    ),
}
