"""A file written atomically is there whole, or the old one is still there."""

from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput
from faithview.formats.files.atomic_file import atomic_file


def test_the_new_file_replaces_the_old_one_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with atomic_file(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "new"


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), atomic_file(path) as temporary:
        temporary.write_text("half \udc00", encoding="utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "old"


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "report.html"
    with pytest.raises(InvalidInput, match="cannot be written: No such file"), atomic_file(path) as temporary:
        temporary.write_text("new")
