"""The files of one session: Streamlit's records hold them, and one session cannot fill the disk."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from faithview.ui.serving import upload_receiver
from faithview.ui.serving.upload_folder import UploadFolder
from faithview.ui.serving.upload_receiver import Upload

_LARGEST = 100


@pytest.fixture
def records(monkeypatch: pytest.MonkeyPatch) -> MemoryUploadedFileManager:
    """Streamlit's records of a server that has taken no file yet."""
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    monkeypatch.setattr(upload_receiver, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    monkeypatch.setattr(upload_receiver, "_last_open", {})
    monkeypatch.setattr(upload_receiver, "_file_ids", {})
    return manager


@pytest.fixture
def folder(tmp_path: Path) -> UploadFolder:
    """Where uploads are."""
    return UploadFolder(tmp_path)


def _upload(
    records: MemoryUploadedFileManager, folder: UploadFolder, file_id: str, size: int, *, session: str = "a"
) -> None:
    new = folder.new_file()
    new.write(b"x" * size)
    records.add_file(session, UploadedFileRec(file_id=file_id, name="f.jsonl", type="", data=b""))
    upload_receiver.hold(session, file_id, Upload(file=new.keep()), largest=_LARGEST)


def _kept(records: MemoryUploadedFileManager, session: str = "a") -> list[str]:
    return [record.file_id for record in records.get_files(session, [str(n) for n in range(10)])]


def _sizes(tmp_path: Path) -> list[int]:
    return sorted(path.stat().st_size for path in tmp_path.glob("*/*"))


def test_a_session_that_uploads_file_after_file_loses_the_oldest(
    records: MemoryUploadedFileManager, folder: UploadFolder, tmp_path: Path
) -> None:
    for number in range(4):
        _upload(records, folder, str(number), _LARGEST)
    assert _kept(records) == ["0", "1", "2", "3"]
    _upload(records, folder, "4", 1)
    assert _kept(records) == ["1", "2", "3", "4"]
    _upload(records, folder, "5", _LARGEST)
    assert _kept(records) == ["2", "3", "4", "5"]
    assert _sizes(tmp_path) == [1, 100, 100, 100]
    folder.close()


def test_files_that_were_removed_and_those_of_other_sessions_do_not_count(
    records: MemoryUploadedFileManager, folder: UploadFolder
) -> None:
    for number in range(4):
        _upload(records, folder, str(number), _LARGEST)
    records.remove_file("a", "2")
    _upload(records, folder, "5", _LARGEST)
    _upload(records, folder, "6", _LARGEST, session="b")
    assert _kept(records) == ["0", "1", "3", "5"]
    assert _kept(records, "b") == ["6"]
    folder.close()


def test_the_file_that_has_just_come_is_kept_and_one_uploaded_again_counts_once(
    records: MemoryUploadedFileManager, folder: UploadFolder
) -> None:
    _upload(records, folder, "1", 5 * _LARGEST)
    assert _kept(records) == ["1"]
    _upload(records, folder, "1", _LARGEST)
    for number in (2, 3, 4):
        _upload(records, folder, str(number), _LARGEST)
    assert _kept(records) == ["1", "2", "3", "4"]
    folder.close()


def test_files_stay_for_as_long_as_their_page_can_come_back(
    records: MemoryUploadedFileManager, folder: UploadFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is closed just before the server looks: it waits from then on, and not from the look before."""
    waits: list[float] = []
    now = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal now
        waits.append(seconds)
        now += seconds
        if len(waits) > 20:
            raise asyncio.CancelledError

    deleted: list[float] = []
    runtime = SimpleNamespace(
        uploaded_file_mgr=SimpleNamespace(remove_session_files=lambda _id: deleted.append(now)),
        is_active_session=lambda _id: now < 29.9,
    )
    _upload(records, folder, "1", 1)
    monkeypatch.setattr(upload_receiver, "get_instance", lambda: runtime)
    monkeypatch.setattr(upload_receiver, "_last_open", {"a": 0.0})
    monkeypatch.setattr(upload_receiver, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(upload_receiver, "asyncio", SimpleNamespace(sleep=sleep))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(upload_receiver.delete_of_closed_sessions())
    assert set(waits) == {15}
    assert deleted == [165.0]  # 120 s after the page was closed at the soonest, and at most two looks later
    folder.close()


def test_a_session_that_has_ended_holds_nothing(
    records: MemoryUploadedFileManager, folder: UploadFolder, tmp_path: Path
) -> None:
    new = folder.new_file()
    new.write(b"x")
    upload_receiver.hold("ended", "1", Upload(file=new.keep()), largest=_LARGEST)
    assert (_kept(records, "ended"), _sizes(tmp_path)) == ([], [])
    folder.close()
