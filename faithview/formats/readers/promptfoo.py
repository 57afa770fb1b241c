"""promptfoo's results: the JSON file, JSON Lines with a result each, and the table with a column for each prompt."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from faithview.formats.files.aliases import find_columns
from faithview.formats.files.report import RowProblem, preview_of
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, match_by_names, score_cells
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import is_about_faithfulness
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.spans.steps import ANSWER, CONTEXTS, QUESTION, map_trace, text_in

_PREFIX = "metric."
_SCORES, _MODEL, _REFERENCE = "scores", "model", "reference"
_FAITHFUL = "context-faithfulness"
# promptfoo's reason for a measured faithfulness; any other reason with a score of 0 is a failure to measure.
_MEASURED = re.compile(r"Faithfulness -?\d")
_OUTPUT = re.compile(r"\[[^\]]*\] ", re.DOTALL)
_STATUS = re.compile(r"Status(_\d+)?")
_OLD_STATUS = re.compile(r"\[(PASS|FAIL|ERROR)\]\s*(\(\d+(?:\.\d+)?\)\s*)?")
_METRIC = "Metric: "
_NUMBERED = re.compile(r"_\d+$")
_STATUS_COLUMN, _ERROR = "Status", "ERROR"
_ONLY_IN_JSON = (
    "In promptfoo's CSV, several chunks are one text with commas between them, and a grader that failed looks like a "
    "FAIL with a score of 0; promptfoo's JSON keeps both apart."
)


def recognise(table: Table) -> Match | None:
    """Return a match for promptfoo's results, else None."""
    kind = _kind_of(table.columns)
    if kind is None:
        return None
    opened = open_rows(table)
    columns = opened.columns
    models = {text_of(row.values.get(_MODEL)) for row in opened.head}
    mapping = ColumnMapping(
        key="id" if "id" in columns else None,
        segment=_MODEL if len(models) > 1 else None,
        reference=_REFERENCE if _REFERENCE in columns else None,
    )
    mapping, asked = map_trace(opened, mapping, objects=("vars", "response", "metadata"))
    return match_by_names(
        opened,
        mapping,
        tool="promptfoo",
        prefix=_PREFIX,
        score=0.97,
        why=_REASONS[kind],
        asked=asked,
        warnings=(_ONLY_IN_JSON,) if kind == "table" else (),
    )


_REASONS = {
    "results": "The keys 'vars', 'response' and those of the grading are those of promptfoo's results.",
    "table": "A column for each prompt, followed by 'Status', 'Score' and 'Grader Reason', is promptfoo's.",
}


def _kind_of(names: Collection[str]) -> str | None:
    columns = set(names)
    if {"vars", "response"} <= columns and columns & {"gradingResult", "promptIdx", "namedScores"}:
        return "results"
    return "table" if _outputs(list(names)) else None


def open_rows(table: Table) -> Table:
    """Return a row for each answer: a test with several prompts or models has several."""
    if _kind_of(table.columns) == "results":
        return table.with_rows(lambda: _results(table.read()), unit=table.unit)
    groups = _outputs(table.columns)
    return table.with_rows(lambda: _answers(table.read(), table.columns, groups), unit=table.unit)


def _results(rows: RawRows) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        values = row.values
        response, given = as_object(values.get("response")), as_object(values.get("vars"))
        answer = response.get("output")
        if is_missing(answer) and not is_missing(error := response.get("error", values.get("error"))):
            reason = f"there is no answer: the model ended in the error {preview_of(text_of(error))!r}"
            yield RowProblem(line=row.line, reason=reason)
            continue
        found = list(_components(values))
        chunks = next((item["context"] for item in found if not is_missing(item.get("context"))), None)
        provider = as_object(values.get("provider"))
        label = text_of(provider.get("label")) or text_of(provider.get("id"))
        yield RawRow(
            row.line,
            {
                **values,
                QUESTION: text_in("question", given),
                ANSWER: text_in("answer", answer) or answer,
                **({CONTEXTS: as_list(chunks)} if chunks is not None else {}),
                **_reference(given, found),
                _MODEL: label or text_of(values.get("provider")),
                _SCORES: found,
                **score_cells(map(_named, found), prefix=_PREFIX),
            },
        )


