"""The documents of a folder: Markdown, HTML and plain text, split at their headings into chunks."""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

from markdown_it import MarkdownIt

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.sample import Chunk, Json, free_id
from faithview.formats.files.report import ReadReport, RowProblem, storable
from faithview.formats.files.source import ERRORS, READABLE, Source, find_encoding
from faithview.formats.limits import DOCUMENT, PAGE
from faithview.formats.rows.cells import find_unstorable

ENDINGS = ".md, .html and .txt"
_LISTED = 3
# Messages about files that are not text name the kinds of tables.
_OF_TABLES = f"; FaithView reads {READABLE}."
_BETWEEN_BLOCKS = "\n\n"
# Longer sections are split between paragraphs. Retrievers' chunks have 500 to 2,000 characters.
_LONGEST = 2_000
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_NOT_IN_IDS = re.compile(r"[^\w]+")
_LONGEST_SLUG = 60
# Static-site generators keep a page's title and tags in front of its text.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"""^title:[ \t]*(["']?)(\S.*?)\1[ \t]*$""", re.MULTILINE)
_SPACE = re.compile(r"\s+")
_HEADING = re.compile(r"h([1-6])")
# The text of these is not part of the page; `nav` and `head` are menus and the like, the same on every page.
_UNSEEN = frozenset({
    "script", "style", "template", "noscript", "svg", "math", "iframe", "object", "select", "textarea", "nav", "head",
})  # fmt: skip
# Tags inside a line of text; every other tag ends a block.
_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "button", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "input", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip


class Section(NamedTuple):
    """A heading of a level from 1 with the text up to the next heading; level 0 is the text before the first one.

    `text` begins with the heading as it is written, `body` is without it.
    """

    level: int
    heading: str
    text: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: its path in the folder with "/" between the parts, its title (None without one) and its sections."""

    name: str
    title: str | None
    sections: Sequence[Section]


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
        recoded += [path] if is_recoded else []
        length = sum(len(section.text) for section in document.sections)
        total += length
        if total > DOCUMENT:
            raise UnreadableFile(
                f"The texts in {folder.name!r} have more than {DOCUMENT:,} characters; name one of its folders."
            )
        if length:
            report.usable += 1
            yield document
        else:
            report.empty += 1
    _note(report, "Not UTF-8, so read as Windows-1252; check the accented letters, or save as UTF-8", recoded)


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
            elif not entry.is_dir():
                (files if entry.is_file() and is_document(name) else others).append(path)
    if failed and failed[0].filename == str(folder):
        raise InvalidInput(f"The folder {str(folder)!r} cannot be read: {failed[0].strerror}.")
    _note(report, "Folders that cannot be read", [os.path.relpath(error.filename, folder) for error in failed])
    _note(report, "Symbolic links are not followed", links)
    _note(report, f"Left out, because only {ENDINGS} files are read", others)
    return sorted(files)


def _note(report: ReadReport, what: str, paths: list[str]) -> None:
    if paths:
        more = f" and {len(paths) - _LISTED:,} more" if len(paths) > _LISTED else ""
        report.note(f"{what}: {', '.join(repr(storable(path)) for path in sorted(paths)[:_LISTED])}{more}.")


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
    title, sections = _PARSERS[_ending(path)](text.replace("\r\n", "\n").replace("\r", "\n"))
    title = title or next((section.heading for section in sections if section.level == 1), None)
    return Document(name=path, title=title, sections=sections), bool(encoding.warnings)


def _ending(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


# The title that a document has outside its text, and its sections.
_Parsed: TypeAlias = tuple[str | None, list[Section]]


def _parse_markdown(text: str) -> _Parsed:
    """Return the sections verbatim; front matter is left out."""
    front = _FRONT_MATTER.match(text)
    title = _TITLE.search(front[1] or "") if front else None
    body = text[front.end() :] if front else text
    lines = body.split("\n")
    # Where the first heading begins and ends, by lines, its level and its words; and so on.
    marks = [(0, 0, 0, "")]
    for token, inline in pairwise(_block_parser().parse(body)):
        if token.type == "heading_open" and token.map is not None and token.level == 0:
            marks.append((token.map[0], token.map[1], int(token.tag[1:]), " ".join(inline.content.split())))
    ends = [*(start for start, *_ in marks[1:]), len(lines)]
    return title and title[2], [
        Section(level, heading, "\n".join(lines[start:end]).strip(), "\n".join(lines[after:end]).strip())
        for (start, after, level, heading), end in zip(marks, ends, strict=True)
    ]


@cache
def _block_parser() -> MarkdownIt:
    # Headings need no inline marks, which take two thirds of the time.
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable("inline")
    return parser


def _parse_html(text: str) -> _Parsed:
    """Return the visible text: one block per paragraph, list item, cell or heading."""
    page = _Page(text)
    found: list[tuple[int, list[str]]] = [(0, [""])]
    for level, block in page.blocks:
        if level:
            found.append((level, [block]))
        else:
            found[-1][1].append(block)
    return page.title, [
        Section(level, blocks[0], _BETWEEN_BLOCKS.join(blocks).strip(), _BETWEEN_BLOCKS.join(blocks[1:]).strip())
        for level, blocks in found
    ]


class _Page(HTMLParser):
    """The blocks of a page: each a heading's level and its text, level 0 for other text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[tuple[int, str]] = []
        self.title: str | None = None
        self._words: list[str] = []
        self._level = 0
        self._hidden: list[str] = []  # the open tags whose text is not part of the page
        self._in_title = False
        self._is_kept = False
        self.feed(html.replace("<![", "<!"))  # a broken comment of old browsers is an error to this parser
        self.close()
        self._end_block()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._hidden.clear()  # the end of the head may be missing
        if tag == "title":
            self._in_title = True
        elif tag in _UNSEEN:
            self._end_block()
            self._hidden.append(tag)
        elif tag == "br":
            self._words.append("\n")
        elif tag not in _INLINE and not self._hidden:
            self._end_block()
            self._is_kept = tag == "pre"
            heading = _HEADING.fullmatch(tag)
            self._level = int(heading[1]) if heading else 0

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag in self._hidden:
            self._hidden.remove(tag)
        elif tag not in _INLINE and tag != "br" and not self._hidden:
            self._end_block()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = self.title or " ".join(data.split()) or None
        elif not self._hidden:
            self._words.append(data if self._is_kept else _SPACE.sub(" ", data))

    def _end_block(self) -> None:
        text = "".join(self._words)
        if self._level:
            text = " ".join(text.split())
        elif not self._is_kept:
            text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
        if text.strip():
            self.blocks.append((self._level, text.strip("\n")))
        self._words.clear()
        self._level = 0
        self._is_kept = False


