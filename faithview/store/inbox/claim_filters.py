"""The filter of the inbox as conditions on its index."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, false, literal_column, or_, select

from faithview.domain.inbox import NONE, OPEN_VERDICTS, Facet, InboxFilter
from faithview.stats.search_words import parse_query
from faithview.store import dialect
from faithview.store.inbox.codes import CODES
from faithview.store.schema.inbox import ClaimTextRow, InboxAssignmentRow, InboxClaimRow

COLUMNS = {
    Facet.VERDICT: InboxClaimRow.verdict,
    Facet.TYPE: InboxClaimRow.error_type,
    Facet.LABEL: InboxClaimRow.label_state,
    Facet.RUN: InboxClaimRow.run_id,
    Facet.SEGMENT: InboxClaimRow.segment,
    Facet.DOCUMENT: InboxClaimRow.document,
}


def conditions(
    filters: InboxFilter,
    run_ids: Sequence[str],
    *,
    dialect_name: str,
    without: frozenset[Facet] = frozenset(),
    is_by_run: bool = False,
) -> list[ColumnElement[bool]]:
    """Return the conditions that a filter puts on `inbox_claim`.

    Args:
        filters: the filter.
        run_ids: the runs in view.
        dialect_name: "sqlite" or "postgresql".
        without: facets to leave out.
        is_by_run: whether the query should read an index by runs; else it reads one by texts or documents.
    """
    chosen = set(filters.values(Facet.RUN)) if Facet.RUN not in without else set()
    run = InboxClaimRow.run_id if is_by_run else dialect.unindexed(InboxClaimRow.run_id, dialect=dialect_name)
    where: list[ColumnElement[bool]] = [run.in_([run_id for run_id in run_ids if not chosen or run_id in chosen])]
    if filters.words:
        phrases = parse_query(filters.words)
        matching = dialect.has_words(ClaimTextRow.words, ClaimTextRow.id, phrases, dialect=dialect_name)
        where.append(InboxClaimRow.text_id.in_(matching))
    for facet in Facet:
        values = filters.values(facet)
        if facet in without or facet is Facet.RUN or not values:
            continue
        where += _assigned(values) if facet is Facet.ASSIGNEE else _is_one_of(facet, values)
    return where


def _is_one_of(facet: Facet, values: Sequence[str]) -> list[ColumnElement[bool]]:
    column = COLUMNS[facet]
    if facet in CODES:
        is_one = column.in_([CODES[facet][value] for value in values])
        if facet is not Facet.VERDICT or not set(values) <= set(OPEN_VERDICTS):
            return [is_one]
        # Written out, and not as a parameter, so that both databases see that their partial indexes serve.
        is_open = InboxClaimRow.verdict > literal_column("0")
        return [is_open] if set(values) == set(OPEN_VERDICTS) else [is_open, is_one]
    named = [value for value in values if value != NONE]
    alternatives = [column.in_(named)] if named else []
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
