"""Langfuse: the traces of a project, each with its observations and scores.

Servers up to version 3 send their traces, one at a time with all details. Version 4 has observations instead of traces,
each with the fields of its trace; these are converted to lines in the form of version 3.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import quote

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.formats.limits import load_json
from faithview.services.pulls.part_file import Page, PartFile, Record
from faithview.services.pulls.tool import (
    Address,
    Environment,
    Json,
    Pull,
    Tool,
    basic,
    began_within,
    objects,
    place,
    text,
    variable,
)

_KEYS = ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")
_CLOUD = "https://cloud.langfuse.com"
_LISTED, _TRACES, _OBSERVATIONS, _SCORES = "listed traces", "traces", "observations", "scores"
_API = "/api/public"
_MOST_ON_A_PAGE = 100
_USUAL_OBSERVATIONS, _MOST_OBSERVATIONS = 200, 1000
# Paths that version 3 had and version 4 does not have.
_IS_GONE = frozenset({404, 405, 410})
_FIELDS = "core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context"
_SCORE_FIELDS = "details,subject,annotation"
# Longer values in metadata are truncated unless their key is asked for.
_TRUNCATED_TO = 200
# How often a page is requested again because its metadata are truncated; twice is usual.
_MOST_TIMES_LONGER = 10
_VERSION, _IS_VERSION_4 = "langfuse_version", "4"


def _address(environment: Environment, url: str | None) -> Address:
    public, secret = (variable(environment, name) for name in _KEYS)
    if not public or not secret:
        raise InvalidInput(f"Langfuse needs two keys: set {' and '.join(_KEYS)} in the environment.")
    base = url or variable(environment, "LANGFUSE_BASE_URL", "LANGFUSE_HOST") or _CLOUD
    return Address(url=base, headers={"Authorization": basic(public, secret)}, key_variables=_KEYS)


def _fetch(pull: Pull) -> None:
    if _VERSION not in pull.part.request:
        _check_project(pull)
        pull.part.note(_VERSION, _version(pull))
    if pull.part.request[_VERSION] == _IS_VERSION_4:
        truncated: set[str] = set()
        pull.part.walk(_OBSERVATIONS, lambda cursor: _observations(pull, cursor, truncated), pull.on_page)
        pull.part.walk(_SCORES, lambda cursor: _fetch_scores_page(pull, cursor), pull.on_page)
        return
    pull.part.walk(_LISTED, lambda cursor: _list_trace_ids(pull, cursor), pull.on_page)
    _list_again_if_fewer(pull)
    for trace_id in pull.part.missing(_TRACES, _LISTED):
        _fetch_trace(pull, trace_id)


def _check_project(pull: Pull) -> None:
    """Reject a project that the key does not belong to: a Langfuse key reads one project."""
    found = objects(pull.server, pull.server.get(f"{_API}/projects"), "data")
    if pull.project and not any(pull.project in (text(item, "id"), text(item, "name")) for item in found):
        names = ", ".join(repr(text(item, "name")) for item in found)
        raise InvalidInput(
            f"The key in {_KEYS[1]} belongs to the project {names}, not {pull.project!r}; set the keys of "
            f"{pull.project!r}."
        )


def _version(pull: Pull) -> str:
    try:
        pull.server.get(f"{_API}/traces", {**_traces_window(pull), "limit": 1, "page": 1})
    except PullFailed as error:
        if error.status not in _IS_GONE:
            raise
        return _IS_VERSION_4
    return "3"


def _traces_window(pull: Pull) -> dict[str, str | int]:
    return _window("fromTimestamp", pull.since, "toTimestamp", pull.until)


def _window(since_name: str, since: datetime | None, until_name: str, until: datetime) -> dict[str, str | int]:
    return {until_name: _time(until), **({since_name: _time(since)} if since else {})}


def _time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _list_trace_ids(pull: Pull, cursor: str | None) -> Page:
    number = int(cursor or 1)
    # Oldest first, so new traces do not move others to another page.
    params = {
        **_traces_window(pull),
        "page": number,
        "limit": pull.size(_MOST_ON_A_PAGE, _MOST_ON_A_PAGE),
        "orderBy": "timestamp.asc",
        "fields": "core",
    }
    found = pull.server.get(f"{_API}/traces", params)
    items = objects(pull.server, found, "data")
    meta = found.get("meta") if isinstance(found.get("meta"), dict) else {}
    if isinstance(meta.get("totalItems"), int):
        pull.part.note("listed_in_all", str(meta["totalItems"]))
    pages = meta.get("totalPages")
    is_last = not items or number >= (pages if isinstance(pages, int) else number)
    records = (Record(id=_require_id(pull, item), trace=_require_id(pull, item), body={}) for item in items)
    return Page(records=tuple(records), next=None if is_last else str(number + 1))


def _list_again_if_fewer(pull: Pull) -> None:
    """List again if fewer traces came than the server counts: a deleted trace moves others back a page."""
    expected = int(pull.part.request.get("listed_in_all", "0"))
    if pull.part.count(_LISTED) >= expected or pull.part.request.get("listed_twice"):
        return
    pull.part.note("listed_twice", "yes")
    pull.part.reopen(_LISTED)
    pull.part.walk(_LISTED, lambda cursor: _list_trace_ids(pull, cursor), pull.on_page)
    if (found := pull.part.count(_LISTED)) < (expected := int(pull.part.request["listed_in_all"])):
        pull.say(
            f"{pull.server.host} counts {expected} traces but lists only {found} of them; the others are left out."
        )


def _fetch_trace(pull: Pull, trace_id: str) -> None:
    try:
        found = pull.server.get(f"{_API}/traces/{quote(trace_id, safe='')}")
    except PullFailed as error:
        if error.status != 404:
            raise
        pull.say(f"The trace {trace_id} was deleted during the pull and is left out.")
        return
    if not isinstance(found, dict):
        raise PullFailed(f"{pull.server.host} did not answer with a trace; check --url.")
    pull.part.add(_TRACES, Page(records=(Record(id=trace_id, trace=trace_id, body=found),), next=None))
    pull.on_page()


def _observations(pull: Pull, cursor: str | None, truncated: set[str]) -> Page:
    params: dict[str, str | int] = {
        **_window("fromStartTime", pull.spans_since(), "toStartTime", pull.spans_until()),
        "fields": _FIELDS,
        "limit": pull.size(_USUAL_OBSERVATIONS, _MOST_OBSERVATIONS),
        **({"cursor": cursor} if cursor else {}),
    }
    for _ in range(_MOST_TIMES_LONGER):
        asked = {"expandMetadata": ",".join(sorted(truncated))} if truncated else {}
        found = pull.server.get(f"{_API}/v2/observations", {**params, **asked})
        items = objects(pull.server, found, "data")
        longer = {name for item in items for name in _long_metadata(item)} - truncated
        if not longer:
            break
        truncated |= longer
    else:
        raise PullFailed(f"{pull.server.host} sends different truncated metadata each time it is asked for the rest.")
    records = (
        Record(id=_require_id(pull, item), trace=text(item, "traceId") or _require_id(pull, item), body=item)
        for item in items
    )
    return Page(records=tuple(records), next=_cursor(pull, found))


def _long_metadata(item: Json) -> Iterator[str]:
    metadata = item.get("metadata")
    for name, value in metadata.items() if isinstance(metadata, dict) else ():
        # A comma would split the key in the list of keys.
        if isinstance(value, str) and len(value) >= _TRUNCATED_TO and "," not in name:
            yield name


def _fetch_scores_page(pull: Pull, cursor: str | None) -> Page:
    # A trace may be scored long after it began, so there is no upper limit.
    params: dict[str, str | int] = {"limit": pull.size(_MOST_ON_A_PAGE, _MOST_ON_A_PAGE), "fields": _SCORE_FIELDS}
    if pull.since is not None:
        params["fromTimestamp"] = _time(pull.since)
    if cursor:
        params["cursor"] = cursor
    found = pull.server.get(f"{_API}/v3/scores", params)
    records = []
    for item in objects(pull.server, found, "data"):
        subject = item.get("subject")
        if not isinstance(subject, dict) or subject.get("kind") not in ("trace", "observation"):
            # A score of a session or an experiment does not belong to an answer; only its id is kept.
            records.append(Record(id=_require_id(pull, item), trace="", body={}))
            continue
        is_trace = subject["kind"] == "trace"
        trace = text(subject, "id" if is_trace else "traceId")
        named = {"traceId": trace, "observationId": None if is_trace else text(subject, "id")}
        records.append(Record(id=_require_id(pull, item), trace=trace, body={**item, **named}))
    return Page(records=tuple(records), next=_cursor(pull, found))


def _cursor(pull: Pull, found: Json) -> str | None:
    meta = found.get("meta")
    return place(pull.server, meta.get("cursor")) if isinstance(meta, dict) else None


def _require_id(pull: Pull, item: Json) -> str:
    if found := text(item, "id"):
        return found
    raise PullFailed(f"{pull.server.host} sent a record without an id.")


def _lines(part: PartFile) -> Iterator[Json]:
    if part.request.get(_VERSION) != _IS_VERSION_4:
        yield from (trace for trace in part.records(_TRACES))
        return
    for trace_id in list(part.traces(_OBSERVATIONS)):
        found = [_with_json(item) for item in part.records(_OBSERVATIONS, trace=trace_id)]
        if not began_within(part, (text(item, "startTime") for item in found)):
            continue
        yield _as_version_3_trace(trace_id, found, list(part.records(_SCORES, trace=trace_id)))


def _as_version_3_trace(trace_id: str, observations: list[Json], scores: list[Json]) -> Json:
    """Return observations as version 3 sends their trace: its own fields are on its root."""
    observations = sorted(observations, key=lambda item: text(item, "startTime"))
    roots = [item for item in observations if item.get("isRootObservation") or not item.get("parentObservationId")]
    root = (roots or observations)[0]
    named = ("input", "output", "metadata", "sessionId", "userId", "release", "version", "tags", "environment")
    return {
        "id": trace_id,
        "timestamp": root.get("startTime"),
        "name": root.get("traceName") or root.get("name"),
        **{name: root.get(name) for name in named},
        "observations": observations,
        "scores": scores,
    }


def _with_json(item: Json) -> Json:
    """Return the observation with input and output as objects: version 4 sends them as JSON strings."""
    return {**item, **{name: _parsed(item[name]) for name in ("input", "output") if name in item}}


def _parsed(value: Any) -> Any:
    if isinstance(value, str) and value[:1] in ("{", "[", '"'):
        try:
            return load_json(value)
        except ValueError:  # not JSON, or nested too deeply
            return value
    return value


LANGFUSE = Tool(
    name="langfuse",
    title="Langfuse",
    reader="langfuse",
    noun="record",
    streams=(_TRACES, _OBSERVATIONS),
    address=_address,
    project=lambda _: "",
    fetch=_fetch,
    lines=_lines,
    needs_project=False,
)
