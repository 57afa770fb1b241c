"""open-rag-eval: its input, one passage per row; and its results as CSV and JSON, with several runs of a query per row.

Its hallucination score says how consistent the answer is with its passages: more is better.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from faithview.domain.claim import Claim
from faithview.domain.scoring import State
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import by_columns
from faithview.formats.reading.values import as_list, as_metric, as_object, as_score, make_claim, share_verdict, text_of
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_RUN = re.compile(r"run_(\d+)_(.+)")
_PASSAGES, _PARTS = "retrieved_passages", "generated_answer"
_GENERATION = "generation_score_"
_SCORE = f"{_GENERATION}hallucination_score"
_CITATIONS, _ANSWERED = f"{_GENERATION}citation_scores", f"{_GENERATION}no_answer_score"
# Other scores, with the maximum of each.
_METRICS = {
    "retrieval_score_mean_umbrela_score": 3.0,
    f"{_GENERATION}mean_nugget_assignment_score": 1.0,
    f"{_GENERATION}vital_nuggetizer_score": 1.0,
    f"{_GENERATION}citation_f1_score": 1.0,
}
_INPUT = frozenset({"query", "passage", "generated_answer"})
# Characters at the start of a part that end the part before it.
_PUNCTUATION = " .,;:!?"
_SENTINELS = {"NO_ANSWER": "the system gave no answer", "API_ERROR": "the system ended in an error"}


def recognise(table: Table) -> Match | None:
    """Return a match for open-rag-eval's input and its results, else None."""
    kind = _kind_of(table)
    if kind is None:
        return None
    is_input = kind == "input"
    return Match(
        score=0.97,
        schema="open-rag-eval-input" if is_input else "",
        title="open-rag-eval input" if is_input else "",
        reasons=(_REASONS[kind],),
        mapping=ColumnMapping(
            question="query",
            answer="answer",
            contexts=("passages",),
            key="key",
            score=None if is_input else _SCORE,
        ),
        has_results=not is_input,
    )


_REASONS = {
    "input": "The columns 'query', 'passage' and 'generated_answer' are those of open-rag-eval's input.",
    "table": f"Columns such as 'run_1_{_PASSAGES}' are those of open-rag-eval's results.",
    "report": "The key 'evaluation', a list of queries with their runs, is that of open-rag-eval's report.",
}


def _kind_of(table: Table) -> str | None:
    if "evaluation" in table.whole and "version" in table.whole:
        return "report"
    columns = set(table.columns)
    if {"query_id", "query", "runs"} <= columns:
        return "report"
    if any((found := _RUN.fullmatch(name)) and found[2] in (_PASSAGES, _SCORE) for name in columns):
        return "table"
    return "input" if columns >= _INPUT and columns & {"passage_id", "query_run", "query_id"} else None


def open_rows(table: Table) -> Table:
    """Return a row for each run of a query."""
    kind = _kind_of(table)
    if kind == "input":
        return table.with_rows(lambda: _grouped(table.read()))
    if kind == "table":
        return table.with_rows(lambda: _runs(table.read()), unit=table.unit)
    if "evaluation" in table.whole:
        listed = as_list(table.whole["evaluation"])
        return table.with_rows(lambda: _queries(RawRow(n, as_object(item)) for n, item in enumerate(listed, start=1)))
    return table.with_rows(lambda: _queries(table.read()), unit=table.unit)


@dataclass(slots=True)
class _Run:
    """One run of a query, whose passages are a row each."""

    line: int
    values: dict[str, object]
    passages: list[dict[str, object]] = field(default_factory=list)


def _grouped(rows: RawRows) -> RawRows:
    runs: dict[tuple[str, str], _Run] = {}
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        values = row.values
        query = text_of(values.get("query_id")) or text_of(values.get("query"))
        run = runs.setdefault((query, text_of(values.get("query_run")) or "1"), _Run(row.line, {}))
        for name, value in values.items():
            if name not in ("passage", "passage_id") and is_missing(run.values.get(name)):
                run.values[name] = value
        if not is_missing(values.get("passage")):
            run.passages.append({"text": text_of(values["passage"]), "chunk_id": text_of(values.get("passage_id"))})
    for (query, number), run in runs.items():
        answer = text_of(run.values.get(_PARTS))
        if answer.strip() in _SENTINELS:
            yield RowProblem(line=run.line, reason=f"{_SENTINELS[answer.strip()]} ({answer.strip()})")
            continue
        more = {"answer": answer or None, "passages": run.passages, "key": _key(query, number)}
        yield RawRow(run.line, {**run.values, **more})