def _components(values: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield the result of each assertion; if the file has none, the scores by name."""
    listed = [as_object(item) for item in as_list(as_object(values.get("gradingResult")).get("componentResults"))]
    for item in listed:
        assertion = as_object(item.get("assertion"))
        kind, metric = text_of(assertion.get("type")), text_of(assertion.get("metric"))
        name = metric or kind
        if kind == _FAITHFUL and not is_about_faithfulness(name):
            name = f"{name} ({kind})"
        if not name:
            continue
        yield {
            "name": name,
            "type": kind,
            "score": item.get("score", item.get("pass")),
            "reason": item.get("reason"),
            "expected": assertion.get("value"),
            "context": as_object(item.get("metadata")).get("context"),
            "provider": assertion.get(
                "provider", as_object(as_object(values.get("testCase")).get("options")).get("provider")
            ),
        }
    if not listed:
        yield from ({"name": name, "score": score} for name, score in as_object(values.get("namedScores")).items())


def _reference(given: Mapping[str, object], found: Sequence[Mapping[str, object]]) -> dict[str, object]:
    named = find_columns("reference", [str(name) for name in given])
    expected = [item.get("expected") for item in found if item.get("type") in ("factuality", "context-recall")]
    values = [*(given[name] for name in named), *expected]
    reference = next((value for value in values if isinstance(value, str) and not is_missing(value)), None)
    return {_REFERENCE: reference} if reference else {}


def _outputs(columns: Sequence[str]) -> list[tuple[int, int]]:
    """Return the start and end of each answer's columns in a table; empty if the table is not promptfoo's."""
    starts = [
        at
        for at, name in enumerate(columns)
        if _OUTPUT.match(name) and at + 1 < len(columns) and _STATUS.fullmatch(columns[at + 1])
    ]
    return list(pairwise([*starts, len(columns)])) if starts else []


def _answers(rows: RawRows, columns: Sequence[str], groups: Sequence[tuple[int, int]]) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        given = {name: row.values.get(name) for name in columns[: groups[0][0]]}
        asked = {name: value for name, value in given.items() if name != "Description"}
        for start, end in groups:
            cells = {name: row.values.get(name) for name in columns[start:end]}
            names = _unnumbered(cells, frozenset(columns[:start]))
            output = columns[start]
            found = _in_columns(names)
            yield RawRow(
                row.line,
                {
                    **given,
                    **{name: value for name, value in names.items() if name != output},
                    "vars": asked,
                    "prompt": output.partition("] ")[2],
                    _MODEL: output[1:].partition("] ")[0],
                    QUESTION: text_in("question", asked),
                    ANSWER: _OLD_STATUS.sub("", text_of(cells[output]), count=1) or None,
                    **_reference(asked, []),
                    _SCORES: found,
                    **score_cells(map(_named, found), prefix=_PREFIX),
                },
            )


def _unnumbered(cells: Mapping[str, object], before: Collection[str]) -> dict[str, object]:
    """Return an answer's cells under the names in the file, without the number that distinguishes repeated columns.

    A number in the name is kept: "Metric: hit_5_2" loses its last one only if a "Metric: hit_5" comes before it.
    """
    found: dict[str, object] = {}
    for name, value in cells.items():
        own = _NUMBERED.sub("", name)
        found[own if own in before and own not in found else name] = value
    return found


def _in_columns(cells: Mapping[str, object]) -> list[dict[str, object]]:
    named = {name.removeprefix(_METRIC): value for name, value in cells.items() if name.startswith(_METRIC)}
    # Exact, whereas the columns are rounded.
    scores = {**named, **as_object(cells.get("Named Scores"))}
    reason = text_of(cells.get("Grader Reason"))
    return [
        {
            "name": name,
            "score": score,
            # The reason is that of the first failed assertion, whichever it was.
            **({"reason": reason} if is_about_faithfulness(name) and _names_one_cause(reason, scores) else {}),
        }
        for name, score in scores.items()
        if not is_missing(score)
    ]


def _names_one_cause(reason: str, scores: Mapping[str, object]) -> bool:
    return bool(_MEASURED.match(reason)) or len([s for s in scores.values() if text_of(s) in ("0", "0.0", "0.00")]) == 1


def _named(item: Mapping[str, object]) -> NamedScore:
    reason, score = text_of(item.get("reason")), item.get("score")
    is_none = item.get("type") == _FAITHFUL and text_of(score) in ("0", "0.0", "0.00") and bool(reason)
    failed = is_none and not _MEASURED.match(reason)
    grader = item.get("provider")
    grader = as_object(grader).get("id", grader)
    is_named = isinstance(grader, str) and not is_missing(grader) and "://" not in grader
    return NamedScore(
        name=text_of(item.get("name")),
        value=None if failed else score,
        reason="" if failed else reason,
        judge=f"promptfoo ({grader})" if is_named else "",
        is_human=item.get("type") == "human",
        error=reason if failed else "",
    )


def judged(row: Row) -> Judged:
    """Return the assertion on faithfulness with its reason, or why it could not be measured.

    In the table a score of 0 is a score; only the status ERROR means that nothing was measured.
    """
    if text_of(row.at(_STATUS_COLUMN)).strip().upper() == _ERROR:
        return Judged(error=text_of(row.at("Grader Reason")) or "promptfoo gives the status ERROR.")
    return judged_by_names(row, [_named(as_object(item)) for item in as_list(row.at(_SCORES))], prefix=_PREFIX)


READER = Reader(name="promptfoo", title="promptfoo", recognise=recognise, open=open_rows, judged=judged)
