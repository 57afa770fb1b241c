"""Reports written to files."""

import os
import secrets
from pathlib import Path

from faithview.domain.errors import InvalidInput


def write_report(html: str, destination: Path) -> None:
    """Write a report; the file appears complete or not at all.

    Raises:
        InvalidInput: it cannot be written there, or no file is named.
    """
    if not destination.name or destination.is_dir():
        raise InvalidInput(f"{str(destination)!r} is a folder, not a file; name a file in it, report.html say.")
    temporary = destination.with_name(f".{destination.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            temporary.write_text(html, encoding="utf-8")
            os.replace(temporary, destination)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInput(f"{str(destination)!r} cannot be written: {error.strerror or error}.") from error
