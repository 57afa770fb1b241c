"""The store's schema, looked at and migrated without opening the store for work."""

from faithview.settings import Settings
from faithview.store.database import SchemaState, check_schema, upgrade_schema

__all__ = ["SchemaState", "check", "upgrade"]


def check(settings: Settings) -> SchemaState:
    """Return which schema the store has and which it should have; changes nothing. Raises StoreError."""
    return check_schema(settings.database_url)


def upgrade(settings: Settings) -> SchemaState:
    """Migrate the store and return the state it was in, with where its copy is. Raises StoreError, StoreTooNew."""
    return upgrade_schema(settings.database_url)
