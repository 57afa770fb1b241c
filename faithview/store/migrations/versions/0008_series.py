"""Each run is in a series; that of older runs is worked out as if they were stored again, one after the other."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from alembic import op

from faithview.domain.pairing import Answer
from faithview.domain.series import CHECKED_ANSWERS, place_run
from faithview.stats.text_matching import TokenSortSimilarity
from faithview.store.dialect import UtcDateTime

revision = "0008"
down_revision = "0007"

_RUN = sa.table(
    "run",
    sa.column("id", sa.Text()),
    sa.column("name", sa.Text()),
    sa.column("source", sa.Text()),
    sa.column("rows", sa.Integer()),
    sa.column("repeat_of", sa.Text()),
    sa.column("as_of", UtcDateTime()),
    sa.column("created_at", UtcDateTime()),
    sa.column("series", sa.Text()),
)
_SAMPLE = sa.table(
    "sample",
    sa.column("run_id", sa.Text()),
    sa.column("position", sa.Integer()),
    sa.column("key", sa.Text()),
    sa.column("question", sa.Text()),
    sa.column("context_hash", sa.Text()),
)
_CHECK_PAGE = "check page"  # the source of an answer that was saved from the page Check


def upgrade() -> None:
    op.add_column("run", sa.Column("series", sa.Text(), nullable=True))
    _place_runs()
    with op.batch_alter_table("run") as batch:
        batch.alter_column("series", existing_type=sa.Text(), nullable=False)
        batch.create_index(op.f("ix_run_series"), ["series"])


def downgrade() -> None:
    with op.batch_alter_table("run") as batch:
        batch.drop_index(op.f("ix_run_series"))
        batch.drop_column("series")


def _place_runs() -> None:
    connection = op.get_bind()
    series_of: dict[str, str] = {}
    newest: dict[
        str, tuple[tuple[datetime, datetime], Sequence[Answer]]
    ] = {}  # by series: its newest run's time and answers
    similarity = TokenSortSimilarity()
    # The runs that were there first, so that a repeat comes after the run that it repeats.
    for run in connection.execute(sa.select(_RUN).order_by(_RUN.c.created_at, _RUN.c.id)).all():
        if run.source == _CHECK_PAGE and run.rows == 1:
            name = CHECKED_ANSWERS
        elif run.repeat_of in series_of:
            name = series_of[run.repeat_of]
        else:
            answers = _load_answers(connection, run.id)
            by_time = sorted(newest.items(), key=lambda item: item[1][0], reverse=True)
            name = place_run(
                run.name,
                answers,
                [(name, known) for name, (_, known) in by_time],
                taken={*newest, CHECKED_ANSWERS},
                similarity=similarity,
            )
            at = (run.as_of, run.created_at)
            if name not in newest or newest[name][0] <= at:
                newest[name] = (at, answers)
        series_of[run.id] = name
        connection.execute(sa.update(_RUN).where(_RUN.c.id == run.id).values(series=name))


def _load_answers(connection: sa.Connection, run_id: str) -> list[Answer]:
    query = sa.select(_SAMPLE.c.position, _SAMPLE.c.key, _SAMPLE.c.question, _SAMPLE.c.context_hash).where(
        _SAMPLE.c.run_id == run_id
    )
    return [
        Answer(row=row.position, key=row.key, question=row.question, context_hash=row.context_hash)
        for row in connection.execute(query)
    ]
