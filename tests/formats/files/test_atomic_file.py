"""A file written atomically is there whole, or the old one still is; devices, pipes and links stay what they are."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput
from faithview.formats.files.atomic_file import atomic_file


def test_the_new_file_replaces_the_old_one_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with atomic_file(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "new"


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), atomic_file(path) as temporary:
        temporary.write_text("half \udc00", encoding="utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "old"


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "report.html"
    with pytest.raises(InvalidInput, match="cannot be written: No such file"), atomic_file(path) as temporary:
        temporary.write_text("new")


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    target, link, dangling = folder / "report.html", tmp_path / "link.html", tmp_path / "dangling.html"
    target.write_text("old")
    link.symlink_to(target)
    dangling.symlink_to(folder / "later.html")
    for path in (link, dangling):
        with atomic_file(path) as temporary:
            temporary.write_text("new")
        assert path.is_symlink()
        assert path.read_text() == "new"
    assert sorted(file.name for file in folder.iterdir()) == ["later.html", "report.html"]


def test_a_file_that_only_its_owner_may_read_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("old")
    path.chmod(0o600)
    with atomic_file(path) as temporary:
        temporary.write_text("new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with atomic_file(pipe) as temporary:
        temporary.write_text("new")
    reader.join(timeout=20)
    assert read == ["new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has this device, others do not.")
def test_a_device_stays_a_device_and_a_full_one_is_said(tmp_path: Path) -> None:
    link = tmp_path / "full"
    link.symlink_to("/dev/full")
    for path in (Path("/dev/full"), link):
        with pytest.raises(InvalidInput, match="cannot be written: No space left"), atomic_file(path) as temporary:
            temporary.write_text("new")
    with atomic_file(Path("/dev/null")) as temporary:
        temporary.write_text("new")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="Windows has no such file.")
def test_standard_output_that_a_shell_has_opened_keeps_what_stands_in_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("first\n")
    script = (
        "from pathlib import Path; from faithview.formats.files.atomic_file import atomic_file\n"
        "with atomic_file(Path('/dev/stdout')) as file: file.write_text('second')"
    )
    with log.open("a") as stream:
        subprocess.run([sys.executable, "-c", script], stdout=stream, check=True)
    assert log.read_text() == "first\nsecond"
    piped = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert piped.stdout == b"second"


def test_folders_and_databases_are_refused(tmp_path: Path) -> None:
    store = tmp_path / "faithview.db"
    with sqlite3.connect(store) as connection:
        connection.execute("CREATE TABLE run (id TEXT)")
    connection.close()
    content = store.read_bytes()
    for path, words in ((tmp_path, "is a folder"), (store, "is a database and is not replaced")):
        with pytest.raises(InvalidInput, match=words), atomic_file(path) as temporary:
            temporary.write_text("new")
    assert store.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["faithview.db"]
