"""Files that only their owner may read and write, from the first byte on."""

import os
from contextlib import suppress
from pathlib import Path

_OWNER_ALONE = 0o600


def private(path: str, flags: int) -> int:
    """Open a file for `open(..., opener=private)`: a new file is accessible to its owner only."""
    return os.open(path, flags, _OWNER_ALONE)


def begin_private(path: Path) -> None:
    """Make an empty file if there is none. An existing file keeps its permissions.

    Raises:
        OSError: it cannot be made.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ALONE))
