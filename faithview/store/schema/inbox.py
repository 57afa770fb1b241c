"""The table of the inbox: the columns by which claims are filtered, counted and sorted."""

from sqlalchemy import BigInteger, ColumnClause, ForeignKey, Index, String

from faithview.store.schema.typed_tables import Base, column


class InboxClaimRow(Base):
    """A claim as the inbox lists it, so a list over a million claims reads one narrow index.

    `verdict` is the one that counts, or "not_a_claim"; `label_state` is a `LabelOutcome`, or "to_check" for an
    unlabelled claim that is only just supported; `document` is that of the first chunk that the claim cites; `harm` is
    its `scoring.expected_harm`. A text is "" for none. Equal claims have one `text_key`, the first 60 bits of their
    hash: numbers are sorted faster than texts. The row is written in the transaction that adds the claim or a label of
    it (`store/inbox_index.py`).
    """

    __tablename__ = "inbox_claim"
    __table_args__ = (
        Index("ix_inbox_claim_listed", "run_id", "verdict", "text_key", "label_state", "harm"),
        # PostgreSQL indexes at most 2,704 bytes, and counts without an index as fast.
        Index(
            "ix_inbox_claim_counted",
            *("run_id", "verdict", "error_type", "label_state", "segment", "assignee", "document"),
        ).ddl_if(dialect="sqlite"),
    )

    claim_id: ColumnClause[int] = column(ForeignKey("claim.id", ondelete="CASCADE"), primary_key=True)
    text_key: ColumnClause[int] = column(BigInteger, index=True)
    run_id: ColumnClause[str] = column(String(16))
    verdict: ColumnClause[str] = column(String(24))
    error_type: ColumnClause[str] = column(String(16))
    label_state: ColumnClause[str] = column(String(16))
    segment: ColumnClause[str]
    document: ColumnClause[str]
    assignee: ColumnClause[str]
    harm: ColumnClause[float]
