"""promptfoo's results as JSON or JSON Lines: an answer for each test, prompt and model."""

import re
from collections.abc import Iterator, Mapping

from faithview.formats.files.aliases import find_columns
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, match_by_names, score_cells
from faithview.formats.reading.reader import Judged, Match, Reader, Row, map_rows
from faithview.formats.reading.score_columns import is_about_faithfulness
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.cells import is_missing, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.spans.steps import ANSWER, CONTEXTS, QUESTION, map_trace, text_in

_PREFIX = "metric."
_MODEL, _REFERENCE = "model", "reference"
_FAITHFUL = "context-faithfulness"
# promptfoo's reason for a measured faithfulness; any other reason with a score of 0 is a failure to measure.
_MEASURED = re.compile(r"Faithfulness -?\d")


def recognise(table: Table) -> Match | None:
    """Return a match for promptfoo's results, else None."""
    columns = set(table.columns)
    if not ({"vars", "response"} <= columns and columns & {"gradingResult", "promptIdx", "namedScores"}):
        return None
    opened = open_rows(table)
    models = {text_of(row.values.get(_MODEL)) for row in opened.head}
    mapping = ColumnMapping(
        key="id" if "id" in columns else None,
        segment=_MODEL if len(models) > 1 else None,
        reference=_REFERENCE if _REFERENCE in opened.columns else None,
    )
    mapping, asked = map_trace(opened, mapping, objects=("vars", "response", "metadata"))
    return match_by_names(opened, mapping, tool="promptfoo", prefix=_PREFIX, asked=asked)


def open_rows(table: Table) -> Table:
    """Return the results with question, answer, chunks and scores."""
    return map_rows(table, _result)


def _result(row: RawRow) -> RawRow | RowProblem:
    values = row.values
    response, given = as_object(values.get("response")), as_object(values.get("vars"))
    answer = response.get("output")
    if is_missing(answer) and not is_missing(error := response.get("error", values.get("error"))):
        reason = f"there is no answer: the model ended in the error {preview_of(text_of(error))!r}"
        return RowProblem(line=row.line, reason=reason)
    parts = _parts(values)
    chunks = next((chunks for part in parts if not is_missing(chunks := value_at(part, "metadata.context"))), None)
    provider = as_object(values.get("provider"))
    cells: dict[str, object] = {
        QUESTION: text_in("question", given),
        ANSWER: text_in("answer", answer) or answer,
        _MODEL: text_of(provider.get("label") or provider.get("id") or values.get("provider")),
    }
    if chunks is not None:
        cells[CONTEXTS] = as_list(chunks)
    named = [given[name] for name in find_columns("reference", [str(name) for name in given])]
    expected = [value_at(part, "assertion.value") for part in parts if _kind(part) in ("factuality", "context-recall")]
    if reference := next((text for text in (*named, *expected) if isinstance(text, str) and text.strip()), ""):
        cells[_REFERENCE] = reference
    return RawRow(row.line, {**values, **cells, **score_cells(_scores(values), prefix=_PREFIX)})


def _parts(values: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the result of each assertion."""
    return [as_object(part) for part in as_list(value_at(values, "gradingResult.componentResults"))]


def _kind(part: Mapping[str, object]) -> str:
    return text_of(value_at(part, "assertion.type"))


def _scores(values: Mapping[str, object]) -> Iterator[NamedScore]:
    """Yield the score of each assertion; if the file has none, the scores by name."""
    parts = _parts(values)
    if not parts:
        yield from (NamedScore(name=name, value=score) for name, score in as_object(values.get("namedScores")).items())
    for part in parts:
        kind = _kind(part)
        name = text_of(value_at(part, "assertion.metric")) or kind
        if kind == _FAITHFUL and not is_about_faithfulness(name):
            name = f"{name} ({kind})"
        if not name:
            continue
        score, reason = part.get("score", part.get("pass")), text_of(part.get("reason"))
        failed = kind == _FAITHFUL and part.get("score") == 0 and bool(reason) and not _MEASURED.match(reason)
        grader = value_at(part, "assertion.provider") or value_at(values, "testCase.options.provider")
        grader = as_object(grader).get("id", grader)
        yield NamedScore(
            name=name,
            value=None if failed else score,
            reason="" if failed else reason,
            judge=f"promptfoo ({grader})" if isinstance(grader, str) and grader and "://" not in grader else "",
            is_human=kind == "human",
            error=reason if failed else "",
        )


def judged(row: Row) -> Judged:
    """Return the assertion on faithfulness with its reason, or why it could not be measured."""
    return judged_by_names(row, list(_scores(row.cells)), prefix=_PREFIX)


READER = Reader(name="promptfoo", title="promptfoo", recognise=recognise, open=open_rows, judged=judged)
