"""An open store."""

from collections.abc import Iterator

import pytest

from faithview.store.database import Database, open_database


@pytest.fixture
def db(store_url: str) -> Iterator[Database]:
    """An empty store at the newest schema."""
    database = open_database(store_url)
    yield database
    database.close()
