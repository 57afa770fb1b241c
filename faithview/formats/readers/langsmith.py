"""LangSmith's runs, nested or one per row, with their feedback; tables of an experiment; examples of its data sets.

A trace is one answer: that of its first run. Its chunks are the results of its retrievers, at any depth.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from faithview.formats.files.aliases import find_columns
from faithview.formats.files.report import RowProblem, Unit, preview_of
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, match_by_names, score_cells
from faithview.formats.reading.objects import find_paths
from faithview.formats.reading.reader import Judged, Match, Question, Reader, Row
from faithview.formats.reading.values import as_flag, as_list, as_object, as_time, text_of
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.spans.steps import STEPS_LEFT_OUT, Step, answer_cells, map_trace, text_in

_PREFIX = "feedback."
_FEEDBACK, _RUNS, _REFERENCE = "feedback", "runs", "reference"
_FRAME_PREFIXES = {"inputs": ("inputs.", "input."), "outputs": ("outputs.",), "reference": ("reference.",)}
# A frame may have an object in one column instead of a column for each of its keys.
_FRAME_OBJECTS = {"inputs": ("inputs",), "outputs": ("outputs",), "reference": (_REFERENCE, "reference_outputs")}
# One of these columns, or one of feedback, distinguishes a LangSmith frame from others with columns "outputs.…".
_FRAME_SIGNS = {
    "example_id", "execution_time", "feedback_stats", "reference_example_id", "reference_outputs", "dotted_order",
}  # fmt: skip


def recognise(table: Table) -> Match | None:
    """Return a match for LangSmith's runs, feedback, experiments and examples, else None."""
    kind = _kind_of(table)
    if kind is None:
        return None
    opened = open_rows(table)
    columns = opened.columns
    mapping = ColumnMapping(
        key=next((name for name in ("id", "run_id", "example_id") if name in columns), None),
        reference=_REFERENCE if _REFERENCE in columns else None,
        timestamp=next((name for name in ("start_time", "created_at") if name in columns), None),
        ignore=tuple(name for name in (_RUNS, "child_runs", "events", "serialized") if name in columns),
    )
    mapping, asked = map_trace(opened, mapping, objects=("outputs", "inputs", "extra"))
    if kind == "frame":
        mapping, asked = _map_frame(opened, mapping)
    if kind == "feedback" and mapping.answer is None:
        mapping = replace(mapping, unmapped_answer=_ONLY_FEEDBACK)
    if kind == "examples":
        mapping = replace(mapping, unmapped_answer=_ONLY_EXAMPLES)
        asked = (*asked, *_ask_answer(opened))
    return match_by_names(
        opened,
        mapping,
        tool="LangSmith",
        prefix=_PREFIX,
        score=0.96,
        why=_REASONS[kind],
        title={"examples": "LangSmith examples", "frame": "LangSmith experiment"}.get(kind, ""),
        asked=asked,
        warnings=(STEPS_LEFT_OUT,) if _RUNS in columns else (),
    )


_REASONS = {
    "runs": "The keys 'run_type', 'inputs' and 'outputs' are those of LangSmith's runs.",
    "experiment": "The keys 'run', 'example' and 'evaluation_results' are those of an experiment in LangSmith.",
    "frame": "Columns beginning with 'inputs.', 'outputs.' and 'feedback.' are those of an experiment in LangSmith.",
    "examples": "The inputs and outputs next to 'dataset_id' are those of LangSmith's data sets.",
    "feedback": "The columns 'run_id', 'key' and 'score' are those of LangSmith's feedback.",
}
_ONLY_FEEDBACK = (
    "This is LangSmith's feedback without the runs; export the runs with their feedback, or fetch both with "
    "`faithview pull langsmith`"
)
_ONLY_EXAMPLES = "The outputs of a LangSmith data set are the right answers; a model's answers are in an experiment"


def _ask_answer(opened: Table) -> tuple[Question, ...]:
    places = find_paths("answer", ("outputs",), opened.head)
    why = f"{_ONLY_EXAMPLES}; the right ones can be judged."
    return (Question(field="answer", candidates=places, why=why),) if places else ()


def _kind_of(table: Table) -> str | None:
    return _kind(table.document) or _kind(table.columns)


def _kind(names: Collection[str] | None) -> str | None:
    columns = set(names or ())
    if {"run", "evaluation_results"} <= columns:
        return "experiment"
    if {"run_type", "inputs"} <= columns:
        return "runs"
    if {"run_id", "key", "score"} <= columns and columns & {"feedback_source", "correction", "comment", "trace_id"}:
        return "feedback"
    if "inputs" in columns and ("dataset_id" in columns or _RUNS in columns):
        return "runs" if _RUNS in columns else "examples"
    has_outputs = {"inputs", "outputs"} <= columns or any(n.startswith(_FRAME_PREFIXES["outputs"]) for n in columns)
    has_sign = columns & _FRAME_SIGNS or any(name.startswith(_PREFIX) for name in columns)
    return "frame" if has_outputs and has_sign else None


