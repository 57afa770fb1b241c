"""SQLite databases of other tools: read as they were last left whole."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.source import Source
from faithview.formats.files.sqlite import SqliteFile


@pytest.mark.process
def test_half_of_a_change_is_never_read(tmp_path: Path) -> None:
    path = tmp_path / "tool.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("CREATE TABLE answer (score INTEGER)")
        writer.executemany("INSERT INTO answer VALUES (?)", [(number,) for number in range(1000)])
        database = SqliteFile(Source(path, name="tool.sqlite"))
        # With no room for it in memory, a change is in the file before it is committed.
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("BEGIN")
        writer.execute("UPDATE answer SET score = score + 1000000")
        writer.executemany("INSERT INTO answer VALUES (?)", [("x" * 3000,) for _ in range(500)])
        assert path.with_name("tool.sqlite-journal").exists()
        with pytest.raises(UnreadableFile, match=r"cannot be read as an SQLite database: database is locked"):
            list(database.rows("SELECT min(score) FROM answer"))
        writer.execute("ROLLBACK")
        assert list(database.rows("SELECT min(score) AS least FROM answer")) == [{"least": 0}]
