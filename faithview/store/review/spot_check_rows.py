"""Rows of spot-checks and their items as domain objects: the one query that reads an item, and what it gives."""

from typing import Any

from sqlalchemy import Connection, Row, exists, select

from faithview.domain.errors import NotFound
from faithview.domain.label import LabelKind
from faithview.domain.spot_check import DrawnClaim, QueueItem, SpotCheck
from faithview.store.claim_texts import CLAIM_TEXT
from faithview.store.schema.review import LabelRow, SpotCheckItemRow, SpotCheckRow
from faithview.store.schema.runs import ClaimRow, RunRow, SampleRow

# Items with their claim, their run and the whole of their spot-check, so that showing one takes no further query.
ITEMS = (
    select(
        SpotCheckItemRow.__table__,
        SampleRow.position.label("row"),
        SampleRow.key,
        ClaimRow.number,
        CLAIM_TEXT,
        ClaimRow.spans,
        RunRow.name.label("run_name"),
        SpotCheckRow.name.label("check_name"),
        SpotCheckRow.created_at,
        SpotCheckRow.created_by,
        SpotCheckRow.is_blind,
        SpotCheckRow.reviewers_per_item,
        SpotCheckRow.design,
        SpotCheckRow.population,
    )
    .join(SpotCheckRow, SpotCheckRow.id == SpotCheckItemRow.spot_check_id)
    .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
    .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
    .join(RunRow, RunRow.id == SampleRow.run_id)
)


def to_item(row: Row[Any]) -> QueueItem:
    """Return the item of a row of `ITEMS`."""
    return QueueItem(
        item_id=row.id,
        position=row.position,
        drawn=DrawnClaim(
            run_id=row.run_id,
            row=row.row,
            claim_number=row.number,
            stratum=row.stratum,
            inclusion_probability=row.inclusion_probability,
        ),
        check=to_check(row, spot_check_id=row.spot_check_id, name=row.check_name),
        run_name=row.run_name,
        key=row.key,
        text=row.text,
        spans=tuple((start, end) for start, end, _ in row.spans),
    )


def to_check(row: Row[Any], *, spot_check_id: int, name: str) -> SpotCheck:
    """Return the spot-check of a row that holds its columns, `id` and `name` perhaps under other names."""
    return SpotCheck(
        spot_check_id=spot_check_id,
        name=name,
        created_at=row.created_at,
        created_by=row.created_by,
        is_blind=row.is_blind,
        reviewers_per_item=row.reviewers_per_item,
        design=row.design,
        population=row.population,
    )


def get_check_row(connection: Connection, spot_check_id: int) -> Row[Any]:
    """Return the row of a spot-check; raises NotFound."""
    row = connection.execute(select(SpotCheckRow.__table__).where(SpotCheckRow.id == spot_check_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no spot-check {spot_check_id}.")
    return row


def get_item_row(connection: Connection, spot_check_id: int, position: int) -> Row[Any]:
    """Return the row of the item at that place of the queue; raises NotFound."""
    query = ITEMS.where(SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.position == position)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"Spot-check {spot_check_id} has no item {position}.")
    return row


def counts_for(spot_check_id: int) -> tuple[Any, ...]:
    """Return the conditions of a label that counts in a spot-check: given in it, on a claim, and not retracted."""
    retraction = LabelRow.__table__.alias()
    return (
        LabelRow.spot_check_id == spot_check_id,
        LabelRow.kind.in_((LabelKind.VERDICT, LabelKind.NOT_A_CLAIM)),
        ~exists().where(retraction.c.retracts == LabelRow.id),
    )
