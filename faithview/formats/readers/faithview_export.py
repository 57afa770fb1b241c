"""FaithView's own export, read back: the same answers with their claims, figures and labels.

Also in the formats of LangSmith and InspectorRAGet, where the answers are at other places than in these tools' own
files; the readers of Ragas and DeepEval read those in their formats (`formats/reading/own_rows.py`).
"""

from collections.abc import Iterator, Mapping

from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.own_rows import COLUMNS, MAPPING, has_own_fields, judged, match_own, open_own, own_cells
from faithview.formats.reading.reader import Match, Reader
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.write import from_safe_cell

_SIGNS = frozenset({"key", "answer", "state", "faithfulness", "chunks", "claims", "extra", "view"})
_EXAMPLE = ColumnMapping(
    question="inputs.question",
    answer="outputs.answer",
    contexts=("outputs.contexts",),
    score="metadata.faithfulness",
)
_TASK = ColumnMapping(question="input", answer="output", contexts=("contexts",))
# The fields of InspectorRAGet's own results; other columns were added to the rows.
_RESULT = frozenset({"task_id", "model_id", "output", "scores", "labels", "contexts"})


def recognise(table: Table) -> Match | None:
    """Return a match if the file was written by `faithview export`, else None."""
    if _SIGNS.issubset(table.columns):
        return Match(
            score=0.99,
            reasons=(
                "The columns 'state', 'faithfulness', 'chunks', 'claims' and 'view' are those of `faithview export`.",
            ),
            mapping=MAPPING,
            has_results=True,
        )
    if _are_examples(table) or _has_tasks(table):
        return match_own(Match(score=0.99, reasons=(), mapping=MAPPING))
    return None


def _are_examples(table: Table) -> bool:
    is_example = {"inputs", "outputs", "metadata"}.issubset(table.columns)
    return is_example and has_own_fields(as_object(table.first.get("metadata")))


def _has_tasks(table: Table) -> bool:
    results = table.whole.get("results")
    if not isinstance(results, list) or not results or "tasks" not in table.whole:
        return False
    return has_own_fields(as_object(as_object(results[0]).get("metadata")))


def open_rows(table: Table) -> Table:
    """Return the rows with their original extra columns restored."""
    if _are_examples(table):
        return open_own(table, _EXAMPLE)
    if _has_tasks(table):
        return open_own(table.with_rows(lambda: _results(table.whole)), _TASK)
    is_csv = table.format.startswith(("csv", "tsv"))
    rows = table.with_rows(
        lambda: (_flat(row, is_csv=is_csv) if isinstance(row, RawRow) else row for row in table.rows()),
        unit=table.unit,
    )
    # The first row may lack a column that others have.
    return table.with_rows(rows.read, unit=table.unit, columns=tuple(dict.fromkeys((*COLUMNS, *rows.columns))))


def _results(whole: Mapping[str, object]) -> Iterator[RawRow]:
    """Yield each result of a file for InspectorRAGet with its task's question and the texts of its documents."""
    documents = {text_of(item.get("document_id")): item for item in map(as_object, as_list(whole.get("documents")))}
    tasks = {text_of(item.get("task_id")): item for item in map(as_object, as_list(whole["tasks"]))}
    for number, result in enumerate(map(as_object, as_list(whole["results"])), start=1):
        task = tasks.get(text_of(result.get("task_id")), {})
        cited = [text_of(as_object(item).get("document_id")) for item in as_list(task.get("contexts"))]
        output = as_list(result.get("output"))
        yield RawRow(
            number,
            {
                **{name: value for name, value in result.items() if name not in _RESULT},
                "input": task.get("input"),
                "output": as_object(output[-1]).get("content") if output else None,
                "contexts": [documents[name].get("text") for name in cited if name in documents],
            },
        )


def _flat(row: RawRow, *, is_csv: bool) -> RawRow:
    own = {
        name: from_safe_cell(value) if is_csv and isinstance(value, str) else value
        for name, value in row.values.items()
        if name != "extra"
    }
    return RawRow(row.line, own_cells(own, as_object(row.values.get("extra"))))


READER = Reader(name="faithview", title="FaithView export", recognise=recognise, open=open_rows, judged=judged)
