"""Giskard's RAG toolkit: test sets (`QATestset.save`) and reports, as a table or as the folder that `save` writes.

A report says whether an answer is correct, and not whether it is faithful; correctness becomes a metric here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import by_columns, map_scores
from faithview.formats.reading.values import as_flag, as_list, as_metric, as_object, text_of
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"question", "reference_answer", "reference_context", "conversation_history"})
_ANSWER, _CHUNKS, _CORRECT, _WHY = "agent_answer", "documents", "correctness", "correctness_reason"
_TESTS, _ANSWERS, _METRICS = "testset.jsonl", "agent_answer.json", "metrics_results.json"
_GOLD = "'reference_context' is the text that the question was written from, not the retrieved text"
_UNANSWERED = (
    "This is a test set of Giskard without answers. They are in 'agent_answer.json' of the folder that "
    "`RAGReport.save` writes; put it next to the test set, or name it with --with FILE."
)


def recognise(table: Table) -> Match | None:
    """Return a match for a test set, a table of a report, and the archive of a report's folder, else None."""
    if table.archive is not None:
        names = {name.rpartition("/")[2] for name in table.archive.names}
        if not {_TESTS, _ANSWERS} <= names:
            return None
        opened = open_rows(table)
    elif set(table.columns) >= _SIGNS:
        opened = open_rows(table)
    else:
        return None
    columns = opened.columns
    has_chunks = any(as_list(row.values.get(_CHUNKS)) for row in opened.head)
    mapping = ColumnMapping(
        question="question",
        answer=_ANSWER if _ANSWER in columns else None,
        contexts=(_CHUNKS,) if has_chunks else (),
        key="id" if "id" in columns else None,
        segment="metadata.topic"
        if any("topic" in as_object(row.values.get("metadata")) for row in opened.head)
        else None,
        reference="reference_answer",
        unmapped_contexts="" if has_chunks else _GOLD,
    )
    mapping, questions = map_scores(columns, opened.head, mapping)
    return Match(
        score=0.96,
        reasons=("The columns 'reference_answer', 'reference_context' and 'conversation_history' are Giskard's.",),
        mapping=mapping,
        questions=questions,
        warnings=() if mapping.answer else (_UNANSWERED,),
        has_results=mapping.score is not None or bool(questions),
    )


def open_rows(table: Table) -> Table:
    """Return the questions, with the answers and results from the companion files."""
    tests = table if table.archive is None else table.beside(_TESTS)
    if tests is None or _ANSWER in tests.columns:
        return tests or table
    answers, metrics = table.beside(_ANSWERS), table.beside(_METRICS)
    if answers is None:
        return tests
    by_id = as_object(metrics.whole) if metrics is not None else {}
    joined = table.with_rows(lambda: _join(tests, answers, by_id), unit=tests.unit)
    return replace(joined, notes=(*table.notes, f"Giskard's answers were read from {answers.name}."))


def _join(tests: Table, answers: Table, by_id: Mapping[str, object]) -> Iterator[RawRow | RowProblem]:
    """Yield the questions with their answers, which are in the same order but have no ids."""
    given = list(answers.rows())
    for number, row in enumerate(tests.rows()):
        if isinstance(row, RowProblem):
            yield row
            continue
        answer = given[number] if number < len(given) else None
        if not isinstance(answer, RawRow):
            yield RowProblem(line=row.line, reason=f"{answers.name} has no answer to this question", unit=tests.unit)
            continue
        more = {_ANSWER: answer.values.get("message"), _CHUNKS: answer.values.get("documents")}
        yield RawRow(row.line, {**row.values, **more, **as_object(by_id.get(text_of(row.values.get("id"))))})


def _judged(row: Row) -> Judged | None:
    metrics = {}
    correct = as_flag(row.at(_CORRECT))
    if correct is not None:
        metrics[_CORRECT] = float(correct)
    numbers = [name for name, value in row.cells.items() if isinstance(value, int | float) and not is_missing(value)]
    for name in numbers:
        if name != row.mapping.score and (score := as_metric(row.at(name))) is not None:
            metrics.setdefault(name, score)
    return replace(by_columns(row), metrics=metrics, reason=text_of(row.at(_WHY)))


READER = Reader(name="giskard", title="Giskard", recognise=recognise, open=open_rows, judged=_judged)
