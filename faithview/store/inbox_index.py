"""The index of the inbox, updated in the transaction that writes claims or labels.

Foreign keys delete its rows with their run. Its rows are narrow: verdicts, types and label states are numbers, and
names of segments and documents are stored once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, delete, exists, insert, select, update

from faithview.domain.certainty import certainty_of
from faithview.domain.claim import Claim, HallucinationType, Severity, Verdict
from faithview.domain.inbox import NONE, TO_CHECK, Facet, LabelOutcome, label_outcome
from faithview.domain.knowledge import document_name
from faithview.domain.label import NOT_A_CLAIM, EffectiveVerdict, VerdictSource
from faithview.domain.sample import Json, Sample
from faithview.domain.scoring import SETTLED_CONFIDENCE, expected_harm
from faithview.store import dialect
from faithview.store.claims import judge_of_claim
from faithview.store.schema.inbox import InboxClaimRow, InboxNameRow
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ClaimRow, RunRow

# A supported claim that is to be checked has a number of its own, so both databases find it in the indexes by verdicts.
# It follows from `domain.certainty` when the claim is stored: a change of the cut there needs a migration.
TO_CHECK_CODE = -2
# Claims that are not fully supported have numbers above 0; partial indexes depend on that.
VERDICT_CODES: Mapping[str, int] = {
    TO_CHECK: TO_CHECK_CODE,
    NOT_A_CLAIM: -1,
    Verdict.SUPPORTED: 0,
    Verdict.PARTIALLY_SUPPORTED: 1,
    Verdict.NOT_MENTIONED: 2,
    Verdict.CONTRADICTED: 3,
}
TYPE_CODES: Mapping[str, int] = {
    NONE: 0,
    HallucinationType.FABRICATION: 1,
    HallucinationType.CONTRADICTION: 2,
    HallucinationType.EXTRAPOLATION: 3,
    HallucinationType.CONFLATION: 4,
}
LABEL_CODES: Mapping[str, int] = {
    LabelOutcome.UNLABELLED: 0,
    LabelOutcome.CONFIRMED: 1,
    LabelOutcome.OVERRULED: 2,
    LabelOutcome.DISPUTED: 3,
}
CODES: Mapping[Facet, Mapping[str, int]] = {
    Facet.VERDICT: VERDICT_CODES,
    Facet.TYPE: TYPE_CODES,
    Facet.LABEL: LABEL_CODES,
}
VALUES: Mapping[Facet, Mapping[int, str]] = {
    facet: {code: str(value) for value, code in codes.items()} for facet, codes in CODES.items()
}


def codes_of(facet: Facet, value: str) -> tuple[int, ...]:
    """Return the codes of the claims that a value of a facet lets through."""
    code = CODES[facet][value]
    return (code, TO_CHECK_CODE) if facet is Facet.VERDICT and value == Verdict.SUPPORTED else (code,)


def verdict_value(code: int) -> str:
    """Return the verdict of a code as a value of the facet; that of a claim to check is "supported"."""
    return Verdict.SUPPORTED.value if code == TO_CHECK_CODE else VALUES[Facet.VERDICT][code]


def verdict_of(code: int) -> Verdict | None:
    """Return the verdict of a code; None for "not a claim"."""
    value = verdict_value(code)
    return None if value == NOT_A_CLAIM else Verdict(value)


def name_ids(connection: Connection, names: Iterable[str | None]) -> Mapping[str | None, int | None]:
    """Return the ids of names, and store new names; the id of no name is None."""
    ids: dict[str | None, int | None] = {None: None}
    # In a fixed order, so two writers on PostgreSQL cannot deadlock.
    for batch in dialect.batches(sorted({name for name in names if name is not None})):
        ids |= _find_name_ids(connection, batch)
        new = [{"name": name} for name in batch if name not in ids]
        if new:
            ignore = dialect.insert_ignore(connection.dialect.name)
            connection.execute(ignore(InboxNameRow.__table__, ["name"]), new)
            ids |= _find_name_ids(connection, batch)
    return ids


def load_names(connection: Connection, ids: Collection[int | None]) -> dict[int | None, str | None]:
    """Return the names by their ids; None has none."""
    names: dict[int | None, str | None] = {None: None}
    for batch in dialect.batches(sorted({one for one in ids if one is not None})):
        query = select(InboxNameRow.id, InboxNameRow.name).where(InboxNameRow.id.in_(batch))
        names |= {row.id: row.name for row in connection.execute(query)}
    return names


def is_named(column: Any, names: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a column of ids has one of these names."""
    condition: ColumnElement[bool] = column.in_(select(InboxNameRow.id).where(InboxNameRow.name.in_(names)))
    return condition


def remove_unused_names(connection: Connection) -> None:
    """Remove the names that no claim has any more, after claims were deleted."""
    of_documents = exists().where(InboxClaimRow.document_id == InboxNameRow.id)
    of_segments = select(InboxClaimRow.segment_id).where(InboxClaimRow.segment_id.is_not(None)).distinct()
    connection.execute(delete(InboxNameRow).where(~of_documents, InboxNameRow.id.not_in(of_segments)))


