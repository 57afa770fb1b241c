"""Langfuse: traces with observations and scores, observations beside scores, and its table of traces.

Names are spelled as in the REST interface (`traceId`) or as in exported files (`trace_id`).
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from statistics import fmean

from faithview.formats.files.aliases import fold_name
from faithview.formats.readers.traces import Part, Record, TraceTool, objects_in, reader_of
from faithview.formats.reading.named_scores import NamedScore
from faithview.formats.reading.values import as_list, as_object, as_time, text_of
from faithview.formats.rows.cells import BadCell, is_missing, parsed
from faithview.formats.spans.steps import MODEL, RETRIEVER, Step

_KINDS = {"generation": MODEL, "retriever": RETRIEVER}
# A table has a column with a list for each score; these columns have other lists.
_NO_SCORES = frozenset(
    {"tags", "trace_tags", "comments", "input", "output", "metadata", "tool_calls", "tool_call_names",
     "tool_definitions", "observations", "scores", "expected_output"}
)  # fmt: skip
_SIGNS = (
    {"observations", "scores"},
    {"trace", "observations"},
    {"trace_id", "parent_observation_id"},
    {"name", "source", "data_type", "trace_id"},
    {"name", "source", "data_type", "subject"},
    {"id", "input", "output", "timestamp", "user_id", "session_id"},
    {"input", "observations.output"},
    {"output", "observations.output"},
)


def _parts(record: Record) -> Iterator[Part]:
    named = _named(record)
    if not is_missing(named.get("data_type")):
        subject = _named(as_object(named.get("subject")))
        trace_id = text_of(named.get("trace_id") or subject.get("trace_id") or subject.get("id"))
        if not trace_id:
            raise BadCell("the score names no trace")
        yield Part(trace_id=trace_id, scores=[record])
    elif not is_missing(named.get("trace_id")):
        yield Part(trace_id=text_of(named["trace_id"]), steps=[record], scores=list(_in_columns(named)))
    elif "parent_observation_id" in named:
        raise BadCell("the observation names no trace")
    else:
        own = {name: value for name, value in record.items() if name not in ("observations", "scores", "trace")}
        yield Part(
            trace_id="" if "observations" in named else text_of(named.get("id")),
            values={**own, **as_object(named.get("trace"))},
            steps=objects_in(named.get("observations")),
            scores=[*_in_columns(named), *chain.from_iterable(map(_by_name, objects_in(named.get("scores"))))],
        )


def _named(record: Record) -> dict[str, object]:
    """Return a record under the names used in files: `traceId` becomes `trace_id`."""
    return {fold_name(name): value for name, value in record.items()}


def _by_name(item: Record) -> Iterator[Record]:
    """Yield a score, or the scores in an object that has the values of each name: `{"faithfulness": [0.0]}`."""
    if not {"value", "name", "id"}.isdisjoint(item):
        yield item
        return
    for name, value in item.items():
        yield {"name": name, **(as_object(value) or _value_of(as_list(value)))}


def _in_columns(named: Record) -> Iterator[Record]:
    """Yield the scores of an exported table: a column for each name, with a list of the values."""
    for column, cell in named.items():
        values = parsed(cell) if column not in _NO_SCORES else None
        if isinstance(values, list) and (score := _value_of(values)):
            yield {"name": column, **score}


def _value_of(values: Sequence[object]) -> dict[str, object]:
    """Return the value of a score that was given once, or the mean of several; empty if they are not scores."""
    numbers = [float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(values) == 1 and isinstance(values[0], str | int | float):
        return {"value": values[0]}
    if not numbers or len(numbers) < len(values):
        return {}
    listed = ", ".join(f"{number:g}" for number in numbers)
    return {"value": fmean(numbers), "comment": f"The mean of {len(numbers)} scores: {listed}."}


def _step(record: Record) -> Step:
    item = _named(record)
    return Step(
        step_id=text_of(item.get("id")),
        parent_id=text_of(item.get("parent_observation_id")),
        kind=_KINDS.get(text_of(item.get("type")).lower(), ""),
        name=text_of(item.get("name")),
        start=as_time(item.get("start_time")),
        end=as_time(item.get("end_time")),
        input=item.get("input"),
        output=item.get("output"),
    )


def _of_root(record: Record) -> dict[str, object]:
    item = _named(record)
    names = {"trace_name": "name", "trace_tags": "tags"}
    kept = ("input", "output", "metadata", "environment", "user_id", "session_id", "release", "version", "tags", *names)
    return {names.get(name, name): item[name] for name in kept if not is_missing(item.get(name))}


def _score(record: Record) -> NamedScore:
    item = _named(record)
    kind, word = text_of(item.get("data_type")).upper(), item.get("string_value")
    is_word = kind in ("CATEGORICAL", "TEXT", "CORRECTION") and not is_missing(word)
    is_human = text_of(item.get("source")).upper() == "ANNOTATION"
    model = text_of(as_object(item.get("metadata")).get("model"))
    return NamedScore(
        name=text_of(item.get("name")),
        value=word if is_word else item.get("value"),
        reason=text_of(item.get("comment")),
        judge=text_of(item.get("author_user_id")) if is_human else f"Langfuse ({model})" if model else "",
        is_human=is_human,
        at=as_time(item.get("updated_at") or item.get("timestamp")),
        about=text_of(item.get("observation_id")),
        is_reference=kind == "CORRECTION",
    )


READER = reader_of(
    TraceTool(
        name="langfuse",
        title="Langfuse",
        signs=_SIGNS,
        parts=_parts,
        step=_step,
        score=_score,
        of_root=_of_root,
        prefix="scores.",
        steps="observations",
        scores="scores",
        keys=("id", "trace_id", "traceId"),
        references=("expected_output", "expectedOutput"),
        timestamps=("timestamp", "createdAt", "created_at"),
        objects=("metadata", "input", "output"),
        beside="scores.jsonl",
    )
)
