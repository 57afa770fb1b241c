"""TruLens: the table of records and feedback, and its SQLite database, of spans (2.x) or of records (1.x).

Each metric is a column, with its calls in the column `METRIC_calls`; those of groundedness list the statements of the
answer with their scores. The retrieved chunks are only in the arguments of the calls, or in the record's own calls.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from faithview.domain.claim import Claim
from faithview.domain.scoring import State
from faithview.formats.files.sqlite import SqliteFile
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import by_columns, pick_score
from faithview.formats.reading.values import (
    all_claims,
    as_list,
    as_metric,
    as_object,
    as_score,
    make_claim,
    share_verdict,
    text_of,
    unquoted,
)
from faithview.formats.rows.cells import BadCell, is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_CALLS = "_calls"
_ERROR = "_error"
_CONTEXTS = "retrieved_contexts"
_JUDGE = "trulens_version"
_SPAN = "ai.observability."
# TruLens' value for a judge's reply without a score.
_UNREADABLE = -1.0
_NOTHING_TO_JUDGE = "no non-trivial statements"
# Tables in CSV have times as Python prints them.
_PRINTED_TIME = re.compile(r"datetime\.datetime\(([\d, ]+)\)")


def recognise(table: Table) -> Match | None:
    """Return a match for TruLens' tables and databases, else None."""
    if table.database is not None:
        kind = _kind_of(table.database)
        if kind is None:
            return None
        why = f"The database has TruLens' table {kind!r}."
        opened = open_rows(table)
    elif "record_id" in table.columns and ("app_id" in table.columns or "app_version" in table.columns):
        if not any(f"{name}{_CALLS}" in table.columns for name in table.columns) and "record_json" not in table.columns:
            return None
        why = "The columns 'record_id' and 'app_id' with the calls of each metric are those of TruLens."
        opened = open_rows(table)
    else:
        return None
    metrics = [name for name in opened.columns if f"{name}{_CALLS}" in opened.columns]
    mapping = ColumnMapping(
        question="input",
        answer="output",
        contexts=(_CONTEXTS,),
        key="record_id",
        timestamp="ts" if "ts" in opened.columns else None,
    )
    mapping, questions = pick_score(metrics, mapping, tool="TruLens")
    return Match(
        score=0.97,
        reasons=(why, "The chunks are in the arguments of the metrics' calls, or in the record's own calls."),
        mapping=mapping,
        questions=questions,
        has_results=bool(metrics),
    )


def open_rows(table: Table) -> Table:
    """Return the records, each with its chunks and the calls of its metrics."""
    database = table.database
    if database is None:
        return table.with_rows(lambda: _with_contexts(table.read()), columns=(*table.columns, _CONTEXTS))
    kind = _kind_of(database)
    read = _events if kind == "trulens_events" else _records
    return table.with_rows(lambda: _numbered(read(database, kind or "")))


def _kind_of(database: SqliteFile) -> str | None:
    """Return the table with the records: that of spans if it has any, because TruLens creates both."""
    if database.has("trulens_events", "record_attributes") and any(
        True for _ in database.rows("SELECT 1 FROM trulens_events LIMIT 1")
    ):
        return "trulens_events"
    return next(
        (name for name in ("trulens_records", "records") if database.has(name, "record_id", "record_json", "output")),
        None,
    )


def _numbered(rows: Iterator[dict[str, object]]) -> RawRows:
    for number, row in enumerate(rows, start=1):
        yield RawRow(number, row)


def _with_contexts(rows: RawRows) -> RawRows:
    for row in rows:
        if not isinstance(row, RawRow):
            yield row
            continue
        values = dict(row.values)
        if is_missing(values.get(_CONTEXTS)):
            values[_CONTEXTS] = _contexts(values)
        yield RawRow(row.line, values)


