"""RAGChecker: answers with their claims, each checked against every retrieved text and against the right answer."""

from collections.abc import Mapping

from faithview.domain.scoring import State
from faithview.formats.files.tables import Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.values import as_list, as_metric, as_object, claim_text, make_claim, verdict_over_texts
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"response", "retrieved_context", "gt_answer"})
_CLAIMS, _FOUND, _METRICS = "response_claims", "retrieved2response", "metrics"
_FAITHFULNESS = "faithfulness"


def recognise(table: Table) -> Match | None:
    """Return a match for RAGChecker's results, and for its input, else None."""
    columns = frozenset(table.columns)
    if not columns >= _SIGNS:
        return None
    has_results = any(
        not is_missing(row.values.get(_FOUND)) or as_object(row.values.get(_METRICS)) for row in table.head
    )
    return Match(
        score=0.98 if has_results else 0.95,
        reasons=("The columns 'gt_answer', 'response' and 'retrieved_context' are those of RAGChecker.",),
        mapping=ColumnMapping(
            question="query" if "query" in columns else None,
            answer="response",
            contexts=("retrieved_context",),
            key="query_id" if "query_id" in columns else None,
            reference="gt_answer",
        ),
        has_results=has_results,
    )


def _judged(row: Row) -> Judged | None:
    metrics = _metrics(as_object(row.at(_METRICS)))
    score = metrics.pop(_FAITHFULNESS, None)
    if is_missing(row.at(_FOUND)):
        return None if score is None else Judged(score=score, metrics=metrics)
    claims, found = as_list(row.at(_CLAIMS)), as_list(row.at(_FOUND))
    if len(claims) != len(found):
        raise BadCell(f"there are {len(claims)} claims and {len(found)} rows of verdicts")
    if not claims:
        return Judged(state=State.NO_CLAIMS, metrics=metrics)
    chunks = row.sample.chunks
    made = []
    for claim, against in zip(claims, found, strict=True):
        verdict, deciding = verdict_over_texts(as_list(against))
        # An empty text is not a chunk, so the numbers cannot be assigned.
        is_aligned = len(as_list(against)) == len(chunks)
        ids = [chunks[number].chunk_id for number in deciding] if is_aligned else []
        made.append(make_claim(claim_text(claim), verdict, answer=row.sample.answer, chunk_ids=ids))
    return Judged(score=score, claims=tuple(made), metrics=metrics)


def _metrics(given: Mapping[str, object]) -> dict[str, float]:
    found = {}
    for name, value in given.items():
        if (score := as_metric(value)) is not None:
            found[name] = score
    return found


READER = Reader(name="ragchecker", title="RAGChecker", recognise=recognise, judged=_judged)
