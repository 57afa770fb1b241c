"""Reports written to files."""

from pathlib import Path

from faithview.domain.private_file import private
from faithview.formats.files.atomic_file import atomic_file


def write_report(html: str, destination: Path) -> None:
    """Write a report; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written, or `destination` is a folder.
    """
    with atomic_file(destination) as temporary, open(temporary, "x", opener=private, encoding="utf-8") as out:
        out.write(html)
