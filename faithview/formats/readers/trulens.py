"""TruLens: the table of records and feedback, and its SQLite database, of spans (2.x) or of records (1.x).

Each metric is a column, with its calls in the column `METRIC_calls`; those of groundedness list the statements of the
answer with their scores. The retrieved chunks are only in the arguments of the calls, or in the record's own calls.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from faithview.domain.claim import Claim
from faithview.domain.result import Usage
from faithview.domain.scoring import State
from faithview.formats.files.sqlite import SqliteFile
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row, map_rows
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
from faithview.formats.rows.cells import BadCell, is_missing, parsed, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_CALLS, _ERROR, _DIRECTION, _COST = "_calls", "_error", " direction", " feedback cost in USD"
_CONTEXTS = "retrieved_contexts"
_VERSION = "trulens_version"
_SPAN = "ai.observability."
# Where the reasons of a call are: in version 1.x, in 2.x, and in the attributes of a span.
_REASONS = ("reasons", "metadata.reasons", "explanation", "reason", "metadata.reason")
# TruLens' value for a judge's reply without a score.
_UNREADABLE = -1.0
_NOTHING_TO_JUDGE = "no non-trivial statements"
# Tables in CSV have times as Python prints them.
_PRINTED_TIME = re.compile(r"datetime\.datetime\(([\d, ]+)\)")


def recognise(table: Table) -> Match | None:
    """Return a match for TruLens' tables and databases, else None."""
    columns = table.columns
    if table.database is not None:
        is_known = _has_spans(table.database) or table.database.has("trulens_records", "record_id", "record_json")
    else:
        has_metric = any(f"{name}{_CALLS}" in columns for name in columns) or "record_json" in columns
        is_known = "record_id" in columns and ("app_id" in columns or "app_version" in columns) and has_metric
    if not is_known:
        return None
    opened = open_rows(table)
    metrics = [name for name in opened.columns if f"{name}{_CALLS}" in opened.columns]
    mapping = ColumnMapping(
        question="input",
        answer="output",
        contexts=(_CONTEXTS,),
        key="record_id",
        timestamp="ts" if "ts" in opened.columns else None,
    )
    mapping, questions = pick_score(metrics, mapping, tool="TruLens")
    return Match(mapping=mapping, questions=questions, has_results=bool(metrics))


def _has_spans(database: SqliteFile) -> bool:
    """Return whether the records are spans; TruLens creates both kinds of tables."""
    return database.has("trulens_events", "record_attributes") and any(
        True for _ in database.rows("SELECT 1 FROM trulens_events LIMIT 1")
    )


def open_rows(table: Table) -> Table:
    """Return the records, each with its chunks and the calls of its metrics."""
    database = table.database
    if database is None:
        return map_rows(table, lambda row: RawRow(row.line, _with_contexts(row.values)))
    read = _span_records if _has_spans(database) else _records
    return table.with_rows(
        lambda: (RawRow(number, _with_contexts(record)) for number, record in enumerate(read(database), start=1))
    )


def _records(database: SqliteFile) -> Iterator[dict[str, object]]:
    """Yield the records of TruLens 1.x with their feedback."""
    lines = database.rows(
        "SELECT r.*, a.app_name, a.app_version, f.name AS f_name, f.result AS f_result, f.calls_json AS f_calls, "
        "f.error AS f_error, f.cost_json AS f_cost FROM trulens_records r "
        "LEFT JOIN trulens_apps a ON a.app_id = r.app_id LEFT JOIN trulens_feedbacks f ON f.record_id = r.record_id "
        "ORDER BY r.ts, r.record_id, f.last_ts"
    )
    for _, group in groupby(lines, key=itemgetter("record_id")):
        record: dict[str, object] = {}
        for line in group:
            record |= {name: unquoted(value) for name, value in line.items() if not name.startswith("f_")}
            if isinstance(name := line["f_name"], str):
                calls, cost = as_object(line["f_calls"]).get("calls", []), as_object(line["f_cost"]).get("cost")
                record |= {name: line["f_result"], f"{name}{_CALLS}": calls}
                record |= {f"{name}{_ERROR}": line["f_error"], f"{name}{_COST}": cost}
        yield record


def _span_records(database: SqliteFile) -> Iterator[dict[str, object]]:
    """Yield the records of TruLens 2.x, built from their spans."""
    record_id = f"json_extract(record_attributes, '$.\"{_SPAN}record_id\"')"
    spans = database.rows(
        f"SELECT {record_id} AS record_id, record_attributes, resource_attributes, start_timestamp AS ts "  # noqa: S608 - no foreign text
        f"FROM trulens_events WHERE {record_id} IS NOT NULL ORDER BY record_id, start_timestamp"
    )
    for _, group in groupby(spans, key=itemgetter("record_id")):
        record = _record_of_spans(group)
        if "output" in record:
            yield record


