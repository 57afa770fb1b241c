"""A file that appears complete or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faithview.domain.errors import InvalidInput


@contextmanager
def atomic_file(destination: Path) -> Iterator[Path]:
    """Yield a path to write to; the file there replaces `destination` once the block ends without an error.

    The path lies in the same folder, because a rename is atomic only within one file system. No file is there yet, and
    none is left behind when the block fails.

    Raises:
        InvalidInput: the file cannot be written or renamed.
    """
    temporary = destination.with_name(f".{destination.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            yield temporary
            os.replace(temporary, destination)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInput(f"{str(destination)!r} cannot be written: {error.strerror or error}.") from error
