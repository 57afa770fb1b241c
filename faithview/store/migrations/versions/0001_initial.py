"""The first schema: runs, samples, results, chunks, claims with their evidence."""

import sqlalchemy as sa
from alembic import op

from faithview.store.dialect import UtcDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "chunk",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("chunk_hash", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chunk")),
        sa.UniqueConstraint("text_hash", name=op.f("uq_chunk_text_hash")),
    )
    op.create_index(op.f("ix_chunk_chunk_hash"), "chunk", ["chunk_hash"], unique=False)
    op.create_table(
        "run",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("judge_options", sa.JSON(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("kb_version", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("as_of", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("heartbeat_at", UtcDateTime(), nullable=True),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=True),
        sa.Column("summary_revision", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index(op.f("ix_run_as_of"), "run", ["as_of"], unique=False)
    op.create_index(op.f("ix_run_name"), "run", ["name"], unique=False)
    op.create_table(
        "sample",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("extra", sa.JSON(), nullable=False),
        sa.Column("sample_hash", sa.String(length=64), nullable=False),
        sa.Column("context_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_sample_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sample")),
        sa.UniqueConstraint("run_id", "key", name=op.f("uq_sample_run_id_key")),
        sa.UniqueConstraint("run_id", "position", name=op.f("uq_sample_run_id_position")),
    )
    op.create_index(op.f("ix_sample_sample_hash"), "sample", ["sample_hash"], unique=False)
    op.create_table(
        "claim",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("claim_hash", sa.String(length=64), nullable=False),
        sa.Column("evidence_hash", sa.String(length=64), nullable=False),
        sa.Column("verdict", sa.String(length=24), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("support_score", sa.Double(), nullable=True),
        sa.Column("explanation", sa.Text(), nullable=False),
        sa.Column("claim_type", sa.String(length=16), nullable=True),
        sa.Column("importance", sa.String(length=16), nullable=True),
        sa.Column("hallucination_type", sa.String(length=16), nullable=True),
        sa.Column("severity", sa.String(length=16), nullable=True),
        sa.Column("correction", sa.Text(), nullable=True),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["sample_id"], ["sample.id"], name=op.f("fk_claim_sample_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim")),
        sa.UniqueConstraint("sample_id", "number", name=op.f("uq_claim_sample_id_number")),
    )
    op.create_index(op.f("ix_claim_claim_hash"), "claim", ["claim_hash"], unique=False)
    op.create_index(op.f("ix_claim_evidence_hash"), "claim", ["evidence_hash"], unique=False)
    op.create_index("ix_claim_hallucination", "claim", ["run_id", "hallucination_type", "sample_id"], unique=False)
    op.create_index("ix_claim_verdict", "claim", ["run_id", "verdict"], unique=False)
    op.create_table(
        "result",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("segment", sa.Text(), nullable=True),
        sa.Column("timestamp", UtcDateTime(), nullable=True),
        sa.Column("cluster", sa.String(length=64), nullable=False),
        sa.Column("faithfulness", sa.Double(), nullable=True),
        sa.Column("faithfulness_weighted", sa.Double(), nullable=True),
        sa.Column("is_faithful", sa.Boolean(), nullable=True),
        sa.Column("answer_score", sa.Double(), nullable=True),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.Column("supported", sa.Integer(), nullable=False),
        sa.Column("partially_supported", sa.Integer(), nullable=False),
        sa.Column("not_mentioned", sa.Integer(), nullable=False),
        sa.Column("contradicted", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("suggestions", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("llm_calls", sa.Integer(), nullable=False),
        sa.Column("cached_calls", sa.Integer(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("completion_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["sample_id"], ["sample.id"], name=op.f("fk_result_sample_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("sample_id", name=op.f("pk_result")),
    )
    op.create_index("ix_result_segment", "result", ["run_id", "segment"], unique=False)
    op.create_index("ix_result_state", "result", ["run_id", "state"], unique=False)
    op.create_index("ix_result_worst", "result", ["run_id", "faithfulness", "position"], unique=False)
    op.create_table(
        "sample_chunk",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["chunk_id"], ["chunk.id"], name=op.f("fk_sample_chunk_chunk_id")),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_sample_chunk_sample_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sample_id", "position", name=op.f("pk_sample_chunk")),
    )
    op.create_index(op.f("ix_sample_chunk_chunk_id"), "sample_chunk", ["chunk_id"], unique=False)
    op.create_table(
        "citation",
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("chunk_position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_citation_claim_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("claim_id", "ordinal", name=op.f("pk_citation")),
    )
    op.create_table(
        "evidence",
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("chunk_position", sa.Integer(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("occurrence", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_evidence_claim_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("claim_id", "ordinal", name=op.f("pk_evidence")),
    )


def downgrade() -> None:
    op.drop_table("evidence")
    op.drop_table("citation")
    op.drop_index(op.f("ix_sample_chunk_chunk_id"), table_name="sample_chunk")
    op.drop_table("sample_chunk")
    op.drop_index("ix_result_worst", table_name="result")
    op.drop_index("ix_result_state", table_name="result")
    op.drop_index("ix_result_segment", table_name="result")
    op.drop_table("result")
    op.drop_index("ix_claim_verdict", table_name="claim")
    op.drop_index("ix_claim_hallucination", table_name="claim")
    op.drop_index(op.f("ix_claim_evidence_hash"), table_name="claim")
    op.drop_index(op.f("ix_claim_claim_hash"), table_name="claim")
    op.drop_table("claim")
    op.drop_index(op.f("ix_sample_sample_hash"), table_name="sample")
    op.drop_table("sample")
    op.drop_index(op.f("ix_run_name"), table_name="run")
    op.drop_index(op.f("ix_run_as_of"), table_name="run")
    op.drop_table("run")
    op.drop_index(op.f("ix_chunk_chunk_hash"), table_name="chunk")
    op.drop_table("chunk")
