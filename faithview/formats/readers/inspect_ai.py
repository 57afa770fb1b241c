"""Inspect's logs as JSON; `inspect log convert --to json` writes them from `.eval`.

A sample's chunks are where its author put them, mostly in its metadata. Each scorer has its own kind of value.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, match_by_names, score_cells
from faithview.formats.reading.objects import map_objects
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.cells import is_missing, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_PREFIX = "scores."
# The values of Inspect's own scorers: correct, partly correct, incorrect, no answer.
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
# The history of a sample, message by message; far longer than the sample.
_LEFT_OUT = ("events", "events_data", "attachments", "timelines")


def recognise(table: Table) -> Match | None:
    """Return a match for Inspect's logs, else None."""
    if not ({"eval", "samples"} <= set(table.whole) and "task" in as_object(table.whole["eval"])):
        return None
    opened = open_rows(table)
    mapping = ColumnMapping(
        key="id",
        timestamp="completed_at" if "completed_at" in opened.columns else None,
        ignore=tuple(name for name in _LEFT_OUT if name in opened.columns),
    )
    mapping, asked = map_objects(
        opened.head,
        mapping,
        question=("input",),
        contexts=("metadata", "store"),
        reference=("target",),
    )
    return match_by_names(
        opened,
        replace(mapping, answer="answer"),
        tool="Inspect",
        prefix=_PREFIX,
        asked=asked,
        warnings=("The events of a sample are not stored with its answer by default (--map ignore= keeps them).",),
    )


def open_rows(table: Table) -> Table:
    """Return the samples with their answers and scores."""
    return table.with_rows(lambda: _sample_rows(table))


def _sample_rows(table: Table) -> RawRows:
    header = as_object(table.whole.get("eval"))
    about = {"inspect_model": header.get("model"), "inspect_task": header.get("task")}
    for number, sample in enumerate(as_list(table.whole.get("samples")), start=1):
        if not isinstance(sample, Mapping):
            yield RowProblem(line=number, reason="the sample is not a JSON object")
            continue
        answer = _answer(as_object(sample.get("output")))
        yield RawRow(number, {**sample, "answer": answer, **about, **score_cells(_scores(sample), prefix=_PREFIX)})


def _answer(output: Mapping[str, object]) -> object:
    if not is_missing(output.get("completion")):
        return output["completion"]
    content = value_at(output, "choices.0.message.content")
    if not isinstance(content, list):
        return content
    return "".join(text_of(as_object(part).get("text")) for part in content)


def _scores(sample: Mapping[str, object]) -> Iterator[NamedScore]:
    for name, item in as_object(sample.get("scores")).items():
        score = as_object(item) or {"value": item}
        value, reason = score.get("value"), text_of(score.get("explanation"))
        for part, inner in value.items() if isinstance(value, Mapping) else [("", value)]:
            graded = _GRADES.get(inner, inner) if isinstance(inner, str) else inner
            yield NamedScore(name=f"{name}.{part}" if part else name, value=graded, reason=reason)


def judged(row: Row) -> Judged:
    """Return the scorer's value with its explanation, or why the sample failed."""
    found = judged_by_names(row, list(_scores(row.cells)), prefix=_PREFIX)
    error = text_of(value_at(row.cells, "error.message"))
    return replace(found, error=error) if found.score is None and error else found


READER = Reader(name="inspect", title="Inspect", recognise=recognise, open=open_rows, judged=judged)
