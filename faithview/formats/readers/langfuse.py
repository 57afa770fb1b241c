# ruff: noqa: SIM905 - lists of words are read as words
"""Langfuse's traces with observations and scores, its tables of traces, observations or scores, and experiments.

Names are spelled as in the REST interface (`traceId`) or as in exported files (`trace_id`). A trace is one answer;
its chunks are the results of its retrievers, at any depth.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table, rows_or_problem
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, match_by_names, score_cells
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.values import as_list, as_object, as_time, text_of
from faithview.formats.rows.cells import is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.spans.steps import STEPS_LEFT_OUT, Step, answer_cells, map_trace

_PREFIX = "scores."
_OTHER_FILE = "scores.jsonl"
# Far above any score; sums of larger numbers are not computed.
_MOST = 1e100
_OBSERVATIONS, _SCORES, _CORRECTION = "observations", "scores", "correction"
# Langfuse's types of steps that matter for an answer.
_KINDS = {"generation": "llm", "retriever": "retriever"}
_OF_TRACE = frozenset({"user_id", "session_id", "release", "version", "bookmarked", "public", "html_path", "tags"})
# The columns of exported traces or observations, apart from a column for each score's name.
_KNOWN = frozenset(
    "id timestamp name user_id session_id release version environment tags bookmarked public input output "
    "metadata comments latency total_cost html_path project_id created_at updated_at observations scores type "
    "trace_id parent_observation_id start_time end_time model model_parameters provided_model_name "
    "internal_model_id level status_message prompt_id prompt_name prompt_version usage usage_details cost_details "
    "provided_usage_details provided_cost_details completion_start_time time_to_first_token trace_name trace_tags "
    "trace_timestamp model_id unit trace external_id input_price output_price total_price input_cost output_cost "
    "input_tokens output_tokens total_tokens input_usage output_usage total_usage tool_definitions tool_calls "
    "tool_call_names usage_pricing_tier_id usage_pricing_tier_name is_root_observation prompt_tokens "
    "completion_tokens calculated_input_cost calculated_output_cost calculated_total_cost observation_count "
    "warning_count error_count default_count debug_count is_deleted event_ts latency_milliseconds".split()
)


def recognise(table: Table) -> Match | None:
    """Return a match for Langfuse's exports and API records, else None."""
    kind = _kind_of(table)
    if kind is None:
        return None
    opened = open_rows(table)
    columns = opened.columns
    key = "id" if "id" in columns else next((c for c in columns if fold_name(c) == "trace_id"), None)
    mapping = ColumnMapping(
        key=key,
        reference=next((c for c in (_CORRECTION, "expected_output", "expectedOutput") if c in columns), None),
        timestamp=next((c for c in ("timestamp", "createdAt", "created_at") if c in columns), None),
        ignore=(_OBSERVATIONS,) if _OBSERVATIONS in columns else (),
    )
    mapping, asked = map_trace(opened, mapping, objects=("metadata", "input", "output"))
    if kind in _WITHOUT_ANSWERS and mapping.answer is None:
        mapping = replace(mapping, unmapped_answer=_WITHOUT_ANSWERS[kind])
    return match_by_names(
        opened,
        mapping,
        tool="Langfuse",
        prefix=_PREFIX,
        score=0.96,
        why=_REASONS[kind],
        title={"items": "Langfuse data set", "experiment": "Langfuse experiment"}.get(kind, ""),
        asked=asked,
        warnings=(STEPS_LEFT_OUT,) if _OBSERVATIONS in columns else (),
    )


