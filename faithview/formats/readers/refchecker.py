"""RefChecker: answers with their claims, mostly triplets, each checked against every reference."""

from faithview.domain.scoring import State
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.tables import Table
from faithview.formats.reading.reader import Judged, Match, Reader, Row
from faithview.formats.reading.score_columns import by_columns
from faithview.formats.reading.values import as_list, as_object, as_score, claim_text, make_claim, verdict_over_texts
from faithview.formats.rows.cells import BadCell, is_missing, parsed
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SIGNS = frozenset({"response", "reference"})
_CLAIMS, _FOUND, _WHOLE = "claims", "ys", "Y"
_ABSTAIN, _ENTAILMENT = "abstain", "Entailment"


def recognise(table: Table) -> Match | None:
    """Return a match for RefChecker's results, and for the output of its claim extractor, else None."""
    columns = frozenset(table.columns)
    if not columns >= _SIGNS or not {_CLAIMS, _FOUND} & columns:
        return None
    is_checked = _FOUND in columns
    if not is_checked and not any(_has_triplets(row.values.get(_CLAIMS)) for row in table.head):
        return None
    why = (
        "The columns 'reference', 'claims' and 'ys' are those of RefChecker's results."
        if is_checked
        else "Claims in three parts next to 'response' and 'reference' are those of RefChecker's extractor."
    )
    return Match(
        score=0.97 if is_checked else 0.9,
        reasons=(why,),
        mapping=ColumnMapping(
            question="question" if "question" in columns else None,
            answer="response",
            contexts=("reference",),
            key="id" if "id" in columns else None,
        ),
        has_results=is_checked,
    )


def _judged(row: Row) -> Judged | None:
    mapping = row.mapping
    if mapping.score or mapping.hallucination or mapping.claims:
        return by_columns(row)  # the user has named the column of the result
    found = as_list(row.at(_FOUND))
    whole = parsed(row.at(_WHOLE))
    claims = as_list(row.at(_CLAIMS))
    if is_missing(row.at(_FOUND)):
        return None
    score = as_score(as_object(whole).get(_ENTAILMENT)) if as_object(whole) else None
    if not found and not claims:
        return Judged(state=State.ABSTAINED)
    if len(found) != len(claims):
        raise BadCell(f"there are {len(claims)} claims and {len(found)} verdicts")
    made = []
    for claim, against in zip(claims, found, strict=True):
        verdict, deciding = verdict_over_texts(as_list(against))
        chunks = row.sample.chunks
        ids = [chunks[number].chunk_id for number in deciding if number < len(chunks)]
        made.append(make_claim(claim_text(claim), verdict, answer=row.sample.answer, chunk_ids=ids))
    # The strictest and the most common verdict on the answer are words.
    metrics = {}
    if isinstance(whole, str) and fold_name(whole) != _ABSTAIN:
        metrics["RefChecker entailment"] = float(whole == _ENTAILMENT)
    return Judged(score=score, claims=tuple(made), metrics=metrics)


def _has_triplets(value: object) -> bool:
    items = as_list(value)
    return bool(items) and all(isinstance(item, list) and len(item) == 3 for item in items)


READER = Reader(name="refchecker", title="RefChecker", recognise=recognise, judged=_judged)
