"""DeepEval: goldens and test cases in either spelling (`actual_output`, `actualOutput`), run files and its database."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import UnreadableFile
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.limits import load_json
from faithview.formats.reading.reader import Judged, Match, Reader, Row
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
from faithview.formats.rows.cells import as_number, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import by_folded_name, map_by_alias

# A metric becomes a column of its score; everything about it stays in `metricsData`.
_METRIC = "metric."
_DATA = ("metricsData", "metrics_data")
_FAITHFULNESS = f"{_METRIC}Faithfulness"
_HALLUCINATION = f"{_METRIC}Hallucination"
# The columns of DeepEval's own CSV and JSON Lines files, in which chunks are joined with "|".
_OWN_TABLE = frozenset({"source_file", "tools_called", "expected_tools"})
_JOINED = "|"
# DeepEval's "no" means contradicted by the chunks; "idk" and "borderline" mean not mentioned.
_WORDS: Mapping[str, Verdict] = {
    **VERDICTS,
    "no": Verdict.CONTRADICTED,
    "idk": Verdict.NOT_MENTIONED,
    "borderline": Verdict.NOT_MENTIONED,
}
_SECTION = re.compile(r"^(Truths[^\n]*|Claims|Verdicts|Score[^\n]*):[ ]*\n", re.MULTILINE)
# A reason ends before the next verdict.
_VERDICT = re.compile(
    r'"verdict":\s*"(?P<verdict>[^"]*)"(?:,\s*"reason":\s*(?:null|"(?P<reason>(?:(?!"verdict":).)*?)"\s*\}))?',
    re.DOTALL,
)


def recognise(table: Table) -> Match | None:
    """Return a match if the file is DeepEval's: its database, a run, or a table with its columns."""
    if table.database is not None:
        if not table.database.has("test_runs", "payload_json", "created_at"):
            return None
        return _match_run("The tables are those of DeepEval's local store.", table, score=0.98)
    cases = _cases(table.whole)
    if cases is not None:
        return _match_run("The keys 'testCases' and 'metricsScores' are those of a DeepEval run.", table, score=0.98)
    return _match_table(table)


def _match_run(reason: str, table: Table, *, score: float) -> Match:
    opened = open_rows(table)
    names = by_folded_name(opened.columns)
    mapping = replace(
        map_by_alias((), without=frozenset()),
        question=names.get("input"),
        answer=names.get("actual_output"),
        contexts=(names["retrieval_context"],) if "retrieval_context" in names else (),
        reference=names.get("expected_output"),
        key=names["name"] if "name" in names and _is_unique(names["name"], opened.head) else None,
    )
    mapping, warnings = _with_gold(mapping, names)
    match = Match(score=score, reasons=(reason,), title="DeepEval run", mapping=mapping, has_results=True)
    return replace(_with_metrics(match, opened), warnings=warnings)


def _match_table(table: Table) -> Match | None:
    columns, head = table.columns, table.head
    names = by_folded_name(columns)
    if not {"actual_output", "retrieval_context"}.intersection(names):
        return None
    retrieved = names.get("retrieval_context")
    gold = names.get("context")
    mapping = replace(
        map_by_alias(columns, without=frozenset({gold} if gold else ())),
        question=names.get("input"),
        answer=names.get("actual_output"),
        contexts=(retrieved,) if retrieved else (),
        reference=names.get("expected_output"),
        context_separator=_JOINED if names.keys() >= _OWN_TABLE and _are_texts(retrieved, head) else None,
    )
    if mapping.key is None and "name" in names and _is_unique(names["name"], head):
        mapping = replace(mapping, key=names["name"])
    mapping, warnings = _with_gold(mapping, names)
    is_complete = retrieved is not None and mapping.answer is not None
    signs = " and ".join(repr(name) for name in (mapping.answer, retrieved) if name)
    match = Match(
        score=0.97 if is_complete else 0.9,
        reasons=(f"{signs} {'are DeepEval columns' if is_complete else 'is a DeepEval column'}.",),
        mapping=mapping,
    )
    has_data = any(_data_of(row.values) for row in head)
    return replace(_with_metrics(match, open_rows(table) if has_data else table), warnings=warnings)


