"""DeepEval: goldens and test cases in either spelling (`actual_output`, `actualOutput`), and run files."""

import re
from collections.abc import Mapping
from dataclasses import replace

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Usage
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.limits import load_json
from faithview.formats.reading.reader import Judged, Match, Reader, Row, map_rows
from faithview.formats.reading.score_columns import by_columns, map_scores
from faithview.formats.reading.values import (
    VERDICTS,
    all_claims,
    as_list,
    as_metric,
    as_object,
    as_verdict,
    make_claim,
    text_of,
)
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import by_folded_name, map_by_alias

# A metric becomes a column of its score; everything about it stays in `metricsData`.
_METRIC = "metric."
_FAITHFULNESS = f"{_METRIC}Faithfulness"
_HALLUCINATION = f"{_METRIC}Hallucination"
# DeepEval's own CSV and JSON Lines files have these columns, and chunks joined with "|".
_OWN_TABLE = frozenset({"source_file", "tools_called", "expected_tools"})
_JOINED = "|"
# DeepEval's "no" means contradicted by the chunks.
_WORDS = {**VERDICTS, "no": Verdict.CONTRADICTED, "borderline": Verdict.NOT_MENTIONED}


def recognise(table: Table) -> Match | None:
    """Return a match if the file is DeepEval's: a run, or a table with its columns."""
    if not {"actual_output", "retrieval_context"} & by_folded_name(table.columns).keys():
        return None
    opened = open_rows(table)
    names = by_folded_name(opened.columns)
    retrieved, gold, name = names.get("retrieval_context"), names.get("context"), names.get("name")
    has_texts = any(isinstance(row.values.get(retrieved or ""), str) for row in opened.head)
    mapping = replace(
        map_by_alias(opened.columns, without=frozenset({gold} if gold else ())),
        question=names.get("input"),
        answer=names.get("actual_output"),
        contexts=(retrieved,) if retrieved else (),
        reference=names.get("expected_output"),
        context_separator=_JOINED if names.keys() >= _OWN_TABLE and has_texts else None,
    )
    ids = {text_of(row.values.get(name)) for row in opened.head} - {""} if name else set()
    if mapping.key is None and len(ids) == len(opened.head):
        mapping = replace(mapping, key=name)
    mapping, warnings = _without_gold(mapping, gold)
    if _FAITHFULNESS in opened.columns:  # DeepEval's own metric, whatever others there are
        return Match(mapping=replace(mapping, score=_FAITHFULNESS), warnings=warnings)
    # In its hallucination metric, the share of contexts that the answer contradicts, more is worse.
    mapping, questions = map_scores(opened.columns, opened.head, mapping, hallucination=_HALLUCINATION)
    return Match(mapping=mapping, questions=questions, warnings=warnings)


def _without_gold(mapping: ColumnMapping, gold: str | None) -> tuple[ColumnMapping, tuple[str, ...]]:
    """Return the mapping, and a remark on the ideal context, which is never used as the retrieved one."""
    if mapping.contexts:
        retrieved = mapping.contexts[0]
        remark = (
            f"{retrieved!r} was read as the retrieved chunks; {gold!r} is DeepEval's ideal context, an extra column."
        )
        return mapping, (remark,) if gold else ()
    reason = "DeepEval files have the retrieved chunks in 'retrieval_context', which this file does not have"
    if gold:
        reason += f"; its {gold!r} is the ideal context and was not used instead"
    return replace(mapping, unmapped_contexts=reason), (f"{reason}.",)


def open_rows(table: Table) -> Table:
    """Return the file with a row for each test case, and with a column for each metric's score."""
    return map_rows(table, _flat)


def _flat(row: RawRow) -> RawRow:
    scores = {f"{_METRIC}{item['name']}": item.get("score") for item in _metrics_of(row.values)}
    return RawRow(row.line, {**scores, **row.values})


def _metrics_of(values: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return what the row has about each metric, under folded names."""
    listed = as_list(values.get("metricsData", values.get("metrics_data")))
    items = [{fold_name(str(key)): value for key, value in as_object(item).items()} for item in listed]
    return [item for item in items if isinstance(item.get("name"), str)]


def judged(row: Row) -> Judged:
    """Return the metric's score with its reason, model, cost, and the claims in its log."""
    column = row.mapping.score or row.mapping.hallucination
    items = {f"{_METRIC}{item['name']}": item for item in _metrics_of(row.cells)}
    metric = items.pop(column or "", None)
    metrics = {str(item["name"]): as_metric(item.get("score")) for item in items.values()}
    if metric is None:
        return replace(by_columns(row), metrics=metrics)
    model = text_of(metric.get("evaluation_model"))
    judge = f"DeepEval ({model})" if model else "DeepEval"
    if error := text_of(metric.get("error")):
        # The log is that of the previous case, which DeepEval does not clear.
        return Judged(error=error, judge=judge, metrics=metrics)
    logs = text_of(metric.get("verbose_logs")) if column == _FAITHFULNESS else ""
    claims, notes = _claims_in(logs, row.sample.answer)
    cost, seconds = metric.get("evaluation_cost"), row.cells.get("runDuration")
    return Judged(
        score=by_columns(row).score,
        claims=claims,
        judge=judge,
        reason=text_of(metric.get("reason")),
        metrics=metrics,
        notes=notes,
        usage=Usage(cost_usd=cost if isinstance(cost, float) else None),
        seconds=seconds if isinstance(seconds, float) else 0.0,
    )


def _claims_in(logs: str, answer: str) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claims that the metric's log lists, each with the verdict at the same place in the second list.

    DeepEval prints quotation marks in a claim as they are; such a list is no JSON, and only the score is used.
    """
    texts, verdicts = _listed("Claims", logs), _listed("Verdicts", logs)
    if texts is None or verdicts is None or len(texts) != len(verdicts):
        return (), ("The claims in DeepEval's log cannot be read, or have no verdict each; only its score was used.",)

    def make(item: tuple[object, object]) -> Claim:
        text, ruling = text_of(item[0]), as_object(item[1])
        verdict = as_verdict(ruling.get("verdict"), words=_WORDS)
        return make_claim(text, verdict, answer=answer, reason=text_of(ruling.get("reason")))

    return all_claims(zip(texts, verdicts, strict=True), make)


def _listed(heading: str, logs: str) -> list[object] | None:
    """Return the list that the log prints below a heading, empty without the heading; None if it is no JSON."""
    found = re.search(rf"^{heading}:\s*(\[\]|\[.*?^\])", logs, re.MULTILINE | re.DOTALL)
    try:
        return as_list(load_json(found[1])) if found else []
    except ValueError:
        return None


READER = Reader(name="deepeval", title="DeepEval", recognise=recognise, open=open_rows, judged=judged)