_PARSERS: Mapping[str, Callable[[str], _Parsed]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx"), _parse_markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _parse_html),
    **dict.fromkeys((".txt", ".text"), lambda text: (None, [Section(0, "", text.strip(), text.strip())])),
}


def split_documents(documents: Sequence[Document], *, split_as: Sequence[Chunk] = ()) -> list[Chunk]:
    """Return the chunks of documents, in the order of the documents.

    Args:
        documents: the documents.
        split_as: the chunks of an earlier version. Of sections and paragraphs, with and without Markdown's marks, those
            are returned that give most of its texts again; a chunk whose text is unchanged keeps its id.

    Returns:
        By default the sections: a heading with the text up to the next heading. A heading without text of its own is
        left out; sections of more than 2,000 characters are split between paragraphs. A chunk's id is made of the
        document's name and the headings above it ("billing/plans.md#plans/yearly"); its metadata are `document`,
        `title` and `heading`, where they exist.
    """
    sections = _split(documents)
    if not split_as:
        return sections
    plain = [_without_marks(document) for document in documents]
    ways = (sections, _split(documents, by_paragraph=True), _split(plain), _split(plain, by_paragraph=True))
    ids: dict[str, list[str | None]] = defaultdict(list)
    for earlier in reversed(split_as):
        ids[earlier.chunk_hash].append(earlier.chunk_id)
    best = max(ways, key=lambda chunks: len(ids.keys() & {chunk.chunk_hash for chunk in chunks}))
    kept = [ids[chunk.chunk_hash].pop() if ids[chunk.chunk_hash] else None for chunk in best]
    used = {chunk_id for chunk_id in kept if chunk_id is not None}
    chunks = []
    for chunk, chunk_id in zip(best, kept, strict=True):
        own = chunk_id or free_id(chunk.chunk_id or "", used)
        used.add(own)
        chunks.append(replace(chunk, chunk_id=own))
    return chunks


def _without_marks(document: Document) -> Document:
    """Return a Markdown document as a reader sees it; another one unchanged."""
    if _PARSERS[_ending(document.name)] is not _parse_markdown:
        return document
    text = _BETWEEN_BLOCKS.join(section.text for section in document.sections)
    return replace(document, sections=_parse_html(MarkdownIt("commonmark").enable("table").render(text))[1])


def _split(documents: Sequence[Document], *, by_paragraph: bool = False) -> list[Chunk]:
    used: dict[str, int] = {}
    chunks = []
    for document in documents:
        about: dict[str, Json] = {"document": document.name, **({"title": document.title} if document.title else {})}
        above: list[Section] = []
        for section in document.sections:
            above = [*(other for other in above if other.level < section.level), section]
            headings = [other.heading for other in above if other.level]
            path = "/".join(part for heading in headings if (part := _slug(heading)))
            metadata = {**about, "heading": " > ".join(headings)} if headings else about
            for part in _split_paragraphs(section, by_paragraph=by_paragraph):
                name = f"{document.name}#{path}" if path else document.name
                used[name] = used.get(name, 0) + 1
                chunk_id = name if used[name] == 1 else f"{name}-{used[name]}"
                chunks.append(Chunk(text=part, chunk_id=chunk_id, metadata=metadata))
    return chunks


def _slug(heading: str) -> str:
    """Return a heading's words as a part of an id."""
    return _NOT_IN_IDS.sub("-", heading.casefold())[:_LONGEST_SLUG].strip("-")


def _split_paragraphs(section: Section, *, by_paragraph: bool) -> list[str]:
    """Return a section in pieces of whole paragraphs, each as long as possible, or each paragraph of its body.

    A paragraph that is too long is a piece of its own; a heading without text is none.
    """
    text, longest = (section.body, 0) if by_paragraph else (section.text, _LONGEST)
    if not section.body or len(text) <= longest:
        return [text] if section.body else []
    pieces: list[str] = []
    start = end = 0
    for last in [*(found.end() for found in _PARAGRAPH_END.finditer(text)), len(text)]:
        if last - start > longest and end > start:
            pieces.append(text[start:end].strip())
            start = end
        end = last
    return [*pieces, text[start:].strip()]
