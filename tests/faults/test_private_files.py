"""What FaithView makes belongs to who runs it: nobody else of the computer may read it, whatever the umask allows."""

import json
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview.store.database import open_database
from tests.cli.conftest import Command, dataset, faithview, store

__all__ = ["dataset", "faithview", "store"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def _readable_by_others(folder: Path) -> dict[str, str]:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
    return {name: oct(mode) for name, mode in modes.items() if mode != 0o600}


def test_stores_backups_and_exports_are_their_owner_s_alone(store: Path, dataset: Path, faithview: Command) -> None:
    def run(*words: object) -> None:
        done = faithview(*words)
        assert done.status == 0, done.err

    made = store.parent
    run("evaluate", dataset, "--judge", "lexical", "--name", "a")
    db = open_database(f"sqlite:///{store}")  # with its log and the index of that beside it
    for file_format in ("jsonl", "csv", "parquet", "ragas"):
        run("export", "a", "--format", file_format, "-o", made / f"a.{file_format}")
    (first, *_) = (made / "a.jsonl").read_text("utf-8").splitlines()
    claim_id = json.loads(first)["claims"][0]["claim_id"]
    labels = dataset.with_name("labels.jsonl")
    labels.write_text(json.dumps({"claim_id": claim_id, "verdict": "supported", "reviewer": "ann"}))
    run("labels", "import", "a", labels)
    run("report", "a", "-o", made / "a.html")
    run("labels", "export", "a", "-o", made / "labels.csv")
    run("db", "backup", made / "backup.db")
    assert {f"{store.name}-wal", f"{store.name}-shm"} <= {path.name for path in made.iterdir()}
    assert _readable_by_others(made) == {}
    db.close()
    run("db", "restore", made / "backup.db")  # what is replaced is kept
    assert any(".before-restore-" in path.name for path in made.iterdir())
    assert _readable_by_others(made) == {}


def test_a_file_that_is_there_keeps_its_permissions(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    store.touch(0o640)
    open_database(f"sqlite:///{store}").close()
    assert stat.S_IMODE(store.stat().st_mode) == 0o640
