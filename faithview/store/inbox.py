"""The inbox: equal claims as one row; filter, list by expected harm, count by facet, and assign to reviewers."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    and_,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
    update,
)

from faithview.domain.audit import Action
from faithview.domain.certainty import UNSTATED, certainty_of
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.inbox import (
    NONE,
    TO_CHECK,
    ClaimGroup,
    Facet,
    InboxFilter,
    InboxPage,
    LabelOutcome,
)
from faithview.domain.label import NOT_A_CLAIM
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.claims import judge_of_claim
from faithview.store.database import Database
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.runs import ClaimRow, RunRow, SampleRow
from faithview.store.search import has_words

COLUMNS = {
    Facet.VERDICT: "verdict",
    Facet.TYPE: "error_type",
    Facet.LABEL: "label_state",
    Facet.RUN: "run_id",
    Facet.SEGMENT: "segment",
    Facet.DOCUMENT: "document",
    Facet.ASSIGNEE: "assignee",
}
_TABLE = InboxClaimRow.__table__
_TEXT, _RUN = InboxClaimRow.text_key, InboxClaimRow.run_id
# How much of a question a list shows; the rest stays in the database.
_SHOWN_CHARACTERS = 240


def conditions(
    filters: InboxFilter, run_ids: Sequence[str], *, of: FromClause = _TABLE, without: Collection[Facet] = ()
) -> ColumnElement[bool]:
    """Return the condition of a filter's facets on `inbox_claim`, or on columns of it; `without` is left out."""
    where: list[ColumnElement[bool]] = [of.c.run_id.in_(run_ids)]
    for facet, column in COLUMNS.items():
        values = filters.values(facet)
        if facet in without or not values:
            continue
        is_one: ColumnElement[bool] = of.c[column].in_(values)
        is_open = facet is Facet.VERDICT and not filters.chosen.get(facet)
        if is_open and (Facet.LABEL in without or TO_CHECK in filters.values(Facet.LABEL)):
            # Claims to check are called supported, and listed beside those that are not if that label is chosen.
            is_one = or_(is_one, of.c.label_state == TO_CHECK)
        where.append(is_one)
    return and_(*where)


def _with_words(db: Database, filters: InboxFilter) -> ColumnElement[bool]:
    if not filters.words:
        return true()
    return has_words(InboxClaimRow.claim_id, filters.words, dialect=db.dialect_name)


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
    first = func.min(InboxClaimRow.claim_id).label("first")
    grouped: Any = select(_TEXT, func.max(InboxClaimRow.harm).label("harm"), first, func.count().label("claims"))
    listed = conditions(filters, run_ids)
    # Materialised, so the index is read only once for the page and the totals.
    found = grouped.where(listed, _with_words(db, filters)).group_by(_TEXT).cte("found").prefix_with("MATERIALIZED")
    query = select(
        found.c.text_key,
        select(func.count()).select_from(found).scalar_subquery().label("groups"),
        select(func.sum(found.c.claims)).scalar_subquery().label("claims"),
    ).order_by(found.c.harm.desc(), found.c.first)
    with db.read() as connection:
        page = connection.execute(query.offset(offset).limit(limit)).all()
        totals = page[:1] or (connection.execute(query.limit(1)).all() if offset else [])
        groups = _describe(connection, [row.text_key for row in page], run_ids, listed)
    return InboxPage(
        groups=tuple(groups[row.text_key] for row in page),
        total_groups=totals[0].groups if totals else 0,
        total_claims=int(totals[0].claims) if totals else 0,
        offset=offset,
    )


# The verdicts of one run's equal claims: the worst counts as its verdict.
_FROM_BEST = (NOT_A_CLAIM, *Verdict)


def _describe(
    connection: Connection,
    keys: Sequence[int],
    run_ids: Sequence[str],
    listed: ColumnElement[bool],
    *,
    shown: Collection[int] = (),
) -> dict[int, ClaimGroup]:
    """Return the groups of claims in view by their keys; each is shown as its worst listed claim, or as `shown`."""
    query: Any = (
        select(InboxClaimRow.__table__, RunRow.name.label("run_name"), listed.label("is_listed"))
        .join(RunRow, RunRow.id == _RUN)
        .where(_TEXT.in_(keys), _RUN.in_(run_ids))
    )
    ages = {run_id: age for age, run_id in enumerate(run_ids)}
    equal: dict[int, list[Row[Any]]] = {}
    for row in sorted(connection.execute(query), key=lambda row: (ages[row.run_id], row.claim_id)):
        equal.setdefault(row.text_key, []).append(row)
    standing = {
        text_key: [row for row in rows if row.claim_id in shown] or [row for row in rows if row.is_listed]
        for text_key, rows in equal.items()
    }
    # Of those that do most harm, the newest.
    worst = {text_key: max(rows, key=lambda row: row.harm) for text_key, rows in standing.items()}
    details = _CLAIMS.where(ClaimRow.id.in_([row.claim_id for row in worst.values()]))
    claims = {row.id: row for row in connection.execute(details)}
    groups = {}
    for text_key, rows in equal.items():
        row, claim = worst[text_key], claims[worst[text_key].claim_id]
        state = LabelOutcome.UNLABELLED if row.label_state == TO_CHECK else LabelOutcome(row.label_state)
        is_judges = state not in (LabelOutcome.CONFIRMED, LabelOutcome.OVERRULED)
        newest = [one.verdict for one in rows if one.run_id == rows[0].run_id]
        groups[text_key] = ClaimGroup(
            claim_id=row.claim_id,
            run_id=row.run_id,
            run_name=row.run_name,
            row=claim.position,
            key=claim.key,
            claim_number=claim.number,
            text=claim.text,
            explanation=claim.explanation,
            question=claim.question,
            verdict=_to_verdict(row.verdict),
            certainty=certainty_of(Verdict(claim.verdict), claim.confidence, claim.judge) if is_judges else UNSTATED,
            label_state=state,
            listed=sum(one.is_listed for one in rows),
            runs=len({one.run_id for one in rows}),
            verdicts=Counter(one.verdict for one in rows),
            latest_verdict=_to_verdict(max(newest, key=_FROM_BEST.index)),
            latest_run_name=rows[0].run_name,
            harm=row.harm,
            assignees=tuple(sorted({one.assignee for one in standing[text_key]} - {NONE})),
        )
    return groups