_REASONS = {
    "trace": "The keys 'observations' and 'scores' are those of a trace that Langfuse exports.",
    "traces": "The columns besides 'input' and 'output' are those of Langfuse's traces.",
    "observations": "The column of the parent observation is Langfuse's.",
    "scores": "The columns 'name', 'value', 'source' and the score's data type are those of Langfuse's scores.",
    "items": "The columns of the expected output, the data set and the source trace are those of Langfuse's data sets.",
    "experiment": "The keys 'item', 'output' and 'evaluations' are those of an experiment of Langfuse's SDK.",
}
_WITHOUT_ANSWERS = {
    "scores": "These are Langfuse's scores without the traces; export the traces with their scores as JSON, import the "
    "observations together with this file (`--with FILE`), or fetch both with `faithview pull langfuse`",
    "items": "These are the items of a Langfuse data set, which have no answers; export the traces of a run over it",
}


def _kind_of(table: Table) -> str | None:
    kind = _kind(table.document) or _kind(table.columns)
    return kind or ("traces" if _has_observations(table) else None)


def _has_observations(table: Table) -> bool:
    """Return whether the rows are traces with their steps, even if an export has few other columns."""
    names = {fold_name(name): name for name in table.columns}
    if not {"input", "output"}.intersection(names):
        return False
    if {"id", "name", _OBSERVATIONS, _SCORES} <= names.keys():
        return True
    steps, scores = (
        [_named(as_object(item)) for row in table.head for item in as_list(row.values.get(names.get(part, "")))]
        for part in _PARTS
    )
    are_steps = bool(steps) and all({"input", "output"}.intersection(step) for step in steps)
    return are_steps or any({"name", "data_type", "source"} <= score.keys() for score in scores)


def _kind(names: Collection[str] | None) -> str | None:
    columns = {fold_name(name) for name in names or ()}
    if {_OBSERVATIONS, _SCORES} <= columns and "input" not in columns:
        return "trace"
    if {"trace", _OBSERVATIONS} <= columns:
        return "trace"
    if {"item", "output", "evaluations", "trace_id"} <= columns:
        return "experiment"
    if {"parent_observation_id", "trace_id"} <= columns and "start_time" in columns:
        return "observations"
    if {"name", "source", "data_type"} <= columns and columns.intersection({"trace_id", "subject", "observation_id"}):
        return "scores"
    if {"input", "expected_output"} <= columns and columns.intersection({"source_trace_id", "source_observation_id"}):
        return "items"
    is_trace = {"id", "input", "output", "timestamp"} <= columns and len(columns & _OF_TRACE) >= 3
    return "traces" if is_trace else None


def open_rows(table: Table) -> Table:
    """Return a row for each trace, with its answer, its chunks and its scores."""
    kind = _kind_of(table)
    read, unit = table.read, table.unit
    if _kind(table.document):
        # The file is one trace; the rules of other formats would take a list in it for the rows.
        read, unit = (lambda: iter((RawRow(1, table.whole),))), "row"
    if kind in _ROWS:
        return table.with_rows(lambda: _each(read(), _ROWS[kind]), unit=unit)
    # Scores that were exported separately from the observations (`--with FILE`).
    table, other = table.with_others(_OTHER_FILE) if kind == "observations" else (table, None)
    if other is None:
        return table.with_rows(lambda: _joined(read()))
    if _kind_of(other) != "scores":
        note = f"{other.name} next to {table.name} was not read: it has no Langfuse scores."
        return replace(table.with_rows(lambda: _joined(read())), notes=(*table.notes, note))
    opened = table.with_rows(lambda: _joined(chain(read(), rows_or_problem(other)), only_observed=True))
    return replace(opened, notes=(*table.notes, f"Langfuse's scores were read from {other.name}."))


def _each(rows: RawRows, make: Callable[[Mapping[str, object]], dict[str, object]]) -> RawRows:
    for row in rows:
        yield row if isinstance(row, RowProblem) else RawRow(row.line, make(row.values))


@dataclass(slots=True)
class _Trace:
    """The rows of one trace."""

    line: int
    values: dict[str, object] = field(default_factory=dict)
    observations: list[Mapping[str, object]] = field(default_factory=list)
    scores: list[Mapping[str, object]] = field(default_factory=list)


