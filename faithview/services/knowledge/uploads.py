"""A version of a knowledge base that comes as uploaded files: one table of chunks, or documents as in a folder."""

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
    from faithview.formats.document_folder import ENDINGS, is_document

    if len(files) == 1 and not is_document(files[0].name):
        return read_knowledge_base(files[0].content, name=files[0].name)
    if not any(is_document(file.name) for file in files):
        raise InvalidInput(
            f"None of the {fmt.plural(len(files), 'file')} is a {ENDINGS} file. Choose documents, or one file with "
            "chunks."
        )
    with TemporaryDirectory(prefix="faithview-") as made:
        root = Path(made) / _FOLDER
        for file, path in zip(files, _split_folder(files)[1], strict=True):
            place = root / path
            if place.exists():
                raise InvalidInput(f"Two of the files are called {str(path)!r}; rename one, or choose their folder.")
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.content if isinstance(file.content, bytes) else file.content.read_bytes())
            except OSError as error:  # no space is left, or the name is too long
                raise UnreadableFile(f"{file.name!r} cannot be read: {error.strerror or error}.") from error
        try:
            return read_knowledge_base(root, split_as=split_as)
        except UnreadableFile as error:  # which names the folder on this machine
            raise UnreadableFile(str(error).replace(str(root), _FOLDER)) from None


def name_files(files: Sequence[NamedFile]) -> str:
    """Return what the files are called together: the file, the folder that all are in, or how many there are."""
    return files[0].name if len(files) == 1 else _split_folder(files)[0] or fmt.plural(len(files), "file")


def _split_folder(files: Sequence[NamedFile]) -> tuple[str | None, list[PurePosixPath]]:
    """Return the folder that all files are in, None if there is none, and where each file is in it."""
    paths = [PurePosixPath(file.name) for file in files]
    for path in paths:
        if path.is_absolute() or not path.parts or ".." in path.parts or "\0" in str(path):
            raise InvalidInput(f"{str(path)!r} cannot be the name of a file in a folder; rename it.")
    folder = paths[0].parts[0]
    if any(len(path.parts) == 1 or path.parts[0] != folder for path in paths):
        return None, paths
    return folder, [path.relative_to(folder) for path in paths]
