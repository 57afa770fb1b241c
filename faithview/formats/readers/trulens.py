"""TruLens: the table of records and feedback of `get_records_and_feedback`.

Each metric is a column, with its calls in the column `METRIC_calls`; those of groundedness list the statements of the
answer with their scores. The retrieved chunks are only in the arguments of the calls.
"""

from collections.abc import Mapping
from dataclasses import replace

from faithview.domain.claim import Claim
from faithview.domain.scoring import State
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row, map_rows
from faithview.formats.reading.score_columns import by_columns, pick_score
from faithview.formats.reading.values import (
    all_claims,
    as_list,
    as_metric,
    as_object,
    as_score,
    make_claim,
    share_verdict,
    text_of,
)
from faithview.formats.rows.cells import BadCell, is_missing, parsed, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_CALLS, _DIRECTION = "_calls", " direction"
_CONTEXTS = "retrieved_contexts"
# Where the reasons of a call are: with spans, and without them.
_REASONS = ("meta.explanation", "meta.reasons")
# TruLens' value for a judge's reply without a score.
_UNREADABLE = -1.0
_NOTHING_TO_JUDGE = "no non-trivial statements"


def recognise(table: Table) -> Match | None:
    """Return a match for TruLens' table of records, else None."""
    columns = set(table.columns)
    metrics = [name for name in table.columns if f"{name}{_CALLS}" in columns]
    if not (metrics or "record_json" in columns) or not columns >= {"record_id", "app_id", "input", "output"}:
        return None
    mapping = ColumnMapping(
        question="input",
        answer="output",
        contexts=(_CONTEXTS,),
        key="record_id",
        timestamp="ts" if "ts" in columns else None,
    )
    mapping, questions = pick_score(metrics, table.head, mapping, tool="TruLens")
    return Match(mapping=mapping, questions=questions, has_results=bool(metrics))


def open_rows(table: Table) -> Table:
    """Return the records, each with its chunks."""
    return map_rows(table, _with_contexts)


def _with_contexts(row: RawRow) -> RawRow:
    """Return the record with the chunks in its metrics' calls: a whole list of them, or one in each call."""
    calls = [call for name, cell in row.values.items() if name.endswith(_CALLS) for call in as_list(cell)]
    arguments = [as_object(as_object(call).get("args")) for call in calls]
    source = next((given["source"] for given in arguments if not is_missing(given.get("source"))), None)
    single = [text for given in arguments for text in as_list(given.get("context")) if isinstance(text, str)]
    return RawRow(row.line, {**row.values, _CONTEXTS: source or list(dict.fromkeys(single))})


def judged(row: Row) -> Judged:
    """Return the metric's score with the statements it is based on, and the other metrics."""
    metric = row.mapping.score or row.mapping.hallucination
    others = [name for name in row.cells if f"{name}{_CALLS}" in row.cells and name != metric]
    found = Judged(metrics={name: as_metric(row.at(name)) for name in others})
    if metric is None:
        return found
    value = row.at(metric)
    if value == _UNREADABLE:
        return replace(found, error="TruLens could not read a score in its judge's reply.")
    calls = [call for item in as_list(row.at(f"{metric}{_CALLS}")) if "meta" in (call := as_object(item))]
    call = calls[-1] if calls else {}
    reasons = next((parsed(cell) for path in _REASONS if not is_missing(cell := value_at(call, path))), None)
    if isinstance(reasons, str) and _NOTHING_TO_JUDGE in reasons.lower():
        note = f"TruLens wrote {value} and says: {reasons.strip()}. So the answer counts as having no claims."
        return replace(found, state=State.NO_CLAIMS, notes=(note,))
    found = replace(found, score=by_columns(row).score, reason=reasons if isinstance(reasons, str) else "")
    is_worse = row.mapping.score is None
    if row.mapping.score and row.at(f"{metric}{_DIRECTION}") in (False, 0, "False"):
        found, is_worse = replace(found, score=None if found.score is None else 1 - found.score), True
    if is_worse or found.reason:  # the statements of a metric in which more is worse are not claims with verdicts
        return found
    claims, notes = all_claims(map(as_object, as_list(reasons)), lambda item: _claim(item, row.sample.answer))
    return replace(found, claims=claims, notes=notes)


def _claim(statement: Mapping[str, object], answer: str) -> Claim:
    text = text_of(statement.get("criteria"))
    share = None if statement.get("score") == _UNREADABLE else as_score(statement.get("score"))
    if share is None or not text.strip():
        raise BadCell(f"it has no {'text' if share is not None else 'score'}")
    why = text_of(statement.get("supporting_evidence"))
    return make_claim(text, share_verdict(share), answer=answer, reason=why)


READER = Reader(name="trulens", title="TruLens", recognise=recognise, open=open_rows, judged=judged)
