"""Where a command writes to: a file, or standard output."""

from pathlib import Path

from faithview.formats.files.atomic_file import STANDARD_OUTPUT


def is_standard_output(destination: Path | None) -> bool:
    """Return whether the destination is standard output; None is no destination."""
    return destination == STANDARD_OUTPUT


def destination_words(destination: Path) -> str:
    """Return what a destination is called: its path, or standard output."""
    return "standard output" if is_standard_output(destination) else str(destination)
