"""HTML files: the text that a reader sees, with its headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from faithview.formats.document_folder.document import Document, build_document

_SPACE = re.compile(r"\s+")
_HEADING = re.compile(r"h([1-6])")
# The text of these is not part of the page.
_UNSEEN = frozenset(
    {"script", "style", "template", "noscript", "svg", "math", "iframe", "object", "select", "textarea"}
)
# Menus and the like, which are the same on every page.
_AROUND = frozenset({"nav", "head"})
# Tags inside a line of text; every other tag ends a block.
_INLINE = frozenset(
    {
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "img",
        "input",
        "button",
    }
)


# These contain text only, up to their end tag.
_RAW = frozenset({"script", "style", "textarea", "title", "noscript", "iframe"})
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)(?:=\s*+(?:\"[^\"]*+\"|'[^']*+')|[^>])*+>")


def parse_html(name: str, text: str) -> Document:
    """Return an HTML page as a document: one block per paragraph, list item, cell or heading."""
    page = _Page()
    page.read(text)
    return build_document(name, page.title, page.blocks)


def visible_text(html: str) -> str:
    """Return the text of a piece of HTML, one line per block."""
    page = _Page()
    page.read(html)
    return "\n".join(text for _, text in page.blocks)


@dataclass(frozen=True, slots=True)
class _Tag:
    name: str
    is_end: bool


def _scan(html: str) -> Iterator[str | _Tag]:
    """Yield the tags and the texts between them; what is left open at the end is dropped, as browsers do.

    The standard library's parser takes quadratic time for tags that are never closed, and fails on "<![<![".
    """
    at = 0
    while at < len(html):
        start = html.find("<", at)
        if start < 0:
            yield html[at:]
            return
        if start > at:
            yield html[at:start]
        tag = _TAG.match(html, start)
        if tag is not None:
            at = tag.end()
            found = _Tag(tag[2].lower(), is_end=bool(tag[1]))
            yield found
            if found.name in _RAW and not found.is_end:
                end = re.compile(f"</{found.name}", re.IGNORECASE).search(html, at)
                if end is None:
                    return
                if found.name == "title":
                    yield html[at : end.start()]
                at = end.start()
        elif html.startswith(("<!", "<?", "</"), start) or html[start + 1 : start + 2].isalpha():
            closing = "-->" if html.startswith("<!--", start) else ">"
            end_at = html.find(closing, start)
            if end_at < 0:
                return
            at = end_at + len(closing)
        else:  # a sign in the text, as in "1 < 2"
            yield "<"
            at = start + 1


class _Page:
    """Collects the blocks of a page: each a heading's level and its text, level 0 for other text."""

    def __init__(self) -> None:
        self.blocks: list[tuple[int, str]] = []
        self.title: str | None = None
        self._words: list[str] = []
        self._level = 0
        self._unseen: str | None = None
        self._depth = 0
        self._in_title = False
        self._is_kept = False

    def read(self, html: str) -> None:
        for part in _scan(html):
            if isinstance(part, str):
                self._add_text(unescape(part))
            elif part.name == "title":
                self._in_title = not part.is_end
            elif self._unseen is not None:
                self._skip(part)
            elif part.is_end:
                self._end(part.name)
            else:
                self._start(part.name)
        self._end_block()

    def _skip(self, tag: _Tag) -> None:
        if tag.name == self._unseen:
            self._depth += -1 if tag.is_end else 1
        is_open_head = self._unseen == "head" and tag.name == "body"
        if self._depth == 0 or is_open_head:
            self._unseen = None

    def _start(self, tag: str) -> None:
        if tag in _UNSEEN or tag in _AROUND:
            self._end_block()
            self._unseen, self._depth = tag, 1
        elif tag == "br":
            self._words.append("\n")
        elif tag not in _INLINE:
            self._end_block()
            self._is_kept = tag == "pre"
            heading = _HEADING.fullmatch(tag)
            self._level = int(heading[1]) if heading else 0

    def _end(self, tag: str) -> None:
        if tag not in _INLINE and tag != "br":
            self._end_block()

    def _add_text(self, text: str) -> None:
        if self._in_title:
            self.title = self.title or " ".join(text.split()) or None
        elif self._unseen is None:
            self._words.append(text if self._is_kept else _SPACE.sub(" ", text))

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