def _records(database: SqliteFile, table: str) -> Iterator[dict[str, object]]:
    """Yield the records of TruLens 1.x with their feedback."""
    prefix = table.removesuffix("records")
    has_apps = database.has(f"{prefix}apps", "app_id", "app_name", "app_version")
    named = "a.app_name, a.app_version, " if has_apps else ""
    join = f"LEFT JOIN {prefix}apps a ON a.app_id = r.app_id " if has_apps else ""
    sql = (
        f"SELECT r.*, {named}f.name AS f_name, f.result AS f_result, f.calls_json AS f_calls, f.error AS f_error, "  # noqa: S608 - the prefix is one of our two constants
        f"f.cost_json AS f_cost, f.status AS f_status FROM {prefix}records r {join}"
        f"LEFT JOIN {prefix}feedbacks f ON f.record_id = r.record_id ORDER BY r.ts, r.record_id, f.last_ts"
    )
    for _, group in groupby(database.rows(sql), key=itemgetter("record_id")):
        lines = list(group)
        row = {name: value for name, value in lines[0].items() if not name.startswith("f_")}
        row["input"], row["output"] = unquoted(row.get("input")), unquoted(row.get("output"))
        for line in lines:
            name = line["f_name"]
            if isinstance(name, str):
                row[name] = line["f_result"]
                row[f"{name}{_CALLS}"] = as_object(line["f_calls"]).get("calls", [])
                row[f"{name}{_ERROR}"] = line["f_error"]
                row[f"{name}_status"] = line["f_status"]
                row[f"{name} feedback cost"] = as_object(line["f_cost"]).get("cost")
        row[_CONTEXTS] = _contexts(row)
        yield row


def _events(database: SqliteFile, _table: str) -> Iterator[dict[str, object]]:
    """Yield the records of TruLens 2.x, built from their spans."""
    record_id = f"json_extract(record_attributes, '$.\"{_SPAN}record_id\"')"
    sql = (
        f"SELECT {record_id} AS record_id, record_attributes, resource_attributes, start_timestamp "  # noqa: S608 - no foreign text
        f"FROM trulens_events WHERE {record_id} IS NOT NULL ORDER BY record_id, start_timestamp"
    )
    for key, group in groupby(database.rows(sql), key=itemgetter("record_id")):
        row = _record_of_spans(str(key), list(group))
        if row is not None:
            yield row


def _record_of_spans(key: str, spans: Sequence[Mapping[str, object]]) -> dict[str, object] | None:
    row: dict[str, object] = {}
    contexts: list[object] = []
    for span in spans:
        attributes = {name.removeprefix(_SPAN): value for name, value in as_object(span["record_attributes"]).items()}
        kind = attributes.get("span_type")
        if kind == "record_root":
            row = {
                "record_id": key,
                "app_id": attributes.get("app_id"),
                "app_name": attributes.get("app_name"),
                "app_version": attributes.get("app_version"),
                "input": attributes.get("record_root.input"),
                "output": attributes.get("record_root.output"),
                "ts": span["start_timestamp"],
                _JUDGE: as_object(span["resource_attributes"]).get("service.version"),
                **row,
                "record_attributes": attributes,
            }
        contexts += as_list(attributes.get("retrieval.retrieved_contexts"))
        name = attributes.get("eval_root.metric_name" if kind == "eval_root" else "eval.metric_name")
        if isinstance(name, str) and kind == "eval":
            call = {
                "args": {
                    n.removeprefix("call.kwargs."): v for n, v in attributes.items() if n.startswith("call.kwargs.")
                },
                "ret": attributes.get("eval.score"),
                "meta": {n.removeprefix("eval."): v for n, v in attributes.items() if n.startswith("eval.")},
            }
            calls = row.setdefault(f"{name}{_CALLS}", [])
            if isinstance(calls, list):
                calls.append(call)
            row.setdefault(name, None)
        if isinstance(name, str) and kind == "eval_root":
            row[name] = attributes.get("eval_root.score")
            row[f"{name}{_ERROR}"] = attributes.get("eval_root.error")
            row[f"{name} direction"] = attributes.get("eval_root.higher_is_better")
            row.setdefault(f"{name}{_CALLS}", [])
    if "output" not in row:
        return None
    row[_CONTEXTS] = contexts or _contexts(row)
    return row


def _calls(cell: object) -> list[Mapping[str, object]]:
    if isinstance(cell, str):
        cell = _PRINTED_TIME.sub(r"'\1'", cell)
    return [call for call in as_list(cell) if isinstance(call, Mapping)]


