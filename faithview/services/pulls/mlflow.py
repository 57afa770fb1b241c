"""MLflow 3: the traces of an experiment with their assessments, each with its spans."""

from collections.abc import Iterator

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.services.pulls.part_file import Page, PartFile, Record
from faithview.services.pulls.tool import Address, Environment, Json, Pull, Tool, basic, objects, place, text, variable

_KEYS = ("MLFLOW_TRACKING_TOKEN", "MLFLOW_TRACKING_USERNAME", "MLFLOW_TRACKING_PASSWORD")
_URI = "MLFLOW_TRACKING_URI"
_INFOS, _SPANS = "traces", "spans of traces"
_USUAL, _MOST = 100, 500
_EXPERIMENT = "mlflow_experiment_id"


def _address(environment: Environment, url: str | None) -> Address:
    base = url or variable(environment, _URI)
    if not base.lower().startswith(("http://", "https://")):
        # Not shown: a URI may hold a password.
        what = "is not the address of a server" if base else "is not set"
        raise InvalidInput(
            f"{_URI} {what}; name the server with --url. `mlflow server` starts one over a folder or a database."
        )
    token, name, password = (variable(environment, key) for key in _KEYS)
    if name and password:
        return Address(url=base, headers={"Authorization": basic(name, password)}, key_variables=_KEYS[1:])
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Address(url=base, headers=headers, key_variables=_KEYS[:1])


def _project(environment: Environment) -> str:
    return variable(environment, "MLFLOW_EXPERIMENT_NAME", "MLFLOW_EXPERIMENT_ID")


def _fetch(pull: Pull) -> None:
    if _EXPERIMENT not in pull.part.request:
        pull.part.note(_EXPERIMENT, _experiment_id(pull))
    pull.part.walk(_INFOS, lambda cursor: _traces(pull, cursor), pull.on_page)
    for trace_id in pull.part.missing(_SPANS, _INFOS):
        _fetch_spans(pull, trace_id)


def _experiment_id(pull: Pull) -> str:
    asked = [("get-by-name", "experiment_name"), *([("get", "experiment_id")] if pull.project.isdigit() else [])]
    for path, name in asked:
        try:
            found = pull.server.get(f"/api/2.0/mlflow/experiments/{path}", {name: pull.project})
        except PullFailed as error:
            # A 404 without MLflow's message comes from another server, so it gets its own message.
            if error.status != 404 or "experiment" not in str(error).lower().partition("it says:")[2]:
                raise
            continue
        experiment = found.get("experiment") if isinstance(found, dict) else None
        if isinstance(experiment, dict) and (experiment_id := text(experiment, "experiment_id")):
            return experiment_id
        raise PullFailed(f"{pull.server.host} did not answer with an experiment; check --url.")
    raise PullFailed(
        f"{pull.server.host} has no experiment {pull.project!r} (status 404); check --source-project.", status=404
    )


def _traces(pull: Pull, cursor: str | None) -> Page:
    since = f"timestamp_ms >= {_milliseconds(pull.since.timestamp())} AND " if pull.since else ""
    experiment = {"experiment_id": pull.part.request[_EXPERIMENT]}
    found = pull.server.post(
        "/api/3.0/mlflow/traces/search",
        {
            "locations": [{"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": experiment}],
            "filter": f"{since}timestamp_ms < {_milliseconds(pull.until.timestamp())}",
            "max_results": pull.size(_USUAL, _MOST),
            # Oldest first, so new traces do not move others to another page.
            "order_by": ["timestamp_ms ASC"],
            **({"page_token": cursor} if cursor else {}),
        },
    )
    # MLflow leaves an empty list out.
    infos = objects(pull.server, found, "traces") if found != {} else []
    if not all(text(info, "trace_id") for info in infos):
        raise PullFailed(f"{pull.server.host} sent a trace without an id; FaithView reads MLflow 3 and newer.")
    records = (Record(id=info["trace_id"], trace=info["trace_id"], body=info) for info in infos)
    following = found.get("next_page_token") if infos else None
    return Page(records=tuple(records), next=place(pull.server, following))


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _fetch_spans(pull: Pull, trace_id: str) -> None:
    """Fetch the spans of a trace from where MLflow keeps them; a trace without spans is kept with its other fields."""
    try:
        found = pull.server.get("/ajax-api/2.0/mlflow/get-trace-artifact", {"request_id": trace_id})
        spans = objects(pull.server, found, "spans")
    except PullFailed as error:
        if error.status != 404:
            raise
        pull.say(f"The trace {trace_id} has no spans and therefore no chunks.")
        spans = []
    pull.part.add(_SPANS, Page(records=(Record(id=trace_id, trace=trace_id, body={"spans": spans}),), next=None))
    pull.on_page()


def _lines(part: PartFile) -> Iterator[Json]:
    for trace_id in list(part.traces(_INFOS)):
        for info in part.records(_INFOS, trace=trace_id):
            data: Json = next((spans for spans in part.records(_SPANS, trace=trace_id)), {"spans": []})
            yield {"info": info, "data": data}


MLFLOW = Tool(
    name="mlflow",
    title="MLflow",
    reader="mlflow",
    noun="trace",
    streams=(_INFOS,),
    address=_address,
    project=_project,
    fetch=_fetch,
    lines=_lines,
)
