"""MLflow 3: traces, tables of `search_traces` and of evaluation results; and the tables of its older evaluations.

An answer's chunks are the results of the outermost retrievers of its trace, at any depth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, match_by_names, score_cells
from faithview.formats.reading.objects import map_objects
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import by_columns, pick_score
from faithview.formats.reading.values import as_list, as_metric, as_object, as_time, text_of, unquoted
from faithview.formats.rows.cells import is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import map_by_alias

_PREFIX = "assessment."
_CONTEXTS, _REFERENCE, _EXPECTED = "retrieved_contexts", "expected_response", "expected_response"
_VALUE, _RATIONALE, _ERROR = "/value", "/rationale", "/error_message"
_LEGACY, _LEGACY_REASON, _LEGACY_RANGE = "/v1/score", "/v1/justification", "1-5"


def recognise(table: Table) -> Match | None:
    """Return a match for MLflow's traces and tables, else None."""
    columns = set(table.columns)
    legacy = [name for name in table.columns if name.endswith(_LEGACY)]
    if legacy:
        return _match_legacy(table, legacy)
    is_trace = {"info", "data"} <= columns and "trace_id" in as_object(table.first.get("info"))
    is_table = "trace_id" in columns and {"request", "response"} <= columns
    if not is_trace and not (is_table and columns.intersection({"assessments", "spans", "trace_metadata"})):
        return None
    opened = open_rows(table)
    mapping = ColumnMapping(
        key="trace_id",
        contexts=(_CONTEXTS,),
        reference=_REFERENCE if _REFERENCE in opened.columns else None,
        timestamp="request_time" if "request_time" in opened.columns else None,
        ignore=tuple(name for name in ("spans", "trace", "data") if name in opened.columns),
    )
    mapping, _ = map_objects(opened.head, mapping, question=("request",), answer=("response",))
    return match_by_names(
        opened,
        mapping,
        tool="MLflow",
        prefix=_PREFIX,
        score=0.96,
        why="The trace's id with its request, response and assessments are those of MLflow 3.",
        warnings=("The spans themselves are not stored with the answers by default (--map ignore= keeps them).",),
    )


def _match_legacy(table: Table, scores: Sequence[str]) -> Match:
    mapping = replace(map_by_alias(table.columns), score_range=_LEGACY_RANGE)
    mapping, questions = pick_score(scores, mapping, tool="MLflow")
    return Match(
        score=0.97,
        schema="mlflow-2",
        title="MLflow 2 evaluation",
        reasons=(f"Columns ending in {_LEGACY!r} are those of MLflow's metrics by a model, from 1 to 5.",),
        mapping=mapping,
        questions=questions,
        has_results=True,
    )


def open_rows(table: Table) -> Table:
    """Return the traces with their chunks and assessments; the rows of an older table are unchanged."""
    if any(name.endswith(_LEGACY) for name in table.columns):
        return table
    return table.with_rows(lambda: _trace_rows(table.read()), unit=table.unit)


def _trace_rows(rows: RawRows) -> RawRows:
    for row in rows:
        yield row if isinstance(row, RowProblem) else RawRow(row.line, _trace_row(row.values))


def _trace_row(values: Mapping[str, object]) -> dict[str, object]:
    info = as_object(values.get("info"))
    row: dict[str, object] = {**{name: value for name, value in values.items() if name != "info"}, **info}
    trace = as_object(values.get("trace"))
    listed = as_list(as_object(values.get("data") or trace.get("data")).get("spans")) or as_list(values.get("spans"))
    spans = [span for span in map(as_object, listed) if span]
    root = next((_attributes(span) for span in spans if is_missing(_parent(span))), {})
    for name, attribute in (("request", "mlflow.spanInputs"), ("response", "mlflow.spanOutputs")):
        preview = row.get(f"{name}_preview")
        value = row.get(name) if not is_missing(row.get(name)) else root.get(attribute, preview)
        row[name] = unquoted(value)
    row[_CONTEXTS] = list(_contexts(spans))
    found = list(_assessments(values, info, trace))
    expected = [as_object(item.get("expectation")).get("value") for item in found if item.get("expectation")]
    named = {item.get("assessment_name"): as_object(item.get("expectation")).get("value") for item in found}
    if expected and not is_missing(named.get(_EXPECTED)):
        row[_REFERENCE] = named[_EXPECTED]
    return {**row, "assessments": found, **score_cells(_scores(found), prefix=_PREFIX)}


