"""Writes a file completely or not at all; devices and pipes are written to and never replaced."""

import os
import secrets
import shutil
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
        if destination.is_dir():
            raise InvalidInput(f"{str(destination)!r} is a folder; name a file in it.")
        # "/dev/stdout" may lead to a regular file that the shell has opened; replacing it would lose its contents.
        is_stream = destination == STANDARD_OUTPUT or str(destination).startswith(("/dev/", "/proc/"))
        is_replaced = not is_stream and (destination.is_file() or not destination.exists())
        target = Path(os.path.realpath(destination)) if is_replaced else None
        if target is not None:
            refuse_database(target)
        with (part or _hidden)(target) as temporary:
            yield temporary
            if target is None:
                _write_into(destination, temporary)
                return
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
    except OSError as error:
        if destination == STANDARD_OUTPUT and isinstance(error, BrokenPipeError):
            raise
        raise InvalidInput(f"{str(destination)!r} cannot be written: {error.strerror or error}.") from error


def destination_words(destination: Path) -> str:
    """Return the displayed name of a destination: its path, or "standard output"."""
    return "standard output" if destination == STANDARD_OUTPUT else str(destination)


@contextmanager
def _hidden(target: Path | None) -> Iterator[Path]:
    if target is None:
        with tempfile.TemporaryDirectory(prefix="faithview-") as folder:
            yield Path(folder) / "output"
        return
    # Next to the target, because a rename is atomic only within one file system.
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _write_into(destination: Path, source: Path) -> None:
    with source.open("rb") as content:
        if destination == STANDARD_OUTPUT:
            sys.stdout.flush()
            shutil.copyfileobj(content, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        # Without O_CREAT: a device that has disappeared must not become a file.
        with os.fdopen(os.open(destination, os.O_WRONLY | os.O_APPEND), "wb") as out:
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
