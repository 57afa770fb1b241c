"""The inbox: equal claims as one row; filter, list by expected harm, count by facet, and assign to reviewers.

Counts and pages are computed in SQL, on the index that `inbox_index.py` maintains.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, false, func, insert, literal_column, or_, select

from faithview.domain.audit import Action
from faithview.domain.certainty import UNSTATED, certainty_of
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.inbox import (
    NONE,
    OPEN_VERDICTS,
    TO_CHECK,
    ClaimGroup,
    Facet,
    InboxFilter,
    InboxPage,
    LabelOutcome,
)
from faithview.stats.search_words import parse_query
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.claims import judge_of_claim
from faithview.store.database import Database
from faithview.store.inbox_index import (
    CODES,
    TO_CHECK_CODE,
    VALUES,
    VERDICT_CODES,
    codes_of,
    is_named,
    load_names,
    verdict_of,
    verdict_value,
)
from faithview.store.schema.inbox import InboxAssignmentRow, InboxClaimRow, InboxNameRow
from faithview.store.schema.runs import ChunkRow, CitationRow, ClaimRow, ClaimTextRow, RunRow, SampleChunkRow, SampleRow
from faithview.store.search import has_words

COLUMNS: dict[Facet, ColumnElement[Any]] = {
    Facet.VERDICT: InboxClaimRow.verdict,
    Facet.TYPE: InboxClaimRow.error_type,
    Facet.LABEL: InboxClaimRow.label_state,
    Facet.RUN: InboxClaimRow.run_id,
    Facet.SEGMENT: InboxClaimRow.segment_id,
    Facet.DOCUMENT: InboxClaimRow.document_id,
}


def conditions(
    filters: InboxFilter, run_ids: Sequence[str], *, dialect_name: str, without: Collection[Facet] = ()
) -> list[ColumnElement[bool]]:
    """Return the conditions of a filter on `inbox_claim`; `without` names facets to leave out."""
    where: list[ColumnElement[bool]] = []
    for facet in Facet:
        values = filters.values(facet)
        if facet in without or facet is Facet.RUN or not values:
            continue
        where += _assigned(values) if facet is Facet.ASSIGNEE else _is_one_of(facet, values)
    chosen = () if Facet.RUN in without else filters.values(Facet.RUN)
    where.append(InboxClaimRow.run_id.in_([run_id for run_id in run_ids if not chosen or run_id in chosen]))
    if filters.words:
        where.append(InboxClaimRow.text_id.in_(_texts_with(filters, dialect_name)))
    return where


def _texts_with(filters: InboxFilter, dialect_name: str) -> Select[tuple[int]]:
    return has_words(ClaimTextRow.words, ClaimTextRow.id, parse_query(filters.words), dialect=dialect_name)


def _is_one_of(facet: Facet, values: Sequence[str]) -> list[ColumnElement[bool]]:
    column = COLUMNS[facet]
    if facet is Facet.LABEL and TO_CHECK in values:
        is_to_check = InboxClaimRow.verdict == TO_CHECK_CODE
        others = [code for value in values if value != TO_CHECK for code in codes_of(facet, value)]
        return [or_(is_to_check, column.in_(others)) if others else is_to_check]
    if facet in CODES:
        is_one = column.in_([code for value in values for code in codes_of(facet, value)])
        if facet is not Facet.VERDICT or not set(values) <= set(OPEN_VERDICTS):
            return [is_one]
        # Written out and not as a parameter, so both databases can use their partial indexes.
        is_open = InboxClaimRow.verdict > literal_column("0")
        return [is_open] if set(values) == set(OPEN_VERDICTS) else [is_open, is_one]
    named = [value for value in values if value != NONE]
    alternatives = [is_named(column, named)] if named else []
    if NONE in values:
        alternatives.append(column.is_(None))
    return [or_(*alternatives)]


def _assigned(values: Sequence[str]) -> list[ColumnElement[bool]]:
    to_people = [value for value in values if value != NONE]
    alternatives: list[ColumnElement[bool]] = []
    if to_people:
        assigned = select(InboxAssignmentRow.claim_id).where(InboxAssignmentRow.reviewer.in_(to_people))
        alternatives.append(InboxClaimRow.claim_id.in_(assigned))
    if NONE in values:
        alternatives.append(InboxClaimRow.claim_id.not_in(select(InboxAssignmentRow.claim_id)))
    return [or_(*alternatives)] if alternatives else [false()]


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
    """Return one page of the claims that match a filter, equal ones grouped, the highest expected harm first.

    Args:
        db: the store.
        run_ids: the runs in view, the newest first.
        filters: which claims.
        offset: how many groups to skip.
        limit: the maximum number of groups.
    """
    with db.read() as connection:
        where = conditions(filters, run_ids, dialect_name=db.dialect_name)
        # Materialised, so the index is read only once for the page and the totals.
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
        # The groups already match the words.
        without_words = replace(filters, words="")
        rows = _describe(connection, groups, run_ids, conditions(without_words, run_ids, dialect_name=db.dialect_name))
    return InboxPage(
        groups=tuple(rows),
        total_groups=totals[0].total_groups if totals else 0,
        total_claims=int(totals[0].total_claims or 0) if totals else 0,
        offset=offset,
    )


def list_groups_again(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, claim_ids: Sequence[int]
) -> list[ClaimGroup]:
    """Return the groups of claims that were shown, in the order given, also those that have left the filter.

    Args:
        db: the store.
        run_ids: the runs in view, the newest first.
        filters: the filter that they were listed under.
        claim_ids: the shown claims (`ClaimGroup.claim_id`); one that is gone is left out.
    """
    shown = [InboxClaimRow.claim_id.in_(claim_ids), _RUN.in_(run_ids)]
    where = conditions(replace(filters, words=""), run_ids, dialect_name=db.dialect_name)
    grouped: Any = select(_TEXT, func.max(InboxClaimRow.harm).label("harm"), func.count().label("listed"))
    with db.read() as connection:
        rows = connection.execute(grouped.where(*shown).group_by(_TEXT)).all()
        counted = select(_TEXT, func.count()).where(*where, _TEXT.in_([row.text_id for row in rows])).group_by(_TEXT)
        listed = {row[0]: row[1] for row in connection.execute(counted)}
        groups = _describe(connection, rows, run_ids, shown)
    places = {claim_id: place for place, claim_id in enumerate(claim_ids)}
    groups.sort(key=lambda group: places[group.claim_id])
    return [replace(group, listed=listed.get(group.group_id, 0)) for group in groups]


def count_claims(db: Database, run_ids: Sequence[str], filters: InboxFilter, *, most: int | None = None) -> int:
    """Return how many claims a filter lets through; with `most`, it stops counting there."""
    with db.read() as connection:
        where = conditions(filters, run_ids, dialect_name=db.dialect_name)
        let_through = select(InboxClaimRow.claim_id).where(*where).limit(most).subquery()
        total: int = connection.execute(select(func.count()).select_from(let_through)).scalar_one()
    return total


def list_claims_of(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, group_ids: Sequence[int], *, limit: int
) -> list[ListedClaim]:
    """Return the claims of these groups that match a filter, the newest run first; at most `limit`."""
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
    # Per group and run, so a claim of a thousand answers is still a few rows.
    in_view = [_TEXT.in_(ids), _RUN.in_(run_ids)]
    every: Any = select(_TEXT, _RUN, InboxClaimRow.verdict, func.count().label("claims"))
    first = func.min(InboxClaimRow.claim_id).label("claim_id")
    listed: Any = select(_TEXT, _RUN, InboxClaimRow.harm, first).where(*where, _TEXT.in_(ids))
    # The claim that gives a row its place in the list: of those that do most harm, the newest.
    worst: dict[int, Row[Any]] = {}
    for row in connection.execute(listed.group_by(_TEXT, _RUN, InboxClaimRow.harm)):
        known = worst.get(row.text_id)
        if known is None or (row.harm, -ages[row.run_id]) > (known.harm, -ages[known.run_id]):
            worst[row.text_id] = row
    counts: dict[int, list[Row[Any]]] = {}
    for row in connection.execute(every.where(*in_view).group_by(_TEXT, _RUN, InboxClaimRow.verdict)):
        counts.setdefault(row.text_id, []).append(row)
    shown = _CLAIMS.where(ClaimRow.id.in_([row.claim_id for row in worst.values()]))
    claims = {row.id: row for row in connection.execute(shown)}
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
        _to_group(
            group,
            claims[worst[group.text_id].claim_id],
            # Among one run's equal claims with different verdicts, the worst is the latest.
            sorted(
                counts[group.text_id], key=lambda row: (ages[row.run_id], -VERDICT_CODES[verdict_value(row.verdict)])
            ),
            names,
            assignees.get(group.text_id, ()),
        )
        for group in groups
    ]


def _to_group(
    group: Row[Any], claim: Row[Any], counts: Sequence[Row[Any]], names: Mapping[str, str], assignees: Sequence[str]
) -> ClaimGroup:
    verdicts: dict[str, int] = {}
    for row in counts:
        value = verdict_value(row.verdict)
        verdicts[value] = verdicts.get(value, 0) + row.claims
    label_state = LabelOutcome(VALUES[Facet.LABEL][claim.label_state])
    is_judges = label_state not in (LabelOutcome.CONFIRMED, LabelOutcome.OVERRULED)
    return ClaimGroup(
        group_id=group.text_id,
        claim_id=claim.id,
        run_id=claim.run_id,
        run_name=names[claim.run_id],
        row=claim.position,
        key=claim.key,
        claim_number=claim.number,
        text=claim.text,
        explanation=claim.explanation,
        question=claim.question,
        verdict=verdict_of(claim.standing),
        certainty=certainty_of(Verdict(claim.verdict), claim.confidence, claim.judge) if is_judges else UNSTATED,
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
        ClaimRow.text,
        ClaimRow.verdict,
        ClaimRow.confidence,
        ClaimRow.explanation,
        judge_of_claim().label("judge"),
        InboxClaimRow.verdict.label("standing"),
        InboxClaimRow.label_state,
        SampleRow.key,
        SampleRow.position,
        func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"),
    )
    .join(InboxClaimRow, InboxClaimRow.claim_id == ClaimRow.id)
    .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
)


# Facets with few values: one query counts their combinations, from which the counts of each follow.
_FEW_VALUES = (Facet.RUN, Facet.VERDICT, Facet.TYPE, Facet.LABEL, Facet.SEGMENT)


def count_facets(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, *, documents: int
) -> Mapping[Facet, Mapping[str, int]]:
    """Return by facet and value the number of claims that match the words and all other facets, largest first.

    Args:
        db: the store.
        run_ids: the runs in view.
        filters: which claims.
        documents: the maximum number of documents to count; chosen documents are always counted.
    """
    with db.read() as connection:
        counts = _count_few(connection, run_ids, filters, db.dialect_name)
        counts[Facet.DOCUMENT] = _count_documents(connection, run_ids, filters, db.dialect_name, limit=documents)
        counts[Facet.ASSIGNEE] = _count_assignees(connection, run_ids, filters, db.dialect_name)
    return counts


def _count_few(
    connection: Connection, run_ids: Sequence[str], filters: InboxFilter, dialect_name: str
) -> dict[Facet, Mapping[str, int]]:
    columns = [COLUMNS[facet].label(facet.value) for facet in _FEW_VALUES]
    where = conditions(filters, run_ids, dialect_name=dialect_name, without=_FEW_VALUES)
    # In the order of the index, which is then read once without sorting.
    query: Any = (
        select(*columns, func.count().label("claims")).where(*where).group_by(*(COLUMNS[f] for f in _FEW_VALUES))
    )
    rows = connection.execute(query).all()
    segments = load_names(connection, {row.segment for row in rows})
    counts: dict[Facet, Counter[str]] = {facet: Counter() for facet in _FEW_VALUES}
    chosen = {facet: frozenset(filters.values(facet)) for facet in _FEW_VALUES}
    for row in rows:
        values = _facet_values(row, segments[row.segment])
        kept_out = [facet for facet in _FEW_VALUES if chosen[facet] and chosen[facet].isdisjoint(values[facet])]
        counted = {facet: values[facet] for facet in kept_out or _FEW_VALUES if len(kept_out) <= 1}
        if row.verdict == TO_CHECK_CODE and not filters.chosen.get(Facet.VERDICT):
            # Of the labels only the one that lists it beside the claims that are not fully supported.
            counted.pop(Facet.LABEL, None)
            if {Facet.VERDICT, Facet.LABEL}.issuperset(kept_out):
                counted[Facet.LABEL] = (TO_CHECK,)
        for facet, found in counted.items():
            for value in found:
                counts[facet][value] += row.claims
    del counts[Facet.VERDICT][TO_CHECK]  # it is offered among the labels
    return {facet: dict(counter.most_common()) for facet, counter in counts.items()}


def _facet_values(row: Row[Any], segment: str | None) -> dict[Facet, tuple[str, ...]]:
    """Return the values of each facet that let a claim through."""
    besides = (TO_CHECK,) if row.verdict == TO_CHECK_CODE else ()
    return {
        Facet.RUN: (row.run,),
        Facet.SEGMENT: (NONE if segment is None else segment,),
        Facet.VERDICT: (verdict_value(row.verdict), *besides),
        Facet.TYPE: (VALUES[Facet.TYPE][row.type],),
        Facet.LABEL: (VALUES[Facet.LABEL][row.label], *besides),
    }


def _count_documents(
    connection: Connection,
    run_ids: Sequence[str],
    filters: InboxFilter,
    dialect_name: str,
    *,
    limit: int,
) -> dict[str, int]:
    document, claims = InboxClaimRow.document_id, func.count().label("claims")
    where = conditions(filters, run_ids, dialect_name=dialect_name, without=(Facet.DOCUMENT,))
    counted = select(document, claims).where(*where).group_by(document).subquery()
    query = (
        select(InboxNameRow.name, counted.c.claims)
        .outerjoin_from(counted, InboxNameRow, InboxNameRow.id == counted.c.document_id)
        .order_by(counted.c.claims.desc(), InboxNameRow.name)
        .limit(limit)
    )
    counts = {row.name or NONE: row.claims for row in connection.execute(query)}
    missing = [value for value in filters.values(Facet.DOCUMENT) if value not in counts]
    if missing:
        named = (
            select(InboxNameRow.name, claims)
            .join(InboxClaimRow, document == InboxNameRow.id)
            .where(*where, is_named(document, missing))
            .group_by(InboxNameRow.name)
        )
        counts |= dict.fromkeys(missing, 0) | {row.name: row.claims for row in connection.execute(named)}
    return counts


def _count_assignees(
    connection: Connection, run_ids: Sequence[str], filters: InboxFilter, dialect_name: str
) -> dict[str, int]:
    if connection.execute(select(InboxAssignmentRow.claim_id).limit(1)).first() is None:
        return {}
    reviewer, claims = InboxAssignmentRow.reviewer, func.count().label("claims")
    where = conditions(filters, run_ids, dialect_name=dialect_name, without=(Facet.ASSIGNEE,))
    query = (
        select(reviewer, claims)
        .join(InboxClaimRow, InboxClaimRow.claim_id == InboxAssignmentRow.claim_id)
        .where(*where)
        .group_by(reviewer)
        .order_by(claims.desc(), reviewer)
    )
    return {row.reviewer: row.claims for row in connection.execute(query)}


def assign_claims(
    db: Database,
    run_ids: Sequence[str],
    filters: InboxFilter,
    group_ids: Sequence[int],
    *,
    reviewer: str | None,
    assigned_by: str,
    at: datetime,
) -> int:
    """Assign the claims of these groups that match a filter to a reviewer, or unassign them; return their number."""
    where = [*conditions(filters, run_ids, dialect_name=db.dialect_name), InboxClaimRow.text_id.in_(group_ids)]
    with db.write() as connection:
        # In a fixed order, so two users who assign the same claims on PostgreSQL cannot deadlock.
        listed = select(InboxClaimRow.claim_id).where(*where).order_by(InboxClaimRow.claim_id)
        claim_ids = list(connection.execute(listed).scalars())
        for batch in dialect.batches(claim_ids):
            connection.execute(delete(InboxAssignmentRow).where(InboxAssignmentRow.claim_id.in_(batch)))
            if reviewer is not None:
                row = {"reviewer": reviewer, "assigned_by": assigned_by, "at": at}
                connection.execute(insert(InboxAssignmentRow), [{"claim_id": claim_id, **row} for claim_id in batch])
        if claim_ids:
            record(connection, Action.CLAIMS_ASSIGNED, detail=reviewer or "nobody", items=len(claim_ids))
    return len(claim_ids)
