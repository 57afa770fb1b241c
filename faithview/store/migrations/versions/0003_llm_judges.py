"""What LLM judges bring: exact content for the verdict cache, raw replies, further figures, repeats, batches."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    # Rows that are there already were judged by judges on this machine, which the verdict cache is not for; so their
    # hash stays empty.
    op.add_column("sample", sa.Column("content_hash", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_sample_content_hash"), "sample", ["content_hash"], unique=False)
    op.add_column("result", sa.Column("raw_reply", sa.Text(), nullable=True))
    op.add_column("result", sa.Column("metrics", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("result", sa.Column("warnings", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("result", sa.Column("cached_prompt_tokens", sa.Integer(), nullable=True))
    op.add_column("run", sa.Column("repeat_of", sa.String(length=16), nullable=True))
    op.add_column("run", sa.Column("use_cache", sa.Boolean(), nullable=True))
    op.create_index(op.f("ix_run_repeat_of"), "run", ["repeat_of"], unique=False)
    op.create_table(
        "run_batch",
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_batch_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_run_batch")),
    )


def downgrade() -> None:
    op.drop_table("run_batch")
    op.drop_index(op.f("ix_run_repeat_of"), table_name="run")
    op.drop_column("run", "use_cache")
    op.drop_column("run", "repeat_of")
    for name in ("cached_prompt_tokens", "warnings", "metrics", "raw_reply"):
        op.drop_column("result", name)
    op.drop_index(op.f("ix_sample_content_hash"), table_name="sample")
    op.drop_column("sample", "content_hash")
