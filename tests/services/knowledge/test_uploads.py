"""A new version that comes as uploaded files: a table of chunks, or documents read as those of a folder."""

import json
from pathlib import Path

import pytest

from faithview import Chunk
from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.services.knowledge.uploads import NamedFile, name_files, read_files

TABLE = json.dumps({"id": "hours-1", "text": "The office opens at nine."}).encode()


def _file(name: str, text: str = "# Hours\n\nThe office opens at nine.\n") -> NamedFile:
    return NamedFile(name=name, content=text.encode())


def test_one_table_is_read_as_chunks() -> None:
    chunks, report = read_files([NamedFile(name="kb.jsonl", content=TABLE)])
    assert [(chunk.chunk_id, chunk.text) for chunk in chunks] == [("hours-1", "The office opens at nine.")]
    assert report.problem_count == 0


def test_a_table_on_disk_is_read_under_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"no,texts\n1,2\n")
    with pytest.raises((InvalidInput, UnreadableFile), match=r"kb\.csv"):
        read_files([NamedFile(name="kb.csv", content=tmp_path / "x")])


def test_documents_are_read_as_those_of_their_folder_and_others_are_left_out() -> None:
    files = [_file("docs/hours.md"), _file("docs/de/hours.md", "# Zeiten\n\nAb neun.\n"), _file("docs/logo.png")]
    chunks, report = read_files(files)
    documents = {chunk.metadata["document"] for chunk in chunks}
    assert documents == {"hours.md", "de/hours.md"}
    assert any("logo.png" in note for note in report.notes)


def test_documents_are_split_as_the_stored_version() -> None:
    stored = [Chunk(text="The office opens at nine.", chunk_id="kb-7", metadata={"document": "hours.md"})]
    chunks, _ = read_files([_file("hours.md")], split_as=stored)
    assert "kb-7" in [chunk.chunk_id for chunk in chunks]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a.pdf", "b.png"], "None of the 2 files is a .md, .html and .txt file"),
        (["../a.md", "b.md"], "cannot be the name of a file in a folder"),
        (["/etc/a.md", "b.md"], "cannot be the name of a file in a folder"),
        (["a.md", "a.md"], "Two of the files are called 'a.md'"),
    ],
)
def test_files_that_make_no_folder_are_refused(names: list[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_files([_file(name) for name in names])


def test_the_message_about_empty_documents_names_no_folder_of_this_machine() -> None:
    with pytest.raises(UnreadableFile, match="'upload' has no") as refused:
        read_files([_file("a.md", " "), _file("b.md", "")])
    assert "/tmp" not in str(refused.value)


def test_files_are_called_by_their_folder_or_their_number() -> None:
    assert name_files([_file("a.md")]) == "a.md"
    assert name_files([_file("docs/a.md"), _file("docs/b/c.md")]) == "docs"
    assert name_files([_file("docs/a.md"), _file("b.md")]) == "2 files"
