"""What judges scored on labelled files, kept so that judges can be compared."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select

from faithview.store.database import Database
from faithview.store.schema.runs import BenchRow


def add_bench(db: Database, *, at: datetime, fingerprint: str, file: str, document: Mapping[str, Any]) -> None:
    """Keep a result; earlier ones of the same judge and file stay."""
    with db.write() as connection:
        connection.execute(
            insert(BenchRow),
            {"at": at, "fingerprint": fingerprint, "file": file, "document": dict(document)},
        )


def list_benches(db: Database) -> list[tuple[datetime, str, dict[str, Any]]]:
    """Return (time, fingerprint, document) of the newest result of each judge on each file, newest first."""
    query = select(BenchRow.at, BenchRow.fingerprint, BenchRow.file, BenchRow.document).order_by(BenchRow.id.desc())
    newest: dict[tuple[str, str], tuple[datetime, str, dict[str, Any]]] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            newest.setdefault((row.fingerprint, row.file), (row.at, row.fingerprint, row.document))
    return list(newest.values())
