"""Equal claims as one row: listed by expected harm, counted and paged in SQL, and taken apart again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select

from faithview.domain.claim import ClaimRef
from faithview.domain.inbox import ClaimGroup, Facet, InboxFilter, InboxPage, LabelOutcome
from faithview.store.claim_texts import CLAIM_TEXT
from faithview.store.database import Database
from faithview.store.inbox.claim_filters import conditions, find_texts
from faithview.store.inbox.codes import VALUES, verdict_of
from faithview.store.schema.inbox import InboxAssignmentRow, InboxClaimRow
from faithview.store.schema.runs import ChunkRow, CitationRow, ClaimRow, RunRow, SampleChunkRow, SampleRow

# How much of a question a list shows; the rest stays in the database.
_SHOWN_CHARACTERS = 240
_TEXT, _RUN = InboxClaimRow.text_id, InboxClaimRow.run_id


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedClaim:
    """One claim of a group with the hashes of the chunks that it cites, and of all chunks of its answer."""

    group_id: int
    place: ClaimRef
    verdict: str
    cited: frozenset[str]
    context: frozenset[str]


def list_groups(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, *, offset: int = 0, limit: int = 25
) -> InboxPage:
    """Return one page of the claims that a filter lets through, equal ones as one: the highest expected harm first.

    Args:
        db: the store.
        run_ids: the runs in view, the newest first.
        filters: which claims.
        offset: how many groups come before the page.
        limit: how many groups the page has at most.
    """
    with db.read() as connection:
        texts = find_texts(connection, filters)
        where = conditions(filters, run_ids, dialect_name=db.dialect_name, texts=texts)
        # Materialised, so that the index is read once for the page and for the totals.
        grouped = (
            select(_TEXT, func.max(InboxClaimRow.harm).label("harm"), func.count().label("listed"))
            .where(*where)
            .group_by(_TEXT)
            .cte("grouped")
            .prefix_with("MATERIALIZED")
        )
        total = select(func.count()).select_from(grouped).scalar_subquery().label("total_groups")
        claims = select(func.sum(grouped.c.listed)).scalar_subquery().label("total_claims")
        page = select(grouped, total, claims).order_by(grouped.c.harm.desc(), grouped.c.text_id)
        groups = connection.execute(page.offset(offset).limit(limit)).all()
        totals = groups[:1] or (connection.execute(select(total, claims)).all() if offset else [])
        # The words are the groups' own: whoever is on the page has them.
        without_words = replace(filters, words="")
        rows = _describe(connection, groups, run_ids, conditions(without_words, run_ids, dialect_name=db.dialect_name))
    return InboxPage(
        groups=tuple(rows),
        total_groups=totals[0].total_groups if totals else 0,
        total_claims=int(totals[0].total_claims or 0) if totals else 0,
        offset=offset,
    )


def list_claims_of(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, group_ids: Sequence[int], *, limit: int
) -> list[ListedClaim]:
    """Return the claims of these groups that a filter lets through, the newest run first; at most `limit`."""
    listed = conditions(replace(filters, words=""), run_ids, dialect_name=db.dialect_name)
    where = [*listed, _TEXT.in_(group_ids)]
    ages = {run_id: age for age, run_id in enumerate(run_ids)}
    query = (
        select(InboxClaimRow.claim_id, _TEXT, _RUN, ClaimRow.sample_id, ClaimRow.number, ClaimRow.verdict)
        .add_columns(SampleRow.position)
        .join(ClaimRow, ClaimRow.id == InboxClaimRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(*where)
        .order_by(InboxClaimRow.claim_id.desc())
        .limit(limit)
    )
    with db.read() as connection:
        rows = sorted(connection.execute(query), key=lambda row: (ages[row.run_id], row.position, row.number))
        contexts = _contexts(connection, [row.sample_id for row in rows])
        cited = _cited(connection, [row.claim_id for row in rows])
    return [
        ListedClaim(
            group_id=row.text_id,
            place=ClaimRef(run_id=row.run_id, row=row.position, claim_number=row.number),
            verdict=row.verdict,
            cited=frozenset(cited.get(row.claim_id, ())),
            context=frozenset(contexts.get(row.sample_id, ())),
        )
        for row in rows
    ]


def _contexts(connection: Connection, sample_ids: Sequence[int]) -> dict[int, set[str]]:
    query = (
        select(SampleChunkRow.sample_id, ChunkRow.chunk_hash)
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
        .where(SampleChunkRow.sample_id.in_(sample_ids))
    )
    found: dict[int, set[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.sample_id, set()).add(row.chunk_hash)
    return found


def _cited(connection: Connection, claim_ids: Sequence[int]) -> dict[int, set[str]]:
    query = (
        select(CitationRow.claim_id, ChunkRow.chunk_hash)
        .join(ClaimRow, ClaimRow.id == CitationRow.claim_id)
        .join(
            SampleChunkRow,
            (SampleChunkRow.sample_id == ClaimRow.sample_id) & (SampleChunkRow.position == CitationRow.chunk_position),
        )
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
        .where(CitationRow.claim_id.in_(claim_ids))
    )
    found: dict[int, set[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.claim_id, set()).add(row.chunk_hash)
    return found


def _describe(
    connection: Connection,
    groups: Sequence[Row[Any]],
    run_ids: Sequence[str],
    where: Sequence[ColumnElement[bool]],
) -> list[ClaimGroup]:
    ids = [group.text_id for group in groups]
    ages = {run_id: age for age, run_id in enumerate(run_ids)}
    # Per group and run, so that a claim that a thousand answers make is still a few rows.
    in_view = [_TEXT.in_(ids), _RUN.in_(run_ids)]
    every: Any = select(_TEXT, _RUN, InboxClaimRow.verdict, func.count().label("claims"))
    listed: Any = select(_TEXT, _RUN, func.min(InboxClaimRow.claim_id).label("claim_id")).where(*where, _TEXT.in_(ids))
    newest: dict[int, Row[Any]] = {}
    for row in connection.execute(listed.group_by(_TEXT, _RUN)):
        if row.text_id not in newest or ages[row.run_id] < ages[newest[row.text_id].run_id]:
            newest[row.text_id] = row
    counts: dict[int, list[Row[Any]]] = {}
    for row in connection.execute(every.where(*in_view).group_by(_TEXT, _RUN, InboxClaimRow.verdict)):
        counts.setdefault(row.text_id, []).append(row)
    claims = {
        row.id: row for row in connection.execute(_CLAIMS.where(ClaimRow.id.in_([n.claim_id for n in newest.values()])))
    }
    assigned: Any = (
        select(_TEXT, InboxAssignmentRow.reviewer)
        .join(InboxAssignmentRow, InboxAssignmentRow.claim_id == InboxClaimRow.claim_id)
        .where(*where, _TEXT.in_(ids))
        .distinct()
    )
    assignees: dict[int, list[str]] = {}
    for row in connection.execute(assigned):
        assignees.setdefault(row.text_id, []).append(row.reviewer)
    names = {
        row.id: row.name for row in connection.execute(select(RunRow.id, RunRow.name).where(RunRow.id.in_(run_ids)))
    }
    return [
        _group(
            group,
            claims[newest[group.text_id].claim_id],
            # Of one run's equal claims with different verdicts, the worst is the latest.
            sorted(counts[group.text_id], key=lambda row: (ages[row.run_id], -row.verdict)),
            names,
            assignees.get(group.text_id, ()),
        )
        for group in groups
    ]


def _group(
    group: Row[Any], claim: Row[Any], counts: Sequence[Row[Any]], names: Mapping[str, str], assignees: Sequence[str]
) -> ClaimGroup:
    verdicts: dict[str, int] = {}
    for row in counts:
        value = VALUES[Facet.VERDICT][row.verdict]
        verdicts[value] = verdicts.get(value, 0) + row.claims
    label_state = LabelOutcome(VALUES[Facet.LABEL][claim.label_state])
    is_judges = label_state not in (LabelOutcome.CONFIRMED, LabelOutcome.OVERRULED)
    return ClaimGroup(
        group_id=group.text_id,
        run_id=claim.run_id,
        run_name=names[claim.run_id],
        row=claim.position,
        key=claim.key,
        claim_number=claim.number,
        text=claim.text,
        explanation=claim.explanation,
        question=claim.question,
        verdict=verdict_of(claim.standing),
        confidence=claim.confidence if is_judges else None,
        label_state=label_state,
        listed=group.listed,
        runs=len({row.run_id for row in counts}),
        verdicts=verdicts,
        latest_verdict=verdict_of(counts[0].verdict),
        latest_run_name=names[counts[0].run_id],
        harm=group.harm,
        assignees=tuple(sorted(assignees)),
    )


_CLAIMS: Any = (
    select(
        ClaimRow.id,
        ClaimRow.run_id,
        ClaimRow.number,
        CLAIM_TEXT,
        ClaimRow.confidence,
        ClaimRow.explanation,
        InboxClaimRow.verdict.label("standing"),
        InboxClaimRow.label_state,
        SampleRow.key,
        SampleRow.position,
        func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"),
    )
    .join(InboxClaimRow, InboxClaimRow.claim_id == ClaimRow.id)
    .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
)