def _download_row(values: Mapping[str, object]) -> dict[str, object]:
    """Return the trace of a downloaded trace: its observations and scores, in older versions next to the trace."""
    observations, scores = ([as_object(item) for item in as_list(values.get(name))] for name in _PARTS)
    rest = {key: value for key, value in values.items() if key not in (*_PARTS, "trace")}
    return _trace_with_cells({**rest, **as_object(values.get("trace"))}, observations, scores)


def _joined(rows: RawRows, *, only_observed: bool = False) -> RawRows:
    """Join the observations and the scores of each trace; they may be in any order.

    With `only_observed`, traces with scores and without observations are left out: another file has all scores.
    """
    traces: dict[str, _Trace] = {}
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        named = _named(row.values)
        is_score = "data_type" in named
        is_part = not is_score and "trace_id" in named
        subject = as_object(named.get("subject"))
        of_subject = subject.get("trace_id", subject.get("traceId", subject.get("id")))
        trace_id = text_of(named.get("trace_id") or of_subject if is_score or is_part else named.get("id"))
        if not trace_id:
            what = "score" if is_score else "observation" if is_part else "trace"
            yield RowProblem(line=row.line, reason=f"the {what} names no trace")
            continue
        trace = traces.setdefault(trace_id, _Trace(row.line))
        if is_score:
            trace.scores.append(row.values)
        elif is_part:
            trace.observations.append(row.values)
        else:
            trace.values.update(row.values)
    for trace_id, trace in traces.items():
        if only_observed and not trace.observations:
            continue
        yield RawRow(trace.line, _trace_with_cells({"id": trace_id, **trace.values}, trace.observations, trace.scores))


def _trace_row(values: Mapping[str, object]) -> dict[str, object]:
    own = {key: value for key, value in values.items() if key not in (_OBSERVATIONS, _SCORES)}
    # The list of traces has only the ids of observations and scores.
    parts = {name: [item for item in map(as_object, as_list(values.get(name))) if item] for name in _PARTS}
    parts[_SCORES] = [score for item in parts[_SCORES] for score in _by_name(item)]
    ids = {f"{name[:-1]}_ids": values[name] for name in _PARTS if as_list(values.get(name)) and not parts[name]}
    return _trace_with_cells({**own, **ids}, parts[_OBSERVATIONS], parts[_SCORES])


_PARTS = (_OBSERVATIONS, _SCORES)