_CLAIMS: Any = (
    select(ClaimRow.id, ClaimRow.number, ClaimRow.text, ClaimRow.verdict, ClaimRow.confidence, ClaimRow.explanation)
    .add_columns(judge_of_claim().label("judge"), SampleRow.key, SampleRow.position)
    .add_columns(func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"))
    .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
)


def _to_verdict(value: str) -> Verdict | None:
    return None if value == NOT_A_CLAIM else Verdict(value)


def count_claims(db: Database, run_ids: Sequence[str], filters: InboxFilter, *, most: int | None = None) -> int:
    """Return how many claims a filter lets through; with `most`, it stops counting there."""
    where = (conditions(filters, run_ids), _with_words(db, filters))
    let_through = select(InboxClaimRow.claim_id).where(*where).limit(most).subquery()
    with db.read() as connection:
        total: int = connection.execute(select(func.count()).select_from(let_through)).scalar_one()
    return total


def count_facets(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, *, documents: int
) -> Mapping[Facet, Mapping[str, int]]:
    """Return by facet and value the number of claims that match the words and all other facets, largest first.

    Claims without an assignee are not counted.

    Args:
        db: the store.
        run_ids: the runs in view.
        filters: which claims.
        documents: the maximum number of documents to count; chosen documents are always counted.
    """
    words, few = _with_words(db, filters), [facet for facet in COLUMNS if facet is not Facet.DOCUMENT]
    # The facets with few values are counted from their combinations, for which one index is read once.
    columns = [_TABLE.c[COLUMNS[facet]] for facet in few]
    combined = (
        select(*columns, func.count().label("claims"))
        .where(conditions(filters, run_ids, without=few), words)
        .group_by(*columns)
        .cte("combined")
        .prefix_with("MATERIALIZED")
    )
    queries: list[Any] = [
        select(literal(facet.value).label("facet"), combined.c[COLUMNS[facet]].label("value"))
        .add_columns(func.sum(combined.c.claims).label("claims"))
        .where(conditions(filters, run_ids, of=combined, without=(facet, Facet.DOCUMENT)))
        .group_by(combined.c[COLUMNS[facet]])
        for facet in few
    ]
    documents_only = (
        select(literal(Facet.DOCUMENT.value), _TABLE.c.document, func.count())
        .where(conditions(filters, run_ids, without=(Facet.DOCUMENT,)), words)
        .group_by(_TABLE.c.document)
    )
    counts: dict[Facet, dict[str, int]] = {facet: {} for facet in COLUMNS}
    with db.read() as connection:
        rows = connection.execute(union_all(*queries, documents_only)).all()
    for row in sorted(rows, key=lambda row: (-row.claims, row.value)):
        counts[Facet(row.facet)][row.value] = int(row.claims)
    named, chosen = counts[Facet.DOCUMENT], filters.values(Facet.DOCUMENT)
    counts[Facet.DOCUMENT] = {
        name: claims for place, (name, claims) in enumerate(named.items()) if place < documents or name in chosen
    }
    counts[Facet.ASSIGNEE].pop(NONE, None)
    return counts


class ListedClaim(NamedTuple):
    """The place of a claim; equal claims have one `text_key`."""

    text_key: int
    place: ClaimRef


def list_claims_of(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, claim_ids: Sequence[int], *, limit: int
) -> list[ListedClaim]:
    """Return the claims that equal one of these and match a filter, the newest run first; at most `limit`."""
    query: Any = (
        select(_TEXT, _RUN, SampleRow.position, ClaimRow.number)
        .join(ClaimRow, ClaimRow.id == InboxClaimRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(_equal_and_listed(run_ids, filters, claim_ids))
        .order_by(InboxClaimRow.claim_id.desc())
        .limit(limit)
    )
    with db.read() as connection:
        rows = connection.execute(query).all()
    rows = sorted(rows, key=lambda row: (run_ids.index(row.run_id), row.position, row.number))
    return [ListedClaim(key, ClaimRef(run_id=run, row=row, claim_number=number)) for key, run, row, number in rows]


def _equal_and_listed(run_ids: Sequence[str], filters: InboxFilter, claim_ids: Sequence[int]) -> ColumnElement[bool]:
    shown = _TABLE.alias()
    keys = select(shown.c.text_key).where(shown.c.claim_id.in_(claim_ids))
    return and_(_TEXT.in_(keys), conditions(filters, run_ids))


def assign_claims(
    db: Database, run_ids: Sequence[str], filters: InboxFilter, claim_ids: Sequence[int], *, reviewer: str | None
) -> int:
    """Assign the claims that equal one of these and match a filter to a reviewer, or to nobody; return their number."""
    where = _equal_and_listed(run_ids, filters, claim_ids)
    with db.write() as connection:
        dialect.lock(connection, dialect.QUEUE_LOCK)
        assigned = connection.execute(update(InboxClaimRow).where(where).values(assignee=reviewer or NONE)).rowcount
        if assigned:
            record(connection, Action.CLAIMS_ASSIGNED, detail=reviewer or "nobody", items=assigned)
    return assigned
