"""Phoenix: evaluations, annotations and spans, from its REST interface and its tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table, rows_or_problem
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, score_cells
from faithview.formats.reading.objects import map_objects
from faithview.formats.reading.reader import Judged, Match, Question, Reader, Row
from faithview.formats.reading.score_columns import pick_score, tells_what_was_found
from faithview.formats.reading.values import as_list, as_object, as_time, text_of
from faithview.formats.rows.cells import is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import map_by_alias
from faithview.formats.spans.otlp import TraceSpan
from faithview.formats.spans.rows import ANSWER_COLUMNS, SPANS_LEFT_OUT, answer_rows, make_span, with_answers

_PREFIX = "eval."
_SCORE, _DETAILS = "_score", "_execution_details"
_FOUND = "annotations"
_RESULT = ("label", "score", "explanation")
_SPAN_IDS = ("context.span_id", "span_id")
_OWN_NAME = "evaluation"
_ONLY_ANNOTATIONS = (
    "These are Phoenix's annotations without the spans; import the spans together with this file "
    "(`faithview import SPANS --with ANNOTATIONS`), or fetch both with `faithview pull phoenix`"
)


def recognise(table: Table) -> Match | None:
    """Return a match for Phoenix's evaluations, annotations and experiments, else None."""
    kind = _kind_of(table)
    if kind is None:
        return None
    opened = open_rows(table)
    names = [name for name in opened.columns if name.startswith(_PREFIX)]
    columns = [name for name in opened.columns if name not in names]
    mapping, questions, why = _map(kind, table, columns, opened.head)
    mapping, asked = pick_evaluation(names, mapping, opened.head)
    if kind == "annotations" and mapping.answer is None:
        mapping = replace(mapping, unmapped_answer=_ONLY_ANNOTATIONS)
    return Match(
        score=0.96,
        reasons=(why,),
        title="Phoenix experiment" if kind == "experiment" else "",
        mapping=mapping,
        questions=(*questions, *asked),
        has_results=bool(names),
    )


def _kind_of(table: Table) -> str | None:
    columns = set(table.columns)
    if {"example_id", "repetition_number", "input", "output"} <= columns and "annotations" in columns:
        return "experiment"
    if "attributes" in columns or any(name.startswith("attributes.") for name in columns):
        return None  # spans, perhaps with annotations among them
    if {"annotation_name", "annotator_kind"} <= columns or {"name", "annotator_kind", "span_id", "result"} <= columns:
        return "annotations"
    if any(name.endswith(_DETAILS) and f"{name.removesuffix(_DETAILS)}{_SCORE}" in columns for name in columns):
        return "evaluations"
    if set(_RESULT) <= columns and columns.intersection(_SPAN_IDS):
        return "one evaluation"
    return None


def _map(
    kind: str, table: Table, columns: Sequence[str], head: Sequence[RawRow]
) -> tuple[ColumnMapping, tuple[Question, ...], str]:
    questions: tuple[Question, ...] = ()
    if kind == "experiment":
        own = ColumnMapping(key="example_id", timestamp="start_time" if "start_time" in columns else None)
        mapping, questions = map_objects(
            head,
            own,
            question=("input",),
            answer=("output",),
            contexts=("output", "input"),
            reference=("reference_output",),
        )
        why = "The keys 'example_id', 'repetition_number' and 'annotations' are those of a Phoenix experiment."
        return mapping, questions, why
    mapping = map_by_alias(columns, without=frozenset({_FOUND, *_RESULT, "name", "result"}))
    key = next((name for name in _SPAN_IDS if name in columns), mapping.key)
    mapping = replace(mapping, key=key)
    if not mapping.contexts and mapping.reference == "reference":
        mapping = replace(mapping, reference=None)
        why = "'reference' is the retrieved text in Phoenix's older evaluations, and may be the right answer."
        questions = (Question(field="contexts", candidates=("reference",), why=why),)
    why = {
        "annotations": "The columns 'annotator_kind' and those of the annotations are Phoenix's.",
        "evaluations": f"The columns ending in {_SCORE!r} and {_DETAILS!r} are those of Phoenix's evaluations.",
        "one evaluation": "The columns 'label', 'score' and 'explanation' next to a span's id are Phoenix's.",
    }[kind]
    return mapping, questions, why


