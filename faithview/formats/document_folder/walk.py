"""Reads the documents of a folder. What is left out is in the report, with the reason."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.formats.document_folder.document import Document, build_outline
from faithview.formats.document_folder.html import parse_html
from faithview.formats.document_folder.markdown import parse_markdown
from faithview.formats.files.report import ReadReport, RowProblem, storable
from faithview.formats.files.source import ERRORS, READABLE, Source, find_encoding
from faithview.formats.limits import DOCUMENT, PAGE
from faithview.formats.rows.cells import find_unstorable


def _parse_text(name: str, text: str) -> Document:
    return Document(name=name, text=text, find_outline=lambda: build_outline(None, ()))


_PARSERS: Mapping[str, Callable[[str, str], Document]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx"), parse_markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), parse_html),
    **dict.fromkeys((".txt", ".text"), _parse_text),
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
        InvalidInput: the folder has more files than the limit `members`, or cannot be listed.
        UnreadableFile: later, if the texts together exceed the limit `document`.
    """
    found = _find_files(folder, report)
    _note_left_out(found, report)
    total = 0
    recoded: list[str] = []
    for number, path in enumerate(found.files, start=1):
        report.rows += 1
        try:
            document, is_recoded = _read(folder, path)
        except UnreadableFile as error:
            _add_problem(report, number, path, str(error).removesuffix(_OF_TABLES).removesuffix("."))
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


@dataclass(slots=True)
class _Found:
    files: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def _find_files(folder: Path, report: ReadReport) -> _Found:
    found = _Found()
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        try:
            with os.scandir(folder / inside) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if not inside:
                raise InvalidInput(f"The folder {str(folder)!r} cannot be read: {error.strerror or error}.") from error
            report.rows += 1
            _add_problem(report, report.rows, inside, f"{inside} cannot be read: {error.strerror or error}")
            continue
        folders = []
        for entry in listed:
            if entry.name.startswith("."):
                continue
            path = f"{inside}{entry.name}"
            if entry.is_symlink():
                found.links.append(path)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(f"{path}/")
            elif entry.is_file(follow_symlinks=False) and _ending(path) in _PARSERS:
                found.files.append(path)
            else:
                found.others.append(path)
        waiting += reversed(folders)
    found.files.sort()
    return found


def _note_left_out(found: _Found, report: ReadReport) -> None:
    if found.links:
        report.note(f"Symbolic links are not followed: {_list(found.links)}.")
    if found.others:
        report.note(f"Left out, because only {ENDINGS} files are read: {_list(found.others)}.")


def _list(paths: list[str]) -> str:
    more = len(paths) - _LISTED
    shown = ", ".join(repr(storable(path)) for path in paths[:_LISTED])
    return f"{shown} and {more:,} more" if more > 0 else shown


def _read(folder: Path, path: str) -> tuple[Document, bool]:
    """Return a file as a document, and whether it was read in another encoding than its bytes declare."""
    if (character := find_unstorable(path)) is not None:
        raise UnreadableFile(f"the name contains {character}, which cannot be stored; rename the file")
    source = Source(folder / path, name=path)
    encoding = find_encoding(source)
    with source.reading(), source.open() as stream:
        content = stream.read(PAGE + 1)
    if len(content) > PAGE:
        raise UnreadableFile(f"{path} has more than {PAGE:,} bytes.")
    text = content.decode(encoding.codec, ERRORS)
    if (character := find_unstorable(text)) is not None:
        raise UnreadableFile(f"{path} contains {character}, which cannot be stored")
    return _PARSERS[_ending(path)](path, text.replace("\r\n", "\n").replace("\r", "\n")), bool(encoding.warnings)


def _ending(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


def _add_problem(report: ReadReport, number: int, path: str, reason: str) -> None:
    report.add_problem(RowProblem(line=number, reason=reason, preview=storable(path), unit="file"))
