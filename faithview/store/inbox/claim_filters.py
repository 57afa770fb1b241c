"""The filter of the inbox as conditions on its index."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, false, func, literal_column, or_, select

from faithview.domain.inbox import NONE, OPEN_VERDICTS, Facet, InboxFilter
from faithview.stats.search_words import parse_query
from faithview.store import dialect
from faithview.store.inbox.codes import CODES
from faithview.store.inbox.names import is_named
from faithview.store.schema.inbox import InboxAssignmentRow, InboxClaimRow
from faithview.store.schema.runs import ClaimTextRow
from faithview.store.search.word_index import has_words

# Texts that are worth an array: with many more of them, reading all claims is quicker.
_MOST_TEXTS = 100_000

COLUMNS: dict[Facet, ColumnElement[Any]] = {
    Facet.VERDICT: InboxClaimRow.verdict,
    Facet.TYPE: InboxClaimRow.error_type,
    Facet.LABEL: InboxClaimRow.label_state,
    Facet.RUN: InboxClaimRow.run_id,
    Facet.SEGMENT: InboxClaimRow.segment_id,
    Facet.DOCUMENT: InboxClaimRow.document_id,
}


def conditions(
    filters: InboxFilter,
    run_ids: Sequence[str],
    *,
    dialect_name: str,
    without: frozenset[Facet] = frozenset(),
    lead: Facet | None = None,
    is_by_words: bool = True,
    texts: str | None = None,
) -> list[ColumnElement[bool]]:
    """Return the conditions that a filter puts on `inbox_claim`.

    Args:
        filters: the filter.
        run_ids: the runs in view.
        dialect_name: "sqlite" or "postgresql".
        without: facets to leave out.
        lead: the facet by which the query should read an index, RUN or DOCUMENT; None to read one by texts.
        is_by_words: whether it may begin with the texts that hold the words; see `are_common_words`.
        texts: what `find_texts` returned for the filter; None to search for the words in the query itself.
    """

    def served(column: Any, *, is_by_index: bool) -> Any:
        return column if is_by_index else dialect.unindexed(column, dialect=dialect_name)

    # SQLite checks them in this order: what is checked quickest comes first.
    where: list[ColumnElement[bool]] = []
    for facet in Facet:
        values = filters.values(facet)
        if facet in without or facet is Facet.RUN or not values:
            continue
        if facet is Facet.ASSIGNEE:
            where += _assigned(values)
        else:
            # So many claims have no document that an index by documents is of little use for them.
            where += _is_one_of(facet, values, served(COLUMNS[facet], is_by_index=lead is facet))
    chosen = set(filters.values(Facet.RUN)) if Facet.RUN not in without else set()
    run = served(InboxClaimRow.run_id, is_by_index=lead is Facet.RUN)
    where.append(run.in_([run_id for run_id in run_ids if not chosen or run_id in chosen]))
    if texts is not None:
        where.append(dialect.is_in_array(InboxClaimRow.text_id, texts))
    elif filters.words:
        where.append(served(InboxClaimRow.text_id, is_by_index=is_by_words).in_(_texts_with(filters, dialect_name)))
    return where


def find_texts(connection: Connection, filters: InboxFilter) -> str | None:
    """Return the ids of the texts that hold the words as an array; None without words, on SQLite, and for a great many.

    PostgreSQL would search for the words again in every query, and join what it found with all claims. An array it
    looks up in the index of the claims, which is quicker unless the array is long.
    """
    if not filters.words or connection.dialect.name == "sqlite":
        return None
    return dialect.write_array(connection, _texts_with(filters, connection.dialect.name), most=_MOST_TEXTS)


def are_common_words(connection: Connection, filters: InboxFilter) -> bool:
    """Return whether so many texts hold the words that a query should not begin with these texts."""
    if not filters.words:
        return False
    return dialect.is_large_part(connection, _texts_with(filters, connection.dialect.name), func.max(ClaimTextRow.id))


def _texts_with(filters: InboxFilter, dialect_name: str) -> Select[tuple[int]]:
    return has_words(ClaimTextRow.words, ClaimTextRow.id, parse_query(filters.words), dialect=dialect_name)


def _is_one_of(facet: Facet, values: Sequence[str], if_none: Any) -> list[ColumnElement[bool]]:
    column = COLUMNS[facet]
    if facet in CODES:
        is_one = column.in_([CODES[facet][value] for value in values])
        if facet is not Facet.VERDICT or not set(values) <= set(OPEN_VERDICTS):
            return [is_one]
        # Written out, and not as a parameter, so that both databases see that their partial indexes serve.
        is_open = InboxClaimRow.verdict > literal_column("0")
        return [is_open] if set(values) == set(OPEN_VERDICTS) else [is_open, is_one]
    named = [value for value in values if value != NONE]
    alternatives = [is_named(column, named)] if named else []
    if NONE in values:
        alternatives.append(if_none.is_(None))
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