def _trace_with_cells(
    values: Mapping[str, object], observations: Sequence[Mapping[str, object]], scores: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    named = [_named(item) for item in observations]
    row: dict[str, object] = {**_of_root(named), **values}
    if not is_missing(row.get("input")) or not is_missing(row.get("output")) or named:
        cells = answer_cells(
            [_step(item, number) for number, item in enumerate(named)], asked=row.get("input"), gave=row.get("output")
        )
        row.update(cells)
    listed = [*_in_columns(values), *(column for item in named for column in _in_columns(item)), *scores]
    corrections = [_named(item) for item in listed if _type(_named(item)) == "CORRECTION"]
    if corrections:
        row[_CORRECTION] = corrections[-1].get("string_value") or corrections[-1].get("value")
    if observations:
        row[_OBSERVATIONS] = [dict(item) for item in observations]
    return {**row, _SCORES: [dict(item) for item in listed], **score_cells(_scores(listed), prefix=_PREFIX)}


def _of_root(observations: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the trace's data from its first observation, for files that have no row for the trace."""
    known = {text_of(item.get("id")) for item in observations}
    roots = [item for item in observations if text_of(item.get("parent_observation_id")) not in known]
    root = next(iter(sorted(roots, key=lambda item: text_of(item.get("start_time")))), None)
    if root is None:
        return {}
    names = {"start_time": "timestamp", "trace_name": "name", "trace_tags": "tags"}
    kept = ("input", "output", "metadata", "environment", "user_id", "session_id", "release", "version", "tags", *names)
    return {names.get(key, key): root[key] for key in kept if not is_missing(root.get(key))}


def _step(item: Mapping[str, object], number: int) -> Step:
    return Step(
        # An export may lack the ids.
        step_id=text_of(item.get("id")) or f"step {number}",
        parent_id=text_of(item.get("parent_observation_id")),
        kind=_KINDS.get(text_of(item.get("type")).lower(), ""),
        name=text_of(item.get("name")),
        start=item.get("start_time"),
        end=item.get("end_time"),
        input=item.get("input"),
        output=item.get("output"),
    )


def _named(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values under the names used in files: `traceId` becomes `trace_id`."""
    return {fold_name(str(name)): value for name, value in values.items()}


def _by_name(item: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield a score, or the scores in an object that has the values of each name: `{"faithfulness": [0.0]}`."""
    if "value" in item or not {"name", "id", "stringValue", "string_value"}.isdisjoint(item):
        yield item
        return
    for name, value in item.items():
        held = as_object(value)
        yield from [{"name": name, **held}] if held else _in_columns({name: as_list(value)})


def _in_columns(values: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield the scores of an exported table: a column for each name, with a list of the values."""
    if _SCORES in values:
        return
    for column, cell in values.items():
        listed = parsed(cell) if fold_name(column) not in _KNOWN else None
        if not isinstance(listed, list) or not listed:
            continue
        numbers = [
            float(value)
            for value in listed
            if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST
        ]
        if len(listed) == 1 and isinstance(listed[0], str | int | float):
            yield {"name": column, "value": listed[0]}
        elif len(numbers) == len(listed):
            comment = f"The mean of {len(numbers)} scores: {', '.join(f'{value:g}' for value in numbers)}."
            yield {"name": column, "value": sum(numbers) / len(numbers), "comment": comment}


def _item_row(values: Mapping[str, object]) -> dict[str, object]:
    asked = answer_cells([], asked=values.get("input"))["question"]
    return {**values, "question": asked}


def _experiment_row(values: Mapping[str, object]) -> dict[str, object]:
    item = as_object(values.get("item"))
    row: dict[str, object] = {**values, **{key: value for key, value in item.items() if key != "id"}}
    row.update(answer_cells([], asked=item.get("input"), gave=values.get("output")))
    listed = [as_object(found) for found in as_list(values.get("evaluations"))]
    return {**row, _SCORES: [dict(found) for found in listed], **score_cells(_scores(listed), prefix=_PREFIX)}


def _type(score: Mapping[str, object]) -> str:
    return text_of(score.get("data_type")).upper()


def _scores(listed: Sequence[Mapping[str, object]]) -> list[NamedScore]:
    """Return the scores, those of a whole trace last: these outweigh a step's score of the same name."""
    named = [_named(item) for item in listed]
    named.sort(key=lambda item: is_missing(item.get("observation_id")))
    return [_score(item) for item in named if text_of(item.get("name")) and _type(item) != "CORRECTION"]


def _score(item: Mapping[str, object]) -> NamedScore:
    is_word = _type(item) in ("CATEGORICAL", "TEXT") and not is_missing(item.get("string_value"))
    is_human = text_of(item.get("source")).upper() == "ANNOTATION"
    model = text_of(as_object(item.get("metadata")).get("model"))
    return NamedScore(
        name=text_of(item.get("name")),
        value=item.get("string_value") if is_word else item.get("value"),
        reason=text_of(item.get("comment")),
        judge=text_of(item.get("author_user_id")) if is_human else f"Langfuse ({model})" if model else "",
        is_human=is_human,
        at=as_time(item.get("updated_at") or item.get("timestamp")),
    )


_ROWS = {"trace": _download_row, "traces": _trace_row, "experiment": _experiment_row, "items": _item_row}


def judged(row: Row) -> Judged:
    """Return the score with its comment; human scores become annotations."""
    return judged_by_names(row, _scores([as_object(item) for item in as_list(row.at(_SCORES))]), prefix=_PREFIX)


READER = Reader(name="langfuse", title="Langfuse", recognise=recognise, open=open_rows, judged=judged)
