"""Ragas: data sets and results of all versions from 0.1, and the traces of its faithfulness metric."""

from collections.abc import Mapping
from dataclasses import replace

from faithview.domain.claim import Claim
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row, map_rows
from faithview.formats.reading.score_columns import by_columns, map_scores
from faithview.formats.reading.values import as_list, as_metric, as_object, read_claims
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import by_folded_name, map_by_alias

_FAITHFULNESS = ("faithfulness", "faithfulness_with_hhem")
_METRICS = frozenset(
    {
        *_FAITHFULNESS,
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
# The column with the whole trace, in the rows built from traces.
_TRACE = "trace"


def recognise(table: Table) -> Match | None:
    """Return a match if the file is one of Ragas', else None."""
    names = by_folded_name(table.columns)
    if _are_traces(table):
        return Match(
            mapping=ColumnMapping(question="user_input", answer="response", contexts=("retrieved_contexts",)),
            has_results=True,
            warnings=("Ragas traces have the chunks of an answer as one text, so they were read as one chunk.",),
        )
    if "user_input" in names and names.keys() & {"response", "retrieved_contexts", "reference_contexts"}:
        return _match(table, names, question="user_input", answer="response", contexts="retrieved_contexts")
    is_first = {"question", "answer", "contexts"} <= names.keys()
    if is_first and names.keys() & {"ground_truth", "ground_truths", *_METRICS}:
        return _match(table, names, question="question", answer="answer", contexts="contexts")
    return None


def _match(table: Table, names: Mapping[str, str], *, question: str, answer: str, contexts: str) -> Match:
    by_alias = map_by_alias(table.columns)
    mapping = replace(
        by_alias,
        question=names[question],
        answer=names.get(answer, by_alias.answer),
        contexts=(names[contexts],) if contexts in names else (),
    )
    warnings: tuple[str, ...] = ()
    if contexts not in names:
        reason = "This is a Ragas file without 'retrieved_contexts'"
        if "reference_contexts" in names:
            reason += "; its 'reference_contexts' are what the question was written from, not the retrieved ones"
        mapping, warnings = replace(mapping, unmapped_contexts=reason), (f"{reason}.",)
    scored = next((names[name] for name in _FAITHFULNESS if name in names), None)
    if scored is not None:
        return Match(mapping=replace(mapping, score=scored), warnings=warnings)
    mapping, questions = map_scores(table.columns, table.head, mapping)
    return Match(mapping=mapping, questions=questions, warnings=warnings)


def _are_traces(table: Table) -> bool:
    # A table of results may include traces.
    return "user_input" not in table.columns and any(_prompts_of(row.values) for row in table.head)


def _prompts_of(values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the prompts of the faithfulness metric in a trace, by name; empty if there is none."""
    for name, prompts in values.items():
        if not fold_name(name).startswith("faithfulness") or not isinstance(prompts, Mapping):
            continue
        if any({"input", "output"} <= as_object(prompt).keys() for prompt in prompts.values()):
            return prompts
    return {}


def open_rows(table: Table) -> Table:
    """Return the rows built from traces; the rows of any other file are unchanged."""
    return map_rows(table, _trace_row) if _are_traces(table) else table


def _trace_row(row: RawRow) -> RawRow:
    cells: dict[str, object] = {}
    for prompt in _prompts_of(row.values).values():
        given = as_object(as_object(prompt).get("input"))
        cells.setdefault("user_input", given.get("question"))
        cells.setdefault("response", given.get("answer"))
        if "context" in given:
            cells["retrieved_contexts"] = [given["context"]]
    return RawRow(row.line, {**cells, _TRACE: dict(row.values)})


def judged(row: Row) -> Judged:
    """Return the score with its statements, if there are traces, and with Ragas' other metrics."""
    others = [name for name in row.cells if fold_name(name) in _METRICS and name != row.mapping.score]
    traces = row.cells.get(_TRACE, row.cells.get("traces"))
    claims, notes = _statements(as_object(traces), row.sample.answer)
    found = replace(by_columns(row), metrics={name: as_metric(row.cells[name]) for name in others})
    if not claims and _TRACE in row.cells:
        why = "Ragas' trace of this answer ends before its statements were judged."
        return replace(found, error=notes[0] if notes else why)
    return replace(found, claims=claims or found.claims, notes=(*found.notes, *notes))


def _statements(trace: Mapping[str, object], answer: str) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    for prompt in _prompts_of(trace).values():
        items = as_list(as_object(as_object(prompt).get("output")).get("statements"))
        if items and all(isinstance(item, Mapping) and "verdict" in item for item in items):
            return read_claims(items, answer=answer)
    return (), ()


READER = Reader(name="ragas", title="Ragas", recognise=recognise, open=open_rows, judged=judged)
