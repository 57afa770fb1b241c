"""The tables of a new store, created from the models, and the index of claims' words."""

from sqlalchemy import Connection, text

from faithview.store.schema import audit, comparison, inbox, live, review, runs
from faithview.store.schema.typed_tables import Base
from faithview.store.search import CREATE_WORD_INDEX

# Listed so that the tables of their modules are registered in `Base`.
_SCHEMAS = (audit, comparison, inbox, live, review, runs)


def create_tables(connection: Connection, *, revision: str) -> None:
    """Create every table in an empty database, at this revision of the schema."""
    Base.metadata.create_all(connection, checkfirst=False)
    for statement in CREATE_WORD_INDEX[connection.dialect.name]:
        connection.execute(text(statement))
    # As Alembic creates it.
    connection.execute(
        text(
            "CREATE TABLE alembic_version "
            "(version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
    )
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})
