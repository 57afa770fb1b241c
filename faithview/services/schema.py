"""Check and migrate the store's schema without opening the store."""

from faithview.settings import Settings
from faithview.store.database import SchemaState, check_schema, upgrade_schema
from faithview.store.database import shown_url as shown

__all__ = ["SchemaState", "check", "shown_url", "upgrade"]


def check(settings: Settings) -> SchemaState:
    """Return which schema the store has and which this version needs; changes nothing. Raises StoreError."""
    return check_schema(settings.database_url)


def upgrade(settings: Settings) -> SchemaState:
    """Migrate the store; return its state before, with the path of its backup. Raises StoreError, StoreTooNew."""
    return upgrade_schema(settings.database_url)


def shown_url(settings: Settings) -> str:
    """Return the store's URL without a password and parameters; a dash where it cannot be read."""
    return shown(settings.database_url)