def pick_evaluation(
    names: Sequence[str], mapping: ColumnMapping, head: Sequence[RawRow]
) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with the evaluation for faithfulness; for hallucination, its labels decide the direction."""
    picked, asked = pick_score(names, mapping, tool="Phoenix")
    hallucinated = [name for name in names if "hallucinat" in name.lower()]
    is_open = bool(asked) and asked[0].field == "map" and len(hallucinated) == 1
    if is_open and any(tells_what_was_found(row.values.get(hallucinated[0])) for row in head):
        return replace(mapping, hallucination=hallucinated[0]), ()
    return picked, asked


def open_rows(table: Table) -> Table:
    """Return a row for each answer with all evaluations of it."""
    kind = _kind_of(table)
    if kind == "annotations":
        return table.with_rows(lambda: _by_span(table.read()))
    return table.with_rows(lambda: _beside(table.read(), kind or ""))


def _beside(rows: RawRows, kind: str) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        found = list(_found_in(row.values, kind))
        cells = score_cells(map(named_annotation, found), prefix=_PREFIX)
        yield RawRow(row.line, {**row.values, **cells, **({} if kind == "experiment" else {_FOUND: found})})


def _found_in(values: Mapping[str, object], kind: str) -> Iterator[dict[str, object]]:
    if kind == "experiment":
        yield from (dict(as_object(item)) for item in as_list(values.get(_FOUND)))
    elif kind == "one evaluation":
        yield {"name": _OWN_NAME, **{field: values.get(field) for field in _RESULT}}
    for column, cell in values.items() if kind == "evaluations" else ():
        name = column.removesuffix(_SCORE)
        if not column.endswith(_SCORE) or f"{name}{_DETAILS}" not in values:
            continue
        details = as_object(values[f"{name}{_DETAILS}"])
        exceptions = as_list(details.get("exceptions"))
        status = text_of(details.get("status"))
        why = text_of(exceptions[-1]) if exceptions else f"Phoenix did not run it: {status}." if status else ""
        result = parsed(cell)
        if isinstance(result, Mapping):
            yield {**result, "name": name}
        else:
            yield {"name": name, "score": cell, "error": why if status != "COMPLETED" else ""}


def _by_span(rows: RawRows) -> RawRows:
    """Join the annotations of each span; they may be in any order."""
    spans: dict[str, tuple[int, dict[str, object], list[dict[str, object]]]] = {}
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        span_id = next((text_of(row.values[n]) for n in _SPAN_IDS if not is_missing(row.values.get(n))), "")
        if not span_id:
            yield RowProblem(line=row.line, reason="the annotation names no span")
            continue
        line, values, found = spans.setdefault(span_id, (row.line, {}, []))
        found.append(dict(row.values))
        values.update({k: v for k, v in row.values.items() if k not in _OF_ANNOTATION and not is_missing(v)})
    for line, values, found in spans.values():
        yield RawRow(line, {**values, **score_cells(map(named_annotation, found), prefix=_PREFIX), _FOUND: found})


_OF_ANNOTATION = frozenset(
    {*_RESULT, "name", "result", "annotation_name", "annotator_kind", "metadata", "identifier", "id", "source",
     "user_id", "created_at", "updated_at"}
)  # fmt: skip


def named_annotation(item: Mapping[str, object]) -> NamedScore:
    """Return an annotation or an evaluation as a score under its name.

    For a hallucination, the label outweighs the number, whose direction varies.
    """
    result = {**item, **as_object(item.get("result"))}
    name = text_of(item.get("annotation_name") or item.get("name")) or _OWN_NAME
    is_human = text_of(item.get("annotator_kind")).upper() == "HUMAN"
    metadata = as_object(item.get("metadata"))
    label, score = result.get("label"), result.get("score")
    prefers_label = "hallucinat" in name.lower() or is_missing(score)
    return NamedScore(
        name=name,
        value=label if prefers_label and not is_missing(label) else score,
        reason=text_of(result.get("explanation")),
        judge=text_of(item.get("identifier") or item.get("user_id")) if is_human else _judge(metadata),
        is_human=is_human,
        at=as_time(item.get("updated_at") or item.get("created_at")),
        error=text_of(item.get("error")),
    )


def _judge(metadata: Mapping[str, object]) -> str:
    model = text_of(metadata.get("model"))
    return f"Phoenix ({model})" if model else ""


def judged(row: Row) -> Judged:
    """Return the evaluation with its explanation and error; human ones become annotations."""
    return judged_by_names(row, [named_annotation(as_object(item)) for item in as_list(row.at(_FOUND))], prefix=_PREFIX)


READER = Reader(name="phoenix", title="Phoenix (evaluations)", recognise=recognise, open=open_rows, judged=judged)


# Annotations that were exported separately from the spans (`--with FILE`).
_OTHER_FILE = "annotations.jsonl"

_ATTRIBUTES = "attributes."


def recognise_spans(table: Table) -> Match | None:
    """Return a match for Phoenix's spans, else None."""
    columns = set(table.columns)
    is_table = {"context.span_id", "context.trace_id"} <= columns
    contexts = [as_object(row.values.get("context")) for row in table.head]
    is_json = "attributes" in columns and any("span_id" in context for context in contexts)
    if not is_json and not (is_table and any(name.startswith(_ATTRIBUTES) for name in columns)):
        return None
    opened = open_span_rows(table)
    names = [name for name in opened.columns if name.startswith(_PREFIX)]
    mapping, questions = pick_evaluation(names, ANSWER_COLUMNS, opened.head)
    return Match(
        score=0.96,
        reasons=("The spans have the keys 'context.span_id' and 'attributes', as those of Phoenix have.",),
        mapping=mapping,
        questions=questions,
        warnings=(SPANS_LEFT_OUT,),
        has_results=bool(names),
    )


