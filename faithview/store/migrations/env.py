"""Run by Alembic: migrates over the connection that `database.migrate` holds."""

from alembic import context

from faithview.store import review_schema

connection = context.config.attributes["connection"]
# SQLite cannot alter a column in place; batch mode rebuilds the table instead.
context.configure(connection=connection, target_metadata=review_schema.LabelRow.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
