"""Writes a file completely or not at all; devices and pipes are written to and never replaced."""

import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from faithview.domain.errors import InvalidInput

# The destination for standard output, as in other programs.
STANDARD_OUTPUT = Path("-")
# The start of every SQLite database; an export must not overwrite the store.
_DATABASE_START = b"SQLite format 3\x00"


@contextmanager
def atomic_file(
    destination: Path, *, part: Callable[[Path | None], AbstractContextManager[Path]] | None = None
) -> Iterator[Path]:
    """Yield a path to write to; its file is moved to `destination` if the block ends without an error.

    A regular file is replaced in one step and keeps its permissions; a new one is accessible to its owner only. A link
    is kept, and its target is replaced. If the destination is a pipe, a device (`/dev/stdout`) or standard output
    (`STANDARD_OUTPUT`), the bytes are written to it at the end of the block.
    No file is at the yielded path yet, and none is left behind if the block fails. A process that is killed leaves one
    behind: under a hidden name, or in the system's temporary folder if the destination is not a regular file.

    Args:
        destination: the file.
        part: returns the path for a regular file that is to be replaced, or for None if there is none, and finally
            removes the existing file; None for a hidden path.

    Raises:
        InvalidInput: the destination is a folder or a database, or cannot be written or renamed.
        BrokenPipeError: the reader of standard output is gone.
    """
    try:
        if destination == STANDARD_OUTPUT:
            with _beside_nothing() if part is None else part(None) as temporary:
                yield temporary
                _print(temporary)
            return
        if destination.is_dir():
            raise InvalidInput(f"{str(destination)!r} is a folder; name a file in it.")
        if _is_written_into(destination):
            with _beside_nothing() if part is None else part(None) as temporary:
                yield temporary
                _write_into(destination, temporary)
            return
        target = Path(os.path.realpath(destination))
        refuse_database(target)
        with _hidden(target) if part is None else part(target) as temporary:
            yield temporary
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
    except OSError as error:
        if destination == STANDARD_OUTPUT and isinstance(error, BrokenPipeError):
            raise
        raise InvalidInput(f"{str(destination)!r} cannot be written: {error.strerror or error}.") from error


def is_standard_output(destination: Path | None) -> bool:
    """Return whether the destination is standard output; False for None."""
    return destination == STANDARD_OUTPUT


def destination_words(destination: Path) -> str:
    """Return the displayed name of a destination: its path, or "standard output"."""
    return "standard output" if is_standard_output(destination) else str(destination)


def _is_written_into(path: Path) -> bool:
    """Return whether the path is a device, a pipe or a socket, or links to an open file of a process."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        return True
    # "/dev/stdout" is a link to "/proc/self/fd/1". If that is a regular file, the shell has opened it for us: replacing
    # it would discard its present contents.
    for _ in range(40):  # as many links as Linux follows
        if os.path.realpath(path.parent).startswith("/proc/"):
            return path.exists()
        if not path.is_symlink():
            return False
        path = path.parent / os.readlink(path)
    return False


@contextmanager
def _hidden(target: Path) -> Iterator[Path]:
    # Next to the target, because a rename is atomic only within one file system.
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _beside_nothing() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="faithview-") as folder:
        yield Path(folder) / "output"


def _print(source: Path) -> None:
    sys.stdout.flush()
    with source.open("rb") as content:
        shutil.copyfileobj(content, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _write_into(destination: Path, source: Path) -> None:
    # Without O_CREAT: a device that has disappeared must not become a file.
    with source.open("rb") as content, os.fdopen(os.open(destination, os.O_WRONLY | os.O_APPEND), "wb") as out:
        shutil.copyfileobj(content, out)


def refuse_database(target: Path) -> None:
    """Refuse to replace a database.

    Raises:
        InvalidInput: the file is one.
    """
    if not target.is_file():
        return
    with target.open("rb") as stream:
        if stream.read(len(_DATABASE_START)) == _DATABASE_START:
            raise InvalidInput(f"{str(target)!r} is a database and is not replaced; name another file.")
