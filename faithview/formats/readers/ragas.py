"""Ragas: data sets and results of all versions from 0.1, traces of its prompts, and annotations from its app."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from faithview.domain.claim import Claim, Verdict
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Annotation, Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import by_columns, map_scores
from faithview.formats.reading.values import as_flag, as_list, as_metric, as_object, as_verdict, read_claims, text_of
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import by_folded_name, map_by_alias

_METRICS = frozenset(
    {
        "faithfulness",
        "faithfulness_with_hhem",
        "answer_relevancy",
        "response_relevancy",
        "context_precision",
        "context_recall",
        "context_entity_recall",
        "answer_correctness",
        "answer_similarity",
        "semantic_similarity",
        "factual_correctness",
        "noise_sensitivity",
    }
)
_PRESENT = "Ragas (0.2 and later)"
# The columns of rows built from traces and annotations; the originals are in `trace` and `annotation`.
_TRACE = "trace"
_ANNOTATION = "annotation"
_SCORE = "faithfulness"
_OPENED = ColumnMapping(
    question="user_input", answer="response", contexts=("retrieved_contexts",), reference="reference", score=_SCORE
)


def recognise(table: Table) -> Match | None:
    """Return a match if the file is one of Ragas', else None."""
    names = by_folded_name(table.columns)
    return (
        _recognise_annotations(table)
        or _recognise_traces(table)
        or _recognise_present(table, names)
        or _recognise_first(table, names)
    )


def _recognise_annotations(table: Table) -> Match | None:
    if not _annotated(table):
        return None
    columns = open_rows(table).columns
    return Match(
        schema="ragas-annotations",
        title="Ragas annotations",
        score=0.98,
        reasons=("'metric_input', 'metric_output' and 'is_accepted' are those of annotations for Ragas.",),
        # A metric's input has only the fields that the metric needs.
        mapping=replace(
            _OPENED,
            question=_OPENED.question if _OPENED.question in columns else None,
            contexts=tuple(name for name in _OPENED.contexts if name in columns),
            reference=_OPENED.reference if _OPENED.reference in columns else None,
        ),
        has_results=True,
    )


def _recognise_traces(table: Table) -> Match | None:
    if not any(_prompts_of(row.values) for row in table.head):
        return None
    if "user_input" in table.columns:
        return None  # a table of results that includes traces
    return Match(
        schema="ragas-traces",
        title="Ragas traces",
        score=0.97,
        reasons=("Statements with verdicts below the name of a metric are those of Ragas' traces.",),
        mapping=replace(_OPENED, score=None, reference=None),
        has_results=True,
        warnings=("Ragas traces have the chunks of an answer as one text, so they were read as one chunk.",),
    )


def _recognise_present(table: Table, names: dict[str, str]) -> Match | None:
    if "user_input" not in names or not {"response", "retrieved_contexts", "reference_contexts"}.intersection(names):
        return None
    # `reference_contexts` are the texts that the reference was written from; the retrieved chunks are in
    # `retrieved_contexts`.
    mapping = replace(
        map_by_alias(table.columns),
        question=names["user_input"],
        answer=names.get("response"),
        contexts=(names["retrieved_contexts"],) if "retrieved_contexts" in names else (),
        context_ids=names.get("retrieved_context_ids"),
        reference=names.get("reference"),
    )
    if "retrieved_contexts" in names:
        complete = mapping.answer is not None
        why = (
            "The columns 'user_input', 'response' and 'retrieved_contexts' are those of Ragas."
            if complete
            else "The columns are those of a Ragas data set without its responses."
        )
        return _with_scores(table, Match(score=0.98 if complete else 0.6, reasons=(why,), mapping=mapping), names)
    reason = (
        "This is a Ragas file without 'retrieved_contexts'; its 'reference_contexts' are what the question was written "
        "from, not the retrieved ones"
        if "reference_contexts" in names
        else "This is a Ragas file without 'retrieved_contexts'"
    )
    match = Match(
        score=0.9,
        reasons=("The columns 'user_input' and 'response' are those of Ragas.",),
        mapping=replace(mapping, unmapped_contexts=reason),
        warnings=(f"{reason}.",),
    )
    return _with_scores(table, match, names)


def _recognise_first(table: Table, names: dict[str, str]) -> Match | None:
    if not {"question", "answer", "contexts"}.issubset(names):
        return None
    truths = [names[name] for name in ("ground_truth", "ground_truths") if name in names]
    metrics = sorted(_METRICS.intersection(names))
    if not truths and not metrics:
        return None
    signs = ", ".join(repr(name) for name in (*truths, *metrics)[:3])
    match = Match(
        schema="ragas-0.1",
        title="Ragas 0.1",
        score=0.95,
        reasons=(f"The columns 'question', 'answer' and 'contexts' with {signs} are those of Ragas 0.1.",),
        mapping=replace(
            map_by_alias(table.columns),
            question=names["question"],
            answer=names["answer"],
            contexts=(names["contexts"],),
            reference=truths[0] if truths else names.get("reference"),
        ),
    )
    return _with_scores(table, match, names)


def _with_scores(table: Table, match: Match, names: dict[str, str]) -> Match:
    """Return the match with the column of the metric: `faithfulness` if it exists, else a similar one."""
    if _SCORE in names:
        return replace(match, mapping=replace(match.mapping, score=names[_SCORE]), has_results=True)
    mapping, questions = map_scores(table.columns, table.head, match.mapping)
    has_results = mapping.score is not None or bool(questions)
    return replace(match, mapping=mapping, questions=questions, has_results=has_results)


