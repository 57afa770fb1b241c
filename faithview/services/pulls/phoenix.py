"""Phoenix: the spans of a project, each with its annotations; those of a whole trace are on its first span."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.services.pulls.part_file import Page, PartFile, Record
from faithview.services.pulls.tool import (
    Address,
    Environment,
    Json,
    Params,
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

_SPANS, _NOTES, _TRACE_NOTES = "spans", "annotations", "trace annotations"
_KEYS = ("PHOENIX_API_KEY",)
_LOCAL = "http://localhost:6006"
_USUAL_SPANS, _MOST_SPANS = 500, 1000
_IDS_AT_ONCE, _NOTES_AT_ONCE = 100, 1000
_SHOWN_PROJECTS = 5


def _address(environment: Environment, url: str | None) -> Address:
    key = variable(environment, *_KEYS)
    headers = dict(_headers(variable(environment, "PHOENIX_CLIENT_HEADERS")))
    if key and not any(name.lower() == "authorization" for name in headers):
        headers["Authorization"] = f"Bearer {key}"
    return Address(url=url or _url(environment), headers=headers, key_variables=_KEYS)


def _url(environment: Environment) -> str:
    if named := variable(environment, "PHOENIX_ENDPOINT"):
        return named
    if collector := variable(environment, "PHOENIX_COLLECTOR_ENDPOINT"):
        return collector.rstrip("/").removesuffix("/v1/traces")
    if named := variable(environment, "PHOENIX_BASE_URL"):
        return named
    host = variable(environment, "PHOENIX_HOST")
    if not host:
        port = variable(environment, "PHOENIX_PORT")
        return f"http://localhost:{port}" if port else _LOCAL
    if "://" in host:
        return host
    host = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - where a server listens, which is no place to call
    return f"http://{host}" if ":" in host else f"http://{host}:{variable(environment, 'PHOENIX_PORT') or '6006'}"


def _headers(listed: str) -> Iterator[tuple[str, str]]:
    """Yield the headers of "name=value,name=value", with both sides URL-encoded."""
    for item in filter(None, (part.strip() for part in listed.split(","))):
        name, found, value = item.partition("=")
        if not found:
            raise InvalidInput("PHOENIX_CLIENT_HEADERS cannot be read; write name=value, with commas between headers.")
        yield unquote(name).strip(), unquote(value).strip()


def _project(environment: Environment) -> str:
    return variable(environment, "PHOENIX_PROJECT", "PHOENIX_PROJECT_NAME")


def _fetch(pull: Pull) -> None:
    path = f"/v1/projects/{quote(pull.project, safe='')}"
    if not pull.part.is_done(_SPANS):
        _check_project(pull, path)
    pull.part.walk(_SPANS, lambda cursor: _spans(pull, path, cursor), pull.on_page)
    spans = [(text(span["context"], "span_id"), text(span["context"], "trace_id")) for span in _every_span(pull.part)]
    _annotate(pull, path, _NOTES, "span", dict(spans))
    _annotate(pull, path, _TRACE_NOTES, "trace", {trace: trace for _, trace in spans})


def _every_span(part: PartFile) -> Iterator[Json]:
    return (span for span in part.records(_SPANS))


def _check_project(pull: Pull, path: str) -> None:
    try:
        found = pull.server.get(path)
    except PullFailed as error:
        if error.status != 404:
            raise
        names = [text(item, "name") for item in objects(pull.server, pull.server.get("/v1/projects"), "data")]
        listed = ", ".join(map(repr, names[:_SHOWN_PROJECTS])) + (", …" if len(names) > _SHOWN_PROJECTS else "")
        raise PullFailed(
            f"{pull.server.host} has no project {pull.project!r} (status 404); it has {listed or 'none'}.", status=404
        ) from None
    if not isinstance(found, dict) or not isinstance(found.get("data"), dict):
        raise PullFailed(f"{pull.server.host} answered with JSON that has no project; check --url.")


def _spans(pull: Pull, path: str, cursor: str | None) -> Page:
    params: dict[str, str | int | list[str]] = {"limit": pull.size(_USUAL_SPANS, _MOST_SPANS)}
    params["end_time"] = pull.spans_until().isoformat()
    if (since := pull.spans_since()) is not None:
        params["start_time"] = since.isoformat()
    if cursor is not None:
        params["cursor"] = cursor
    found = pull.server.get(f"{path}/spans", params)
    records = []
    for span in objects(pull.server, found, "data"):
        context = span.get("context")
        if not isinstance(context, dict) or not text(context, "span_id"):
            raise PullFailed(f"{pull.server.host} sent a span without an id.")
        trace = text(context, "trace_id")
        records.append(Record(id=f"{trace}:{context['span_id']}", trace=trace, body=span))
    return Page(records=tuple(records), next=place(pull.server, found.get("next_cursor")))


def _annotate(pull: Pull, path: str, stream: str, kind: str, traces: dict[str, str]) -> None:
    """Fetch the annotations of these spans or traces; the place is the number of id groups done, and the cursor."""
    if pull.part.is_done(stream):
        return
    groups = list(batches(list(traces), _IDS_AT_ONCE))

    def fetch(cursor: str | None) -> Page:
        number, inner = _split_cursor(cursor)
        if number >= len(groups):
            return Page(records=(), next=None)
        params: Params = {
            f"{kind}_ids": groups[number],
            "limit": _NOTES_AT_ONCE,
            **({"cursor": inner} if inner else {}),
        }
        answer: Any = pull.server.get(f"{path}/{kind}_annotations", params)
        found = objects(pull.server, answer, "data")
        records = tuple(
            Record(id=record_id(item), trace=traces.get(text(item, f"{kind}_id"), ""), body=item) for item in found
        )
        following = place(pull.server, answer.get("next_cursor"))
        # A cursor that does not move means the end.
        goes_on = following is not None and following != inner
        is_last = not goes_on and number + 1 >= len(groups)
        next_place = (number, following) if goes_on else (number + 1, None)
        return Page(records=records, next=None if is_last else json.dumps(next_place), question=number)

    try:
        pull.part.walk(stream, fetch, pull.on_page)
    except PullFailed as error:
        if error.status not in (404, 405):
            raise
        # Versions of Phoenix differ in their endpoints.
        pull.say(f"{pull.server.host} does not serve {stream} (status {error.status}); only the spans are fetched.")
        pull.part.add(stream, Page(records=(), next=None))


def _split_cursor(cursor: str | None) -> tuple[int, str | None]:
    found = json.loads(cursor) if cursor else 0
    # Files of older pulls have only the number.
    return (found, None) if isinstance(found, int) else (int(found[0]), found[1])


def _lines(part: PartFile) -> Iterator[Json]:
    for trace in list(part.traces(_SPANS)):
        notes = list(part.records(_NOTES, trace=trace))
        of_trace = list(part.records(_TRACE_NOTES, trace=trace))
        spans = list(part.records(_SPANS, trace=trace))
        if not began_within(part, (text(span, "start_time") for span in spans)):
            continue
        first = min(spans, key=lambda span: (span.get("parent_id") is not None, text(span, "start_time")))
        for span in spans:
            own = [note for note in notes if note.get("span_id") == span["context"]["span_id"]]
            own += of_trace if span is first else []
            yield {**span, "annotations": own} if own else span


PHOENIX = Tool(
    name="phoenix",
    title="Phoenix",
    reader="phoenix-spans",
    noun="span",
    streams=(_SPANS,),
    address=_address,
    project=_project,
    fetch=_fetch,
    lines=_lines,
)
