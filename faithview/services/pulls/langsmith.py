"""LangSmith: the traces of a project, each as its root run with its `child_runs`, and every run with its feedback."""

import json
from collections.abc import Iterator
from uuid import UUID

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.services.pulls.part_file import Page, PartFile, Record
from faithview.services.pulls.tool import (
    Address,
    Environment,
    Json,
    Pull,
    Tool,
    batches,
    began_within,
    objects,
    place,
    record_id,
    text,
    variable,
)

_KEYS = ("LANGSMITH_API_KEY",)
_CLOUD = "https://api.smith.langchain.com"
_RUNS, _FEEDBACK = "runs", "feedback"
_MOST_RUNS, _MOST_FEEDBACK = 100, 100
_IDS_AT_ONCE = 50
_MOST_LEVELS = 100
_PROJECT_ID = "langsmith_project_id"
# The fields that the SDK requests when it lists runs.
_SELECTED = [
    "app_path", "completion_cost", "completion_tokens", "dotted_order", "end_time", "error", "events", "extra",
    "feedback_stats", "first_token_time", "id", "inputs", "name", "outputs", "parent_run_id", "parent_run_ids",
    "prompt_cost", "prompt_tokens", "reference_example_id", "run_type", "session_id", "start_time", "status", "tags",
    "total_cost", "total_tokens", "trace_id",
]  # fmt: skip


def _sdk_variable(environment: Environment, name: str) -> str:
    """Return a variable of the SDK by its current name, or by its old one."""
    return variable(environment, f"LANGSMITH_{name}", f"LANGCHAIN_{name}")


def _address(environment: Environment, url: str | None) -> Address:
    key, workspace = _sdk_variable(environment, "API_KEY"), _sdk_variable(environment, "WORKSPACE_ID")
    if not key:
        raise InvalidInput(f"LangSmith needs a key: set {_KEYS[0]} in the environment.")
    headers = {"x-api-key": key, **({"X-Tenant-Id": workspace} if workspace else {})}
    return Address(url=url or _sdk_variable(environment, "ENDPOINT") or _CLOUD, headers=headers, key_variables=_KEYS)


def _fetch(pull: Pull) -> None:
    if _PROJECT_ID not in pull.part.request:
        pull.part.note(_PROJECT_ID, _project_id(pull))
    pull.part.walk(_RUNS, lambda cursor: _runs(pull, cursor), pull.on_page)
    _fetch_feedback(pull)


def _project_id(pull: Pull) -> str:
    try:
        found = [pull.server.get(f"/sessions/{UUID(pull.project)}")]
    except ValueError:
        found = objects(pull.server, pull.server.get("/sessions", {"name": pull.project, "limit": 1}))
    if not found:
        raise PullFailed(
            f"{pull.server.host} has no project {pull.project!r} that this key can read; check --source-project."
        )
    if not isinstance(found[0], dict) or not (project_id := text(found[0], "id")):
        raise PullFailed(f"{pull.server.host} answered with a project without an id; check --url.")
    return project_id


def _runs(pull: Pull, cursor: str | None) -> Page:
    since = pull.spans_since()
    body = {
        "session": [pull.part.request[_PROJECT_ID]],
        "filter": f'lt(start_time, "{pull.spans_until().isoformat()}")',
        **({"start_time": since.isoformat()} if since else {}),
        "select": _SELECTED,
        "limit": pull.size(_MOST_RUNS, _MOST_RUNS),
        **({"cursor": cursor} if cursor else {}),
    }
    found = pull.server.post("/runs/query", body)
    items = objects(pull.server, found, "runs")
    if not all(text(run, "id") for run in items):
        raise PullFailed(f"{pull.server.host} sent a run without an id.")
    cursors = found.get("cursors")
    following = cursors.get("next") if items and isinstance(cursors, dict) else None
    records = (Record(id=run["id"], trace=text(run, "trace_id") or run["id"], body=run) for run in items)
    return Page(records=tuple(records), next=place(pull.server, following))


def _fetch_feedback(pull: Pull) -> None:
    """Fetch the feedback on the runs that have any; the place is the number of runs queried so far, and the offset."""
    if pull.part.is_done(_FEEDBACK):
        return
    runs = {run["id"]: text(run, "trace_id") or run["id"] for run in pull.part.records(_RUNS) if _has_feedback(run)}
    groups = list(batches(list(runs), _IDS_AT_ONCE))

    def fetch(cursor: str | None) -> Page:
        number, offset = json.loads(cursor) if cursor else (0, 0)
        if number >= len(groups):
            return Page(records=(), next=None)
        found = objects(
            pull.server,
            pull.server.get("/feedback", {"run": groups[number], "limit": _MOST_FEEDBACK, "offset": offset}),
        )
        records = (Record(id=record_id(item), trace=runs.get(text(item, "run_id"), ""), body=item) for item in found)
        following = (number, offset + len(found)) if len(found) >= _MOST_FEEDBACK else (number + 1, 0)
        is_last = following[0] >= len(groups)
        return Page(records=tuple(records), next=None if is_last else json.dumps(following), question=number)

    pull.part.walk(_FEEDBACK, fetch, pull.on_page)


def _has_feedback(run: Json) -> bool:
    # Without the summary it is unknown whether there is feedback.
    return "feedback_stats" not in run or bool(run["feedback_stats"])


def _lines(part: PartFile) -> Iterator[Json]:
    for trace in list(part.traces(_RUNS)):
        runs = {run["id"]: run for run in part.records(_RUNS, trace=trace)}
        feedback = list(part.records(_FEEDBACK, trace=trace))
        roots = [run for run in runs.values() if not run.get("parent_run_id")]
        # A missing root began before the pull's window.
        for root in roots:
            if began_within(part, [text(root, "start_time")]):
                yield _with_children(root, runs, feedback)


def _with_children(root: Json, runs: dict[str, Json], feedback: list[Json]) -> Json:
    """Return a run with its feedback and child runs; very deep ones are moved to the root and name their parent."""
    whole = {run_id: dict(item) for run_id, item in runs.items()}
    for item in feedback:
        if (about := whole.get(text(item, "run_id"))) is not None:
            about.setdefault("feedback", []).append(item)
    depths = {root["id"]: 0}
    for item in sorted(whole.values(), key=lambda item: text(item, "dotted_order") or text(item, "start_time")):
        if item["id"] == root["id"]:
            continue
        above = text(item, "parent_run_id")
        # A run whose parent comes later or never is placed below the root, so a cycle is harmless.
        depth = depths.get(above, _MOST_LEVELS)
        depths[item["id"]] = depth + 1
        parent = whole[above] if depth < _MOST_LEVELS else whole[root["id"]]
        parent.setdefault("child_runs", []).append(item)
    return whole[root["id"]]


LANGSMITH = Tool(
    name="langsmith",
    title="LangSmith",
    reader="langsmith",
    noun="run",
    streams=(_RUNS,),
    address=_address,
    project=lambda environment: _sdk_variable(environment, "PROJECT"),
    fetch=_fetch,
    lines=_lines,
)