def _attributes(span: Mapping[str, object]) -> Mapping[str, object]:
    """Return the attributes, whose values are JSON texts."""
    return {name: parsed(unquoted(value)) for name, value in as_object(span.get("attributes")).items()}


def _parent(span: Mapping[str, object]) -> object:
    return span.get("parent_span_id", span.get("parent_id"))


def _contexts(spans: Sequence[Mapping[str, object]]) -> Iterator[object]:
    parents = {text_of(span.get("span_id")): text_of(_parent(span)) for span in spans}
    retrievers = {
        text_of(span.get("span_id")): _attributes(span).get("mlflow.spanOutputs")
        for span in spans
        if _attributes(span).get("mlflow.spanType") == "RETRIEVER"
    }
    for span_id, output in retrievers.items():
        above, seen = parents.get(span_id, ""), {span_id}
        while above and above not in retrievers and above not in seen:
            seen.add(above)
            above = parents.get(above, "")
        if above not in retrievers:
            yield from as_list(output)


def _assessments(
    values: Mapping[str, object], info: Mapping[str, object], trace: Mapping[str, object]
) -> Iterator[dict[str, object]]:
    """Yield the assessments of a trace; a table without them has them in its columns."""
    listed = (
        as_list(values.get("assessments"))
        or as_list(info.get("assessments"))
        or as_list(as_object(trace.get("info")).get("assessments"))
    )
    if listed:
        yield from (dict(item) for item in map(as_object, listed) if item)
        return
    for column, value in values.items():
        if column.endswith(_VALUE):
            name = column.removesuffix(_VALUE)
            error = values.get(f"{name}{_ERROR}")
            feedback = {"value": value, **({} if is_missing(error) else {"error": {"error_message": error}})}
            yield {"assessment_name": name, "feedback": feedback, "rationale": values.get(f"{name}{_RATIONALE}")}


def _scores(found: Sequence[Mapping[str, object]]) -> list[NamedScore]:
    return [_score(item) for item in found if "feedback" in item and item.get("valid") is not False]


def _score(item: Mapping[str, object]) -> NamedScore:
    feedback, source = as_object(item.get("feedback")), as_object(item.get("source"))
    kind, name = text_of(source.get("source_type")).upper(), text_of(item.get("assessment_name"))
    is_human = kind == "HUMAN"
    judge = text_of(source.get("source_id"))
    return NamedScore(
        name=name,
        value=feedback.get("value"),
        reason=text_of(item.get("rationale")),
        judge=judge if is_human else f"MLflow ({judge})" if judge and kind == "LLM_JUDGE" else "",
        is_human=is_human,
        at=as_time(item.get("last_update_time") or item.get("create_time")),
        error=text_of(as_object(feedback.get("error")).get("error_message")),
    )


def judged(row: Row) -> Judged:
    """Return the assessment with its rationale and error; human assessments become annotations."""
    column = row.mapping.score or ""
    if column.endswith(_LEGACY):
        return _judged_legacy(row, column)
    return judged_by_names(row, _scores([as_object(item) for item in as_list(row.at("assessments"))]), prefix=_PREFIX)


def _judged_legacy(row: Row, column: str) -> Judged:
    metrics = {}
    for name in row.cells:
        is_other = name.endswith(_LEGACY) and name != column
        if is_other and (share := as_metric(row.at(name), low=1, high=5)) is not None:
            metrics[name.removesuffix(_LEGACY)] = share
    reason = text_of(row.at(f"{column.removesuffix(_LEGACY)}{_LEGACY_REASON}"))
    return replace(by_columns(row), reason=reason, metrics=metrics)


READER = Reader(name="mlflow", title="MLflow", recognise=recognise, open=open_rows, judged=judged)
