"""HaluEval: a right and a hallucinated answer to each question, dialogue or document; a row becomes two answers.

Also its sampled form, with one answer per row and whether it is hallucinated, and the results of its own evaluation,
where a model was asked about one of the two.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from faithview.domain.claim import Verdict
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Annotation, GivenLabel, Judged, Match, Reader, Row, as_result
from faithview.formats.reading.values import as_flag
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_RIGHT, _WRONG, _IS_WRONG, _KEY = "right", "hallucinated", "hallucination", "answer_id"
_TRUTH, _VERDICT = "ground_truth", "judgement"
# The columns of the answer, the document and the question, by task.
_TASKS: Mapping[str, tuple[str, str, str | None]] = {
    "qa": ("answer", "knowledge", "question"),
    "dialogue": ("response", "knowledge", "dialogue_history"),
    "summarization": ("summary", "document", None),
}


def recognise(table: Table) -> Match | None:
    """Return a match for a file of pairs, of single answers, or of the answers of HaluEval's evaluation, else None."""
    columns = frozenset(table.columns)
    task = _task_of(columns)
    if task is None:
        return None
    answer, document, question = _TASKS[task]
    mapping = ColumnMapping(question=question, answer=answer, contexts=(document,))
    if _has_pairs(columns, answer):
        why = f"The columns '{_RIGHT}_{answer}' and '{_WRONG}_{answer}' are those of HaluEval's pairs of answers."
        return Match(score=0.98, reasons=(why,), mapping=replace(mapping, key=_KEY), has_results=True)
    if {_TRUTH, _VERDICT} <= columns:
        why = f"The columns '{_TRUTH}' and '{_VERDICT}' are those of HaluEval's evaluation."
        return Match(score=0.95, reasons=(why,), mapping=mapping, has_results=True)
    values = [row.values.get(_IS_WRONG) for row in table.head]
    if all(isinstance(value, str) and as_flag(value) is not None for value in values) and values:
        why = f"The columns '{document}', '{answer}' and '{_IS_WRONG}' (yes, no) are those of HaluEval's samples."
        return Match(score=0.93, reasons=(why,), mapping=mapping, has_results=True)
    return None


def open_rows(table: Table) -> Table:
    """Return the rows with one answer each."""
    task = _task_of(frozenset(table.columns))
    if task is None or not _has_pairs(frozenset(table.columns), _TASKS[task][0]):
        return table
    return table.with_rows(lambda: _answers(table, _TASKS[task][0]), unit=table.unit)


def _answers(table: Table, answer: str) -> Iterator[RawRow | RowProblem]:
    for row in table.rows():
        if isinstance(row, RowProblem):
            yield row
            continue
        pair = (f"{_RIGHT}_{answer}", f"{_WRONG}_{answer}")
        rest = {name: value for name, value in row.values.items() if name not in pair}
        for column, kind, is_wrong in zip(pair, (_RIGHT, _WRONG), ("no", "yes"), strict=True):
            key = f"{row.line}-{kind}"
            yield RawRow(row.line, {**rest, answer: row.values.get(column), _IS_WRONG: is_wrong, _KEY: key})


def _label(row: Row) -> GivenLabel | None:
    given = row.cells.get(_TRUTH if _TRUTH in row.cells else _IS_WRONG)
    if is_missing(given):
        return None
    is_wrong = as_flag(given)
    if is_wrong is None:
        raise BadCell(f"the label is {preview_of(given)!r}; it must be yes or no")
    return GivenLabel(is_faithful=not is_wrong, task=_task_of(frozenset(row.cells)) or "", source="halueval")


def _judged(row: Row) -> Judged:
    if _VERDICT in row.cells:
        return _evaluated(row)
    return as_result(_label(row), by="HaluEval's labels")


def _evaluated(row: Row) -> Judged:
    """Return the verdict of HaluEval's model, with the label as an annotation."""
    label = _label(row)
    verdict = None if label is None else Verdict.SUPPORTED if label.is_faithful else Verdict.NOT_MENTIONED
    annotations = (Annotation(verdict=verdict, reviewer="HaluEval's labels"),) if verdict else ()
    is_wrong = as_flag(row.cells[_VERDICT])
    if is_wrong is None:
        return Judged(error="HaluEval found no yes or no in the model's reply.", annotations=annotations)
    return Judged(score=float(not is_wrong), annotations=annotations)


def _task_of(columns: frozenset[str]) -> str | None:
    for task, (answer, document, question) in _TASKS.items():
        needed = {document, *([question] if question else [])}
        if needed <= columns and (answer in columns or _has_pairs(columns, answer)):
            return task
    return None


def _has_pairs(columns: frozenset[str], answer: str) -> bool:
    return {f"{_RIGHT}_{answer}", f"{_WRONG}_{answer}"} <= columns


READER = Reader(name="halueval", title="HaluEval", recognise=recognise, open=open_rows, judged=_judged, label=_label)
