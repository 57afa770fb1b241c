"""The tables of a new store, created from the models, and objects outside the models: triggers and word indexes."""

from sqlalchemy import Connection, text

from faithview.store.schema import audit, comparison, inbox, live, review, runs
from faithview.store.schema.typed_tables import Base
from faithview.store.search import CREATE_WORD_INDEX

# Listed so that the tables of their modules are registered in `Base`.
_SCHEMAS = (audit, comparison, inbox, live, review, runs)


def create_tables(connection: Connection, *, revision: str) -> None:
    """Create every table in an empty database, at this revision of the schema."""
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        _have_postgresql_options()
    Base.metadata.create_all(connection, checkfirst=False)
    if is_sqlite:
        for statement in CREATE_WORD_INDEX:
            connection.execute(text(statement))
    # As Alembic creates it.
    connection.execute(
        text(
            "CREATE TABLE alembic_version "
            "(version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
    )
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})


def _have_postgresql_options() -> None:
    """Set PostgreSQL's options of indexes: the condition that the models give for SQLite, and GIN for words."""
    for table in Base.metadata.tables.values():
        for index in table.indexes:
            options = index.dialect_options["postgresql"]
            options["where"] = index.dialect_options["sqlite"]["where"]
            if index.name == "ix_claim_text_words":
                options["using"] = "gin"
