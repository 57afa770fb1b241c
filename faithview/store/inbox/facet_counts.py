"""How many claims have each value of each facet that all other facets let through."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from faithview.domain.inbox import NONE, Facet, InboxFilter
from faithview.store.database import Database
from faithview.store.inbox.claim_filters import COLUMNS, are_common_words, conditions, find_texts
from faithview.store.inbox.codes import VALUES
from faithview.store.inbox.names import is_named, load_names
from faithview.store.schema.inbox import InboxAssignmentRow, InboxClaimRow, InboxNameRow

# Facets with few values: one query counts their combinations, from which the counts of each follow.
_FEW_VALUES = (Facet.RUN, Facet.VERDICT, Facet.TYPE, Facet.LABEL, Facet.SEGMENT)


def count_facets(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, *, documents: int
) -> Mapping[Facet, Mapping[str, int]]:
    """Return, by facet and value, the claims that the words and all other facets let through, the most first.

    Args:
        db: the store.
        run_ids: the runs in view.
        filters: which claims.
        documents: how many documents are counted at most; those that are chosen are counted anyway.
    """
    with db.read() as connection:
        is_by_words = not are_common_words(connection, filters)
        texts = find_texts(connection, filters)
        counts = _count_few(connection, run_ids, filters, db.dialect_name, is_by_words=is_by_words, texts=texts)
        counts[Facet.DOCUMENT] = _count_documents(
            connection, run_ids, filters, db.dialect_name, limit=documents, is_by_words=is_by_words, texts=texts
        )
        counts[Facet.ASSIGNEE] = _count_assignees(connection, run_ids, filters, db.dialect_name, texts=texts)
    return counts


def _count_few(
    connection: Connection,
    run_ids: Sequence[str],
    filters: InboxFilter,
    dialect_name: str,
    *,
    is_by_words: bool,
    texts: str | None,
) -> dict[Facet, Mapping[str, int]]:
    columns = [COLUMNS[facet].label(facet.value) for facet in _FEW_VALUES]
    lead: Facet | None = Facet.RUN
    if (filters.words and is_by_words) or filters.values(Facet.ASSIGNEE):
        lead = None
    elif filters.values(Facet.DOCUMENT):
        lead = Facet.DOCUMENT
    where = conditions(
        filters,
        run_ids,
        dialect_name=dialect_name,
        without=frozenset(_FEW_VALUES),
        lead=lead,
        is_by_words=is_by_words,
        texts=texts,
    )
    # In the order of the index, so that it is read once and nothing is sorted.
    query: Any = (
        select(*columns, func.count().label("claims")).where(*where).group_by(*(COLUMNS[f] for f in _FEW_VALUES))
    )
    counts: dict[Facet, Counter[str]] = {facet: Counter() for facet in _FEW_VALUES}
    chosen = {facet: frozenset(filters.values(facet)) for facet in _FEW_VALUES}
    rows = connection.execute(query).all()
    segments = load_names(connection, {row.segment for row in rows})
    for row in rows:
        values = _values(row, segments[row.segment])
        kept_out = [facet for facet in _FEW_VALUES if chosen[facet] and values[facet] not in chosen[facet]]
        if len(kept_out) > 1:
            continue
        for facet in kept_out or _FEW_VALUES:
            counts[facet][values[facet]] += row.claims
    return {facet: dict(counter.most_common()) for facet, counter in counts.items()}


def _values(row: Row[Any], segment: str | None) -> dict[Facet, str]:
    coded = {facet: VALUES[facet][getattr(row, facet.value)] for facet in _FEW_VALUES if facet in VALUES}
    return {Facet.RUN: row.run, Facet.SEGMENT: NONE if segment is None else segment, **coded}


def _count_documents(
    connection: Connection,
    run_ids: Sequence[str],
    filters: InboxFilter,
    dialect_name: str,
    *,
    limit: int,
    is_by_words: bool,
    texts: str | None,
) -> dict[str, int]:
    document, claims = InboxClaimRow.document_id, func.count().label("claims")
    where = conditions(
        filters,
        run_ids,
        dialect_name=dialect_name,
        without=frozenset({Facet.DOCUMENT}),
        is_by_words=is_by_words,
        texts=texts,
    )
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
    connection: Connection, run_ids: Sequence[str], filters: InboxFilter, dialect_name: str, *, texts: str | None
) -> dict[str, int]:
    if connection.execute(select(InboxAssignmentRow.claim_id).limit(1)).first() is None:
        return {}
    reviewer, claims = InboxAssignmentRow.reviewer, func.count().label("claims")
    where = conditions(filters, run_ids, dialect_name=dialect_name, without=frozenset({Facet.ASSIGNEE}), texts=texts)
    query = (
        select(reviewer, claims)
        .join(InboxClaimRow, InboxClaimRow.claim_id == InboxAssignmentRow.claim_id)
        .where(*where)
        .group_by(reviewer)
        .order_by(claims.desc(), reviewer)
    )
    return {row.reviewer: row.claims for row in connection.execute(query)}
