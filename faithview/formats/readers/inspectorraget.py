"""InspectorRAGet: models, metrics, documents, tasks and the results of both, in one JSON file (versions 1 and 2)."""

from collections.abc import Iterator, Mapping

from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, score_cells
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import is_about_faithfulness, pick_score
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"models", "metrics", "tasks"})
_RESULTS = ("results", "evaluations")  # of version 2 and of version 1
_PREFIX, _FOUND = "score: ", "scores"
_UNNAMED = "system"  # the author of an algorithm's score


def recognise(table: Table) -> Match | None:
    """Return a match if the file has models, metrics, tasks and results, else None."""
    whole = table.whole
    if not whole.keys() >= _SIGNS or not any(isinstance(whole.get(key), list) for key in _RESULTS):
        return None
    if not any("task_id" in as_object(task) for task in as_list(whole["tasks"])):
        return None
    mapping = ColumnMapping(
        question="input", answer="output", contexts=("contexts",), key="key", segment="model", reference="targets"
    )
    metrics = [item for item in map(as_object, as_list(whole["metrics"])) if item.get("type") != "text"]
    names = [f"{_PREFIX}{text_of(item.get('name'))}" for item in metrics]
    by_machine = [name for name, item in zip(names, metrics, strict=True) if item.get("author") != "human"]
    # Human annotations do not compete with a machine's score.
    rivals = by_machine if any(map(is_about_faithfulness, by_machine)) else names
    picked, questions = pick_score(rivals, mapping, tool="InspectorRAGet")
    return Match(
        score=0.95,
        reasons=("The keys 'models', 'metrics', 'tasks' and 'results' are those of InspectorRAGet.",),
        mapping=picked,
        questions=questions,
        has_results=bool(names),
    )


def open_rows(table: Table) -> Table:
    """Return a row for each result: its task, its documents, and its scores by metric and author."""
    return table.with_rows(lambda: _evaluation_rows(table.whole))


def _evaluation_rows(whole: Mapping[str, object]) -> Iterator[RawRow | RowProblem]:
    tasks = _by_id(whole.get("tasks"), "task_id")
    documents = _by_id(whole.get("documents"), "document_id")
    models = _by_id(whole.get("models"), "model_id")
    metrics = _by_id(whole.get("metrics"), "name")
    results = next((as_list(whole[key]) for key in _RESULTS if isinstance(whole.get(key), list)), [])
    for number, result in enumerate(results, start=1):
        item = as_object(result)
        task = tasks.get(text_of(item.get("task_id")))
        if task is None:
            yield RowProblem(line=number, reason=f"there is no task {text_of(item.get('task_id'))!r}")
            continue
        given = as_object(item.get("scores")) or as_object(item.get("annotations"))
        scores = [score for name, by in given.items() for score in _scores(name, as_object(by), metrics)]
        model = text_of(item.get("model_id"))
        rest = {key: value for key, value in item.items() if key not in ("scores", "annotations", "output")}
        yield RawRow(
            number,
            {
                **rest,
                "key": f"{text_of(item.get('task_id'))} {model}".strip(),
                "model": text_of(as_object(models.get(model)).get("name")) or model,
                "input": _question(task.get("input")),
                "output": _answer(item),
                "contexts": [_document(context, documents) for context in as_list(task.get("contexts"))],
                "targets": _target(as_list(task.get("targets"))),
                "task": task,
                **score_cells(map(_named, scores), prefix=_PREFIX),
                _FOUND: scores,
            },
        )


def _by_id(items: object, key: str) -> dict[str, Mapping[str, object]]:
    return {text_of(item.get(key)): item for item in map(as_object, as_list(items)) if item.get(key) is not None}


def _question(value: object) -> object:
    """Return the last turn of the user; a text is returned unchanged."""
    turns = [turn for turn in map(as_object, as_list(value)) if turn]
    asked = [turn for turn in turns if turn.get("role", turn.get("speaker")) == "user"]
    last = (asked or turns)[-1:]
    return (last[0].get("content") or last[0].get("text")) if last else value


def _answer(item: Mapping[str, object]) -> object:
    """Return the last text of the model."""
    if not is_missing(item.get("model_response")):
        return item["model_response"]
    output = item.get("output")
    if isinstance(output, str):
        return output
    texts = [turn.get("content") for turn in map(as_object, as_list(output)) if not is_missing(turn.get("content"))]
    return texts[-1] if texts else None


def _document(context: object, documents: Mapping[str, Mapping[str, object]]) -> object:
    """Return the document that a context names, merged with the context; a context with its own text is unchanged."""
    given = as_object(context)
    document = documents.get(text_of(given.get("document_id")))
    if document is None:
        return context
    rest = {key: value for key, value in {**document, **given}.items() if key not in ("document_id", "text")}
    return {"id": text_of(given.get("document_id")), "text": given.get("text") or document.get("text"), **rest}


def _target(targets: list[object]) -> object:
    first = as_object(targets[0]) if targets else {}
    value = first.get("value", first.get("text"))
    return value if isinstance(value, str) else None


def _scores(
    name: str, by: Mapping[str, object], metrics: Mapping[str, Mapping[str, object]]
) -> Iterator[dict[str, object]]:
    metric = metrics.get(name, {})
    for who, found in by.items():
        score = as_object(found)
        yield {
            "name": name,
            "value": _share(score.get("value") if score else found, metric),
            "given": score.get("value") if score else found,
            "judge": "" if who == _UNNAMED else who,
            "is_human": metric.get("author") == "human",
            "reason": next((text_of(score[key]) for key in ("comment", "reason", "rationale") if score.get(key)), ""),
        }


def _share(value: object, metric: Mapping[str, object]) -> object:
    """Return a value as a share of its metric's range; a value outside the metric's range is unchanged."""
    numbers = {
        text_of(item.get("value")): item.get("numeric_value") for item in map(as_object, as_list(metric.get("values")))
    }
    known = [number for number in numbers.values() if isinstance(number, int | float)]
    number = numbers.get(text_of(value), value)
    bounds = [item for item in as_list(metric.get("range")) if isinstance(item, int | float)]
    low, high = (min(known), max(known)) if known else (bounds[0], bounds[1]) if len(bounds) > 1 else (0, 1)
    if isinstance(number, bool) or not isinstance(number, int | float) or low >= high or not low <= number <= high:
        return number
    return (number - low) / (high - low)


def _named(item: Mapping[str, object]) -> NamedScore:
    return NamedScore(
        name=text_of(item.get("name")),
        value=item.get("value"),
        reason=text_of(item.get("reason")),
        judge=text_of(item.get("judge")),
        is_human=item.get("is_human") is True,
    )


def _judged(row: Row) -> Judged:
    return judged_by_names(row, [_named(as_object(item)) for item in as_list(row.at(_FOUND))], prefix=_PREFIX)


READER = Reader(name="inspectorraget", title="InspectorRAGet", recognise=recognise, open=open_rows, judged=_judged)
