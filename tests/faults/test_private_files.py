"""What FaithView makes belongs to who runs it: nobody else of the computer may read it, whatever the umask allows."""

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from faithview.cli.main import main as faithview
from faithview.store.database import open_database
from tests.faults.commands import prepare

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def run_command(url: str, *arguments: str) -> tuple[int, str]:
    """Return the exit status and what was said; status -1 with the error for one that nobody caught."""
    said = io.StringIO()
    sys.argv = ["faithview", *arguments, "--db", url]
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        try:
            faithview()
        except SystemExit as ended:
            return int(ended.code or 0), said.getvalue()
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return -1, f"{type(error).__name__}: {error}"
    return 0, said.getvalue()


def _readable_by_others(folder: Path) -> dict[str, str]:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
    assert modes
    return {name: oct(mode) for name, mode in modes.items() if mode != 0o600}


def test_stores_backups_and_exports_are_their_owner_s_alone(tmp_path: Path) -> None:
    given, made = tmp_path / "given", tmp_path / "made"
    given.mkdir()
    made.mkdir()
    url = f"sqlite:///{made / 'store.db'}"

    def run(*words: object) -> None:
        status, said = run_command(url, *map(str, words))
        assert status == 0, said

    prepare(given, run)
    db = open_database(url)  # with its log and the index of that beside it
    for file_format in ("jsonl", "csv", "parquet", "ragas", "deepeval", "langsmith"):
        run("export", "a", "--format", file_format, "-o", made / f"a.{file_format}")
    run("report", "a", "-o", made / "a.html")
    run("labels", "import", "a", given / "labels.jsonl")
    run("labels", "export", "a", "-o", made / "labels.csv")
    run("db", "backup", made / "backup.db")
    assert {"store.db-wal", "store.db-shm"} <= {path.name for path in made.iterdir()}
    assert _readable_by_others(made) == {}
    db.close()
    (made / "store.db").unlink()
    run("db", "restore", made / "backup.db")
    run("db", "restore", made / "backup.db")  # what is replaced is kept
    assert any(".before-restore-" in path.name for path in made.iterdir())
    assert _readable_by_others(made) == {}


def test_a_file_that_is_there_keeps_its_permissions(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    store.touch(0o640)
    open_database(f"sqlite:///{store}").close()
    assert stat.S_IMODE(store.stat().st_mode) == 0o640
