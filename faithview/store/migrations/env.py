"""Run by Alembic: migrates over the connection that `database.migrate` holds."""

from alembic import context

from faithview.store.reviews import derive_all_reviews
from faithview.store.schema.runs import SCHEMA_REVISION
from faithview.store.schema.typed_tables import Base

connection = context.config.attributes["connection"]
# SQLite cannot alter a column in place; batch mode rebuilds the table instead.
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
    if context.get_context().get_current_revision() == SCHEMA_REVISION:
        # An older store may hold what followed from its labels under older rules. It is worked out anew here, on the
        # newest schema, and not in a migration, which would meet later schemas too.
        derive_all_reviews(connection)