def _record_of_spans(spans: Iterable[Mapping[str, object]]) -> dict[str, object]:
    record: dict[str, object] = {}
    contexts: list[object] = []
    for span in spans:
        attributes = _below(_SPAN, as_object(span["record_attributes"]))
        contexts += as_list(attributes.get("retrieval.retrieved_contexts"))
        match attributes:
            case {"span_type": "record_root"}:
                record |= {name: span[name] for name in ("record_id", "ts")}
                record |= {name: attributes.get(name) for name in ("app_id", "app_name", "app_version")}
                record |= {name: attributes.get(f"record_root.{name}") for name in ("input", "output")}
                record[_VERSION] = as_object(span["resource_attributes"]).get("service.version")
                record["record_attributes"] = attributes
            case {"span_type": "eval", "eval.metric_name": str() as name}:
                args, meta = _below("call.kwargs.", attributes), _below("eval.", attributes)
                call = {"args": args, "ret": attributes.get("eval.score"), "meta": meta}
                record[f"{name}{_CALLS}"] = [*as_list(record.get(f"{name}{_CALLS}")), call]
            case {"span_type": "eval_root", "eval_root.metric_name": str() as name}:
                record |= {
                    name: attributes.get("eval_root.score"),
                    f"{name}{_ERROR}": attributes.get("eval_root.error"),
                }
                record[f"{name}{_DIRECTION}"] = attributes.get("eval_root.higher_is_better")
                record.setdefault(f"{name}{_CALLS}", [])
    return {**record, _CONTEXTS: contexts}


def _below(start: str, attributes: Mapping[str, object]) -> dict[str, object]:
    return {name.removeprefix(start): value for name, value in attributes.items() if name.startswith(start)}


def _with_contexts(record: Mapping[str, object]) -> dict[str, object]:
    """Return the record with the chunks in its metrics' calls: a whole list of them, or one in each call."""
    if as_list(record.get(_CONTEXTS)):
        return dict(record)
    listed = [call for name, cell in record.items() if name.endswith(_CALLS) for call in _calls(cell)]
    arguments = [as_object(call.get("args")) for call in listed]
    source = next((args["source"] for args in arguments if not is_missing(args.get("source"))), None)
    single = [text for args in arguments for text in _flat(args.get("context")) if isinstance(text, str)]
    steps = as_list(as_object(record.get("record_json")).get("calls"))
    returned = [rets for step in reversed(steps) if isinstance(rets := as_object(step).get("rets"), list)]
    found = next((rets for rets in returned if rets and all(isinstance(item, str | Mapping) for item in rets)), [])
    return {**record, _CONTEXTS: _flat(source) or list(dict.fromkeys(single)) or found}


def _flat(value: object) -> list[object]:
    return [part for item in as_list(value) for part in (_flat(item) if isinstance(item, list) else [item])]


def _calls(cell: object) -> list[Mapping[str, object]]:
    if isinstance(cell, str):
        cell = _PRINTED_TIME.sub(r"'\1'", cell)
    return [call for call in map(as_object, as_list(cell)) if call.keys() & {"args", "meta"}]


def judged(row: Row) -> Judged:
    """Return the metric's score with the statements it is based on, and the other metrics."""
    metric = row.mapping.score or row.mapping.hallucination
    version = text_of(row.at(_VERSION))
    others = [name for name in row.cells if f"{name}{_CALLS}" in row.cells and name != metric]
    metrics = {name: as_metric(row.at(name)) for name in others}
    found = Judged(judge=f"TruLens {version}" if version else "", metrics=metrics)
    if metric is None:
        return found
    value = row.at(metric)
    if value == _UNREADABLE:
        return replace(found, error="TruLens could not read a score in its judge's reply.")
    calls = _calls(row.at(f"{metric}{_CALLS}"))
    meta = as_object(calls[-1].get("meta")) if calls else {}
    reasons = next((parsed(cell) for path in _REASONS if not is_missing(cell := value_at(meta, path))), None)
    if isinstance(reasons, str) and _NOTHING_TO_JUDGE in reasons.lower():
        note = f"TruLens wrote {value} and says: {reasons.strip()}. So the answer counts as having no claims."
        return replace(found, state=State.NO_CLAIMS, notes=(note,))
    score = by_columns(row).score
    is_worse = row.mapping.score is None
    if row.mapping.score and row.at(f"{metric}{_DIRECTION}") in (False, 0, "False"):
        score, is_worse = None if score is None else 1 - score, True
    # The statements of a metric in which more is worse are not claims with verdicts.
    statements = [] if is_worse or isinstance(reasons, str) else as_list(reasons)
    claims, notes = all_claims(map(as_object, statements), lambda statement: _claim(statement, row.sample.answer))
    cost = row.at(f"{metric}{_COST}")
    return replace(
        found,
        score=score,
        claims=claims,
        error=text_of(row.at(f"{metric}{_ERROR}")) or text_of(meta.get("error")) or None,
        reason=reasons if isinstance(reasons, str) else "",
        notes=notes,
        usage=Usage(cost_usd=cost or None if isinstance(cost, float) else None),
    )


def _claim(statement: Mapping[str, object], answer: str) -> Claim:
    text = text_of(statement.get("criteria"))
    share = None if statement.get("score") == _UNREADABLE else as_score(statement.get("score"))
    if share is None or not text.strip():
        raise BadCell(f"it has no {'text' if share is not None else 'score'}")
    why = text_of(statement.get("supporting_evidence"))
    return make_claim(text, share_verdict(share), answer=answer, reason=why)


READER = Reader(name="trulens", title="TruLens", recognise=recognise, open=open_rows, judged=judged)
