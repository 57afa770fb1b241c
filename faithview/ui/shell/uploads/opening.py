"""Opening an uploaded file on a page, wherever it is."""

import errno
import os

from streamlit.runtime.uploaded_file_manager import UploadedFile

from faithview.domain.errors import UnreadableFile
from faithview.services.datasets import Dataset, open_dataset
from faithview.ui.shell import cached
from faithview.ui.shell.uploads.held import held_content

_FULL = os.strerror(errno.ENOSPC)


def open_upload(file: UploadedFile) -> Dataset:
    """Open an uploaded file and detect what it is, once for each file; raises FaithViewError."""
    content = held_content(file)
    if content is None:
        return cached.open_upload(file.name, file.getvalue())
    if content.upload.file is None:
        why = content.upload.failure
        advice = " Free space on the server, or set TMPDIR to a folder with more." if why == _FULL else ""
        raise UnreadableFile(f"The server could not store {file.name}: {why}.{advice}")
    if content.opened is None:
        content.opened = open_dataset(content.upload.file, name=file.name)
    return content.opened
