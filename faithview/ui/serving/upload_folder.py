"""The folder in which a server keeps uploaded files: its own, among the system's temporary files (`TMPDIR`).

Only the user who runs the server can read it. A file is deleted when nothing refers to it any more, the folder when the
server stops. What a killed server leaves there, the next one deletes when it starts: a running server has its folder
locked.
"""

import hashlib
import logging
import os
import shutil
import sys
import tempfile
import weakref
from pathlib import Path
from typing import BinaryIO

from faithview.formats.files.source import HeldFile

_PREFIX = "faithview-uploads-"
_log = logging.getLogger(__name__)


class UploadFolder:
    """Where uploaded files lie, made when the first one comes. `inside` is where; None is for temporary files."""

    def __init__(self, inside: Path | None = None) -> None:
        self._inside = inside
        self._path: Path | None = None
        self._lock: int | None = None

    def new_file(self) -> "NewFile":
        """Return a file to write to; raises OSError if there can be none."""
        # A system may delete temporary files that are old, and folders with them.
        if self._path is None or not self._path.is_dir():
            self._unlock()
            self._path, self._lock = _make_folder(self._place())
        handle, name = tempfile.mkstemp(dir=self._path)  # with mode 0600
        return NewFile(os.fdopen(handle, "wb"), Path(name))

    def delete_leftovers(self) -> None:
        """Delete what servers have left that were killed."""
        try:
            left = [path for path in self._place().glob(f"{_PREFIX}*") if path != self._path]
        except OSError as error:  # no folder for temporary files; uploads will say so
            _log.warning("Temporary files cannot be listed: %s.", error.strerror)
            return
        for path in left:
            lock = _lock(path)
            if lock is None:
                continue
            _delete_folder(path)
            os.close(lock)

    def close(self) -> None:
        """Delete the folder with everything in it."""
        if self._path is not None:
            _delete_folder(self._path)
        self._path = None
        self._unlock()

    def _place(self) -> Path:
        return self._inside or Path(tempfile.gettempdir())

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
        self._lock = None


class NewFile:
    """A file that is being written: `keep` hands it out when it is complete, `drop` deletes it before."""

    def __init__(self, stream: BinaryIO, path: Path) -> None:
        self._stream = stream
        self._path = path
        self._size = 0
        self._digest = hashlib.sha256()

    def write(self, content: bytes) -> None:
        """Add to the file; raises OSError, where the disk is full say."""
        self._stream.write(content)
        self._digest.update(content)
        self._size += len(content)

    def keep(self) -> HeldFile:
        """Return the file, which is deleted when nothing refers to it any more; raises OSError as `write` does."""
        self._stream.close()
        held = HeldFile(path=self._path, size=self._size, digest=self._digest.hexdigest())
        weakref.finalize(held, _delete_file, self._path)
        return held

    def drop(self) -> None:
        """Delete the file."""
        try:
            self._stream.close()
        except OSError as error:  # what was still to be written did not fit on the disk either
            _log.debug("The file of an upload that is deleted could not be closed: %s.", error.strerror)
        _delete_file(self._path)


def _make_folder(inside: Path) -> tuple[Path, int | None]:
    """Return a new folder and what holds its lock; a server that starts in between may take it for a leftover."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=inside))  # with mode 0700
        if sys.platform == "win32":
            return path, None
        lock = _lock(path)
        if lock is not None and path.exists():
            return path, lock
        if lock is not None:
            os.close(lock)


def _lock(path: Path) -> int | None:
    """Lock a folder of this user and return what holds the lock; None if another process has locked it.

    Windows locks no folders: leftovers stay there until its own clean-up.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:  # another user's, no folder at all, or gone meanwhile
        return None
    try:
        if os.fstat(opened).st_uid != os.getuid():
            raise PermissionError
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        return None
    return opened


def _delete_file(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:  # Windows does not delete a file in use; it is deleted with the folder
        _log.warning("The uploaded file %s cannot be deleted: %s.", path, error.strerror)


def _delete_folder(path: Path) -> None:
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        return
    except OSError as error:
        _log.warning("The uploads in %s cannot be deleted: %s.", path, error.strerror)
