"""docs/formats.md says of every format what it is called and which columns are read."""

import re
from pathlib import Path

import pytest

from faithview.domain.errors import FaithViewError
from faithview.formats.read import Detection
from faithview.formats.readers.registry import list_readers
from faithview.services.dataset_files import open_dataset
from tests.formats.readers.reading import FILES

_PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
# Readers of tables that no tool wrote.
_OF_NO_TOOL = ("canonical", "labelled")
_FIELDS = ("question", "answer", "claim", "key", "segment", "reference", "timestamp", "score")


def _rows() -> dict[str, str]:
    """The page's rows by the name of the format; a row without one belongs to the format above it."""
    rows: dict[str, str] = {}
    name = ""
    for line in _PAGE.splitlines():
        if not line.startswith("|"):
            name = ""
            continue
        if found := re.match(r"\| [^|]+, `([a-z][a-z_-]+)` \|", line):
            name = found.group(1)
        if name:
            rows[name] = rows.get(name, "") + line
    return rows


def _detections() -> list[tuple[str, Detection]]:
    found = []
    for path in sorted(FILES.rglob("*")):
        if path.is_file() and path.suffix != ".md":
            try:
                detection = open_dataset(path).detection
            except FaithViewError:
                continue  # a part of a folder that is nothing by itself
            if _row_of(detection):
                found.append((path.name, detection))
    return found


def _row_of(detection: Detection) -> str:
    """Return the row of a file's format; a format that tells kinds of files apart adds them to its name."""
    rows = _rows()
    return next((rows[name] for name in sorted(rows, key=len, reverse=True) if detection.schema.startswith(name)), "")


def test_every_format_has_its_row() -> None:
    assert {reader.name for reader in list_readers().usable} - set(_OF_NO_TOOL) == set(_rows())


@pytest.mark.parametrize(("name", "detection"), _detections())
def test_every_column_that_is_read_is_named(name: str, detection: Detection) -> None:
    mapping = detection.mapping
    columns = {field: getattr(mapping, field) for field in _FIELDS}
    # A column that is called as the field is, or that the reader makes under that name, explains itself.
    named = {column for field, column in columns.items() if column and column != field}
    named |= set(mapping.contexts) - {"contexts"}
    missing = sorted(column for column in named if f"`{column}`" not in _row_of(detection))
    assert not missing, f"{name} is read as {detection.title}, whose row does not name {', '.join(missing)}."
