"""Hashes go into an SQLite file as bytes and come out as digits; other texts stay as they are."""

from pathlib import Path

import pytest
from sqlalchemy import Column, MetaData, Table, func, insert, select
from sqlalchemy.engine import make_url

from faithview.store import dialect
from faithview.store.dialect import ContentHash

HASH = "0a" * 31 + "ff"
VALUES = (HASH, "deleted-17", HASH.upper(), "g" * 64, "", None)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_comes_back_as_it_was_and_is_found(value: str | None, database_url: str) -> None:
    engine = dialect.make_engine(make_url(database_url))
    table = Table("kept", MetaData(), Column("hash", ContentHash))
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(insert(table), [{"hash": other} for other in VALUES])
        assert connection.execute(select(table.c.hash)).scalars().all() == list(VALUES)
        found = connection.execute(select(table.c.hash).where(table.c.hash.is_not_distinct_from(value)))
        assert found.scalars().all() == [value]
        if value:
            assert connection.execute(select(table.c.hash).where(table.c.hash.in_([value, "x"]))).scalars().all() == [
                value
            ]
    engine.dispose()


def test_a_hash_takes_half_the_space_in_an_sqlite_file(tmp_path: Path) -> None:
    engine = dialect.make_engine(make_url(f"sqlite:///{tmp_path / 'kept.db'}"))
    table = Table("kept", MetaData(), Column("hash", ContentHash))
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(insert(table), {"hash": HASH})
        assert connection.execute(select(func.length(table.c.hash))).scalar_one() == 32
    engine.dispose()
