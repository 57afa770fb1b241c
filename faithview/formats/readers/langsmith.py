"""LangSmith: runs with feedback, nested or one per record; rows and tables of experiments."""

from collections.abc import Iterator

from faithview.formats.readers.traces import Part, Record, TraceTool, objects_in, reader_of
from faithview.formats.reading.named_scores import NamedScore
from faithview.formats.reading.values import as_flag, as_list, as_object, as_time, text_of
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.spans.steps import Step

# One of these columns distinguishes a table of LangSmith from others with columns "outputs.…".
_OF_EXPERIMENTS = (
    "example_id", "execution_time", "feedback_stats", "reference_example_id", "reference_outputs", "dotted_order",
    "feedback.*",
)  # fmt: skip
_SIGNS = (
    {"run_type", "inputs"},
    {"run", "evaluation_results"},
    *({"run_id", "key", "score", name} for name in ("feedback_source", "correction", "comment", "trace_id")),
    {"inputs", "outputs", "dataset_id", "created_at"},
    *({"inputs", "outputs", name} for name in _OF_EXPERIMENTS),
    *({"outputs.*", name} for name in _OF_EXPERIMENTS),
)


def _parts(record: Record) -> Iterator[Part]:
    if "run" in record:
        rest = {name: value for name, value in record.items() if name != "run"}
        yield Part(
            values=rest,
            right=as_object(record.get("example")).get("outputs"),
            steps=list(_runs(as_object(record["run"]))),
            scores=objects_in(as_object(record.get("evaluation_results")).get("results")),
        )
    elif not is_missing(record.get("run_type")):
        runs = list(_runs(record))
        trace_id = next((text_of(record[name]) for name in ("trace_id", "id") if not is_missing(record.get(name))), "")
        if not trace_id:
            raise BadCell("the run names no trace")
        yield Part(trace_id=trace_id, steps=runs, scores=[score for run in runs for score in _feedback(run)])
    elif "key" in record:
        yield Part(trace_id=text_of(record.get("trace_id")), about=text_of(record.get("run_id")), scores=[record])
    elif "dataset_id" in record:
        raise BadCell("the outputs of a data set are the right answers; a model's answers are in an experiment")
    else:
        run = _unflattened(record)
        right = next((run[name] for name in ("reference", "reference_outputs") if not is_missing(run.get(name))), None)
        yield Part(right=right, steps=[run], scores=list(_feedback(run)))


def _runs(run: Record) -> Iterator[Record]:
    """Yield a run and the runs inside it; each names its parent."""
    yield {name: value for name, value in run.items() if name != "child_runs"}
    for child in objects_in(run.get("child_runs")):
        yield from _runs({"parent_run_id": run.get("id"), **child})


def _unflattened(record: Record) -> dict[str, object]:
    """Return the row of a table, which has a column for each key, as a run: `outputs.answer` is a key of `outputs`."""
    run: dict[str, object] = {}
    objects: dict[str, dict[str, object]] = {}
    for name, value in record.items():
        part, _, key = name.replace("input.", "inputs.", 1).partition(".")
        if not key or part not in ("inputs", "outputs", "reference", "feedback"):
            run[name] = value
        elif not is_missing(value):
            objects.setdefault(part, {})[key] = value
    scores = [{"key": name, "score": score} for name, score in objects.pop("feedback", {}).items()]
    return {**run, **objects, **({"feedback": scores} if scores else {})}


def _feedback(run: Record) -> Iterator[Record]:
    """Yield the feedback on a run; without it, the averages that LangSmith stores with the outermost one."""
    own = [item for item in objects_in(run.get("feedback")) if item.get("key")]
    yield from ({"run_id": run.get("id"), **item} for item in own)
    for name, stats in as_object(run.get("feedback_stats")).items():
        if not own and is_missing(run.get("parent_run_id")):
            held = as_object(stats)
            counts = {word: text_of(count).zfill(9) for word, count in as_object(held.get("values")).items()}
            word = max(counts, key=counts.__getitem__, default=None)
            comments = " ".join(map(text_of, as_list(held.get("comments"))))
            yield {"run_id": run.get("id"), "key": name, "score": held.get("avg"), "value": word, "comment": comments}


def _step(run: Record) -> Step:
    kind = text_of(run.get("run_type")).lower()
    return Step(
        step_id=text_of(run.get("id")),
        parent_id=text_of(run.get("parent_run_id")),
        kind=kind if kind in ("llm", "retriever") else "",
        name=text_of(run.get("name")),
        start=as_time(run.get("start_time")),
        end=as_time(run.get("end_time")),
        input=run.get("inputs"),
        output=run.get("outputs"),
    )


def _score(item: Record) -> NamedScore:
    source, comment, score = as_object(item.get("feedback_source")), text_of(item.get("comment")), item.get("score")
    is_human = text_of(source.get("type")).lower() == "app"
    is_error = bool(as_flag(as_object(item.get("extra")).get("error")) or as_flag(item.get("error")))
    person = next((text_of(source[name]) for name in ("user_name", "user_id") if not is_missing(source.get(name))), "")
    details = {**as_object(item.get("evaluator_info")), **as_object(source.get("metadata"))}
    model = text_of(details.get("model") or details.get("model_name"))
    return NamedScore(
        name=text_of(item.get("key")),
        value=item.get("value") if is_missing(score) else score,
        reason="" if is_error else comment,
        judge=person if is_human else f"LangSmith ({model})" if model else "",
        is_human=is_human,
        at=as_time(item.get("modified_at") or item.get("created_at")),
        error=(comment or "LangSmith's evaluator failed.") if is_error else "",
        about=text_of(item.get("run_id")),
    )


READER = reader_of(
    TraceTool(
        name="langsmith",
        title="LangSmith",
        signs=_SIGNS,
        parts=_parts,
        step=_step,
        score=_score,
        of_root=lambda run: {name: run[name] for name in run if name not in ("feedback", "events", "serialized")},
        prefix="feedback.",
        steps="runs",
        scores="feedback",
        keys=("id", "run_id", "example_id"),
        timestamps=("start_time", "created_at"),
        objects=("outputs", "inputs", "extra"),
    )
)
