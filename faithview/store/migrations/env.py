"""Run by Alembic: migrates over the connection that `database.migrate` holds."""

from alembic import context

from faithview.store.schema import comparison, review, runs

# Modules of tables add themselves to the one metadata when they are imported.
tables = {module.Base.metadata for module in (runs, review, comparison)}

connection = context.config.attributes["connection"]
# SQLite cannot alter a column in place; batch mode rebuilds the table instead.
context.configure(connection=connection, target_metadata=tables.pop(), render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