def _find_name_ids(connection: Connection, names: Collection[str]) -> dict[str | None, int | None]:
    query = select(InboxNameRow.name, InboxNameRow.id).where(InboxNameRow.name.in_(names))
    return {row.name: row.id for row in connection.execute(query)}


# PostgreSQL indexes at most 2,704 bytes, and a segment takes up to 2,000.
_LONGEST_DOCUMENT = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredClaim:
    """A claim that was just stored: its id, the id of its shared text, and its answer."""

    claim_id: int
    text_id: int
    claim: Claim
    sample: Sample


def add_claims(connection: Connection, run_id: str, claims: Sequence[StoredClaim]) -> None:
    """Index claims that were just stored and have no labels yet."""
    judge: str = connection.execute(select(RunRow.judge).where(RunRow.id == run_id)).scalar_one()
    documents = [_document(_cited_metadata(item)) for item in claims]
    names = name_ids(connection, [*documents, *(item.sample.segment for item in claims)])
    rows = [
        {
            "claim_id": item.claim_id,
            "text_id": item.text_id,
            "run_id": run_id,
            "segment_id": names[item.sample.segment],
            "document_id": names[document],
            "error_type": TYPE_CODES[item.claim.hallucination_type or ""],
            **_standing(_Judged.of(item.claim, judge), None),
        }
        for item, document in zip(claims, documents, strict=True)
    ]
    for batch in dialect.batches(rows):
        connection.execute(insert(InboxClaimRow), batch)


def update_standing(connection: Connection, sample_ids: Sequence[int]) -> None:
    """Update the claims of these answers after their labels changed."""
    changed = []
    indexed: Any = select(
        InboxClaimRow.claim_id,
        InboxClaimRow.verdict.label("indexed_verdict"),
        InboxClaimRow.label_state.label("indexed_state"),
    ).join(ClaimRow, ClaimRow.id == InboxClaimRow.claim_id)
    query = _with_reviews(indexed)
    for batch in dialect.batches(sample_ids):
        for row in connection.execute(query.where(ClaimRow.sample_id.in_(batch))):
            standing = _stored_standing(row)
            if (row.indexed_verdict, row.indexed_state) != (standing["verdict"], standing["label_state"]):
                changed.append({"b_claim_id": row.claim_id, **{f"b_{name}": v for name, v in standing.items()}})
    if changed:
        connection.execute(_UPDATE, changed)


def _with_reviews(query: Select[Any]) -> Select[Any]:
    """Join the tables from which a claim's state follows."""
    return query.add_columns(
        ClaimRow.verdict,
        ClaimRow.severity,
        ClaimRow.confidence,
        judge_of_claim().label("judge"),
        ClaimReviewRow.claim_id.label("reviewed_id"),
        ClaimReviewRow.verdict.label("reviewed"),
        ClaimReviewRow.source,
    ).outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)


def _stored_standing(row: Row[Any]) -> dict[str, object]:
    severity = Severity(row.severity) if row.severity else None
    review = None
    if row.reviewed_id is not None:
        verdict = Verdict(row.reviewed) if row.reviewed else None
        review = EffectiveVerdict(verdict=verdict, source=VerdictSource(row.source))
    return _standing(_Judged(Verdict(row.verdict), row.confidence, row.judge, severity), review)


class _Judged(NamedTuple):
    """What a judge said about a claim, with the judge's name."""

    verdict: Verdict
    confidence: float | None
    judge: str
    severity: Severity | None

    @staticmethod
    def of(claim: Claim, judge: str) -> "_Judged":
        return _Judged(claim.verdict, claim.confidence, claim.decided_by or judge, claim.severity)


def _standing(judged: _Judged, review: EffectiveVerdict | None) -> dict[str, object]:
    """Return the columns that labels change: the verdict that counts, the label state, the expected harm."""
    effective = review or EffectiveVerdict(verdict=judged.verdict, source=VerdictSource.JUDGE)
    sureness = SETTLED_CONFIDENCE if effective.is_settled else judged.confidence
    is_to_check = not effective.is_settled and certainty_of(judged.verdict, judged.confidence, judged.judge).is_near_cut
    return {
        "verdict": TO_CHECK_CODE if is_to_check else VERDICT_CODES[effective.verdict or NOT_A_CLAIM],
        "label_state": LABEL_CODES[label_outcome(judged.verdict, effective)],
        "harm": expected_harm(effective.verdict, judged.severity, sureness),
    }


def _cited_metadata(item: StoredClaim) -> Mapping[str, Json]:
    cited = next(iter(item.claim.supporting_chunk_ids), None)
    return next((chunk.metadata for chunk in item.sample.chunks if chunk.chunk_id == cited), {})


def _document(metadata: Mapping[str, Json]) -> str | None:
    name = document_name(metadata)
    # Documents with long paths or addresses differ at the end, not at the beginning.
    return name if name is None or len(name) <= _LONGEST_DOCUMENT else f"…{name[1 - _LONGEST_DOCUMENT :]}"


_UPDATE = (
    update(InboxClaimRow)
    .where(InboxClaimRow.claim_id == bindparam("b_claim_id"))
    .values({name: bindparam(f"b_{name}") for name in ("verdict", "label_state", "harm")})
)