def _with_gold(mapping: ColumnMapping, names: Mapping[str, str]) -> tuple[ColumnMapping, tuple[str, ...]]:
    """Return the mapping, and a remark on the ideal context, which is never used as the retrieved one."""
    gold = names.get("context")
    if not mapping.contexts:
        reason = "DeepEval files have the retrieved chunks in 'retrieval_context', which this file does not have"
        if gold is not None:
            reason += f"; its {gold!r} is the ideal context and was not used instead"
        return replace(mapping, unmapped_contexts=reason), (f"{reason}.",)
    if gold is None:
        return mapping, ()
    retrieved = mapping.contexts[0]
    return mapping, (
        f"{retrieved!r} was read as the retrieved chunks; {gold!r} is DeepEval's ideal context, an extra column.",
    )


def _with_metrics(match: Match, table: Table) -> Match:
    """Return the match with the metric for faithfulness: DeepEval's own, else a similar one."""
    columns = table.columns
    if _FAITHFULNESS in columns:
        return replace(match, mapping=replace(match.mapping, score=_FAITHFULNESS), has_results=True)
    if _HALLUCINATION in columns and not any("faithful" in c.lower() or "ground" in c.lower() for c in columns):
        # The share of contexts that the answer contradicts.
        return replace(match, mapping=replace(match.mapping, hallucination=_HALLUCINATION), has_results=True)
    mapping, questions = map_scores(columns, table.head, match.mapping)
    has_results = match.has_results or mapping.score is not None or bool(questions)
    return replace(match, mapping=mapping, questions=questions, has_results=has_results)


def open_rows(table: Table) -> Table:
    """Return the file with a row for each test case, and with a column for each metric's score."""
    if table.database is not None:
        run, note = _newest_run(table)
        cases = _cases(run) or []
        return replace(table.with_rows(lambda: _rows_of(cases)), notes=(*table.notes, note))
    found = _cases(table.whole)
    if found is not None:
        return replace(table.with_rows(lambda: _rows_of(found)), notes=())
    if not any(_data_of(row.values) for row in table.head):
        return table
    return table.with_rows(lambda: (_flat(row) if isinstance(row, RawRow) else row for row in table.rows()))


def _newest_run(table: Table) -> tuple[Mapping[str, object], str]:
    if table.database is None:
        return {}, ""
    runs = list(table.database.rows("SELECT id, created_at FROM test_runs ORDER BY id DESC"))
    if not runs:
        raise UnreadableFile(f"{table.name} does not contain a DeepEval run.")
    newest = runs[0]
    (row,) = table.database.rows("SELECT payload_json FROM test_runs WHERE id = ?", (newest["id"],))
    more = f"; its {len(runs) - 1} earlier ones were not" if len(runs) > 1 else ""
    note = f"The run of {newest['created_at']} was read, the newest of the database{more}."
    return as_object(row["payload_json"]), note


def _cases(whole: Mapping[str, object]) -> Sequence[object] | None:
    """Return the test cases of a run, None if the object is not a run."""
    inner = whole.get("testRunData") or whole.get("test_run_data")
    run = inner if isinstance(inner, Mapping) else whole
    cases = next((run[key] for key in ("testCases", "test_cases") if isinstance(run.get(key), list)), None)
    is_run = any(key in run for key in ("metricsScores", "metrics_scores", "testPassed", "test_passed"))
    return cases if isinstance(cases, list) and is_run else None


def _rows_of(cases: Sequence[object]) -> Iterator[RawRow | RowProblem]:
    for number, case in enumerate(cases, start=1):
        if isinstance(case, Mapping):
            yield _flat(RawRow(number, {str(key): value for key, value in case.items()}))
        else:
            yield RowProblem(line=number, reason=f"the test case is a {type(case).__name__}")


def _flat(row: RawRow) -> RawRow:
    scores = {f"{_METRIC}{text_of(item.get('name'))}": item.get("score") for item in _data_of(row.values)}
    return RawRow(row.line, {**row.values, **{name: value for name, value in scores.items() if name not in row.values}})