def _runs(rows: RawRows) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        runs: dict[str, dict[str, object]] = {}
        rest: dict[str, object] = {}
        for name, value in row.values.items():
            found = _RUN.fullmatch(name)
            if found:
                runs.setdefault(found[1], {})[found[2]] = value
            else:
                rest[name] = value
        for number, run in runs.items():
            if not is_missing(run.get(_PARTS)):
                yield _query_row(row.line, rest, run, number)


def _queries(rows: RawRows) -> RawRows:
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        rest = {name: value for name, value in row.values.items() if name != "runs"}
        # Queries have different numbers of runs; the report adds empty ones.
        listed = [as_object(run) for run in as_list(row.values.get("runs"))]
        runs = [(str(n), run) for n, run in enumerate(listed, start=1) if not is_missing(run.get(_PARTS))]
        for number, run in runs:
            yield _query_row(row.line, rest, run, number)


def _query_row(line: int, rest: Mapping[str, object], run: Mapping[str, object], number: str) -> RawRow:
    passages = as_object(run.get(_PASSAGES))
    query = text_of(rest.get("query_id")) or text_of(rest.get("query"))
    return RawRow(
        line,
        {
            **rest,
            **run,
            "query_run": number,
            "answer": _answer(_answer_parts(run)) or None,
            "passages": [{"text": text_of(text), "chunk_id": str(name)} for name, text in passages.items()],
            "key": _key(query, number),
        },
    )


def _key(query: str, number: str) -> str:
    return query if number == "1" else f"{query}-{number}"


def _answer_parts(values: Mapping[str, object]) -> list[Mapping[str, object]]:
    return [part for part in map(as_object, as_list(values.get(_PARTS))) if not is_missing(part.get("text"))]


def _answer(parts: Sequence[Mapping[str, object]]) -> str:
    """Return the answer with its citations after each part, as it was before it was split."""
    answer = ""
    for part in parts:
        text = text_of(part["text"])
        marks = "".join(text_of(mark) for mark in as_list(part.get("citations")))
        gap = " " if answer and text[:1] not in _PUNCTUATION else ""
        answer += f"{gap}{text} {marks}".rstrip()
    return answer


def judged(row: Row) -> Judged:
    """Return the consistency with the passages; if every part of the answer has a citation, the parts are claims."""
    answered = text_of(as_object(row.at(_ANSWERED)).get("query_answered"))
    found = by_columns(row)
    claims, notes = _claims(row)
    return Judged(
        score=found.score,
        claims=claims,
        state=State.ABSTAINED if answered == "no" else None,
        metrics=dict(_metrics(row)),
        notes=notes,
    )


def _claims(row: Row) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    parts, scores = _answer_parts(row.cells), as_object(row.at(_CITATIONS))
    shares: list[float | None] = []
    for number in range(1, len(parts) + 1):
        try:
            shares.append(as_score(scores.get(f"part_score_{number}")))
        except BadCell as error:
            return (), (f"The scores of the citations were left out: {error}.",)
    cites = [bool(as_list(part.get("citations"))) for part in parts]
    known = [share for share, cited in zip(shares, cites, strict=True) if share is not None and cited]
    if not known:
        return (), ()
    if len(known) < len(parts):
        count = f"{len(parts) - len(known)} of {len(parts)}"
        return (), (f"open-rag-eval judged no citation of {count} parts of the answer, so they are not claims.",)
    claims = (
        make_claim(
            text_of(part["text"]).lstrip(_PUNCTUATION),
            share_verdict(share),
            answer=row.sample.answer,
            chunk_ids=[text_of(mark) for mark in as_list(part.get("citations"))] if share > 0 else (),
        )
        for part, share in zip(parts, known, strict=True)
    )
    return tuple(claims), ()


def _metrics(row: Row) -> Iterator[tuple[str, float]]:
    for name, most in _METRICS.items():
        if (share := as_metric(row.at(name), high=most)) is not None:
            yield name.removeprefix(_GENERATION).removeprefix("retrieval_score_"), share


READER = Reader(name="open-rag-eval", title="open-rag-eval", recognise=recognise, open=open_rows, judged=judged)
