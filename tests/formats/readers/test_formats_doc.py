"""docs/formats.md says of every format what it is called and which columns are read."""

import re
from pathlib import Path

import pytest

from faithview.domain.errors import FaithViewError
from faithview.formats.read import Detection
from faithview.formats.readers.registry import READERS
from faithview.services.dataset_files import open_dataset
from tests.formats.readers.reading import FILES

_PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
# Readers of tables that no tool wrote.
_OF_NO_TOOL = ("canonical", "labelled")
_FIELDS = ("question", "answer", "claim", "key", "segment", "reference", "timestamp", "score")


def _sections() -> dict[str, str]:
    """The page's sections by the name of the format."""
    found = re.split(r"^### [^`\n]+: `--format ([a-z][a-z_-]+)`$", _PAGE, flags=re.MULTILINE)
    return {name: text.partition("\n## ")[0] for name, text in zip(found[1::2], found[2::2], strict=True)}


def _detections() -> list[tuple[str, Detection]]:
    found = []
    for path in sorted(FILES.rglob("*")):
        if path.is_file() and path.suffix != ".md":
            try:
                detection = open_dataset(path).detection
            except FaithViewError:
                continue  # a part of a folder that is nothing by itself
            if _section_of(detection):
                found.append((path.name, detection))
    return found


def _section_of(detection: Detection) -> str:
    """Return the section of a file's format; a format with kinds of files has the kind in its name."""
    sections = _sections()
    return next(
        (sections[name] for name in sorted(sections, key=len, reverse=True) if detection.reader.name.startswith(name)),
        "",
    )


def test_every_format_has_its_section() -> None:
    assert {reader.name for reader in READERS} - set(_OF_NO_TOOL) == set(_sections())


@pytest.mark.parametrize(("name", "detection"), _detections())
def test_every_column_that_is_read_is_named(name: str, detection: Detection) -> None:
    mapping = detection.mapping
    columns = {field: getattr(mapping, field) for field in _FIELDS}
    # A column that is called as the field is, or that the reader makes under that name, explains itself.
    named = {column for field, column in columns.items() if column and column != field}
    named |= set(mapping.contexts) - {"contexts"}
    missing = sorted(column for column in named if f"`{column}`" not in _section_of(detection))
    assert not missing, f"{name} is read as {detection.reader.title}, whose section does not name {', '.join(missing)}."
