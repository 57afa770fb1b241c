"""Where uploaded files lie: who can read them, and when they are deleted."""

import errno
import gc
import hashlib
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview.domain.errors import UnreadableFile
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


def test_nothing_is_made_before_the_first_file(folder: UploadFolder, tmp_path: Path) -> None:
    folder.delete_leftovers()
    assert list(tmp_path.iterdir()) == []


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


def test_the_same_bytes_are_the_same_content_wherever_they_lie(folder: UploadFolder) -> None:
    on_disk, in_memory = open_dataset(_stored(folder), name="a.jsonl"), open_dataset(_CONTENT, name="a.jsonl")
    assert (on_disk.content_key, on_disk.size) == (in_memory.content_key, in_memory.size)
    assert list(on_disk.samples()) == list(in_memory.samples())


def test_files_beside_an_upload_do_not_belong_to_it(folder: UploadFolder, tmp_path: Path) -> None:
    # RAGTruth's answers are read with the file "source_info.jsonl" beside them: here it would be somebody else's.
    row = {"id": "1", "source_id": "7", "model": "m", "response": "It is 3.", "labels": [], "split": "test"}
    held = _stored(folder, as_jsonl([row]))
    (held.path.parent / "source_info.jsonl").write_bytes(
        as_jsonl([{"source_id": "7", "source_info": "secret", "prompt": "p", "task_type": "QA"}])
    )
    assert "secret" in repr(open_dataset(held.path).table.head)
    with pytest.raises(UnreadableFile, match="not next to it"):
        open_dataset(held, name=held.path.name)


def test_a_dropped_file_is_deleted(folder: UploadFolder, tmp_path: Path) -> None:
    file = folder.new_file()
    file.write(b"half")
    file.drop()
    assert _files(tmp_path) == []


def test_closing_deletes_everything_and_holders_notice_nothing_of_it(folder: UploadFolder, tmp_path: Path) -> None:
    held = _stored(folder)
    folder.close()
    assert list(tmp_path.iterdir()) == []
    del held


def test_a_folder_that_the_system_has_cleaned_away_is_made_anew(folder: UploadFolder, tmp_path: Path) -> None:
    held = _stored(folder)
    held.path.unlink()
    held.path.parent.rmdir()
    again = _stored(folder)
    assert _files(tmp_path) == [again.path]


def test_without_a_place_for_files_the_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as raised:
        UploadFolder(tmp_path / "gone").new_file()
    assert raised.value.errno == errno.ENOENT
    UploadFolder(tmp_path / "gone").delete_leftovers()


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


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_with_such_a_name_is_not_followed(folder: UploadFolder, tmp_path: Path) -> None:
    others = tmp_path / "others"
    others.mkdir()
    (others / "precious").touch()
    (tmp_path / "faithview-uploads-x").symlink_to(others)
    (tmp_path / "faithview-uploads-file").touch()
    folder.delete_leftovers()
    assert (others / "precious").exists()
    assert (tmp_path / "faithview-uploads-file").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_another_users_folder_is_left_alone(folder: UploadFolder, tmp_path: Path) -> None:
    left = tmp_path / "faithview-uploads-other"
    left.mkdir()
    os.chown(left, 4711, 4711)
    folder.delete_leftovers()
    assert left.exists()
