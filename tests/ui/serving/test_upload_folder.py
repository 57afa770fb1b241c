"""Where uploaded files lie: who can read them, and when they are deleted."""

import gc
import hashlib
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview.formats.files.source import HeldFile
from faithview.services.dataset_files import open_dataset
from faithview.ui.serving.upload_folder import UploadFolder
from tests.formats.made_files import as_jsonl

_CONTENT = as_jsonl([{"answer": f"It is {n} m.", "contexts": ["It is 330 m."]} for n in range(50)])


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[UploadFolder]:
    made = UploadFolder(tmp_path)
    yield made
    made.close()


def _stored(folder: UploadFolder, content: bytes = _CONTENT) -> HeldFile:
    file = folder.new_file()
    file.write(content[:10])
    file.write(content[10:])
    return file.keep()


def _files(tmp_path: Path) -> list[Path]:
    return [path for path in tmp_path.rglob("*") if path.is_file()]


def test_only_the_servers_user_can_read_a_file(folder: UploadFolder, tmp_path: Path) -> None:
    held = _stored(folder)
    assert held.path.read_bytes() == _CONTENT
    assert (held.size, held.digest) == (len(_CONTENT), hashlib.sha256(_CONTENT).hexdigest())
    assert _files(tmp_path) == [held.path]
    assert stat.S_IMODE(held.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(held.path.parent.stat().st_mode) == 0o700


def test_a_file_is_deleted_when_nobody_holds_it(folder: UploadFolder, tmp_path: Path) -> None:
    first, second = _stored(folder), _stored(folder)
    kept = second.path
    del second
    assert _files(tmp_path) == [first.path]
    assert not kept.exists()


def test_a_file_stays_until_it_is_read_to_its_end(folder: UploadFolder, tmp_path: Path) -> None:
    samples = open_dataset(_stored(folder), name="mine.jsonl").samples()
    assert next(samples).answer == "It is 0 m."
    gc.collect()
    assert len(_files(tmp_path)) == 1
    assert len(list(samples)) == 49
    del samples
    gc.collect()
    assert _files(tmp_path) == []


_SERVER = """
import sys
from pathlib import Path
from faithview.ui.serving.upload_folder import UploadFolder
file = UploadFolder(Path(sys.argv[1])).new_file()
file.write(b"half an upload")
held = file.keep()
print("stored", flush=True)
sys.stdin.read()
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folders, and leftovers stay")
def test_a_killed_servers_files_are_deleted_and_a_running_ones_stay(folder: UploadFolder, tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline().strip() == b"stored"
        mine = _stored(folder)
        folder.delete_leftovers()
        assert len(_files(tmp_path)) == 2
    finally:
        server.kill()
        server.communicate()
    assert len(_files(tmp_path)) == 2
    folder.delete_leftovers()
    assert _files(tmp_path) == [mine.path]
    assert list(tmp_path.iterdir()) == [mine.path.parent]