def _map_frame(table: Table, mapping: ColumnMapping) -> tuple[ColumnMapping, tuple[Question, ...]]:
    objects = [name for part in ("outputs", "inputs") for name in _FRAME_OBJECTS[part] if name in table.columns]
    places = [*find_paths("contexts", objects, table.head)]
    places += [
        f"{prefix}{name}"
        for prefix in (*_FRAME_PREFIXES["outputs"], *_FRAME_PREFIXES["inputs"])
        for name in find_columns("contexts", [c.removeprefix(prefix) for c in table.columns if c.startswith(prefix)])
    ]
    if len(places) < 2:
        return replace(mapping, contexts=tuple(places)), ()
    why = f"{' and '.join(map(repr, places))} could each be the retrieved chunks."
    return mapping, (Question(field="contexts", candidates=tuple(places), why=why),)


def open_rows(table: Table) -> Table:
    """Return a row for each trace, with its answer, its chunks and its feedback."""
    kind = _kind_of(table)
    read, unit = table.read, table.unit
    if _kind(table.document):
        # The file is one trace; the rules of other formats would take a list in it for the rows.
        read, unit = (lambda: iter((RawRow(1, table.whole),))), "row"
    if kind == "experiment":
        return table.with_rows(lambda: _each(read()), unit=unit)
    if kind == "frame":
        return table.with_rows(lambda: _framed(read(), unit), unit=unit)
    if kind == "examples":
        return table.with_rows(lambda: _examples(read()), unit=unit)
    return table.with_rows(lambda: _joined(read()))


def _each(rows: RawRows) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        run, example = as_object(row.values.get("run")), as_object(row.values.get("example"))
        results = as_object(row.values.get("evaluation_results"))
        found = [as_object(item) for item in as_list(results.get("results"))]
        rest = {name: value for name, value in row.values.items() if name != "run"}
        yield _trace_row(row.line, [*_nested(run)], found, {**rest, **_reference(example)})


def _framed(rows: RawRows, unit: Unit) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        parts = {name: _frame_part(row.values, name) for name in _FRAME_PREFIXES}
        error = row.values.get("error")
        if not _has_output(parts["outputs"]) and not is_missing(error):
            yield replace(_failed(row.line, error), unit=unit)
            continue
        cells = answer_cells([], asked=parts["inputs"], gave=parts["outputs"])
        reference = text_in("answer", parts["reference"])
        found = {key: cells[key] for key in ("question", "answer")}
        listed = list(_feedback(row.values, row.values))
        scores = {_FEEDBACK: listed, **score_cells(map(_named, listed), prefix=_PREFIX)} if listed else {}
        yield RawRow(
            row.line,
            {
                **row.values,
                **found,
                **({_REFERENCE: reference} if reference else {}),
                **scores,
            },
        )


def _frame_part(values: Mapping[str, object], part: str) -> object:
    """Return an object of a frame, which has a column for each key or one for the whole object."""
    found = {
        name.removeprefix(prefix): value
        for prefix in _FRAME_PREFIXES[part]
        for name, value in values.items()
        if name.startswith(prefix) and not is_missing(value)
    }
    return found or next((values[name] for name in _FRAME_OBJECTS[part] if not is_missing(values.get(name))), {})


def _examples(rows: RawRows) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        asked = text_in("question", row.values.get("inputs"))
        yield RawRow(row.line, {**row.values, "question": asked, **_reference(row.values)})


def _reference(example: Mapping[str, object]) -> dict[str, object]:
    right = text_in("answer", example.get("outputs"))
    return {_REFERENCE: right} if right else {}


def _joined(rows: RawRows) -> RawRows:
    """Join the runs and the feedback of each trace; they may be in any order."""
    traces: dict[str, tuple[int, list[Mapping[str, object]], list[Mapping[str, object]]]] = {}
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        if _RUNS in row.values and "run_type" not in row.values:
            yield from _of_example(row)
            continue
        is_run = "run_type" in row.values and not is_missing(row.values["run_type"])
        names = ("trace_id", "id", "run_id") if is_run else ("trace_id", "run_id")
        trace_id = next((text_of(row.values[name]) for name in names if not is_missing(row.values.get(name))), "")
        if not trace_id:
            yield RowProblem(line=row.line, reason="it names no run and no trace")
            continue
        _, runs, found = traces.setdefault(trace_id, (row.line, [], []))
        if is_run:
            runs.extend(_nested(row.values))
        else:
            found.append(row.values)
    for trace_id, (line, runs, found) in traces.items():
        yield _trace_row(line, runs, found, {} if runs else {"id": trace_id})


def _of_example(row: RawRow) -> RawRows:
    """Yield a row for each run over an example of a data set."""
    example = {name: value for name, value in row.values.items() if name != _RUNS}
    for run in map(as_object, as_list(row.values[_RUNS])):
        yield _trace_row(row.line, [*_nested(run)], [], {"example": example, **_reference(example)})