def _data_of(values: Mapping[str, object]) -> list[Mapping[str, object]]:
    data = next((values[key] for key in _DATA if not is_missing(values.get(key))), None)
    items = as_list(data) if data is not None else []
    return [item for item in items if isinstance(item, Mapping) and isinstance(item.get("name"), str)]


def _judged(row: Row) -> Judged | None:
    column = row.mapping.score or row.mapping.hallucination
    data = _data_of(row.cells)
    metric = next((item for item in data if f"{_METRIC}{item['name']}" == column), None)
    others = {}
    for item in data:
        if item is not metric:
            others.update(_other_score(item))
    if metric is None:
        return replace(by_columns(row), metrics=others)
    named = {fold_name(str(key)): value for key, value in metric.items()}
    model = text_of(named.get("evaluation_model"))
    judge = f"DeepEval ({model})" if model else "DeepEval"
    error = text_of(named.get("error"))
    if error:
        # Its logs are those of the previous case, which DeepEval does not clear.
        return Judged(error=error, judge=judge, metrics=others)
    # The metric's own score counts, because a column of that name may have another one.
    score = by_columns(replace(row, cells={**row.cells, str(column): named.get("score")})).score
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    if fold_name(str(metric["name"])) == "faithfulness":
        claims, notes = _claims_in(text_of(named.get("verbose_logs")), row.sample.answer)
    return Judged(
        score=score,
        claims=claims,
        judge=judge,
        reason=text_of(named.get("reason")),
        metrics=others,
        notes=notes,
        cost_usd=_number(named.get("evaluation_cost")),
        seconds=_number(row.cells.get("runDuration")) or 0.0,
    )


def _other_score(item: Mapping[str, object]) -> dict[str, float]:
    score = as_metric(item.get("score"))
    return {} if score is None else {str(item["name"]): score}


def _number(value: object) -> float | None:
    number = as_number(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    return number if number >= 0 and math.isfinite(number) else None


def _claims_in(logs: str, answer: str) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claims that the metric's log lists, each with the verdict at the same place in the second list."""
    parts = _SECTION.split(logs)
    sections = {name.partition(" ")[0]: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    if "Claims" not in sections or "Verdicts" not in sections:
        return (), ()
    texts = _printed_texts(sections["Claims"])
    verdicts = _printed_verdicts(sections["Verdicts"])
    if len(texts) != len(verdicts):
        counts = f"{len(texts)} claims and {len(verdicts)} verdicts"
        return (), (f"DeepEval's log lists {counts}, which cannot be matched; only its score was used.",)

    def make(item: tuple[str, tuple[str, str]]) -> Claim:
        text, (verdict, reason) = item
        return make_claim(text, as_verdict(verdict, words=_WORDS), answer=answer, reason=reason)

    return all_claims(zip(texts, verdicts, strict=True), make)


def _printed_texts(section: str) -> list[str]:
    """Return the texts of a printed list with unescaped quotation marks: one item per line, four spaces in."""
    try:
        found = load_json(section)
    except ValueError:
        inner = section.removeprefix("[").removesuffix("]").strip()
        return [item for item in inner.removeprefix('"').removesuffix('"').split('",\n    "') if item.strip()]
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []


def _printed_verdicts(section: str) -> list[tuple[str, str]]:
    try:
        found = load_json(section)
    except ValueError:
        return [(match["verdict"], match["reason"] or "") for match in _VERDICT.finditer(section)]
    items = [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []
    return [(str(item.get("verdict", "")), text_of(item.get("reason"))) for item in items]


def _are_texts(column: str | None, head: Sequence[RawRow]) -> bool:
    cells = [row.values.get(column) for row in head] if column else []
    return any(isinstance(cell, str) for cell in cells) and not any(isinstance(cell, list) for cell in cells)


def _is_unique(column: str, head: Sequence[RawRow]) -> bool:
    values = [row.values.get(column) for row in head]
    return all(isinstance(value, str) and not is_missing(value) for value in values) and len(set(values)) == len(values)


READER = Reader(name="deepeval", title="DeepEval", recognise=recognise, open=open_rows, judged=_judged)
