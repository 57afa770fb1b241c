"""A version of a knowledge base that comes as uploaded files: one table of chunks, or documents as in a folder."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.sample import Chunk
from faithview.services.knowledge.versions import read_knowledge_base
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.formats.files.report import ReadReport

_FOLDER = "upload"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFile:
    """An uploaded file: its name, with the folders that it was in, and its bytes or where they are on this machine."""

    name: str
    content: Path | bytes


def read_files(files: Sequence[NamedFile], *, split_as: Sequence[Chunk] = ()) -> tuple[list[Chunk], "ReadReport"]:
    """Return the chunks of uploaded files and the problems of their rows or files; store nothing.

    Args:
        files: one table, as `read_knowledge_base` takes it; or documents, which are read as those of a folder.
        split_as: the chunks of an earlier version, as for a folder.

    Raises:
        InvalidInput: no column of the table holds the texts, or a name cannot be that of a file in a folder.
        UnreadableFile: the file is not a table, or no row or document can be used.
    """
    from faithview.formats.document_folder.walk import ENDINGS, is_document

    if len(files) == 1 and not is_document(files[0].name):
        return read_knowledge_base(files[0].content, name=files[0].name)
    if not any(is_document(file.name) for file in files):
        raise InvalidInput(
            f"None of the {fmt.plural(len(files), 'file')} is a {ENDINGS} file. Choose documents, or one file with "
            "chunks."
        )
    with TemporaryDirectory(prefix="faithview-") as made:
        folder = Path(made) / _FOLDER
        for path, file in zip(_paths(files), files, strict=True):
            _put(folder / path, file)
        try:
            return read_knowledge_base(folder, split_as=split_as)
        except UnreadableFile as error:  # which names the folder on this machine
            raise UnreadableFile(str(error).replace(str(folder), _FOLDER)) from None


def name_files(files: Sequence[NamedFile]) -> str:
    """Return what the files are called together: the file, the folder that all are in, or how many there are."""
    if len(files) == 1:
        return files[0].name
    folders = {PurePosixPath(file.name).parts[0] for file in files if "/" in file.name}
    is_folder = len(folders) == 1 and all("/" in file.name for file in files)
    return folders.pop() if is_folder else fmt.plural(len(files), "file")


def _paths(files: Sequence[NamedFile]) -> list[PurePosixPath]:
    """Return where each file is in the folder; a folder that all are in is left out."""
    paths = [PurePosixPath(file.name) for file in files]
    for path in paths:
        if path.is_absolute() or not path.parts or ".." in path.parts or "\0" in str(path):
            raise InvalidInput(f"{str(path)!r} cannot be the name of a file in a folder; rename it.")
    if all(len(path.parts) > 1 for path in paths) and len({path.parts[0] for path in paths}) == 1:
        paths = [PurePosixPath(*path.parts[1:]) for path in paths]
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise InvalidInput(f"Two of the files are called {str(twice)!r}; rename one, or choose their folder.")
    return paths


def _put(path: Path, file: NamedFile) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file.content, bytes):
            path.write_bytes(file.content)
        else:
            shutil.copyfile(file.content, path)
    except OSError as error:  # no space is left, or the name is too long
        raise UnreadableFile(f"{file.name!r} cannot be read: {error.strerror or error}.") from error
