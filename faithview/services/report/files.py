"""Reports written to files."""

from pathlib import Path

from faithview.formats.files.atomic_file import atomic_file


def write_report(html: str, destination: Path) -> None:
    """Write a report; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written, or `destination` is a folder.
    """
    with atomic_file(destination) as temporary:
        temporary.write_text(html, encoding="utf-8")
