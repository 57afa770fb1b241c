"""The tables of review: labels, data derived from them, and spot-checks.

    claim 1─n label             only added; sample 1─n label for claims that the judge missed
    claim 1─1 claim_review      the effective verdict of a labelled claim; follows from the labels
    sample 1─1 sample_review    the answer's scores under the effective verdicts; follows from claim_review
    spot_check 1─n spot_check_item
    spot_check 1─n assignment         the reviewers in whose queue it is
    claim 1─n note                    what users wrote about it; only added

`claim_review` and `sample_review` are updated in the transaction that adds a label, as `domain/label.py` and
`domain/scoring.py` define them; lists and aggregates join them and fall back on the judge's columns.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnClause, ForeignKey, Index, String, UniqueConstraint

from faithview.store.schema.typed_tables import Base, column


class LabelRow(Base):
    """One label. `claim_id` is null for a claim that the judge missed."""

    __tablename__ = "label"
    __table_args__ = (Index("ix_label_run", "run_id", "id"),)

    id: ColumnClause[int] = column(primary_key=True)
    run_id: ColumnClause[str] = column(String(16))
    sample_id: ColumnClause[int] = column(ForeignKey("sample.id", ondelete="CASCADE"), index=True)
    claim_id: ColumnClause[int | None] = column(ForeignKey("claim.id", ondelete="CASCADE"), index=True)
    kind: ColumnClause[str] = column(String(16))
    verdict: ColumnClause[str | None] = column(String(24))
    role: ColumnClause[str] = column(String(16))
    reviewer: ColumnClause[str]
    at: ColumnClause[datetime]
    note: ColumnClause[str | None]
    corrected_text: ColumnClause[str | None]
    start: ColumnClause[int | None]
    end: ColumnClause[int | None]
    occurrence: ColumnClause[int | None]
    seconds: ColumnClause[float | None]
    is_blind: ColumnClause[bool]
    spot_check_id: ColumnClause[int | None] = column(ForeignKey("spot_check.id", ondelete="SET NULL"), index=True)
    retracts: ColumnClause[int | None] = column(index=True)


class ClaimReviewRow(Base):
    """The effective verdict of a claim that has labels; `verdict` is null for "not a claim".

    `is_shared` says that all its labels were given on equal claims of other answers.
    """

    __tablename__ = "claim_review"
    __table_args__ = (Index("ix_claim_review_run", "run_id", "source"),)

    claim_id: ColumnClause[int] = column(ForeignKey("claim.id", ondelete="CASCADE"), primary_key=True)
    sample_id: ColumnClause[int] = column(ForeignKey("sample.id", ondelete="CASCADE"), index=True)
    run_id: ColumnClause[str] = column(String(16))
    verdict: ColumnClause[str | None] = column(String(24))
    source: ColumnClause[str] = column(String(16))
    reviewers: ColumnClause[int]
    is_shared: ColumnClause[bool]


class SampleReviewRow(Base):
    """The scores of a labelled answer under the effective verdicts; null if no claim is left."""

    __tablename__ = "sample_review"
    __table_args__ = (Index("ix_sample_review_run", "run_id"),)

    sample_id: ColumnClause[int] = column(ForeignKey("sample.id", ondelete="CASCADE"), primary_key=True)
    run_id: ColumnClause[str] = column(String(16))
    faithfulness: ColumnClause[float | None]
    faithfulness_weighted: ColumnClause[float | None]
    is_faithful: ColumnClause[bool | None]
    claims: ColumnClause[int]
    supported: ColumnClause[int]
    partially_supported: ColumnClause[int]
    not_mentioned: ColumnClause[int]
    contradicted: ColumnClause[int]
    labelled: ColumnClause[int]
    worst_harm: ColumnClause[float | None]


class SpotCheckRow(Base):
    """A sample of claims to label; `design` has everything that determined it, including the seed."""

    __tablename__ = "spot_check"

    id: ColumnClause[int] = column(primary_key=True)
    name: ColumnClause[str]
    created_at: ColumnClause[datetime]
    created_by: ColumnClause[str]
    is_blind: ColumnClause[bool]
    reviewers_per_item: ColumnClause[int]
    design: ColumnClause[dict[str, Any]]


class SpotCheckItemRow(Base):
    """One claim of a spot-check; `position` is its place in the queue, from 1.

    `is_open` says that fewer reviewers than wanted have labelled it; it is updated like `claim_review`.
    """

    __tablename__ = "spot_check_item"
    __table_args__ = (
        UniqueConstraint("spot_check_id", "position"),
        UniqueConstraint("spot_check_id", "claim_id"),
        Index("ix_spot_check_item_open", "spot_check_id", "is_open", "position"),
    )

    id: ColumnClause[int] = column(primary_key=True)
    spot_check_id: ColumnClause[int] = column(ForeignKey("spot_check.id", ondelete="CASCADE"))
    position: ColumnClause[int]
    run_id: ColumnClause[str] = column(String(16))
    claim_id: ColumnClause[int] = column(ForeignKey("claim.id", ondelete="CASCADE"), index=True)
    stratum: ColumnClause[str]
    inclusion_probability: ColumnClause[float]
    is_open: ColumnClause[bool]


class AssignmentRow(Base):
    """The assignment of a spot-check to a reviewer's queue."""

    __tablename__ = "assignment"

    spot_check_id: ColumnClause[int] = column(ForeignKey("spot_check.id", ondelete="CASCADE"), primary_key=True)
    reviewer: ColumnClause[str] = column(primary_key=True)
    assigned_by: ColumnClause[str]
    at: ColumnClause[datetime]


class NoteRow(Base):
    """A note on a claim, outside any label. Notes are never changed; the notes of labels are in `label`."""

    __tablename__ = "note"

    id: ColumnClause[int] = column(primary_key=True)
    run_id: ColumnClause[str] = column(String(16), index=True)
    sample_id: ColumnClause[int] = column(ForeignKey("sample.id", ondelete="CASCADE"), index=True)
    claim_id: ColumnClause[int] = column(ForeignKey("claim.id", ondelete="CASCADE"), index=True)
    author: ColumnClause[str]
    at: ColumnClause[datetime]
    text: ColumnClause[str]
