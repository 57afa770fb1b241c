"""Reads the documents of a folder. What is left out is in the report, with the reason."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.formats.document_folder.document import Document, parse_html, parse_markdown
from faithview.formats.files.report import ReadReport, RowProblem, storable
from faithview.formats.files.source import ERRORS, READABLE, Source, find_encoding
from faithview.formats.limits import DOCUMENT, PAGE
from faithview.formats.rows.cells import find_unstorable

_PARSERS: Mapping[str, Callable[[str, str], Document]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx"), parse_markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), parse_html),
    **dict.fromkeys((".txt", ".text"), lambda name, text: Document(name=name, text=text)),
}
ENDINGS = ".md, .html and .txt"
_LISTED = 3
# Messages about files that are not text name the kinds of tables.
_OF_TABLES = f"; FaithView reads {READABLE}."


def is_document(name: str) -> bool:
    """Return whether a file of this name is read as a document of a folder, by its ending."""
    return _ending(name) in _PARSERS


def read_documents(folder: Path, *, report: ReadReport) -> Iterator[Document]:
    """Yield the Markdown, HTML and text files of a folder and its subfolders, sorted by path.

    Hidden files and folders (names with a leading dot) are skipped, and symbolic links are not followed. A file that
    cannot be read is added to the report and does not stop the others.

    Raises:
        InvalidInput: the folder cannot be listed.
        UnreadableFile: later, if the texts together exceed the limit of a folder.
    """
    total = 0
    recoded: list[str] = []
    for number, path in enumerate(_find_files(folder, report), start=1):
        report.rows += 1
        try:
            document, is_recoded = _read(folder, path)
        except UnreadableFile as error:
            reason = str(error).removesuffix(_OF_TABLES).removesuffix(".")
            report.add_problem(RowProblem(line=number, reason=reason, preview=storable(path), unit="file"))
            continue
        if is_recoded:
            recoded.append(path)
        total += len(document.text)
        if total > DOCUMENT:
            raise UnreadableFile(
                f"The texts in {folder.name!r} have more than {DOCUMENT:,} characters; name one of its folders."
            )
        if document.text.isspace() or not document.text:
            report.empty += 1
            continue
        report.usable += 1
        yield document
    if recoded:
        report.note(
            f"Not UTF-8, so read as Windows-1252; check the accented letters, or save as UTF-8: {_list(recoded)}."
        )


def _find_files(folder: Path, report: ReadReport) -> list[str]:
    """Return the paths of the documents; the report names the other files, the links and unreadable folders."""
    files: list[str] = []
    others: list[str] = []
    links: list[str] = []
    failed: list[OSError] = []
    for at, folders, names in os.walk(folder, onerror=failed.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*folders, *(name for name in names if not name.startswith("."))):
            entry = Path(at, name)
            path = entry.relative_to(folder).as_posix()
            if entry.is_symlink():
                links.append(path)
            elif entry.is_file() and is_document(name):
                files.append(path)
            elif not entry.is_dir():
                others.append(path)
    if failed and failed[0].filename == str(folder):
        raise InvalidInput(f"The folder {str(folder)!r} cannot be read: {failed[0].strerror}.")
    for paths, what in (
        ([os.path.relpath(error.filename, folder) for error in failed], "Folders that cannot be read"),
        (links, "Symbolic links are not followed"),
        (others, f"Left out, because only {ENDINGS} files are read"),
    ):
        if paths:
            report.note(f"{what}: {_list(sorted(paths))}.")
    return sorted(files)


def _list(paths: list[str]) -> str:
    more = len(paths) - _LISTED
    shown = ", ".join(repr(storable(path)) for path in paths[:_LISTED])
    return f"{shown} and {more:,} more" if more > 0 else shown


def _read(folder: Path, path: str) -> tuple[Document, bool]:
    """Return a file as a document, and whether it was read in another encoding than its bytes declare."""
    if (character := find_unstorable(path)) is not None:
        raise UnreadableFile(f"the name contains {character}, which cannot be stored; rename the file")
    source = Source(folder / path, name=path)
    if source.size > PAGE:
        raise UnreadableFile(f"{path} has more than {PAGE:,} bytes.")
    encoding = find_encoding(source)
    with source.open() as stream:
        text = stream.read().decode(encoding.codec, ERRORS)
    if (character := find_unstorable(text)) is not None:
        raise UnreadableFile(f"{path} contains {character}, which cannot be stored")
    return _PARSERS[_ending(path)](path, text.replace("\r\n", "\n").replace("\r", "\n")), bool(encoding.warnings)


def _ending(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