def _nested(run: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield a run and its nested runs; each names its parent."""
    waiting = [run]
    seen = 0
    while waiting and seen < _MOST_RUNS:
        item = waiting.pop()
        seen += 1
        yield {name: value for name, value in item.items() if name != "child_runs"}
        inner = [as_object(child) for child in as_list(item.get("child_runs"))]
        waiting += [{"parent_run_id": item.get("id"), **child} for child in inner[::-1] if child]


# A trace of more runs is a mistake or an attack on memory.
_MOST_RUNS = 100_000


def _trace_row(
    line: int,
    runs: Sequence[Mapping[str, object]],
    feedback: Sequence[Mapping[str, object]],
    more: Mapping[str, object],
) -> RawRow | RowProblem:
    root = _root(runs)
    listed = [item for run in runs for item in _feedback(run, root)] + [dict(item) for item in feedback]
    listed.sort(key=lambda item: text_of(item.get("run_id")) not in ("", text_of(root.get("id"))), reverse=True)
    cells = answer_cells([_step(run) for run in runs]) if runs else {}
    if runs and cells["answer"] is None and not _has_output(root.get("outputs")) and not is_missing(root.get("error")):
        return _failed(line, root["error"])
    values: dict[str, object] = {name: value for name, value in root.items() if name != _FEEDBACK}
    if len(runs) > 1:
        values[_RUNS] = [dict(run) for run in runs if run is not root]
    return RawRow(
        line, {**values, **more, **cells, _FEEDBACK: listed, **score_cells(map(_named, listed), prefix=_PREFIX)}
    )


def _failed(line: int, error: object) -> RowProblem:
    return RowProblem(
        line=line, reason=f"there is no answer: the run ended in the error {preview_of(text_of(error))!r}"
    )


def _has_output(value: object) -> bool:
    return bool(as_object(value)) or (isinstance(value, str) and not is_missing(value))


def _root(runs: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    known = {text_of(run.get("id")) for run in runs}
    return next((run for run in runs if text_of(run.get("parent_run_id")) not in known), runs[0] if runs else {})


def _step(run: Mapping[str, object]) -> Step:
    return Step(
        step_id=text_of(run.get("id")),
        parent_id=text_of(run.get("parent_run_id")),
        kind=text_of(run.get("run_type")).lower(),
        name=text_of(run.get("name")),
        start=run.get("start_time"),
        end=run.get("end_time"),
        input=run.get("inputs"),
        output=run.get("outputs"),
    )


def _feedback(run: Mapping[str, object], root: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield the feedback on a run; without it, the averages that LangSmith stores with the run."""
    own = [dict(item) for item in map(as_object, as_list(run.get(_FEEDBACK))) if item.get("key")]
    if own:
        yield from ({"run_id": run.get("id"), **item} for item in own)
        return
    if run is not root:
        return
    for key, stats in as_object(run.get("feedback_stats")).items():
        held = as_object(stats)
        counts = {str(name): count for name, count in as_object(held.get("values")).items()}
        value = max(counts, key=lambda name: text_of(counts[name]).zfill(9)) if counts else None
        comments = [text_of(comment) for comment in as_list(held.get("comments"))]
        yield {"key": key, "score": held.get("avg"), "value": value, "comment": " ".join(comments)}


def _named(item: Mapping[str, object]) -> NamedScore:
    source = as_object(item.get("feedback_source"))
    is_human = text_of(source.get("type")).lower() == "app"
    score, comment = item.get("score"), text_of(item.get("comment"))
    is_error = bool(as_flag(as_object(item.get("extra")).get("error")) or as_flag(item.get("error")))
    person = next((text_of(source[name]) for name in ("user_name", "user_id") if not is_missing(source.get(name))), "")
    return NamedScore(
        name=text_of(item.get("key")),
        value=item.get("value") if is_missing(score) else score,
        reason="" if is_error else comment,
        judge=person if is_human else _judge(source, item),
        is_human=is_human,
        at=as_time(item.get("modified_at") or item.get("created_at")),
        error=(comment or "LangSmith's evaluator failed.") if is_error else "",
    )


def _judge(source: Mapping[str, object], item: Mapping[str, object]) -> str:
    metadata = {**as_object(item.get("evaluator_info")), **as_object(source.get("metadata"))}
    model = text_of(metadata.get("model") or metadata.get("model_name"))
    return f"LangSmith ({model})" if model else ""


def judged(row: Row) -> Judged:
    """Return the feedback with its comment and error; human feedback becomes an annotation."""
    scores = [_named(as_object(item)) for item in as_list(row.at(_FEEDBACK))]
    if _FEEDBACK not in row.cells:
        columns = [name for name in row.cells if name.startswith(_PREFIX)]
        scores = [NamedScore(name=name.removeprefix(_PREFIX), value=row.at(name)) for name in columns]
    return judged_by_names(row, scores, prefix=_PREFIX)


READER = Reader(name="langsmith", title="LangSmith", recognise=recognise, open=open_rows, judged=judged)
