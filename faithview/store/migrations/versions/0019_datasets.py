"""Data sets with versions, which run is over which, tags and held-out rows.

Runs that are older than this get their versions when somebody first asks for them (`store/dataset_versions.py`).
"""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "dataset",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dataset")),
        sa.UniqueConstraint("name", name=op.f("uq_dataset_name")),
    )
    op.create_table(
        "dataset_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_dataset_version_dataset_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dataset_version")),
        sa.UniqueConstraint("dataset_id", "content_hash", name=op.f("uq_dataset_version_dataset_id_content_hash")),
        sa.UniqueConstraint("dataset_id", "number", name=op.f("uq_dataset_version_dataset_id_number")),
    )
    op.create_index(op.f("ix_dataset_version_content_hash"), "dataset_version", ["content_hash"])
    op.create_table(
        "run_dataset",
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_dataset_run_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["version_id"], ["dataset_version.id"], name=op.f("fk_run_dataset_version_id")),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_run_dataset")),
    )
    op.create_index(op.f("ix_run_dataset_version_id"), "run_dataset", ["version_id"])
    op.create_table(
        "dataset_tag",
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("tag", sa.String(length=100), nullable=False),
        sa.Column("added_by", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_dataset_tag_dataset_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("dataset_id", "subject", "tag", name=op.f("pk_dataset_tag")),
    )
    op.create_table(
        "dataset_held_out",
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("held_out_by", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name=op.f("fk_dataset_held_out_dataset_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("dataset_id", "subject", name=op.f("pk_dataset_held_out")),
    )
    op.create_index(op.f("ix_dataset_held_out_subject"), "dataset_held_out", ["subject"])
    op.add_column("run_intake", sa.Column("dataset", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("run_intake", "dataset")
    for table in ("dataset_held_out", "dataset_tag", "run_dataset", "dataset_version", "dataset"):
        op.drop_table(table)
