"""The tables of the inbox: filtered columns of claims and assigned reviewers.

    claim_text 1─n inbox_claim 1─1 claim     claim_text: what equal claims share (`schema/runs.py`)
                        │ 1─1 inbox_assignment
                        │ n─1 inbox_name    the name of a segment or document

`inbox_claim` repeats the columns that the inbox filters, counts and sorts by, so a list over a million claims reads one
narrow index. It is written in the transaction that adds claims or labels (`store/inbox_index.py`).
"""

from datetime import datetime

from sqlalchemy import ColumnClause, ForeignKey, Index, SmallInteger, String, text

from faithview.store.schema.typed_tables import Base, column

# Larger codes of verdicts mean claims that are not fully supported (`store/inbox_index.py`). The index has the same
# condition on PostgreSQL (`schema/runs.py`).
_OPEN = text("verdict > 0")
# Each list and each count reads only one index from its first to its last entry.
_BY_TEXT = ("text_id", "verdict", "run_id", "error_type", "label_state", "segment_id", "document_id", "harm")
_BY_FACETS = ("run_id", "verdict", "error_type", "label_state", "segment_id", "text_id")


class InboxClaimRow(Base):
    """The columns by which a claim is filtered, counted and sorted; `store/inbox_index.py` has the codes.

    `verdict` is the one that counts, with a code of its own for a supported claim that is to be checked; `document_id`
    names the document of the first chunk that the claim cites, `harm` is its `scoring.expected_harm`. The names have no
    foreign keys, because their indexes would take more space than the names; `store/inbox_index.py` removes unused
    names.
    """

    __tablename__ = "inbox_claim"
    __table_args__ = (
        Index("ix_inbox_claim_text", *_BY_TEXT),
        Index("ix_inbox_claim_open", *_BY_TEXT, sqlite_where=_OPEN),
        Index("ix_inbox_claim_facets", *_BY_FACETS),
        Index("ix_inbox_claim_document", "document_id", *_BY_FACETS),
    )

    claim_id: ColumnClause[int] = column(ForeignKey("claim.id", ondelete="CASCADE"), primary_key=True)
    text_id: ColumnClause[int] = column(ForeignKey("claim_text.id"))
    run_id: ColumnClause[str] = column(String(16))
    segment_id: ColumnClause[int | None]
    document_id: ColumnClause[int | None]
    verdict: ColumnClause[int] = column(SmallInteger)
    error_type: ColumnClause[int] = column(SmallInteger)
    label_state: ColumnClause[int] = column(SmallInteger)
    harm: ColumnClause[float]


class InboxNameRow(Base):
    """The name of a segment or a document, stored once for all claims."""

    __tablename__ = "inbox_name"

    id: ColumnClause[int] = column(primary_key=True)
    name: ColumnClause[str] = column(unique=True)


class InboxAssignmentRow(Base):
    """The reviewer who should label a claim."""

    __tablename__ = "inbox_assignment"

    claim_id: ColumnClause[int] = column(ForeignKey("claim.id", ondelete="CASCADE"), primary_key=True)
    reviewer: ColumnClause[str] = column(index=True)
    assigned_by: ColumnClause[str]
    at: ColumnClause[datetime]
