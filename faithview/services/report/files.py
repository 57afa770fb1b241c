"""Reports written to files."""

from pathlib import Path

from faithview.domain.errors import InvalidInput
from faithview.formats.files.atomic_file import atomic_file


def write_report(html: str, destination: Path) -> None:
    """Write a report; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written, or `destination` is a folder.
    """
    if not destination.name or destination.is_dir():
        raise InvalidInput(f"{str(destination)!r} is a folder; name a file in it, such as report.html.")
    with atomic_file(destination) as temporary:
        temporary.write_text(html, encoding="utf-8")
