"""ContextTrace: the output of `contexttrace verify --json`, claim by claim, with the evidence for each."""

from collections.abc import Mapping
from dataclasses import replace

from faithview.domain.claim import Claim, Evidence, Verdict
from faithview.domain.scoring import State
from faithview.domain.spans import find_quote
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.values import all_claims, as_flag, as_list, as_object, make_claim, text_of
from faithview.formats.reading.values import as_verdict as verdict_of
from faithview.formats.rows.cells import BadCell, as_number, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"query", "answer", "claims"})
_CLAIM_SIGNS = frozenset({"claim", "verdict", "citation_status"})
_CHUNKS = "contexts"
_ONLY_NAMED = (
    "ContextTrace's result has only the contexts that a claim names as the nearest one; the others are missing here."
)
_CITATION_OK = "citation_ok"


def recognise(table: Table) -> Match | None:
    """Return a match for results of `contexttrace verify`, one to a file or to a line, else None."""
    if not set(table.columns) >= _SIGNS:
        return None
    claims = [as_object(claim) for row in table.head for claim in as_list(row.values.get("claims"))]
    if not claims or not all(claim.keys() >= _CLAIM_SIGNS for claim in claims):
        return None
    has_chunks = any(as_list(row.values.get(_CHUNKS)) for row in table.head)
    return Match(
        score=0.97,
        reasons=("Claims with 'verdict' and 'citation_status' next to 'query' and 'answer' are ContextTrace's.",),
        mapping=ColumnMapping(
            question="query",
            answer="answer",
            contexts=(_CHUNKS,),
            key="id" if "id" in table.columns else None,
        ),
        warnings=() if has_chunks else (_ONLY_NAMED,),
        has_results=True,
    )


def open_rows(table: Table) -> Table:
    """Return the rows, with the contexts that their claims name if the contexts themselves are missing."""
    return table.with_rows(lambda: map(_with_contexts, table.rows()), unit=table.unit)


def _with_contexts(row: RawRow | RowProblem) -> RawRow | RowProblem:
    if isinstance(row, RowProblem) or not is_missing(row.values.get(_CHUNKS)):
        return row
    found: dict[str, dict[str, str]] = {}
    for claim in (as_object(item) for item in as_list(row.values.get("claims"))):
        name, text = text_of(claim.get("best_context_id")), text_of(claim.get("best_context_text"))
        if name and text:
            found.setdefault(name, {"id": name, "text": text})
    return RawRow(row.line, {**row.values, _CHUNKS: list(found.values())})


def _judged(row: Row) -> Judged | None:
    given = row.at("claims")
    claims, notes = all_claims(map(as_object, as_list(given)), lambda item: _claim(item, row))
    is_without = not claims and not notes and not is_missing(given)
    version = text_of(row.at("verifier_version"))
    abstention = as_object(row.at("abstention"))
    advice = [text_of(as_object(row.at("diagnostics")).get("suggested_fix"))]
    if as_flag(abstention.get("should_abstain")):
        advice.insert(0, text_of(abstention.get("reason")))
    return Judged(
        claims=claims,
        state=State.NO_CLAIMS if is_without else None,
        error=notes[0] if notes else None,
        judge=f"ContextTrace ({version})" if version else "",
        suggestions=tuple(text for text in advice if text),
    )


def _claim(item: Mapping[str, object], row: Row) -> Claim:
    text, word = text_of(item.get("claim")), item.get("verdict")
    if not text.strip() or is_missing(word):
        raise BadCell("it has no text or no verdict")
    verdict = verdict_of(word)
    source, confidence = text_of(item.get("best_context_id")), item.get("confidence")
    citation = text_of(item.get("citation_status"))
    reason = text_of(item.get("reason"))
    claim = make_claim(
        text,
        verdict,
        answer=row.sample.answer,
        reason=reason
        if citation in ("", _CITATION_OK)
        else f"{reason} Citation: {citation.replace('_', ' ')}.".strip(),
        chunk_ids=[source] if source and verdict is not Verdict.NOT_MENTIONED else (),
        confidence=as_number(confidence) if isinstance(confidence, int | float) else None,
    )
    evidence = _evidence(text_of(item.get("evidence")), source, row)
    return replace(claim, evidence=evidence) if verdict is not Verdict.NOT_MENTIONED else claim


def _evidence(quote: str, source: str, row: Row) -> tuple[Evidence, ...]:
    chunk = next((chunk for chunk in row.sample.chunks if chunk.chunk_id == source), None)
    if chunk is None or not quote.strip() or (span := find_quote(chunk.text, quote)) is None:
        return ()
    return (Evidence(chunk_id=source, quote=quote, span=span),)


READER = Reader(name="contexttrace", title="ContextTrace", recognise=recognise, open=open_rows, judged=_judged)