def open_span_rows(table: Table) -> Table:
    """Return the answers in the spans, each with its evaluations."""
    table, others = table.with_others(_OTHER_FILE)
    if others is None:
        return with_answers(table, lambda without: _answer_rows(table, None, without))
    note = f"Phoenix's annotations were read from {others.name}."
    if not any(_is_annotation(row.values) for row in others.head):
        note = f"{others.name} next to {table.name} was not read: it has no Phoenix annotations."
        others = None
    noted = replace(table, notes=(*table.notes, note))
    return with_answers(noted, lambda without: _answer_rows(noted, others, without))


def _answer_rows(table: Table, others: Table | None, without: list[int]) -> RawRows:
    spans: list[TraceSpan] = []
    found: dict[str, list[tuple[str, dict[str, object]]]] = {}
    apart: list[tuple[RawRow, bool]] = []
    own_rows = ((raw, True) for raw in table.read())
    for raw, is_own in chain(own_rows, ((raw, False) for raw in rows_or_problem(others)) if others is not None else ()):
        if isinstance(raw, RowProblem):
            yield raw
            continue
        if _is_annotation(raw.values):
            apart.append((raw, is_own))
            continue
        span = _span(raw.values)
        if span is None:
            yield RowProblem(line=raw.line, reason="the span has no trace id or no span id")
            continue
        spans.append(span)
        for annotation in _annotations(raw.values):
            found.setdefault(span["trace_id"], []).append((span["span_id"], annotation))
    traces = {span["span_id"]: span["trace_id"] for span in spans}
    for raw, is_own in apart:
        span_id = next((text_of(raw.values[name]) for name in _SPAN_IDS if not is_missing(raw.values.get(name))), "")
        if span_id not in traces:
            if is_own:  # a companion file may have those of all spans
                yield RowProblem(line=raw.line, reason="the annotation is about a span that is not in the file")
            continue
        found.setdefault(traces[span_id], []).append((span_id, dict(raw.values)))
    rows, number_without = answer_rows(spans)
    without.append(number_without)
    answers = Counter(row["trace_id"] for row in rows)
    for number, row in enumerate(rows, start=1):
        own = [
            annotation
            for span_id, annotation in found.get(str(row["trace_id"]), [])
            if span_id == row["span_id"] or answers[row["trace_id"]] == 1
        ]
        cells = score_cells(map(named_annotation, own), prefix=_PREFIX)
        yield RawRow(number, {**row, **cells, **({_FOUND: own} if own else {})})


def _is_annotation(values: Mapping[str, object]) -> bool:
    """Return whether a row is an annotation of a span, as exported separately from the spans."""
    return not is_missing(values.get("annotator_kind")) and "parent_id" not in values


def _span(values: Mapping[str, object]) -> TraceSpan | None:
    context = as_object(values.get("context"))
    attributes = dict(as_object(values.get("attributes")))
    attributes |= {
        name.removeprefix(_ATTRIBUTES): value for name, value in values.items() if name.startswith(_ATTRIBUTES)
    }
    kind = values.get("span_kind")
    if not is_missing(kind):
        attributes.setdefault("openinference.span.kind", kind)
    return make_span(
        trace_id=context.get("trace_id", values.get("context.trace_id")),
        span_id=context.get("span_id", values.get("context.span_id")),
        parent_id=values.get("parent_id"),
        name=values.get("name"),
        start=values.get("start_time"),
        end=values.get("end_time"),
        attributes={str(name): value for name, value in attributes.items()},
        events=values.get("events"),
    )


def _annotations(values: Mapping[str, object]) -> Iterator[dict[str, object]]:
    for item in as_list(values.get(_FOUND)):
        if (annotation := as_object(item)).get("name"):
            yield dict(annotation)
    columns: dict[str, dict[str, object]] = {}
    for column, value in values.items():
        name, _, field = column.removeprefix(_PREFIX).rpartition(".")
        if column.startswith(_PREFIX) and name and not is_missing(value):
            columns.setdefault(name, {})[field] = value
    for name, result in columns.items():
        yield {"name": name, "result": result}


def judged_spans(row: Row) -> Judged:
    """Return the evaluation with its explanation; human ones become annotations."""
    scores = [named_annotation(as_object(item)) for item in as_list(row.at(_FOUND))]
    return judged_by_names(row, scores, prefix=_PREFIX)


SPANS_READER = Reader(
    name="phoenix-spans", title="Phoenix (spans)", recognise=recognise_spans, open=open_span_rows, judged=judged_spans
)
