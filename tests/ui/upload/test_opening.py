"""Opening an uploaded file on a page: from disk, from memory, and where it could not be stored."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from faithview.domain.errors import UnreadableFile
from faithview.ui.serving.upload_folder import UploadFolder
from faithview.ui.serving.upload_receiver import OnDisk, Upload
from faithview.ui.upload import uploaded_file
from tests.formats.made_files import as_jsonl

_CONTENT = as_jsonl([{"answer": "It is 330 m.", "contexts": ["It is 330 m."]}])
_Give = Callable[[Upload], UploadedFile]


def _file(data: bytes) -> UploadedFile:
    return UploadedFile(UploadedFileRec(file_id="1", name="mine.jsonl", type="", data=data), FileURLs())


@pytest.fixture
def give(monkeypatch: pytest.MonkeyPatch) -> _Give:
    """Put an upload into the session, and return what the page gets for it."""

    def put(upload: Upload) -> UploadedFile:
        content = OnDisk(upload)
        monkeypatch.setattr(uploaded_file, "held_content", lambda _file: content)
        return _file(content)

    return put


def test_a_file_on_disk_is_opened_once(give: _Give, tmp_path: Path) -> None:
    folder = UploadFolder(tmp_path)
    new = folder.new_file()
    new.write(_CONTENT)
    file = give(Upload(file=new.keep()))
    dataset = uploaded_file.open_upload(file)
    assert [sample.answer for sample in dataset.samples()] == ["It is 330 m."]
    assert (dataset.table.name, dataset.size) == ("mine.jsonl", len(_CONTENT))
    assert uploaded_file.open_upload(file) is dataset
    folder.close()


def test_without_our_own_server_the_file_is_what_streamlit_has_in_memory() -> None:
    assert [sample.answer for sample in uploaded_file.open_upload(_file(_CONTENT)).samples()] == ["It is 330 m."]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (
            errno.ENOSPC,
            "The server could not store mine.jsonl: No space left on device. Free space on the server, or set "
            "TMPDIR to a folder with more.",
        ),
        (errno.EACCES, "The server could not store mine.jsonl: Permission denied."),
    ],
)
def test_what_could_not_be_stored_is_said(give: _Give, number: int, said: str) -> None:
    with pytest.raises(UnreadableFile) as raised:
        uploaded_file.open_upload(give(Upload(file=None, failure=os.strerror(number))))
    assert str(raised.value) == said