def _contexts(row: Mapping[str, object]) -> list[object]:
    """Return the chunks in a metric's calls: a whole list of them, or one in each call."""
    single: dict[str, None] = {}
    for name, cell in row.items():
        for call in _calls(cell) if name.endswith(_CALLS) else ():
            arguments = as_object(call.get("args"))
            if not is_missing(source := arguments.get("source")):
                return _flat(source)
            single.update((text, None) for text in _flat(arguments.get("context")) if isinstance(text, str))
    if single:
        return list(single)
    for step in reversed(as_list(as_object(row.get("record_json")).get("calls"))):
        returned = as_object(step).get("rets")
        if isinstance(returned, list) and returned and all(isinstance(item, str | Mapping) for item in returned):
            return returned
    return []


def _flat(value: object) -> list[object]:
    items = as_list(value)
    return [part for item in items for part in _flat(item)] if any(isinstance(i, list) for i in items) else items


def judged(row: Row) -> Judged:
    """Return the metric's score with the statements it is based on, and the other metrics."""
    metric = row.mapping.score or row.mapping.hallucination
    version = text_of(row.at(_JUDGE))
    judge = f"TruLens {version}" if version else ""
    metrics = _metrics(row, metric)
    if metric is None:
        return Judged(judge=judge, metrics=metrics)
    calls = [call for call in _calls(row.at(f"{metric}{_CALLS}")) if "args" in call or "meta" in call]
    last = calls[-1] if calls else {}
    value = row.at(metric)
    if value == _UNREADABLE:
        return Judged(error="TruLens could not read a score in its judge's reply.", judge=judge, metrics=metrics)
    meta = as_object(last.get("meta"))
    error = text_of(row.at(f"{metric}{_ERROR}")) or text_of(meta.get("error"))
    found = by_columns(replace(row, mapping=replace(row.mapping, claims=None)))
    score = found.score
    is_worse = row.mapping.score is None or row.at(f"{metric} direction") in (False, 0, "False")
    if score is not None and is_worse and row.mapping.score:
        score = 1 - score  # otherwise the user has said that more is worse, and `by_columns` has reversed it
    reasons = _reasons(meta)
    if isinstance(reasons, str) and _NOTHING_TO_JUDGE in reasons.lower():
        note = f"TruLens wrote {value} and says: {reasons.strip()}. So the answer counts as having no claims."
        return Judged(state=State.NO_CLAIMS, judge=judge, metrics=metrics, notes=(note,))
    # The statements of a metric in which more is worse are not claims with verdicts.
    statements = [] if is_worse or isinstance(reasons, str) else as_list(reasons)
    claims, notes = all_claims(map(as_object, statements), lambda statement: _claim(statement, row.sample.answer))
    return Judged(
        score=score,
        claims=claims,
        error=error or None,
        judge=judge or found.judge,
        reason="" if claims or not isinstance(reasons, str) else reasons,
        metrics=metrics,
        notes=notes,
        cost_usd=_cost(row, metric),
    )


def _reasons(meta: Mapping[str, object]) -> object:
    """Return the reasons, which are in `meta` (1.x), in its `metadata`, or in a span's attributes (2.x)."""
    inner = as_object(meta.get("metadata"))
    named = (meta.get("reasons"), inner.get("reasons"), meta.get("metadata.reasons"), meta.get("explanation"))
    further = (meta.get("reason"), inner.get("reason"), meta.get("metadata.reason"))
    return next((parsed(value) for value in (*named, *further) if not is_missing(value)), None)


def _claim(statement: Mapping[str, object], answer: str) -> Claim:
    text = text_of(statement.get("criteria"))
    share = None if statement.get("score") == _UNREADABLE else as_score(statement.get("score"))
    if share is None or not text.strip():
        raise BadCell(f"it has no {'text' if share is not None else 'score'}")
    why = text_of(statement.get("supporting_evidence"))
    return make_claim(text, share_verdict(share), answer=answer, reason=why)


def _metrics(row: Row, chosen: str | None) -> dict[str, float]:
    metrics: dict[str, float] = {}
    for name in row.cells:
        if name == chosen or f"{name}{_CALLS}" not in row.cells:
            continue
        if (share := as_metric(row.at(name))) is not None:
            metrics[name] = share
    return metrics


def _cost(row: Row, metric: str) -> float | None:
    cost = row.at(f"{metric} feedback cost in USD")
    return cost if isinstance(cost, float) and cost > 0 else None


READER = Reader(name="trulens", title="TruLens", recognise=recognise, open=open_rows, judged=judged)
