"""A file that appears complete or not at all; what is not a regular file is written into and never replaced."""

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

# The destination that is standard output, as in other programs.
STANDARD_OUTPUT = Path("-")
# How every SQLite database begins. Nobody means to write a report over the store.
_DATABASE_START = b"SQLite format 3\x00"


@contextmanager
def atomic_file(
    destination: Path, *, part: Callable[[Path | None], AbstractContextManager[Path]] | None = None
) -> Iterator[Path]:
    """Yield a path to write to; what was written stands at `destination` once the block ends without an error.

    A regular file is replaced in one step and keeps its permissions; a new one belongs to its owner alone. A link
    stays, and its target is replaced. Into a pipe, a device (`/dev/stdout`) or standard output (`STANDARD_OUTPUT`) the
    bytes are written at the end of the block.
    No file is at the path yet, and none is left behind when the block fails. A process that is killed leaves one: under
    a hidden name, or in the system's temporary folder where the destination is no regular file.

    Args:
        destination: the file.
        part: gives the path for a regular file that is to be replaced, or for None where there is none, and removes
            what is there in the end; None for a path that nobody knows.

    Raises:
        InvalidInput: the destination is a folder or a database, or cannot be written or renamed.
        BrokenPipeError: nobody reads standard output any more.
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
            else:
                temporary.chmod(0o600)  # what a plugin writes; ours is so from the first byte on (`private`)
            os.replace(temporary, target)
    except OSError as error:
        if destination == STANDARD_OUTPUT and isinstance(error, BrokenPipeError):
            raise
        raise InvalidInput(f"{str(destination)!r} cannot be written: {error.strerror or error}.") from error


def is_standard_output(destination: Path | None) -> bool:
    """Return whether the destination is standard output; None is no destination."""
    return destination == STANDARD_OUTPUT


def destination_words(destination: Path) -> str:
    """Return what a destination is called: its path, or standard output."""
    return "standard output" if is_standard_output(destination) else str(destination)


def _is_written_into(path: Path) -> bool:
    """Return whether the path is a device, a pipe or a socket, or leads to an open file of a process."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        return True
    # "/dev/stdout" is a link to "/proc/self/fd/1". Where that is a regular file, the shell has opened it for us:
    # replacing it would throw away what stands in it already.
    for _ in range(40):  # as many links as Linux follows
        if os.path.realpath(path.parent).startswith("/proc/"):
            return path.exists()
        if not path.is_symlink():
            return False
        path = path.parent / os.readlink(path)
    return False


@contextmanager
def _hidden(target: Path) -> Iterator[Path]:
    # Beside the target, because a rename is atomic only within one file system.
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
    # Without O_CREAT: a device that is gone by now must not become a file.
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