def open_rows(table: Table) -> Table:
    """Return the rows built from annotations and traces; the rows of any other file are unchanged."""
    samples = _annotated(table)
    if samples:
        return replace(table.with_rows(lambda: _annotation_rows(samples)), notes=())
    if any(_prompts_of(row.values) for row in table.head) and "user_input" not in table.columns:
        return table.with_rows(lambda: (_trace_row(row) if isinstance(row, RawRow) else row for row in table.rows()))
    return table


def _annotated(table: Table) -> list[object]:
    """Return the samples of the faithfulness metric, in a file of annotations by metric."""
    for name, samples in table.whole.items():
        if fold_name(str(name)).startswith(_SCORE) and isinstance(samples, list) and samples:
            first = samples[0]
            if isinstance(first, Mapping) and {"metric_input", "is_accepted", "prompts"} <= first.keys():
                return samples
    return []


def _annotation_rows(samples: list[object]) -> Iterator[RawRow | RowProblem]:
    for number, sample in enumerate(samples, start=1):
        if not isinstance(sample, Mapping):
            yield RowProblem(line=number, reason=f"the annotation is a {type(sample).__name__}")
            continue
        given = {str(key): value for key, value in as_object(sample.get("metric_input")).items()}
        rest = {key: value for key, value in sample.items() if key != "metric_input"}
        yield RawRow(number, {**given, _SCORE: sample.get("metric_output"), _ANNOTATION: rest})


def _prompts_of(values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the prompts of the faithfulness metric in a trace, by name; empty if there is none."""
    for name, prompts in values.items():
        if not fold_name(name).startswith(_SCORE) or not isinstance(prompts, Mapping):
            continue
        if any(isinstance(prompt, Mapping) and {"input", "output"} <= prompt.keys() for prompt in prompts.values()):
            return prompts
    return {}


def _trace_row(row: RawRow) -> RawRow:
    cells: dict[str, object] = {}
    for prompt in _prompts_of(row.values).values():
        given = as_object(as_object(prompt).get("input"))
        cells.setdefault("user_input", given.get("question"))
        cells.setdefault("response", given.get("answer"))
        if "context" in given:
            cells["retrieved_contexts"] = [given["context"]]
    return RawRow(row.line, {**cells, _TRACE: dict(row.values)})


def _judged(row: Row) -> Judged:
    """Return the result with its statements, if any, and with Ragas' other metrics."""
    annotation = as_object(row.cells.get(_ANNOTATION))
    if annotation:
        return _judged_annotation(row, annotation)
    traces = row.cells.get(_TRACE) if _TRACE in row.cells else row.cells.get("traces")
    claims, notes = _statements(_prompts_of(as_object(traces)), "output", row.sample.answer)
    judged = replace(by_columns(row), metrics=_other_metrics(row))
    if not claims and _TRACE in row.cells:
        why = notes[0] if notes else "Ragas' trace of this answer ends before its statements were judged."
        return replace(judged, error=why)
    return replace(judged, claims=claims or judged.claims, notes=(*judged.notes, *notes))


def _other_metrics(row: Row) -> dict[str, float]:
    metrics = {}
    for column in row.cells:
        if fold_name(column) not in _METRICS or column == row.mapping.score:
            continue
        if isinstance(value := row.at(column), float | int | str) and (score := as_metric(value)) is not None:
            metrics[column] = score
    return metrics


def _judged_annotation(row: Row, annotation: Mapping[str, object]) -> Judged:
    """Return Ragas' statements, with the verdicts of the person who accepted or edited them as annotations."""
    prompts = as_object(annotation.get("prompts"))
    answer = row.sample.answer
    claims, notes = _statements(prompts, "prompt_output", answer)
    edited = _verdicts(prompts, "edited_output")
    is_accepted = as_flag(annotation.get("is_accepted"))
    annotations = []
    for number, claim in enumerate(claims, start=1):
        # A person who edits and accepts a statement accepts the edited verdict, not the one that Ragas gave.
        verdict = edited.get(claim.text) or (claim.verdict if is_accepted else None)
        if verdict is not None:
            annotations.append(Annotation(verdict=verdict, claim_number=number))
    score = by_columns(row).score
    error = notes[0] if notes and score is None else None
    return Judged(score=score, claims=claims, error=error, notes=notes, annotations=tuple(annotations))


def _statements(prompts: Mapping[str, object], key: str, answer: str) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    for prompt in prompts.values():
        items = as_list(as_object(as_object(prompt).get(key)).get("statements"))
        if items and all(isinstance(item, Mapping) and "verdict" in item for item in items):
            return read_claims(items, answer=answer)
    return (), ()


def _verdicts(prompts: Mapping[str, object], key: str) -> dict[str, Verdict]:
    """Return the verdicts by statement in the output of a prompt, with a person's edits."""
    found: dict[str, Verdict] = {}
    for prompt in prompts.values():
        for item in as_list(as_object(as_object(prompt).get(key)).get("statements")):
            if isinstance(item, Mapping) and "verdict" in item:
                found[text_of(item.get("statement"))] = as_verdict(item["verdict"])
    return found


READER = Reader(name="ragas", title=_PRESENT, recognise=recognise, open=open_rows, judged=_judged)
